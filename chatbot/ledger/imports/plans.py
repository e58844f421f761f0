"""Plans imports: finds whose the rows of a file are, and what they would change, without writing anything.

What plans is what writes, too: `whose` and `change_of` decide a portion in a dry run, and again in the unit
of work that writes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, union

from chatbot.kernel.game import Seat
from chatbot.ledger import people
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import MOST_MINTED
from chatbot.ledger.imports import placeholders
from chatbot.ledger.imports.merging import Same, merge_rows
from chatbot.ledger.imports.runs import ImportRefused, Mode
from chatbot.ledger.imports.staged_rows import BalanceRow, PlannedBalance, RowFault
from chatbot.ledger.members import Presence
from chatbot.ledger.people import Account, People
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.imports.staged_rows import StagedRows
    from chatbot.ledger.store.store import Store
    from chatbot.ledger.ties import Ties

MOST_IMPORTED = 10**18  # credits of one file, well below what 64 bits hold
DISPLAY_NAME_PLATFORM = "discord"
"""The platform whose displayed names are no logins."""

SHOWN = 10  # rows of a plan that are shown whole

_LOGINS = {
    # Old logins are shorter than the four characters that Twitch asks for today.
    "twitch": re.compile(r"[a-z0-9_]{1,25}", re.ASCII),
    "discord": re.compile(r"[a-z0-9_.]{2,32}", re.ASCII),
}
_member, _account, _person = schema.member.c, schema.platform_account.c, schema.person.c


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """Which wallets an import concerns: those of a community, by accounts of a platform, and how."""

    community: str
    platform: str
    mode: Mode = "add"
    same: Same = "fault"

    def account(self, row: BalanceRow) -> Account:
        """Return the account of a row, or its login in the form of an account."""
        return Account(self.platform, row.id or row.login)


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row of a plan as it is shown: the balance before and after, and whether it waits for a name."""

    row: BalanceRow
    before: int
    after: int
    waits: bool


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do; the rows and their faults are those that were staged.

    `wallets` is the number of wallets whose balance changes, `increase` and `decrease` by how many credits
    together, `minutes` those of watched time that are added.
    """

    order: ImportOrder
    rows: int
    wallets: int
    increase: int
    decrease: int
    minutes: int
    waiting: int
    shown: tuple[PlannedRow, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowChange:
    """What a row changes: the balance that it was decided on, credits and minutes, up or down."""

    before: int
    credits: int
    minutes: int


class ImportPlans:
    """Plans imports into a database."""

    def __init__(self, store: Store, people: People | None = None) -> None:
        self._store, self._ledger, self._presence = store, Ledger(store), Presence(store)
        self._people = People(store) if people is None else people

    async def communities(self) -> list[str]:
        """List all communities by name."""
        columns = schema.community.c.name, schema.member.c.community, schema.place.c.community
        async with self._store.reading() as connection:
            return sorted((await connection.execute(union(*map(select, columns)))).scalars())

    async def plan(
        self, order: ImportOrder, rows: StagedRows, progress: Callable[[int], None] = lambda _: None
    ) -> ImportPlan:
        """Find the wallets of all rows, remove those that are nobody's, and return what would be changed.

        `progress` is called with the number of rows that were looked up.

        Raises:
            ImportRefused: another community holds the purses of this one, or there are too many credits.
        """
        await self._require_own_purses(order.community)
        await self._people.load()
        for portion in rows.portions():
            impossible = [each for each in portion if not is_possible(order.platform, each)]
            async with self._store.reading() as connection:
                seats = await whose(connection, order, portion, self._people.ties)
            strange = [each for each in impossible if each.line not in seats]
            rows.remove(strange)
            rows.add((), [_nobodys(each, order.platform) for each in strange])
            rows.plan(_planned(each, seats.get(each.line)) for each in portion if each not in strange)
            progress(len(portion))
        notices = tuple(merge_rows(rows, rows.repeated("person"), order.same, "is one person"))
        return await self._weighed(order, rows, notices)

    async def _weighed(self, order: ImportOrder, rows: StagedRows, notices: tuple[str, ...]) -> ImportPlan:
        if rows.credits > MOST_IMPORTED:
            raise ImportRefused(f"The file has more than {MOST_IMPORTED:,} credits together.")
        count = wallets = increase = decrease = minutes = 0
        shown: list[PlannedRow] = []
        for portion in rows.portions():
            seats: dict[int, Seat] = {}
            # What is added depends on no balance, so that only those are read which are shown.
            looked_up = portion if order.mode == "set" else portion[: max(SHOWN - len(shown), 0)]
            if looked_up:
                async with self._store.reading() as connection:
                    seats = await whose(connection, order, looked_up, self._people.ties)
            changes = await self._changes(order, portion, seats)
            for row in portion:
                change = changes[row.line]
                count, wallets = count + 1, wallets + bool(change.credits)
                increase, decrease = increase + max(change.credits, 0), decrease + max(-change.credits, 0)
                minutes += change.minutes
                if len(shown) < SHOWN:
                    after = change.before + change.credits
                    shown.append(PlannedRow(row, change.before, after, rows.waits(row.line)))
        mint = purses.mint(order.community)
        if increase - decrease - await self._ledger.balance(mint) > MOST_MINTED:
            raise ImportRefused("There would be more credits than can be counted, so nothing was done.")
        return ImportPlan(
            order, count, wallets, increase, decrease, minutes, rows.waiting_count, tuple(shown), notices
        )

    async def _changes(
        self, order: ImportOrder, rows: Sequence[BalanceRow], seats: Mapping[int, Seat]
    ) -> dict[int, RowChange]:
        wallets = {line: purses.wallet(order.community, seat) for line, seat in seats.items()}
        balances = await self._ledger.balances(set(wallets.values()))
        minutes = await watched(self._presence, order, seats)
        return {
            row.line: change_of(
                order,
                row,
                balances[wallets[row.line]] if row.line in wallets else 0,
                minutes.get(row.line, 0),
            )
            for row in rows
        }

    async def _require_own_purses(self, community: str) -> None:
        row = schema.union.c
        async with self._store.reading() as connection:
            rows = await connection.execute(select(row.target).where(row.community == community))
            other = rows.scalar_one_or_none()
        if other is not None:
            raise ImportRefused(f"The purses of {community} are held by {other}; import it there.")


async def watched(presence: Presence, order: ImportOrder, seats: Mapping[int, Seat]) -> dict[int, int]:
    """Return the minutes that those of some lines have watched, where an import sets them."""
    if order.mode == "add":
        return {}
    visits = await presence.several(order.community, set(seats.values()))
    return {line: visits[seat].minutes for line, seat in seats.items() if seat in visits}


def change_of(order: ImportOrder, row: BalanceRow, balance: int, minutes: int) -> RowChange:
    """Return what a row changes of a balance, and of the minutes that its member has watched.

    A file that is set and says nothing of the time that somebody watched leaves it as it is.
    """
    if order.mode == "add":
        return RowChange(balance, row.credits, row.minutes)
    return RowChange(balance, row.credits - balance, row.minutes - minutes if row.minutes else 0)


def is_possible(platform: str, row: BalanceRow) -> bool:
    """Return whether a platform allows such an id or login."""
    return bool(row.id) or bool(_LOGINS[platform].fullmatch(row.login))


def _nobodys(row: BalanceRow, platform: str) -> RowFault:
    text = f"line {row.line}: {row.login!r} is nobody's login on {platform}"
    return RowFault(row.line, text, row.credits)


def _planned(row: BalanceRow, seat: Seat | None) -> PlannedBalance:
    waits = seat is None and not row.id
    return PlannedBalance(row.line, seat or (f"#{row.id}" if row.id else f"@{row.login}"), waits)


async def whose(
    connection: AsyncConnection, order: ImportOrder, rows: Sequence[BalanceRow], ties: Ties
) -> dict[int, Seat]:
    """Return whose wallets rows are for, by their lines; those of whom nothing is known are left out.

    A row with an id is that account's. One with a name is for the only member who is called so on the
    platform, or else for the person who stands for that login.
    """
    by_name = [each for each in rows if not each.id]
    homes = await people.homes(connection, [order.account(each) for each in rows if each.id])
    members = await _unique_members(connection, order, {each.login for each in by_name})
    logins = [order.account(each) for each in by_name if each.login not in members]
    standing = await placeholders.find(connection, logins)
    seats: dict[int, Seat] = {}
    for each in rows:
        account = order.account(each)
        seat = homes.get(account) if each.id else members.get(each.login) or standing.get(account)
        if seat is not None:
            seats[each.line] = ties.root(seat)
    return seats


async def _unique_members(
    connection: AsyncConnection, order: ImportOrder, logins: Collection[str]
) -> dict[str, Seat]:
    """Find the members whose name only they have on the platform.

    The names of members of Discord are chosen freely and no proof, so they are left out.
    """
    if order.platform == DISPLAY_NAME_PLATFORM:
        return {}
    seats_by_name: dict[str, list[Seat]] = {}
    for some in batches(logins):
        query = (
            select(_member.folded, _member.seat)
            .join(schema.person, _person.seat == _member.seat)
            .join(schema.platform_account, _account.person == _person.id)
            .where(_member.community == order.community, _member.folded.in_(some))
            .where(_account.key.is_not(None), _account.platform == order.platform)
        )
        for name, seat in await connection.execute(query):
            seats_by_name.setdefault(name, []).append(Seat(seat))
    return {name: seats[0] for name, seats in seats_by_name.items() if len(seats) == 1}
