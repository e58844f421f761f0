"""Duties are dealt evenly, stay where they are, and are taken over from who ends or seems to have ended."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from chatbot.ledger.store import schema
from chatbot.ledger.store.duties import LATE_INTERVAL, Dealing, Duties, Duty, Sharer, deal
from chatbot.ledger.store.gateways import Gateways
from chatbot.ledger.store.leases import RENEWAL
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from chatbot.runtime.session_budget import SessionLimits, SessionsExhausted
from tests.ledger.conftest import postgresql
from tests.ledger.test_leases import expire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection

NAMES = {f"home-{number}" for number in range(8)}


def member(number: int, share: int = 100, age: int = 0) -> Sharer:
    return Sharer(number, f"process {number}", share, age)


def shards(*owners: int | None) -> list[Duty]:
    return [Duty(f"hear-chat-{number}", owner, 40) for number, owner in enumerate(owners)]


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


def test_shards_are_dealt_by_their_number_among_those_who_can_hear_the_platform() -> None:
    members = [
        Sharer(1, "first", 100, 0, "hear-chat,upkeep"),
        Sharer(2, "second", 100, 0, "hear-chat"),
        Sharer(3, "without a token", 100, 0, "upkeep"),
        Sharer(4, "that leaves", 0, 0, "hear-chat"),
    ]
    assert deal(1, members, shards(1, 1, 1, 1)) == Dealing(give=("hear-chat-3", "hear-chat-2"))
    assert deal(2, members, shards(1, 1, None, None)) == Dealing(take=("hear-chat-2", "hear-chat-3"))
    assert deal(1, members, shards(1, 1, None, None)) == Dealing()  # it has more than the second one
    assert deal(3, members, shards(None, None)) == Dealing()
    assert deal(4, members, shards(4, 4)) == Dealing()
    assert deal(1, members, shards(1, 1, 2)) == Dealing()  # one more is even


def test_what_the_least_busy_cannot_do_is_taken_by_who_can() -> None:
    """Else a platform would be heard by nobody while a process without its token does least."""
    members = [Sharer(1, "first", 100, 0, "hear-chat"), Sharer(2, "without a token", 100, 0, "upkeep")]
    dealt = [*duties(*[1] * 4, *[2] * 2), Duty("hear-chat", None, 40)]
    busy = [each._replace(name=f"home-{number}") for number, each in enumerate(dealt[:-1])]
    assert deal(1, members, [*busy, dealt[-1]]).take == ("hear-chat",)
    assert deal(2, members, [*busy, dealt[-1]]).take == ()


@pytest.mark.parametrize("number", [2, 3, 5])
def test_shards_come_to_rest(number: int) -> None:
    owners: dict[str, int | None] = dict.fromkeys([f"hear-chat-{each}" for each in range(8)])
    members = [member(each) for each in range(1, number + 1)]
    for round_ in range(8):
        changes = 0
        for me in range(1, number + 1):
            result = deal(
                me, members[: 1 if round_ == 0 else number], [Duty(*each, 40) for each in owners.items()]
            )
            owners |= dict.fromkeys(result.take, me) | dict.fromkeys(result.give)
            changes += len(result.take) + len(result.give)
        if round_ > 3:
            assert changes == 0
    counts = [sum(owner == each for owner in owners.values()) for each in range(1, number + 1)]
    assert sum(counts) == 8
    assert max(counts) - min(counts) <= 1


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


@pytest.mark.postgres
async def test_another_number_of_shards_is_learnt_by_all_and_every_shard_begins_anew(own_url: str) -> None:
    async with dealt(own_url) as first, dealt(own_url) as second:
        gateways = Gateways(first.store)
        assert await gateways.agree("chat", 2) == 2
        for each in (first, second):
            await each.duties.add_shards("hear-chat")
        await first.watch.turn(RENEWAL)
        await second.watch.turn(RENEWAL)
        assert {name for each in (first, second) for name in each.duties.held if "chat" in name} == {
            "hear-chat-0",
            "hear-chat-1",
        }
        assert await gateways.agree("chat", 1) == 2, "it only grows by itself"
        assert await gateways.agree("chat", 3) == 3
        for _ in range(2):
            await first.watch.turn(RENEWAL)
            await second.watch.turn(RENEWAL)
        dropped = [names for each in (first, second) for kind, names in each.events if kind == "drop"]
        assert sorted(name for names in dropped for name in names) == ["hear-chat-0", "hear-chat-1"]
        assert len([name for each in (first, second) for name in each.duties.held if "chat" in name]) == 3
        assert await gateways.agree("chat", 1, exactly=True) == 1
        for _ in range(2):
            await first.watch.turn(RENEWAL)
            await second.watch.turn(RENEWAL)
        assert [name for each in (first, second) for name in each.duties.held if "chat" in name] == [
            "hear-chat-0"
        ]
        async with first.store.reading() as connection:
            names = (await connection.execute(select(schema.duty.c.name))).scalars()
            assert [each for each in names if "chat" in each] == ["hear-chat-0"]


@pytest.mark.postgres
async def test_sessions_of_all_processes_are_spaced_out_and_counted(own_url: str) -> None:
    async with dealt(own_url) as first, dealt(own_url) as second:
        one, other = Gateways(first.store), Gateways(second.store)
        assert await one.reserve("chat", 0, 0.0) == 0
        # Seconds from now, some of which pass meanwhile.
        assert 4.0 < await other.reserve("chat", 1, 0.0) <= 5.5
        assert 9.0 < await one.wait("chat", [2]) <= 11
        assert 14.0 < await one.wait("chat", [2, 3]) <= 16.5
        await one.learn("chat", SessionLimits(shards=4, total=1000, left=12, resets_in=3600.0, concurrency=2))
        assert await other.reserve("chat", 3, 0.0) == 0, "it is of another bucket"
        assert await other.reserve("chat", 5, 0.0) > 5
        with pytest.raises(SessionsExhausted) as refused:
            await one.reserve("chat", 0, 0.0)
        assert 3590 < refused.value.seconds <= 3600
