"""Serve the boards of rooms, which everybody may read whose broadcaster has turned them on.

A board that is off is one that there is not. What it shows is described at most every few seconds, however
many people look at it. Only the sites that the broadcaster names may show it in a frame of theirs.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from chatbot.runtime.limits import remember
from chatbot.settings import sites
from chatbot.web.board_showing import BoardShowing
from chatbot.web.listener import Evidence

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.web.carrying.bridge import PageBridge
    from chatbot.web.league import League
    from chatbot.web.principals import Platforms

SHARED = 5.0  # seconds for which a description is sent to all who ask
PATIENCE = 1.0  # seconds for which the process that runs a room is sought
REMEMBERED = 100  # boards whose description is kept; 20 kB each
POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
_PAGE = Path(str(files("chatbot.web") / "static" / "board.html"))


@dataclass(frozen=True, slots=True)
class _Described:
    text: str
    language: str
    until: float  # time of the watch


class Boards:
    """The boards of all rooms."""

    def __init__(
        self, bot: Bot, platforms: Platforms | None, league: League, bridge: PageBridge | None = None
    ) -> None:
        """`bridge` leads to the rooms of other processes; None: there are none."""
        self._bot, self._platforms, self._bridge = bot, platforms, bridge
        self._showing = BoardShowing(bot, league)
        self._described: OrderedDict[str, _Described] = OrderedDict()
        self._describing = asyncio.Lock()  # of several who ask at once, one has it described

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of a listener."""
        router.add_get("/board/{room}", self._page)
        router.add_get("/board/{room}/data", self._data)

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _page(self, request: web.Request) -> web.StreamResponse:
        room = await self._room(request)
        allowed = " ".join(sites.origins(room.habits.board_sites)) or "'none'"
        return web.FileResponse(_PAGE, headers={"Content-Security-Policy": POLICY + allowed})

    async def _data(self, request: web.Request) -> web.StreamResponse:
        room = await self._room(request)
        if self._bridge is not None:
            # What is being played is known where the room runs; without that process all else is shown.
            with suppress(web.HTTPServiceUnavailable):
                answer = await self._bridge.forward(request, room.id, Evidence(), patience=PATIENCE)
                if answer is not None:
                    return answer
        try:
            async with self._describing:
                described = await self._recent(room)
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None
        response = web.Response(text=described.text, content_type="application/json")
        response.enable_compression()
        return response

    async def _recent(self, room: Room) -> _Described:
        """Return the description of a room, which is made again after some seconds."""
        cached, now = self._described.get(room.id), self._bot.watch.now()
        language = self._bot.parts.outbox.languages.language(room)
        if cached is not None and now < cached.until and cached.language == language:
            return cached
        row = await self._showing.describe(room, self._title(room))
        described = _Described(json.dumps(row, ensure_ascii=False), language, now + SHARED)
        remember(self._described, room.id, described, REMEMBERED)
        return described

    async def _room(self, request: web.Request) -> Room:
        """Return the room whose board is asked for, which another process may run.

        Raises:
            HTTPNotFound: there is none, or its board is off.
            HTTPServiceUnavailable: the database does not answer.
        """
        try:
            room = await self._bot.control.viewed(request.match_info["room"])
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None
        if room is None or not room.habits.board:
            raise web.HTTPNotFound(text="There is no such board.\n")
        return room

    def _title(self, room: Room) -> str:
        if self._platforms is None:
            return room.id
        channels = [each.id for each in room.channels] or [room.id]
        return " + ".join(map(self._platforms.title, channels))


def _unanswered() -> web.HTTPException:
    return web.HTTPServiceUnavailable(text="The database does not answer now; try again.\n")
