"""Open a seat in a browser: by a link, by a platform's login, or by six letters that are typed in a chat.

The letters are worth nothing without what the browser holds that was shown them: whoever reads them on a
screen and types them becomes who sits there, and never learns more than that.
"""

from __future__ import annotations

import secrets
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from chatbot.community.desk_codes import LASTS
from chatbot.ledger.web_sessions import SEAT_BY_CODE, Login
from chatbot.web.listener import listener_of, require_own_origin
from chatbot.web.login import body_of, require_change

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chatbot.community.seat_codes import SeatCodes
    from chatbot.ledger.people import Account
    from chatbot.runtime.clock import Watch
    from chatbot.web.login import Sessions
    from chatbot.web.principals import Platforms

COOKIE = "rabble-seat-code"
UNCACHED = {"Cache-Control": "no-store"}
_STATIC = Path(str(files("chatbot.web") / "static"))
_PAGE, _WORKER = _STATIC / "seat.html", _STATIC / "seat" / "sw.js"


class SeatLogins:
    """The page of seats, and by what a browser becomes one; `end` ends all seats of an account."""

    def __init__(
        self,
        sessions: Sessions,
        codes: SeatCodes,
        platforms: Platforms | None,
        watch: Watch,
        end: Callable[[Account], Awaitable[bool]],
    ) -> None:
        self._sessions, self._codes, self._platforms, self._watch = sessions, codes, platforms, watch
        self._end = end

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of a listener."""
        router.add_get("/seat", self._show)
        router.add_get("/seat/sw.js", self._work)
        router.add_get("/seat/me", self._tell)
        router.add_post("/seat/code", self._make_code)
        router.add_post("/seat/code/poll", self._look_at_code)
        router.add_post("/seat/leave", self._leave)

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _show(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        return web.FileResponse(_PAGE)

    async def _work(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        """Serve the worker that keeps the shell of the page, which may do that for `/seat` itself."""
        return web.FileResponse(_WORKER, headers={"Service-Worker-Allowed": "/seat"})

    async def _tell(self, request: web.Request) -> web.StreamResponse:
        """Tell a page whose seat it is, or else by what it can become one."""
        session = await self._sessions.find_seat(request)
        if session is not None:
            who = {"name": session.login.name, "kind": session.kind, "csrf": session.csrf}
            return web.json_response(who, headers=UNCACHED)
        platforms = self._platforms
        offer = {
            "name": None,
            "discord": platforms is not None and platforms.role_source("discord") is not None,
            "twitch": platforms is not None and platforms.twitch_logins() is not None,
        }
        return web.json_response(offer, headers=UNCACHED)

    async def _make_code(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        self._sessions.require_patience(request)
        browser = secrets.token_urlsafe(32)
        response = web.json_response({"code": await self._codes.make(browser), "seconds": LASTS})
        response.set_cookie(
            COOKIE,
            browser,
            max_age=int(LASTS),
            path="/seat",
            httponly=True,
            samesite="Strict",
            secure=listener_of(request).is_secure(request),
        )
        return response

    async def _look_at_code(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        browser = request.cookies.get(COOKIE, "")
        if not browser or not await self._codes.waits(browser):
            raise web.HTTPGone(text="The code has run out; ask for another one.\n")
        typer = await self._codes.take(browser)
        if typer is None:
            return web.json_response({"waiting": True})
        login = Login(SEAT_BY_CODE, typer.account, typer.name)
        previous = await self._sessions.find_seat(request, alone=True)
        instead = "" if previous is None else previous.id
        cookie, session = await self._sessions.stored.open(login, self._watch.date(), instead=instead)
        response = web.json_response({"name": session.login.name})
        self._sessions.put_cookie(request, response, cookie, session.kind)
        response.del_cookie(COOKIE, path="/seat")
        return response

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        session = await self._sessions.find_seat(request)
        if session is None:
            raise web.HTTPUnauthorized(text="This is nobody's seat.\n")
        require_change(request, session.csrf)
        body = await body_of(request)
        if body.get("everywhere") is True:
            await self._end(session.login.account)
        await self._sessions.stored.end(session)
        response = web.json_response({})
        self._sessions.drop_cookie(request, response, session.kind)
        return response
