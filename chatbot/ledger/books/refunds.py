"""Voids tables: every stake in the pot of a table is returned to the purse that paid it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from chatbot.ledger import vouchers
from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.posting import Entry, LedgerError, Posting, instalments
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.store import schema
from chatbot.ledger.vouchers import VOUCHER, HeldVoucher, VoucherState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection


RETURNED = VoucherState.RETURNED


async def stands(connection: AsyncConnection, table: str) -> bool:
    """Return whether the table is open, and lock it until the transaction of the caller ends."""
    row = schema.game_table.c
    wanted = select(row.id).where(row.id == table, row.state == "open").with_for_update()
    return (await connection.execute(wanted)).first() is not None


async def void(
    connection: AsyncConnection, table: str, at: datetime, seed: bytes | None = None
) -> tuple[Entry, ...]:
    """Void a table in the transaction of the caller, and store its seed.

    Returns the entries of the refund, none if the table was not open.

    Raises:
        LedgerError: the table is open although a posting has voided it.
    """
    row = schema.game_table.c
    # Locked now: the balance of its pot must not change between this read and the write.
    wanted = select(row.community).where(row.id == table, row.state == "open").with_for_update()
    community = (await connection.execute(wanted)).scalar_one_or_none()
    if community is None:
        return ()
    held = await vouchers.held_at(connection, table)
    entries = await _entries(connection, table, community, held)
    returned = tuple(replace(each, state=RETURNED) for each in held if each.state is VoucherState.OPEN)
    posting = Posting(
        f"void:{table}", community, at, entries=entries, table=table, voids=True, seed=seed, vouchers=returned
    )
    if await posting_writer.write(connection, [posting]) != [True]:
        raise LedgerError(f"table {table} is open, though a posting has voided it")
    return entries


async def _entries(
    connection: AsyncConnection, table: str, community: str, held_vouchers: Sequence[HeldVoucher]
) -> tuple[Entry, ...]:
    pot, house = purses.pot(community, table), purses.house(community)
    found = (await holdings.find(connection, [pot])).get(pot)
    paid = Counter[Purse]() if found is None else await _paid(connection, table, found.id)
    held = 0 if found is None else found.balance
    paid[house] += held - paid.total()  # 0, unless the database was edited by other means
    burnt = await _burnt(connection, community, paid, held_vouchers) if held_vouchers else ()
    return (*due(pot, house, paid), *burnt)


async def _burnt(
    connection: AsyncConnection,
    community: str,
    paid: Mapping[Purse, int],
    held_vouchers: Sequence[HeldVoucher],
) -> Sequence[Entry]:
    """Return the entries that destroy what is refunded of credits that were minted for vouchers.

    A voucher that was returned before is left out: its credits are gone.
    """
    wallets = {each.seat: purses.wallet(community, each.seat) for each in held_vouchers}
    forwarding = await holdings.read(connection, wallets.values())
    left, entries = Counter(paid), list[Entry]()
    for each in held_vouchers:
        wallet = wallets[each.seat]
        real = forwarding.real(wallet)
        # No more than what comes back to them: the platform returns the points, so the credits must not stay;
        # what they had beside these is theirs.
        burnt = min(each.voucher.credits, left[real]) if each.state is not RETURNED else 0
        if burnt > 0:
            left[real] -= burnt
            entries += instalments(wallet, purses.mint(community), burnt, VOUCHER)
    return entries


async def _paid(connection: AsyncConnection, table: str, pot: int) -> Counter[Purse]:
    """Return what each purse paid into the pot, less what it received from it."""
    transfer = schema.transfer.c
    wanted = (
        select(transfer.source, transfer.target, *Sum.of(transfer.credits).named("credits"))
        .where(transfer.table_id == table, or_(transfer.source == pot, transfer.target == pot))
        .group_by(transfer.source, transfer.target)
    )
    paid: Counter[int] = Counter()
    for row in map(combine_sums, (await connection.execute(wanted)).mappings()):
        paid[row["source"]] += row["credits"]
        paid[row["target"]] -= row["credits"]
    del paid[pot]  # one side of each row is the pot
    names = await holdings.named(connection, paid)
    return Counter({names[row]: credits_ for row, credits_ in paid.items()})


def due(pot: Purse, house: Purse, paid: Mapping[Purse, int]) -> Iterator[Entry]:
    """Return the entries that refund a pot; `paid` are net payments into it by purse.

    A purse that received more from the pot than it paid keeps the difference, and the house covers it: it
    was paid out according to the rules, and all other stakes must still be returned in full.
    """
    gained = -sum(each for each in paid.values() if each < 0)
    yield from instalments(house, pot, gained, "cover")
    for payer, stake in sorted(paid.items()):
        yield from instalments(pot, payer, stake, "refund")
