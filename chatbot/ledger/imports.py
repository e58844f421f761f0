"""Balances from another bot: persons known by a login only, the import in one posting, and taking it back.

Their wallet is one as any other, so the books stay sound; whoever speaks under that login is the same person
from then on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import delete, select, union

from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Seat
from chatbot.ledger import links, people
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Exhausted, Moved, Posting, Short, instalments
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.changes import MONEY, Change, Changes, Deed, Undone, Work
from chatbot.ledger.people import Account, People, Tie
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.people import Newcomer
    from chatbot.ledger.store.store import Store

INHERITED = "inherit"
"""Why credits leave the wallet of whom only a login was known."""

NAMED = "name"
"""The platform, as it were, of persons who are known by a login only."""

_placeholder_person, _account = schema.person.c, schema.platform_account.c
_WAITING = (
    select(_account.platform, _account.login, _placeholder_person.seat)
    .join_from(schema.platform_account, schema.person, _account.person == _placeholder_person.id)
    .where(_account.login.is_not(None))
)


def waiting_as(login: Account) -> Account:
    """Give what stands for an account of which only the platform and the login are known."""
    return Account(NAMED, f"{login.platform}:{login.key}")


class Placeholders:
    def __init__(self, store: Store, people: People) -> None:
        self._store, self._people = store, people

    async def waiting(self) -> bool:
        """Whether anybody is known by a login only."""
        async with self._store.reading() as connection:
            return (await connection.execute(_WAITING.limit(1))).first() is not None

    async def inherit(self, login: Account, seat: Seat, at: datetime) -> int:
        """Let whom a login stands for be the same as a person; tell how many credits that brings."""
        async with self._store.reading() as connection:
            if not await find(connection, [login]):
                return 0
        root = self._people.root(seat)
        brought = await self._store.write(partial(_inherit, login=login, root=root, at=at))
        for each, credits_ in brought.items():
            self._people.note(Tie(each, root, linked=True))
            return credits_
        return 0


async def find(connection: AsyncConnection, logins: Collection[Account]) -> dict[Account, Seat]:
    """Tell which of these logins, in small letters, are waited for, and who stands for them."""
    found: dict[Account, Seat] = {}
    for some in batches(logins):
        names = {each.key for each in some}
        for row in await connection.execute(_WAITING.where(_account.login.in_(names))):
            found[Account(row.platform, row.login)] = Seat(row.seat)
    return {login: found[login] for login in logins if login in found}


async def logins_of(connection: AsyncConnection, seats: Collection[Seat]) -> dict[Seat, Account]:
    """Tell for which logins these persons stand, if they do."""
    found: dict[Seat, Account] = {}
    for some in batches(seats):
        for row in await connection.execute(_WAITING.where(_placeholder_person.seat.in_(some))):
            found[Seat(row.seat)] = Account(row.platform, row.login)
    return found


async def add(connection: AsyncConnection, newcomers: Collection[tuple[Account, Newcomer]]) -> None:
    """Write persons down of whom only a login is known."""
    people = [{"id": each.number, "seat": each.seat} for _, each in newcomers]
    rows = [
        {"platform": login.platform, "login": login.key, "person": each.number} for login, each in newcomers
    ]
    if rows:
        await connection.execute(schema.person.insert(), people)
        await connection.execute(schema.platform_account.insert(), rows)


async def _inherit(connection: AsyncConnection, login: Account, root: Seat, at: datetime) -> dict[Seat, int]:
    found = (await find(connection, [login])).get(login)
    if found is None:
        return {}
    gone = delete(schema.platform_account).where(
        _account.platform == login.platform, _account.login == login.key
    )
    await connection.execute(gone)
    held = await links.wallets_held(connection, found)
    postings = [
        Posting(
            f"{INHERITED}:{community}:{found}", community, at, root,
            links.moving(community, found, root, balance, INHERITED),
        )
        for community, balance in held.items() if balance
    ]  # fmt: skip
    for answer in await posting_writer.write(connection, postings) if postings else ():
        if isinstance(answer, Exception):
            raise answer
    await links.point(connection, found, root)
    return {found: sum(held.values())}


Mode: TypeAlias = Literal["add", "set"]

MOST_TOGETHER = 10**18  # credits of one file: what 64 bits hold has an end
OPERATOR = "operator"
FREE_NAMES = "discord"
"""Where names that are shown are no logins."""

IMPORTED = "import"
"""Why credits are brought along, and the first word of the posting."""

_LOGINS = {
    "twitch": re.compile(r"[a-z0-9_]{1,25}", re.ASCII),
    "discord": re.compile(r"[a-z0-9_.]{2,32}", re.ASCII),
}
_member, _person, _led = schema.member.c, schema.person.c, schema.platform_account.c


class ImportRefused(Failure):
    """Balances cannot be brought along, or not taken back; the sentence says why."""


@dataclass(frozen=True, slots=True)
class BalanceOwner:
    """Who a row is of: an id of the platform, or a name without its case."""

    platform: str
    who: str
    is_id: bool

    @property
    def account(self) -> Account:
        """Give the account, or that of which only the login is known."""
        return Account(self.platform, self.who)

    @property
    def possible(self) -> bool:
        """Whether somebody can ever sign in so."""
        return self.is_id or bool(_LOGINS[self.platform].fullmatch(self.who))


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do; `waits` are the names that nobody here is known by."""

    community: str
    mode: Mode
    amounts: Mapping[BalanceOwner, int]
    held: Mapping[BalanceOwner, int]
    seats: Mapping[BalanceOwner, Seat]  # of those who are known
    waits: Sequence[str] = ()
    twins: Sequence[str] = ()  # who are one with another row's
    strange: Sequence[str] = ()  # names that nobody can ever sign in by

    @property
    def changes(self) -> dict[BalanceOwner, int]:
        """Tell what each wallet gains, or loses if it is negative."""
        if self.mode == "add":
            return {owner: amount for owner, amount in self.amounts.items() if amount}
        changes = {owner: amount - self.held[owner] for owner, amount in self.amounts.items()}
        return {owner: change for owner, change in changes.items() if change}

    @property
    def brought(self) -> int:
        return sum(self.changes.values())


