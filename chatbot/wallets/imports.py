"""Brings balances along from elsewhere: all of them in one posting, which can be taken back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import select, union

from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, schema
from chatbot.wallets.changes import MONEY, Change, Changes, Deed, Undone, Work
from chatbot.wallets.identities import Identities
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.placeholders import placeholder
from chatbot.wallets.posting import Entry, Exhausted, Moved, Posting, Short, instalments
from chatbot.wallets.statements import batches

if TYPE_CHECKING:
    from collections.abc import Collection
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
_member = schema.member.c


class ImportRefused(Failure):
    """Balances cannot be brought along, or not taken back; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Who a row is of: an id of the platform, or a name without its case."""

    platform: str
    who: str
    is_id: bool

    @property
    def login(self) -> str:
        return f"{self.platform}:{self.who}"

    @property
    def possible(self) -> bool:
        """Whether somebody can ever sign in so."""
        return self.is_id or bool(_LOGINS[self.platform].fullmatch(self.who))


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import would do; `waits` are the names that nobody here is known by."""

    community: str
    mode: Mode
    amounts: Mapping[Seat, int]
    held: Mapping[Seat, int]
    waits: Sequence[str] = ()
    twins: Sequence[str] = ()  # who are one with another row's
    strange: Sequence[str] = ()  # names that nobody can ever sign in by

    @property
    def changes(self) -> dict[Seat, int]:
        """Tell what each wallet gains, or loses if it is negative."""
        if self.mode == "add":
            return {seat: amount for seat, amount in self.amounts.items() if amount}
        changes = {seat: amount - self.held[seat] for seat, amount in self.amounts.items()}
        return {seat: change for seat, change in changes.items() if change}

    @property
    def brought(self) -> int:
        return sum(self.changes.values())


class Imports:
    def __init__(self, store: Store) -> None:
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._identities = Identities(store)

    async def communities(self) -> list[str]:
        """List the communities that there are."""
        columns = schema.account.c.community, schema.member.c.community, schema.place.c.community
        async with self._store.reading() as connection:
            return sorted((await connection.execute(union(*map(select, columns)))).scalars())

    async def plan(self, community: str, mode: Mode, amounts: Mapping[Owner, int]) -> Plan:
        """Find whose wallets are meant.

        Raises:
            ImportRefused: another community holds the purses of this one, or there are too many credits.
        """
        await self._require_own_purses(community)
        await self._identities.load()
        known = await self._known(community, [each for each in amounts if not each.is_id])
        strange = [each for each in amounts if each.who not in known and not each.possible]
        seats = {each: self._seat(each, known) for each in amounts if each not in set(strange)}
        counted = Counter(seats.values())
        single = {
            seats[each]: held for each, held in amounts.items() if each in seats and counted[seats[each]] == 1
        }
        if sum(single.values()) > MOST_TOGETHER:
            raise ImportRefused(f"The file has more than {MOST_TOGETHER:,} credits together.")
        twins = [each.who for each in seats if counted[seats[each]] > 1]
        waits = [each.who for each in seats if not each.is_id and each.who not in known]
        held = await self._held(community, single)
        return Plan(community, mode, single, held, waits, twins, [each.who for each in strange])

    async def carry_out(self, plan: Plan, name: str, file: str, at: datetime) -> bool:
        """Do it, in one transaction; False: an import of that name was done before.

        Raises:
            ImportRefused: a balance has changed meanwhile.
        """
        mint = accounts.mint(plan.community)
        entries, expects = list[Entry](), dict[str, int]()
        for seat, change in plan.changes.items():
            wallet = accounts.wallet(plan.community, seat)
            source, target = (mint, wallet) if change > 0 else (wallet, mint)
            entries += instalments(source, target, abs(change), IMPORTED)
            if plan.mode == "set":
                expects[wallet] = plan.held[seat]
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
                wanted = select(_member.folded, _member.seat).where(
                    _member.community == community, _member.folded.in_(some)
                )
                for name, seat in await connection.execute(wanted):
                    if seat.startswith(f"{platforms[name]}:"):
                        found.setdefault(name, []).append(Seat(seat))
        return {name: seats[0] for name, seats in found.items() if len(seats) == 1}

    def _seat(self, owner: Owner, known: Mapping[str, Seat]) -> Seat:
        if owner.is_id:
            return self._identities.root(Seat(owner.login))
        return self._identities.root(known.get(owner.who) or placeholder(owner.login))

    async def _held(self, community: str, seats: Collection[Seat]) -> dict[Seat, int]:
        wallets = {seat: accounts.wallet(community, seat) for seat in seats}
        balances = await self._ledger.balances(list(wallets.values()))
        return {seat: balances[wallet] for seat, wallet in wallets.items()}


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
