"""What is known of the members of a community: names, presence, hints and welcomes they were given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import select

from chatbot.kernel.game import Role, Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Posting, instalments
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import add, batches, ensure, put

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.statements import Row
    from chatbot.ledger.store.store import Store


class Members:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, community: str, seat: Seat, name: str, at: datetime) -> None:
        """Remember a seat's present name; its former one is forgotten."""
        await self._store.join(write, row(community, seat, name, at))

    async def introduce(self, community: str, names: Mapping[Seat, str], at: datetime) -> None:
        """Remember who has not been seen before; who has keeps the name that is known."""
        rows = [row(community, seat, name, at) for seat, name in sorted(names.items())]
        await self._store.write(partial(ensure, table=schema.member, rows=rows))

    async def find(self, community: str, name: str) -> list[Seat]:
        """List all who bear the name, whatever its case.

        There may be several: a caller who moves credits refuses then. Nothing but case is
        evened out, for every other likeness (fullwidth letters, invisible ones) is a disguise.
        """
        member = schema.member.c
        wanted = select(member.seat).where(member.community == community, member.folded == name.casefold())
        async with self._store.reading() as connection:
            return [Seat(row.seat) for row in await connection.execute(wanted.order_by(member.seat))]

    async def called(self, community: str, names: Collection[str]) -> dict[Seat, str]:
        """List all who bear one of these names, which are in small letters, with the name."""
        return await self._named(community, schema.member.c.folded, names)

    async def names(self, community: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Tell the names of those who have been seen."""
        return await self._named(community, schema.member.c.seat, seats)

    async def _named(
        self, community: str, column: ColumnElement[str], wanted: Collection[str]
    ) -> dict[Seat, str]:
        member, found = schema.member.c, dict[Seat, str]()
        async with self._store.reading() as connection:
            for some in batches(wanted):
                asked = select(member.seat, member.name).where(
                    member.community == community, column.in_(some)
                )
                found |= {Seat(row.seat): row.name for row in await connection.execute(asked)}
        return found


def row(community: str, seat: Seat, name: str, at: datetime) -> Row:
    return {"community": community, "seat": seat, "name": name, "folded": name.casefold(), "seen_at": at}


async def write(connection: AsyncConnection, rows: Sequence[Row]) -> list[None]:
    """Keep the newest of each, in one order, so that two processes never wait in a circle."""
    newest = {(row["community"], row["seat"]): row for row in rows}
    await put(connection, schema.member, [newest[key] for key in sorted(newest)])
    return [None] * len(rows)


@dataclass(frozen=True, slots=True)
class Visits:
    """`minutes` of the stream were watched; the roles are those that were seen last."""

    first_at: datetime
    minutes: int = 0
    messages: int = 0
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True, slots=True)
class Sighting:
    """What somebody's presence grew by; no `roles`: they were not seen."""

    community: str
    seat: Seat
    at: datetime
    minutes: int = 0
    messages: int = 0
    roles: frozenset[Role] | None = None


class Presence:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, community: str, seat: Seat) -> Visits | None:
        """Tell of one member; None: never seen."""
        return (await self.several(community, [seat])).get(seat)

    async def several(self, community: str, seats: Collection[Seat]) -> dict[Seat, Visits]:
        """Tell of those members who have been seen."""
        async with self._store.reading() as connection:
            return await _attended(connection, community, seats)

    async def add(self, sightings: Sequence[Sighting]) -> None:
        """Add what was seen, in one transaction; each member once."""
        if sightings:
            await self._store.write(partial(_add, sightings=sightings))


async def _attended(
    connection: AsyncConnection, community: str, seats: Collection[Seat]
) -> dict[Seat, Visits]:
    row, found = schema.presence.c, dict[Seat, Visits]()
    for some in batches(seats):
        wanted = select(schema.presence).where(row.community == community, row.seat.in_(some))
        for each in await connection.execute(wanted):
            roles = frozenset(Role(name) for name in each.roles.split(",") if name)
            found[Seat(each.seat)] = Visits(each.first_at, each.minutes, each.messages, roles)
    return found


async def _add(connection: AsyncConnection, sightings: Sequence[Sighting]) -> None:
    rows: list[Row] = []
    for community in sorted({each.community for each in sightings}):
        seen = sorted((each for each in sightings if each.community == community), key=lambda each: each.seat)
        former = await _attended(connection, community, [each.seat for each in seen])
        rows += [_row(each, former.get(each.seat, Visits(each.at))) for each in seen]
    await put(connection, schema.presence, rows)


