"""Log in to pages of the operator: by a link that works once, from this machine alone.

The link opens a page with a button, and only what the button sends uses the link up: previews of chats open
every address they see. The browser then holds a cookie that no script reads and no other site sends; each
change repeats a token that only pages of this server are told.
"""

from __future__ import annotations

from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from chatbot.ledger.web_sessions import OPERATOR, SESSION_LASTS, WebSession, WebSessions
from chatbot.web.hosts import LOOPBACK, divided, is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch

COOKIE = "rabble-session"
CSRF_HEADER = "X-Rabble-Csrf"
LARGEST_BODY = 4096  # bytes of JSON that a page sends
FORWARDED = (
    "forwarded",
    "x-forwarded",
    "x-real-ip",
    "x-client-ip",
    "cf-",
    "via",
    "true-client-ip",
    "tailscale-",
)
"""How headers begin by which proxies and tunnels say that somebody else is asking, and not this machine."""

_PAGE = Path(str(files("chatbot.web") / "static" / "enter.html"))


def path_of(link: str) -> str:
    """Return the path of a link that logs in once."""
    return f"/enter/{link}"


class Login:
    """Opens and ends sessions of browsers; `serves` tells the own names of the server."""

    def __init__(self, store: Store, watch: Watch, serves: Callable[[str], bool]) -> None:
        self._sessions, self._watch, self._serves = WebSessions(store), watch, serves

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of the server."""
        router.add_get("/enter/{link}", self._show)
        router.add_post("/enter", self._enter)
        router.add_post("/leave", self._leave)

    async def invite(self) -> str:
        """Return the path of a new link for the operator."""
        return path_of(await self._sessions.invite(OPERATOR, self._watch.date()))

    async def session(self, request: web.Request) -> WebSession:
        """Return the operator's session.

        Raises:
            HTTPForbidden: it does not come from this machine.
            HTTPUnauthorized: nobody is logged in.
        """
        require_this_machine(request)
        cookie = request.cookies.get(_cookie(request), "")
        session = await self._sessions.find(cookie, self._watch.date()) if cookie else None
        if session is None or session.kind != OPERATOR:
            raise web.HTTPUnauthorized(text="Nobody is logged in.\n")
        return session

    async def change(self, request: web.Request) -> tuple[WebSession, dict[str, Any]]:
        """Return the operator's session and what a change asks for, as the JSON object that it is.

        Raises:
            HTTPForbidden: it comes from another machine or site, or repeats no token.
            HTTPUnauthorized: nobody is logged in.
            HTTPBadRequest: it is no JSON object, or too large.
        """
        self._require_own_origin(request)
        session = await self.session(request)
        if request.headers.get(CSRF_HEADER, "") != session.csrf:
            raise web.HTTPForbidden(text="The page is too old; load it again.\n")
        return session, await _body(request)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        require_this_machine(request)
        return web.FileResponse(_PAGE)

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        require_this_machine(request)
        self._require_own_origin(request)
        link = (await _body(request)).get("link", "")
        cookie_and_session = await self._sessions.redeem(str(link), self._watch.date())
        if cookie_and_session is None:
            raise web.HTTPGone(text="This link was used, or is too old.\n")
        cookie, _ = cookie_and_session
        response = web.json_response({"next": "/setup"})
        # Not Secure, and so without the prefix `__Host-`: this page is served on this machine without TLS.
        response.set_cookie(
            _cookie(request),
            cookie,
            max_age=int(SESSION_LASTS.total_seconds()),
            httponly=True,
            samesite="Strict",
        )
        return response

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        session, body = await self.change(request)
        await self._sessions.end(session, everywhere=body.get("everywhere") is True)
        response = web.json_response({})
        response.del_cookie(_cookie(request))
        return response

    def _require_own_origin(self, request: web.Request) -> None:
        origin = request.headers.get("Origin", "").lower()
        if not origin.startswith("http://") or not self._serves(origin.removeprefix("http://")):
            raise web.HTTPForbidden(text="Only pages of this server may ask for that.\n")


def require_this_machine(request: web.Request) -> None:
    """Require that a request comes from this machine itself, and not through a proxy or a tunnel on it.

    Raises:
        HTTPForbidden: it may come from elsewhere.
    """
    name, _ = divided(request.headers.get("Host", "").lower())
    here = request.remote is not None and _is_own(request.remote) and (name in LOOPBACK or _is_own(name))
    if not here or any(each.lower().startswith(FORWARDED) for each in request.headers):
        raise web.HTTPForbidden(text="Only the machine on which the bot runs may open this.\n")


def _cookie(request: web.Request) -> str:
    """Return the name of the cookie, which has the port: browsers send cookies to every port of a host."""
    return f"{COOKIE}-{divided(request.headers.get('Host', ''))[1]}"


def _is_own(address: str) -> bool:
    try:
        ip_address(address)
    except ValueError:
        return False
    return is_loopback(address)


async def _body(request: web.Request) -> dict[str, Any]:
    if request.content_length is None or request.content_length > LARGEST_BODY:
        raise web.HTTPBadRequest(text="That is no request of this page.\n")
    try:
        body = await request.json()
    except (ValueError, LookupError, RecursionError):  # LookupError: an encoding that nobody knows
        body = None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text="That is no request of this page.\n")
    return body
