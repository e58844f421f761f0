"""The end of a season can be taken back: its leaderboard, its records, and the credits, all or nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Moved, Remembered
from chatbot.ledger.changes import AlreadyUndone, Changes
from chatbot.ledger.seasons import Seasons, SeasonState

from .endings import change_set, ending
from .samples import ALICE, AT, BOB, MINT, OPENING, grant, posting, wallet

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

LATER = AT + timedelta(days=30)


@pytest.fixture
def seasons(store: Store) -> Seasons:
    return Seasons(store)


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store)


async def play(seasons: Seasons, ledger: Ledger, table: str) -> None:
    await ledger.post(posting(opening=replace(OPENING, table=table), settles=True))
    await seasons.count("den", "heist", AT, table)


async def test_an_end_is_noted_with_what_it_does(store: Store, seasons: Seasons) -> None:
    end = ending(1)
    assert await seasons.close(end) == SeasonState(2, AT, 0)
    assert await Changes(store).newest("den") == [end.change_set]


async def test_the_same_change_set_ends_one_season_only(seasons: Seasons) -> None:
    end = ending(1)
    await seasons.close(end)
    assert await seasons.close(end) is None
    assert await seasons.close(replace(end, number=2)) is None, "done before"
    assert (await seasons.current("den", "heist", AT)).number == 2


async def test_a_season_that_is_not_on_is_not_ended(store: Store, seasons: Seasons) -> None:
    assert await seasons.close(ending(2)) is None
    assert (await seasons.current("den", "heist", AT)).number == 1
    assert await Changes(store).newest("den") == []


@pytest.mark.slow
async def test_an_end_is_taken_back_with_the_tables_played_since(seasons: Seasons, ledger: Ledger) -> None:
    for table in ("t1", "t2"):
        await play(seasons, ledger, table)
    end = ending(1, [(ALICE, "Alice", 5)], LATER)
    await seasons.close(end)
    await play(seasons, ledger, "t3")
    again = await seasons.reopen(change_set(2, 1, LATER, undoes=end.change_set.id), "heist", 1, [])
    assert again == SeasonState(1, AT, 3) == await seasons.current("den", "heist", LATER)
    assert await seasons.last("den", "heist") == []


async def test_the_archive_before_it_is_the_last_again(seasons: Seasons) -> None:
    await seasons.close(ending(1, [(ALICE, "Alice", 1)]))
    await seasons.close(ending(2, [(BOB, "Bob", 2)]))
    await seasons.reopen(change_set(3, 2), "heist", 2, [])
    assert [each.seat for each in await seasons.last("den", "heist")] == [ALICE]


async def test_records_come_back_and_count_for_more_than_those_made_since(
    seasons: Seasons, ledger: Ledger
) -> None:
    await ledger.post(posting(records=(Remembered("den", "heist", ALICE, "a career"),)))
    await seasons.close(ending(1, forgets=True))
    assert await ledger.records("den", "heist") == {}
    since = Remembered("den", "heist", ALICE, "a new one"), Remembered("den", "heist", BOB, "his first")
    await ledger.post(posting(records=since))
    await seasons.reopen(change_set(2, 1), "heist", 1, [])
    assert await ledger.records("den", "heist") == {ALICE: "a career", BOB: "his first"}


@pytest.mark.slow
async def test_a_season_may_end_again_after_it_was_taken_back(seasons: Seasons, ledger: Ledger) -> None:
    await ledger.post(posting(records=(Remembered("den", "heist", ALICE, "a career"),)))
    for _ in range(2):
        await seasons.close(ending(1, [(ALICE, "Alice", 1)], forgets=True))
        await seasons.reopen(change_set(2, 1), "heist", 1, [])
    assert await ledger.records("den", "heist") == {ALICE: "a career"}


async def test_an_end_is_taken_back_once(seasons: Seasons) -> None:
    end = ending(1)
    await seasons.close(end)
    await seasons.reopen(change_set(2, 1, undoes=end.change_set.id), "heist", 1, [])
    await seasons.close(ending(1))
    with pytest.raises(AlreadyUndone):
        await seasons.reopen(change_set(2, 1, undoes=end.change_set.id), "heist", 1, [])
    assert (await seasons.current("den", "heist", AT)).number == 2


async def test_only_the_last_end_is_taken_back(seasons: Seasons) -> None:
    await seasons.close(ending(1))
    await seasons.close(ending(2))
    assert await seasons.reopen(change_set(2, 1), "heist", 1, []) is None
    assert (await seasons.current("den", "heist", AT)).number == 3


async def test_nothing_is_taken_back_where_the_credits_cannot_be(seasons: Seasons, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await seasons.close(ending(1))
    late = posting(Entry(wallet(ALICE), MINT, 60, "season"), expects={wallet(ALICE): 99})
    with pytest.raises(Moved):
        await seasons.reopen(change_set(2, 1), "heist", 1, [late])
    assert (await seasons.current("den", "heist", AT)).number == 2
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}
