"""Unites two communities: one holds the wallets of both, and a channel of the other joins a room there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import delete, func, insert, or_, select
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.ledger import changes, members
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.forwarding import carried
from chatbot.ledger.books.memory import touched_in
from chatbot.ledger.books.posting import Posting
from chatbot.ledger.books.purses import PERSON, Purse
from chatbot.ledger.changes import LINK, Change, Changes
from chatbot.ledger.store import people_version, schema
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches, ensure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.posting import Entry
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.store.store import Store
    from chatbot.ledger.store.write_queue import Writer

_Movement: TypeAlias = tuple[Purse, Purse, int]
"""The wallet that credits came from, the one that they went to, and the amount."""

COMMUNITY, BRIDGE = "community", "bridge"  # keys of the changes of a union, and of its channel

_purse, _bridge, _change, _member, _person, _transfer, _union = (
    each.c
    for each in (
        schema.purse, schema.bridge, schema.change, schema.member, schema.person, schema.transfer,
        schema.union,
    )
)  # fmt: skip


class AlreadyUnited(Exception):  # noqa: N818  (an answer, not a fault)
    """One of the communities is in a union already. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """A channel that was added to `room` in `community`; without the bridge it is of `home` in `origin`."""

    channel: str
    room: str
    community: str
    home: str
    origin: str


class Unions:
    """The unions of communities in a database."""

    def __init__(self, store: Store) -> None:
        self._store, self._changes = store, Changes(store)
        self._bridges = RequestBatcher(self._read_bridges)

    async def bridges(self) -> dict[str, Bridge]:
        """Read all bridges by channel."""
        return dict(await self._bridges.one(None))

    async def unite(self, change_set: ChangeSet, bridge: Bridge, writer: Writer | None = None) -> bool:
        """Move every wallet of the origin to the community of the room; return False if it was done before.

        A `writer` has more to write with it.

        Raises:
            AlreadyUnited: one of the communities is in a union already.
            LostAnswer: it is unknown whether it is done.
        """
        return await self._make(
            change_set, bridge, partial(_unite, change_set=change_set, bridge=bridge), writer
        )

    async def part(self, change_set: ChangeSet, bridge: Bridge, writer: Writer | None = None) -> bool:
        """Move back what the union has moved and is still there; return False if it was done before.

        A `writer` has more to write with it.

        Raises:
            AlreadyUnited: there is no such bridge.
            LostAnswer: it is unknown whether it is done.
        """
        return await self._make(
            change_set, bridge, partial(_part, change_set=change_set, bridge=bridge), writer
        )

    async def _read_bridges(self, _: Collection[None]) -> dict[None, dict[str, Bridge]]:
        query = select(*(_bridge[name] for name in Bridge.__slots__))
        async with self._store.reading() as connection:
            return {None: {row.channel: Bridge(*row) for row in await connection.execute(query)}}

    async def _make(
        self,
        change_set: ChangeSet,
        bridge: Bridge,
        work: Callable[[AsyncConnection], Awaitable[bool]],
        writer: Writer | None,
    ) -> bool:
        both = [bridge.origin, bridge.community]
        # Where another process owns one of the two, what that has in memory is contradicted by the version of
        # who is who, which this raises, and by the balances.
        both = [each for each in both if each in self._store.leases.held] or both
        try:
            return await (writer or self._store).write(work, homes=both)
        except (SQLAlchemyError, OSError) as error:
            if await self._changes.look_up(change_set.id, error) is None:
                raise
            return True  # the answer to our commit was lost


async def _unite(connection: AsyncConnection, change_set: ChangeSet, bridge: Bridge) -> bool:
    await people_version.lock(connection)
    if await changes.known(connection, change_set.id):
        return False
    await _require_free(connection, bridge)
    balances = await _balances(connection, bridge.origin)
    roots = await _roots(connection, balances)
    people: Counter[str] = Counter()
    for seat, credits_ in balances.items():
        people[roots.get(seat, seat)] += credits_
    postings = await _settle_welcomes(
        connection, bridge, {seat: roots.get(seat, seat) for seat in balances}, people, change_set
    )
    # Numbered, because the same two may be united again: `_part` must find the movements of the last union
    # alone.
    number = 1 + await _count(connection, bridge.origin)
    name, at, entries = f"union:{bridge.origin}:{number}", change_set.at, tuple(_carried(bridge, people))
    posting = Posting(name, bridge.origin, at, change_set.actor, entries, beside=bridge.community)
    change_set = _with_changes(change_set, bridge, posting.id, joins=True)
    await changes.do(connection, change_set, (*postings, posting))
    await _introduce(connection, bridge)
    row = {"community": bridge.origin, "target": bridge.community, "at": change_set.at}
    await connection.execute(insert(schema.union).values(row))
    touched_in(connection).everything = True
    row = {name: getattr(bridge, name) for name in Bridge.__slots__} | {"at": change_set.at}
    await connection.execute(insert(schema.bridge).values(row))
    return True


