from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from chatbot.wallets.audit import audit, breaches
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.store import Store

from .samples import ALICE, TABLE, doctor, grant, joining, opening, staked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


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
    assert set(await breaches(busy)) >= {
        "mint:local holds -100, not the -109 of its transfers",
        "wallet:local:mallory holds 0, not the 9 of its transfers",
    }


async def test_a_vanished_account_is_found(busy: Store) -> None:
    await doctor(busy, "DELETE FROM account WHERE id = 'wallet:local:twitch:1'")
    assert await breaches(busy) == [
        "community local sums to -55 and not to 0",
        "wallet:local:twitch:1 holds 0, not the 55 of its transfers",
    ]


async def test_credits_moved_between_communities_are_found(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET community = 'far' WHERE id = 'wallet:local:twitch:1'")
    assert set(await breaches(busy)) >= {
        "community far sums to 55 and not to 0",
        "community local sums to -55 and not to 0",
    }


async def test_a_pot_left_behind_by_its_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE game_table SET state = 'settled', closed_at = 1")
    assert await breaches(busy) == [f"pot:{TABLE} holds 45 though its table is settled"]
    await doctor(busy, "UPDATE game_table SET state = 'void'")
    assert await breaches(busy) == [f"pot:{TABLE} holds 45 though its table is void"]


async def test_a_pot_without_a_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET id = 'pot:lost' WHERE kind = 'pot'")
    assert "pot:lost holds 45 though its table is missing" in await breaches(busy)


@pytest.mark.parametrize("account", ["wallet:local:twitch:1", f"pot:{TABLE}"])
async def test_what_is_below_zero_is_found(busy: Store, account: str) -> None:
    if busy._writer.dialect.name == "postgresql":
        await doctor(busy, "ALTER TABLE account DROP CONSTRAINT ck_account_solvent")
    else:
        await doctor(busy, "PRAGMA ignore_check_constraints = ON")
    await doctor(busy, f"UPDATE account SET balance = -1 WHERE id = '{account}'")  # noqa: S608  (one of two)
    assert f"{account} is at -1, below zero" in await breaches(busy)


async def test_a_pot_of_another_community_than_its_table_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET community = 'far' WHERE kind = 'pot'")
    assert f"pot:{TABLE} is called a pot of far" in await breaches(busy)


async def test_a_transfer_that_only_says_that_it_carries_credits_over_is_found(busy: Store) -> None:
    """What a posting moves beside its community goes to that one's mint, or comes from there."""
    await doctor(
        busy,
        "INSERT INTO transfer SELECT 'x', id, 'far', NULL, 'wallet:local:twitch:1', 'wallet:far:mallory', "
        "9, 'link', '', 0 FROM posting LIMIT 1",
    )
    assert "transfer x belongs to no posting of far" in await breaches(busy)


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
    await doctor(
        busy,
        "INSERT INTO transfer SELECT 'x', id, 'local', NULL, 'mint:local', 'pot:table-1', 9, 'gift', '', 0 "
        "FROM posting LIMIT 1",
        "UPDATE account SET balance = balance + 9 WHERE kind = 'pot'",
        "UPDATE account SET balance = balance - 9 WHERE kind = 'mint'",
    )
    assert set(await breaches(busy)) >= {
        "transfer x from mint:local to pot:table-1 is of another table than the pot"
    }


async def test_a_posting_that_is_written_and_refused_is_found(busy: Store) -> None:
    await doctor(busy, "INSERT INTO refusal SELECT min(id), 'local', 'short', 'wallet:x', 0, 0 FROM posting")
    (found,) = await breaches(busy)
    assert found.endswith("is written, and yet refused (short)")


async def test_a_transfer_of_another_communitys_posting_is_found(busy: Store) -> None:
    await doctor(busy, "UPDATE posting SET community = 'far'")
    assert all("belongs to no posting of local" in each for each in await breaches(busy))
    assert len(await breaches(busy)) == 4  # a grant and three stakes


async def test_an_account_of_the_wrong_kind_is_found(busy: Store) -> None:
    """A wallet called a mint could go below zero."""
    await doctor(busy, "UPDATE account SET kind = 'mint' WHERE id = 'wallet:local:twitch:1'")
    assert await breaches(busy) == ["wallet:local:twitch:1 is called a mint of local"]


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
        other.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'ix_account_ranking'")
    store = await Store.open(f"sqlite:///{path}")
    assert any(each.startswith("the file is damaged: ") for each in await breaches(store))
    await store.close()


async def test_each_breach_names_its_communities(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET community = 'far' WHERE id = 'wallet:local:twitch:1'")
    found = {each.check: each.communities for each in (await audit(busy)).breaches}
    assert found["kind"] == ("far", "local")


async def test_what_is_wrong_with_the_file_puts_everything_in_doubt(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    await doctor(store, "DROP TRIGGER transfer_refuses_update")
    assert (await audit(store)).whole
    await store.close()


async def test_a_report_counts_what_it_looked_at(busy: Store) -> None:
    report = await audit(busy)
    expected = {"account": 3, "posting": 4, "transfer": 4, "game_table": 1, "journal": 3}
    assert dict(report.counts) == expected  # mint, wallet, pot; a grant and three stakes


ADDED = (  # to the posting that granted Alice her credits
    "INSERT INTO transfer SELECT {id}, id, 'local', NULL, '{source}', '{target}', 9, 'x', '', 0 "
    "FROM posting WHERE id NOT IN (SELECT posting FROM step)"
)


def added(number: str, source: str, target: str) -> str:
    return ADDED.replace("{id}", number).replace("{source}", source).replace("{target}", target)


NEXT, STRANGE = r"id || '\:2'", r"'y\:1'"
MALLORY = "INSERT INTO account VALUES ('wallet:local:m', 'local', 'wallet', 9)"
FORGERIES = {
    "a second mint": (
        MALLORY,
        "INSERT INTO account VALUES ('mint:local:x', 'local', 'mint', -9)",
        added(NEXT, "mint:local:x", "wallet:local:m"),
    ),
    "a transfer of another number": (
        MALLORY,
        added(STRANGE, "mint:local", "wallet:local:m"),
        "UPDATE account SET balance = balance - 9 WHERE id = 'mint:local'",
    ),
    "a transfer to itself": (added(NEXT, "mint:local", "mint:local"),),
    "a played turn without a trace": (
        r"INSERT INTO posting VALUES ('line\:1', 'local', 0)",
        (
            r"INSERT INTO transfer SELECT 'line\:1\:1', 'line\:1', 'local', id, 'mint:local', "
            r"'pot\:' || id, 9, 'stake', '', 0 FROM game_table"
        ),
        "UPDATE account SET balance = balance - 9 WHERE kind = 'mint'",
        "UPDATE account SET balance = balance + 9 WHERE kind = 'pot'",
    ),
    "steps that overlap": (
        "UPDATE step SET turns = 2 WHERE turn = 1",
        "UPDATE step SET turns = 0 WHERE turn = 3",
    ),
    "a pot of another community": ("UPDATE account SET community = 'far' WHERE kind = 'pot'",),
}


@pytest.mark.parametrize("kind", FORGERIES)
async def test_a_forgery_whose_sums_are_right_is_found_all_the_same(busy: Store, kind: str) -> None:
    await doctor(busy, *FORGERIES[kind])
    assert await breaches(busy) != []


DOUBTED = {
    "a turn": ("DELETE FROM journal WHERE turn = 3",),
    "a step": ("UPDATE step SET turns = 2 WHERE turn = 1", "UPDATE step SET turns = 0 WHERE turn = 3"),
    "a pot": ("UPDATE game_table SET state = 'void', closed_at = 1",),
    "an account": ("DELETE FROM account WHERE id = 'wallet:local:twitch:1'",),
    "a number": (added(r"id || '\:7'", "mint:local", "house:local"),),
    "an answer": ("INSERT INTO refusal SELECT min(id), 'local', 'short', 'wallet:x', 0, 0 FROM posting",),
}


@pytest.mark.parametrize("kind", DOUBTED)
async def test_whatever_is_wrong_in_a_community_puts_that_one_alone_in_doubt(busy: Store, kind: str) -> None:
    await doctor(busy, "INSERT INTO account VALUES ('mint:far', 'far', 'mint', 0)", *DOUBTED[kind])
    report = await audit(busy)
    assert report.breaches
    assert (report.doubted, report.whole) == (frozenset({"local"}), False)


async def test_transfers_that_can_be_changed_are_told_on_sqlite(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    await doctor(store, "DROP TRIGGER transfer_refuses_update")
    assert await breaches(store) == ["transfers can be changed"]
    await store.close()


async def test_more_than_can_be_counted_is_a_breach(busy: Store) -> None:
    await doctor(busy, "UPDATE account SET balance = 9223372036854775807 WHERE kind <> 'mint'")
    assert await breaches(busy) != []
