"""Where the books were found sound is remembered: what comes later is looked at, and nothing is missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from chatbot.ledger.audit import checkpoints
from chatbot.ledger.audit.checkpoints import Checkpoints
from chatbot.ledger.audit.checks import ALL, NEW, AuditScope, breaches, examine
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.store import schema

from .samples import (
    ALICE,
    AT,
    BOB,
    HOUSE,
    MINT,
    POT,
    doctor,
    gift,
    grant,
    joining,
    opening,
    row,
    settling,
    shifted,
    smuggled,
    wallet,
)

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.audit.checks import AuditReport
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture
async def checked(doctored: Store, monkeypatch: pytest.MonkeyPatch) -> tuple[Store, list[AuditScope]]:
    """Lend a store whose books were checked: Alice has 60, Bob 20, and the pot 40; and the scopes since."""
    ledger, scopes = Ledger(doctored), list[AuditScope]()
    for each in (grant(ALICE, 120), gift(ALICE, BOB, 20), opening(ALICE, 40)):
        await ledger.post(each)
    assert (await Checkpoints(doctored).check(AT)).breaches == []

    async def noting(connection: AsyncConnection, scope: AuditScope) -> AuditReport:
        scopes.append(scope)
        return await examine(connection, scope)

    monkeypatch.setattr(checkpoints, "examine", noting)
    return doctored, scopes


async def found(store: Store) -> list[str]:
    report = await Checkpoints(store).check(AT)
    assert [each.sentence for each in report.breaches] == await breaches(store)
    return [each.check for each in report.breaches]


async def noted(store: Store) -> list[str]:
    async with store.reading() as connection:
        transfer = schema.transfer.c
        postings = select(transfer.posting).join(schema.unchecked, schema.unchecked.c.transfer == transfer.id)
        return list((await connection.execute(postings)).scalars())


async def test_what_was_checked_is_not_looked_at_again(checked: tuple[Store, list[AuditScope]]) -> None:
    store, scopes = checked
    assert await noted(store) == []
    late = joining(ALICE, 5)
    await Ledger(store).post(late)
    assert await noted(store) == [late.id]
    async with store.reading() as connection:
        assert (await examine(connection, NEW)).counts == {"transfer": 1}
    assert await found(store) == []
    assert await noted(store) == []
    assert scopes == [NEW]


async def test_when_nothing_has_happened_nothing_is_written(checked: tuple[Store, list[AuditScope]]) -> None:
    store, _ = checked
    again, before = Checkpoints(store), store.written
    await again.check(AT)
    assert (again.saved, store.written) == (0, before)


async def test_everything_is_looked_at_if_that_is_wished(checked: tuple[Store, list[AuditScope]]) -> None:
    store, scopes = checked
    await Checkpoints(store).check(AT, everything=True)
    assert scopes == [ALL]


async def test_tables_that_end_and_purses_that_are_emptied_leave_sound_books(
    checked: tuple[Store, list[AuditScope]],
) -> None:
    store, scopes = checked
    ledger = Ledger(store)
    await ledger.post(gift(BOB, ALICE, 20))
    await ledger.post(settling(Entry(POT, HOUSE, 40, "loss")))
    for _ in range(2):
        assert await found(store) == []
        await ledger.post(gift(ALICE, BOB, 1))
    assert await found(store) == []
    assert ALL not in scopes


DOCTORED = {
    "a balance": (shifted(wallet(ALICE), 5),),
    "two that make up for each other": (
        shifted(wallet(ALICE), 5),
        shifted(wallet(BOB), -5),
    ),
    "a pot that was left behind": ("UPDATE game_table SET state = 'void', closed_at = 1",),
    "a smuggled transfer": (smuggled(MINT, wallet(BOB)),),
    "one that is counted too": (
        smuggled(MINT, wallet(BOB)),
        shifted(wallet(BOB), 9),
        shifted(MINT, -9),
    ),
    "a turn of a table that stands": ("DELETE FROM journal",),
}


@pytest.mark.parametrize("kind", DOCTORED)
async def test_what_is_wrong_since_is_found(checked: tuple[Store, list[AuditScope]], kind: str) -> None:
    store, scopes = checked
    await doctor(store, *DOCTORED[kind])
    assert await found(store) != []
    assert scopes == [NEW, ALL]
    assert await found(store) != []  # and again an hour later


async def test_a_journal_that_was_rewritten_is_read_again_and_found_sound(
    checked: tuple[Store, list[AuditScope]],
) -> None:
    """As when somebody is forgotten, or what is old is carried forward."""
    store, scopes = checked
    await doctor(store, f"DELETE FROM checkpoint_balance WHERE purse = {row(wallet(ALICE))}")  # noqa: S608
    assert await found(store) == []
    assert scopes == [NEW, ALL]
    assert await found(store) == []
    assert scopes == [NEW, ALL, NEW]


async def test_what_is_written_while_an_audit_ends_is_still_looked_at(
    checked: tuple[Store, list[AuditScope]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = checked
    late, write = grant(BOB, 9), store.write

    async def slow(*given: Any, **homes: Any) -> Any:
        await Ledger(store).post(late)
        return await write(*given, **homes)

    await Ledger(store).post(grant(ALICE, 1))
    with monkeypatch.context() as patch:
        patch.setattr(store, "write", slow)
        assert (await Checkpoints(store).check(AT)).breaches == []
    assert await noted(store) == [late.id]
    assert await found(store) == []
    assert await Ledger(store).balance(wallet(BOB)) == 29


async def test_of_two_that_audit_at_once_one_remembers(
    checked: tuple[Store, list[AuditScope]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, scopes = checked
    write = store.write

    async def overtaken(*given: Any, **homes: Any) -> Any:
        monkeypatch.setattr(store, "write", write)
        await Ledger(store).post(gift(ALICE, BOB, 7))
        await Checkpoints(store).check(AT)
        return await write(*given, **homes)

    await Ledger(store).post(gift(ALICE, BOB, 1))
    monkeypatch.setattr(store, "write", overtaken)
    await Checkpoints(store).check(AT)
    assert await noted(store) == []
    assert await found(store) == []
    assert ALL not in scopes  # what the slower one saw was older, and is not kept
