"""Maps accounts of platforms to persons, and caches that mapping.

A person is a row, and at tables a seat: a text that does not identify them. An account is mapped to the
person that was created when it was first seen. A person who is linked to another, the root, uses the wallet,
name and records of the root. An account that is unlinked is mapped to a new person.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import bindparam, insert, select, update

from chatbot.kernel.game import Seat
from chatbot.ledger import ties
from chatbot.ledger.store import people_version, schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches, ensure
from chatbot.ledger.store.writes import Contradiction, RowWrite, Statement, execute
from chatbot.ledger.ties import Tie, Ties

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.people_version import PeopleChange
    from chatbot.ledger.store.store import Store

# Reserved at once, so that a raid of newcomers needs no write for each; those unused at a restart are lost.
NUMBERS_PER_BLOCK = 1000
MOST_ACCOUNTS = 20_000  # accounts in memory; others are read from the database again

K = TypeVar("K")
V = TypeVar("V")

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


class _Links(NamedTuple):
    """What was read in place of the version `as_of`; `seats` are the persons of the accounts in memory."""

    as_of: int
    version: int
    ties: list[Tie]
    unions: dict[str, str]
    seats: dict[Account, Seat]


class People:
    """The cache of accounts, links and unions.

    All of it is as of one version, which triggers of the database raise with every change: units of work name
    it (`chatbot.ledger.store.people_version`). Accounts are cached as they are met. `seat_of` makes the seat
    of a new person from their number and the text of their first account.
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
        self._doubts = 0  # how often they came into doubt
        self._as_of = 0  # the version of what is known, and that of a database in which nobody is linked
        self.version = 0  # how often something changed of which account is whose, or who is linked
        self.listeners: list[Callable[[], object]] = []  # called when this process has linked or unlinked

    async def certain(self) -> None:
        """Read all links and unions again if a change of them failed, as it may have been written."""
        if self.doubted:
            await self.load()

    async def load(self) -> None:
        """If there is another version, read all links and unions, and who has the accounts in memory."""
        await self._loads.one(None)

    def doubt(self) -> None:
        """Have the links read again before they are next needed: it is unknown whether one was written."""
        self.doubted = True
        self._doubts += 1

    async def _load(self, _: Collection[None]) -> dict[None, None]:
        doubts, persons = self._doubts, set[Seat]()
        while (read := await self._read_links()) is not None:
            as_of, version, links, unions, seats = read
            if as_of != self._as_of:
                continue  # what was noted meanwhile may be missing in what was read
            persons = self.ties.replace(links, unions)
            for account in [each for each in self._homes if each not in self._new]:
                if self._homes[account] != seats.get(account):
                    self._forget(account)
            self._set_version(version)
        if doubts == self._doubts:
            self.doubted = False
        await self.learn(persons)
        return {None: None}

    async def _read_links(self) -> _Links | None:
        """Read what is known, if there is another version of it."""
        as_of = self._as_of
        async with self._store.reading() as connection:
            version = await people_version.current(connection)
            if version == as_of:
                return None
            links, unions = await ties.read(connection)
            seats = await homes(connection, [each for each in self._homes if each not in self._new])
        return _Links(as_of, version, links, unions, seats)

    def note(self, tie: Tie, change: PeopleChange) -> None:
        """Update the cache with a link or an unlinking that was just written, as the only change."""
        if change.before == self._as_of:
            self.ties.add(tie)
            self._set_version(change.after)
        elif change.after != self._as_of:
            self.doubt()
        for listener in self.listeners:
            listener()

    @property
    def as_of(self) -> int:
        """The version of links and unions in memory."""
        return self._as_of

    def _set_version(self, version: int) -> None:
        self._as_of = version
        self.version += 1
        if self._store.people in (None, self):
            self._store.memory.note_people(version)

    # Accounts

    async def meet(self, accounts: Iterable[Account]) -> None:
        """Ensure that each account has a person; a new one is written with its first action."""
        unknown = [each for each in dict.fromkeys(accounts) if each not in self._homes]
        if not unknown:
            return
        seats = await self._as_known(self._homes_read, unknown)
        for account, seat in seats.items():
            if seat is not None and account not in self._homes:
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
            for seat, accounts in (await self._as_known(self._mapped, unknown)).items():
                for account in accounts:
                    self._remember(account, seat)

    async def _as_known(self, reads: RequestBatcher[K, V], keys: Collection[K]) -> dict[K, V]:
        """Read once more what may be older than what became known meanwhile."""
        while True:
            version = self._as_of
            values = await reads.get(keys)
            if version == self._as_of:
                return values

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
        if self._homes.get(account, seat) != seat:
            self._forget(account)
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
            numbers = await self._store.write(_reserve, homes=())
            # Somebody else may have reserved a block meanwhile: one of the two is dropped rather than mixed.
            self._numbers = self._numbers or numbers
        number, self._numbers = self._numbers[0], self._numbers[1:]
        known_as = f"{account}~{number}" if parted else str(account)
        return Newcomer(account, number, self._seat_of(number, known_as))

    def parted(self, newcomer: Newcomer, root: Seat, change: PeopleChange) -> None:
        """Update the cache after an account was unlinked from a root and mapped to a new person."""
        self._remember(newcomer.account, newcomer.seat)
        self.note(Tie(newcomer.seat, root, linked=False), change)

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
# By platform, as PostgreSQL reads the whole table for a list of pairs, and the index for a list of keys. Made
# once: a statement with a list in it holds itself alive until the collector comes, 1 kB an item.
_OF_ACCOUNTS = _MAPPED.where(
    _account.platform == bindparam("platform"), _account.key.in_(bindparam("keys", expanding=True))
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
    yield people_write(ordered)
    rows = [
        {"platform": each.account.platform, "key": each.account.key, "person": each.number}
        for each in ordered
    ]
    yield RowWrite(_ADD_ACCOUNT, rows)


def people_write(newcomers: Collection[Newcomer]) -> RowWrite:
    """Return the write of new persons, without their accounts."""
    return RowWrite(_ADD_PERSON, [{"id": each.number, "seat": each.seat} for each in newcomers])


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
    keys_by_platform: dict[str, list[str]] = {}
    for account in accounts:
        keys_by_platform.setdefault(account.platform, []).append(account.key)
    seats: dict[Account, Seat] = {}
    for platform, keys in keys_by_platform.items():
        for some in batches(keys):
            for row in await connection.execute(_OF_ACCOUNTS, {"platform": platform, "keys": some}):
                seats[Account(row.platform, row.key)] = Seat(row.seat)
    return seats
