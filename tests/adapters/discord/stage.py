"""A house behind the real adapter, which talks to a Discord on loopback by the real client library."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from chatbot.app import SEND_TIMEOUT
from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.keys.asking import Declined
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from cogs.discord.adapter import DiscordAdapter
from cogs.discord.lines import channel_of
from cogs.discord.tables import PACE
from tests.adapters.discord.seats import seat_of
from tests.bot.sources import sources_of
from tests.fakes.discord_server import TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import LoopWatch
    from tests.fakes.discord_server import DiscordServer
    from tests.fakes.discord_world import Json, User

AGAIN = "Play again"
TICK = 0.005  # seconds between two looks of the hand watch at what is due


class Stage:
    """One run of the program: house, adapter and clock. The clock's alarms ring by themselves when due."""

    def __init__(
        self,
        server: DiscordServer,
        store: Store,
        run: str = "a",
        token: str = TOKEN,
        watch: LoopWatch | None = None,
    ) -> None:
        self.server, self.world, self.people = server, server.world, server.people
        self.store, self.watch = store, HandWatch()
        self._running = watch  # instead of the one that is turned by hand
        sources = sources_of(run)
        self.bot = Bot(kits(), store, Words("en"), watch or self.watch, sources)
        self.adapter = DiscordAdapter(self.bot, token, ready_after=0.02, endpoints=server.endpoints)
        self.town = self.world.town
        self.world.date = self.bot.watch.date
        self._turning = asyncio.Lock()
        self.tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> Stage:
        self.tasks = [asyncio.ensure_future(self.adapter.run()), asyncio.ensure_future(self._tick())]
        await self.until(lambda: self.adapter.connected or self.tasks[0].done())
        return self

    async def close(self) -> None:
        """Leave as the program does: the adapter first, then what is still answered."""
        for task in self.tasks:
            task.cancel()
        await self.adapter.stop()
        for task in self.tasks:
            with suppress(asyncio.CancelledError, ConnectionError, Declined):
                await task
        if self._running is not None:
            await self._running.stop(SEND_TIMEOUT)  # a line may wait for a connection that does not come back
        await self.bot.settle()

    async def turn(self, seconds: float) -> None:
        async with self._turning:
            await self.watch.turn(seconds)

    async def until(self, holds: Callable[[], Any], seconds: float = 20.0) -> None:
        """Wait for something that happens on this side.

        Raises:
            AssertionError: it does not, in time.
        """
        deadline = asyncio.get_running_loop().time() + seconds
        while not holds():
            assert asyncio.get_running_loop().time() < deadline, "it never came"
            await asyncio.sleep(TICK)

    async def shown(self, text: str, channel: int = 0) -> None:
        """Wait until everybody can read something."""
        await self.world.until(lambda: text in self.world.texts(channel or self.town))

    async def chicken_won(self) -> None:
        """Wait until everybody can read who has won at Chicken Poker, be it one or several."""
        told = ("wins Chicken Poker", "victory in Chicken Poker")
        await self.world.until(lambda: any(each in self.world.texts(self.town) for each in told))

    async def board(self, text: str) -> Json:
        """Wait until the last board has a text in it; gives its message."""
        await self.world.until(lambda: self.boards and text in str(self.boards[-1]))
        return self.boards[-1]

    async def eventually(self, text: str) -> None:
        """Let time pass until everybody can read something."""
        for _ in range(40):
            await self.turn(PACE / 4)
            with suppress(AssertionError):
                await self.world.until(lambda: text in str(self.world.shown(self.town)), seconds=0.1)
                return
        raise AssertionError(f"nobody ever read {text!r}")

    async def told(self, user: User, text: str) -> Json:
        """Wait until somebody alone can read something; gives the message."""
        await self.world.until(lambda: text in self.world.whispers(user))
        return next(each for each in self.world.ephemeral(user)[::-1] if text in each["content"])

    async def talk_much(self) -> None:
        """Have everything told: to whoever joined by typing too."""
        await self.people.say(self.world.owner, self.town, "!set room talk full")
        await self.shown("talk")

    async def lobby(self, *crew: User) -> None:
        """Let these people join a heist by typing, with 69 each."""
        for user in crew:
            await self.people.say(user, self.town, "!heist 69")
            await self.until(lambda user=user: self.sits(user))  # type: ignore[misc]
        await self.until(lambda: self.table.deadline is not None)  # which is so once it is written

    async def play_out(self) -> None:
        """Let every phase of the heist run out; gives back when everybody has seen the result."""
        await self.until(lambda: "heist" in self.room.tables)
        while not self.table.over:
            await self.turn(self.table.clock.seconds if self.table.clock else 0)
        await self.shown("Results:")
        await self.turn(PACE)
        await self.board("Finished")

    def sits(self, user: User) -> bool:
        """Whether somebody is in the crew of the heist."""
        room = self.bot.rooms.get(channel_of(self.town))
        crews = [each.view(None).crew for each in room.tables.values()] if room else []
        return any(mate.seat == seat_of(user.id) for crew in crews for mate in crew)

    def net(self, user: User) -> int:
        """Give what the heist that is over brought somebody."""
        outcomes = {each.seat: each for each in self.table.view(None).outcomes}
        outcome = outcomes[seat_of(user.id)]
        return int(outcome.received - outcome.cost)

    async def credits(self, user: User) -> int:
        return await self.bot.balances.purse(self.room, seat_of(user.id))

    @property
    def boards(self) -> list[Json]:
        return self.world.boards(self.town)

    @property
    def room(self) -> Room:
        return self.bot.rooms[channel_of(self.town)]

    @property
    def table(self) -> Table:
        return self.room.tables["heist"]

    async def _tick(self) -> None:
        while True:
            await self.turn(0)
            await asyncio.sleep(TICK)


def left_to_do(message: Json) -> list[str]:
    """List the labels of the buttons of a message, without the one that opens the next table."""
    labels = [each["label"] for row in message["components"] for each in row["components"]]
    return [each for each in labels if AGAIN not in each]
