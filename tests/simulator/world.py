"""The program as it runs in one evening: started, killed and started again on one file."""

from __future__ import annotations

import asyncio
import sys
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any

import structlog

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import _reported
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from tests.bot.sources import KEY
from tests.bot.stage import LooseWatch
from tests.ledger.samples import readable
from tests.simulator.disk import Disk, Trouble
from tests.simulator.town import Overheard, Town

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping
    from datetime import datetime

    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Alarm, Callback


LINKS = 4  # of a chain: many come to their end in an evening


class Watch(LooseWatch):
    """Reports what an alarm raises, as the clock of the running program does, and goes on."""

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        return super().ring(seconds, partial(_reported, callback))


class World:
    """One process after another. Every random choice of theirs comes from `rng`."""

    def __init__(self, path: str, disks: dict[str, Disk], town: Town, rng: Random) -> None:
        self.path, self.town = path, town
        self.unexpected: list[str] = []  # errors that nobody made on purpose
        self.watch = Watch()
        self.starts = 0
        self._disks, self._rng = disks, rng
        self._sources = Sources(
            KEY, lambda: rng.randbytes(32), lambda: f"{rng.getrandbits(40):010x}", LINKS, readable
        )
        self._boot(self.watch.date())

    @property
    def tables(self) -> Iterator[Table]:
        return (table for room in self.rooms.values() for table in room.tables.values())

    async def start(self) -> None:
        """Start the program; what is heard from now on is heard by it."""
        self.store = await Store.open(f"sqlite:///{self.path}")
        self.bot = Bot(known_kits(), self.store, _words(), self.watch, self._sources)
        self.bot.outbox.selector = Overheard(self.bot.people, self.town.overheard)
        for room in self.rooms.values():
            await self.bot.open(room)
        await self.watch.turn()

    async def begin(self) -> BaseException | None:
        """Start the program, and give what it could not start for; dying ends it."""
        starting = asyncio.ensure_future(self.start())
        return starting.exception() if await self._survived(starting) else None

    async def probe(self) -> None:
        """Open the rooms once more beside those that are open, where nobody sees it."""
        house = Bot(known_kits(), self.store, _words(), Watch(self.watch.date()), self._sources)
        for room in Town(Random(0)).rooms():
            await house.open(room)

    async def together(self, *works: Coroutine[Any, Any, None]) -> list[BaseException]:
        """Do these at once, wait for all that hangs on them, and give what they raised; dying ends it."""
        doing = asyncio.ensure_future(self._do(works))
        return doing.result() if await self._survived(doing) else []

    @property
    def dead(self) -> bool:
        return self.disk.died.done()

    async def kill(self) -> None:
        """Kill the program where it stands."""
        self.disk.die()
        await self._bury()

    def bury(self) -> None:
        """Let those who still wait for the dead have an error."""
        self.disk.bury()
        store = getattr(self, "store", None)  # it may have died before it was open
        kept = store and store._write_queue._connection
        if kept is not None:  # the pool of a dead process does not wait for it
            kept.sync_connection.detach()

    async def stop(self) -> None:
        """Stop the program in order."""
        await self.bot.settle()
        await self.store.close()

    def boot(self, asleep: float) -> None:
        """Forget everything that is not on the disk, and sleep for so long by the calendar."""
        date = self.watch.date()
        self._boot(date)
        self.watch.set_calendar(asleep)

    def _boot(self, date: datetime) -> None:
        self.starts += 1
        self.watch = Watch(date)
        self.disk = self._disks[self.path] = Disk(self.path, self._rng)
        self.rooms: dict[str, Room] = {room.id: room for room in self.town.rooms()}

    async def _do(self, works: tuple[Coroutine[Any, Any, None], ...]) -> list[BaseException]:
        tasks = [asyncio.create_task(work) for work in works]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        await self.bot.settle()
        await self.watch.turn()
        return [each for each in found if each is not None]

    async def _survived(self, doing: asyncio.Task[Any]) -> bool:
        """Wait for what is done, unless the program dies of it."""
        either: set[asyncio.Future[Any]] = {doing, self.disk.died}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self.dead:
            await self._bury()
        return not self.dead

    async def _bury(self) -> None:
        """Clear away what waits for the dead."""
        self.bury()
        for _ in range(20):
            left = [each for each in asyncio.all_tasks() if each is not asyncio.current_task()]
            if not left:
                return
            for task in sorted(left, key=lambda each: int(each.get_name().rpartition("-")[2])):
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        raise AssertionError("what is dead does not end")

    # What the program logs

    def note(self, logger: object, method: str, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """Keep errors that nobody made on purpose."""
        error = entry.get("exc_info")
        if method in {"error", "exception"} and not self.dead and not on_purpose(error):
            told = ", ".join(f"{key}={value!r}" for key, value in sorted(entry.items()) if key != "exc_info")
            self.unexpected.append(f"logged: {told}: {_shown(error)}")
        raise structlog.DropEvent


def on_purpose(error: object) -> bool:
    """Whether an error goes back to one that was made on purpose."""
    found = sys.exc_info()[1] if error is True else error
    while isinstance(found, BaseException):
        if isinstance(found, Trouble | ConnectionResetError | asyncio.CancelledError):
            return True
        found = getattr(found, "orig", None) or found.__cause__ or found.__context__
    return False


def _shown(error: object) -> str:
    return repr(sys.exc_info()[1] if error is True else error)


@cache
def known_kits() -> Mapping[str, AnyKit]:
    return kits()


@cache
def _words() -> Words:
    return Words("en")
