"""A house with an adapter to a Twitch on loopback, and a clock turned by hand."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.game import Seat
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from chatbot.rooms.channel import Delivery
from chatbot.rooms.exchange import Exchange
from chatbot.speech.words import Words
from cogs.twitch.adapter import TwitchAdapter
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES, TwitchAuthority
from cogs.twitch.channels import LONGEST_GAP
from cogs.twitch.lines import account_of, channel_of
from tests.bot.sources import sources_of
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import pytest
    from twitchio import Client

    from chatbot.kernel.kit import AnyKit
    from chatbot.keys.ring import Purpose
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line, Occasion
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import HandWatch
    from cogs.twitch.channels import Chat
    from cogs.twitch.redemptions import RedemptionSettler
    from cogs.twitch.session import TwitchSession
    from cogs.twitch.subscriptions.watchdog import Watchdog
    from tests.fakes.twitch_eventsub import Json
    from tests.fakes.twitch_server import Twitch

DEADLINE = 20.0  # seconds until something that was to happen has not
SOON = 5.0  # seconds for what waits for nothing; a busy machine may pause for one or two
BOT = "rabblebot"


async def serve(monkeypatch: pytest.MonkeyPatch, fake: Twitch) -> Twitch:
    """Start a Twitch whose former connections are soon left."""
    await fake.start()
    monkeypatch.setattr("cogs.twitch.eventsub.GRACE", 0.05)
    return fake


class ListeningBot(Bot):
    """Writes down what it has heard, when it has answered."""

    def __init__(
        self, store: Store, watch: HandWatch, run: str, games: Mapping[str, AnyKit] | None = None
    ) -> None:
        sources = sources_of(run)
        super().__init__(games or kits(), store, Words("en"), watch, sources)
        self.lines: list[Line] = []
        self.noticed: list[Occasion] = []

    async def converse(self, line: Line) -> bool:
        taken = await super().converse(line)
        self.lines.append(line)
        return taken

    def post(self, line: Line, exchange: Exchange | None = None) -> bool:
        if exchange is None:  # else it is a line of Discord
            exchange = Exchange(self.pass_on, apart=False, on_end=lambda _: self.lines.append(line))
        return super().post(line, exchange)

    async def notice(self, occasion: Occasion) -> None:
        await super().notice(occasion)
        self.noticed.append(occasion)


class Stage:
    """One process of the bot. `pauses` is how long it waited for Twitch, without waiting."""

    def __init__(
        self,
        fake: Twitch,
        store: Store,
        folder: Path,
        watch: HandWatch,
        run: str = "a",
        games: Mapping[str, AnyKit] | None = None,
    ) -> None:
        """Host all games that are installed, or those that are given."""
        self.fake, self.store, self.watch = fake, store, watch
        fake.eventsub.date = watch.date
        fake.world.whispers_are_paced = False  # for `_pause` takes no time
        self.bot = ListeningBot(store, watch, run, games)
        self.discretion = Discretion()
        self.ring = KeyRing(folder / "keys.json", self.discretion)
        self.secret: str | None = CLIENT_SECRET  # of the application; None: it is a public one
        self.pauses: list[float] = []
        self.told: list[str] = []  # by the adapter, to the operator
        self.running: asyncio.Task[None] | None = None
        self._session: aiohttp.ClientSession | None = None
        self.adapter: TwitchAdapter | None = None

    def connect(self, login: str, scopes: Iterable[str], *purposes: Purpose) -> Key:
        """Connect an account as `chatbot connect twitch` does."""
        user = self.fake.world.user(login)
        token = self.fake.authority.issue(user.id, scopes)
        key = Key(user.id, login, token.access, token.refresh, token.scopes, token.ends, frozenset(purposes))
        self.ring.put(key)
        return key

    def connect_bot(self, scopes: Iterable[str] = BOT_SCOPES) -> Key:
        return self.connect(BOT, scopes, "bot")

    def connect_streamer(self, login: str = "ada", scopes: Iterable[str] = BROADCASTER_SCOPES) -> Key:
        return self.connect(login, scopes, "broadcaster")

    def make(self, channels: Sequence[str] = (), *, conduit: bool = False) -> TwitchAdapter:
        self._session = aiohttp.ClientSession()
        authority = TwitchAuthority(
            CLIENT_ID, self.secret, self._session, self.ring, self.discretion, self.fake.endpoints
        )
        self.adapter = TwitchAdapter(
            self.bot,
            self.ring,
            authority,
            channels,
            conduit=conduit,
            pause=self._pause,
            tell=self.told.append,
        )
        return self.adapter

    async def open(
        self, channels: Sequence[str] = (), *, conduit: bool = False, seconds: float = DEADLINE
    ) -> Stage:
        """Run the adapter until it has asked for everything."""
        adapter = self.make(channels, conduit=conduit)
        self.running = asyncio.create_task(adapter.run())
        await self.until(lambda: adapter.connected or bool(self.running and self.running.done()), seconds)
        if self.running.done():
            await self.running
        await self._settle()
        return self

    async def run_again(self) -> None:
        """Let the same adapter leave and come back."""
        assert self.adapter is not None
        adapter = self.adapter
        await adapter.stop()
        self.running = asyncio.create_task(adapter.run())
        await self.until(lambda: adapter.connected)
        await self._settle()

    async def _settle(self) -> None:
        """Wait until what comes after the chats was asked for too."""
        if self.adapter is not None and self.adapter.session is not None:
            await self.watchdog.settle()

    async def close(self) -> None:
        if self.adapter is not None:
            await self.adapter.stop()
        if self.running is not None:
            await asyncio.gather(self.running, return_exceptions=True)
        await self.bot.settle()
        if self._session is not None:
            await self._session.close()

    async def say(self, user: str, channel: str, text: str, badges: Iterable[str] = ()) -> list[str]:
        """Let somebody speak, and give what the bot then says in that channel."""
        said = len(self.fake.sent(channel))
        message = await self.fake.chat(user, channel, text, badges)
        await self.heard(message)
        await self.watch.turn(LONGEST_GAP)
        return self.fake.sent(channel)[said:]

    async def heard(self, message: str) -> None:
        await self.until(lambda: any(each.id.endswith(f":{message}") for each in self.bot.lines))

    async def until(self, happened: Callable[[], object], seconds: float = DEADLINE) -> None:
        async with asyncio.timeout(seconds):
            while not happened():  # noqa: ASYNC110  (what happens sets no event)
                await asyncio.sleep(0.002)

    async def check(self) -> None:
        """Let the watchdog look once."""
        await self.watchdog.check()

    async def speak(self, channel: str, text: str) -> None:
        """Say something as the house does."""
        assert self.adapter is not None
        await self.adapter.send(Delivery(channel_of(self.fake.world.users[channel].id), text, None, ()))

    @property
    def session(self) -> TwitchSession:
        assert self.adapter is not None
        assert self.adapter.session is not None
        return self.adapter.session

    @property
    def watchdog(self) -> Watchdog:
        assert self.session.watchdog is not None
        return self.session.watchdog

    @property
    def settler(self) -> RedemptionSettler:
        assert self.session.services.settler is not None
        return self.session.services.settler

    @property
    def client(self) -> Client:
        assert self.adapter is not None
        return self.adapter.router.sender._client

    def chat(self, channel: str) -> Chat:
        assert self.adapter is not None
        return self.adapter.chats[channel_of(self.fake.world.users[channel].id)]

    def table(self, channel: str) -> Table:
        return self.chat(channel).room.tables["heist"]

    def seat(self, user: str) -> Seat:
        return Seat(str(account_of(self.fake.world.user(user).id)))

    def chat_frame(self) -> tuple[str, Json]:
        """Give the last message that was somebody else's than the bot's."""
        return next(
            each
            for each in reversed(self.fake.eventsub.frames)
            if each[1]["payload"]["event"].get("chatter_user_login", BOT) != BOT
        )

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
