"""Twitch's id server on loopback: codes, tokens, renewals and all the ways in which they go wrong.

https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/ tells of device codes and of the program's own
tokens, https://dev.twitch.tv/docs/authentication/refresh-tokens/ of refresh tokens that work once,
https://dev.twitch.tv/docs/authentication/validate-tokens/ and
https://dev.twitch.tv/docs/authentication/revoke-tokens/ of the rest.

Another fake mounts it by `app.add_routes(authority.routes)` and asks `whose` a token is. Whatever it
makes that must stay secret has `canary` in it.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Mapping

CLIENT_ID = "client0123456789"
CLIENT_SECRET = "canary-client-secret"  # noqa: S105
LIFETIME = 14_400  # seconds of a token, as Twitch has it


class Trouble(Enum):
    """What may happen instead of an answer."""

    BROKEN = 500
    UNAVAILABLE = 503
    BUSY = 429
    HTML = "an answer that is no JSON"
    LIST = "JSON that is no object"
    EMPTY = "an object without what was asked for"
    TYPE = "the right answer with a wrong content type"
    HANG_UP = "the connection is closed instead"
    REDIRECT = "a way to another server"
    SILENT = "no answer at all"


@dataclass(eq=False)
class Token:
    """One access token; that of the program itself has no user."""

    access: str
    refresh: str
    scopes: tuple[str, ...]
    ends: float  # by the fake's clock
    user_id: str = ""
    login: str = ""

    @property
    def app(self) -> bool:
        return not self.user_id


@dataclass(eq=False)
class Device:
    user_code: str
    device_code: str
    scopes: tuple[str, ...]
    state: str = "authorization_pending"  # or "slow_down", "access_denied", "invalid device code"
    user_id: str = ""
    polls: int = 0


@dataclass(frozen=True)
class Redirected:
    """Somebody who has logged in at Twitch's own page, and is on the way back."""

    user_id: str
    scopes: tuple[str, ...]
    redirect: str
    challenge: str


