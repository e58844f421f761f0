"""Read what moderators did in a room, and its seasons."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.community.changes_in_words import described
from chatbot.community.seasons import plan_of
from chatbot.web.api.endpoints import Call, Endpoint, EndpointQuery
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.changes import ChangeSet


class ChangeRow(TypedDict):
    """One change: of a setting of the group `subject`, or of the credits of the seat `subject`."""

    kind: str
    subject: str
    key: str
    old: str | None
    new: str | None


class ChangeSetRow(TypedDict):
    """What somebody did at once; `undoes` says that it took back another action."""

    number: int
    at: datetime
    by: str
    why: str
    text: str
    undoes: bool
    undone: bool
    changes: list[ChangeRow]


class SeasonPlaceRow(TypedDict):
    """A place of a season that is over, with the name of that day."""

    place: int
    name: str
    credits: int


class SeasonRow(TypedDict):
    """The present season of a game, and the places of the one before."""

    game: str
    number: int
    started_at: datetime
    tables: int
    last: list[SeasonPlaceRow]


class AuditPage(EndpointQuery):
    """A page of the audit."""

    count: int = Field(20, ge=1, le=100, description="Actions, the newest first.")
    before: int | None = Field(None, ge=1, description="The last number of the page before.")


class SeasonPage(EndpointQuery):
    """How much of a season."""

    count: int = Field(10, ge=1, le=100, description="Places of the last season.")


class RecordEndpoints:
    """Describes what is on record."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/audit",
                "Read what moderators did, the newest first.",
                self._audit,
                list[ChangeSetRow],
                word="audit",
                scope=READ,
                query=AuditPage,
            ),
            Endpoint(
                "GET",
                "/seasons",
                "Read the seasons of all games that have them.",
                self._seasons,
                list[SeasonRow],
                word="season",
                scope=READ,
                query=SeasonPage,
            ),
        ]

    async def _audit(self, call: Call) -> list[ChangeSetRow]:
        audits, query = self._bot.parts.audits, call.query
        change_sets = await audits.page(call.room, query.count, query.before)
        undone = await audits.undone(change_sets)
        return [self._change_set(call, each, each.id in undone) for each in change_sets]

    def _change_set(self, call: Call, change_set: ChangeSet, is_undone: bool) -> ChangeSetRow:
        return {
            "number": change_set.number,
            "at": change_set.at,
            "by": change_set.name,
            "why": change_set.why,
            "text": self._bot.outbox.text(described(*change_set.changes), room=call.room),
            "undoes": change_set.undoes is not None,
            "undone": is_undone,
            "changes": [
                {
                    "kind": each.kind,
                    "subject": each.subject,
                    "key": each.key,
                    "old": each.old,
                    "new": each.new,
                }
                for each in change_set.changes
            ],
        }

    async def _seasons(self, call: Call) -> list[SeasonRow]:
        kits = [each for each in self._bot.kits.values() if plan_of(call.room, each) is not None]
        return [await self._season(call, each) for each in kits]

    async def _season(self, call: Call, kit: AnyKit) -> SeasonRow:
        parts, room = self._bot.parts, call.room
        season = await parts.calendar.current(room, kit)
        without = await self._bot.members.excluded(room)
        places = [each for each in await parts.seasons.last(room.id, kit.name) if each.seat not in without]
        return {
            "game": kit.name,
            "number": season.number,
            "started_at": season.started_at,
            "tables": season.tables,
            "last": [
                {"place": each.place, "name": each.name, "credits": each.credits}
                for each in places[: call.query.count]
            ],
        }
