"""Break what the local page stands on: it has no platform, but a database like every other adapter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.fault_rows import (
    BOUND,
    ENDED_NAME,
    LOCKED_NAME,
    STEP,
    Row,
    database,
    end_sessions,
    lock,
    measured,
)
from tests.adapters.chats import LocalPage

if TYPE_CHECKING:
    from collections.abc import Sequence

ANSWER = " has 240 credits"


@dataclass(frozen=True, slots=True)
class Fault:
    """`strike` is given the URL of the database; by `server` it is PostgreSQL."""

    name: str
    strike: Callable[[LocalPage, str], Awaitable[object]]
    server: bool = False


FAULTS: Sequence[Fault] = (
    Fault("all pages torn, and opened again", lambda page, _: page.outage()),
    Fault(LOCKED_NAME, lambda page, url: lock(url, lambda: page.say("early", "!credits"))),
    Fault(ENDED_NAME, lambda _, url: end_sessions(url), server=True),
)


async def on_local(fault: Fault) -> Row:
    """Strike once, and wait for an answer on the page."""
    async with database(server=fault.server) as (store, url):
        page, names = LocalPage(store, Path()), ["ann"]
        await page.open()
        try:
            await page.say("ann", "!credits")
            await page.until(lambda: ANSWER in page.reads("ann"))

            async def newcomer() -> None:
                names.append(f"fan{len(names)}")
                await page.say(names[-1], "!credits")
                await page.turn(STEP)  # its clock is turned by hand

            await fault.strike(page, url)
            seconds = await measured(
                lambda: sum(ANSWER in page.reads(each) for each in names), newcomer, BOUND
            )
        finally:
            await page.close()
    return Row("local page", fault.name, seconds, BOUND)
