"""Tell the desk when anything of a room has changed."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.ledger.changes import Changes
from chatbot.web.api.endpoints import Call, Endpoint, EndpointQuery
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.ledger.changes import Change
    from chatbot.rooms.room import Room

LONGEST_WAIT = 25.0  # seconds: proxies end requests that are silent for a minute
LOOK_AGAIN = 0.5  # seconds between two looks while somebody waits


class RoomNews(TypedDict):
    """What a page compares: `mark` names this state, and the others tell which part of it has changed."""

    mark: str
    audit: int
    tables: int
    settings: int


class NewsQuery(EndpointQuery):
    """The state that a page knows; empty: none, so that it is answered at once."""

    mark: str = Field("", max_length=100, description="The mark of the last answer; waits until it changes.")


class DeskRoomEndpoints:
    """Tells what goes on in a room."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._changes = Changes(bot.parts.store)
        self._run = secrets.token_hex(4)  # a new start counts from nought again
        self._settings = Counter[str]()  # changes by communities: other rooms may share them
        bot.parts.settings_changes.listeners.append(self._changed)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/desk/news",
                "Wait until something in the room has changed.",
                self._wait,
                RoomNews,
                word="settings",
                scope=READ,
                query=NewsQuery,
            ),
        ]

    def _changed(self, room: Room, changes: Sequence[Change]) -> None:  # noqa: ARG002
        self._settings[room.community] += 1

    async def _wait(self, call: Call) -> RoomNews:
        loop = asyncio.get_running_loop()
        until = loop.time() + LONGEST_WAIT
        while True:
            news = await self._news(call.room)
            if news["mark"] != call.query.mark or loop.time() >= until:
                return news
            await asyncio.sleep(LOOK_AGAIN)

    async def _news(self, room: Room) -> RoomNews:
        newest = await self._changes.newest(room.id, 1)
        audit = newest[0].number if newest else 0
        tables, settings = self._bot.parts.publisher.number(room), self._settings[room.community]
        mark = f"{self._run}.{audit}.{tables}.{settings}"
        return RoomNews(mark=mark, audit=audit, tables=tables, settings=settings)
