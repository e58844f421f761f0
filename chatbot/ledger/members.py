"""Stores what is known of the members of a community: names, presence, and hints and welcomes given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import and_, func, insert, or_, select

from chatbot.kernel.game import Role, Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Posting, instalments, more
from chatbot.ledger.store import schema
from chatbot.ledger.store.reads import FixedQuery, Reads
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches, ensure, put, upsert
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.statements import ColumnValues
    from chatbot.ledger.store.store import Store

WELCOME = "welcome"
"""The reason of what everybody starts with."""

WELCOME_RETURNED = "welcome-returned"
"""The reason with which a second welcome of one person returns to the mint."""

Member: TypeAlias = tuple[str, str]
"""A community and a seat."""

LAST = "\U0010ffff"  # which no name holds, and every name is before
_posting, _transfer = schema.posting.c, schema.transfer.c


@dataclass(frozen=True, slots=True)
class SeenMember:
    """A member as they were last seen."""

    seat: Seat
    name: str
    seen_at: datetime


class Members:
    """The names of members."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names = RequestBatcher(self._read_names)

    async def note(self, community: str, seat: Seat, name: str, at: datetime) -> None:
        """Store the present name of a seat in place of the former one."""
        await self.write([row(community, seat, name, at)])

    async def write(self, rows: Sequence[ColumnValues]) -> None:
        """Write the rows of members."""
        homes = {row["community"] for row in rows}
        await self._store.commit(lambda: list(writes(rows)), homes=homes)

    async def introduce(self, community: str, names: Mapping[Seat, str], at: datetime) -> None:
        """Store the names of members who were not seen before; the others keep theirs."""
        rows = [row(community, seat, name, at) for seat, name in sorted(names.items())]
        await self._store.write(partial(ensure, table=schema.member, rows=rows), homes=[community])

    async def find(self, community: str, name: str) -> list[Seat]:
        """List all members of a name, ignoring case.

        There may be several, and a caller that moves credits must refuse then. Only case is normalized,
        because any other similarity (fullwidth letters, invisible characters) is used for impersonation.
        """
        member = schema.member.c
        query = select(member.seat).where(member.community == community, member.folded == name.casefold())
        async with self._store.reading() as connection:
            return [Seat(row.seat) for row in await connection.execute(query.order_by(member.seat))]

    async def beginning(
        self, community: str, prefix: str, count: int, after: str = "", after_seat: str = LAST
    ) -> list[SeenMember]:
        """List members whose names begin so, ignoring case, in the order of names.

        Those come after the name `after`; of those who have just that name, after the seat `after_seat`.
        """
        member, folded, last = schema.member.c, prefix.casefold(), after.casefold()
        # The least name is stated once more: of alternatives no database makes a range of its index.
        follows = or_(member.folded > last, and_(member.folded == last, member.seat > after_seat))
        query = (
            select(member.seat, member.name, member.seen_at)
            .where(member.community == community, member.folded >= max(folded, last))
            .where(member.folded < folded + LAST, follows)
            .order_by(member.folded, member.seat)
            .limit(count)
        )
        async with self._store.reading() as connection:
            rows = await connection.execute(query)
            return [SeenMember(Seat(row.seat), row.name, row.seen_at) for row in rows]

    async def known(self, community: str, seat: Seat) -> SeenMember | None:
        """Return a member as they were last seen; None if they never were."""
        member = schema.member.c
        query = select(member.name, member.seen_at).where(member.community == community, member.seat == seat)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else SeenMember(seat, row.name, row.seen_at)

    async def called(self, community: str, names: Collection[str]) -> dict[Seat, str]:
        """Return the members of these names, which must be casefolded, with their names."""
        async with self._store.reading() as connection:
            return await _read_named(connection, community, schema.member.c.folded, names)

    async def names(self, community: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Return the names of these members, as far as they were seen.

        They are read together with those of other members that are wanted now.
        """
        names = await self._names.get([(community, seat) for seat in seats])
        return {Seat(seat): name for (_, seat), name in names.items() if name is not None}

    async def known_in(self, communities: Collection[str], seats: Collection[Seat]) -> set[str]:
        """Return those of some communities in which one of these seats was seen."""
        member, names = schema.member.c, set[str]()
        async with self._store.reading() as connection:
            for batch in batches(sorted(communities)):
                query = select(member.community).where(member.community.in_(batch), member.seat.in_(seats))
                names.update(row.community for row in await connection.execute(query))
        return names

    async def last_name(self, seat: Seat) -> str | None:
        """Return the name by which somebody was last seen in any community; None if in none."""
        async with self._store.reading() as connection:
            return await last_name(connection, seat)

    async def _read_names(self, members: Collection[Member]) -> dict[Member, str | None]:
        names: dict[Member, str | None] = dict.fromkeys(members)
        seats = defaultdict[str, list[str]](list)
        for community, seat in members:
            seats[community].append(seat)
        async with self._store.reading() as connection:
            for community, some in seats.items():
                for seat, name in (
                    await _read_named(connection, community, schema.member.c.seat, some)
                ).items():
                    names[community, seat] = name
        return names


async def _read_named(
    connection: AsyncConnection, community: str, column: ColumnElement[str], values: Collection[str]
) -> dict[Seat, str]:
    member, names = schema.member.c, dict[Seat, str]()
    for some in batches(values):
        query = select(member.seat, member.name).where(member.community == community, column.in_(some))
        names |= {Seat(row.seat): row.name for row in await connection.execute(query)}
    return names


def row(community: str, seat: Seat, name: str, at: datetime) -> ColumnValues:
    """Return the row of a member."""
    return {"community": community, "seat": seat, "name": name, "folded": name.casefold(), "seen_at": at}


def writes(rows: Collection[ColumnValues]) -> Iterator[RowWrite]:
    """Yield the writes of members, in sorted order so that processes cannot deadlock."""
    yield RowWrite(_PUT_MEMBER, sorted(rows, key=lambda each: (each["community"], each["seat"])))


_PUT_MEMBER = Statement(upsert(schema.member), schema.member.c.keys())


async def last_name(connection: AsyncConnection, seat: Seat) -> str | None:
    """Return the name by which somebody was last seen in any community; None if in none."""
    member = schema.member.c
    newest = select(member.name).where(member.seat == seat).order_by(member.seen_at.desc(), member.community)
    return (await connection.execute(newest.limit(1))).scalar_one_or_none()


async def follow(connection: AsyncConnection, seat: Seat, root: Seat, at: datetime) -> None:
    """Make a root known by its last name in each community of a person who uses its wallet from now on."""
    name = await last_name(connection, root)
    if name is not None:
        query = select(schema.member.c.community).where(schema.member.c.seat == seat)
        communities = sorted((await connection.execute(query)).scalars())
        await ensure(connection, schema.member, [row(each, root, name, at) for each in communities])


@dataclass(frozen=True, slots=True)
class Visits:
    """The presence of a member: `minutes` of the stream watched, and the roles that were seen last."""

    first_at: datetime
    minutes: int = 0
    messages: int = 0
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True, slots=True)
class Sighting:
    """What is added to the presence of a member; `roles` is None if they are unknown."""

    community: str
    seat: Seat
    at: datetime
    minutes: int = 0
    messages: int = 0
    roles: frozenset[Role] | None = None


class Presence:
    """How much members watch and write."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def several(self, community: str, seats: Collection[Seat]) -> dict[Seat, Visits]:
        """Return the presence of these members, as far as they were seen."""
        async with self._store.reading() as connection:
            return await _read_visits(connection, community, seats)

    async def everywhere(self, communities: Iterable[str], seats: Collection[Seat]) -> list[Visits]:
        """Return the presence of these members in each of these communities, as far as they were seen."""
        async with self._store.reading() as connection:
            by_community = [await _read_visits(connection, each, seats) for each in communities]
        return [visits for each in by_community for visits in each.values()]

    async def add(self, sightings: Sequence[Sighting]) -> None:
        """Add sightings in one transaction; each member of a community may occur only once."""
        if sightings:
            await self._store.write(partial(_add, sightings=sightings))


async def _read_visits(
    connection: AsyncConnection, community: str, seats: Collection[Seat]
) -> dict[Seat, Visits]:
    row, visits = schema.presence.c, dict[Seat, Visits]()
    for some in batches(seats):
        query = select(schema.presence).where(row.community == community, row.seat.in_(some))
        for each in await connection.execute(query):
            roles = frozenset(Role(name) for name in each.roles.split(",") if name)
            visits[Seat(each.seat)] = Visits(each.first_at, each.minutes, each.messages, roles)
    return visits


async def _add(connection: AsyncConnection, sightings: Sequence[Sighting]) -> None:
    rows: list[ColumnValues] = []
    for community in sorted({each.community for each in sightings}):
        of_community = sorted(
            (each for each in sightings if each.community == community), key=lambda each: each.seat
        )
        visits = await _read_visits(connection, community, [each.seat for each in of_community])
        rows += [_row(each, visits.get(each.seat, Visits(each.at))) for each in of_community]
    await put(connection, schema.presence, rows)


def _row(sighting: Sighting, visits: Visits) -> ColumnValues:
    roles = visits.roles if sighting.roles is None else sighting.roles
    return {
        "community": sighting.community,
        "seat": sighting.seat,
        "first_at": min(visits.first_at, sighting.at),
        "minutes": visits.minutes + sighting.minutes,
        "messages": visits.messages + sighting.messages,
        "roles": ",".join(each.value for each in Role if each in roles),
    }


def hint_key(community: str, seat: Seat, game: str) -> str:
    """Return the id of the hint about a game for a member of a community."""
    return f"{game} {community} {seat}"


def hint_row(community: str, seat: Seat, game: str) -> ColumnValues:
    """Return the row of a hint."""
    return {"id": hint_key(community, seat, game), "community": community, "seat": seat}


def known_hints(ids: Collection[str]) -> Reads[set[str]]:
    """Read which hints of these ids were given."""
    hints: set[str] = set()
    for some in batches(ids):
        hints.update(hint for (hint,) in (yield _KNOWN_HINTS, {"ids": some}))
    return hints


_KNOWN_HINTS = FixedQuery("SELECT id FROM hint WHERE id {ids}", {"ids": "text"})


def hint_writes(rows: Collection[ColumnValues]) -> Iterator[RowWrite]:
    """Yield the writes of hints that are given for the first time."""
    yield RowWrite(_ADD_HINT, sorted(rows, key=lambda each: str(each["id"])))


_ADD_HINT = Statement(insert(schema.hint), schema.hint.c.keys())


@dataclass(eq=False, slots=True)
class Welcomes:
    """The ids of postings about welcomes that are written or pending, and the credits of welcomes by id."""

    written: set[str]
    credits_by_id: Mapping[str, int]

    def settle(self, own: Member, target: Member, balance: int, at: datetime) -> list[Posting]:
        """Return postings that leave one welcome when the wallet of `own` is merged into that of `target`.

        A second welcome is returned to the mint, as far as `balance` covers it; a first one counts as that of
        the target from now on. Either happens once to each welcome, however often wallets are merged and
        separated.
        """
        amount = self.credits_by_id.get(welcome(*own), 0)
        if not amount or {_return_id(*own), _passing_id(own, target)} & self.written:
            return []
        if welcome(*target) not in self.written:
            self.written |= {welcome(*target), _passing_id(own, target)}
            return [Posting(welcome(*target), target[0], at), Posting(_passing_id(own, target), own[0], at)]
        wallet, mint = purses.wallet(own[0], Seat(own[1])), purses.mint(own[0])
        entries = tuple(instalments(wallet, mint, min(amount, balance), WELCOME_RETURNED))
        return [Posting(_return_id(*own), own[0], at, entries=entries)]


def welcome(community: str, seat: str) -> str:
    """Return the id of the posting of a welcome, or of one that lets another welcome count here."""
    return f"welcome:{community}:{seat}"


def _return_id(community: str, seat: str) -> str:
    """Return the id of the posting that took a welcome back."""
    return f"unwelcome:{community}:{seat}"


def _passing_id(own: Member, target: Member) -> str:
    """Return the id of the posting that lets a welcome count as that of another member."""
    return f"welcomed:{':'.join(own)}:{':'.join(target)}"


async def read(connection: AsyncConnection, pairs: Collection[tuple[Member, Member]]) -> Welcomes:
    """Read the welcomes of wallets to be merged, given as pairs of a member and the target member."""
    names = [(welcome(*own), welcome(*to), _return_id(*own), _passing_id(own, to)) for own, to in pairs]
    written: set[str] = set()
    credits_by_id: dict[str, int] = {}
    # What is beyond the starting credits that ship is a second transfer.
    query = select(_transfer.posting, func.sum(_transfer.credits)).group_by(_transfer.posting)
    for some in batches({each for four in names for each in four}):
        written |= set((await connection.execute(select(_posting.id).where(_posting.id.in_(some)))).scalars())
        of_welcomes = _transfer.posting.in_(some), _transfer.why.in_([WELCOME, more(WELCOME)])
        rows = await connection.execute(query.where(*of_welcomes))
        credits_by_id |= {str(posting): int(credits_) for posting, credits_ in rows}
    return Welcomes(written, credits_by_id)
