"""However many gifts come at once, no day's limit is passed, and nobody gives what they have not."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books.posting import GIFT, Entry, Posting, Short
from chatbot.ledger.limits import (
    GiftLimitReached,
    GiftLimits,
    GivingLimitReached,
    ReceivingLimitReached,
)
from tests.ledger.samples import ALICE, AT, BOB, CAROL, HOME, books, gift, give_alone, grant, wallet

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

TODAY = datetime(2026, 1, 2, tzinfo=UTC)  # on which AT lies
DAY = timedelta(days=1)


def bounds(source: Seat, target: Seat, given: int = 0, taken: int = 0) -> GiftLimits:
    return GiftLimits([wallet(source)], [wallet(target)], given, taken, TODAY, TODAY + DAY)


async def held(ledger: Ledger, *seats: Seat) -> list[int]:
    found = await ledger.balances([wallet(each) for each in seats])
    return [found[wallet(each)] for each in seats]


async def attempt(ledger: Ledger, posting: Posting, limits: GiftLimits) -> bool:
    with suppress(Short, GiftLimitReached):
        return await give_alone(ledger, posting, limits)
    return False


async def test_two_hundred_gifts_at_once_give_no_more_than_there_is(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    gifts = [attempt(ledger, gift(ALICE, BOB, 10), bounds(ALICE, BOB)) for _ in range(200)]
    assert sum(await asyncio.gather(*gifts)) == 10
    assert await held(ledger, ALICE, BOB) == [0, 100]


async def test_two_hundred_gifts_at_once_do_not_pass_what_one_may_give_in_a_day(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 10_000))
    pairs = [(BOB, CAROL)[number % 2] for number in range(200)]
    gifts = [attempt(ledger, gift(ALICE, each, 10), bounds(ALICE, each, given=75)) for each in pairs]
    assert sum(await asyncio.gather(*gifts)) == 7  # the eighth would be 80
    assert (await held(ledger, ALICE))[0] == 10_000 - 70


async def test_two_hundred_gifts_at_once_do_not_pass_what_one_may_get_in_a_day(ledger: Ledger) -> None:
    for each in (ALICE, CAROL):
        await ledger.post(grant(each, 10_000))
    givers = [(ALICE, CAROL)[number % 2] for number in range(200)]
    gifts = [attempt(ledger, gift(each, BOB, 10), bounds(each, BOB, taken=75)) for each in givers]
    assert sum(await asyncio.gather(*gifts)) == 7
    assert await held(ledger, BOB) == [70]


async def test_a_refusal_tells_what_is_left_and_changes_nothing(ledger: Ledger, store: Store) -> None:
    await ledger.post(grant(ALICE, 100))
    await give_alone(ledger, gift(ALICE, BOB, 30), bounds(ALICE, BOB, given=50, taken=40))
    before = await books(store)
    with pytest.raises(GivingLimitReached) as generous:
        await give_alone(ledger, gift(ALICE, BOB, 21), bounds(ALICE, BOB, given=50, taken=40))
    with pytest.raises(ReceivingLimitReached) as rich:
        await give_alone(ledger, gift(ALICE, BOB, 20), bounds(ALICE, BOB, given=50, taken=40))
    assert (generous.value.left, rich.value.left) == (20, 10)
    assert await books(store) == before


async def test_a_limit_that_was_lowered_meanwhile_leaves_nothing(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await give_alone(ledger, gift(ALICE, BOB, 30), bounds(ALICE, BOB, given=50))
    with pytest.raises(GivingLimitReached) as generous:
        await give_alone(ledger, gift(ALICE, BOB, 1), bounds(ALICE, BOB, given=20))
    assert generous.value.left == 0


async def test_the_same_gift_is_given_once_and_counts_once(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    same = gift(ALICE, BOB, 30)
    assert [await give_alone(ledger, same, bounds(ALICE, BOB, given=50)) for _ in range(3)] == [
        True,
        False,
        False,
    ]
    assert await give_alone(ledger, gift(ALICE, BOB, 20), bounds(ALICE, BOB, given=50))
    assert await held(ledger, ALICE, BOB) == [50, 50]


async def test_only_gifts_of_that_day_count(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 1000))
    for at in (TODAY - timedelta(milliseconds=1), TODAY + DAY):
        await ledger.post(replace(gift(ALICE, BOB, 40), at=at))
    entry = Entry(wallet(ALICE), wallet(BOB), 40, "link")
    await ledger.post(Posting("no gift", HOME, AT, entries=(entry,)))
    assert await give_alone(ledger, gift(ALICE, BOB, 50), bounds(ALICE, BOB, given=50, taken=50))
    assert gift(ALICE, BOB, 50).entries[0].why == GIFT
