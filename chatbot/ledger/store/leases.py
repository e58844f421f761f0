"""Leases: which process owns the homes of a database. A home is a community, or several that are united.

- A home has one owner at a time. Its rows, one for each of its communities, change only when it is taken, by
  which its epoch rises, and when it is given back.
- Every transaction that writes for a home locks its rows first (`guard`), in a mode that all units of the
  owner share, and compares owner and epoch. So a write is either committed before another process takes the
  home, or refused, however long its writer was stopped meanwhile.
- On PostgreSQL a home may be taken if it is free, or if its owner's heartbeat is older than `LEASE` by the
  clock of the server. An owner knows by its own clock when that may be, and stops `MARGIN` before: to read,
  too.
- On SQLite the lock of the file is the lease: it does not expire, and a start takes what was left behind.

A lease does not hang on a connection: an owner all of whose connections are cut goes on with new ones.
"""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import socket
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import structlog
from sqlalchemy import bindparam, delete, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.books.memory import touched_in
from chatbot.ledger.store import schema
from chatbot.ledger.store.engines import StoreError, reason
from chatbot.ledger.store.request_batcher import RequestBatcher
from chatbot.ledger.store.statements import batches, ensure
from chatbot.ledger.store.writes import RowWrite, Statement
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from chatbot.ledger.store.write_queue import WriteWork
    from chatbot.ledger.store.writes import Unit
    from chatbot.runtime.clock import Alarm, Watch

T = TypeVar("T")

LEASE = 5.0
"""Seconds from a heartbeat, by the clock of the database, after which a home may be taken over."""

SEVERAL = ", or give each of several processes the address of a NATS server in CHATBOT_NATS_URL"

RENEWAL = 1.0  # seconds between two heartbeats
MOST_NAMED = 10  # communities in a line of the log
# Seconds by which an owner stops earlier than others may begin: clocks do not run equally fast, and what is
# being said at that moment should be out.
MARGIN = 0.5
ANSWER_TIMEOUT = 1.5  # seconds for a renewal, so that a new connection can be tried within the lease
LONGEST_IDLE = 3000  # milliseconds of a transaction that locks homes: an owner that is stopped blocks nobody
_LOCK_TIMEOUT = 4000  # milliseconds for such a transaction of an owner that is stopped
_LOOK_AGAIN = 0.2  # seconds
_FORGOTTEN = 86_400.0  # seconds after which the row of a process that has ended is removed

_home, _process, _union = schema.home.c, schema.process.c, schema.union.c

_NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
_RENEW = text(
    "WITH beat AS ("  # noqa: S608  (our own text)
    f"INSERT INTO process (id, label, heartbeat) VALUES (CAST(:id AS bigint), CAST(:label AS text), {_NOW}) "
    "ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat) "
    "SELECT community, epoch FROM home WHERE owner = CAST(:id AS bigint)"
)
_LIVE = text(f"process.heartbeat >= {_NOW} - CAST(:lease AS bigint)")
_REMOVE_ENDED = text(
    f"DELETE FROM process WHERE heartbeat < {_NOW} - CAST(:age AS bigint) "  # noqa: S608  (our own text)
    "AND NOT EXISTS (SELECT 1 FROM home WHERE owner = process.id)"
)
_SET_TIMEOUTS = text(
    f"SELECT set_config('idle_in_transaction_session_timeout', '{LONGEST_IDLE}', true), "
    f"set_config('lock_timeout', '{_LOCK_TIMEOUT}', true)"
)
_OWNED = Statement(
    select(_home.community).where(
        _home.community == bindparam("community"),
        _home.owner == bindparam("owner"),
        _home.epoch == bindparam("epoch"),
    ),
    ("community", "owner", "epoch", "idle"),
    # In the order in which `take` locks them. What is being taken meanwhile is waited for, and compared then.
    postgresql=text(
        "SELECT home.community, "
        "set_config('idle_in_transaction_session_timeout', (CAST(:idle AS text[]))[1], true) "
        "FROM home WHERE (home.community, home.owner, home.epoch) IN (SELECT * FROM unnest("
        "CAST(:community AS text[]), CAST(:owner AS bigint[]), CAST(:epoch AS integer[]))) "
        "ORDER BY home.community FOR SHARE OF home"
    ),
    once=("community", "epoch"),
)
_TAKE = (
    update(schema.home)
    .where(_home.community.in_(bindparam("communities", expanding=True)))
    .values(owner=bindparam("process"), epoch=_home.epoch + 1)
    .returning(_home.community, _home.epoch)
)

log = structlog.get_logger(__name__)


