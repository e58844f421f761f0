"""Work beside the road of a line: thoughts in threads, and work that is finished once it is begun.

A page that closes cancels what it waits for. A step that is written but not kept would leave a table
behind its own journal, so steps and lines run in tasks of their own.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from functools import partial
from math import ceil
from time import thread_time
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.rooms.limits import Allowances

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import Thought
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.replies import Exchange
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.table import Table

T = TypeVar("T")


class ShieldedWork:
    """Keeps tasks until they end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work; cancelling this call does not cancel it."""
        return await asyncio.shield(self.start(work))

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin the work, whoever waits for it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    async def settle(self) -> None:
        """Wait for all that is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited has it; if nobody did, it was logged where it happened


BURST, RATE = 5.0, 0.1  # seconds of a processor that a member's own questions may take: at once, and a second
WAITING = 20  # thoughts of a room that may wait; whatever more there is to say goes unsaid

log = structlog.get_logger(__name__)


class Background:
    """Who waits for a table to open, or for a hint, does not wait for the long thoughts of others."""

    def __init__(self, outbox: Outbox, watch: Watch) -> None:
        self._outbox, self._watch = outbox, watch
        self._desks: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._allowances = Allowances(watch, BURST, RATE)
        self._waiting: Counter[str] = Counter()  # thoughts by room
        self._closed = False

    async def think(self, work: Callable[[], T], kind: object = None) -> T:
        """Do what takes a while; whatever it raises is raised here."""
        async with self._desks[kind]:
            return await asyncio.to_thread(work)

    async def answer(self, seat: Seat, work: Callable[[], T]) -> T:
        """Do what somebody has asked for, who cannot ask for so much that all others wait.

        Raises:
            Refusal: they have asked for too much of late, or the house closes.
        """
        if self._allowances.left(seat) <= 0:
            seconds = ceil(self._allowances.until(seat))
            raise Refusal(Message("thought-enough", {"seconds": max(seconds, 1)}))
        took = 0.0

        def counted() -> T:
            nonlocal took
            if self._closed:
                raise Refusal(Message("try-again"))
            begun = thread_time()
            try:
                return work()
            finally:
                took = thread_time() - begun

        try:
            return await self.think(counted)
        finally:
            self._allowances.spend(seat, took)

    def close(self) -> None:
        """Answer nothing more that takes a while: who waits is not waited for."""
        self._closed = True

    def ponder(self, table: Table, event: Any, exchange: Exchange | None) -> None:
        """Say more of an event later, where the game has more to say of it, to the line that caused it."""
        room, thought = table.room, table.kit.ponders.get(type(event))
        if thought is None:
            return
        if self._waiting[room.id] >= WAITING:
            self._outbox.say(room, [table.says(Say(Message("thoughts-full"), event="Busy"))], exchange)
            return
        self._begin(room, exchange)
        self._watch.ring(0.0, partial(self._ponder, table, thought, event, exchange))

    def tell(
        self, room: Room, answer: Callable[[], Awaitable[Sequence[Say]]], exchange: Exchange | None
    ) -> None:
        """Answer a line when that has been thought about; no other line of the room waits for it."""
        if self._waiting[room.id] >= WAITING:
            raise Refusal(Message("thoughts-full"))
        self._begin(room, exchange)
        self._watch.ring(0.0, partial(self._tell, room, answer, exchange))

    def _begin(self, room: Room, exchange: Exchange | None) -> None:
        self._waiting[room.id] += 1
        if exchange is not None:
            exchange.think()

    def _end(self, room: Room, exchange: Exchange | None) -> None:
        self._waiting[room.id] -= 1
        if exchange is not None:
            exchange.thought()

    async def _tell(
        self, room: Room, answer: Callable[[], Awaitable[Sequence[Say]]], exchange: Exchange | None
    ) -> None:
        try:
            told = await answer()
        finally:
            self._end(room, exchange)
        self._outbox.say(room, told, exchange)

    async def _ponder(self, table: Table, thought: Thought, event: Any, exchange: Exchange | None) -> None:
        room = table.room
        try:
            told = await self.think(lambda: list(thought(event)), type(event))
        except Exception:
            log.exception("a thought came to nothing", room=room.id, game=table.kit.name)
            return
        finally:
            self._end(room, exchange)
        self._outbox.say(room, [table.says(say) for say in told], exchange)
