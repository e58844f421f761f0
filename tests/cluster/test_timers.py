"""What is done by the clock is done by one of several processes, and by the next one when that is killed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from chatbot.cluster.partitions import UPKEEP
from chatbot.ledger.archive.archive import Archive
from chatbot.ledger.store.leases import LEASE
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from chatbot.upkeep import CHECK_INTERVAL, PAUSE, Backups, Upkeep
from tests.cluster.processes import Process, eventually, home_of, processes

pytestmark = pytest.mark.postgres


class Kept:
    """The upkeep of a process, whose clock is turned by hand, and what it has done."""

    def __init__(self, process: Process) -> None:
        # In two days what is played now is old enough for the archive.
        self.process, self.watch = process, HandWatch(datetime.now(UTC) + timedelta(days=2))
        self.upkeep = Upkeep(
            process.store, process.bot, self.watch, Backups(None), lambda _: None, archive_days=1
        )
        self.upkeep.is_ours = lambda: process.cluster.does(UPKEEP)
        self.upkeep.announce = lambda communities, halted: process.cluster.changes.tell_doubt(
            communities, halted=halted
        )
        self.audits = 0
        check = self.upkeep.checkpoints.check

        async def counted(*of: Any, **named: Any) -> Any:
            self.audits += 1
            return await check(*of, **named)

        self.upkeep.checkpoints.check = counted  # type: ignore[method-assign]

    async def turn(self) -> None:
        await self.watch.turn(CHECK_INTERVAL)
        for _ in range(10):
            await self.watch.turn(PAUSE)


async def test_audits_and_the_archive_are_one_process_and_then_the_next(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    portions = list[Store]()
    portion = Archive.portion

    async def noted(archive: Archive, *of: Any) -> Any:
        portions.append(archive._store)
        return await portion(archive, *of)

    monkeypatch.setattr(Archive, "portion", noted)
    async with processes(own_url, 2) as pair:
        kept = [Kept(each) for each in pair]
        for each in kept:
            await each.upkeep.start()
            assert each.audits == 1  # each reads before it lets games begin
        (doer,) = [each for each in kept if each.process.cluster.does(UPKEEP)]
        (other,) = [each for each in kept if each is not doer]
        for _ in range(3):
            await asyncio.gather(*(each.turn() for each in kept))
        assert (doer.audits, other.audits) == (4, 1)
        assert {*portions} == {doer.process.store}
        await doer.process.die()
        await eventually(lambda: other.process.cluster.does(UPKEEP), LEASE + 3)
        portions.clear()
        await other.turn()
        assert other.audits == 2
        assert {*portions} == {other.process.store}


async def test_books_in_doubt_stop_the_games_of_all_processes(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!credits")
        first.cluster.changes.tell_doubt(frozenset({room}), halted=False)
        await eventually(lambda: second.bot.rooms[room].stopped == "games-stopped")
        first.cluster.changes.tell_doubt(frozenset(), halted=False)
        await eventually(lambda: not second.bot.rooms[room].stopped)


async def test_a_room_that_was_left_ends_no_season_here(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(first)
        await first.open(room)
        await first.say(room, "ann", "!credits")
        deadlines = first.bot.parts.deadlines
        here = first.bot.rooms[room]
        assert here in deadlines._checks
        await first.bot.control.withdraw([here])
        await deadlines._check(here)
        assert here not in deadlines._checks
        assert second.bot.parts.deadlines._checks.keys() == {*()}
