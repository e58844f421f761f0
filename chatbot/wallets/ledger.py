"""Where credits live: postings go in whole or not at all, and can be asked about."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.kernel.kit import HOUSE
from chatbot.wallets import accounts, book, forwarding, refunds, schema, unit
from chatbot.wallets.accounts import GONE, NAMED
from chatbot.wallets.gathering import Gathering
from chatbot.wallets.posting import Entry, LostAnswer
from chatbot.wallets.statements import batches, glance

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.posting import Posting
    from chatbot.wallets.store import Store

A = TypeVar("A")
Check: TypeAlias = "Callable[[AsyncConnection], Awaitable[None]]"

_FORWARDED = select(schema.identity.c.seat).where(schema.identity.c.linked == 1)


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
            Exhausted: there would be more credits than can be counted.
            Moved: a balance is not the expected one.
            Closed: the table is not open.
            LedgerError: the books would have been broken.
            IntegrityError: a turn of that number is there already.
            LostAnswer: the database was lost meanwhile, and does not even say whether it is written.
        """
        return await self._settled(posting, self._store.join(unit.write, posting))

    async def post_checked(self, posting: Posting, check: Check) -> bool:
        """Write a posting as `post` does, if the books with it pass a check: what that raises undoes it."""
        work = partial(_checked, posting=posting, check=check)
        answer = await self._settled(posting, self._store.write(work))
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _settled(self, posting: Posting, writing: Awaitable[A]) -> A | bool:
        """Wait until it is certain whether a posting is written."""
        try:
            return await writing
        except (SQLAlchemyError, OSError) as error:
            # Another process has written this very id meanwhile, or the answer to our commit was lost.
            answer = await self.look_up(posting.id, posting.at, error)
            if answer is None:
                raise
            if isinstance(answer, Exception):
                raise answer from None
            return answer and not isinstance(error, IntegrityError)

    async def void(self, table: str, at: datetime, seed: bytes | None = None) -> tuple[Entry, ...]:
        """Close an open table without an end and give every stake back to who paid it.

        Its `seed` is no secret any more; there is none if it was lost. Returns what was moved; nothing if the
        table was not open.
        """
        try:
            return await self._store.write(partial(refunds.void, table=table, at=at, seed=seed))
        except (SQLAlchemyError, OSError) as error:
            if await self._answer(f"void:{table}", at, error) is None:
                raise
            return await self.moved(f"void:{table}")  # the answer to our commit was lost

    async def look_up(self, posting: str, at: datetime, error: Exception) -> book.Answer | None:
        """Look up what an id was answered, if anything, after an error; True: this very posting is written.

        Raises:
            LostAnswer: nobody can tell.
        """
        answer = await self._answer(posting, at, error)
        if answer is None and isinstance(error, DBAPIError) and error.connection_invalidated:
            raise LostAnswer(posting) from error  # the server may still be about to commit
        return answer

    async def _answer(self, posting: str, at: datetime, error: Exception) -> book.Answer | None:
        row = schema.posting.c
        same = select(row.id).where(row.id == posting, row.created_at == at)
        try:
            async with self._store.reading() as connection:
                if (await connection.execute(same)).first() is not None:
                    return True
                return (await book.known(connection, [posting])).get(posting)
        except (SQLAlchemyError, OSError):
            raise LostAnswer(posting) from error

    async def moved(self, posting: str) -> tuple[Entry, ...]:
        """Read what a posting has moved."""
        row = schema.transfer.c
        wanted = select(row.source, row.target, row.credits, row.why).where(row.posting == posting)
        async with self._store.reading() as connection:
            return tuple(Entry(*each) for each in await connection.execute(wanted.order_by(row.id)))

    async def balances(self, names: Collection[str]) -> dict[str, int]:
        """Tell what each account holds, all as of one moment; an unknown one holds 0."""
        return await self._purses.get(names)

    async def balance(self, name: str) -> int:
        return (await self.balances([name]))[name]

    async def _balances(self, names: Collection[str]) -> dict[str, int]:
        account, found = schema.account.c, dict.fromkeys(names, 0)
        async with self._store.reading() as connection:
            if connection.dialect.name == "sqlite":
                return found | await _glance(connection, names)
            ways = await forwarding.read(connection, names)
            for some in batches({ways.real(name) for name in names}):
                wanted = select(account.id, account.balance).where(account.id.in_(some))
                found |= {row.id: row.balance for row in await connection.execute(wanted)}
        return {name: found.get(ways.real(name), 0) for name in names}

    async def top(self, community: str, count: int, without: Collection[Seat] = ()) -> list[tuple[Seat, int]]:
        """List the `count` richest people's wallets by balance; equal ones by seat."""
        account = schema.account.c
        async with self._store.reading() as connection:
            holder = await _holder(connection, community)
            wanted = _wallets(select(account.id, account.balance), holder, without)
            ordered = wanted.order_by(account.balance.desc(), account.id).limit(count)
            return [(accounts.seat_of(row.id), row.balance) for row in await connection.execute(ordered)]

    async def place(self, community: str, seat: Seat, without: Collection[Seat] = ()) -> int:
        """Tell the seat's rank among people, from 1; equal wallets share the better one."""
        account, name = schema.account.c, accounts.wallet(community, seat)
        async with self._store.reading() as connection:
            ways = await forwarding.read(connection, [name])
            own = select(account.balance).where(account.id == ways.real(name)).scalar_subquery()
            holder = accounts.community_of(ways.real(name))
            richer = _wallets(select(func.count()), holder, without)
            richer = richer.where(account.balance > func.coalesce(own, 0))
            return 1 + int((await connection.execute(richer)).scalar_one())

    async def above(self, community: str, balance: int, without: Collection[Seat] = ()) -> int | None:
        """Tell the smallest balance among people that is larger; None: there is none."""
        account = schema.account.c
        async with self._store.reading() as connection:
            holder = await _holder(connection, community)
            wanted = _wallets(select(func.min(account.balance)), holder, without)
            found = (await connection.execute(wanted.where(account.balance > balance))).scalar()
        return None if found is None else int(found)

    async def ranked(self, community: str, without: Collection[Seat] = ()) -> int:
        """Count the people who have a wallet."""
        async with self._store.reading() as connection:
            wanted = _wallets(select(func.count()), await _holder(connection, community), without)
            return int((await connection.execute(wanted)).scalar_one())

    async def records(self, room: str, game: str, seats: Collection[Seat] | None = None) -> dict[Seat, str]:
        """Read what a game remembers of these members of a room, or of all."""
        record = schema.record.c
        wanted = select(record.seat, record.body).where(record.room == room, record.game == game)
        parts = (
            [wanted] if seats is None else [wanted.where(record.seat.in_(some)) for some in batches(seats)]
        )
        async with self._store.reading() as connection:
            return {Seat(row.seat): row.body for part in parts for row in await connection.execute(part)}


