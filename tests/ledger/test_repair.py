"""Books that somebody has been at add up again after a repair, and no row of theirs was changed for it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checkpoints import Checkpoints
from chatbot.ledger.audit.checks import audit, breaches
from chatbot.ledger.audit.guards import triggers_disabled
from chatbot.ledger.audit.repair import Repairs, Unrepairable
from chatbot.ledger.books import purses
from chatbot.ledger.books.history import Histories
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.changes import REPAIR, Changes
from chatbot.ledger.store import schema

from .samples import (
    ALICE,
    AT,
    BOB,
    HOME,
    HOUSE,
    MINT,
    POT,
    doctor,
    gift,
    grant,
    joining,
    kept,
    opening,
    posting,
    row,
    settling,
    shifted,
    smuggled,
    wallet,
)

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.audit.checks import AuditReport
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

LATER = AT + timedelta(hours=1)
MALLORY = purses.wallet("far", Seat("mallory"))
FOUNDED = "INSERT INTO community (name) VALUES ('far')"


@pytest.fixture
async def busy(doctored: Store) -> Store:
    """Alice holds 55 of her 100, Bob 20, and the pot 45 after three turns."""
    ledger = Ledger(doctored)
    for each in (grant(ALICE, 120), gift(ALICE, BOB, 20), opening(ALICE, 40)):
        await ledger.post(each)
    for each in (joining(ALICE, 3, 2), joining(ALICE, 2, 3)):
        await ledger.post(each)
    return doctored


async def forge(store: Store, *statements: str) -> None:
    """Change transfers behind the triggers, which are there again afterwards."""

    async def work(connection: AsyncConnection) -> None:
        async with triggers_disabled(connection):
            for each in statements:
                await connection.exec_driver_sql(each)

    await store.write(work)


async def transfers(store: Store) -> list[tuple[Any, ...]]:
    async with store.reading() as connection:
        return [tuple(row) for row in await connection.execute(select(schema.transfer))]


async def repaired(store: Store) -> AuditReport:
    """Correct the books; every transfer that was there stays as it was."""
    repairs, before = Repairs(store), await transfers(store)
    plan, report = await repairs.plan()
    assert report.breaches
    after = await repairs.carry_out(plan, LATER)
    assert set(before) <= set(await transfers(store))
    assert [each.sentence for each in after.breaches] == await breaches(store)
    return after


async def test_a_balance_that_was_edited_is_that_of_its_transfers_again(busy: Store) -> None:
    await doctor(busy, shifted(wallet(ALICE), 5))
    assert (await repaired(busy)).breaches == []
    assert await Ledger(busy).balances([wallet(ALICE), POT, MINT]) == {wallet(ALICE): 55, POT: 45, MINT: -120}
    (newest, *_) = await Histories(busy).newest(wallet(ALICE), 5)
    assert (newest.whys, newest.credits, newest.balance) == ({REPAIR: 0}, 0, 55)


async def test_balances_of_which_one_made_up_for_the_other_are_corrected(busy: Store) -> None:
    await doctor(
        busy,
        shifted(wallet(ALICE), 20),
        shifted(wallet(BOB), -20),
    )
    assert (await repaired(busy)).breaches == []
    held = await Ledger(busy).balances([wallet(ALICE), wallet(BOB)])
    assert held == {wallet(ALICE): 55, wallet(BOB): 20}


async def test_a_pot_that_was_left_behind_goes_to_the_mint(busy: Store) -> None:
    await doctor(busy, "UPDATE game_table SET state = 'settled', closed_at = 1")
    assert (await repaired(busy)).breaches == []
    assert await Ledger(busy).balances([POT, MINT]) == {POT: 0, MINT: -75}


async def test_a_pot_of_a_table_that_is_over_and_was_filled_is_empty_again(busy: Store) -> None:
    await Ledger(busy).post(settling(Entry(POT, HOUSE, 45, "loss")))
    before = await transfers(busy)
    await doctor(busy, f"UPDATE purse SET balance = 9 WHERE id = {row(POT)}")  # noqa: S608
    assert (await repaired(busy)).breaches == []
    assert await transfers(busy) == before  # its proof stays what it was


@pytest.mark.parametrize("counted", [True, False], ids=["in the balance too", "in the journal alone"])
async def test_a_transfer_that_was_smuggled_in_is_taken_back(busy: Store, counted: bool) -> None:
    await doctor(busy, smuggled(MINT, wallet(BOB)))
    if counted:
        await doctor(busy, shifted(wallet(BOB), 9))
        await doctor(busy, shifted(MINT, -9))
    assert (await repaired(busy)).breaches == []
    assert await Ledger(busy).balances([wallet(BOB), MINT]) == {wallet(BOB): 20, MINT: -120}


async def test_a_transfer_of_another_community_is_taken_back(busy: Store) -> None:
    forged = smuggled(wallet(ALICE), MALLORY, community="'far'")
    await doctor(busy, FOUNDED, kept(MALLORY, 0), forged)
    assert (await repaired(busy)).breaches == []
    held = await Ledger(busy).balances([wallet(ALICE), MALLORY])
    assert held == {wallet(ALICE): 55, MALLORY: 0}


@pytest.mark.parametrize("community", ["far", HOME])
async def test_a_transfer_is_taken_back_in_the_community_that_it_named(busy: Store, community: str) -> None:
    forged = smuggled(wallet(ALICE), MALLORY, community=f"'{community}'")
    await doctor(busy, FOUNDED, kept(MALLORY, 0), forged)
    await repaired(busy)
    there = f"source = {row(MALLORY)} AND target = {row(wallet(ALICE))}"
    async with busy.reading() as connection:
        back = await connection.exec_driver_sql(f"SELECT community FROM transfer WHERE {there}")  # noqa: S608
        assert back.scalars().all() == [community]


async def test_a_transfer_that_was_changed_counts_as_it_is_now(busy: Store) -> None:
    """Nobody can tell what it was; the mint makes up what is missing then."""
    await forge(busy, "UPDATE transfer SET credits = 100 WHERE why = 'gift'")
    assert (await repaired(busy)).breaches == []
    held = await Ledger(busy).balances([wallet(ALICE), wallet(BOB), MINT])
    assert held == {wallet(ALICE): 0, wallet(BOB): 100, MINT: -145}  # 120, and 25 for Alice who was at -25


async def test_a_transfer_that_was_removed_is_no_more(busy: Store) -> None:
    await forge(busy, "DELETE FROM transfer WHERE why = 'gift'")
    assert (await repaired(busy)).breaches == []
    assert await Ledger(busy).balances([wallet(ALICE), wallet(BOB)]) == {wallet(ALICE): 75, wallet(BOB): 0}


async def test_one_of_several_transfers_of_a_posting_that_was_removed_is_noted(busy: Store) -> None:
    entries = Entry(MINT, wallet(BOB), 1, "x"), Entry(MINT, wallet(BOB), 2, "x"), Entry(MINT, HOUSE, 3, "x")
    await Ledger(busy).post(posting(*entries))
    await forge(busy, "DELETE FROM transfer WHERE credits = 2 AND why = 'x'")
    assert (await repaired(busy)).breaches == []
    assert await Ledger(busy).balance(wallet(BOB)) == 21
    await forge(busy, "DELETE FROM transfer WHERE credits = 1 AND why = 'x'")
    assert any("numbered up to 3" in each for each in await breaches(busy))  # what comes later is found


async def test_what_went_from_one_community_to_another_is_settled_by_their_mints(busy: Store) -> None:
    await Ledger(busy).post(posting(Entry(wallet(BOB), MINT, 5, "x"), name="far"))
    target = f"UPDATE transfer SET target = {row(MALLORY)} WHERE posting = 'far'"  # noqa: S608
    await forge(busy, FOUNDED, kept(MALLORY, 0), target)
    assert (await repaired(busy)).breaches == []


async def test_what_was_corrected_stands_in_the_list_of_changes_of_each_room(busy: Store) -> None:
    await doctor(
        busy,
        "INSERT INTO place VALUES ('den', 'local', 0), ('bar', 'local', 0)",
        shifted(wallet(ALICE), 5),
    )
    await repaired(busy)
    changes = Changes(busy)
    for room in ("den", "bar"):
        (change_set,) = await changes.newest(room)
        (change,) = change_set.changes
        assert (change_set.actor, change.kind, change.subject) == ("operator", REPAIR, ALICE)
        assert (change.old, change.new) == ("60", "55")
        assert await changes.last(room) is None  # `!undo` does not touch it


async def test_triggers_that_are_gone_or_others_are_put_back(busy: Store) -> None:
    if busy._writer.dialect.name == "postgresql":
        await doctor(
            busy,
            "ALTER TABLE transfer DISABLE TRIGGER transfer_refuses_change",
            "DROP TRIGGER transfer_is_unchecked ON transfer",
        )
    else:
        await doctor(
            busy,
            "DROP TRIGGER transfer_refuses_update",
            "DROP TRIGGER transfer_is_unchecked",
            "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer BEGIN SELECT 1; END",
        )
    await doctor(busy, "UPDATE transfer SET credits = 100 WHERE why = 'gift'")
    assert {"transfers can be changed", "new transfers are not noted"} <= set(await breaches(busy))
    assert (await repaired(busy)).breaches == []
    with pytest.raises(SQLAlchemyError, match="never changed"):
        await doctor(busy, "UPDATE transfer SET credits = 1")
    assert (await Checkpoints(busy).check(LATER)).breaches == []
    await Ledger(busy).post(grant(BOB, 1))
    async with busy.reading() as connection:
        assert len((await connection.execute(select(schema.unchecked))).all()) == 1


async def test_two_corrections_in_one_second_are_both_made(busy: Store) -> None:
    for milliseconds in (100, 200):
        await doctor(busy, shifted(wallet(ALICE), 5))
        repairs = Repairs(busy)
        plan, _ = await repairs.plan()
        after = await repairs.carry_out(plan, LATER + timedelta(milliseconds=milliseconds))
        assert after.breaches == []
        assert await Ledger(busy).balances([wallet(ALICE)]) == {wallet(ALICE): 55}


async def test_it_is_done_once(busy: Store) -> None:
    await doctor(busy, shifted(wallet(ALICE), 5))
    repairs = Repairs(busy)
    plan, _ = await repairs.plan()
    await repairs.carry_out(plan, LATER)
    with pytest.raises(Unrepairable, match="changed meanwhile"):
        await repairs.carry_out(plan, LATER)


async def test_a_journal_that_lacks_a_turn_stays_a_breach(busy: Store) -> None:
    await doctor(busy, "DELETE FROM journal WHERE turn = 2")
    await doctor(busy, shifted(wallet(ALICE), 5))
    left = {each.check for each in (await repaired(busy)).breaches}
    assert left == {"journal", "step"}


async def test_sound_books_need_no_correction(busy: Store) -> None:
    plan, report = await Repairs(busy).plan()
    assert (plan.empty, report.breaches) == (True, [])


async def test_more_than_can_be_counted_is_refused_and_nothing_is_done(busy: Store) -> None:
    columns = "posting, number, community, table_id, source, target, credits, why, actor, created_at"
    many = "WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 9001)"
    moved = f"'y', n, 'local', NULL, {row(MINT)}, {row(wallet(BOB))}, {MOST}, 'x', '', 0"
    await doctor(busy, "INSERT INTO posting VALUES ('y', 'local', 0, 0)")
    await forge(busy, f"INSERT INTO transfer ({columns}) {many} SELECT {moved} FROM many")  # noqa: S608
    before = (await audit(busy)).breaches
    with pytest.raises(Unrepairable, match="more than can be counted"):
        await Repairs(busy).plan()
    assert (await audit(busy)).breaches == before