class NotOwner(ConnectionError):  # noqa: N818  (what it is)
    """The home is not owned by this process, any more or at all. Nothing was written."""

    def __init__(self, homes: Iterable[str] = ()) -> None:
        names = ", ".join(sorted(homes))
        super().__init__(f"this process has no lease of {names or 'its rooms'}")


class OtherOwner(NamedTuple):
    """Another process that owns a home, and its last heartbeat by the clock of the database."""

    process: int
    label: str
    heartbeat: datetime


class UnguardedWrite(Protocol):
    """Runs a work in a transaction that no lease guards, after all writes that were requested before."""

    async def __call__(self, work: WriteWork[T], /) -> T:
        """Run a work; raises what it raises."""


class Leases:
    """The leases of this process.

    `held` are the epochs of the communities that it owns. Those of `wanted` that are not held are lost;
    `when_lost` is called when some are, and `regain` takes them again. A process that has never taken a home,
    such as a test or a command that has the database for itself, writes what it likes.
    """

    def __init__(self, engine: AsyncEngine, write: UnguardedWrite, watch: Watch) -> None:
        self._engine, self._write, self._watch = engine, write, watch
        self._expiring = engine.dialect.name == "postgresql"
        self._id, self._label = secrets.randbits(62), f"process {os.getpid()} on {socket.gethostname()}"
        self._begun = False
        self._ends = -math.inf if self._expiring else math.inf  # on the watch
        self._takes = RequestBatcher(self._take_together)
        self._beats = Periodic(watch, RENEWAL, self._beat)
        self._end: Alarm | None = None
        self._complaint = ""  # why the last renewal failed
        self._session: AsyncConnection | None = None  # for renewals alone, which must not wait for others
        self._session_lock = asyncio.Lock()  # a session runs one query at a time
        self.wanted: dict[str, None] = {}  # communities, in the order in which they were taken first
        self.held: dict[str, int] = {}
        self.when_lost: Callable[[], object] = lambda: None
        # Set by a command that has no rooms: it may compute for longer than a lease lasts, also in the middle
        # of a transaction. If a home is taken over meanwhile, its next write is refused.
        self.unhurried = False

    @property
    def lost(self) -> list[str]:
        """The communities whose leases are lost, and not taken again."""
        return [each for each in self.wanted if each not in self.held]

    @property
    def label(self) -> str:
        """What people call this process."""
        return self._label

    @property
    def process(self) -> int:
        """The number by which this process is known in the database."""
        return self._id

    @property
    def is_current(self) -> bool:
        """Whether the lease has not run out, so that no other process can have taken anything."""
        return not self._expiring or self._watch.now() < self._ends

    async def begin(self) -> None:
        """Be known to other processes, and write for homes that are taken alone, before any is.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        await self.renew()
        self._beats.start()
        await self._write(self._prepare)
        self._begun = True

    async def take(self, home: str) -> None:
        """Take a home, by the name of any of its communities, until it is given back.

        An owner that may have ended is waited for: until it renews its lease, or that has run out.

        Raises:
            StoreError: another process owns it.
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        self._look_at_clock()
        if home in self.held:
            return
        first = other = await self._takes.one(home)
        while other is not None:
            if other != first or not self._expiring:
                raise StoreError(
                    f"The rooms of {home} are run by another process on the same database ({other.label}); "
                    f"stop that one{SEVERAL if self._expiring else ''}."
                )
            # Not on the watch: what is waited for is the clock of the database, which nobody turns by hand.
            await asyncio.sleep(_LOOK_AGAIN)
            other = await self._takes.one(home)

    async def give_back(self, home: str) -> None:
        """Give a home back, after everything that is decided for it; nothing more is written for it.

        Raises:
            SQLAlchemyError, OSError: the database does not answer; it may be tried again.
        """
        for each in await self._write(partial(_communities_of, home=home)):
            self.wanted.pop(each, None)
            self.held.pop(each, None)
        await self._write(partial(self._release, home=home))

    async def give_back_all(self, communities: Collection[str]) -> None:
        """Give back all of several homes at once, by the names of all their communities, as `give_back`.

        Raises:
            SQLAlchemyError, OSError: the database does not answer; it may be tried again.
        """
        await self._write(_wait)
        for each in communities:
            self.wanted.pop(each, None)
            self.held.pop(each, None)
        await self._write(partial(self._release_all, communities=sorted(communities)))

    def guard(self, homes: Collection[str] | None = None) -> Unit:
        """Return what must hold in a transaction that writes for these communities; None: for any.

        It is as of now: what was decided before a loss is refused even if the home is taken again.

        Raises:
            NotOwner: this process does not own one of them, or the lease has run out.
        """
        if not self._begun:
            return ()
        if self._expiring:
            self.require_current()
        epochs = self.held
        if homes is None:
            if self.wanted and not epochs:
                raise NotOwner
            homes = epochs
        idle = "0" if self.unhurried else str(LONGEST_IDLE)
        try:
            rows = [
                {"community": each, "owner": self._id, "epoch": epochs[each], "idle": idle} for each in homes
            ]
        except KeyError:
            raise NotOwner(homes) from None
        return (RowWrite(_OWNED, rows, len(rows)),)

    def refused(self, guard: Unit) -> None:
        """Note that a guard does not hold: of its homes it is not known any more whether they are ours."""
        rows = [row for write in guard for row in write.rows]
        self._lose([row["community"] for row in rows if self.held.get(row["community"]) == row["epoch"]])

    def require_current(self) -> None:
        """Require that the lease has not run out.

        Raises:
            NotOwner: it has, and another process may own the homes by now.
        """
        if self._expiring and self._begun and not self.unhurried and self._watch.now() >= self._ends:
            self._lose([*self.held])
            raise NotOwner(self.wanted)

    async def renew(self) -> None:
        """Extend the lease, and find out which homes were taken over.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        if not self._expiring:
            return
        async with self._session_lock:
            before = dict(self.held)
            # Before it is sent: the heartbeat may be as old as this when the answer is here.
            sent_at = self._watch.now()
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    rows = (await (await self._connected()).execute(_RENEW, self._row)).all()
            except BaseException:
                await self._disconnect()
                raise
            # After an alarm was late: what has run out meanwhile is lost, though nobody has taken it.
            self._look_at_clock()
            self._ends = sent_at + LEASE - MARGIN
            self._set_alarm()
        ours = {community: epoch for community, epoch in rows}  # noqa: C416
        self._lose([each for each, epoch in before.items() if ours.get(each) != epoch == self.held.get(each)])

    async def regain(self) -> None:
        """Take again what is lost, unless another process owns it; do not wait for that one.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        if self.lost:
            await self._takes.get(self.lost)

    async def close(self) -> None:
        """Give everything back, after what is decided, so that the next process need not wait."""
        current = self._expiring and self._watch.now() < self._ends
        self.held.clear()  # what is requested from now on is refused
        # A server that has not answered is not asked again, so that the process can end. Of a file the lock
        # is given back, which is enough.
        if self._begun and current:
            try:
                await self._write(self._leave)
            except (SQLAlchemyError, OSError) as error:  # then they run out
                log.warning("the leases of our rooms could not be given back", why=reason(error))
        self._beats.stop()
        if self._end is not None:
            self._end.cancel()
        async with self._session_lock:
            await self._disconnect()

    @property
    def _row(self) -> dict[str, object]:
        return {"id": self._id, "label": self._label}

    async def _take_together(self, homes: Collection[str]) -> Mapping[str, OtherOwner | None]:
        """Take those of several homes that no other process owns, and return the owners of the others."""
        # What was taken meanwhile keeps its epoch, or what was decided for it since would be refused.
        new_homes = [each for each in homes if each not in self.held]
        if not new_homes:
            return dict.fromkeys(homes)
        if self._expiring:
            if self._watch.now() >= self._ends:
                await self.renew()
            self._beats.start()
        others, epochs = await self._write(partial(self._take, homes=new_homes))
        self._begun = True
        self.wanted |= dict.fromkeys(epochs)
        self.held |= epochs
        return {home: others.get(home) for home in homes}

    async def _take(
        self, connection: AsyncConnection, homes: Collection[str]
    ) -> tuple[dict[str, OtherOwner], dict[str, int]]:
        """Take homes in a transaction; return the owners of some, and the epochs of the others."""
        await self._prepare(connection)
        unions = await _read_unions(connection)
        while True:
            groups = {home: _united(home, unions) for home in homes}
            # What is certainly another's is not locked, or its owner would wait for us.
            others = await self._others(connection, groups)
            await self._lock(connection, _all_but(others, groups))
            others |= await self._others(connection, groups)
            previous_unions, unions = unions, await _read_unions(connection)
            if unions == previous_unions:  # none was made or ended before the rows were locked
                break
        epochs: dict[str, int] = {}
        for some in batches([each for each in _all_but(others, groups) if each not in self.held]):
            rows = await connection.execute(_TAKE, {"communities": some, "process": self._id})
            epochs |= {community: epoch for community, epoch in rows}  # noqa: C416
        if epochs.keys() & self.wanted.keys():
            touched_in(connection).everything = True  # what was known before the loss
        return others, epochs

    async def _prepare(self, connection: AsyncConnection) -> None:
        if self._expiring:
            await connection.execute(_SET_TIMEOUTS)
            if not self._begun:
                await connection.execute(_REMOVE_ENDED, {"age": int(_FORGOTTEN * 1000)})
        elif not self._begun:
            # The lock of the file is ours, so whoever had a lease has ended, or is refused from now on.
            await connection.execute(update(schema.home).values(owner=None, epoch=_home.epoch + 1))
            await connection.execute(delete(schema.process))
            row = {**self._row, "heartbeat": self._watch.date()}
            await connection.execute(insert(schema.process).values(row))

    async def _lock(self, connection: AsyncConnection, communities: Collection[str]) -> None:
        """Have rows for communities, and lock them, in sorted order so that processes cannot deadlock."""
        await ensure(connection, schema.home, [{"community": each, "epoch": 0} for each in communities])
        if self._expiring:
            for some in batches(communities):
                query = select(_home.community).where(_home.community.in_(some)).order_by(_home.community)
                await connection.execute(query.with_for_update())

    async def _others(
        self, connection: AsyncConnection, groups: Mapping[str, Collection[str]]
    ) -> dict[str, OtherOwner]:
        """Return the other owners of homes, as far as their leases have not run out."""
        query = select(_home.community, _process.id, _process.label, _process.heartbeat)
        query = query.join(schema.process, _home.owner == _process.id).where(_process.id != self._id)
        if self._expiring:
            query = query.where(_LIVE.bindparams(lease=int(LEASE * 1000)))
        owners: dict[str, OtherOwner] = {}
        for some in batches({each for group in groups.values() for each in group}):
            rows = await connection.execute(query.where(_home.community.in_(some)))
            owners |= {community: OtherOwner(*other) for community, *other in rows}
        owners_by_home = {
            home: [owners[each] for each in group if each in owners] for home, group in groups.items()
        }
        return {home: some[0] for home, some in owners_by_home.items() if some}

    async def _release(self, connection: AsyncConnection, home: str) -> None:
        communities = await _communities_of(connection, home)
        ours = _home.community.in_(sorted(communities)), _home.owner == self._id
        await connection.execute(update(schema.home).where(*ours).values(owner=None))

    async def _release_all(self, connection: AsyncConnection, communities: Collection[str]) -> None:
        for some in batches(communities):
            ours = _home.community.in_(some), _home.owner == self._id
            await connection.execute(update(schema.home).where(*ours).values(owner=None))

    async def _leave(self, connection: AsyncConnection) -> None:
        await connection.execute(update(schema.home).where(_home.owner == self._id).values(owner=None))
        await connection.execute(delete(schema.process).where(_process.id == self._id))

    async def _beat(self) -> None:
        """Renew the lease; if that fails, it is tried again until the lease has run out, and then too."""
        try:
            await self.renew()
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            if reason(error) != self._complaint:
                log.warning("the lease of our rooms cannot be renewed yet", why=reason(error))
            self._complaint = reason(error)
        else:
            self._complaint = ""

    def _look_at_clock(self) -> None:
        with suppress(NotOwner):
            self.require_current()

    def _set_alarm(self) -> None:
        if self._end is not None:
            self._end.cancel()
        self._end = self._watch.ring(self._ends - self._watch.now(), self._run_out)

    async def _run_out(self) -> None:
        self._look_at_clock()

    def _lose(self, communities: Collection[str]) -> None:
        for each in communities:
            del self.held[each]
        if communities:
            log.critical("leases are lost", number=len(communities), first=sorted(communities)[:MOST_NAMED])
            self.when_lost()

    async def _connected(self) -> AsyncConnection:
        if self._session is None:
            session = await self._engine.connect()
            # Kept before it is used, so that whatever fails ends it.
            self._session = await session.execution_options(isolation_level="AUTOCOMMIT")
        return self._session

    async def _disconnect(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with suppress(SQLAlchemyError, OSError):
                await session.invalidate()
            with suppress(SQLAlchemyError, OSError):
                await session.close()


async def _wait(_: AsyncConnection) -> None:
    """Write nothing, after everything that was requested before."""


async def _read_unions(connection: AsyncConnection) -> dict[str, str]:
    rows = await connection.execute(select(_union.community, _union.target))
    return {community: target for community, target in rows}  # noqa: C416


async def _communities_of(connection: AsyncConnection, home: str) -> frozenset[str]:
    return _united(home, await _read_unions(connection))


def _all_but(others: Mapping[str, OtherOwner], groups: Mapping[str, Collection[str]]) -> list[str]:
    """Return the communities of those homes that have no other owner, sorted."""
    return sorted({each for home, group in groups.items() if home not in others for each in group})


def _united(home: str, unions: Mapping[str, str]) -> frozenset[str]:
    """Return a community with all that share wallets with it."""
    holder = unions.get(home, home)
    return frozenset({holder, *(each for each, target in unions.items() if target == holder)})
