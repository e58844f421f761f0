"""The interface of the books: writes postings atomically, and reads balances, rankings and records.

A busy chat requests balances one by one: those that wait are read together.
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.ledger.books import holdings, purses, refunds
from chatbot.ledger.books.books import concerned_purses
from chatbot.ledger.books.posting import Entry, LostAnswer, Rejection
from chatbot.ledger.books.purses import PERSON
from chatbot.ledger.books.unit import Expected, UnitData, UnitOfWork
from chatbot.ledger.books.unit import reading as unit_reading
from chatbot.ledger.store import schema
from chatbot.ledger.store.leases import NotOwner
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches
from chatbot.ledger.store.writes import Contradiction
from chatbot.ledger.vouchers import Vouchers

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.posting import Posting
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

MOST_ATTEMPTS = 20  # to decide a posting again that the database has refused: so many are no accident
T = TypeVar("T")

_person, _account = schema.person.c, schema.platform_account.c
_KNOWN_ACCOUNT = select(_account.person).where(_account.person == _person.id, _account.key.is_not(None))
_UNRANKED = select(_person.seat).where(_person.same_as.is_not(None) | ~_KNOWN_ACCOUNT.exists())


class Ledger:
    """The books of all communities in a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._expected, self._again = RequestBatcher(self._read_expected), asyncio.Lock()
        self.vouchers = Vouchers(store)

    def unit(self, *, wary: bool = False) -> UnitOfWork:
        """Begin a unit of work; a `wary` one also reads whether its ids were written before."""
        return UnitOfWork(self._store, self, wary=wary)

    async def post(self, posting: Posting) -> bool:
        """Write a posting; return False if its id was written before, in which case nothing is done.

        If the caller is cancelled while it waits, the posting is still written or refused.

        Raises:
            Short: a purse cannot pay.
            Exhausted: the community would have more than `MOST_MINTED` credits.
            Moved: a balance is not the expected one.
            Closed: the table is not open.
            LedgerError: the posting would break an invariant of the books.
            Contradiction: the database refuses it, for example because there is a turn of that number.
            LostAnswer: the connection was lost, and it is unknown whether the posting was written.
        """
        return await self.decide(
            lambda unit: unit.post(posting),
            concerned_purses(posting),
            [posting.table] if posting.table else [],
        )

    async def decide(
        self,
        work: Callable[[UnitOfWork], Awaitable[T]],
        purses: Collection[Purse] = (),
        tables: Collection[str] = (),
    ) -> T:
        """Decide something by itself and write it; what the database contradicts is decided again.

        What is rejected is decided again, too, once, from these purses and tables as the database has them.

        Raises:
            Contradiction: the database contradicts it again and again.
            LostAnswer: the connection was lost, and it is unknown whether it was written.
            Exception: what `work` raises; nothing is written.
        """
        for attempt in range(1, MOST_ATTEMPTS + 1):
            unit = self.unit(wary=attempt > 1)
            try:
                # One after the other, or many would contradict each other for ever.
                async with self._again if attempt > 2 else nullcontext():
                    result = await work(unit)
                    await unit.commit()
            except Contradiction:
                if attempt == MOST_ATTEMPTS:
                    raise
            except Rejection:
                if attempt > 1:
                    raise
                # A wary unit knows if it was written before; what it decides from is read again.
                while self._store.memory.pending(purses):
                    await self._store.settled()
                self._store.memory.forget(purses, tables)
            else:
                return result
        raise AssertionError("unreachable")

    async def void(self, table: str, at: datetime, seed: bytes | None = None) -> tuple[Entry, ...]:
        """Void an open table: close it and return every stake to the purse that paid it.

        `seed` is published with the table; None if it was lost. Returns the entries of the refund, none if
        the table was not open.

        Raises:
            LostAnswer: the connection was lost, and it is unknown whether the table is void.
        """
        return await self.decide(partial(refunds.void, table=table, at=at, seed=seed), (), [table]) or ()

    async def look_up(self, posting: str, at: datetime, error: Exception) -> bool:
        """Look up after an error whether a posting was written with this time.

        Raises:
            LostAnswer: it cannot be determined.
        """
        if isinstance(error, NotOwner):
            return False
        row = schema.posting.c
        same = select(row.id).where(row.id == posting, row.created_at == at)
        try:
            async with self._store.reading() as connection:
                written = (await connection.execute(same)).first() is not None
        except (SQLAlchemyError, OSError):
            raise LostAnswer(posting) from error
        if not written and isinstance(error, DBAPIError) and error.connection_invalidated:
            raise LostAnswer(posting) from error  # the server may still be about to commit
        return written

    async def moved(self, posting: str) -> tuple[Entry, ...]:
        """Return the entries of a posting."""
        row = schema.transfer.c
        async with self._store.reading() as connection:
            return await holdings.entries(connection, row.posting == posting)

    async def balances(self, names: Collection[Purse]) -> dict[Purse, int]:
        """Return the balance of each purse, all as of one moment; an unknown one has 0.

        Raises:
            NotOwner: the lease has run out, so that what memory knows may be true no more.
        """
        one = self.unit()
        if self._store.memory.pending(names):
            await self._store.settled()  # what is decided may not be said before it is written
        balances = await one.balances(names)
        self._store.leases.require_current()
        return balances

    async def balance(self, name: Purse) -> int:
        """Return the balance of a purse, which is 0 if it is unknown."""
        return (await self.balances([name]))[name]

    async def expected(self, request: Expected) -> UnitData:
        """Read what a unit of work needs, together with what others need that wait."""
        return await self._expected.one(request)

    async def _read_expected(self, requests: Collection[Expected]) -> dict[Expected, UnitData]:
        with self._store.memory.reading() as reading:
            unit_data = await self._store.fetch(unit_reading(requests))
            books = unit_data.books
            self._store.memory.adopt(reading, books.balances, books.absent, books.forwarding, books.tables)
        return dict.fromkeys(requests, unit_data)

    async def top(self, community: str, count: int, without: Collection[Seat] = ()) -> list[tuple[Seat, int]]:
        """List the `count` largest wallets of people by balance, equal ones by seat; omit `without`."""
        async with self._store.reading() as connection:
            return await ranking(connection, community, count, without)

    async def place(self, community: str, seat: Seat, without: Collection[Seat] = ()) -> int:
        """Return the rank of a seat among people, from 1; equal wallets share the better rank."""
        name = purses.wallet(community, seat)
        async with self._store.reading() as connection:
            real = (await holdings.read(connection, [name])).real(name)
            balance = (await holdings.balances(connection, [real]))[real]
            richer = _ranked_wallets(select(func.count()), real.community, without)
            richer = richer.where(schema.purse.c.balance > balance)
            return 1 + int((await connection.execute(richer)).scalar_one())

    async def above(self, community: str, balance: int, without: Collection[Seat] = ()) -> int | None:
        """Return the smallest balance of people that is larger than `balance`, or None."""
        purse = schema.purse.c
        async with self._store.reading() as connection:
            holder = await _holder(connection, community)
            query = _ranked_wallets(select(func.min(purse.balance)), holder, without)
            next_balance = (await connection.execute(query.where(purse.balance > balance))).scalar()
        return None if next_balance is None else int(next_balance)

    async def ranked(self, community: str, without: Collection[Seat] = ()) -> int:
        """Return the number of people who are ranked."""
        async with self._store.reading() as connection:
            query = _ranked_wallets(select(func.count()), await _holder(connection, community), without)
            return int((await connection.execute(query)).scalar_one())

    async def records(self, room: str, game: str, seats: Collection[Seat] | None = None) -> dict[Seat, str]:
        """Read the records of a game about these members of a room, or about all."""
        record = schema.record.c
        query = select(record.seat, record.body).where(record.room == room, record.game == game)
        parts = [query] if seats is None else [query.where(record.seat.in_(some)) for some in batches(seats)]
        async with self._store.reading() as connection:
            return {Seat(row.seat): row.body for part in parts for row in await connection.execute(part)}


