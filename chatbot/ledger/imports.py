"""Imports balances from another bot, and undoes imports.

An owner of whom only a login is known gets a placeholder: a person with an ordinary wallet, so that the books
stay consistent. The first account that is seen with that login inherits the wallet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import delete, select, union

from chatbot.kernel.game import Failure, Seat
from chatbot.ledger import links, people
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Exhausted, Moved, Posting, Short, instalments
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.changes import MONEY, OPERATOR, AlreadyUndone, Change, Changes, ChangeSet, Work
from chatbot.ledger.members import LAST
from chatbot.ledger.people import Account, People
from chatbot.ledger.store import schema
from chatbot.ledger.store.people_version import changing
from chatbot.ledger.store.statements import batches
from chatbot.ledger.ties import Tie

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.people import Newcomer
    from chatbot.ledger.store.store import Store

INHERITED = "inherit"
"""The reason of transfers from the wallet of a placeholder to its account."""

LOGIN_PLATFORM = "name"
"""The platform of the accounts that stand for logins."""

_change, _transfer = schema.change.c, schema.transfer.c
_member, _person, _account = schema.member.c, schema.person.c, schema.platform_account.c
_WAITING = (
    select(_account.platform, _account.login, _person.seat)
    .join_from(schema.platform_account, schema.person, _account.person == _person.id)
    .where(_account.login.is_not(None))
)


def waiting_as(login: Account) -> Account:
    """Return the account that stands for a login, which is given as the key of an account."""
    return Account(LOGIN_PLATFORM, f"{login.platform}:{login.key}")


class Placeholders:
    """Persons who are known by a login only."""

    def __init__(self, store: Store, people: People) -> None:
        self._store, self._people = store, people

    async def waiting(self) -> bool:
        """Return whether there is any placeholder."""
        async with self._store.reading() as connection:
            return (await connection.execute(_WAITING.limit(1))).first() is not None

    async def inherit(self, login: Account, seat: Seat, at: datetime) -> int:
        """Link the placeholder of a login to a person, and return the credits that they inherit."""
        async with self._store.reading() as connection:
            # Asked by reading, because nearly nobody has credits waiting, and a write waits for all stakes
            # before it.
            if not await find(connection, [login]):
                return 0
        root = self._people.ties.root(seat)
        credits_by_seat, change = await self._store.write(
            changing(partial(_inherit, login=login, root=root, at=at))
        )
        for each, credits_ in credits_by_seat.items():
            self._people.note(Tie(each, root, linked=True), change)
            return credits_
        return 0


async def find(connection: AsyncConnection, logins: Collection[Account]) -> dict[Account, Seat]:
    """Return the placeholders of these logins, which must be in small letters."""
    seats: dict[Account, Seat] = {}
    for some in batches(logins):
        names = {each.key for each in some}
        for row in await connection.execute(_WAITING.where(_account.login.in_(names))):
            seats[Account(row.platform, row.login)] = Seat(row.seat)
    return {login: seats[login] for login in logins if login in seats}


async def waiting_for(connection: AsyncConnection, login: str, community: str | None) -> list[Seat]:
    """Return the placeholders of a login at any platform: all, or those with a wallet in a community."""
    purse = schema.purse.c
    query = _WAITING.where(_account.login == login)
    if community is not None:
        query = query.where(
            _person.seat.in_(select(purse.owner).where(purse.community == schema.community_of(community)))
        )
    return [Seat(row.seat) for row in await connection.execute(query)]


@dataclass(frozen=True, slots=True)
class WaitingBalance:
    """Credits that wait until somebody of this login, in small letters, is seen on a platform."""

    platform: str
    login: str
    credits: int


async def waiting_in(
    connection: AsyncConnection, holder: str, platform: str, prefix: str, count: int, after: str
) -> list[WaitingBalance]:
    """List balances that wait on a platform, by logins that begin so and come after another, in their order.

    `holder` is the community that has the wallets.
    """
    purse, folded = schema.purse.c, prefix.casefold()
    query = (
        select(_account.login, purse.balance)
        .join_from(schema.platform_account, schema.person, _account.person == _person.id)
        .join(schema.purse, purse.owner == _person.seat)
        .where(_account.platform == platform, _account.login >= folded, _account.login > after)
        .where(_account.login < folded + LAST)
        .where(purse.community == schema.community_of(holder), purse.kind == purses.PERSON)
        .order_by(_account.login)
        .limit(count)
    )
    rows = await connection.execute(query)
    return [WaitingBalance(platform, str(row.login), int(row.balance)) for row in rows]


async def logins_of(connection: AsyncConnection, seats: Collection[Seat]) -> dict[Seat, Account]:
    """Return the logins of those persons who are placeholders."""
    logins: dict[Seat, Account] = {}
    for some in batches(seats):
        for row in await connection.execute(_WAITING.where(_person.seat.in_(some))):
            logins[Seat(row.seat)] = Account(row.platform, row.login)
    return logins


async def add(connection: AsyncConnection, newcomers: Collection[tuple[Account, Newcomer]]) -> None:
    """Insert placeholders, given as pairs of a login and a person."""
    people = [{"id": each.number, "seat": each.seat} for _, each in newcomers]
    rows = [
        {"platform": login.platform, "login": login.key, "person": each.number} for login, each in newcomers
    ]
    if rows:
        await connection.execute(schema.person.insert(), people)
        await connection.execute(schema.platform_account.insert(), rows)


async def _inherit(connection: AsyncConnection, login: Account, root: Seat, at: datetime) -> dict[Seat, int]:
    placeholder = (await find(connection, [login])).get(login)
    if placeholder is None:
        return {}
    login_row = delete(schema.platform_account).where(
        _account.platform == login.platform, _account.login == login.key
    )
    await connection.execute(login_row)
    balances = await links.wallets_held(connection, placeholder)
    postings = [
        Posting(
            f"{INHERITED}:{community}:{placeholder}", community, at, root,
            links.moving_entries(community, placeholder, root, balance, INHERITED),
        )
        for community, balance in balances.items() if balance
    ]  # fmt: skip
    for answer in await posting_writer.write(connection, postings) if postings else ():
        if isinstance(answer, Exception):
            raise answer
    await links.set_root(connection, placeholder, root)
    return {placeholder: sum(balances.values())}


Mode: TypeAlias = Literal["add", "set"]

MOST_IMPORTED = 10**18  # credits of one file, well below what 64 bits hold
DISPLAY_NAME_PLATFORM = "discord"
"""The platform whose displayed names are no logins."""

IMPORTED = "import"
"""The reason of imported credits, and a prefix of the ids of imports."""

_LOGINS = {
    # Old logins are shorter than the four characters that Twitch asks for today.
    "twitch": re.compile(r"[a-z0-9_]{1,25}", re.ASCII),
    "discord": re.compile(r"[a-z0-9_.]{2,32}", re.ASCII),
}


class ImportRefused(Failure):
    """Balances cannot be imported, or an import cannot be undone; the message says why."""


@dataclass(frozen=True, slots=True)
class BalanceOwner:
    """The owner of an imported balance: an id of the platform, or a casefolded name."""

    platform: str
    who: str
    is_id: bool

    @property
    def account(self) -> Account:
        """The account, or the login in the form of an account."""
        return Account(self.platform, self.who)

    @property
    def possible(self) -> bool:
        """Whether the platform allows such a login."""
        return self.is_id or bool(_LOGINS[self.platform].fullmatch(self.who))


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The effects of an import; `waits` are the names of no known member, who get placeholders."""

    community: str
    mode: Mode
    amounts: Mapping[BalanceOwner, int]
    balances: Mapping[BalanceOwner, int]
    seats: Mapping[BalanceOwner, Seat]  # of known persons
    waits: Sequence[str] = ()
    twins: Sequence[str] = ()  # owners who are the same person as that of another row
    strange: Sequence[str] = ()  # names that are no possible logins

    @property
    def changes(self) -> dict[BalanceOwner, int]:
        """The change of each wallet in credits, without those that stay the same."""
        if self.mode == "add":
            return {owner: amount for owner, amount in self.amounts.items() if amount}
        changes = {owner: amount - self.balances[owner] for owner, amount in self.amounts.items()}
        return {owner: change for owner, change in changes.items() if change}

    @property
    def brought(self) -> int:
        """The sum of all changes."""
        return sum(self.changes.values())