class Imports:
    def __init__(self, store: Store, seat_of: Callable[[int, str], Seat] = people.numbered) -> None:
        """`seat_of` names new persons at tables."""
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._people = People(store, seat_of)

    async def communities(self) -> list[str]:
        """List the communities that there are."""
        columns = schema.community.c.name, schema.member.c.community, schema.place.c.community
        async with self._store.reading() as connection:
            return sorted((await connection.execute(union(*map(select, columns)))).scalars())

    async def plan(self, community: str, mode: Mode, amounts: Mapping[BalanceOwner, int]) -> ImportPlan:
        """Find whose wallets are meant.

        Raises:
            ImportRefused: another community holds the purses of this one, or there are too many credits.
        """
        await self._require_own_purses(community)
        await self._people.load()
        known = await self._known(community, [each for each in amounts if not each.is_id])
        strange = [each for each in amounts if each.who not in known and not each.possible]
        seats = await self._seats([each for each in amounts if each not in set(strange)], known)
        counted = Counter(seats.values())
        twins = [each for each in seats if counted[seats[each]] > 1]
        single = {each: held for each, held in amounts.items() if each not in {*strange, *twins}}
        if sum(single.values()) > MOST_TOGETHER:
            raise ImportRefused(f"The file has more than {MOST_TOGETHER:,} credits together.")
        waits = [each.who for each in single if not each.is_id and each.who not in known]
        held = await self._held(community, single, seats)
        names = [each.who for each in twins], [each.who for each in strange]
        return ImportPlan(community, mode, single, held, seats, waits, *names)

    async def carry_out(self, plan: ImportPlan, name: str, file: str, at: datetime) -> bool:
        """Do it, in one transaction; False: an import of that name was done before.

        Raises:
            ImportRefused: a balance has changed meanwhile.
        """
        mint = purses.mint(plan.community)
        entries, expects = list[Entry](), dict[Purse, int]()
        seats = await self._all(plan)
        for owner, change in plan.changes.items():
            wallet = purses.wallet(plan.community, seats[owner])
            source, target = (mint, wallet) if change > 0 else (wallet, mint)
            entries += instalments(source, target, abs(change), IMPORTED)
            if plan.mode == "set":
                expects[wallet] = plan.held[owner]
        posting = Posting(name, plan.community, at, OPERATOR, tuple(entries), expects)
        noted = Change(MONEY, IMPORTED, file, None, f"{plan.brought:+}", name)
        deed = Deed(name, "", plan.community, at, OPERATOR, OPERATOR, (noted,))
        return await make(self._changes, deed, posting)

    async def numbered(self, name: str) -> int:
        """Count the imports whose name is this, or this with a number behind it."""
        row = schema.change.c.deed
        wanted = select(row).where(row.startswith(name, autoescape=True)).distinct()
        async with self._store.reading() as connection:
            return len((await connection.execute(wanted)).all())

    async def _require_own_purses(self, community: str) -> None:
        row = schema.union.c
        async with self._store.reading() as connection:
            held = await connection.execute(select(row.target).where(row.community == community))
            other = held.scalar_one_or_none()
        if other is not None:
            raise ImportRefused(f"The purses of {community} are held by {other}; import it there.")

    async def _known(self, community: str, owners: Collection[BalanceOwner]) -> dict[str, Seat]:
        """Find the members who alone bear a name on their platform.

        What a member of Discord is called here is chosen freely, so it proves nothing.
        """
        found: dict[str, list[Seat]] = {}
        platforms = {each.who: each.platform for each in owners if each.platform != FREE_NAMES}
        async with self._store.reading() as connection:
            for some in batches(platforms):
                wanted = (
                    select(_member.folded, _member.seat, _led.platform)
                    .join(schema.person, _person.seat == _member.seat)
                    .join(schema.platform_account, _led.person == _person.id)
                    .where(_member.community == community, _member.folded.in_(some), _led.key.is_not(None))
                )
                for name, seat, platform in await connection.execute(wanted):
                    if platform == platforms[name]:
                        found.setdefault(name, []).append(Seat(seat))
        return {name: seats[0] for name, seats in found.items() if len(seats) == 1}

    async def _seats(
        self, owners: Collection[BalanceOwner], known: Mapping[str, Seat]
    ) -> dict[BalanceOwner, Seat]:
        """Find the persons whose purses are meant, as far as there are any."""
        ids = [each.account for each in owners if each.is_id]
        logins = [each.account for each in owners if not each.is_id and each.who not in known]
        async with self._store.reading() as connection:
            led = await people.homes(connection, ids)
            waiting = await find(connection, logins)
        found: dict[BalanceOwner, Seat] = {}
        for each in owners:
            named = known.get(each.who) or waiting.get(each.account)
            seat = led.get(each.account) if each.is_id else named
            if seat is not None:
                found[each] = self._people.root(seat)
        return found

    async def _all(self, plan: ImportPlan) -> dict[BalanceOwner, Seat]:
        """Give everybody's person; who is not known yet gets one."""
        fresh = [each for each in plan.amounts if each not in plan.seats]
        ids = [each for each in fresh if each.is_id]
        await self._people.settle([each.account for each in ids])
        logins = [each for each in fresh if not each.is_id]
        made = [(each.account, await self._people.another(waiting_as(each.account))) for each in logins]
        await self._store.write(partial(add, newcomers=made))
        new = {each: self._people.home(each.account) for each in ids}
        new |= {each: newcomer.seat for each, (_, newcomer) in zip(logins, made, strict=True)}
        return {**plan.seats, **new}

    async def _held(
        self, community: str, owners: Collection[BalanceOwner], seats: Mapping[BalanceOwner, Seat]
    ) -> dict[BalanceOwner, int]:
        wallets = {each: purses.wallet(community, seats[each]) for each in owners if each in seats}
        balances = await self._ledger.balances(list(wallets.values()))
        return {each: balances[wallets[each]] if each in wallets else 0 for each in owners}


