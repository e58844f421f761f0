"""Maps accounts of platforms to persons, and caches that mapping.

A person is a row, and at tables a seat: a text that does not identify them. An account is mapped to the
person that was created when it was first seen. A person who is linked to another, the root, uses the wallet,
name and records of the root. An account that is unlinked is mapped to a new person.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, insert, select, tuple_, update

from chatbot.kernel.game import Seat
from chatbot.ledger import ties
from chatbot.ledger.store import schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches, ensure
from chatbot.ledger.store.writes import Contradiction, RowWrite, Statement, execute
from chatbot.ledger.ties import Tie, Ties

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

# Reserved at once, so that a raid of newcomers needs no write for each; those unused at a restart are lost.
NUMBERS_PER_BLOCK = 1000
MOST_ACCOUNTS = 20_000  # accounts in memory; others are read from the database again

_person, _account = schema.person.c, schema.platform_account.c


class Account(NamedTuple):
    """An account: the name of its platform, and its immutable id there."""

    platform: str
    key: str

    def __str__(self) -> str:
        return f"{self.platform}:{self.key}"

    @classmethod
    def read(cls, text: str) -> Account:
        """Parse the text form, such as `twitch:42`.

        Raises:
            ValueError: the text is not of that form.
        """
        platform, _, key = text.partition(":")
        if not platform or not key or text.split() != [text]:
            raise ValueError(f"an account is such as twitch:42, not {text!r}")
        return cls(platform, key)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """An account that was never seen, and the row id and seat of its new person."""

    account: Account
    number: int
    seat: Seat


def numbered(number: int, known_as: str) -> Seat:  # noqa: ARG001
    """Return a seat made of the number of a person, which does not identify them; `known_as` is ignored."""
    return Seat(f"p{number}")


class People:
    """The cache of accounts, links and unions.

    Links are as of the last `load`; the ledger reads the tables itself. Accounts are cached as they are met.
    `seat_of` makes the seat of a new person from their number and the text of their first account.
    """

    def __init__(self, store: Store, seat_of: Callable[[int, str], Seat] = numbered) -> None:
        self._store, self._seat_of = store, seat_of
        self._loads, self._homes_read = (
            RequestBatcher(self._load),
            RequestBatcher(partial(_read_homes, store)),
        )
        self._mapped = RequestBatcher(partial(_read_accounts, store))
        self._homes: OrderedDict[Account, Seat] = OrderedDict()
        self._accounts: dict[Seat, set[Account]] = {}  # those in memory, by person
        self._new: dict[Account, Newcomer] = {}  # not written yet
        self._numbers = range(0)  # reserved and unused
        self.ties = Ties()
        self.doubted = False  # whether the links in memory may be out of date
        self._changes = 0  # how often a link was changed, or came into doubt, since the start
        self.version = 0  # how often something changed of which account is whose, or who is linked

    async def certain(self) -> None:
        """Read all links and unions again if a change of them failed, as it may have been written."""
        if self.doubted:
            await self.load()

    async def load(self) -> None:
        """Read all links and unions, and the accounts of persons whose links have changed."""
        await self._loads.one(None)

    def doubt(self) -> None:
        """Have the links read again before they are next needed: it is unknown whether one was written."""
        self.doubted = True
        self._changes += 1

    async def _load(self, _: Collection[None]) -> dict[None, None]:
        changes = -1
        while changes != self._changes:  # what was written meanwhile may be missing in what was read
            changes = self._changes
            await self._read_links()
        self.doubted = False
        return {None: None}

    async def _read_links(self) -> None:
        async with self._store.reading() as connection:
            persons = self.ties.replace(*await ties.read(connection))
        self.version += 1
        for account in [each for seat in persons for each in self._accounts_of(seat)]:
            self._forget(account)  # it may be mapped to another person now
        await self.learn(persons)

    def note(self, tie: Tie) -> None:
        """Update the cache with a link or an unlinking that was just written."""
        self._changes += 1
        self.version += 1
        self.ties.add(tie)

    # Accounts

    async def meet(self, accounts: Iterable[Account]) -> None:
        """Ensure that each account has a person; a new one is written with its first action."""
        unknown = [each for each in dict.fromkeys(accounts) if each not in self._homes]
        if not unknown:
            return
        for account, seat in (await self._homes_read.get(unknown)).items():
            if seat is not None:
                self._remember(account, seat)
        for account in unknown:
            if account not in self._homes:  # it may have been met during the query
                await self._make(account)

    async def settle(self, accounts: Iterable[Account]) -> None:
        """Ensure that each account has a person, and write those that are new."""
        accounts = list(dict.fromkeys(accounts))
        await self.meet(accounts)
        new = [self._new[each] for each in accounts if each in self._new]
        if not new:
            return
        try:
            await self._store.commit(lambda: list(writes(new)))
        except Contradiction:
            for each in new:
                self._forget(each.account)
            # Once more: of those whom another process has made, its persons count.
            await self.settle(accounts)
        else:
            self.written(new)

    def newcomer(self, account: Account) -> Newcomer | None:
        """Return what must be written with the first action of an account; None if it is written."""
        return self._new.get(account)

    def forget_new(self, accounts: Iterable[Account]) -> None:
        """Forget those of these accounts that are not written yet: somebody else may have met them."""
        for each in accounts:
            if each in self._new:
                self._forget(each)

    def written(self, newcomers: Iterable[Newcomer]) -> None:
        """Mark these persons as written."""
        for each in newcomers:
            if self._new.get(each.account) == each:
                del self._new[each.account]

    def home(self, account: Account) -> Seat:
        """Return the person of an account, regardless of links.

        Raises:
            KeyError: the account was not met.
        """
        return self._homes[account]

    def met(self, account: Account) -> bool:
        """Return whether the person of an account is in memory."""
        return account in self._homes

    async def learn(self, seats: Collection[Seat]) -> None:
        """Ensure that the accounts of these persons are in memory."""
        everyone = {each for seat in seats for each in self.ties.everyone(seat)}
        unknown = [each for each in everyone if each not in self._accounts]
        if unknown:
            for seat, accounts in (await self._mapped.get(unknown)).items():
                for account in accounts:
                    self._remember(account, seat)

    def accounts(self, seat: Seat) -> list[Account]:
        """List the accounts in memory of a person and those linked, those of the root first."""
        root = self.ties.root(seat)
        return [account for each in (root, *self.ties.seats(root)) for account in self._accounts_of(each)]

    def ever(self, seat: Seat) -> list[Account]:
        """List the accounts in memory that share their limits with a person."""
        return [account for each in self.ties.everyone(seat) for account in self._accounts_of(each)]

    def known_as(self, seat: Seat, platform: str) -> Account | None:
        """Return an account of a person on a platform, or None."""
        return next((each for each in self.accounts(seat) if each.platform == platform), None)

    def _accounts_of(self, seat: Seat) -> list[Account]:
        return sorted(self._accounts.get(seat, ()))

    def _remember(self, account: Account, seat: Seat) -> None:
        self.version += 1
        self._homes[account] = seat
        self._accounts.setdefault(seat, set()).add(account)
        while len(self._homes) > MOST_ACCOUNTS:
            self._forget(next(iter(self._homes)))

    def _forget(self, account: Account) -> None:
        self.version += 1
        seat = self._homes.pop(account)
        self._new.pop(account, None)
        self._accounts[seat].discard(account)
        if not self._accounts[seat]:
            del self._accounts[seat]

    async def another(self, account: Account, *, parted: bool = False) -> Newcomer:
        """Make a new person for an account, without storing them; `parted` after an unlinking."""
        if not self._numbers:
            numbers = await self._store.write(_reserve)
            # Somebody else may have reserved a block meanwhile: one of the two is dropped rather than mixed.
            self._numbers = self._numbers or numbers
        number, self._numbers = self._numbers[0], self._numbers[1:]
        known_as = f"{account}~{number}" if parted else str(account)
        return Newcomer(account, number, self._seat_of(number, known_as))

    def parted(self, newcomer: Newcomer, root: Seat) -> None:
        """Update the cache after an account was unlinked from a root and mapped to a new person."""
        if self.met(newcomer.account):  # it may have left memory meanwhile
            self._forget(newcomer.account)
        self._remember(newcomer.account, newcomer.seat)
        self.note(Tie(newcomer.seat, root, linked=False))

    async def _make(self, account: Account) -> None:
        newcomer = await self.another(account)
        if account not in self._homes:
            self._remember(account, newcomer.seat)
            self._new[account] = newcomer

    def companions(self, root: Seat) -> list[Seat]:
        """List the persons linked to a root who have an account in memory, without itself."""
        return [each for each in self.ties.seats(root) if each in self._accounts]


_MAPPED = (
    select(_account.platform, _account.key, _person.seat)
    .join_from(schema.platform_account, schema.person, _account.person == _person.id)
    .where(_account.key.is_not(None))
)
# Made once: with pairs in it, a statement holds itself alive until the collector comes, 1 kB a pair.
_OF_ACCOUNTS = _MAPPED.where(
    tuple_(_account.platform, _account.key).in_(bindparam("accounts", expanding=True))
)


async def _read_accounts(store: Store, seats: Collection[Seat]) -> dict[Seat, list[Account]]:
    accounts: dict[Seat, list[Account]] = {seat: [] for seat in seats}
    async with store.reading() as connection:
        for some in batches(seats):
            for row in await connection.execute(_MAPPED.where(_person.seat.in_(some))):
                accounts[Seat(row.seat)].append(Account(row.platform, row.key))
    return accounts


async def _read_homes(store: Store, accounts: Collection[Account]) -> dict[Account, Seat | None]:
    async with store.reading() as connection:
        return {**dict.fromkeys(accounts), **await homes(connection, accounts)}


def writes(newcomers: Collection[Newcomer]) -> Iterator[RowWrite]:
    """Yield the writes of new persons with their accounts, in sorted order so that processes cannot deadlock.

    An account that somebody else has met meanwhile contradicts them.
    """
    ordered = sorted(newcomers, key=lambda each: each.account)
    yield RowWrite(_ADD_PERSON, [{"id": each.number, "seat": each.seat} for each in ordered])
    rows = [
        {"platform": each.account.platform, "key": each.account.key, "person": each.number}
        for each in ordered
    ]
    yield RowWrite(_ADD_ACCOUNT, rows)


_ADD_PERSON = Statement(insert(schema.person), ("id", "seat"))
_ADD_ACCOUNT = Statement(insert(schema.platform_account), ("platform", "key", "person"))


async def insert_people(connection: AsyncConnection, newcomers: Collection[Newcomer]) -> None:
    """Insert new persons with their accounts in the transaction of the caller.

    Raises:
        IntegrityError: somebody else has inserted one of the accounts meanwhile.
    """
    await execute(connection, list(writes(newcomers)))


async def reserve(connection: AsyncConnection, count: int) -> range:
    """Reserve row ids of persons, which no other process will use."""
    row = schema.reserved.c
    await ensure(connection, schema.reserved, [{"what": "person", "next": 1}])
    taking = update(schema.reserved).where(row.what == "person").values(next=row.next + count)
    after = int((await connection.execute(taking.returning(row.next))).scalar_one())
    return range(after - count, after)


async def _reserve(connection: AsyncConnection) -> range:
    return await reserve(connection, NUMBERS_PER_BLOCK)


async def homes(connection: AsyncConnection, accounts: Collection[Account]) -> dict[Account, Seat]:
    """Read the persons of accounts; those never seen are left out."""
    seats: dict[Account, Seat] = {}
    for some in batches(accounts):
        for row in await connection.execute(_OF_ACCOUNTS, {"accounts": some}):
            seats[Account(row.platform, row.key)] = Seat(row.seat)
    return seats
