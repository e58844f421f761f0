"""Records changes by moderators and members; a change set is written in one transaction with its effects."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.ledger.books import holdings, posting_writer, refunds
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, LostAnswer, Posting, Rejection
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.store import schema
from chatbot.ledger.store.leases import NotOwner
from chatbot.ledger.store.statements import batches, upsert
from chatbot.ledger.store.writes import RowWrite, Statement, execute

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.posting import Entry
    from chatbot.ledger.books.unit import Committer
    from chatbot.ledger.store.store import Store

OPERATOR = Seat("operator")
"""Whoever runs the program, as the actor of a change: may change everything, and has no wallet."""

# The kinds of changes. That of an erasure does not say who was erased.
SETTING, MONEY, SEASON, LINK, FORGETTING = "setting", "money", "season", "link", "forgetting"
REPAIR = "repair"  # of inconsistent books, by the operator
REWARD = "reward"  # of what viewers of a platform can buy
OVERLAY = "overlay"  # of the key of a room's overlay, which was replaced
VOIDED, DUE = "void", "due"  # a table was called off; what somebody would have received there
CROWD = "crowd:"
"""The prefix of the subject of a payment to many: its `key` is how many got it, `new` what each got."""

IMPORTED, IMPORTED_ROWS = "import", "import-row"
"""The subjects of an import, which is also the reason of its credits, and of some of its rows taken back."""

CONFIRMED = "confirmed"  # by whom a grant or a raise of another moderator was confirmed
RAISED = "raised"  # that more is made than ships: `old` and `new` are the projected credits a day beyond it

_change = schema.change.c

ChosenSettings: TypeAlias = Mapping[tuple[str, str], Mapping[str, object]]
"""Settings that were chosen, by scope and group."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as it is shown to people.

    `subject` is the group of a setting, or the seat whose credits were moved; `old` and `new` are None where
    no value was or is set. `posting` is the posting that moved credits, if any. For a table that was called
    off, `key` is its game, and `old` the balance of its pot. Whoever confirmed a grant is the subject of a
    change of its own.
    """

    kind: str
    subject: str
    key: str = ""
    old: str | None = None
    new: str | None = None
    posting: str | None = None

    @property
    def member(self) -> str | None:
        """The seat whose credits were moved; None: those of many at once, or nobody's."""
        of_many = self.subject.startswith(CROWD) or self.subject in {IMPORTED, IMPORTED_ROWS}
        return None if self.kind != MONEY or of_many else self.subject


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Changes that one actor made together in a room.

    `id` is chosen by the caller and written at most once, as that of a posting; `undoes` is the id of the
    change set that this one undoes. `number` identifies a change set to people, ascending in the order of
    writing; it is 0 until then.
    """

    id: str
    room: str
    community: str
    at: datetime
    actor: str
    name: str
    changes: tuple[Change, ...]
    why: str = ""
    undoes: str | None = None
    number: int = field(default=0, compare=False)

    @property
    def confirmed_by(self) -> str | None:
        """The seat of whoever confirmed it; None: it needed nobody else."""
        return next((each.subject for each in self.changes if each.kind == CONFIRMED), None)


class AlreadyUndone(Rejection):
    """The change set was undone before. Nothing was written."""


@dataclass(frozen=True, slots=True)
class ChangeFilter:
    """Which change sets are looked for; what is empty is not asked for.

    One of them is enough if a change set has several changes: `kind` and `subject` are those of a change.
    """

    actor: str = ""
    kind: str = ""
    subject: str = ""


EVERY_CHANGE = ChangeFilter()


@dataclass(frozen=True, slots=True)
class Work:
    """The effects of a change set: settings by scope and group, a posting, other rows, tables to call off.

    `voids` are these tables with their seeds. `check` is called before the posting is decided; what it
    raises refuses everything.
    """

    choices: ChosenSettings = field(default_factory=dict)
    posting: Posting | None = None
    writes: Sequence[RowWrite] = ()
    voids: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    check: Callable[[UnitOfWork], Awaitable[None]] | None = None


class Changes:
    """The change sets in a database."""

    def __init__(self, store: Store) -> None:
        self._store, self._ledger = store, Ledger(store)

    async def make(self, change_set: ChangeSet, work: Work, committer: Committer | None = None) -> bool:
        """Write a change set with its effects in one transaction; return False if it was written before.

        A `committer` has more to write with it.

        After an exception other than LostAnswer, nothing is written.

        Raises:
            Short, Exhausted, Moved, LedgerError: a posting is refused.
            Closed: a posting is refused, or a table to call off is not open.
            AlreadyUndone: the change set to undo was undone before.
            LostAnswer: the connection was lost, and it is unknown whether the change set is written.
            Exception: what the check of the work raises.
        """
        if committer is not None:
            written = await _decide(committer.unit, change_set, work)
            await committer.commit()
            return written
        purses = set() if work.posting is None else work.posting.purses()
        try:
            return await self._ledger.decide(
                partial(_decide, change_set=change_set, work=work), purses, work.voids
            )
        except (SQLAlchemyError, OSError) as error:
            if await self._done(change_set.id, error):
                return True  # the answer to our commit was lost
            raise

    async def look_up(self, change_set: str, error: Exception) -> ChangeSet | None:
        """Read a change set after an error of its writing; None if nothing was written.

        Raises:
            LostAnswer: it cannot be determined.
        """
        if not await self._done(change_set, error):
            return None
        try:
            return (await self._change_sets(_rows().where(_change.change_set == change_set)))[0]
        except (SQLAlchemyError, OSError):
            raise LostAnswer(change_set) from error

    async def _done(self, change_set: str, error: Exception) -> bool:
        if isinstance(error, NotOwner):
            return False
        try:
            async with self._store.reading() as connection:
                done = await known(connection, change_set)
        except (SQLAlchemyError, OSError):
            raise LostAnswer(change_set) from error
        if not done and isinstance(error, DBAPIError) and error.connection_invalidated:
            raise LostAnswer(change_set) from error  # the server may still be about to commit
        return done

    async def last(self, room: str) -> ChangeSet | None:
        """Return the newest change set of a room that was neither undone nor undoes another, or None.

        Links of members, erasures, repairs and replaced keys are left out, because they cannot be undone.
        """
        undone_ids = select(_change.undoes).where(_change.room == room, _change.undoes.is_not(None))
        newest = (
            select(_change.change_set)
            .where(_change.room == room, _change.undoes.is_(None), _change.change_set.not_in(undone_ids))
            .where(_change.kind.not_in({LINK, FORGETTING, REPAIR, OVERLAY}))
            .order_by(_change.number.desc())
            .limit(1)
        )
        change_sets = await self._change_sets(_rows().where(_change.change_set == newest.scalar_subquery()))
        return change_sets[0] if change_sets else None

    async def numbered(self, room: str, number: int) -> ChangeSet | None:
        """Return a change set of a room by its number, or None."""
        query = select(_change.change_set).where(
            _change.room == room, _change.number == number, _change.part == 1
        )
        change_sets = await self._change_sets(_rows().where(_change.change_set == query.scalar_subquery()))
        return change_sets[0] if change_sets else None

    async def entries(self, change_set: ChangeSet) -> tuple[Entry, ...]:
        """Return the entries of the postings of a change set."""
        return (await self.entries_of([change_set]))[change_set.id]

    async def entries_of(self, change_sets: Collection[ChangeSet]) -> dict[str, tuple[Entry, ...]]:
        """Return the entries of the postings of each of these change sets, by its id."""
        postings = {each.id: sorted(_postings(each)) for each in change_sets}
        every = {posting for some in postings.values() for posting in some}
        async with self._store.reading() as connection:
            entries = await holdings.entries_by_posting(connection, every)
        return {
            change_set: tuple(entry for posting in some for entry in entries.get(posting, ()))
            for change_set, some in postings.items()
        }

    async def undone(self, change_set: ChangeSet) -> bool:
        """Return whether a change set was undone."""
        query = select(_change.number).where(_change.undoes == change_set.id).limit(1)
        async with self._store.reading() as connection:
            return (await connection.execute(query)).first() is not None

    async def newest(
        self,
        room: str | None = None,
        count: int | None = None,
        before: int | None = None,
        wanted: ChangeFilter = EVERY_CHANGE,
    ) -> list[ChangeSet]:
        """List the `count` newest change sets of a room or of all rooms, newest first; None lists all.

        With `before`, only those of a smaller number.
        """
        changes = select(_change.change_set, _change.number)
        if wanted == EVERY_CHANGE:
            changes = changes.where(_change.part == 1)
        if room is not None:
            changes = changes.where(_change.room == room)
        for name in ("actor", "kind", "subject"):
            if value := getattr(wanted, name):
                changes = changes.where(_change[name] == value)
        return await self._newest([changes], count, before)

    async def actors(self, room: str, actions: int) -> dict[str, str]:
        """Return who did the newest actions of a room, with their last name there, the newest first."""
        query = select(_change.actor, _change.name).where(_change.room == room)
        async with self._store.reading() as connection:
            rows = await connection.execute(query.order_by(_change.number.desc()).limit(actions))
            names = dict[str, str]()
            for row in rows:
                names.setdefault(row.actor, row.name)
        return names

    async def minting(
        self,
        communities: Collection[str],
        reasons: Collection[str],
        count: int | None,
        before: int | None = None,
    ) -> list[ChangeSet]:
        """List the `count` newest change sets of communities by which credits are made; None lists all.

        They have moved credits for one of the `reasons`, or brought some in by an import, or are raises, or
        made or changed a reward. Reads only changes and their transfers, so the cost does not grow
        with what was played. With `before`, only those of a smaller number.
        """
        transfer = schema.transfer.c
        transfers = select(transfer.posting).where(
            transfer.posting == _change.posting, transfer.why.in_(list(reasons))
        )
        brings = _change.subject == IMPORTED, _change.new.startswith("+"), _change.new != "+0"
        conditions = (
            (_change.kind == RAISED,),
            (_change.kind == REWARD, _change.new != ""),
            (_change.kind == MONEY, transfers.exists()),
        )
        changes = select(_change.change_set, _change.number)
        queries = [
            changes.where(_change.community == each, *condition)
            for each in communities
            for condition in conditions
        ]
        # By the imports, of which there are few: no index leads to them among all that was granted.
        runs = select(schema.balance_import.c.id).where(schema.balance_import.c.community.in_(communities))
        async with self._store.reading() as connection:
            imports = (await connection.execute(runs)).scalars().all()
        if imports:
            queries.append(changes.where(_change.change_set.in_(imports), _change.undoes.is_(None), *brings))
        return await self._newest(queries, count, before)

    async def _newest(
        self,
        queries: Sequence[Select[tuple[str, int]]],
        count: int | None,
        before: int | None,
    ) -> list[ChangeSet]:
        """List the newest change sets that any of these queries for changes finds, newest first.

        Each query is bound by its own limit, so that it reads no more than it needs from its index.
        """
        most, ids = count, list[str]()
        async with self._store.reading() as connection:
            while True:
                rows, full = list[tuple[int, str]](), False
                for query in queries:
                    bound = query if before is None else query.where(_change.number < before)
                    some = (await connection.execute(bound.order_by(_change.number.desc()).limit(most))).all()
                    rows += [(row.number, row.change_set) for row in some]
                    full = full or len(some) == most
                ids = list(dict.fromkeys(each for _, each in sorted(rows, reverse=True)))[:count]
                if most is None or count is None or len(ids) == count or not full:
                    break
                most *= 10  # a change set has several changes: of these the page may have had but a few
        change_sets = [
            each
            for some in batches(ids)
            for each in await self._change_sets(_rows().where(_change.change_set.in_(some)))
        ]
        return sorted(change_sets, key=lambda each: each.number, reverse=True)

    async def undone_of(self, change_sets: Collection[str]) -> set[str]:
        """Return which of these change sets were undone."""
        ids = set[str]()
        async with self._store.reading() as connection:
            for some in batches(change_sets):
                query = select(_change.undoes).where(_change.undoes.in_(some))
                ids |= set((await connection.execute(query)).scalars())
        return ids

    async def next(
        self, after: ChangeSet, communities: Collection[str], change: Change, *, anywhere: bool
    ) -> datetime | None:
        """Return when the next change of the same thing as `change` was made, in the room or `anywhere`.

        Without a key, it is the next one of the same subject.
        """
        same = _change.kind == change.kind, _change.community.in_(communities), _change.number > after.number
        query = select(_change.at).where(*same, _change.change_set != after.id)
        if change.kind == SETTING:
            query = query.where(_change.subject == change.subject)
        if change.key:
            query = query.where(_change.key == change.key)
        if not anywhere:
            query = query.where(_change.room == after.room)
        async with self._store.reading() as connection:
            return (await connection.execute(query.order_by(_change.number).limit(1))).scalar()

    async def _change_sets(self, query: Select[tuple[object, ...]]) -> list[ChangeSet]:
        async with self._store.reading() as connection:
            rows = (await connection.execute(query.order_by(_change.number))).all()
        change_sets: dict[str, ChangeSet] = {}
        for row in rows:
            change = Change(row.kind, row.subject, row.key, row.old, row.new, row.posting)
            changes = change_sets[row.change_set].changes if row.change_set in change_sets else ()
            who = row.room, row.community, row.at, row.actor, row.name
            number = change_sets[row.change_set].number if changes else row.number
            change_sets[row.change_set] = ChangeSet(
                row.change_set, *who, (*changes, change), row.why, row.undoes, number
            )
        return list(change_sets.values())


def _postings(change_set: ChangeSet) -> set[str]:
    return {each.posting for each in change_set.changes if each.posting is not None}


def _rows() -> Select[tuple[object, ...]]:
    return select(schema.change)


async def known(connection: AsyncConnection, change_set: str) -> bool:
    """Return whether a change set is written already."""
    query = select(_change.number).where(_change.change_set == change_set).limit(1)
    return (await connection.execute(query)).first() is not None


async def do(connection: AsyncConnection, change_set: ChangeSet, postings: Sequence[Posting] = ()) -> bool:
    """Write a change set with postings in the transaction of the caller; return False if it was before.

    This is for the few acts that decide in a transaction of their own, because they concern several homes, or
    people of whom memory knows nothing.

    Raises:
        Short, Exhausted, Moved, Closed, LedgerError: a posting is refused.
        AlreadyUndone: the change set to undo was undone before.
    """
    if await known(connection, change_set.id):
        return False
    await _require_not_undone(connection, change_set)
    for answer in await posting_writer.write(connection, postings) if postings else ():
        if isinstance(answer, Exception):
            raise answer
    await execute(connection, [change_write(change_set)])
    return True


async def _decide(unit: UnitOfWork, change_set: ChangeSet, work: Work) -> bool:
    """Decide a change set with its effects; False: it was written before."""
    if unit.wary and await unit.read(partial(known, change_set=change_set.id)):
        return False
    if change_set.undoes is not None:
        await unit.read(partial(_require_not_undone, change_set=change_set))
    if work.check is not None:
        await work.check(unit)
    if work.posting is not None:
        await unit.post(work.posting)
    for table, seed in work.voids.items():
        if await refunds.void(unit, table, change_set.at, seed) is None:
            raise Closed(table)
    rows = *work.writes, choices_write(work.choices), change_write(change_set)
    unit.additions.add(change_set.community, *rows)
    return True


async def _require_not_undone(connection: AsyncConnection, change_set: ChangeSet) -> None:
    """Require that what a change set undoes was not undone before.

    Raises:
        AlreadyUndone: it was.
    """
    query = select(_change.number).where(_change.undoes == change_set.undoes).limit(1)
    if change_set.undoes is not None and (await connection.execute(query)).first() is not None:
        raise AlreadyUndone(change_set.undoes)


def choices_write(choices: ChosenSettings) -> RowWrite:
    """Return the write of settings that were chosen, by scope and group."""
    rows = [
        {"room": scope, "game": group, "body": json.dumps(dict(values))}
        for (scope, group), values in sorted(choices.items())
    ]
    return RowWrite(_PUT_CHOICES, rows)


def change_write(change_set: ChangeSet) -> RowWrite:
    """Return the write of the changes of a change set, which is new, as is that it undoes another one."""
    names = "room", "community", "at", "actor", "name", "why", "undoes"
    shared_columns = {name: getattr(change_set, name) for name in names}
    rows = [
        shared_columns | {"change_set": change_set.id, "part": part, **_as_row(each)}
        for part, each in enumerate(change_set.changes, start=1)
    ]
    return RowWrite(_ADD_CHANGE, rows)


_PUT_CHOICES = Statement(upsert(schema.preference), schema.preference.c.keys())
_ADD_CHANGE = Statement(
    insert(schema.change), [each.name for each in schema.change.c if each.name != "number"]
)


def _as_row(change: Change) -> dict[str, str | None]:
    return {name: getattr(change, name) for name in Change.__slots__}
