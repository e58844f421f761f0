"""Postings that meet, through one store or two: credits are paid once, and nobody waits in a circle."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Entry, Moved, Posting, Short
from chatbot.ledger.store.store import Store

from .samples import (
    ALICE,
    AT,
    BOB,
    HOME,
    HOUSE,
    MINT,
    OPENING,
    POT,
    TABLE,
    gift,
    grant,
    posting,
    settling,
    staked,
    wallet,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Collection

    from chatbot.ledger.books.purses import Purse

pytestmark = pytest.mark.slow


async def accepted(attempts: Collection[Awaitable[bool]]) -> int:
    """Run all at once; count those written now, and allow no other refusal than Short."""
    results = await asyncio.gather(*attempts, return_exceptions=True)
    assert all(each in {True, False} or isinstance(each, Short) for each in results), results
    return results.count(True)


async def test_of_200_concurrent_stakes_of_10_a_wallet_of_100_pays_10(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(posting(opening=OPENING))
    stakes = [posting(Entry(wallet(ALICE), POT, 10, "stake"), table=TABLE) for _ in range(200)]
    assert await accepted([ledger.post(each) for each in stakes]) == 10
    assert await ledger.balances([wallet(ALICE), POT]) == {wallet(ALICE): 0, POT: 100}


@pytest.mark.usefixtures("threads")
async def test_two_stores_on_one_database_cannot_overdraw_together(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    await ledger.post(grant(ALICE, 100))
    both = [(each, gift(ALICE, BOB, 10)) for each in (ledger, Ledger(other)) for _ in range(100)]
    assert await accepted([each.post(stake) for each, stake in both]) == 10
    assert await ledger.balances([wallet(ALICE), wallet(BOB)]) == {wallet(ALICE): 0, wallet(BOB): 100}
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_two_stores_that_touch_the_same_accounts_never_wait_in_a_circle(
    url: str, ledger: Ledger
) -> None:
    other = await Store.open(url)
    luck = random.Random(7)

    def shuffle(names: list[Purse]) -> Posting:
        luck.shuffle(names)
        paid = [Entry(MINT, name, 1, "payday") for name in names]
        passed = [Entry(source, target, 1, "win") for source, target in pairwise([HOUSE, *names])]
        return posting(*paid, *passed)

    for day in range(5):  # each with accounts that are new to both
        names = [wallet(Seat(f"twitch:{day}.{number}")) for number in range(300)]
        both = [each.post(shuffle(names)) for each in (ledger, Ledger(other)) for _ in range(2)]
        assert await accepted(both) == 4
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_of_two_decisions_on_one_balance_one_holds(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    for held in range(20):
        payday = Entry(MINT, wallet(ALICE), 1, "payday")
        both = [each.post(posting(payday, expects={wallet(ALICE): held})) for each in (ledger, Ledger(other))]
        first, second = await asyncio.gather(*both, return_exceptions=True)
        assert (first is True and isinstance(second, Moved)) or (second is True and isinstance(first, Moved))
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_one_posting_id_through_two_stores_is_written_once(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    grants = [grant(ALICE, 1) for _ in range(30)]
    assert await accepted([each.post(one) for one in grants for each in (ledger, Ledger(other))]) == 30
    ledger._store.memory.forget_all()  # which knows nothing of what the other has written last
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 30}
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_of_an_end_and_a_void_at_once_one_happens(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    await staked(ledger)
    ends = [settling(Entry(POT, HOUSE, 40, "loss")) for _ in range(5)]
    results = await asyncio.gather(
        *(ledger.post(each) for each in ends),
        *(Ledger(other).void(TABLE, AT) for _ in range(5)),
        return_exceptions=True,
    )
    assert [each for each in results if each and not isinstance(each, Closed)] in (
        [True],
        [(Entry(POT, wallet(ALICE), 40, "refund"),)],
    )
    await other.close()


@pytest.mark.usefixtures("threads")
async def test_a_stake_that_meets_a_void_is_refunded_or_refused(url: str, ledger: Ledger) -> None:
    other = await Store.open(url)
    await ledger.post(grant(ALICE, 100))
    for number in range(10):
        table = f"t{number}"
        await ledger.post(posting(opening=replace(OPENING, table=table)))
        stake = posting(Entry(wallet(ALICE), purses.pot(HOME, table), 40, "stake"), table=table)
        taken, void = await asyncio.gather(
            ledger.post(stake), Ledger(other).void(table, AT), return_exceptions=True
        )
        refund = (Entry(purses.pot(HOME, table), wallet(ALICE), 40, "refund"),)
        assert (taken is True and void == refund) or (isinstance(taken, Closed) and void == ())
    ledger._store.memory.forget_all()  # the other one has no lease, and tells nobody
    assert await ledger.balances([wallet(ALICE)]) == {wallet(ALICE): 100}
    await other.close()
