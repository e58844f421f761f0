"""No credit stays in a wallet that another one has replaced since a unit was decided."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert

from chatbot.ledger.books import holdings
from chatbot.ledger.store import schema
from chatbot.ledger.store.writes import Contradiction
from tests.ledger.samples import ALICE, BOB, gift, grant, wallet

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store

LINKED = schema.person, {"id": 1, "seat": BOB, "same_as": ALICE}
UNITED = schema.union, {"community": wallet(BOB).community, "target": "elsewhere", "at": datetime.now(UTC)}


async def put(store: Store, table: Table, row: dict[str, object]) -> None:
    """Write behind the back of what is decided, as another process does."""

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(insert(table), row)

    await store.write(work)


async def held(store: Store) -> int:
    """Read what Bob's own wallet holds in the database."""
    async with store.reading() as connection:
        return (await holdings.balances(connection, [wallet(BOB)]))[wallet(BOB)]


@pytest.mark.parametrize(("table", "row"), [LINKED, UNITED], ids=["linked", "united"])
@pytest.mark.parametrize("empty", [False, True])
async def test_a_wallet_that_was_replaced_meanwhile_gets_nothing(
    store: Store, ledger: Ledger, table: Table, row: dict[str, object], empty: bool
) -> None:
    """A link moves what a wallet holds, and the unit names another balance; of an empty one it moves none."""
    await ledger.post(grant(ALICE, 100))
    if empty:  # and not absent
        await ledger.post(gift(ALICE, BOB, 10))
        await ledger.post(gift(BOB, ALICE, 10))
    unit = ledger.unit()
    await unit.post(gift(ALICE, BOB, 30))
    await put(store, table, row)
    with pytest.raises(Contradiction):
        await unit.commit()
    assert await held(store) == 0


async def test_a_wallet_that_stands_for_itself_gets_what_it_is_given(store: Store, ledger: Ledger) -> None:
    await put(store, schema.person, {"id": 1, "seat": BOB, "same_as": None})
    await ledger.post(grant(ALICE, 100))
    await ledger.post(gift(ALICE, BOB, 30))
    assert await held(store) == 30
