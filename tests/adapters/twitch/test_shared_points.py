"""Several processes that use one key of Twitch together stay within its points, and none goes short."""

from __future__ import annotations

import asyncio
import heapq
from bisect import bisect_left
from itertools import count
from random import Random
from typing import TYPE_CHECKING

import pytest

from cogs.twitch.points import LIMIT, REFILL, Points
from tests.fakes.twitch_world import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

MINUTES = 5
FAIR = 0.70  # of the part of a process that it gets at least each minute: it keeps to 75 % and a burst


class TurnedClock:
    """A clock that goes on to the next sleeper as soon as all sleep."""

    def __init__(self) -> None:
        self.now, self._order = 0.0, count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        waking = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._order), waking))
        await waking

    async def turn(self, seconds: float) -> None:
        until = self.now + seconds
        while self._sleepers and self._sleepers[0][0] <= until:
            self.now, _, waking = heapq.heappop(self._sleepers)
            waking.set_result(None)
            for _ in range(5):
                await asyncio.sleep(0)
        self.now = until


class Sender:
    """A process that says something as often as it goes, and subscribes to something now and then."""

    def __init__(self, share: float, twitch: Budget, clock: TurnedClock, seed: int) -> None:
        self._points, self._twitch = Points(clock, clock.sleep, lambda: share), twitch
        self._clock, self._rng, self.sent = clock, Random(seed), list[float]()

    async def run(self) -> None:
        while True:
            if self._rng.random() < 0.2:
                await self._points.take("", chat=self._rng.random() < 0.5)
                self._points.note_answer("")
            else:
                await self._points.pace("")
            self._twitch.take()
            self._points.note("", self._twitch.headers)
            self.sent.append(self._clock.now)
            await self._clock.sleep(0.001)


@pytest.mark.parametrize("shares", [(1 / 3, 1 / 3, 1 / 3), (5 / 8, 2 / 8, 1 / 8)], ids=["equal", "uneven"])
async def test_three_senders_by_one_key_never_pass_its_points_and_each_gets_its_part(
    shares: Sequence[float],
) -> None:
    clock = TurnedClock()
    twitch = Budget(LIMIT, LIMIT, 0.0, clock=clock)
    senders = [Sender(share, twitch, clock, seed) for seed, share in enumerate(shares)]
    running = [asyncio.create_task(each.run()) for each in senders]
    await asyncio.sleep(0)
    await clock.turn(REFILL * MINUTES)
    for each in running:
        each.cancel()
    times = sorted(at for sender in senders for at in sender.sent)
    busiest = max(bisect_left(times, at + REFILL) - place for place, at in enumerate(times))
    assert twitch.refused == 0
    assert busiest <= LIMIT
    for sender, share in zip(senders, shares, strict=True):
        assert len(sender.sent) >= FAIR * share * LIMIT * MINUTES


async def test_a_process_that_has_all_points_waits_for_none() -> None:
    clock = TurnedClock()
    points = Points(clock, clock.sleep)
    for _ in range(2 * LIMIT):
        await points.pace("")
    assert clock.now == 0


async def test_a_process_that_hears_nothing_more_may_still_say_a_little() -> None:
    clock = TurnedClock()
    points = Points(clock, clock.sleep, lambda: 0.0)
    speaking = asyncio.create_task(points.pace(""))
    await asyncio.sleep(0)
    await clock.turn(1.0)
    assert speaking.done()
