"""Where credits live: postings go in whole or not at all, and can be asked about."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.kernel.kit import HOUSE
from chatbot.wallets import accounts, book, refunds, schema
from chatbot.wallets.gathering import Gathering
from chatbot.wallets.posting import Entry
from chatbot.wallets.statements import batches, glance

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chatbot.wallets.posting import Posting
    from chatbot.wallets.store import Store


class LostAnswer(SQLAlchemyError):  # noqa: N818  (what happened, not what it is)
    """A posting may be written or not: look before asking again under another id."""

    def __init__(self, posting: str) -> None:
        super().__init__(f"the database stopped answering before it was known whether {posting!r} is written")


class Ledger:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._purses = Gathering(self._balances)

    async def post(self, posting: Posting) -> bool:
        """Write a posting; False: its id was written before, and nothing was done now.

        If the caller is cancelled while it waits, the posting is still written or refused:
        posting it again tells which, for an id is answered once and for all (but for Moved).

        Raises:
            Short: a purse cannot pay.
            Moved: a balance is not the expected one.
            Closed: the table is not open.
            LedgerError: the books would have been broken.
            IntegrityError: a turn of that number is there already.
            LostAnswer: the database was lost meanwhile, and does not even say whether it is written.
        """
        try:
            return await self._store.join(book.write, posting)
        except (SQLAlchemyError, OSError) as error:
            # Another process has written this very id meanwhile, or the answer to our commit was lost.
            answer = await self._answer(posting.id, posting.at, error)
            if answer is None and isinstance(error, DBAPIError) and error.connection_invalidated:
                raise LostAnswer(posting.id) from error  # the server may still be about to commit
            if answer is None:
                raise
            if isinstance(answer, Exception):
                raise answer from None
            return answer and not isinstance(error, IntegrityError)

    async def void(self, table: str, at: datetime) -> tuple[Entry, ...]:
        """Close an open table without an end and give every stake back to who paid it.

        Returns what was moved; nothing if the table was not open.
        """
        try:
            return await self._store.write(partial(refunds.void, table=table, at=at))
        except (SQLAlchemyError, OSError) as error:
            if await self._answer(f"void:{table}", at, error) is None:
                raise
            return await self._moved(f"void:{table}")  # the answer to our commit was lost

    async def _answer(self, posting: str, at: datetime, error: Exception) -> book.Answer | None:
        """Look up what an id has been answered, if anything; True: this very posting is written."""
        row = schema.posting.c
        same = select(row.id).where(row.id == posting, row.created_at == at)
        try:
            async with self._store.reading() as connection:
                if (await connection.execute(same)).first() is not None:
                    return True
                return (await book.known(connection, [posting])).get(posting)
        except (SQLAlchemyError, OSError):
            raise LostAnswer(posting) from error

    async def _moved(self, posting: str) -> tuple[Entry, ...]:
        """Read what a posting has moved."""
        row = schema.transfer.c
        wanted = select(row.source, row.target, row.credits, row.why).where(row.posting == posting)
        async with self._store.reading() as connection:
            return tuple(Entry(*each) for each in await connection.execute(wanted.order_by(row.id)))

    async def balances(self, names: Collection[str]) -> dict[str, int]:
        """Tell what each account holds, all as of one moment; an unknown one holds 0."""
        return await self._purses.get(names)

    async def _balances(self, names: Collection[str]) -> dict[str, int]:
        account, found = schema.account.c, dict.fromkeys(names, 0)
        async with self._store.reading() as connection:
            if connection.dialect.name == "sqlite":
                return found | await glance(connection, names)
            for some in batches(names):
                wanted = select(account.id, account.balance).where(account.id.in_(some))
                found |= {row.id: row.balance for row in await connection.execute(wanted)}
        return found

    async def top(self, community: str, count: int, first: int = 0) -> list[tuple[Seat, int]]:
        """List `count` people's wallets by balance after the `first` richest; equal ones by seat."""
        account = schema.account.c
        wanted = _wallets(select(account.id, account.balance), community)
        ordered = wanted.order_by(account.balance.desc(), account.id).limit(count).offset(first)
        async with self._store.reading() as connection:
            return [(accounts.seat_of(row.id), row.balance) for row in await connection.execute(ordered)]

    async def place(self, community: str, seat: Seat) -> int:
        """Tell the seat's rank among people, from 1; equal wallets share the better one."""
        account, name = schema.account.c, accounts.wallet(community, seat)
        own = select(account.balance).where(account.id == name).scalar_subquery()
        richer = _wallets(select(func.count()), community).where(account.balance > func.coalesce(own, 0))
        async with self._store.reading() as connection:
            return 1 + int((await connection.execute(richer)).scalar_one())

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
    """Look at people's wallets: players of the house hold what is lent to them, and never rank."""
    account, lent = schema.account.c, accounts.wallet(community, Seat(f"{HOUSE}:"))
    return query.where(
        account.community == community,
        account.kind == "wallet",
        ~account.id.startswith(lent, autoescape=True),
    )
