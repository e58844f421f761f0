"""Checks the books: what must be true after every write, asked of the database itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, literal, or_, select, union_all

from chatbot.wallets import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.wallets.store import Store

account, transfer = schema.account.c, schema.transfer.c
game_table, journal = schema.game_table.c, schema.journal.c


async def breaches(store: Store) -> list[str]:
    """List every breach in a sentence; sound books give none. Costs a look at every transfer."""
    async with store.reading() as connection:
        return [
            sentence.format(*row)
            for sentence, check in _CHECKS.items()
            for row in await connection.execute(check())
        ]


def _unbalanced() -> Select[Any]:
    total = func.sum(account.balance)
    return select(account.community, total).group_by(account.community).having(total != 0)


def _uncovered() -> Select[Any]:
    """Add up each account's balance beside its transfers; either may lack the other."""
    nothing = literal(0)
    lines = union_all(
        select(account.id.label("id"), account.balance.label("held"), nothing.label("moved")),
        select(transfer.target, nothing, transfer.credits),
        select(transfer.source, nothing, -transfer.credits),
    ).subquery()
    held, moved = func.sum(lines.c.held), func.sum(lines.c.moved)
    return select(lines.c.id, held, moved).group_by(lines.c.id).having(held != moved).order_by(lines.c.id)


def _stranded() -> Select[Any]:
    """Find pots with credits whose table is not open, or is not there."""
    table_of_pot = account.id == "pot:" + game_table.id
    state = func.coalesce(game_table.state, "missing")
    pots = schema.account.outerjoin(schema.game_table, table_of_pot)
    wanted = select(account.id, account.balance, state).select_from(pots)
    return wanted.where(account.id.startswith("pot:"), account.balance != 0, state != "open")


def _overdrawn() -> Select[Any]:
    indebted = account.balance < 0, ~account.id.startswith("mint:")
    return select(account.id, account.balance).where(*indebted)


def _torn() -> Select[Any]:
    turns, first, last = func.count(), func.min(journal.turn), func.max(journal.turn)
    wanted = select(journal.table_id, turns, first, last).group_by(journal.table_id)
    return wanted.having(or_(first != 1, turns != last))


_CHECKS: dict[str, Callable[[], Select[Any]]] = {
    "community {0} sums to {1} and not to 0": _unbalanced,
    "{0} holds {1}, not the {2} of its transfers": _uncovered,
    "{0} holds {1} though its table is {2}": _stranded,
    "{0} is at {1}, below zero": _overdrawn,
    "the journal of table {0} has {1} turns from {2} to {3}": _torn,
}
