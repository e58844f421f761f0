"""Log in with an account of Twitch: by a code that it confirms there, or by being sent there and back.

A confirmed code shows who somebody is, but not that this browser is theirs: people can be talked into
confirming a stranger's. So it opens a desk only after the same account has typed another code in a chat that
it moderates (`!desk CODE`). Whoever was sent back by Twitch has begun in the same browser, and needs no code.

A login that is begun is in the memory of the process that serves the page: if another one does before it has
ended, it is begun again.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import web

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.ledger.web_sessions import DESK, LOGGED_IN, Login
from chatbot.web.listener import listener_of, require_own_origin
from chatbot.web.login import body_of, require_change
from chatbot.web.principals import LoginCode

if TYPE_CHECKING:
    from chatbot.community.desk_codes import DeskCodes
    from chatbot.ledger.web_sessions import WebSession
    from chatbot.runtime.clock import Watch
    from chatbot.web.login import Sessions
    from chatbot.web.principals import AccountLogin, Identity, Platforms, Roles

COOKIE = "rabble-login"
CALLBACK = "/login/twitch/callback"
REDIRECT_LASTS = 600.0  # seconds in which somebody comes back from Twitch
MOST_BEGUN = 200  # logins that are begun and not finished; the oldest ends for the next one

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Begun:
    """A login that a browser has begun; the browser holds `browser`, which nobody else is told."""

    browser: str
    until: float  # time of the watch
    code: LoginCode | None = None  # None: it was sent to Twitch
    state: str = ""
    verifier: str = field(default="", repr=False)
    next_poll: float = 0.0


class AccountLogins:
    """Logs browsers in with accounts of Twitch."""

    def __init__(
        self, sessions: Sessions, roles: Roles, platforms: Platforms, codes: DeskCodes, watch: Watch
    ) -> None:
        self._sessions, self._roles, self._platforms = sessions, roles, platforms
        self._codes, self._watch = codes, watch
        self._begun: dict[str, _Begun] = {}  # by what the browser holds

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of a listener."""
        router.add_get("/login", self._offer)
        router.add_post("/login/twitch", self._begin)
        router.add_post("/login/twitch/poll", self._poll)
        router.add_get("/login/twitch/redirect", self._send)
        router.add_get(CALLBACK, self._receive)
        router.add_post("/login/code", self._make_code)
        router.add_post("/login/code/poll", self._look_at_code)

    async def close(self) -> None:
        """Wait for nobody any more."""
        self._begun.clear()

    async def _offer(self, request: web.Request) -> web.StreamResponse:
        """Tell by what somebody can log in here."""
        twitch = self._platforms.twitch_logins()
        redirects = twitch is not None and twitch.redirects and listener_of(request).is_secure(request)
        offer = {
            "discord": self._platforms.role_source("discord") is not None,
            "twitch": twitch is not None,
            "redirect": redirects,
        }
        return web.json_response(offer, headers={"Cache-Control": "no-store"})

    # By a code

    async def _begin(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        self._sessions.require_patience(request)
        code = await self._asking(self._twitch().begin())
        begun = self._remember(_Begun(_secret(), self._watch.now() + code.seconds, code))
        begun.next_poll = self._watch.now() + code.interval
        content = {"code": code.user_code, "address": code.address, "seconds": code.seconds}
        response = web.json_response({**content, "interval": code.interval})
        return self._hold(request, response, begun, "Strict")

    async def _poll(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        begun = self._of(request)
        if begun is None or begun.code is None:
            raise web.HTTPGone(text="The code has run out; ask for another one.\n")
        if self._watch.now() < begun.next_poll:
            return web.json_response({"waiting": True})
        begun.next_poll = self._watch.now() + begun.code.interval
        identity = await self._asking(self._twitch().poll(begun.code))
        if identity is None:
            return web.json_response({"waiting": True})
        self._begun.pop(begun.browser, None)
        await self._asking(self._roles.admit(identity.account, identity.key))
        previous = await self._sessions.find(request)
        login = Login(LOGGED_IN, identity.account, identity.name)
        return await self._open(request, login, previous)

    async def _make_code(self, request: web.Request) -> web.StreamResponse:
        session = await self._changing(request)
        self._sessions.require_patience(request)
        if session.kind != LOGGED_IN:
            raise web.HTTPConflict(text="This browser needs no code.\n")
        code = await self._codes.make(session.id, session.login.account)
        return web.json_response({"code": code, "name": session.login.name})

    async def _look_at_code(self, request: web.Request) -> web.StreamResponse:
        session = await self._changing(request)
        is_typed = await self._codes.take(session.id)
        if is_typed is None:
            raise web.HTTPGone(text="The code has run out; ask for another one.\n")
        if not is_typed:
            return web.json_response({"waiting": True})
        login = Login(DESK, session.login.account, session.login.name)
        return await self._open(request, login, session)

    # There and back

    async def _send(self, request: web.Request) -> web.StreamResponse:
        listener = listener_of(request)
        twitch = self._twitch()
        if not twitch.redirects or not listener.is_secure(request):
            raise web.HTTPNotFound(text="Twitch cannot send anybody back here; log in by a code.\n")
        self._sessions.require_patience(request)
        begun = self._remember(_Begun(_secret(), self._watch.now() + REDIRECT_LASTS))
        begun.state, begun.verifier = _secret(), _secret()
        digest = sha256(begun.verifier.encode()).digest()
        challenge = urlsafe_b64encode(digest).decode().rstrip("=")
        address = twitch.address(listener.url + CALLBACK, begun.state, challenge)
        response = web.Response(status=302, headers={"Location": address})
        return self._hold(request, response, begun, "Lax")  # Strict is not sent by who comes from Twitch

    async def _receive(self, request: web.Request) -> web.StreamResponse:
        """Receive who was sent back, and let them press a button of this server: see `Sessions`."""
        begun = self._of(request)
        given = request.query.get("state", "")
        if begun is None or not begun.state or not hmac.compare_digest(begun.state, given):
            raise web.HTTPBadRequest(text="This browser has not begun that login; begin again.\n")
        self._begun.pop(begun.browser, None)
        code = request.query.get("code", "")
        if not code:
            raise web.HTTPForbidden(text="The login was refused at Twitch; nothing was changed.\n")
        twitch, redirect = self._twitch(), listener_of(request).url + CALLBACK
        identity: Identity = await self._asking(twitch.redeem(code, redirect, begun.verifier))
        await self._asking(self._roles.admit(identity.account, identity.key))
        raise web.HTTPFound(await self._sessions.invite(Login(DESK, identity.account, identity.name)))

    # What is begun

    def _twitch(self) -> AccountLogin[Any]:
        twitch = self._platforms.twitch_logins()
        if twitch is None:
            raise web.HTTPNotFound(text="Twitch is not set up here.\n")
        return twitch

    async def _asking(self, work: Any) -> Any:
        """Wait for an answer of a platform, of which a failure is told in a sentence."""
        try:
            return await work
        except (Failure, Unreachable) as failure:
            log.info("a login failed", reason=str(failure))
            raise web.HTTPBadGateway(text=f"{failure}\n") from None

    def _remember(self, begun: _Begun) -> _Begun:
        now = self._watch.now()
        self._begun = {each.browser: each for each in self._begun.values() if each.until > now}
        while len(self._begun) >= MOST_BEGUN:
            del self._begun[next(iter(self._begun))]
        self._begun[begun.browser] = begun
        return begun

    def _of(self, request: web.Request) -> _Begun | None:
        begun = self._begun.get(request.cookies.get(COOKIE, ""))
        return begun if begun is not None and begun.until > self._watch.now() else None

    def _hold(
        self, request: web.Request, response: web.Response, begun: _Begun, same_site: str
    ) -> web.StreamResponse:
        response.set_cookie(
            COOKIE,
            begun.browser,
            max_age=int(begun.until - self._watch.now()),
            path="/login",
            httponly=True,
            samesite=same_site,
            secure=listener_of(request).is_secure(request),
        )
        return response

    async def _changing(self, request: web.Request) -> WebSession:
        require_own_origin(request)
        session = await self._sessions.find(request)
        if session is None:
            raise web.HTTPUnauthorized(text="Nobody is logged in.\n")
        require_change(request, session.csrf)
        await body_of(request)
        return session

    async def _open(self, request: web.Request, login: Login, previous: WebSession | None) -> web.Response:
        instead = "" if previous is None else previous.id
        cookie, session = await self._sessions.stored.open(login, self._watch.date(), instead=instead)
        response = web.json_response({"next": "/desk", "name": session.login.name})
        self._sessions.put_cookie(request, response, cookie, session.kind)
        return response


def _secret() -> str:
    return secrets.token_urlsafe(32)
