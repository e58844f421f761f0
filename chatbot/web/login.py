"""Log in with a browser: by a link, by a code that an account confirms, or by its platform's own page.

A link opens a page with a button, and only what the button sends uses the link up: previews of chats open
every address they see. The browser then holds a cookie that no script reads and no other site sends; each
change repeats a token that only pages of this server are told. Whenever a browser may do more, it is given
another cookie.

Sessions and links are rows, which all processes know. How often an address tries to log in is counted by the
process that serves the page it tries.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from chatbot.ledger.web_sessions import (
    DESK,
    GUEST,
    LASTS,
    LOGGED_IN,
    OPERATOR,
    SEAT,
    SEATS,
    Login,
    WebSession,
    WebSessions,
)
from chatbot.rooms.line import OPERATOR_ACCOUNT
from chatbot.runtime.limits import Allowances
from chatbot.web.hosts import divided
from chatbot.web.listener import listener_of, require_own_origin, require_this_machine
from chatbot.web.principals import Principal

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch

COOKIE = "rabble-session"
SECURE_COOKIE = "__Host-rabble"  # which browsers take by TLS alone, and for no other path or host
SEAT_COOKIE, SECURE_SEAT_COOKIE = "rabble-seat", "__Host-rabble-seat"  # of sessions that are a seat alone
CSRF_HEADER = "X-Rabble-Csrf"
LARGEST_BODY = 4096  # bytes of JSON that a page sends, where nothing says otherwise
BURST, RATE = 10.0, 0.1  # attempts to log in of one address, at once and a second
NEXT = {OPERATOR: "/setup", DESK: "/desk", GUEST: "/", LOGGED_IN: "/desk", SEAT: "/seat"}
"""Where a browser goes that has logged in, by the kind of its session."""

_PAGE = Path(str(files("chatbot.web") / "static" / "enter.html"))


def path_of(link: str) -> str:
    """Return the path of a link that logs in."""
    return f"/enter/{link}"


class Sessions:
    """Opens, finds and ends the sessions of browsers."""

    def __init__(self, store: Store, watch: Watch) -> None:
        self.stored, self._watch = WebSessions(store), watch
        self._attempts = Allowances(watch, BURST, RATE)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of a listener."""
        router.add_get("/enter/{link}", self._show)
        router.add_post("/enter", self._enter)
        router.add_post("/leave", self._leave)

    async def invite(self, login: Login) -> str:
        """Return the path of a new link that logs in."""
        return path_of(await self.stored.invite(login, self._watch.date()))

    async def invite_operator(self) -> str:
        """Return the path of a new link for whoever runs the program."""
        return await self.invite(Login(OPERATOR, OPERATOR_ACCOUNT, OPERATOR))

    # Who asks

    async def find(self, request: web.Request) -> WebSession | None:
        """Return the session of the browser that asks; None: it has none that counts here.

        That of the operator counts on this machine alone.
        """
        session = await self._held(request, "")
        if session is not None and session.kind == OPERATOR and not listener_of(request).is_here(request):
            return None
        return session

    async def find_seat(self, request: web.Request, *, alone: bool = False) -> WebSession | None:
        """Return the session by which a browser is a seat; None: it has none.

        Whoever has logged in, or moderates, sits there as well, unless those that are a seat `alone` are
        meant.
        """
        session = await self._held(request, SEAT)
        if session is not None and session.kind in SEATS:
            return session
        session = None if alone else await self._held(request, "")
        return session if session is not None and session.kind in {LOGGED_IN, DESK} else None

    async def _held(self, request: web.Request, kind: str) -> WebSession | None:
        evidence = listener_of(request).evidence
        if evidence is not None:
            session_id = evidence.seat if kind in SEATS else evidence.session
            return await self.stored.of(session_id, self._watch.date()) if session_id else None
        cookie = request.cookies.get(_cookie(request, kind), "")
        return await self.stored.find(cookie, self._watch.date()) if cookie else None

    async def operator(self, request: web.Request) -> WebSession:
        """Return the session of whoever runs the program.

        Raises:
            HTTPForbidden: it does not come from this machine.
            HTTPUnauthorized: nobody is logged in.
        """
        require_this_machine(request)
        session = await self.find(request)
        if session is None or session.kind != OPERATOR:
            raise web.HTTPUnauthorized(text="Nobody is logged in.\n")
        return session

    async def operator_changes(self, request: web.Request) -> tuple[WebSession, dict[str, Any]]:
        """Return the session of whoever runs the program, and the change that its page asks for.

        Raises:
            HTTPForbidden, HTTPUnauthorized, HTTPBadRequest: as `operator`, `require_change` and `body_of`.
        """
        require_own_origin(request)
        session = await self.operator(request)
        require_change(request, session.csrf)
        return session, await body_of(request)

    def require_patience(self, request: web.Request) -> None:
        """Count an attempt to log in.

        Raises:
            HTTPTooManyRequests: there were too many from there.
        """
        if not self._attempts.take(listener_of(request).visitor(request)):
            raise web.HTTPTooManyRequests(text="That was tried often; wait a minute.\n")

    def put_cookie(self, request: web.Request, response: web.StreamResponse, cookie: str, kind: str) -> None:
        """Let a browser hold a session."""
        response.set_cookie(
            _cookie(request, kind),
            cookie,
            max_age=int(LASTS[kind].total_seconds()),
            httponly=True,
            samesite="Strict",
            secure=listener_of(request).is_secure(request),
        )

    def drop_cookie(self, request: web.Request, response: web.StreamResponse, kind: str) -> None:
        """Let a browser hold a session no longer."""
        response.del_cookie(_cookie(request, kind), secure=listener_of(request).is_secure(request))

    # What is served

    async def _show(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002
        return web.FileResponse(_PAGE)

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        self.require_patience(request)
        link = str((await body_of(request)).get("link", ""))
        cookie_and_session = await self.stored.redeem(link, self._watch.date(), kinds=_kinds(request))
        if cookie_and_session is None:
            raise web.HTTPGone(text="This link was used, or is too old.\n")
        cookie, session = cookie_and_session
        response = web.json_response({"next": NEXT[session.kind]})
        self.put_cookie(request, response, cookie, session.kind)
        return response

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        session = await self.find(request)
        if session is None:
            raise web.HTTPUnauthorized(text="Nobody is logged in.\n")
        require_change(request, session.csrf)
        body = await body_of(request)
        await self.stored.end(session, everywhere=body.get("everywhere") is True)
        response = web.json_response({})
        self.drop_cookie(request, response, session.kind)
        return response


def principal_of(session: WebSession) -> Principal:
    """Return who stands behind a session."""
    return Principal(session.id, session.kind, session.login.account, session.login.name, session.csrf)


def require_change(request: web.Request, csrf: str) -> None:
    """Require that a change repeats the token of its session.

    Raises:
        HTTPForbidden: it does not.
    """
    if request.headers.get(CSRF_HEADER, "") != csrf:
        raise web.HTTPForbidden(text="The page is too old; load it again.\n")


async def body_of(request: web.Request, most: int = LARGEST_BODY) -> dict[str, Any]:
    """Return the JSON object that a request has sent, of `most` bytes.

    Raises:
        HTTPBadRequest: it is no JSON object, or too large.
    """
    if request.content_length is None or request.content_length > most:
        raise web.HTTPBadRequest(text="That is no request of this page.\n")
    try:
        body = await request.json()
    except (ValueError, LookupError, RecursionError):  # LookupError: an encoding that nobody knows
        body = None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text="That is no request of this page.\n")
    return body


def _kinds(request: web.Request) -> frozenset[str]:
    """Return the kinds of sessions that may be opened where a request comes from."""
    listener = listener_of(request)
    if listener.is_here(request):
        return frozenset(LASTS)
    return frozenset({DESK, LOGGED_IN, SEAT} if listener.public else {DESK, LOGGED_IN, SEAT, GUEST})


def _cookie(request: web.Request, kind: str) -> str:
    """Return the name of the cookie, which has the port: browsers send cookies to every port of a host.

    A seat has one of its own: it may be another account's than the desk in the same browser.
    """
    if listener_of(request).is_secure(request):
        return SECURE_SEAT_COOKIE if kind in SEATS else SECURE_COOKIE
    return f"{SEAT_COOKIE if kind in SEATS else COOKIE}-{divided(request.headers.get('Host', ''))[1]}"
