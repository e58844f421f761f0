"""Read the seasons of the games of a room."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.community.seasons import plan_of
from chatbot.kernel.say import Message
from chatbot.web.api.endpoints import Call, Endpoint, EndpointQuery
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.kernel.kit import AnyKit


class SeasonPlaceRow(TypedDict):
    """A place of a season that is over, with the name of that day."""

    place: int
    name: str
    credits: int


class SeasonRow(TypedDict):
    """The present season of a game, `text` on when and how it ends, and the places of the one before."""

    game: str
    title: str
    number: int
    text: str
    started_at: datetime
    tables: int
    last: list[SeasonPlaceRow]


class SeasonPage(EndpointQuery):
    """How much of a season."""

    count: int = Field(10, ge=1, le=100, description="Places of the last season.")


class SeasonEndpoints:
    """Describes seasons."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
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

    async def _seasons(self, call: Call) -> list[SeasonRow]:
        kits = [each for each in self._bot.kits.values() if plan_of(call.room, each) is not None]
        return [await self._season(call, each) for each in kits]

    async def _season(self, call: Call, kit: AnyKit) -> SeasonRow:
        parts, room = self._bot.parts, call.room
        season = await parts.calendar.current(room, kit)
        now, *_ = await parts.calendar.describe(room, kit)
        without = await self._bot.members.excluded(room)
        places = [each for each in await parts.seasons.last(room.id, kit.name) if each.seat not in without]
        return {
            "game": kit.name,
            "title": self._bot.outbox.text(Message(f"game-{kit.name}"), room=room),
            "text": self._bot.outbox.text(now, room=room),
            "number": season.number,
            "started_at": season.started_at,
            "tables": season.tables,
            "last": [
                {"place": each.place, "name": each.name, "credits": each.credits}
                for each in places[: call.query.count]
            ],
        }
