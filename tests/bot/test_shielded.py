"""Work that callers cannot cancel goes on to its end, whoever holds a reference to it."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from chatbot.runtime.shielded import ShieldedWork


class Page:
    """What a piece of work waits for, and nobody else knows."""

    def __init__(self) -> None:
        self.closed = asyncio.get_running_loop().create_future()


async def test_work_to_which_nobody_holds_a_reference_goes_on() -> None:
    work, done, pages = ShieldedWork(), asyncio.Event(), list[weakref.ref[Page]]()

    async def write() -> None:
        page = Page()
        pages.append(weakref.ref(page))
        await page.closed
        done.set()

    work.start(write())
    await asyncio.sleep(0)
    gc.collect()
    page = pages[0]()
    assert page is not None, "the task was collected"
    page.closed.set_result(None)
    await work.settle()
    assert done.is_set()


async def test_a_caller_who_is_cancelled_does_not_cancel_the_work() -> None:
    work, page, done = ShieldedWork(), Page(), asyncio.Event()

    async def write() -> str:
        await page.closed
        done.set()
        return "written"

    caller = asyncio.ensure_future(work.finish(write()))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    page.closed.set_result(None)
    await work.settle()
    assert done.is_set()
    assert await work.finish(write()) == "written"


async def test_to_settle_waits_for_work_that_other_work_has_started() -> None:
    work, written = ShieldedWork(), list[str]()

    async def follow() -> None:
        for _ in range(10):  # longer than the first takes
            await asyncio.sleep(0)
        written.append("second")

    async def write() -> None:
        await asyncio.sleep(0)
        work.start(follow())
        written.append("first")

    work.start(write())
    await work.settle()
    assert written == ["first", "second"]


async def test_what_has_ended_is_held_no_longer_and_its_failure_reaches_the_caller() -> None:
    work = ShieldedWork()

    async def fail() -> None:
        raise ValueError("no disk")

    with pytest.raises(ValueError, match="no disk"):
        await work.finish(fail())
    work.start(fail())  # nobody waits for it: that is no warning of the event loop
    await work.settle()
    gc.collect()
    assert work._tasks == set()
