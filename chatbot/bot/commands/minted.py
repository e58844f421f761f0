"""The command `!audit mint`: everything that somebody chose and that makes credits, for everybody to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chatbot.bot.command import command
from chatbot.community.changes_in_words import described
from chatbot.community.minting.sources import MintSources, receivers
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.kernel.settings import Whole
from chatbot.ledger.changes import CROWD
from chatbot.ledger.minted import EXEMPT
from chatbot.rooms.request import Request
from chatbot.speech.spans import ago

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.community.minting.sources import MintSource
    from chatbot.ledger.changes import Changes
    from chatbot.ledger.imports.runs import ImportRuns
    from chatbot.ledger.minted import Minted
    from chatbot.runtime.clock import Watch

DEFAULT_LISTED, MOST_LISTED = 3, 5  # sources in one answer
MOST_RECEIVERS = 3  # of a source, in one answer
LONGEST_REASON = 30  # characters of a reason in a list


class MintList:
    """Answers `!audit mint`."""

    def __init__(
        self, changes: Changes, minted: Minted, runs: ImportRuns, members: CommunityMembers, watch: Watch
    ) -> None:
        self._sources = MintSources(changes, minted, runs)
        self._members, self._watch = members, watch

    @command("auditmint", aliases=("auditgrants",), reads=True, typed="audit mint")
    async def answer(
        self, request: Request, count: Annotated[Whole, Field(ge=1, le=MOST_LISTED)] = DEFAULT_LISTED
    ) -> Sequence[Say]:
        community = request.room.community
        sources = await self._sources.newest(self._members.people.ties.united(community), count)
        if not sources:
            return [request.answer(Message("audit-mint-none"))]
        await self._members.learn(community, [seat for each in sources for seat in _seats(each)])
        now = self._watch.date()
        rows = Listing(tuple(_row(each, now) for each in sources), separator="; ", most=len(sources))
        return [request.answer(Message("audit-mint", {"rows": rows}))]


def _seats(source: MintSource) -> list[Seat]:
    """Return those whom the row of a source names."""
    by = source.change_set.confirmed_by
    subjects = [Seat(each.member) for each in source.changes if each.member]
    return [*subjects, *(seat for seat, _ in receivers(source, MOST_RECEIVERS)), *([Seat(by)] if by else [])]


def _row(source: MintSource, now: datetime) -> Message:
    change_set, by, why = source.change_set, source.change_set.confirmed_by, source.change_set.why
    args: Arguments = {
        "number": change_set.number,
        "moderator": Quote(change_set.name),
        "ago": ago((now - change_set.at).total_seconds(), most=1),
        "amount": Credits(source.made.credits),
        "reason": Message("because", {"reason": Quote(_shorten(why))}) if why else Message("nothing"),
        "by": Message("audit-mint-by", {"who": Name(Seat(by))}) if by is not None else Message("nothing"),
        "undone": Message("audit-mint-undone" if source.undone else "nothing"),
    }
    if source.kind == "grant" and source.changes[0].subject.startswith(CROWD):
        return Message("audit-mint-crowd", {**args, "changes": described(source.changes[0])})
    if source.kind == "grant":
        return Message("audit-mint-grant", {**args, "who": Name(Seat(source.changes[0].subject))})
    if source.kind == "import":
        return Message(
            "audit-mint-import", {**args, "members": len(source.made.receivers) + source.made.others}
        )
    raised = source.raised
    exempt = raised is not None and raised.key == EXEMPT
    over = source.over
    policy: Arguments = {
        "changes": described(*source.changes),
        "as": Message("audit-mint-exempt" if exempt else "nothing"),
        "over": Message("audit-mint-over", {"ago": ago((now - over).total_seconds(), most=1)})
        if over is not None
        else Message("nothing"),
        "receivers": _receivers(source),
    }
    return Message("audit-mint-policy", {**args, **policy})


def _receivers(source: MintSource) -> Message:
    most = receivers(source, MOST_RECEIVERS)
    if not most:
        return Message("nothing")
    rows = tuple(
        Message("audit-mint-receiver", {"who": Name(seat), "amount": credits_}) for seat, credits_ in most
    )
    return Message("audit-mint-receivers", {"rows": Listing(rows, most=len(rows))})


def _shorten(why: str) -> str:
    return why if len(why) <= LONGEST_REASON else why[: LONGEST_REASON - 1] + "…"
