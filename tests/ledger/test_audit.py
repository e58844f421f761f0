from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import audit, breaches
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import schema
from chatbot.ledger.store.store import Store

from .samples import (
    ALICE,
    MINT,
    POT,
    TABLE,
    doctor,
    grant,
    joining,
    kept,
    opening,
    row,
    shifted,
    smuggled,
    staked,
    wallet,
)

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.books.purses import Purse

pytestmark = pytest.mark.slow


MALLORY = wallet(Seat("mallory"))
FOUNDED = "INSERT INTO community (name) VALUES ('far')"


def moved_to_far(purse: Purse) -> str:
    """Say in SQL that a purse is of another community."""
    far = "(SELECT id FROM community WHERE name = 'far')"
    return f"UPDATE purse SET community = {far} WHERE id = {row(purse)}"  # noqa: S608


async def numbers(store: Store, posting: str) -> list[int]:
    async with store.reading() as connection:
        wanted = select(schema.transfer.c.id).where(schema.transfer.c.posting == posting)
        return list((await connection.execute(wanted)).scalars())


@pytest.fixture
async def busy(doctored: Store) -> Store:
    """Alice holds 55 of her 100, and the pot 45 after three turns."""
    ledger = Ledger(doctored)
    for each in (
        replace(grant(ALICE, 100), id="grant"),
        opening(ALICE, 40),
        joining(ALICE, 3, 2),
        joining(ALICE, 2, 3),
    ):
        await ledger.post(each)
    assert await breaches(doctored) == []
    return doctored


async def test_a_doctored_balance_is_found(busy: Store) -> None:
    await doctor(busy, shifted(wallet(ALICE), 5))
    assert await breaches(busy) == [
        "community local sums to 5 and not to 0",
        "wallet:local:twitch:1 holds 60, not the 55 of its transfers",
    ]


async def test_two_doctored_balances_that_cancel_out_are_found(busy: Store) -> None:
    await doctor(
        busy,
        shifted(wallet(ALICE), 5),
        shifted(MINT, -5),
    )
    assert await breaches(busy) == [
        "mint:local holds -105, not the -100 of its transfers",
        "wallet:local:twitch:1 holds 60, not the 55 of its transfers",
    ]


async def test_a_smuggled_transfer_is_found(busy: Store) -> None:
    await doctor(busy, kept(MALLORY, 0), smuggled(MINT, MALLORY))
    assert set(await breaches(busy)) >= {
        "mint:local holds -100, not the -109 of its transfers",
        "wallet:local:mallory holds 0, not the 9 of its transfers",
    }


async def test_the_database_lets_no_purse_vanish_that_has_moved_anything(busy: Store) -> None:
    with pytest.raises(IntegrityError):
        await doctor(busy, f"DELETE FROM purse WHERE id = {row(wallet(ALICE))}")  # noqa: S608
    assert await breaches(busy) == []


async def test_a_purse_that_vanished_all_the_same_is_found(tmp_path: Path) -> None:
    path = tmp_path / "rabble.db"
    store = await Store.open(f"sqlite:///{path}")
    await Ledger(store).post(grant(ALICE, 100))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:  # where references are not checked
        ((number,),) = other.execute(f"DELETE FROM purse WHERE id = {row(wallet(ALICE))} RETURNING id")  # noqa: S608
    assert set(await breaches(store)) >= {
        "community local sums to -100 and not to 0",
        f"{number} holds 0, not the 100 of its transfers",
        "a row of transfer names a purse that is missing",
    }
    await store.close()


async def test_credits_moved_between_communities_are_found(busy: Store) -> None:
    await doctor(busy, FOUNDED, moved_to_far(wallet(ALICE)))
    assert set(await breaches(busy)) >= {
        "community far sums to 55 and not to 0",
        "community local sums to -55 and not to 0",
    }


async def test_a_pot_left_behind_by_its_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE game_table SET state = 'settled', closed_at = 1")
    assert await breaches(busy) == [f"{POT} holds 45 though its table is settled"]
    await doctor(busy, "UPDATE game_table SET state = 'void'")
    assert await breaches(busy) == [f"{POT} holds 45 though its table is void"]