async def make(changes: Changes, deed: Deed, posting: Posting) -> bool:
    """Do a deed that is one posting; False: it was done, or undone, before.

    Raises:
        ImportRefused: a balance has changed meanwhile.
    """
    try:
        return await changes.make(deed, Work(postings=[posting]))
    except Undone:
        return False
    except Exhausted:
        raise ImportRefused("There would be more credits than can be counted, so nothing was done.") from None
    except (Short, Moved):
        raise ImportRefused("Balances have changed meanwhile, so nothing was done; try again.") from None


_change, _transfer = schema.change.c, schema.transfer.c


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What was taken, what was given back, and by account what is not there any more."""

    taken: int
    given: int
    missing: Mapping[str, int]


@dataclass(slots=True)
class _Purses:
    """Which wallet holds what one was given, and how much of that has not been taken yet."""

    holders: Mapping[Purse, Purse]
    left: dict[Purse, int]
    entries: list[Entry] = field(default_factory=list)
    missing: Counter[Seat] = field(default_factory=Counter)

    def take(self, wallet: Purse, credits: int, mint: Purse) -> None:  # noqa: A002  (what they are)
        holder = self.holders[wallet]
        part = min(self.left[holder], credits)
        self.left[holder] -= part
        self.entries += instalments(holder, mint, part, IMPORTED)
        if credits > part:
            self.missing[holder.seat] += credits - part


class Withdrawals:
    def __init__(self, store: Store) -> None:
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._people = People(store)

    async def undo(self, name: str, at: datetime) -> Withdrawal:
        """Take back the import of a name.

        Raises:
            ImportRefused: there is none, it was taken back before, or balances changed meanwhile.
        """
        community = await self._community(name)
        mint, moved = purses.mint(community), await self._moved(name)
        wallets = await self._purses(community, [each.target for each in moved if each.source == mint])
        for each in moved:
            if each.source == mint:
                wallets.take(each.target, each.credits, mint)
            else:
                wallets.entries.append(Entry(mint, each.source, each.credits, IMPORTED))
        taken = sum(each.credits for each in wallets.entries if each.target == mint)
        given = sum(each.credits for each in wallets.entries if each.source == mint)
        undoing = f"undo:{name}"
        noted = Change(MONEY, IMPORTED, "", None, f"{given - taken:+}", undoing)
        deed = Deed(undoing, "", community, at, OPERATOR, OPERATOR, (noted,), undoes=name)
        posting = Posting(undoing, community, at, OPERATOR, tuple(wallets.entries))
        if not await make(self._changes, deed, posting):
            raise ImportRefused(f"The import {name} was taken back before.")
        return Withdrawal(taken, given, await self._named(wallets.missing))

    async def _community(self, name: str) -> str:
        brought = _change.kind == MONEY, _change.subject == IMPORTED, _change.undoes.is_(None)
        wanted = select(_change.community).where(_change.posting == name, *brought)
        async with self._store.reading() as connection:
            found = (await connection.execute(wanted)).scalar_one_or_none()
        if found is None:
            raise ImportRefused(f"There is no import {name!r}; `chatbot audit --changes` lists them.")
        return str(found)

    async def _moved(self, name: str) -> tuple[Entry, ...]:
        async with self._store.reading() as connection:
            return await holdings.entries(connection, _transfer.posting == name, _transfer.why == IMPORTED)

    async def _purses(self, community: str, wallets: Collection[Purse]) -> _Purses:
        await self._people.load()
        holders = {each: purses.wallet(community, self._people.root(each.seat)) for each in wallets}
        return _Purses(holders, await self._ledger.balances(set(holders.values())))

    async def _named(self, missing: Mapping[Seat, int]) -> dict[str, int]:
        """Call those whose credits are not there any more by an account, or a login, of theirs."""
        await self._people.learn(missing)
        async with self._store.reading() as connection:
            logins = await logins_of(connection, missing)
        accounts_ = {seat: next(iter(self._people.accounts(seat)), logins.get(seat)) for seat in missing}
        return {str(accounts_[seat] or seat): credits_ for seat, credits_ in missing.items()}
