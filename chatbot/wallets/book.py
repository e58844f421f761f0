"""Writes one posting on one open connection: reads all that it touches, checks, and only then writes.

A refusal is raised before any change but new, empty accounts, so one transaction may take many
postings. Several processes on one PostgreSQL wait for each other at rows, always in the same order
(the table, new accounts by name, all accounts by name), so they never wait in a circle.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.wallets import accounts, rows, schema
from chatbot.wallets.posting import Closed, LedgerError, Moved, Short, instalments
from chatbot.wallets.statements import batches, ensure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.posting import Entry, Posting
    from chatbot.wallets.rows import End


async def write(connection: AsyncConnection, posting: Posting) -> bool:
    """Write the posting, in the transaction of the caller; False: its id was written before.

    Raises:
        Short: a purse cannot pay.
        Moved: a balance is not the expected one.
        Closed: the table is not open.
        LedgerError: the table is another community's, or would end with credits in its pot.
    """
    return await _write(connection, posting, "settled" if posting.settles else None)


async def write_off(connection: AsyncConnection, posting: Posting) -> bool:
    """Write the posting that voids its table; the same otherwise."""
    return await _write(connection, posting, "void")


async def is_written(connection: AsyncConnection, posting_id: str) -> bool:
    found = await connection.execute(select(schema.posting.c.id).where(schema.posting.c.id == posting_id))
    return found.first() is not None


async def _write(connection: AsyncConnection, posting: Posting, end: End | None) -> bool:
    if await is_written(connection, posting.id):
        return False
    await _require_open(connection, posting)
    balances = await _lock(connection, posting, _touched(posting, end))
    _require_expected(posting, balances)
    entries = _covered(posting, balances)
    changes = _changes(entries)
    _require_funds(balances, changes)
    if end is not None:
        _require_empty(accounts.pot(str(posting.at_table)), balances, changes)
    await rows.insert(connection, posting, entries)
    await rows.move(connection, changes)
    if end is not None:
        await rows.close(connection, posting, end)
    return True


async def _require_open(connection: AsyncConnection, posting: Posting) -> None:
    if posting.opening is not None or posting.table is None:
        return
    table = schema.game_table.c
    wanted = select(table.community, table.state).where(table.id == posting.table).with_for_update()
    found = (await connection.execute(wanted)).one_or_none()
    if found is None or found.state != "open":
        raise Closed(posting.table)
    if found.community != posting.community:
        raise LedgerError(f"table {posting.table} is of {found.community!r}, not of {posting.community!r}")


def _touched(posting: Posting, end: End | None) -> set[str]:
    """Name the accounts that matter; a house that pays may have to draw on the mint."""
    touched = posting.accounts()
    if end is not None:
        touched.add(accounts.pot(str(posting.at_table)))
    if _changes(posting.entries)[accounts.house(posting.community)] < 0:
        touched.add(accounts.mint(posting.community))
    return touched


async def _lock(connection: AsyncConnection, posting: Posting, names: Collection[str]) -> dict[str, int]:
    """Read balances that nobody else can change before the transaction ends."""
    ordered = sorted(names)
    new = [
        {"id": name, "community": posting.community, "kind": accounts.kind(name), "balance": 0}
        for name in ordered
    ]
    await ensure(connection, schema.account, new)
    account = schema.account.c
    balances: dict[str, int] = {}
    for some in batches(ordered):
        wanted = select(account.id, account.balance).where(account.id.in_(some)).order_by(account.id)
        balances |= {row.id: row.balance for row in await connection.execute(wanted.with_for_update())}
    return balances


def _require_expected(posting: Posting, balances: Mapping[str, int]) -> None:
    for name in sorted(posting.expects):
        if balances[name] != posting.expects[name]:
            raise Moved(name)


def _covered(posting: Posting, balances: Mapping[str, int]) -> tuple[Entry, ...]:
    """Let the mint make up what the house lacks: its debts are always good."""
    house = accounts.house(posting.community)
    lacking = -(balances.get(house, 0) + _changes(posting.entries)[house])
    bankroll = instalments(accounts.mint(posting.community), house, lacking, "bankroll")
    return (*bankroll, *posting.entries)


def _changes(entries: Sequence[Entry]) -> Counter[str]:
    """Add up what each account gains or loses in all."""
    changes: Counter[str] = Counter()
    for each in entries:
        changes[each.source] -= each.credits
        changes[each.target] += each.credits
    return changes


def _require_funds(balances: Mapping[str, int], changes: Mapping[str, int]) -> None:
    for name, change in changes.items():
        if balances[name] + change < 0 and accounts.kind(name) != "mint":
            raise Short(name, balances[name])


def _require_empty(pot: str, balances: Mapping[str, int], changes: Mapping[str, int]) -> None:
    left = balances[pot] + changes.get(pot, 0)
    if left:
        raise LedgerError(f"{pot} must be empty at the end of its table, and holds {left}")