class Imports:
    """Plans imports, and carries them out; `seat_of` makes the seats of new persons, as in `People`."""

    def __init__(self, store: Store, seat_of: Callable[[int, str], Seat] = people.numbered) -> None:
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._people = People(store, seat_of)

    async def communities(self) -> list[str]:
        """List all communities by name."""
        columns = schema.community.c.name, schema.member.c.community, schema.place.c.community
        async with self._store.reading() as connection:
            return sorted((await connection.execute(union(*map(select, columns)))).scalars())

    async def plan(self, community: str, mode: Mode, amounts: Mapping[BalanceOwner, int]) -> ImportPlan:
        """Find the wallets of the owners, and return what an import would do.

        Raises:
            ImportRefused: another community holds the purses of this one, or there are more than
                `MOST_IMPORTED` credits.
        """
        await self._require_own_purses(community)
        await self._people.load()
        seats_by_name = await self._unique_members(community, [each for each in amounts if not each.is_id])
        strange = dict.fromkeys(
            each for each in amounts if each.who not in seats_by_name and not each.possible
        )
        seats = await self._seats([each for each in amounts if each not in strange], seats_by_name)
        counts = Counter(seats.values())
        twins = [each for each in seats if counts[seats[each]] > 1]
        out = {*strange, *twins}
        single = {each: amount for each, amount in amounts.items() if each not in out}
        if sum(single.values()) > MOST_IMPORTED:
            raise ImportRefused(f"The file has more than {MOST_IMPORTED:,} credits together.")
        waits = [each.who for each in single if not each.is_id and each.who not in seats_by_name]
        balances = await self._balances(community, single, seats)
        names = [each.who for each in twins], [each.who for each in strange]
        return ImportPlan(community, mode, single, balances, seats, waits, *names)

    async def carry_out(self, plan: ImportPlan, name: str, file: str, at: datetime) -> bool:
        """Write an import as one posting; return False if one of that name was written before.

        Raises:
            ImportRefused: a balance has changed meanwhile, or there would be too many credits.
        """
        mint = purses.mint(plan.community)
        entries, expects = list[Entry](), dict[Purse, int]()
        seats = await self._all(plan)
        for owner, change in plan.changes.items():
            wallet = purses.wallet(plan.community, seats[owner])
            source, target = (mint, wallet) if change > 0 else (wallet, mint)
            entries += instalments(source, target, abs(change), IMPORTED)
            if plan.mode == "set":
                expects[wallet] = plan.balances[owner]
        posting = Posting(name, plan.community, at, OPERATOR, tuple(entries), expects)
        change_record = Change(MONEY, IMPORTED, file, None, f"{plan.brought:+}", name)
        change_set = ChangeSet(name, "", plan.community, at, OPERATOR, OPERATOR, (change_record,))
        return await make(self._changes, change_set, posting)

    async def numbered(self, name: str) -> int:
        """Return the number of imports whose name begins with this."""
        row = schema.change.c.change_set
        query = select(row).where(row.startswith(name, autoescape=True)).distinct()
        async with self._store.reading() as connection:
            return len((await connection.execute(query)).all())

    async def _require_own_purses(self, community: str) -> None:
        row = schema.union.c
        async with self._store.reading() as connection:
            rows = await connection.execute(select(row.target).where(row.community == community))
            other = rows.scalar_one_or_none()
        if other is not None:
            raise ImportRefused(f"The purses of {community} are held by {other}; import it there.")

    async def _unique_members(self, community: str, owners: Collection[BalanceOwner]) -> dict[str, Seat]:
        """Find the members whose name only they have on the platform of the owner.

        The names of members of Discord are chosen freely and no proof, so they are left out.
        """
        seats_by_name: dict[str, list[Seat]] = {}
        platforms = {each.who: each.platform for each in owners if each.platform != DISPLAY_NAME_PLATFORM}
        async with self._store.reading() as connection:
            for some in batches(platforms):
                query = (
                    select(_member.folded, _member.seat, _account.platform)
                    .join(schema.person, _person.seat == _member.seat)
                    .join(schema.platform_account, _account.person == _person.id)
                    .where(
                        _member.community == community, _member.folded.in_(some), _account.key.is_not(None)
                    )
                )
                for name, seat, platform in await connection.execute(query):
                    if platform == platforms[name]:
                        seats_by_name.setdefault(name, []).append(Seat(seat))
        return {name: seats[0] for name, seats in seats_by_name.items() if len(seats) == 1}

    async def _seats(
        self, owners: Collection[BalanceOwner], seats_by_name: Mapping[str, Seat]
    ) -> dict[BalanceOwner, Seat]:
        """Return the persons of the owners, as far as they are known."""
        ids = [each.account for each in owners if each.is_id]
        logins = [each.account for each in owners if not each.is_id and each.who not in seats_by_name]
        async with self._store.reading() as connection:
            homes = await people.homes(connection, ids)
            placeholders = await find(connection, logins)
        seats: dict[BalanceOwner, Seat] = {}
        for each in owners:
            by_name = seats_by_name.get(each.who) or placeholders.get(each.account)
            seat = homes.get(each.account) if each.is_id else by_name
            if seat is not None:
                seats[each] = self._people.ties.root(seat)
        return seats

    async def _all(self, plan: ImportPlan) -> dict[BalanceOwner, Seat]:
        """Return the persons of all owners, creating those who are not known yet."""
        new_owners = [each for each in plan.amounts if each not in plan.seats]
        ids = [each for each in new_owners if each.is_id]
        await self._people.settle([each.account for each in ids])
        logins = [each for each in new_owners if not each.is_id]
        placeholders = [
            (each.account, await self._people.another(waiting_as(each.account))) for each in logins
        ]
        # In a transaction before that of the posting. If the posting is refused, they stay with empty
        # wallets, and the next attempt finds them.
        await self._store.write(partial(add, newcomers=placeholders))
        new_seats = {each: self._people.home(each.account) for each in ids}
        new_seats |= {each: newcomer.seat for each, (_, newcomer) in zip(logins, placeholders, strict=True)}
        return {**plan.seats, **new_seats}

    async def _balances(
        self, community: str, owners: Collection[BalanceOwner], seats: Mapping[BalanceOwner, Seat]
    ) -> dict[BalanceOwner, int]:
        wallets = {each: purses.wallet(community, seats[each]) for each in owners if each in seats}
        balances = await self._ledger.balances(list(wallets.values()))
        return {each: balances[wallets[each]] if each in wallets else 0 for each in owners}


