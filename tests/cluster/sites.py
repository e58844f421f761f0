"""Processes of a cluster with a web server each, and browsers that may use any of them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp

from chatbot.cluster.partitions import PAGE
from chatbot.cluster.services import Service
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.web_sessions import DESK, SEAT, Login
from chatbot.web.carrying.cluster_directory import ClusterDirectory
from chatbot.web.carrying.cluster_pages import ClusterPages
from chatbot.web.crowd import Crowd
from chatbot.web.listener import PageListener
from chatbot.web.login import SECURE_SEAT_COOKIE, principal_of
from chatbot.web.server import Server
from chatbot.web.tokens import Tokens
from cogs.local.adapter import PLATFORM as LOCAL
from cogs.local.adapter import LocalChat
from cogs.platform import RoleAnswer
from tests.cluster.processes import KEY, PLATFORM, processes
from tests.web.desk.site import PUBLIC, Browser, Program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Mapping

    from tests.cluster.processes import Process


@dataclass
class Directory:
    """The platform of a test, as all processes ask it: who has which role in which channel."""

    known: dict[Account, dict[str, Role]] = field(default_factory=dict)

    def role_source(self, platform: str) -> Directory | None:
        return self if platform == PLATFORM else None

    async def roles(
        self,
        account: Account,
        communities: Collection[str],
        key: bytes | None,
    ) -> RoleAnswer:
        return RoleAnswer(self.known.get(account, {}))

    def community(self, channel: str) -> str | None:
        return channel

    def title(self, channel: str) -> str:
        return f"#{channel}"

    def twitch_logins(self) -> Any:
        return None


class HeardDirectory:
    """The platform as one process knows it, which is told of the channels that it hears alone."""

    def __init__(self, directory: Directory, process: Process) -> None:
        self._directory, self._rooms = directory, process.bot.rooms
        self.role_source, self.twitch_logins = directory.role_source, directory.twitch_logins

    def community(self, channel: str) -> str | None:
        is_heard = self._rooms.has(channel) and self._rooms.hears(channel)
        return self._directory.community(channel) if is_heard else None

    def title(self, channel: str) -> str:
        return channel if self.community(channel) is None else self._directory.title(channel)


class SharedSite:
    """A process with a web server."""

    def __init__(self, process: Process, directory: Directory, session: aiohttp.ClientSession) -> None:
        self.process, self.bot, self._session = process, process.bot, session
        self.chat = LocalChat(process.bot, f"run-{process.store.leases.process}")
        process.cluster._bound = lambda community, _: PAGE if community == LOCAL else None
        names = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"
        self.public = PageListener("127.0.0.1", 0, names, public=True, url=PUBLIC)
        self.server = Server(
            self.chat,
            Crowd(self.chat, Rng.of("crowd")),
            "127.0.0.1",
            0,
            accounts=ClusterDirectory(HeardDirectory(directory, process), process.cluster.names),
            sealing_key=KEY,
            public=self.public,
            shared=ClusterPages(process.cluster),
        )
        self.directory, self._is_closed = directory, False

    async def open(self) -> SharedSite:
        self.address = await self.server.start()
        return self

    async def serve_page(self) -> None:
        """Run the local chat if it is dealt to this process."""
        await self.process.cluster.serve(PAGE, Service(self.chat.open, partial(self.server.crowd.resize, 0)))

    async def leave(self) -> None:
        """End in order, as after SIGTERM."""
        await self.process.cluster.leave()
        await self.close()
        await self.process.end()

    async def die(self) -> None:
        """End as by `kill -9`, as far as others can tell."""
        self.process.cluster.carrier.post = _never  # type: ignore[method-assign]
        await self.process.die()

    async def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            await self.server.stop()

    def here(self) -> Browser:
        """A browser on the machine of the bot."""
        return Browser(self.address, self.address, self._session)

    def elsewhere(self, cookies: Mapping[str, str] | None = None) -> Browser:
        """A browser that reaches the public pages by a proxy with TLS."""
        headers = {"Host": "games.example", "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
        address = f"http://127.0.0.1:{self.public.port}"
        return Browser(address, PUBLIC, self._session, headers, dict(cookies or {}))

    async def operator(self) -> Browser:
        browser = self.here()
        invitation = await self.server.invite()
        assert invitation is not None
        assert (await browser.enter(invitation))[0] == 200
        return browser

    async def moderator(self, name: str, roles: Mapping[str, Role]) -> Browser:
        """A browser at the desk of somebody who has these roles in channels."""
        account = Account(PLATFORM, name)
        self.directory.known[account] = dict(roles)
        await self.server.roles.admit(account, b"key")
        browser = self.elsewhere()
        path = await self.server.sessions.invite(Login(DESK, account, name))
        assert (await browser.enter(path))[0] == 200
        return browser

    async def sitter(self, name: str) -> Browser:
        """A browser that is the seat of somebody."""
        login = Login(SEAT, Account(PLATFORM, name), name)
        cookie, _ = await self.server.sessions.stored.open(login, self.bot.watch.date())
        return self.elsewhere({SECURE_SEAT_COOKIE: cookie})

    async def program(self, browser: Browser, room: str, *scopes: str) -> Program:
        """A program that has a token of whoever is logged in with a browser."""
        (cookie,) = browser.cookies.values()
        session = await self.server.sessions.stored.find(cookie, self.bot.watch.date())
        assert session is not None
        token = await Tokens(self.bot.parts.store, self.bot.watch).make(
            principal_of(session), room, "a program", scopes
        )
        return Program(f"http://127.0.0.1:{self.public.port}", token, room, self._session)


async def _never(process: int, value: object) -> None:
    """Send nothing."""


@asynccontextmanager
async def sites(url: str, number: int) -> AsyncIterator[list[SharedSite]]:
    """Lend some processes with their web servers."""
    jar = aiohttp.DummyCookieJar()
    async with processes(url, number) as started, aiohttp.ClientSession(cookie_jar=jar) as session:
        directory = Directory()
        opened = [await SharedSite(each, directory, session).open() for each in started]
        try:
            yield opened
        finally:
            for each in opened:
                await each.close()
