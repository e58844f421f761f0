"""A history has one order, tells of each table once, and ends with what is held."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books.history import FIRST_READ, Histories, Movement
from chatbot.ledger.books.posting import Entry
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    HOUSE,
    MINT,
    POT,
    TABLE,
    gift,
    grant,
    joining,
    opening,
    posting,
    settling,
    wallet,
)  # fmt: skip

if TYPE_CHECKING:
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


@pytest.fixture
def histories(store: Store) -> Histories:
    return Histories(store, {"watch"})


def told(movements: list[Movement]) -> list[tuple[str, int, int]]:
    return [("/".join(each.whys), each.credits, each.balance) for each in movements]


async def test_nobody_has_no_history(histories: Histories) -> None:
    assert await histories.newest(wallet(ALICE), 5) == []


async def test_the_newest_comes_first_with_what_was_held_after_it(
    ledger: Ledger, histories: Histories
) -> None:
    await ledger.post(grant(ALICE, 240))
    await ledger.post(replace(gift(ALICE, BOB, 50), at=AT + SECOND))
    await ledger.post(replace(gift(BOB, ALICE, 8), at=AT + 2 * SECOND))
    movements = await histories.newest(wallet(ALICE), 5)
    assert told(movements) == [("gift", 8, 198), ("gift", -50, 190), ("payday", 240, 240)]
    assert [each.partner for each in movements] == [wallet(BOB), wallet(BOB), MINT]
    assert told(await histories.newest(wallet(BOB), 1)) == [("gift", -8, 42)]


async def test_all_of_one_table_is_one_movement_at_its_end(ledger: Ledger, histories: Histories) -> None:
    for each in (ALICE, BOB):
        await ledger.post(grant(each, 240))
    await ledger.post(replace(opening(ALICE, 69), at=AT + SECOND))
    await ledger.post(replace(joining(BOB, 31), at=AT + 2 * SECOND))
    await ledger.post(replace(gift(ALICE, BOB, 1), at=AT + 3 * SECOND))
    standing = (await histories.newest(wallet(ALICE), 9))[1]
    assert (standing.table, standing.game, standing.open, standing.credits) == (TABLE, "heist", True, -69)
    paid = Entry(POT, wallet(ALICE), 100, "winnings"), Entry(HOUSE, wallet(ALICE), 17, "winnings")
    await ledger.post(replace(settling(*paid), at=AT + 4 * SECOND))
    movements = await histories.newest(wallet(ALICE), 9)
    assert told(movements) == [("stake/winnings", 48, 287), ("gift", -1, 239), ("payday", 240, 240)]
    assert (movements[0].table, movements[0].open) == (TABLE, False)


async def test_postings_of_one_moment_have_the_order_in_which_they_were_written(
    ledger: Ledger, histories: Histories
) -> None:
    for name in ("b", "a", "c"):
        await ledger.post(replace(grant(ALICE, ord(name)), id=name))
    first = await histories.newest(wallet(ALICE), 3)
    assert [each.credits for each in first] == [ord(name) for name in "cab"]
    assert await histories.newest(wallet(ALICE), 2) == first[:2]


async def test_small_coin_of_one_day_is_one_movement(ledger: Ledger, histories: Histories) -> None:
    for number in range(3 * FIRST_READ):  # a coin every ten minutes, for more than two days
        coin = posting(Entry(MINT, wallet(ALICE), 1, "watch"))
        await ledger.post(replace(coin, at=AT + number * timedelta(minutes=10)))
    movements = await histories.newest(wallet(ALICE), 20)
    # AT is at 3:04, from which 126 coins fit into that day, and 144 into the next.
    assert told(movements) == [("watch", 30, 300), ("watch", 144, 270), ("watch", 126, 126)]


@pytest.mark.parametrize("seed", range(5))
async def test_each_balance_is_the_one_before_and_what_came_between(
    ledger: Ledger, histories: Histories, seed: int
) -> None:
    rng = Random(seed)
    for each in (ALICE, BOB):
        await ledger.post(grant(each, 1000))
    for number in range(1, 30):
        pair = rng.sample((ALICE, BOB), 2)
        moved = gift(pair[0], pair[1], rng.randint(1, 20))
        await ledger.post(replace(moved, at=AT + rng.randint(-5, number) * SECOND))
    movements = await histories.newest(wallet(ALICE), 20)
    assert movements[0].balance == (await ledger.balances([wallet(ALICE)]))[wallet(ALICE)]
    assert all(newer.balance - newer.credits == older.balance for newer, older in pairwise(movements))
    assert movements == sorted(movements, key=lambda each: each.at, reverse=True)
