from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Moved, Remembered
from chatbot.ledger.seasons import SeasonPlacing, Seasons, SeasonState

from .endings import ending
from .samples import ALICE, AT, BOB, MINT, OPENING, grant, posting, wallet

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

LATER = AT + timedelta(days=30)


@pytest.fixture
def seasons(store: Store) -> Seasons:
    return Seasons(store)


async def test_the_first_look_starts_the_first_season(seasons: Seasons) -> None:
    assert await seasons.current("den", "heist", AT) == SeasonState(1, AT, 0)
    assert await seasons.current("den", "heist", LATER) == SeasonState(1, AT, 0)


async def counted(seasons: Seasons, *tables: str) -> list[SeasonState]:
    """Let tables end, and count them all at once."""
    ledger = Ledger(seasons._store)
    for table in tables:
        await ledger.post(posting(opening=replace(OPENING, table=table), settles=True))
    return await asyncio.gather(*[seasons.count("den", "heist", AT, table) for table in tables])


@pytest.mark.slow
async def test_the_first_table_starts_the_first_season_too(seasons: Seasons) -> None:
    assert await counted(seasons, "t1") == [SeasonState(1, AT, 1)]


@pytest.mark.slow
async def test_no_table_is_miscounted(seasons: Seasons) -> None:
    await counted(seasons, *(f"t{number}" for number in range(20)))
    assert await seasons.current("den", "heist", LATER) == SeasonState(1, AT, 20)


@pytest.mark.slow
async def test_a_table_is_counted_once_however_often_its_end_is_told(seasons: Seasons) -> None:
    await counted(seasons, "t1", "t2")
    for _ in range(3):
        assert await seasons.count("den", "heist", LATER, "t1") == SeasonState(1, AT, 2)


@pytest.mark.slow
async def test_many_may_look_first_at_once(seasons: Seasons) -> None:
    looks = await asyncio.gather(*[seasons.current("den", "heist", AT) for _ in range(10)])
    assert looks == [SeasonState(1, AT, 0)] * 10


async def test_the_end_of_a_season_is_archived_and_starts_the_next(seasons: Seasons) -> None:
    await counted(seasons, "t1")
    assert await seasons.last("den", "heist") == []
    after = await seasons.close(ending(1, [(BOB, "Bob", 90), (ALICE, "Al\0ice", 90)], LATER))
    assert after == await seasons.current("den", "heist", LATER) == SeasonState(2, LATER, 0)
    assert await seasons.last("den", "heist") == [
        SeasonPlacing(1, 1, BOB, "Bob", 90),
        SeasonPlacing(1, 2, ALICE, "Al\N{REPLACEMENT CHARACTER}ice", 90),
    ]


async def test_the_newest_archive_is_the_last(seasons: Seasons) -> None:
    await seasons.close(ending(1, [(ALICE, "Alice", 1)]))
    await seasons.close(ending(2, [(BOB, "Bob", 2)], LATER))
    assert await seasons.last("den", "heist") == [SeasonPlacing(2, 1, BOB, "Bob", 2)]
    await seasons.close(ending(3, [], LATER))
    assert await seasons.last("den", "heist") == []


async def test_rooms_and_games_have_seasons_of_their_own(seasons: Seasons) -> None:
    await seasons.close(ending(1, [(ALICE, "Alice", 1)]))
    for room, game in (("bar", "heist"), ("den", "highshow")):
        assert await seasons.last(room, game) == []
        assert await seasons.current(room, game, LATER) == SeasonState(1, LATER, 0)


@pytest.mark.slow
async def test_a_season_ends_with_its_records_and_wallets_begun_afresh(
    store: Store, seasons: Seasons
) -> None:
    ledger = Ledger(store)
    await ledger.post(grant(ALICE, 100))
    kept = [Remembered("den", "highshow", ALICE, "h"), Remembered("bar", "heist", ALICE, "b")]
    await ledger.post(posting(records=(Remembered("den", "heist", ALICE, "a"), *kept)))
    resets = posting(Entry(wallet(ALICE), MINT, 60, "season"), expects={wallet(ALICE): 100})
    await seasons.close(ending(1, [(ALICE, "Alice", 100)], LATER, forgets=True, resets=[resets]))
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 40}  # 100 - 60
    assert await ledger.records("den", "heist") == {}
    assert await ledger.records("den", "highshow") == {ALICE: "h"}
    assert await ledger.records("bar", "heist") == {ALICE: "b"}


async def test_a_reset_that_comes_too_late_ends_no_season(store: Store, seasons: Seasons) -> None:
    ledger = Ledger(store)
    await ledger.post(grant(ALICE, 100))
    await ledger.post(posting(records=(Remembered("den", "heist", ALICE, "a"),)))
    resets = posting(Entry(wallet(ALICE), MINT, 60, "season"), expects={wallet(ALICE): 99})
    with pytest.raises(Moved):
        await seasons.close(ending(1, [], LATER, forgets=True, resets=[resets]))
    assert (await seasons.current("den", "heist", LATER)).number == 1
    assert await ledger.records("den", "heist") == {ALICE: "a"}
    assert await seasons.last("den", "heist") == []
