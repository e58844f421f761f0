"""Where credits live: postings go in whole or not at all, and can be asked about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError

from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, book, refunds, schema
from chatbot.wallets.posting import Entry, Posting, Turn
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.wallets.store import Store


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is neither settled nor void. `settings` is JSON."""

    id: str
    room: str
    community: str
    game: str
    version: int
    settings: str
    seed: bytes
    opened_at: datetime


class Ledger:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def post(self, posting: Posting) -> bool:
        """Write a posting; False: its id was written before, and nothing was done now.

        If the caller is cancelled while it waits, the posting is still written or refused:
        posting it again, or looking at what it changes, tells which.

        Raises:
            Short: a purse cannot pay.
            Moved: a balance is not the expected one.
            Closed: the table is not open.
            LedgerError: the books would have been broken.
            IntegrityError: a table or turn of that name is there already.
        """
        try:
            return await self._store.write(partial(book.write, posting=posting))
        except IntegrityError:
            # Another process on the same database may have written this very id meanwhile.
            async with self._store.reading() as connection:
                if await book.is_written(connection, posting.id):
                    return False
            raise

    async def void(self, table: str, at: datetime) -> tuple[Entry, ...]:
        """Close an open table without an end and give every stake back to who paid it.

        Returns what was moved; nothing if the table was not open.
        """
        return await self._store.write(partial(refunds.void, table=table, at=at))

    async def balances(self, names: Collection[str]) -> dict[str, int]:
        """Tell what each account holds; an unknown one holds 0."""
        account, found = schema.account.c, dict.fromkeys(names, 0)
        async with self._store.reading() as connection:
            for some in batches(names):
                wanted = select(account.id, account.balance).where(account.id.in_(some))
                found |= {row.id: row.balance for row in await connection.execute(wanted)}
        return found

    async def top(self, community: str, count: int, first: int = 0) -> list[tuple[Seat, int]]:
        """List `count` wallets by balance after the `first` richest; equal ones by seat."""
        account = schema.account.c
        wanted = _wallets(select(account.id, account.balance), community)
        ordered = wanted.order_by(account.balance.desc(), account.id).limit(count).offset(first)
        async with self._store.reading() as connection:
            return [(accounts.seat_of(row.id), row.balance) for row in await connection.execute(ordered)]

    async def place(self, community: str, seat: Seat) -> int:
        """Tell the seat's rank, from 1; equal wallets share the better one."""
        account, name = schema.account.c, accounts.wallet(community, seat)
        own = select(account.balance).where(account.id == name).scalar_subquery()
        richer = _wallets(select(func.count()), community).where(account.balance > func.coalesce(own, 0))
        async with self._store.reading() as connection:
            return 1 + int((await connection.execute(richer)).scalar_one())

    async def open_tables(self) -> list[OpenTable]:
        """List them by age."""
        table = schema.game_table.c
        fields = [table[name] for name in OpenTable.__slots__]
        wanted = select(*fields).where(table.state == "open").order_by(table.opened_at, table.id)
        async with self._store.reading() as connection:
            return [OpenTable(*row) for row in await connection.execute(wanted)]

    async def journal(self, table: str) -> list[Turn]:
        """Read a table's journal from its first turn."""
        rows = schema.journal.c
        fields = rows.table_id, rows.turn, rows.action, rows.purses, rows.line, rows.at
        wanted = select(*fields).where(rows.table_id == table).order_by(rows.turn)
        async with self._store.reading() as connection:
            return [Turn(*row) for row in await connection.execute(wanted)]

    async def records(self, room: str, game: str, seats: Collection[Seat] | None = None) -> dict[Seat, str]:
        """Read what a game remembers of these members of a room, or of all."""
        record = schema.record.c
        wanted = select(record.seat, record.body).where(record.room == room, record.game == game)
        parts = (
            [wanted] if seats is None else [wanted.where(record.seat.in_(some)) for some in batches(seats)]
        )
        async with self._store.reading() as connection:
            return {Seat(row.seat): row.body for part in parts for row in await connection.execute(part)}


def _wallets(query: Select[Any], community: str) -> Select[Any]:
    account = schema.account.c
    return query.where(account.community == community, account.kind == "wallet")
