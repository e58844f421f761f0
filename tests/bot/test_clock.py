"""Two clocks: one is turned by hand, to the instant; one runs, and keeps what it starts."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from chatbot.runtime.clock import HandWatch, LoopWatch


async def test_alarms_ring_in_order_and_exactly_at_their_time() -> None:
    watch, rung = HandWatch(), []

    def note(name: str) -> None:
        async def ring() -> None:
            rung.append((name, watch.now()))

        watch.ring({"late": 5, "early": 2, "second": 2}[name], ring)

    note("late")
    note("early")
    note("second")
    await watch.turn(1.5)
    assert rung == []
    await watch.turn(10)
    assert rung == [("early", 2), ("second", 2), ("late", 5)]
    assert watch.now() == 11.5


async def test_an_alarm_set_by_an_alarm_rings_in_the_same_turn() -> None:
    watch, rung = HandWatch(), []

    async def first() -> None:
        watch.ring(1, second)

    async def second() -> None:
        rung.append(watch.now())

    watch.ring(1, first)
    await watch.turn(2)
    assert rung == [2]


async def test_a_cancelled_alarm_stays_silent() -> None:
    watch, rung = HandWatch(), []

    async def ring() -> None:
        rung.append(1)

    watch.ring(1, ring).cancel()
    await watch.turn(2)
    assert rung == []


def test_the_date_of_the_hand_watch_follows_its_hands() -> None:
    start = datetime(2026, 5, 1, tzinfo=UTC)
    watch = HandWatch(start)
    asyncio.run(watch.turn(90))
    assert watch.date() == start + timedelta(seconds=90)


async def test_the_running_watch_waits_for_what_it_started_and_survives_an_error() -> None:
    watch, done = LoopWatch(), asyncio.Event()

    async def fail() -> None:
        raise ValueError("on purpose")

    async def finish() -> None:
        done.set()

    watch.ring(0, fail)
    watch.ring(0, finish)
    await asyncio.wait_for(done.wait(), 5)
    await watch.settle()
    assert watch.date().tzinfo is UTC