async def _part(connection: AsyncConnection, change_set: ChangeSet, bridge: Bridge) -> bool:
    await people_version.lock(connection)
    if await changes.known(connection, change_set.id):
        return False
    deleted = await connection.execute(delete(schema.bridge).where(_bridge.channel == bridge.channel))
    if deleted.rowcount != 1:
        raise AlreadyUnited
    await connection.execute(delete(schema.union).where(_union.community == bridge.origin))
    touched_in(connection).everything = True
    number = await _count(connection, bridge.origin)
    movements = await _movements(connection, f"union:{bridge.origin}:{number}")
    entries = tuple(await _return_entries(connection, movements))
    name, at = f"parting:{bridge.origin}:{number}", change_set.at
    posting = Posting(name, bridge.community, at, change_set.actor, entries, beside=bridge.origin)
    change_set = _with_changes(change_set, bridge, posting.id, joins=False)
    return await changes.do(connection, change_set, (posting,))


def _with_changes(change_set: ChangeSet, bridge: Bridge, posting: str, *, joins: bool) -> ChangeSet:
    first, second = (None, bridge.community) if joins else (bridge.community, None)
    union_change = Change(LINK, bridge.origin, COMMUNITY, first, second, posting)
    rooms = (bridge.home, bridge.room) if joins else (bridge.room, bridge.home)
    return replace(change_set, changes=(union_change, Change(LINK, bridge.channel, BRIDGE, *rooms)))


async def _require_free(connection: AsyncConnection, bridge: Bridge) -> None:
    """Require that the origin is in no union, and that the other community holds its own wallets."""
    in_union = or_(_union.community.in_([bridge.origin, bridge.community]), _union.target == bridge.origin)
    same_channel = _bridge.channel == bridge.channel
    conflicts = [
        (await connection.execute(select(_union.community).where(in_union))).first(),
        (await connection.execute(select(_bridge.channel).where(same_channel))).first(),
    ]
    if bridge.origin == bridge.community or any(conflicts):
        raise AlreadyUnited


async def _balances(connection: AsyncConnection, community: str) -> dict[str, int]:
    """Read and lock the wallets of people, by seat."""
    own = _purse.community == schema.community_of(community), _purse.kind == PERSON
    query = select(_purse.owner, _purse.balance).where(*own).order_by(_purse.id).with_for_update()
    return {seat: balance for seat, balance in await connection.execute(query)}  # noqa: C416


async def _roots(connection: AsyncConnection, seats: Collection[str]) -> dict[str, str]:
    roots: dict[str, str] = {}
    for some in batches(seats):
        query = select(_person.seat, _person.same_as).where(
            _person.seat.in_(some), _person.same_as.is_not(None)
        )
        roots |= {seat: root for seat, root in await connection.execute(query)}  # noqa: C416
    return roots


async def _settle_welcomes(
    connection: AsyncConnection,
    bridge: Bridge,
    roots: dict[str, str],
    people: Counter[str],
    change_set: ChangeSet,
) -> list[Posting]:
    """Return postings that leave each person one welcome, and subtract what is returned from `people`."""
    pairs = [((bridge.origin, seat), (bridge.community, root)) for seat, root in roots.items()]
    welcomes = await members.read(connection, pairs)
    postings: list[Posting] = []
    for own, target in pairs:
        root = target[1]
        welcome_postings = welcomes.settle(own, target, people[root], change_set.at)
        people[root] -= sum(entry.credits for posting in welcome_postings for entry in posting.entries)
        postings += welcome_postings
    return postings


def _carried(bridge: Bridge, people: Counter[str]) -> Iterator[Entry]:
    for seat, credits_ in sorted(people.items()):
        source = purses.wallet(bridge.origin, Seat(seat))
        yield from carried(source, purses.wallet(bridge.community, Seat(seat)), credits_)


async def _count(connection: AsyncConnection, community: str) -> int:
    """Return how often a community was united with another."""
    unions = _change.kind == LINK, _change.key == COMMUNITY, _change.new.is_not(None)
    query = select(func.count()).where(_change.subject == community, *unions)
    return int((await connection.execute(query)).scalar_one())


async def _introduce(connection: AsyncConnection, bridge: Bridge) -> None:
    """Copy the names of the members of the origin to the other community."""
    fields = _member.seat, _member.name, _member.folded, _member.seen_at
    rows = await connection.execute(select(*fields).where(_member.community == bridge.origin))
    own = [{"community": bridge.community, **row._asdict()} for row in rows]
    await ensure(connection, schema.member, own)


async def _movements(connection: AsyncConnection, posting: str) -> list[_Movement]:
    """Read the movements of a union, each of which is a pair of transfers through the mints."""
    transfers = await holdings.entries(connection, _transfer.posting == posting)
    # Their order is that in which `carried` made them.
    pairs = zip(transfers[::2], transfers[1::2], strict=True)
    for first, second in zip(transfers[::2], transfers[1::2], strict=True):
        assert first.credits == second.credits, f"{posting} brought {second.credits} of {first.credits}"  # noqa: S101
    return [(first.source, second.target, first.credits) for first, second in pairs]


async def _return_entries(connection: AsyncConnection, movements: list[_Movement]) -> list[Entry]:
    """Return entries that move back what is left, to present wallets: people may have been linked since."""
    forwarding = await holdings.read(connection, sorted({name for *pair, _ in movements for name in pair}))
    real = [
        (forwarding.real(source), forwarding.real(holder), credits_) for source, holder, credits_ in movements
    ]
    balances = await holdings.balances(connection, {holder for _, holder, _ in real}, lock=True)
    entries: list[Entry] = []
    for source, holder, credits_ in real:
        back = min(credits_, balances[holder])
        balances[holder] -= back
        entries += carried(holder, source, back)
    return entries
