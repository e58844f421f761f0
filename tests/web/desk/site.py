"""A bot on both platforms with its web server, and browsers and programs that call it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Any

import aiohttp

from chatbot.kernel.fair import Rng
from chatbot.web.crowd import Crowd
from chatbot.web.listener import PageListener
from chatbot.web.login import CSRF_HEADER, principal_of
from chatbot.web.server import Server
from chatbot.web.tokens import SCOPES, Tokens
from cogs.local.adapter import LocalChat
from cogs.twitch.logins import TwitchLogins
from tests.adapters.both import Both

if TYPE_CHECKING:
    from cogs.platform import ChannelDirectory, RoleSource

PUBLIC = "https://games.example"
KEY = b"s" * 32


@dataclass
class Connected:
    """The platforms of a bot, as pages know them; `PlatformSetUp` is this in the program."""

    both: Both
    local: LocalChat
    session: aiohttp.ClientSession
    lost: set[str] = field(default_factory=set)  # platforms that cannot be asked now

    def role_source(self, platform: str) -> RoleSource | None:
        if platform in self.lost:
            return None
        return self.both.discord.adapter if platform == "discord" else self.twitch_logins()

    def community(self, channel: str) -> str | None:
        directory = self._directory(channel)
        return None if directory is None else directory.community(channel)

    def title(self, channel: str) -> str:
        directory = self._directory(channel)
        return channel if directory is None else directory.title(channel)

    def twitch_logins(self) -> TwitchLogins:
        assert self.both.twitch.adapter is not None
        return TwitchLogins(self.both.twitch.adapter._surroundings.authority, self.session)

    def _directory(self, channel: str) -> ChannelDirectory | None:
        platforms: dict[str, ChannelDirectory | None] = {
            "local": self.local,
            "discord": self.both.discord.adapter,
            "twitch": self.both.twitch.adapter,
        }
        return platforms[channel.partition(":")[0]]


@dataclass
class Browser:
    """Somebody's browser at one of the listeners; `headers` are what a proxy adds."""

    address: str
    origin: str
    session: aiohttp.ClientSession
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    async def get(self, path: str) -> tuple[int, Any]:
        return await self._ask("GET", path, None)

    async def post(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        given = {"Origin": self.origin, CSRF_HEADER: self.csrf, **headers}
        return await self._ask("POST", path, {} if body is None else body, given)

    async def enter(self, path: str) -> tuple[int, Any]:
        """Open the address of a link and press the button."""
        answer = await self.post("/enter", {"link": path.rpartition("/")[2]})
        if answer[0] == 200:
            await self.look()
        return answer

    async def look(self) -> Any:
        """Read who this browser is."""
        status, me = await self.get("/api/1/me")
        self.csrf = me["csrf"] if status == 200 else ""
        return me

    async def use(self, room: str, word: str, arguments: str = "", **headers: str) -> tuple[int, Any]:
        path = f"/api/1/rooms/{room}/commands/{word}"
        return await self.post(path, {"arguments": arguments}, **headers)

    async def _ask(
        self, method: str, path: str, body: object, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        given = {**self.headers, **(headers or {})}
        if self.cookies:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = None
        if body is not None:
            sent, given["Content-Type"] = BytesIO(json.dumps(body).encode()), "application/json"
        request = self.session.request(
            method, self.address + path, data=sent, headers=given, allow_redirects=False
        )
        async with request as answer:
            for name, cookie in answer.cookies.items():
                self.cookies[name] = cookie.value
            if "Location" in answer.headers:
                return answer.status, answer.headers["Location"]
            if answer.content_type == "application/json":
                return answer.status, await answer.json()
            return answer.status, await answer.text()


@dataclass
class Program:
    """A program that calls the interface with a token."""

    address: str
    token: str
    room: str
    session: aiohttp.ClientSession
    headers: dict[str, str] = field(default_factory=dict)  # of the last answer
    _keys: Iterator[int] = field(default_factory=count)

    async def get(self, path: str, **query: object) -> tuple[int, Any]:
        """Ask for something in its room."""
        return await self.ask("GET", f"/api/1/rooms/{self.room}{path}", query=query)

    async def post(self, path: str, body: object = None, key: str | None = None) -> tuple[int, Any]:
        """Change something in its room, by a key of its own for each change unless one is given."""
        return await self.ask("POST", f"/api/1/rooms/{self.room}{path}", body, key=key)

    async def delete(self, path: str) -> tuple[int, Any]:
        return await self.ask("DELETE", f"/api/1/rooms/{self.room}{path}")

    async def use(self, word: str, arguments: str = "", key: str | None = None) -> tuple[int, Any]:
        return await self.post(f"/commands/{word}", {"arguments": arguments}, key)

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        query: Mapping[str, object] | None = None,
    ) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Host": "games.example"}
        if method != "GET":
            headers["Idempotency-Key"] = f"change-{next(self._keys)}" if key is None else key
        given = {name: str(each) for name, each in (query or {}).items()}
        request = self.session.request(
            method, self.address + path, json=body, headers=headers, params=given, allow_redirects=False
        )
        async with request as answer:
            self.headers = dict(answer.headers)
            if answer.content_type == "application/json":
                return answer.status, await answer.json()
            return answer.status, await answer.text()


class Site:
    """The bot and its server: the local page on a free port, and public pages on another."""

    def __init__(self, both: Both, session: aiohttp.ClientSession) -> None:
        self.both, self._session = both, session
        self.bot = both.discord.bot
        self.chat = LocalChat(self.bot, "run")
        self.platforms = Connected(both, self.chat, session)
        names = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"
        self.public = PageListener("127.0.0.1", 0, names, public=True, url=PUBLIC)
        self.server = Server(
            self.chat,
            Crowd(self.chat, Rng.of("crowd")),
            "127.0.0.1",
            0,
            accounts=self.platforms,
            sealing_key=KEY,
            public=self.public,
        )

    async def open(self) -> Site:
        await self.chat.open()
        self.address = await self.server.start()
        return self

    async def close(self) -> None:
        await self.server.stop()

    @property
    def twitch_room(self) -> str:
        return f"twitch:{self.both.fake.world.users['ada'].id}"

    @property
    def discord_room(self) -> str:
        return f"discord:{self.both.discord.town}"

    def here(self) -> Browser:
        """A browser on the machine of the bot."""
        return Browser(self.address, self.address, self._session)

    def elsewhere(self) -> Browser:
        """A browser that reaches the public pages by a proxy with TLS on the machine of the bot."""
        headers = {"Host": "games.example", "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
        return Browser(f"http://127.0.0.1:{self.public.port}", PUBLIC, self._session, headers)

    async def program(self, browser: Browser, room: str, *scopes: str) -> Program:
        """A program that has a token of whoever is logged in with a browser."""
        session = await self.server.sessions.stored.find(
            next(iter(browser.cookies.values())), self.bot.watch.date()
        )
        assert session is not None
        tokens = Tokens(self.bot.parts.store, self.bot.watch)
        token = await tokens.make(principal_of(session), room, "a program", scopes or SCOPES)
        return Program(f"http://127.0.0.1:{self.public.port}", token, room, self._session)

    async def operator(self) -> Browser:
        browser = self.here()
        invitation = await self.server.invite()
        assert invitation is not None
        assert (await browser.enter(invitation))[0] == 200
        return browser
