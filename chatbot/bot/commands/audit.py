"""The command `!audit`, which lists what moderators did in a room, for moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.community.changes_in_words import WALLET, described
from chatbot.kernel.amounts import read_whole
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Arguments, Message, Quote
from chatbot.ledger.changes import CONFIRMED, DUE, MONEY
from chatbot.rooms.request import BotCommand, Request, usage
from chatbot.speech.spans import ago

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.say import Say
    from chatbot.ledger.changes import Changes, ChangeSet
    from chatbot.runtime.clock import Watch

DEFAULT_COUNT, MOST_COUNT = 3, 10  # actions in one answer


def _row(change_set: ChangeSet, now: datetime) -> Message:
    """Return an action of a moderator as one row of a list."""
    args: Arguments = {
        "number": change_set.number,
        "who": Quote(change_set.name),
        "ago": ago((now - change_set.at).total_seconds()),
        "changes": described(*change_set.changes),
        "why": Message("change-set-why", {"why": Quote(change_set.why)})
        if change_set.why
        else Message("nothing"),
    }
    return Message("change-set-undo" if change_set.undoes is not None else "change-set", args)


class Audits:
    """The command `!audit`."""

    def __init__(self, changes: Changes, members: CommunityMembers, watch: Watch) -> None:
        self._changes, self._members, self._watch = changes, members, watch
        count = (Option("count", Kind.WHOLE, least=1, most=MOST_COUNT),)
        self.services = (
            BotCommand("audit", self._audit, f"[1-{MOST_COUNT}]", Role.MODERATOR, count, reads=True),
        )

    async def _audit(self, request: Request) -> Sequence[Say]:
        if len(request.words) > 1:
            raise usage("audit", f"[1-{MOST_COUNT}]")
        count = read_whole(request.words[0], 1, MOST_COUNT) if request.words else DEFAULT_COUNT
        change_sets = await self._changes.newest(request.room.id, count)
        if not change_sets:
            return [request.whisper(Message("audit-empty"))]
        await self._learn(request.room.community, change_sets)
        now = self._watch.date()
        return [request.whisper(_row(each, now)) for each in change_sets]

    async def _learn(self, community: str, change_sets: Sequence[ChangeSet]) -> None:
        """Load the names of the members whose credits were moved, or would have been."""
        changes = [each for change_set in change_sets for each in change_set.changes]
        moved = [
            each
            for each in changes
            if each.kind in {MONEY, DUE, CONFIRMED} or (each.kind, each.key) == WALLET
        ]
        await self._members.learn(community, [Seat(each.subject) for each in moved])