async def ranking(
    connection: AsyncConnection, community: str, count: int | None = None, without: Collection[Seat] = ()
) -> list[tuple[Seat, int]]:
    """List the `count` largest wallets of people as `Ledger.top`, in the caller's transaction; None: all."""
    purse, holder = schema.purse.c, await _holder(connection, community)
    query = _ranked_wallets(select(purse.owner, purse.balance), holder, without)
    ordered = query.order_by(purse.balance.desc(), purse.owner).limit(count)
    return [(Seat(row.owner), row.balance) for row in await connection.execute(ordered)]


async def _holder(connection: AsyncConnection, community: str) -> str:
    """Return the community that holds the wallets of this one."""
    name = purses.wallet(community, Seat(""))
    return (await holdings.read(connection, [name])).real(name).community


def _ranked_wallets(query: Select[Any], community: str, without: Collection[Seat] = ()) -> Select[Any]:
    """Restrict a query to the wallets that are ranked.

    Players of the house are not, because their credits are lent to them; nor are wallets that another one
    replaces, and those of persons of whom no account is known.
    """
    purse = schema.purse.c
    return query.where(
        purse.community == schema.community_of(community),
        purse.kind == PERSON,
        purse.owner.not_in(_UNRANKED),
        purse.owner.not_in(without),
    )