@dataclass(eq=False)
class Authority:
    """One application's id server, and what it remembers."""

    client_id: str = CLIENT_ID
    client_secret: str | None = CLIENT_SECRET  # None: of the client type Public
    interval: float = 0.01  # seconds between polls that it asks for
    code_seconds: float = 1800  # until a code runs out
    rotating: bool = True  # a refresh token works once
    accounts: dict[str, str] = field(default_factory=lambda: {"1": "rabblebot", "2": "streamer"})
    tokens: dict[str, Token] = field(default_factory=dict)
    devices: list[Device] = field(default_factory=list)
    logins: dict[str, Redirected] = field(default_factory=dict)  # by code, which works once
    asked: Counter[str] = field(
        default_factory=Counter
    )  # device, refresh_token, client_credentials, validate …
    addresses: list[str] = field(default_factory=list)  # that were asked for, with their queries
    confirm: Callable[[Device], None] = lambda device: None  # what the person in the browser does at a poll
    ahead: float = 0.0  # seconds that its clock was turned
    _troubles: list[tuple[str, Trouble]] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/oauth2/device", self._answer(self._device)),
            web.post("/oauth2/token", self._answer(self._token)),
            web.get("/oauth2/validate", self._answer(self._validate)),
            web.post("/oauth2/revoke", self._answer(self._revoke)),
        ]

    def issue(self, user_id: str, scopes: Iterable[str] = (), seconds: float = LIFETIME) -> Token:
        """Give an account of `accounts` a token, as if it had granted one; for "" one of the program."""
        number = next(self._numbers)
        token = Token(
            f"canary-access-{number}",
            f"canary-refresh-{number}" if user_id else "",
            tuple(scopes),
            self.now + seconds,
            user_id,
            self.accounts[user_id] if user_id else "",
        )
        self.tokens[token.access] = token
        return token

    def whose(self, access: str) -> Token | None:
        """Tell what a Helix request may do with this token; None where it is expired, revoked or made up."""
        token = self.tokens.get(access.removeprefix("Bearer ").removeprefix("OAuth "))
        return token if token and token.ends > self.now else None

    def expire(self, user_id: str | None = None) -> None:
        """Let the access tokens of an account run out, or all ("" is the program's); they can be renewed."""
        for token in self.tokens.values():
            if user_id is None or token.user_id == user_id:
                token.ends = self.now

    def disconnect(self, user_id: str) -> None:
        """Forget an account's tokens, as a changed password does: nothing can be renewed."""
        self.tokens = {each: token for each, token in self.tokens.items() if token.user_id != user_id}

    def disturb(self, trouble: Trouble, times: int = 1, path: str = "") -> None:
        """Answer the next requests (to device, token, validate, revoke; or any) by trouble."""
        self._troubles += [(path, trouble)] * times

    def calm(self) -> None:
        """Have no trouble any more."""
        self._troubles.clear()

    def approve(self, device: Device, user_id: str) -> None:
        device.state, device.user_id = "approved", user_id

    @property
    def now(self) -> float:
        return time.time() + self.ahead

    def _answer(
        self, work: Callable[[web.Request, Mapping[str, str]], web.Response]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def answer(request: web.Request) -> web.StreamResponse:
            self.addresses.append(request.path_qs)
            trouble = self._trouble(request.path.rpartition("/")[2])
            if trouble is None or trouble is Trouble.TYPE:
                # twitchio sends all of it in the address, and an empty body
                given = {**request.query, **{k: str(v) for k, v in (await request.post()).items()}}
                right = work(request, given)
                if trouble:
                    right.content_type = "text/plain"
                return right
            return await _wrong(request, trouble)

        return answer

    def _trouble(self, path: str) -> Trouble | None:
        for at, (wanted, trouble) in enumerate(self._troubles):
            if wanted in {"", path}:
                del self._troubles[at]
                return trouble
        return None

    def _device(self, request: web.Request, given: Mapping[str, str]) -> web.Response:
        self.asked["device"] += 1
        if given.get("client_id") != self.client_id:
            return _refused(400, "invalid client")
        number = next(self._numbers)
        scopes = tuple(given.get("scopes", "").split())
        device = Device(f"ABCD-{number:04}", f"canary-device-{number}", scopes)
        self.devices.append(device)
        return web.json_response({
            "device_code": device.device_code,
            "expires_in": self.code_seconds,
            "interval": self.interval,
            "user_code": device.user_code,
            "verification_uri": f"https://www.twitch.tv/activate?public=true&device-code={device.user_code}",
        })  # fmt: skip

    def _token(self, request: web.Request, given: Mapping[str, str]) -> web.Response:
        kind = given.get("grant_type", "")
        self.asked[kind.rpartition(":")[2]] += 1
        if given.get("client_id") != self.client_id:
            return _refused(400, "invalid client")
        if kind.endswith("device_code"):
            return self._poll(given)
        if given.get("client_secret") != self.client_secret:
            known = "invalid" if "client_secret" in given else "missing"
            return _refused(403 if known == "invalid" else 400, f"{known} client secret")
        if kind == "authorization_code":
            return self._redeem(given)
        if kind == "client_credentials":
            public = self.client_secret is None
            refused = _refused(403, "public clients have no token of their own")
            return refused if public else _granted(self.issue(""), refreshable=False)
        return self._refresh(given) if kind == "refresh_token" else _refused(400, "invalid grant type")

    def _poll(self, given: Mapping[str, str]) -> web.Response:
        code = given.get("device_code")
        device = next((each for each in self.devices if each.device_code == code), None)
        if device is None:
            return _refused(400, "invalid device code")
        device.polls += 1
        self.confirm(device)
        if device.state != "approved":
            return _refused(400, device.state)
        self.devices.remove(device)
        return _granted(self.issue(device.user_id, device.scopes))

    def log_in(self, address: str, user_id: str) -> str:
        """Log in at the address of Twitch's own page, and return the address to which that sends back."""
        query = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
        assert query["client_id"] == self.client_id
        assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
        code = f"canary-code-{next(self._numbers)}"
        scopes = tuple(query["scope"].split())
        self.logins[code] = Redirected(user_id, scopes, query["redirect_uri"], query["code_challenge"])
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def _redeem(self, given: Mapping[str, str]) -> web.Response:
        login = self.logins.pop(given.get("code", ""), None)
        digest = sha256(given.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(digest).decode().rstrip("=")
        if login is None or login.challenge != challenge or login.redirect != given.get("redirect_uri"):
            return _refused(400, "Invalid authorization code")
        return _granted(self.issue(login.user_id, login.scopes))

    def _refresh(self, given: Mapping[str, str]) -> web.Response:
        wanted = given.get("refresh_token", "")
        old = next((each for each in self.tokens.values() if wanted and each.refresh == wanted), None)
        if old is None:
            return _refused(400, "Invalid refresh token")
        new = self.issue(old.user_id, old.scopes)
        if self.rotating:
            del self.tokens[old.access]
        else:
            new.refresh = old.refresh
        return _granted(new)

    def _validate(self, request: web.Request, given: Mapping[str, str]) -> web.Response:
        self.asked["validate"] += 1
        token = self.whose(request.headers.get("Authorization", ""))
        if token is None:
            return _refused(401, "invalid access token")
        owner = {} if token.app else {"login": token.login, "user_id": token.user_id}
        seconds = int(token.ends - self.now)
        return web.json_response(
            {"client_id": self.client_id, "scopes": list(token.scopes), "expires_in": seconds, **owner}
        )

    def _revoke(self, request: web.Request, given: Mapping[str, str]) -> web.Response:
        self.asked["revoke"] += 1
        if given.get("client_id") != self.client_id:
            return _refused(400, "invalid client")
        known = self.tokens.pop(given.get("token", ""), None)
        return web.Response() if known else _refused(400, "Invalid token")


def _granted(token: Token, *, refreshable: bool = True) -> web.Response:
    renewal = {"refresh_token": token.refresh, "scope": list(token.scopes)} if refreshable else {}
    return web.json_response(
        {"access_token": token.access, "expires_in": LIFETIME, "token_type": "bearer", **renewal}
    )


def _refused(status: int, message: str) -> web.Response:
    return web.json_response({"status": status, "message": message}, status=status)


async def _wrong(request: web.Request, trouble: Trouble) -> web.StreamResponse:
    if isinstance(trouble.value, int):
        # a server in trouble may well repeat what it was sent
        body = {"status": trouble.value, "message": f"trouble with {await request.text()}"}
        return web.json_response(body, status=trouble.value)
    if trouble is Trouble.HANG_UP:
        assert request.transport is not None
        request.transport.close()
    if trouble is Trouble.SILENT:
        await asyncio.sleep(3600)
    if trouble is Trouble.REDIRECT:
        return web.Response(status=307, headers={"Location": f"http://{request.host}/elsewhere"})
    bodies = {Trouble.HTML: "<p>Welcome to this hotel", Trouble.LIST: "[1]"}
    return web.Response(text=bodies.get(trouble, "{}"), content_type="application/json")
