"""Serve Set up: what connects the bot to platforms, as cards with one button each.

What the cards can do is behind `SetUp`, for this package names no platform. Every change is checked with the
platform before anything is kept, and a wrong entry is one sentence.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from aiohttp import web

from chatbot.invocation import with_invocations
from chatbot.kernel.game import Failure
from chatbot.keys.overlay_keys import path_of
from chatbot.web.listener import require_this_machine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.web.login import Sessions
    from chatbot.web.phones import Phones

_PAGE = Path(str(files("chatbot.web") / "static" / "setup.html"))


class SetUpCards(Protocol):
    """Cards of the page; each method returns when its first step is done, and says what comes next."""

    def state(self) -> Mapping[str, Any]:
        """Return the state of each card by its name, as JSON."""

    async def act(self, card: str, action: str, fields: Mapping[str, str]) -> bool:
        """Do what a button of a card says, with the texts of its fields; return whether there is such a one.

        Raises:
            Failure: it cannot be done; the message says why and what to do. Nothing was changed.
        """


class SetUp(SetUpCards, Protocol):
    """Connects platforms, and knows their channels."""

    def title(self, channel: str) -> str:
        """Return what people call a channel."""


class SetUpPages:
    """The page and its requests."""

    def __init__(self, bot: Bot, sessions: Sessions, set_up: SetUp, phones: Phones | None = None) -> None:
        self._bot, self._sessions, self._phones = bot, sessions, phones
        self._title = set_up.title
        self._set_ups: Sequence[SetUpCards] = [set_up] if phones is None else [set_up, phones]

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of the server."""
        router.add_get("/setup", self._show)
        router.add_get("/setup/state", self._tell)
        router.add_get("/setup/phones.svg", self._show_code)
        router.add_post("/setup/{card}/{action}", self._act)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        require_this_machine(request)
        return web.FileResponse(_PAGE)

    async def _tell(self, request: web.Request) -> web.StreamResponse:
        session = await self._sessions.operator(request)
        keys = await self._bot.parts.overlay_keys.all()
        server = self._bot.parts.overlay_keys.server
        overlays = [
            {"title": self._room_title(room), "address": server + path_of(key)} for room, key in keys.items()
        ]
        cards = {**self._cards(), "overlay": {"overlays": overlays}}
        answer = {"csrf": session.csrf, "cards": cards}
        return web.json_response(answer, headers={"Cache-Control": "no-store"})

    async def _act(self, request: web.Request) -> web.StreamResponse:
        _, body = await self._sessions.operator_changes(request)
        fields = {name: value.strip() for name, value in body.items() if isinstance(value, str)}
        try:
            has_button = await self._press(request.match_info["card"], request.match_info["action"], fields)
        except Failure as failure:
            return web.json_response({"error": with_invocations(str(failure))}, status=422)
        if not has_button:
            raise web.HTTPNotFound(text="There is no such button.\n")
        return web.json_response({"cards": self._cards()})

    async def _show_code(self, request: web.Request) -> web.StreamResponse:
        await self._sessions.operator(request)
        image = None if self._phones is None else self._phones.code()
        if image is None:
            raise web.HTTPNotFound(text="There is no address for phones.\n")
        return web.Response(body=image, content_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    def _room_title(self, room: str) -> str:
        """Return what people call a room; its id, if it is in no chat now."""
        known = self._bot.rooms.get(room)
        return " + ".join(self._title(each.id) for each in known.channels) if known else room

    def _cards(self) -> dict[str, Any]:
        return {name: card for each in self._set_ups for name, card in each.state().items()}

    async def _press(self, card: str, action: str, fields: Mapping[str, str]) -> bool:
        for each in self._set_ups:
            if await each.act(card, action, fields):
                return True
        return False
