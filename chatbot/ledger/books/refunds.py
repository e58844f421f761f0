"""Voids tables: every stake in the pot of a table is returned to the purse that paid it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from chatbot.ledger import vouchers
from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.posting import Entry, Posting, instalments
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import VOUCHER, HeldVoucher, VoucherState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.unit import UnitOfWork

RETURNED = VoucherState.RETURNED


async def void(
    unit: UnitOfWork, table: str, at: datetime, seed: bytes | None = None
) -> tuple[Entry, ...] | None:
    """Decide that a table is void: its stakes return, and its seed is published.

    Returns the entries of the refund; None: the table is not open.
    """
    community = await unit.read(partial(_community, table=table))
    if community is None:
        return None
    pot = purses.pot(community, table)
    entries, held_vouchers = await unit.read_steady([pot], partial(_refund, table=table, community=community))
    returned_vouchers = tuple(
        replace(each, state=RETURNED) for each in held_vouchers if each.state is VoucherState.OPEN
    )
    posting = Posting(
        f"void:{table}",
        community,
        at,
        entries=entries,
        table=table,
        voids=True,
        seed=seed,
        vouchers=returned_vouchers,
    )
    return entries if await unit.post(posting) else None


async def planned(connection: AsyncConnection, table: str) -> tuple[Entry, ...]:
    """Return the entries that would refund a table now, without writing them; empty: it is not open."""
    community = await _community(connection, table)
    return () if community is None else (await _refund(connection, table, community))[0]


async def _refund(
    connection: AsyncConnection, table: str, community: str
) -> tuple[tuple[Entry, ...], list[HeldVoucher]]:
    """Return the entries of the refund of a table, and its vouchers."""
    held_vouchers = await vouchers.held_at(connection, table)
    return await _entries(connection, table, community, held_vouchers), held_vouchers


async def _community(connection: AsyncConnection, table: str) -> str | None:
    """Return the community of a table that is open."""
    row = schema.game_table.c
    query = select(row.community).where(row.id == table, row.state == "open")
    return (await connection.execute(query)).scalar_one_or_none()


async def _entries(
    connection: AsyncConnection, table: str, community: str, held_vouchers: Sequence[HeldVoucher]
) -> tuple[Entry, ...]:
    pot, house = purses.pot(community, table), purses.house(community)
    row = (await holdings.find(connection, [pot])).get(pot)
    payments = Counter[Purse]() if row is None else await _payments(connection, table, row.id)
    balance = 0 if row is None else row.balance
    payments[house] += balance - payments.total()  # 0, unless the database was edited by other means
    burns = await _burns(connection, community, payments, held_vouchers) if held_vouchers else ()
    return (*due(pot, house, payments), *burns)


async def _burns(
    connection: AsyncConnection,
    community: str,
    payments: Mapping[Purse, int],
    held_vouchers: Sequence[HeldVoucher],
) -> Sequence[Entry]:
    """Return the entries that destroy what is refunded of credits that were minted for vouchers.

    A voucher that was returned before is left out: its credits are gone.
    """
    wallets = {each.seat: purses.wallet(community, each.seat) for each in held_vouchers}
    forwarding = await holdings.read(connection, wallets.values())
    left, entries = Counter(payments), list[Entry]()
    for each in held_vouchers:
        wallet = wallets[each.seat]
        real = forwarding.real(wallet)
        # No more than what comes back to them: the platform returns the points, so the credits must not stay;
        # what they had beside these is theirs.
        amount = min(each.voucher.credits, left[real]) if each.state is not RETURNED else 0
        if amount > 0:
            left[real] -= amount
            entries += instalments(wallet, purses.mint(community), amount, VOUCHER)
    return entries


async def _payments(connection: AsyncConnection, table: str, pot: int) -> Counter[Purse]:
    """Return what each purse paid into the pot, less what it received from it."""
    transfer = schema.transfer.c
    query = (
        select(transfer.source, transfer.target, *Sum.of(transfer.credits).named("credits"))
        .where(transfer.table_id == table, or_(transfer.source == pot, transfer.target == pot))
        .group_by(transfer.source, transfer.target)
    )
    payments: Counter[int] = Counter()
    for row in map(combine_sums, (await connection.execute(query)).mappings()):
        payments[row["source"]] += row["credits"]
        payments[row["target"]] -= row["credits"]
    del payments[pot]  # one side of each row is the pot
    names = await holdings.named(connection, payments)
    return Counter({names[row]: credits_ for row, credits_ in payments.items()})


def due(pot: Purse, house: Purse, payments: Mapping[Purse, int]) -> Iterator[Entry]:
    """Return the entries that refund a pot; `payments` are the net payments into it by purse.

    A purse that received more from the pot than it paid keeps the difference, and the house covers it: it
    was paid out according to the rules, and all other stakes must still be returned in full.
    """
    shortfall = -sum(each for each in payments.values() if each < 0)
    yield from instalments(house, pot, shortfall, "cover")
    for payer, stake in sorted(payments.items()):
        yield from instalments(pot, payer, stake, "refund")
