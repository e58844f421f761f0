"""Duties are dealt evenly, stay where they are, and are taken over from who ends or seems to have ended."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store.duties import LATE_INTERVAL, Dealing, Duties, Duty, Sharer, deal
from chatbot.ledger.store.leases import RENEWAL
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from tests.ledger.conftest import postgresql
from tests.ledger.test_leases import expire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection

NAMES = {f"home-{number}" for number in range(8)}


def member(number: int, share: int = 100, age: int = 0) -> Sharer:
    return Sharer(number, f"process {number}", share, age)


def duties(*owners: int | None, load: int = 10) -> list[Duty]:
    return [Duty(f"d{number}", owner, load) for number, owner in enumerate(owners)]


def test_who_is_alone_takes_everything() -> None:
    assert deal(1, [member(1)], duties(None, None, None)) == Dealing(take=("d0", "d1", "d2"))


def test_what_is_of_a_process_without_a_sign_of_life_is_free() -> None:
    assert deal(1, [member(1)], duties(1, 9, 9)) == Dealing(take=("d1", "d2"))


def test_whoever_ends_keeps_what_it_has_until_it_gives_it_up_and_takes_nothing() -> None:
    members = [member(1, share=0), member(2)]
    assert deal(1, members, duties(1, None)) == Dealing()
    assert deal(2, members, duties(1, None)) == Dealing(take=("d1",))


def test_one_that_joins_gets_a_fair_part_from_those_that_have_more() -> None:
    members, dealt = [member(1), member(2)], duties(1, 1, 1, 1)
    assert deal(1, members, dealt) == Dealing(give=("d0", "d1"))
    assert deal(2, members, dealt) == Dealing()


def test_what_is_fair_stays_where_it_is() -> None:
    members = [member(1), member(2), member(3)]
    for me in (1, 2, 3):
        assert deal(me, members, duties(1, 1, 2, 2, 3)) == Dealing()


def test_a_share_may_be_smaller() -> None:
    members = [member(1, share=300), member(2, share=100)]
    assert deal(1, members, duties(1, 1, 1, 1)) == Dealing(give=("d0",))


def test_work_counts_and_not_the_number() -> None:
    heavy = [Duty("heavy", 1, 100), *duties(1, 1, 1, 1)]
    # 140 in all: 70 each, and the heavy one would only make the other process the one with too much.
    assert deal(1, [member(1), member(2)], heavy) == Dealing(give=("d0", "d1", "d2", "d3"))


def test_the_hearing_of_a_platform_is_given_up_last() -> None:
    dealt = [Duty("hear-chat", 1, 40), *duties(1, 1, 1, 1, 1, 1)]
    # 100 in all: 50 each.
    assert deal(1, [member(1), member(2)], dealt) == Dealing(give=("d0", "d1", "d2", "d3", "d4"))


def test_everything_that_is_free_is_taken_by_somebody() -> None:
    """Also where each process has nearly its part, and one duty is more than any of them lacks."""
    members = [member(number) for number in range(1, 6)]
    dealt = [*duties(1, 2, 3, 4, 5, load=30), Duty("free", None, 29)]
    takers = [me for me in range(1, 6) if deal(me, members, dealt).take]
    assert takers


@pytest.mark.parametrize("number", [2, 3, 5])
def test_processes_that_deal_by_turns_come_to_rest(number: int) -> None:
    owners: dict[str, int | None] = dict.fromkeys([f"d{each}" for each in range(64)])
    members = [member(each) for each in range(1, number + 1)]
    for round_ in range(10):
        changes = 0
        for me in range(1, number + 1):
            result = deal(me, members, [Duty(name, owner, 10) for name, owner in owners.items()])
            owners |= dict.fromkeys(result.take, me) | dict.fromkeys(result.give)
            changes += len(result.take) + len(result.give)
        if round_ > 3:
            assert changes == 0
    counts = [sum(owner == each for owner in owners.values()) for each in range(1, number + 1)]
    assert sum(counts) == 64
    assert max(counts) - min(counts) <= 64 // number * 0.25 + 1


@pytest.fixture
async def own_url() -> AsyncIterator[str]:
    async with postgresql() as url:
        await (await Store.open(url)).close()
        yield url


class Dealt:
    """The duties of one process, and what it was told of them."""

    def __init__(self, store: Store, watch: HandWatch) -> None:
        self.store, self.watch, self.events = store, watch, list[tuple[str, tuple[str, ...]]]()
        self.duties = Duties(
            store, {*NAMES}, watch, begin=self._note("begin"), end=self._note("end"), drop=self._note("drop")
        )

    def _note(self, kind: str) -> Callable[[Collection[str]], Awaitable[None]]:
        async def note(names: Collection[str]) -> None:
            self.events.append((kind, tuple(sorted(names))))

        return note


@asynccontextmanager
async def dealt(url: str) -> AsyncIterator[Dealt]:
    watch = HandWatch()
    store = await Store.open(url, watch=watch)
    try:
        process = Dealt(store, watch)
        await process.duties.join()
        yield process
    finally:
        await store.close()


@pytest.mark.postgres
async def test_a_second_process_gets_half_and_all_of_it_once_the_first_has_left(own_url: str) -> None:
    async with dealt(own_url) as first, dealt(own_url) as second:
        assert first.duties.held == NAMES
        await first.watch.turn(RENEWAL)
        assert len(first.duties.held) == 4
        assert first.events[-1] == ("end", tuple(sorted(NAMES - first.duties.held)))
        await second.watch.turn(RENEWAL)
        assert second.duties.held == NAMES - first.duties.held
        before = {*second.duties.held}
        await first.duties.leave()
        await second.watch.turn(RENEWAL)
        assert second.duties.held == NAMES
        assert second.events[-1] == ("begin", tuple(sorted(NAMES - before)))
        assert first.duties.held == set()
        await first.watch.turn(RENEWAL)  # who leaves takes nothing
        assert first.duties.held == set()


@pytest.mark.postgres
async def test_who_shows_no_sign_of_life_is_looked_at_often_and_followed(own_url: str) -> None:
    async with dealt(own_url) as first, dealt(own_url) as second:
        await first.watch.turn(RENEWAL)
        await second.watch.turn(RENEWAL)
        half = {*first.duties.held}
        await expire(first.store)
        await second.watch.turn(RENEWAL)
        assert second.duties.held == NAMES
        # It was only stopped: it learns that others have what was its own.
        await first.store.leases.renew()
        await first.duties.look()
        assert first.events[-1] == ("drop", tuple(sorted(half)))
        assert first.duties.held == set()


@pytest.mark.postgres
async def test_while_one_looks_late_others_look_often(own_url: str) -> None:
    async with dealt(own_url) as first, dealt(own_url) as second:
        await second.watch.turn(RENEWAL)
        await expire(first.store, seconds=3.0)
        await second.watch.turn(RENEWAL)  # still within the lease
        assert second.duties.held == set()
        await expire(first.store)
        await second.watch.turn(LATE_INTERVAL)
        assert second.duties.held == NAMES
