"""What moderators did in a room, in words, for moderators to read: `!audit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.amounts import read_whole
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote
from chatbot.ledger.changes import DUE, MONEY, REPAIR, SETTING, VOIDED
from chatbot.rooms.request import Request, Service, usage
from chatbot.settings.fields import shown
from chatbot.speech.spans import ago

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.say import Argument, Say
    from chatbot.ledger.changes import Change, Changes, Deed
    from chatbot.rooms.clock import Watch

MOST_IN_WORDS = 3  # changes of one deed that are told one by one


def described(*changes: Change) -> Message:
    """Tell what was changed."""
    return Message(
        "changes", {"changes": Listing(tuple(_described(each) for each in changes), most=MOST_IN_WORDS)}
    )


def _described(change: Change) -> Message:
    if change.kind == SETTING:
        args: Arguments = {
            "group": shown(change.subject),
            "key": shown(change.key),
            "old": shown(change.old),
            "new": shown(change.new),
        }
        return Message("change-setting", args)
    if change.kind == MONEY:
        args = {"who": Name(Seat(change.subject)), "old": _amount(change.old), "new": _amount(change.new)}
        return Message("change-money", args)
    if change.kind == VOIDED:
        args = {"game": shown(change.key), "table": shown(change.subject), "pot": _amount(change.old)}
        return Message("change-void", args)
    if change.kind == DUE:
        return Message("change-due", {"who": Name(Seat(change.subject)), "amount": _amount(change.new)})
    if change.kind == REPAIR and change.key == "wallet":
        args = {"who": Name(Seat(change.subject)), "old": _amount(change.old), "new": _amount(change.new)}
        return Message("change-repaired", args)
    args = {
        "subject": shown(change.subject),
        "key": shown(change.key or None),
        "old": shown(change.old),
        "new": shown(change.new),
    }
    return Message(f"change-{change.kind}", args)


def told(deed: Deed, now: datetime) -> Message:
    """Tell a deed as one row of many."""
    args: Arguments = {
        "number": deed.number,
        "who": Quote(deed.name),
        "ago": ago((now - deed.at).total_seconds()),
        "changes": described(*deed.changes),
        "why": Message("deed-why", {"why": Quote(deed.why)}) if deed.why else Message("nothing"),
    }
    return Message("deed-undo" if deed.undoes is not None else "deed", args)


def _amount(text: str | None) -> Argument:
    return Credits(int(text)) if text is not None and text.isdecimal() else shown(text)


FEW, MOST = 3, 10  # deeds listed
WALLET = REPAIR, "wallet"  # kind and key of a balance that was corrected


class Audits:
    def __init__(self, changes: Changes, members: CommunityMembers, watch: Watch) -> None:
        self._changes, self._members, self._watch = changes, members, watch
        count = (Option("count", Kind.WHOLE, least=1, most=MOST),)
        self.services = (Service("audit", self._audit, f"[1-{MOST}]", Role.MODERATOR, count, reads=True),)

    async def _audit(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("audit", f"[1-{MOST}]")
        count = read_whole(asked.words[0], 1, MOST) if asked.words else FEW
        deeds = await self._changes.newest(asked.room.id, count)
        if not deeds:
            return [asked.whisper(Message("audit-empty"))]
        await self._learn(asked.room.community, deeds)
        now = self._watch.date()
        return [asked.whisper(told(each, now)) for each in deeds]

    async def _learn(self, community: str, deeds: Sequence[Deed]) -> None:
        """Know whose credits were moved, or would have been."""
        every = [each for deed in deeds for each in deed.changes]
        moved = [each for each in every if each.kind in {MONEY, DUE} or (each.kind, each.key) == WALLET]
        await self._members.learn(community, [Seat(each.subject) for each in moved])
