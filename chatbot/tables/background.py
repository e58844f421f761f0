"""Long computations, such as what a game says later about a move, in threads and within limits.

The limits are of the process that runs the room, whose threads they protect.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from functools import partial
from math import ceil
from time import thread_time
from typing import TYPE_CHECKING, TypeVar

import structlog

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.runtime.limits import Allowances

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import Analysis
    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch

T = TypeVar("T")

# Seconds of CPU time that the requests of one member may take at once: some reviews of long games. All
# threads share one interpreter with the event loop, so that one member could otherwise slow everybody down.
CPU_BURST = 5.0
CPU_RATE = 0.1  # seconds of CPU time that a member's allowance regains per second: a tenth of a processor
MOST_PENDING = 20  # computations of a room that may be pending; further ones are refused

log = structlog.get_logger(__name__)


class Background:
    """Runs long computations in threads, within limits, so that other lines do not wait for them.

    Computations of the same kind run one after the other; those of different kinds run in parallel.
    """

    def __init__(self, outbox: Outbox, watch: Watch) -> None:
        self._outbox, self._watch = outbox, watch
        self._locks: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)  # by kind of work
        self._allowances = Allowances(watch, CPU_BURST, CPU_RATE)
        self._pending: Counter[str] = Counter()  # computations by room id
        self._closed = False

    async def run(self, work: Callable[[], T], kind: object = None) -> T:
        """Run work in a thread, after all earlier work of the same kind; what it raises is raised here."""
        # One after the other: at once they would take as long together, and each would be as late as the
        # last.
        async with self._locks[kind]:
            return await asyncio.to_thread(work)

    async def answer(self, seat: Seat, work: Callable[[], T]) -> T:
        """Run work that a member requested, and charge its CPU time to the member's allowance.

        Raises:
            Refusal: the member's allowance is used up, or the bot is shutting down.
        """
        if self._allowances.left(seat) <= 0:
            seconds = ceil(self._allowances.until(seat))
            raise Refusal(Message("thought-enough", {"seconds": max(seconds, 1)}))
        cpu_seconds = 0.0

        def measure() -> T:
            nonlocal cpu_seconds
            if self._closed:
                raise Refusal(Message("try-again"))
            # The time of this thread alone: a member does not pay for waiting, nor for the work of others.
            start = thread_time()
            try:
                return work()
            finally:
                cpu_seconds = thread_time() - start

        try:
            return await self.run(measure)
        finally:
            self._allowances.spend(seat, cpu_seconds)

    def close(self) -> None:
        """Refuse the requests of members from now on, those that are still waiting included."""
        self._closed = True

    def comment(self, table: Table, event: object, exchange: Exchange | None) -> None:
        """Compute what a game says later about an event, if anything, and answer the line that caused it."""
        room, thought = table.room, table.kit.chat.analyses.get(type(event))
        if thought is None:
            return
        if self._pending[room.id] >= MOST_PENDING:
            self._outbox.say(room, [table.says(Say(Message("thoughts-full"), event="Busy"))], exchange)
            return
        self._begin(room, exchange)
        # From an alarm, so that the line itself is answered first.
        self._watch.ring(0.0, partial(self._comment, table, thought, event, exchange))

    def answer_later(
        self, room: Room, answer: Callable[[], Awaitable[Sequence[Say]]], exchange: Exchange | None
    ) -> None:
        """Answer a line when its answer has been computed; no other line of the room waits for it.

        Raises:
            Refusal: too many computations of the room are pending.
        """
        if self._pending[room.id] >= MOST_PENDING:
            raise Refusal(Message("thoughts-full"))
        self._begin(room, exchange)
        self._watch.ring(0.0, partial(self._answer_later, room, answer, exchange))

    def _begin(self, room: Room, exchange: Exchange | None) -> None:
        self._pending[room.id] += 1
        if exchange is not None:
            exchange.expect_more()

    def _end(self, room: Room, exchange: Exchange | None) -> None:
        assert self._pending[room.id] > 0, f"expected a computation of {room.id} to be pending, got none"  # noqa: S101
        self._pending[room.id] -= 1
        if exchange is not None:
            exchange.expect_less()

    async def _answer_later(
        self, room: Room, answer: Callable[[], Awaitable[Sequence[Say]]], exchange: Exchange | None
    ) -> None:
        try:
            says = await answer()
        finally:
            self._end(room, exchange)
        self._outbox.say(room, says, exchange)

    async def _comment(
        self, table: Table, thought: Analysis, event: object, exchange: Exchange | None
    ) -> None:
        room = table.room
        try:
            says = await self.run(lambda: list(thought(event)), type(event))
        except Exception:
            log.exception("a thought came to nothing", room=room.id, game=table.kit.name)
            return
        finally:
            self._end(room, exchange)
        self._outbox.say(room, [table.says(say) for say in says], exchange)