async def _glance(connection: AsyncConnection, names: Collection[str]) -> dict[str, int]:
    """Read balances in one call, and in a second one where others stand for them."""
    found, rows = await glance(connection, names, *forwarding.wanted(names))
    if not rows:
        return found
    ways = forwarding.added(forwarding.Forwarding(), rows)
    held, _ = await glance(connection, {ways.real(name) for name in names}, (), ())
    return {name: held.get(ways.real(name), 0) for name in names}


async def _holder(connection: AsyncConnection, community: str) -> str:
    """Name the community that holds the wallets of this one."""
    name = accounts.wallet(community, Seat(""))
    return accounts.community_of((await forwarding.read(connection, [name])).real(name))


async def _checked(connection: AsyncConnection, posting: Posting, check: Check) -> book.Answer:
    """Write a posting, then check; a refusal is no error here, for it is kept with its id."""
    (answer,) = await book.write(connection, [posting])
    if answer is True:
        await check(connection)
    return answer


def _wallets(query: Select[Any], community: str, without: Collection[Seat] = ()) -> Select[Any]:
    """Look at people's wallets: players of the house hold what is lent to them, and never rank.

    Nor do wallets for which another stands, nor those of a mere name or of somebody forgotten.
    """
    account, lent = schema.account.c, accounts.wallet(community, Seat(f"{HOUSE}:"))
    nobodies = (accounts.wallet(community, Seat(f"{each}:")) for each in (NAMED, GONE))
    return query.where(
        account.community == community,
        account.kind == "wallet",
        *(~account.id.startswith(each, autoescape=True) for each in (lent, *nobodies)),
        func.substr(account.id, len(lent) - len(HOUSE)).not_in(_FORWARDED),
        account.id.not_in([accounts.wallet(community, each) for each in without]),
    )
