"""Credits that move back and forth add up to more than 64 bits hold, though nobody ever has many of them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import BigInteger, false, literal, select, union_all

from chatbot.kernel.amounts import MOST
from chatbot.ledger.audit.checks import UNIT, Sum, breaches, combine_sums
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import GIFT, Entry
from chatbot.ledger.incomes import Incomes
from chatbot.ledger.limits import GiftLimits, GivingLimitReached
from chatbot.ledger.takings import Takings

from .samples import (
    ALICE,
    AT,
    BOB,
    HOUSE,
    MINT,
    OPENING,
    PAIRS,
    POT,
    TABLE,
    back_and_forth,
    doctor,
    gift,
    give_alone,
    grant,
    posting,
    shifted,
    wallet,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

DAY = AT - timedelta(hours=1), AT + timedelta(hours=1)


async def test_9300_pairs_of_grant_and_take_leave_sound_books(store: Store, ledger: Ledger) -> None:
    grants = [Entry(MINT, wallet(ALICE), MOST, "grant"), Entry(wallet(ALICE), MINT, MOST, "take")]
    for _ in range(PAIRS // 100):
        await asyncio.gather(*(ledger.post(posting(each)) for _ in range(100) for each in grants))
    assert await ledger.balances([MINT, wallet(ALICE)]) == {MINT: 0, wallet(ALICE): 0}
    assert await breaches(store) == []
    assert await ledger.post(grant(ALICE, 5))


async def test_a_breach_among_such_sums_is_told_to_the_credit(doctored: Store) -> None:
    ledger = Ledger(doctored)
    await ledger.post(grant(ALICE, 3))
    await ledger.post(posting(*back_and_forth(wallet(BOB), wallet(ALICE), "x")))
    await doctor(doctored, shifted(wallet(ALICE), 1))
    assert await breaches(doctored) == [
        "community local sums to 1 and not to 0",
        "wallet:local:twitch:1 holds 4, not the 3 of its transfers",
    ]


async def test_what_a_house_took_is_known_whatever_it_paid(store: Store, ledger: Ledger) -> None:
    entries = Entry(wallet(ALICE), HOUSE, 7, "stake"), *back_and_forth(HOUSE, wallet(ALICE), "winnings")
    await ledger.post(grant(ALICE, 7))
    await ledger.post(posting(*entries, opening=OPENING, settles=True))
    assert await Takings(store).at("den", "heist") == 7


async def test_incomes_are_known_to_the_credit(store: Store, ledger: Ledger) -> None:
    await ledger.post(posting(*back_and_forth(MINT, wallet(ALICE), "claim")))
    await ledger.post(posting(Entry(MINT, wallet(ALICE), 5, "claim")))
    found = await Incomes(store).between(*DAY, [wallet(ALICE), wallet(BOB)], ["claim"])
    assert found == {wallet(ALICE): PAIRS * MOST + 5, wallet(BOB): 0}


async def test_a_limit_of_gifts_holds_after_them(ledger: Ledger) -> None:
    await ledger.post(posting(*back_and_forth(wallet(ALICE), wallet(BOB), GIFT)))
    await ledger.post(grant(ALICE, 5))
    own, other = [wallet(ALICE)], [wallet(BOB)]
    with pytest.raises(GivingLimitReached) as beyond:
        await give_alone(ledger, gift(ALICE, BOB, 5), GiftLimits(own, other, PAIRS * MOST + 4, 0, *DAY))
    assert beyond.value.left == 4
    assert await give_alone(ledger, gift(ALICE, BOB, 4), GiftLimits(own, other, PAIRS * MOST + 4, 0, *DAY))


async def test_a_table_at_which_they_moved_gives_every_stake_back(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 40))
    stakes = *back_and_forth(wallet(ALICE), POT, "stake"), Entry(wallet(ALICE), POT, 40, "stake")
    await ledger.post(posting(*stakes, opening=OPENING))
    assert await ledger.void(TABLE, AT) == (Entry(POT, wallet(ALICE), 40, "refund"),)


LARGEST, SMALLEST = 2**63 - 1, -(2**63)  # that 64 bits hold
NUMBERS: tuple[list[int], ...] = (
    [], [0], [7], [-7], [1, -1], [UNIT, -UNIT], [UNIT - 1, 1, -UNIT], [1 - UNIT, -1, UNIT],
    [3 * UNIT + 1, -UNIT, -2 * UNIT], [-5, 3 * UNIT, 5 - 3 * UNIT], [MOST, -MOST, 1], [UNIT, 1, -1],
    [LARGEST] * 3, [SMALLEST] * 3, [LARGEST, LARGEST, 2 - 2 * UNIT], [LARGEST, SMALLEST, 1], [SMALLEST, UNIT],
)  # fmt: skip


@pytest.mark.parametrize("numbers", NUMBERS)
async def test_a_sum_is_that_of_python(store: Store, numbers: Sequence[int]) -> None:
    rows = [select(literal(each, BigInteger).label("number")) for each in numbers]
    none = select(literal(0, BigInteger).label("number")).where(false())
    listed = union_all(none, *rows).subquery()
    total = Sum.of(listed.c.number)
    async with store.reading() as connection:
        asked = select(*total.named("total"), total.nonzero.label("nonzero"))
        found = combine_sums((await connection.execute(asked)).mappings().one())
    assert found == {"total": sum(numbers), "nonzero": sum(numbers) != 0}
