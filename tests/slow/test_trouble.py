"""A database in trouble that takes longer: a small disk, a patient wait, and a server that hangs up."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.lifecycle import LEAST_LEFT
from chatbot.ownership import CHECK_INTERVAL, Ownership
from tests.bot.stage import Stage, seat
from tests.ledger.conftest import administrate, postgresql
from tests.slow.trouble import (
    AGAIN,
    CREW,
    GETAWAY,
    LOBBY,
    SUSPENSE,
    TRY_AGAIN,
    filled,
    held,
    in_front_of_the_bank,
    opened,
    url_of,
    waits_for_space,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DISK, FREE = 8_000_000, 400_000  # bytes of a small disk, and of those that are left when it is all but full
DROPS = 30


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux may mount a small disk")
    (folder := tmp_path / "disk").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "rabble", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"a small disk cannot be mounted here: {getattr(error, 'stderr', error)}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_refuses_what_it_cannot_hold_and_all_goes_on_once_there_is_space(
    small_disk: Path,
) -> None:
    ballast = small_disk / "ballast"

    async def make_space() -> None:
        ballast.unlink()

    async with opened(url_of(small_disk / "rabble.db")) as stage:
        await in_front_of_the_bank(stage)
        ballast.write_bytes(bytes(shutil.disk_usage(small_disk).free - FREE))
        await filled(stage)
        await waits_for_space(stage, make_space)


@pytest.mark.usefixtures("threads")
async def test_commands_wait_for_another_process_that_writes_for_two_seconds(tmp_path: Path) -> None:
    file = tmp_path / "rabble.db"
    async with opened(url_of(file)) as stage:
        ann, bob = CREW[:2]
        await stage.say(bob, "hello")
        with held(file) as let_go:
            loop = asyncio.get_running_loop()
            asked, came = [stage.say(ann, "!heist 20"), stage.say(bob, "!heist 30")], loop.time()
            loop.call_later(2, let_go)
            told = await asyncio.gather(*asked)
            assert loop.time() - came > 1.9
        assert TRY_AGAIN not in str(told)
        assert await stage.pot() == 50


# A server that hangs up


async def hang_up(url: str, seconds: float = 0) -> None:
    """End every connection of a database, a moment from now."""
    await asyncio.sleep(seconds)
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"  # noqa: S608  (our own)
    await administrate(ended, database=url.rpartition("/")[2])


async def staked(stage: Stage) -> set[str]:
    """List who has a stake at the table, by the books."""
    story = await stage.bot.parts.lifecycle._journal.of(stage.table.id)
    assert story is not None
    entries = [entry for step in story.steps for entry in step.entries if entry.why == "stake"]
    return {entry.source.owner.rpartition(":")[2] for entry in entries}


@pytest.mark.postgres
async def test_a_server_that_hangs_up_at_any_moment_loses_no_stake_and_needs_no_restart() -> None:
    rng, told = Random("drops"), {}
    async with postgresql() as url, opened(url) as stage:
        Ownership(stage.store.leases, stage.bot, stage.watch, lambda _: None).start()
        await stage.say("opener", "!heist 20")
        for each in (f"person{number}" for number in range(DROPS)):
            drop = asyncio.create_task(hang_up(url, rng.uniform(0, 0.05)))
            told[each] = "".join(await stage.say(each, "!heist 20"))
            await drop
            await stage.say(each, "!credits")  # whoever writes meets the loss of the connection, too
        await stage.turn(2 * CHECK_INTERVAL)  # in which the lease is renewed, by new connections
        assert stage.room.stopped == ""
        await stage.say("opener", "!heist 20")  # a table that lost an answer looks now
        in_books, in_crew = await staked(stage), stage.table.state.company.crew
        assert {mate.seat for mate in in_crew} == {seat(each) for each in in_books}
        assert {each for each, text in told.items() if "You are in with 20" in text} <= in_books
        assert not {each for each, text in told.items() if TRY_AGAIN in text} & in_books
        assert all(told.values())
        for seconds in (LOBBY, GETAWAY, SUSPENSE, AGAIN):
            await hang_up(url)
            await stage.turn(seconds + LEAST_LEFT)  # which a table has at least when it goes on
        assert stage.table.over
        assert await stage.pot() == 0