def _row(seen: Sighting, former: Visits) -> Row:
    roles = former.roles if seen.roles is None else seen.roles
    return {
        "community": seen.community,
        "seat": seen.seat,
        "first_at": min(former.first_at, seen.at),
        "minutes": former.minutes + seen.minutes,
        "messages": former.messages + seen.messages,
        "roles": ",".join(each.value for each in Role if each in roles),
    }


class Hints:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def first(self, community: str, seat: Seat, game: str) -> bool:
        """Write down that somebody is told; False: they were before, here or by another process."""
        return await self._store.join(write_hints, hint_row(community, seat, game))


def hint_key(community: str, seat: Seat, game: str) -> str:
    """Name a hint: that a member of a community was told about a game."""
    return f"{game} {community} {seat}"


def hint_row(community: str, seat: Seat, game: str) -> Row:
    return {"id": hint_key(community, seat, game), "community": community, "seat": seat}


async def known_hints(connection: AsyncConnection, ids: Collection[str]) -> set[str]:
    """Tell which hints were given."""
    found: set[str] = set()
    for some in batches(ids):
        given = await connection.execute(select(schema.hint.c.id).where(schema.hint.c.id.in_(some)))
        found |= set(given.scalars())
    return found


async def write_hints(connection: AsyncConnection, rows: Sequence[Row]) -> list[bool]:
    """Write down which hints are given; False: it was before."""
    wanted = {hint_row["id"]: hint_row for hint_row in rows}
    new = await add(connection, schema.hint, [wanted[each] for each in sorted(wanted)])
    return [hint_row["id"] in new for hint_row in rows]


RETURNED = "welcome-returned"  # why a second welcome of one person goes back to the mint

Member: TypeAlias = tuple[str, str]
"""A community and a seat."""

_posting, _transfer = schema.posting.c, schema.transfer.c


@dataclass(eq=False, slots=True)
class Welcomes:
    """Which of these postings are written, or are about to be, and what the welcomes among them gave."""

    written: set[str]
    given: Mapping[str, int]

    def settled(self, own: Member, target: Member, held: int, at: datetime) -> list[Posting]:
        """Take a second welcome back as far as it is held; let a first one be the target's, its only one.

        Either happens once to each welcome, however often wallets become one and part.
        """
        given = self.given.get(welcome(*own), 0)
        if not given or {_returned(*own), _passed(own, target)} & self.written:
            return []
        if welcome(*target) not in self.written:
            self.written |= {welcome(*target), _passed(own, target)}
            return [Posting(welcome(*target), target[0], at), Posting(_passed(own, target), own[0], at)]
        wallet, mint = purses.wallet(own[0], Seat(own[1])), purses.mint(own[0])
        entries = tuple(instalments(wallet, mint, min(given, held), RETURNED))
        return [Posting(_returned(*own), own[0], at, entries=entries)]


def welcome(community: str, seat: str) -> str:
    """Name the posting that welcomed somebody, or says that another of their welcomes counts here."""
    return f"welcome:{community}:{seat}"


def _returned(community: str, seat: str) -> str:
    """Name the posting that took somebody's welcome back."""
    return f"unwelcome:{community}:{seat}"


def _passed(own: Member, target: Member) -> str:
    """Name the posting that lets a welcome count as another's."""
    return f"welcomed:{':'.join(own)}:{':'.join(target)}"


async def read(connection: AsyncConnection, pairs: Collection[tuple[Member, Member]]) -> Welcomes:
    """Read what is known of wallets that become one: whose, and as whose they count."""
    names = [(welcome(*own), welcome(*to), _returned(*own), _passed(own, to)) for own, to in pairs]
    written: set[str] = set()
    given: dict[str, int] = {}
    moved = select(_transfer.posting, _transfer.credits)
    for some in batches({each for four in names for each in four}):
        written |= set((await connection.execute(select(_posting.id).where(_posting.id.in_(some)))).scalars())
        firsts = _transfer.posting.in_(some), _transfer.number == 1, _transfer.why == "welcome"
        rows = await connection.execute(moved.where(*firsts))
        given |= {str(posting): int(credits_) for posting, credits_ in rows}
    return Welcomes(written, given)
