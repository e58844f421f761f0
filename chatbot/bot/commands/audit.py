"""The command `!audit`, which lists what moderators did in a room, for moderators."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chatbot.bot.command import command
from chatbot.community.changes_in_words import WALLET, described
from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Arguments, Message, Quote, Say
from chatbot.kernel.settings import Whole
from chatbot.ledger.changes import CONFIRMED, DUE, EVERY_CHANGE, MONEY, ChangeFilter
from chatbot.rooms.request import Request
from chatbot.speech.spans import ago

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.community.members import CommunityMembers
    from chatbot.ledger.changes import Changes, ChangeSet
    from chatbot.rooms.room import Room
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

    @command("audit", Role.MODERATOR, reads=True)
    async def audit(
        self, request: Request, count: Annotated[Whole, Field(ge=1, le=MOST_COUNT)] = DEFAULT_COUNT
    ) -> Sequence[Say]:
        change_sets = await self.page(request.room, count)
        if not change_sets:
            return [request.whisper(Message("audit-empty"))]
        now = self._watch.date()
        return [request.whisper(_row(each, now)) for each in change_sets]

    async def page(
        self, room: Room, count: int, before: int | None = None, wanted: ChangeFilter = EVERY_CHANGE
    ) -> Sequence[ChangeSet]:
        """List the newest actions in a room, of those before a number, newest first; names are loaded."""
        change_sets = await self._changes.newest(room.id, count, before, wanted)
        await self._learn(room.community, change_sets)
        return change_sets

    async def undone(self, change_sets: Collection[ChangeSet]) -> set[str]:
        """Return the ids of those of these actions that were undone."""
        return await self._changes.undone_of([each.id for each in change_sets])

    async def _learn(self, community: str, change_sets: Sequence[ChangeSet]) -> None:
        """Load the names of the members whose credits were moved, or would have been."""
        changes = [each for change_set in change_sets for each in change_set.changes]
        credit_changes = [
            each
            for each in changes
            if each.kind in {MONEY, DUE, CONFIRMED} or (each.kind, each.key) == WALLET
        ]
        await self._members.learn(community, [Seat(each.subject) for each in credit_changes])
