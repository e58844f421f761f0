"""Duties: what is dealt to the processes that share a database on PostgreSQL.

A duty is a partition of the homes, the hearing of a platform, the local chat, or upkeep; each is done by one
process at a time. Which homes a process may write for is decided by `leases` alone: that two processes
believe for a moment that a duty is theirs, such as after one was stopped and continued, costs no credit.

- Nobody is in charge: each process looks every `RENEWAL` seconds, in a transaction that excludes the others,
  and takes what is free if it does less than its fair part, or least of all.
- A duty is free if its owner has given it up, or shows no sign of life for `LEASE` seconds. While an owner
  looks late, others look every `LATE_INTERVAL` seconds, so that it is taken over as soon as it may be.
- Duties stay where they are: one is given up for another process only if that does so much less that the
  move evens it out. Its owner first ends what it does for it.
- A platform that has shards is a duty for each of them. These are dealt by their number, among the processes
  that can hear the platform, and everything else by load.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import structlog
from sqlalchemy import bindparam, delete, exists, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store import schema
from chatbot.ledger.store.engines import reason
from chatbot.ledger.store.gateways import read_shards
from chatbot.ledger.store.leases import LEASE, RENEWAL
from chatbot.ledger.store.statements import ensure, put
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import Watch
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

LATE = 2.0  # seconds since a heartbeat after which its process looks as if it had ended
LATE_INTERVAL = 0.2  # seconds between two looks while one does
UNEVEN = 0.25  # part of a fair load by which a process must exceed another one to give something up
HEARING = "hear-"
"""What the duties of hearing a platform begin with; its name in lower case follows."""

HOME = "home-"  # what the duties of partitions of the homes begin with; every process can do these
_SHARD = re.compile(rf"({HEARING}[a-z]+)-([0-9]+)")

SHARE = 100  # what each process takes beside others: all are alike
_LOCK = 7_316_942  # of PostgreSQL's advisory locks; the dealing of this program has it alone

_duty = schema.duty.c

_AGE = text(
    "SELECT id, label, coalesce(share, 0), "
    "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) - heartbeat AS age, "
    "coalesce(abilities, ''), coalesce(condition, '') "
    "FROM process LEFT JOIN cluster_member ON process = id ORDER BY id"
)
_TAKE = (
    update(schema.duty)
    .where(_duty.name.in_(bindparam("names", expanding=True)))
    .values(owner=bindparam("process"))
)
_GIVE = _TAKE.where(_duty.owner == bindparam("giver")).values(owner=None)

log = structlog.get_logger(__name__)


class Condition(NamedTuple):
    """What a process says of itself: why it cannot do its part, and how many lines wait for an answer."""

    troubles: tuple[str, ...] = ()
    waiting: int = 0

    def text(self) -> str:
        """Return it as a row has it."""
        return json.dumps({"troubles": self.troubles, "waiting": self.waiting}) if any(self) else ""

    @classmethod
    def of(cls, text: str) -> Condition:
        """Return what a row says; of what another version has written what this one knows."""
        parts = json.loads(text) if text else {}
        return cls(tuple(map(str, parts.get("troubles", ()))), int(parts.get("waiting", 0)))


class Sharer(NamedTuple):
    """A process that shows signs of life; `age` are the milliseconds since its last one.

    `abilities` are what it can do beside running rooms, with commas between; empty: it does not say.
    `condition` is what `Condition.text` has made; empty: it does not say.
    """

    id: int
    label: str
    share: int
    age: int
    abilities: str = ""
    condition: str = ""

    def can(self, duty: str) -> bool:
        """Whether it can do a duty, as far as it says what it can do."""
        is_known = bool(self.abilities) and not duty.startswith(HOME)
        return not is_known or platform_of(duty) in self.abilities.split(",")


class Duty(NamedTuple):
    """A duty, its owner (None: nobody), and how much work it is."""

    name: str
    owner: int | None
    load: int


@dataclass(frozen=True, slots=True)
class Dealing:
    """What a process takes, and what it should end and give up, by the names of duties."""

    take: tuple[str, ...] = ()
    give: tuple[str, ...] = ()


def shard(platform: str, number: int) -> str:
    """Return the duty of hearing a shard, of the duty of hearing its platform."""
    return f"{platform}-{number}"


def platform_of(duty: str) -> str:
    """Return the duty of hearing the platform to which a shard belongs; of anything else the duty itself."""
    match = _SHARD.fullmatch(duty)
    return duty if match is None else match[1]


def number_of(duty: str) -> int | None:
    """Return the number of the shard that is a duty; None: it is none."""
    match = _SHARD.fullmatch(duty)
    return None if match is None else int(match[2])


def deal(me: int, members: Sequence[Sharer], duties: Sequence[Duty]) -> Dealing:
    """Return what a process is to take and to give up, given the members with signs of life.

    Whoever has a `share` of 0 keeps what it has, until it gives that up, and takes nothing.
    """
    takers = [each for each in members if each.share > 0]
    alive = {each.id for each in members}
    own = next((each for each in takers if each.id == me), None)
    if own is None:
        return Dealing()
    shards = defaultdict[str, list[Duty]](list)
    for each in duties:
        if number_of(each.name) is not None:
            shards[platform_of(each.name)].append(each)
    dealings = [_deal_others(own, takers, duties, alive)]
    for platform, some in shards.items():
        able = [each.id for each in takers if each.can(platform)]
        if me in able:
            dealings.append(_deal_shards(me, able, some, alive))
    return Dealing(
        tuple(name for each in dealings for name in each.take),
        tuple(name for each in dealings for name in each.give),
    )


def _deal_others(
    me: Sharer, takers: Sequence[Sharer], duties: Sequence[Duty], alive: Collection[int]
) -> Dealing:
    """Deal by load what is no shard; shards are a load as well."""
    shares = {each.id: each.share for each in takers}
    loads = dict.fromkeys(shares, 0)
    for each in duties:
        if each.owner in loads:
            loads[each.owner] += each.load
    fair = sum(each.load for each in duties) * me.share / sum(shares.values())
    others = [each for each in duties if number_of(each.name) is None]
    free = [each for each in others if each.owner not in alive and me.can(each.name)]
    if free:
        return Dealing(take=_taken(me.id, takers, loads, fair, free))
    mine = [each for each in others if each.owner == me.id]
    return Dealing(give=_given(me.id, takers, loads, fair, mine))


def _taken(
    me: int, takers: Sequence[Sharer], loads: dict[int, int], fair: float, free: Sequence[Duty]
) -> tuple[str, ...]:
    """Take the heaviest first, for light ones fill what is left.

    The one that does least, of those that can, always takes one: of all others each may have more than a fair
    part less half of the next, and then nobody would.
    """
    names = list[str]()
    for each in sorted(free, key=lambda duty: (-duty.load, duty.name)):
        able = [taker.id for taker in takers if taker.can(each.name)]
        least = min(able, key=lambda process: (loads[process], process))
        if loads[me] + each.load / 2 <= fair or least == me:
            names.append(each.name)
            loads[me] += each.load
    return tuple(names)


def _given(
    me: int, takers: Sequence[Sharer], loads: Mapping[int, int], fair: float, mine: Sequence[Duty]
) -> tuple[str, ...]:
    """Give up what is above a fair part, if another process has so much less that it pays."""
    excess = loads[me] - fair
    names = list[str]()
    # The hearing of a platform last: it takes the longest to move.
    for each in sorted(mine, key=lambda duty: (duty.name.startswith(HEARING), -duty.load, duty.name)):
        least = min(loads[taker.id] for taker in takers if taker.can(each.name) or taker.id == me)
        if loads[me] - least <= UNEVEN * fair:
            continue
        # Not what would make the other one exceed us: it would come back.
        if each.load <= excess and each.load < loads[me] - least:
            names.append(each.name)
            excess -= each.load
    return tuple(names)


def _deal_shards(me: int, able: Sequence[int], shards: Sequence[Duty], alive: Collection[int]) -> Dealing:
    """Deal the shards of a platform by their number: to connect one anew costs more than what it brings."""
    counts = dict.fromkeys(able, 0)
    for each in shards:
        if each.owner in counts:
            counts[each.owner] += 1
    names = list[str]()
    ordered = sorted(shards, key=lambda duty: number_of(duty.name) or 0)
    free = [each for each in ordered if each.owner not in alive]
    if free:
        for each in free:
            # Only while nobody has fewer, who looks at it in the same moment.
            if counts[me] <= min(counts.values()):
                names.append(each.name)
                counts[me] += 1
        return Dealing(take=tuple(names))
    for each in reversed([each for each in ordered if each.owner == me]):
        least = min(able, key=lambda process: (counts[process], process))
        if counts[me] - counts[least] >= 2:
            names.append(each.name)
            counts[me], counts[least] = counts[me] - 1, counts[least] + 1
    return Dealing(give=tuple(names))


async def _nothing(_: Collection[str]) -> None:
    """Do nothing."""


@dataclass(eq=False)
class Duties:
    """The duties of this process: `held` are those that it does, by their names.

    `begin` is called with those that were taken, `end` with those that are to be given up, before they are,
    and `gave` afterwards;
    `drop` with those that another process has taken, because this one seemed to have ended, or that are not
    what they were, as there is another number of shards. `condition` returns what is told of this process.
    """

    store: Store
    names: set[str]  # of all duties that this process can do, but for shards
    watch: Watch
    begin: Callable[[Collection[str]], Awaitable[None]] = _nothing
    end: Callable[[Collection[str]], Awaitable[None]] = _nothing
    drop: Callable[[Collection[str]], Awaitable[None]] = _nothing
    gave: Callable[[Collection[str]], Awaitable[None]] = _nothing
    condition: Callable[[], Condition] = Condition
    loads: Mapping[str, int] = field(default_factory=dict)  # as measured last, of some
    members: tuple[Sharer, ...] = ()  # as of the last look
    dealt: tuple[Duty, ...] = ()
    owners: Mapping[str, int | None] = field(default_factory=dict)  # of all duties, as of the last look
    held: set[str] = field(default_factory=set)
    platforms: set[str] = field(default_factory=set)  # of which it can hear shards, by duties
    shards: Mapping[str, int] = field(default_factory=dict)  # how many each has, as of the last look
    _share: int = SHARE
    _complaint: str = ""

    def __post_init__(self) -> None:
        self._looks = Periodic(self.watch, RENEWAL, self._look)
        self._looking = False
        self._again = False
        self._growing: set[str] = set()  # platforms whose shards stay what they are when there are more
        self._resized: set[str] = set()  # platforms whose number of shards is another one than before

    async def join(self) -> None:
        """Take part, and take what is free.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        await self.store.leases.begin()
        rows = [{"name": name, "load": _least_load(name)} for name in sorted(self.names)]
        await self.store.write(partial(ensure, table=schema.duty, rows=rows), homes=())
        await self.store.write(_forget_ended, homes=())
        await self.look()
        self._looks.start()

    async def add(self, name: str) -> None:
        """Be able to do another duty.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        rows = [{"name": name, "load": _least_load(name)}]
        await self.store.write(partial(ensure, table=schema.duty, rows=rows), homes=())
        self.names.add(name)
        await self.look()

    async def add_shards(self, platform: str, *, grows: bool = False) -> None:
        """Be able to hear shards of a platform, of which all processes have agreed how many it has.

        If it `grows`, further shards leave those as they are that are there.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        self.platforms.add(platform)
        if grows:
            self._growing.add(platform)
        await self.look()

    def can(self, name: str) -> bool:
        """Whether this process can do a duty."""
        number = number_of(name)
        if number is None:
            return name in self.names
        platform = platform_of(name)
        return platform in self.platforms and number < self.shards.get(platform, 0)

    def share_of(self, platform: str) -> float:
        """Return the part of hearing a platform that is dealt to this process; 1 if it is dealt to nobody."""
        owners = [each.owner for each in self.dealt if platform_of(each.name) == platform and each.owner]
        return owners.count(self.store.leases.process) / len(owners) if owners else 1.0

    async def look(self) -> None:
        """Take what is free and fair, and give up what is not; what is being looked at is looked at again."""
        if self._looking:
            self._again = True
            return
        self._looking = True
        try:
            await self._deal()
            while self._again:
                self._again = False
                await self._deal()
        finally:
            self._looking = False

    async def leave(self, but: Collection[str] = ()) -> None:
        """Take nothing more, and give up everything but some; what `end` does for it comes first.

        Raises:
            SQLAlchemyError, OSError: the database does not answer; others take it over by the clock.
        """
        self._share = 0
        names = sorted(self.held - {*but})
        await self.end(names)
        await self.give(names)

    async def give(self, names: Collection[str]) -> None:
        """Give up duties that are ended already.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        # Before it is written: if that fails, what is still ours is begun again.
        self.held -= {*names}
        await self.store.write(self._departure(sorted(names)), homes=())
        await self.gave(names)

    def troubles(self) -> list[str]:
        """Return why it is not known what is dealt to this process."""
        return [f"what is dealt cannot be looked at ({self._complaint})"] if self._complaint else []

    async def close(self) -> None:
        """Look no more."""
        self._looks.stop()

    async def _look(self) -> float | None:
        try:
            await self.look()
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            if reason(error) != self._complaint:
                log.warning("what is dealt cannot be looked at", why=reason(error))
            self._complaint = reason(error)
        else:
            self._complaint = ""
        is_late = any(each.age > LATE * 1000 for each in self.members)
        return LATE_INTERVAL if is_late else None

    async def _deal(self) -> None:
        result = await self.store.write(self._take, homes=())
        lost = self.held - {each.name for each in self.dealt if each.owner == self.store.leases.process}
        if lost:
            log.critical("another process does what was ours", duties=sorted(lost))
            self.held -= lost
            await self.drop(sorted(lost))
        if self._resized:
            former = sorted(each for each in self.held if platform_of(each) in self._resized)
            log.warning("a platform has another number of shards", shards=dict(self.shards))
            self._resized.clear()
            self.held -= {*former}
            await self.drop(former)
        # Also what is ours and was not begun, as after an answer of the database was lost.
        taken = sorted(
            {each.name for each in self.dealt if each.owner == self.store.leases.process} - self.held
        )
        # Who leaves may be giving them up just now, and have read that they are its own before.
        if taken and self._share:
            self.held |= {*taken}
            await self.begin(taken)
        if result.give:
            log.info("duties are given up for others", duties=result.give)
            await self.end(result.give)
            await self.give(result.give)

    async def _take(self, connection: AsyncConnection) -> Dealing:
        me = self.store.leases.process
        await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        await put(connection, schema.cluster_member, [self._row()])
        await self._write_loads(connection)
        await self._count_shards(connection)
        rows = await read_sharers(connection)
        members = [each for each in rows if each.age < LEASE * 1000 or each.id == me]
        query = select(_duty.name, _duty.owner, _duty.load).order_by(_duty.name)
        duties = [Duty(*row) for row in await connection.execute(query)]
        former = await self._forget_former(connection, {each.id for each in members}, duties)
        duties = [each for each in duties if each.name not in former]
        result = deal(me, members, duties)
        self.owners = {each.name: me if each.name in result.take else each.owner for each in duties}
        duties = [each for each in duties if self.can(each.name)]
        if result.take:
            await connection.execute(_TAKE, {"names": list(result.take), "process": me})
        taken = {*result.take}
        self.members = tuple(members)
        self.dealt = tuple(each._replace(owner=me) if each.name in taken else each for each in duties)
        return result

    async def _write_loads(self, connection: AsyncConnection) -> None:
        loads = {each.name: each.load for each in self.dealt}
        for name in sorted(self.held & self.loads.keys()):
            load = _least_load(name) + self.loads[name]
            # What has hardly changed is not written: it would be a row each second.
            if abs(load - loads.get(name, 0)) > max(loads.get(name, 0) // 4, 2):
                statement = update(schema.duty).where(_duty.name == name).values(load=load)
                await connection.execute(statement)

    async def _count_shards(self, connection: AsyncConnection) -> None:
        """Learn how many shards platforms have, and make the duties of those that can be heard here."""
        shards = {f"{HEARING}{name}": number for name, number in (await read_shards(connection)).items()}
        changed = {each for each in self.shards if self.shards[each] != shards.get(each)}
        self._resized |= changed - self._growing
        self.shards = shards
        rows = [
            {"name": shard(platform, number), "load": _least_load(platform)}
            for platform in sorted(self.platforms)
            for number in range(shards.get(platform, 0))
        ]
        await ensure(connection, schema.duty, rows)

    async def _forget_former(
        self, connection: AsyncConnection, alive: Collection[int], duties: Sequence[Duty]
    ) -> set[str]:
        """Remove shards that are no more, unless another process still hears them; return their names.

        So is a platform that is heard by shards, and was heard as a whole by a former version.
        """
        me, former = self.store.leases.process, set[str]()
        for each in duties:
            number = number_of(each.name)
            if number is None:
                is_former = each.name in self.platforms - self.names
            else:
                is_former = number >= self.shards.get(platform_of(each.name), 0)
            if is_former and (each.owner == me or each.owner not in alive):
                former.add(each.name)
        if former:
            await connection.execute(delete(schema.duty).where(_duty.name.in_(former)))
        return former

    def _row(self) -> dict[str, object]:
        abilities = sorted({*(each for each in self.names if not each.startswith(HOME)), *self.platforms})
        process = self.store.leases.process
        return {
            "process": process,
            "share": self._share,
            "abilities": ",".join(abilities) or "-",
            "condition": self.condition().text(),
        }

    def _departure(self, names: Sequence[str]) -> Callable[[AsyncConnection], Awaitable[None]]:
        async def work(connection: AsyncConnection) -> None:
            me = self.store.leases.process
            await put(connection, schema.cluster_member, [self._row()])
            if names:
                await connection.execute(_GIVE, {"names": list(names), "giver": me})
            rows = [Sharer(*row) for row in await connection.execute(_AGE)]
            self.members = tuple(each for each in rows if each.age < LEASE * 1000 or each.id == me)

        return work


async def read_sharers(connection: AsyncConnection) -> list[Sharer]:
    """Return all processes that have not left, also those without signs of life."""
    return [Sharer(*row) for row in await connection.execute(_AGE)]


def _least_load(name: str) -> int:
    """Return what a duty counts at least: hearing a platform is as much work as several partitions."""
    return 40 if name.startswith(HEARING) else 10


async def _forget_ended(connection: AsyncConnection) -> None:
    """Remove the rows of members whose processes are removed."""
    known = exists().where(schema.process.c.id == schema.cluster_member.c.process)
    await connection.execute(delete(schema.cluster_member).where(~known))
