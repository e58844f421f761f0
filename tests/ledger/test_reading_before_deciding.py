"""What a unit has read of the postings of a purse does not change before the unit is written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books import holdings
from chatbot.ledger.store.writes import Contradiction
from tests.ledger.samples import ALICE, BOB, CAROL, gift, grant, wallet

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store

PURSES = [wallet(ALICE), wallet(BOB)]


async def held(connection: AsyncConnection) -> int:
    """Read what Alice holds in the database."""
    return (await holdings.balances(connection, [wallet(ALICE)]))[wallet(ALICE)]


async def test_a_unit_is_contradicted_if_another_one_has_changed_what_it_has_read(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    first, second = ledger.unit(), ledger.unit()
    assert [await each.read_steady(PURSES, held) for each in (first, second)] == [100, 100]
    await first.post(gift(ALICE, BOB, 10))
    await second.post(gift(ALICE, BOB, 20))
    await first.commit()
    with pytest.raises(Contradiction):
        await second.commit()
    assert await ledger.balance(wallet(ALICE)) == 90


async def test_a_unit_is_contradicted_also_if_it_does_not_move_what_has_changed(ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    await ledger.post(grant(CAROL, 100))
    reading = ledger.unit()
    await reading.read_steady(PURSES, held)
    await reading.post(gift(CAROL, BOB, 5))
    await ledger.post(gift(ALICE, CAROL, 1))
    with pytest.raises(Contradiction):
        await reading.commit()
    assert await ledger.balance(wallet(BOB)) == 0


async def test_what_is_decided_and_not_written_is_waited_for(store: Store, ledger: Ledger) -> None:
    await ledger.post(grant(ALICE, 100))
    writing, reading = ledger.unit(), ledger.unit()
    await writing.post(gift(ALICE, BOB, 10))
    task = asyncio.create_task(writing.commit())
    await asyncio.sleep(0)
    assert store.memory.pending([wallet(ALICE)])
    assert await reading.read_steady(PURSES, held) == 90
    await task
    await reading.post(gift(ALICE, BOB, 90))
    await reading.commit()
    assert await ledger.balance(wallet(BOB)) == 100
