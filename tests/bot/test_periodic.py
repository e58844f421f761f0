"""Periodic work: at its times, never twice at once, whatever fails, until it is stopped."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from chatbot import log
from chatbot.runtime.clock import HandWatch, LoopWatch
from chatbot.runtime.periodic import Periodic


class Runs:
    """Work that notes when it is done, on the watch."""

    def __init__(self, watch: HandWatch, pauses: list[float | None] | None = None) -> None:
        self.at = list[float]()
        self._watch, self._pauses = watch, pauses or []

    async def work(self) -> float | None:
        self.at.append(self._watch.now())
        return self._pauses.pop(0) if self._pauses else None


async def test_work_is_done_a_period_after_the_start_and_then_again_and_again() -> None:
    watch = HandWatch()
    runs = Runs(watch)
    Periodic(watch, 10, runs.work).start()
    await watch.turn(35)
    assert runs.at == [10, 20, 30]


async def test_the_first_run_may_have_a_delay_of_its_own() -> None:
    watch = HandWatch()
    runs = Runs(watch)
    Periodic(watch, 10, runs.work).start(0)
    await watch.turn()
    assert runs.at == [0]
    await watch.turn(25)
    assert runs.at == [0, 10, 20]


async def test_work_may_say_when_it_is_to_be_done_again() -> None:
    watch = HandWatch()
    runs = Runs(watch, [3, None, 0.5])
    Periodic(watch, 10, runs.work).start()
    await watch.turn(30)
    assert runs.at == [10, 13, 23, 23.5]


async def test_a_second_start_changes_nothing() -> None:
    watch = HandWatch()
    runs = Runs(watch)
    periodic = Periodic(watch, 10, runs.work)
    periodic.start()
    await watch.turn(6)
    periodic.start()
    periodic.start(0)
    await watch.turn(15)
    assert runs.at == [10, 20]


async def test_what_is_stopped_is_not_done_and_can_be_started_again() -> None:
    watch = HandWatch()
    runs = Runs(watch)
    periodic = Periodic(watch, 10, runs.work)
    periodic.start()
    assert periodic.started
    await watch.turn(12)
    periodic.stop()
    assert not periodic.started
    await watch.turn(100)
    assert runs.at == [10]
    periodic.start()
    await watch.turn(10)
    assert runs.at == [10, 122]


async def test_work_that_stops_itself_is_done_once_unless_it_is_started_meanwhile() -> None:
    watch, at = HandWatch(), list[float]()

    async def work() -> None:
        at.append(watch.now())
        periodic.stop()
        if len(at) == 1:
            periodic.start(0)  # from now on, but not before this run has ended

    periodic = Periodic(watch, 10, work)
    periodic.start()
    await watch.turn(100)
    assert at == [10, 20]


async def test_work_that_fails_is_done_again_and_its_failure_is_left_to_the_watch() -> None:
    watch, at = HandWatch(), list[float]()

    async def work() -> None:
        at.append(watch.now())
        raise ValueError("on purpose")

    Periodic(watch, 10, work).start()
    for _ in range(2):
        with pytest.raises(ValueError, match="on purpose"):
            await watch.turn(10)
    assert at == [10, 20]


async def test_a_failure_on_the_running_watch_is_logged_and_the_work_goes_on() -> None:
    log.configure("error")
    watch, done = LoopWatch(), asyncio.Event()

    async def work() -> None:
        if len(logged) == 2:
            done.set()
            return
        raise ValueError("on purpose")

    periodic = Periodic(watch, 0.001, work)
    with capture_logs() as logged:
        periodic.start()
        await asyncio.wait_for(done.wait(), 5)
    periodic.stop()
    assert [(each["log_level"], each["event"]) for each in logged] == [("error", "an alarm failed")] * 2


async def test_slow_work_is_never_done_twice_at_once_and_pauses_for_a_period() -> None:
    watch, going_on, first, second = LoopWatch(), asyncio.Event(), asyncio.Event(), asyncio.Event()
    loop, began = asyncio.get_running_loop(), list[float]()

    async def work() -> None:
        began.append(loop.time())
        (second if first.is_set() else first).set()
        await going_on.wait()

    periodic = Periodic(watch, 0.01, work)
    periodic.start(0)
    await first.wait()
    periodic.stop()
    periodic.start(0)
    await asyncio.sleep(0.03)
    assert len(began) == 1
    ended = loop.time()
    going_on.set()
    await asyncio.wait_for(second.wait(), 5)
    assert began[1] >= ended + 0.01
    periodic.stop()
    await watch.settle()


async def test_an_alarm_whose_task_exists_already_does_nothing_after_a_stop() -> None:
    watch, done = LoopWatch(), list[str]()

    async def work() -> None:
        done.append("work")

    periodic = Periodic(watch, 60, work)
    periodic.start(0)
    # The loop calls back the alarm, which makes a task, before this; the task has not run yet.
    asyncio.get_running_loop().call_later(0, periodic.stop)
    await asyncio.sleep(0.01)
    await watch.settle()
    assert done == []
