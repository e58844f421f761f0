from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.wallets.audit import breaches
from chatbot.wallets.ledger import Ledger

from .samples import ALICE, TABLE, doctor, grant, joining, opening

if TYPE_CHECKING:
    from chatbot.wallets.store import Store


@pytest.fixture
async def busy(doctored: Store) -> Store:
    """Alice holds 55 of her 100, and the pot 45 after three turns."""
    ledger = Ledger(doctored)
    for each in (grant(ALICE, 100), opening(ALICE, 40), joining(ALICE, 3, 2), joining(ALICE, 2, 3)):
        await ledger.post(each)
    assert await breaches(doctored) == []
    return doctored


async def test_a_doctored_balance_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET balance = balance + 5 WHERE id = 'wallet:local:twitch:1'")
    assert await breaches(busy) == [
        "community local sums to 5 and not to 0",
        "wallet:local:twitch:1 holds 60, not the 55 of its transfers",
    ]


async def test_two_doctored_balances_that_cancel_out_are_found(busy: Store) -> None:
    await doctor(
        busy,
        "UPDATE account SET balance = balance + 5 WHERE id = 'wallet:local:twitch:1'",
        "UPDATE account SET balance = balance - 5 WHERE id = 'mint:local'",
    )
    assert await breaches(busy) == [
        "mint:local holds -105, not the -100 of its transfers",
        "wallet:local:twitch:1 holds 60, not the 55 of its transfers",
    ]


async def test_a_smuggled_transfer_is_found(busy: Store) -> None:
    await doctor(
        busy,
        "INSERT INTO transfer SELECT 'x', id, 'local', NULL, 'mint:local', 'wallet:local:mallory', "
        "9, 'payday', '', 0 FROM posting LIMIT 1",
    )
    assert await breaches(busy) == [
        "mint:local holds -100, not the -109 of its transfers",
        "wallet:local:mallory holds 0, not the 9 of its transfers",
    ]


async def test_a_vanished_account_is_found(busy: Store) -> None:
    await doctor(busy, "DELETE FROM account WHERE id = 'wallet:local:twitch:1'")
    assert await breaches(busy) == [
        "community local sums to -55 and not to 0",
        "wallet:local:twitch:1 holds 0, not the 55 of its transfers",
    ]


async def test_credits_moved_between_communities_are_found(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET community = 'far' WHERE id = 'wallet:local:twitch:1'")
    assert sorted(await breaches(busy)) == [
        "community far sums to 55 and not to 0",
        "community local sums to -55 and not to 0",
    ]


async def test_a_pot_left_behind_by_its_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE game_table SET state = 'settled', closed_at = 1")
    assert await breaches(busy) == [f"pot:{TABLE} holds 45 though its table is settled"]
    await doctor(busy, "UPDATE game_table SET state = 'void'")
    assert await breaches(busy) == [f"pot:{TABLE} holds 45 though its table is void"]


async def test_a_pot_without_a_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET id = 'pot:lost' WHERE kind = 'pot'")
    assert "pot:lost holds 45 though its table is missing" in await breaches(busy)


async def test_a_wallet_below_zero_is_found(busy: Store) -> None:
    if busy._writer.dialect.name == "postgresql":
        await doctor(busy, "ALTER TABLE account DROP CONSTRAINT ck_account_solvent")
    else:
        await doctor(busy, "PRAGMA ignore_check_constraints = ON")
    await doctor(busy, "UPDATE account SET balance = -1 WHERE id = 'wallet:local:twitch:1'")
    assert "wallet:local:twitch:1 is at -1, below zero" in await breaches(busy)


@pytest.mark.parametrize(
    ("change", "turns"),
    [
        ("DELETE FROM journal WHERE turn = 2", "2 turns from 1 to 3"),
        ("DELETE FROM journal WHERE turn = 1", "2 turns from 2 to 3"),
        ("UPDATE journal SET turn = 7 WHERE turn = 3", "3 turns from 1 to 7"),
        ("UPDATE journal SET turn = 0 WHERE turn = 1", "3 turns from 0 to 3"),
        ("UPDATE journal SET turn = turn - 9", "3 turns from -8 to -6"),
    ],
)
async def test_a_gap_in_a_journal_is_found(busy: Store, change: str, turns: str) -> None:
    await doctor(busy, change)
    assert await breaches(busy) == [f"the journal of table {TABLE} has {turns}"]