async def test_a_pot_without_a_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE purse SET owner = 'lost' WHERE kind = 'pot'")
    assert "pot:local:lost holds 45 though its table is missing" in await breaches(busy)


@pytest.mark.parametrize("purse", [wallet(ALICE), POT], ids=str)
async def test_what_is_below_zero_is_found(busy: Store, purse: Purse) -> None:
    if busy._writer.dialect.name == "postgresql":
        await doctor(busy, "ALTER TABLE purse DROP CONSTRAINT ck_purse_solvent")
    else:
        await doctor(busy, "PRAGMA ignore_check_constraints = ON")
    await doctor(busy, f"UPDATE purse SET balance = -1 WHERE id = {row(purse)}")  # noqa: S608  (one of two)
    assert f"{purse} is at -1, below zero" in await breaches(busy)


async def test_a_pot_of_another_community_than_its_table_is_found(busy: Store) -> None:
    await doctor(busy, FOUNDED, moved_to_far(POT))
    assert f"pot:far:{TABLE} is kept as a pot of far" in await breaches(busy)


async def test_a_transfer_that_only_says_that_it_carries_credits_over_is_found(busy: Store) -> None:
    """What a posting moves beside its community goes to that one's mint, or comes from there."""
    mallory = purses.wallet("far", Seat("mallory"))
    linked = smuggled(wallet(ALICE), mallory, posting="p", community="'far'", why="'link'")
    await doctor(busy, FOUNDED, kept(mallory, 0), linked)
    (number,) = await numbers(busy, "p")
    assert f"transfer {number} belongs to no posting of far" in await breaches(busy)


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
    assert f"the journal of table {TABLE} has {turns}" in await breaches(busy)


async def test_a_journal_that_lacks_its_end_is_found(busy: Store) -> None:
    await doctor(busy, "DELETE FROM journal WHERE turn = 3")
    assert await breaches(busy) == [f"the steps of table {TABLE} wrote 3 turns, but its journal has 2"]
    await doctor(busy, "DELETE FROM journal")
    assert await breaches(busy) == [f"the steps of table {TABLE} wrote 3 turns, but its journal has 0"]


async def test_a_journal_without_steps_is_found(busy: Store) -> None:
    await doctor(busy, "DELETE FROM step")
    assert set(await breaches(busy)) >= {f"the steps of table {TABLE} wrote 0 turns, but its journal has 3"}


async def test_a_pot_that_was_touched_from_another_table_is_found(busy: Store) -> None:
    await doctor(busy, smuggled(MINT, POT, posting="p"), shifted(POT, 9), shifted(MINT, -9))
    (number,) = await numbers(busy, "p")
    assert set(await breaches(busy)) >= {
        f"transfer {number} from mint:local to {POT} is of another table than the pot"
    }


async def test_a_transfer_of_another_communitys_posting_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE posting SET community = 'far'")
    assert all("belongs to no posting of local" in each for each in await breaches(busy))
    assert len(await breaches(busy)) == 4  # a grant and three stakes


@pytest.mark.parametrize("kind", ["player", "pot"])
async def test_a_wallet_of_the_wrong_kind_is_found(busy: Store, kind: str) -> None:
    """A member's wallet that is kept as that of a player of the house would be nobody's."""
    await doctor(busy, f"UPDATE purse SET kind = '{kind}' WHERE id = {row(wallet(ALICE))}")  # noqa: S608
    said = {
        "player": "wallet:local:twitch:1 is kept as a player of local",
        "pot": "pot:local:twitch:1 holds 55 though its table is missing",
    }
    assert said[kind] in await breaches(busy)


@pytest.mark.parametrize("kind", ["mint", "house"])
async def test_the_database_lets_no_wallet_become_a_mint(busy: Store, kind: str) -> None:
    """It could go below zero."""
    with pytest.raises(IntegrityError):
        await doctor(busy, f"UPDATE purse SET kind = '{kind}' WHERE id = {row(wallet(ALICE))}")  # noqa: S608