async def make(changes: Changes, change_set: ChangeSet, posting: Posting) -> bool:
    """Write a change set with one posting; return False if it was written, or what it undoes undone, before.

    Raises:
        ImportRefused: a balance has changed meanwhile, or there would be too many credits.
    """
    try:
        return await changes.make(change_set, Work(posting=posting))
    except AlreadyUndone:
        return False
    except Exhausted:
        raise ImportRefused("There would be more credits than can be counted, so nothing was done.") from None
    except (Short, Moved):
        raise ImportRefused("Balances have changed meanwhile, so nothing was done; try again.") from None


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The credits that were taken and given back, and by account those that could not be taken."""

    taken: int
    given: int
    missing: Mapping[str, int]


@dataclass(slots=True)
class _Purses:
    """The present wallets of those that received credits, and the balances that are left in them."""

    holders: Mapping[Purse, Purse]
    left: dict[Purse, int]
    entries: list[Entry] = field(default_factory=list)
    missing: Counter[Seat] = field(default_factory=Counter)

    def take(self, wallet: Purse, credits: int, mint: Purse) -> None:  # noqa: A002  (the usual term)
        holder = self.holders[wallet]
        part = min(self.left[holder], credits)
        self.left[holder] -= part
        self.entries += instalments(holder, mint, part, IMPORTED)
        if credits > part:
            self.missing[holder.seat] += credits - part


class Withdrawals:
    """Undoes imports."""

    def __init__(self, store: Store) -> None:
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._people = People(store)

    async def undo(self, name: str, at: datetime) -> Withdrawal:
        """Undo the import of a name, taking credits as far as they are still there.

        Raises:
            ImportRefused: there is no such import, it was undone before, or balances have changed meanwhile.
        """
        community = await self._community(name)
        mint, entries = purses.mint(community), await self._entries(name)
        wallets = await self._purses(community, [each.target for each in entries if each.source == mint])
        for each in entries:
            if each.source == mint:
                wallets.take(each.target, each.credits, mint)
            else:
                wallets.entries.append(Entry(mint, each.source, each.credits, IMPORTED))
        taken = sum(each.credits for each in wallets.entries if each.target == mint)
        given = sum(each.credits for each in wallets.entries if each.source == mint)
        undo_id = f"undo:{name}"
        change = Change(MONEY, IMPORTED, "", None, f"{given - taken:+}", undo_id)
        change_set = ChangeSet(undo_id, "", community, at, OPERATOR, OPERATOR, (change,), undoes=name)
        posting = Posting(undo_id, community, at, OPERATOR, tuple(wallets.entries))
        if not await make(self._changes, change_set, posting):
            raise ImportRefused(f"The import {name} was taken back before.")
        return Withdrawal(taken, given, await self._by_account(wallets.missing))

    async def _community(self, name: str) -> str:
        conditions = _change.kind == MONEY, _change.subject == IMPORTED, _change.undoes.is_(None)
        query = select(_change.community).where(_change.posting == name, *conditions)
        async with self._store.reading() as connection:
            community = (await connection.execute(query)).scalar_one_or_none()
        if community is None:
            raise ImportRefused(f"There is no import {name!r}; `chatbot audit --changes` lists them.")
        return str(community)

    async def _entries(self, name: str) -> tuple[Entry, ...]:
        async with self._store.reading() as connection:
            return await holdings.entries(connection, _transfer.posting == name, _transfer.why == IMPORTED)

    async def _purses(self, community: str, wallets: Collection[Purse]) -> _Purses:
        await self._people.load()
        holders = {each: purses.wallet(community, self._people.ties.root(each.seat)) for each in wallets}
        return _Purses(holders, await self._ledger.balances(set(holders.values())))

    async def _by_account(self, shortfalls: Mapping[Seat, int]) -> dict[str, int]:
        """Replace seats by an account or a login of theirs, if they have one."""
        await self._people.learn(shortfalls)
        async with self._store.reading() as connection:
            logins = await logins_of(connection, shortfalls)
        accounts_ = {seat: next(iter(self._people.accounts(seat)), logins.get(seat)) for seat in shortfalls}
        return {str(accounts_[seat] or seat): credits_ for seat, credits_ in shortfalls.items()}
