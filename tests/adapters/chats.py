"""One chat of each platform, as its people see it: whoever tests what all platforms do knows only this."""

from __future__ import annotations

import asyncio
import unicodedata
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import aiohttp

from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.runtime.clock import HandWatch
from chatbot.web.crowd import Crowd
from chatbot.web.server import Server
from cogs.local.adapter import CHANNEL, LocalChat
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.stage import Stage as DiscordStage
from tests.adapters.twitch.stage import BOT, ListeningBot
from tests.adapters.twitch.stage import Stage as TwitchStage
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from cogs.platform import Platform
    from tests.fakes.discord_world import Json, User

PATIENCE = 20.0  # seconds until something that was to happen has not
STEP = 0.05  # seconds that pass between two looks


class Chat(ABC):
    """`limit` is how many characters the platform takes in one message; None: it sets no limit."""

    limit: int | None = None
    adapter: Platform
    bot: Bot
    running: asyncio.Task[None]

    @property
    @abstractmethod
    def channel(self) -> str: ...

    @property
    def room(self) -> Room:
        return self.bot.rooms.at(self.channel)

    @abstractmethod
    async def open(self) -> None:
        """Have the bot there, connected by its own library."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def say(self, who: str, text: str) -> None:
        """Let somebody write something to all."""

    @abstractmethod
    async def whisper(self, who: str, text: str) -> None:
        """Let somebody write something to the bot alone."""

    @abstractmethod
    async def again(self) -> None:
        """Deliver the last line again."""

    @abstractmethod
    async def outage(self) -> None:
        """Cut every connection; returns when it is noticed."""

    @abstractmethod
    def public(self) -> list[str]:
        """List what everybody reads of the bot, as the platform was given it."""

    @abstractmethod
    def private(self, who: str) -> list[str]:
        """List what somebody alone reads."""

    @abstractmethod
    def harmless(self, text: str) -> bool:
        """Whether nothing acts in a message of the bot, and nobody is pinged."""

    @abstractmethod
    def seat(self, who: str) -> Seat: ...

    @abstractmethod
    async def turn(self, seconds: float) -> None:
        """Let time pass."""

    def reads(self, who: str) -> str:
        """Give all that somebody reads, in small letters."""
        return "\n".join([*self.public(), *self.private(who)]).lower()

    async def until(self, holds: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.turn(STEP)
                await asyncio.sleep(0.005)

    async def credits(self, who: str) -> int:
        return await self.bot.balances.purse(self.room, self.seat(who))

    def run(self) -> None:
        self.running = asyncio.ensure_future(self.adapter.run())


class DiscordChat(Chat):
    limit = 2000

    def __init__(self, store: Store, _: Path) -> None:
        self._store, self._server = store, DiscordServer()
        self._users: dict[str, User] = {}
        self._last: Json = {}

    @property
    def channel(self) -> str:
        return f"discord:{self._stage.town}"

    async def open(self) -> None:
        await self._server.start()
        self._stage = DiscordStage(self._server, self._store)
        self.bot, self.adapter = self._stage.bot, self._stage.adapter
        await self._stage.open()
        self.running = self._stage.tasks[0]
        await self.say("opener", "!credits")  # a room is opened by its first command
        await self.until(lambda: "240" in self.reads("opener"))

    def run(self) -> None:
        super().run()
        self._stage.tasks[0] = self.running

    async def close(self) -> None:
        await self._stage.close()
        await self._server.stop()

    async def say(self, who: str, text: str) -> None:
        self._last = await self._server.people.say(self._user(who), self._stage.town, text)

    async def whisper(self, who: str, text: str) -> None:
        self._last = await self._server.people.whisper(self._user(who), text)

    async def again(self) -> None:
        await self._server.people.redeliver(self._last)

    async def outage(self) -> None:
        await self._server.gateway.drop()

    def public(self) -> list[str]:
        shown = self._server.world.shown(self._stage.town)
        return [each["content"] + "".join(map(_embedded, each["embeds"])) for each in shown]

    def private(self, who: str) -> list[str]:
        world, user = self._server.world, self._user(who)
        told = [*world.ephemeral(user), *world.shown(world.dm(user.id))]
        return [each["content"] for each in told]

    def harmless(self, text: str) -> bool:
        acting = ("@everyone", "@here", "<@", "**x", "<b>", "https://evil")
        posted = self._server.asked("POST /channels")
        return not any(each in text for each in acting) and all(
            each["allowed_mentions"]["parse"] == [] for each in posted
        )

    def seat(self, who: str) -> Seat:
        return seat_of(self._user(who).id)

    async def turn(self, seconds: float) -> None:
        await self._stage.turn(seconds)

    def _user(self, who: str) -> User:
        if who not in self._users:
            self._users[who] = self._server.world.join(who)
        return self._users[who]


class TwitchChat(Chat):
    limit = 500

    def __init__(self, store: Store, folder: Path) -> None:
        self._watch = HandWatch()
        self._fake = Twitch(self._watch.now)
        self._stage = TwitchStage(self._fake, store, folder, self._watch)
        self._last: tuple[str, str, str] = ("", "", "")
        self._logins: dict[str, str] = {}

    @property
    def channel(self) -> str:
        return f"twitch:{self._fake.world.users['ada'].id}"

    async def open(self) -> None:
        await self._fake.start()
        self._stage.connect_bot()
        self._stage.connect_streamer()
        await self._stage.open()
        assert self._stage.adapter is not None
        assert self._stage.running is not None
        self.bot, self.adapter, self.running = self._stage.bot, self._stage.adapter, self._stage.running

    def run(self) -> None:
        super().run()
        self._stage.running = self.running

    async def close(self) -> None:
        await self._stage.close()
        await self._fake.stop()
        assert self._fake.world.violations == []

    async def say(self, who: str, text: str) -> None:
        self._last = self._login(who), text, await self._fake.chat(self._login(who), "ada", text)

    async def whisper(self, who: str, text: str) -> None:
        await self._fake.whisper(self._login(who), text)

    async def again(self) -> None:
        login, text, message = self._last
        await self._fake.chat(login, "ada", text, message_id=message)

    async def outage(self) -> None:
        eventsub = self._fake.eventsub
        await eventsub.session_of(BOT).socket.close(code=4000)
        await self.until(
            lambda: any(each.status == "enabled" for each in eventsub.of("channel.chat.message"))
        )

    def public(self) -> list[str]:
        return self._fake.sent("ada")

    def private(self, who: str) -> list[str]:
        user = self._fake.world.users[self._login(who)]
        return [each.text for each in self._fake.world.whispers if each.to == user.id]

    def harmless(self, text: str) -> bool:
        return not text.startswith(("/", ".", "!")) and "https://evil.example" not in text

    def seat(self, who: str) -> Seat:
        return self._stage.seat(self._login(who))

    async def turn(self, seconds: float) -> None:
        await self._watch.turn(seconds)

    def _login(self, who: str) -> str:
        """Find the login of whoever shows this name."""
        if who not in self._logins:
            plain = who.lower() if who.isalnum() else f"stranger{len(self._logins)}"
            self._logins[who] = self._fake.world.user(plain, who).login
        return self._logins[who]


class LocalPage(Chat):
    """Everybody has a socket of their own; the one of a spectator shows what is for all."""

    def __init__(self, store: Store, _: Path) -> None:
        self._watch = HandWatch()
        self.bot = self._bot = ListeningBot(store, self._watch, "a")
        self._chat = self.adapter = LocalChat(self.bot, "run")
        self._server = Server(self._chat, Crowd(self._chat, Rng.of("crowd")), "127.0.0.1", 0)
        self._pages: dict[str, _Page] = {}

    @property
    def channel(self) -> str:
        return CHANNEL

    async def open(self) -> None:
        self._address = await self._server.start()
        self._session = aiohttp.ClientSession()
        self.run()
        await self.until(lambda: self.adapter.connected)
        await self._page("spectator")

    async def close(self) -> None:
        await self.adapter.stop()
        await self.running
        for page in self._pages.values():
            await page.close()
        await self._session.close()
        await self._server.stop()
        await self.bot.settle()

    async def say(self, who: str, text: str) -> None:
        await (await self._page(who)).say(text, whisper=False)

    async def whisper(self, who: str, text: str) -> None:
        await (await self._page(who)).say(text, whisper=True)

    async def again(self) -> None:
        """The page has no way to send a line twice as the same one; so it is brought to the house again."""
        await self.until(lambda: self._bot.lines and self._bot.lines[-1].text)
        await self._bot.converse(self._bot.lines[-1])

    async def outage(self) -> None:
        assert self._server._sockets is not None
        for socket in list(self._server._sockets):
            await socket.close(code=1001)
        await self.until(lambda: not self._chat.pages)
        for name, page in self._pages.items():
            await page.open(self._session, self._address, name)

    def public(self) -> list[str]:
        return [each["text"] for each in self._pages["spectator"].lines if each["to"] is None]

    def private(self, who: str) -> list[str]:
        page = self._pages.get(who)
        return [each["text"] for each in page.lines if each["to"] is not None] if page else []

    def harmless(self, text: str) -> bool:
        """The page shows a text as it is: nothing in it acts, but it could be hidden or turned around."""
        return not any(unicodedata.category(each) in {"Cc", "Co", "Cs"} for each in text)

    def seat(self, who: str) -> Seat:
        return self._pages[who].seat

    async def turn(self, seconds: float) -> None:
        await self._watch.turn(seconds)

    async def _page(self, who: str) -> _Page:
        if who not in self._pages:
            self._pages[who] = page = _Page()
            await page.open(self._session, self._address, who)
        return self._pages[who]


class _Page:
    """One page of a browser, with one viewer in it; `lines` are the bot's that it shows."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    async def open(self, session: aiohttp.ClientSession, address: str, who: str) -> None:
        self._entered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._socket = await session.ws_connect(f"{address}/socket", headers={"Origin": address})
        self._reading = asyncio.ensure_future(self._read(self._socket))
        await self._socket.send_json({"type": "enter", "name": who, "role": "viewer"})
        self.seat = Seat(await asyncio.wait_for(self._entered, PATIENCE))

    async def say(self, text: str, *, whisper: bool) -> None:
        said = {"type": "say", "seat": self.seat, "text": text, "whisper": whisper}
        await self._socket.send_json(said)

    async def close(self) -> None:
        await self._socket.close()
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            message = frame.json()
            if message["type"] == "hello":  # a page that comes back is shown what it has missed
                known = {each["id"] for each in self.lines}
                missed = [each for each in message["history"] if each["id"] not in known]
                self.lines += [each for each in missed if each["kind"] == "bot"]
            elif message["type"] == "line" and message["kind"] == "bot":
                self.lines.append(message)
            elif message["type"] == "entered":
                self._entered.set_result(message["seat"])


def _embedded(embed: Json) -> str:
    fields = [each["value"] for each in embed.get("fields") or []]
    return "\n".join(["", embed.get("title") or "", embed.get("description") or "", *fields])


CHATS: dict[str, Callable[[Store, Path], Chat]] = {
    "discord": DiscordChat,
    "twitch": TwitchChat,
    "local": LocalPage,
}