async def test_a_row_that_refers_to_nothing_is_found_on_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "rabble.db"
    store = await Store.open(f"sqlite:///{path}")
    await staked(Ledger(store))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:  # where references are not checked
        other.execute("DELETE FROM game_table")
    assert "a row of transfer names a game_table that is missing" in await breaches(store)
    await store.close()


async def test_a_damaged_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "rabble.db"
    store = await Store.open(f"sqlite:///{path}")
    await Ledger(store).post(grant(ALICE, 5))
    await store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'ix_purse_ranking'")
    store = await Store.open(f"sqlite:///{path}")
    assert any(each.startswith("the file is damaged: ") for each in await breaches(store))
    await store.close()


async def test_each_breach_names_its_communities(busy: Store) -> None:
    await doctor(busy, FOUNDED, moved_to_far(POT))
    found = {each.check: each.communities for each in (await audit(busy)).breaches}
    assert found["kind"] == ("far", "local")


async def test_what_is_wrong_with_the_file_puts_everything_in_doubt(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    await doctor(store, "DROP TRIGGER transfer_refuses_update")
    assert (await audit(store)).whole
    await store.close()


async def test_a_report_counts_what_it_looked_at(busy: Store) -> None:
    report = await audit(busy)
    expected = {"purse": 3, "posting": 4, "transfer": 4, "game_table": 1, "journal": 3}
    assert dict(report.counts) == expected  # mint, wallet, pot; a grant and three stakes


FORGERIES = {
    "a second mint": (
        FOUNDED,
        kept(purses.mint("far"), -9),
        kept(MALLORY, 9),
        smuggled(purses.mint("far"), MALLORY),
    ),
    "a transfer of another number": (
        kept(MALLORY, 9),
        smuggled(MINT, MALLORY, posting="grant", number=3),
        shifted(MINT, -9),
    ),
    "a transfer to itself": (smuggled(MINT, MINT, posting="grant", number=2),),
    "a played turn without a trace": (
        r"INSERT INTO posting VALUES ('line\:1', 'local', 1, 0)",
        smuggled(MINT, POT, posting=r"line\:1", table_id="(SELECT id FROM game_table)"),
        shifted(MINT, -9),
        shifted(POT, 9),
    ),
    "steps that overlap": (
        "UPDATE step SET turns = 2 WHERE turn = 1",
        "UPDATE step SET turns = 0 WHERE turn = 3",
    ),
    "a pot of another community": (FOUNDED, moved_to_far(POT)),
}


@pytest.mark.parametrize("kind", FORGERIES)
async def test_a_forgery_whose_sums_are_right_is_found_all_the_same(busy: Store, kind: str) -> None:
    await doctor(busy, *FORGERIES[kind])
    assert await breaches(busy) != []


DOUBTED = {
    "a turn": ("DELETE FROM journal WHERE turn = 3",),
    "a step": ("UPDATE step SET turns = 2 WHERE turn = 1", "UPDATE step SET turns = 0 WHERE turn = 3"),
    "a pot": ("UPDATE game_table SET state = 'void', closed_at = 1",),
    "a balance": (shifted(wallet(ALICE), 5),),
    "a number": (smuggled(MINT, wallet(ALICE), posting="grant", number=7),),
}


@pytest.mark.parametrize("kind", DOUBTED)
async def test_whatever_is_wrong_in_a_community_puts_that_one_alone_in_doubt(busy: Store, kind: str) -> None:
    await doctor(busy, FOUNDED, kept(purses.mint("far"), 0), *DOUBTED[kind])
    report = await audit(busy)
    assert report.breaches
    assert (report.doubted, report.whole) == (frozenset({"local"}), False)


async def test_transfers_that_can_be_changed_are_told_on_sqlite(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    await doctor(store, "DROP TRIGGER transfer_refuses_update")
    assert await breaches(store) == ["transfers can be changed"]
    await store.close()


async def test_more_than_can_be_counted_is_a_breach(busy: Store) -> None:
    await doctor(busy, "UPDATE purse SET balance = 9223372036854775807 WHERE kind <> 'mint'")
    assert await breaches(busy) != []
