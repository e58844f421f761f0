"""Brings balances along from elsewhere: all of them in one posting, which can be taken back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import select, union

from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Seat
from chatbot.ledger import people
from chatbot.ledger.people import Account, People
from chatbot.wallets import placeholders, purses, schema
from chatbot.wallets.changes import MONEY, Change, Changes, Deed, Undone, Work
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.placeholders import waiting_as
from chatbot.wallets.posting import Entry, Exhausted, Moved, Posting, Short, instalments
from chatbot.wallets.purses import Purse
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from chatbot.wallets.store import Store

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
class Owner:
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
class Plan:
    """What an import would do; `waits` are the names that nobody here is known by."""

    community: str
    mode: Mode
    amounts: Mapping[Owner, int]
    held: Mapping[Owner, int]
    seats: Mapping[Owner, Seat]  # of those who are known
    waits: Sequence[str] = ()
    twins: Sequence[str] = ()  # who are one with another row's
    strange: Sequence[str] = ()  # names that nobody can ever sign in by

    @property
    def changes(self) -> dict[Owner, int]:
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

    async def plan(self, community: str, mode: Mode, amounts: Mapping[Owner, int]) -> Plan:
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
        return Plan(community, mode, single, held, seats, waits, *names)

    async def carry_out(self, plan: Plan, name: str, file: str, at: datetime) -> bool:
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

    async def _known(self, community: str, owners: Collection[Owner]) -> dict[str, Seat]:
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

    async def _seats(self, owners: Collection[Owner], known: Mapping[str, Seat]) -> dict[Owner, Seat]:
        """Find the persons whose purses are meant, as far as there are any."""
        ids = [each.account for each in owners if each.is_id]
        logins = [each.account for each in owners if not each.is_id and each.who not in known]
        async with self._store.reading() as connection:
            led = await people.homes(connection, ids)
            waiting = await placeholders.find(connection, logins)
        found: dict[Owner, Seat] = {}
        for each in owners:
            named = known.get(each.who) or waiting.get(each.account)
            seat = led.get(each.account) if each.is_id else named
            if seat is not None:
                found[each] = self._people.root(seat)
        return found

    async def _all(self, plan: Plan) -> dict[Owner, Seat]:
        """Give everybody's person; who is not known yet gets one."""
        fresh = [each for each in plan.amounts if each not in plan.seats]
        ids = [each for each in fresh if each.is_id]
        await self._people.settle([each.account for each in ids])
        logins = [each for each in fresh if not each.is_id]
        made = [(each.account, await self._people.another(waiting_as(each.account))) for each in logins]
        await self._store.write(partial(placeholders.add, newcomers=made))
        new = {each: self._people.home(each.account) for each in ids}
        new |= {each: newcomer.seat for each, (_, newcomer) in zip(logins, made, strict=True)}
        return {**plan.seats, **new}

    async def _held(
        self, community: str, owners: Collection[Owner], seats: Mapping[Owner, Seat]
    ) -> dict[Owner, int]:
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
