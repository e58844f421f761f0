"""The imports that were begun, and the rows that each has written: what undoes it, whole or row by row."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlalchemy import bindparam, func, insert, select, text

from chatbot.kernel.game import Failure, Seat
from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

Mode: TypeAlias = Literal["add", "set"]
RunState: TypeAlias = Literal["running", "done", "undoing", "undone"]

_run, _row = schema.balance_import.c, schema.balance_import_row.c


class ImportRefused(Failure):
    """Balances cannot be imported, or an import cannot be undone; the message says why."""


@dataclass(frozen=True, slots=True)
class ImportRun:
    """An import that was begun. `rows` is the number of its rows when it is done."""

    id: str
    community: str
    platform: str
    mode: Mode
    file: str
    at: datetime
    rows: int
    state: RunState


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """What a row of a file has changed: the credits of a wallet and the minutes of a member, up or down.

    `returned` are the credits that its undoing has moved; None: it is not undone.
    """

    line: int
    seat: Seat
    credits: int
    minutes: int
    returned: int | None


class ImportRuns:
    """Reads the imports of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, run: str) -> ImportRun | None:
        """Return the import of an id, or None."""
        async with self._store.reading() as connection:
            return await find_run(connection, run)

    async def beginning(self, prefix: str) -> list[ImportRun]:
        """List the imports whose id begins so, newest first."""
        query = select(schema.balance_import).where(_run.id.startswith(prefix, autoescape=True))
        async with self._store.reading() as connection:
            rows = await connection.execute(query.order_by(_run.at.desc(), _run.id.desc()))
            return [_as_run(row) for row in rows]

    async def newest(self, community: str | None, count: int) -> list[ImportRun]:
        """List the newest imports, of one community or of all, newest first."""
        query = select(schema.balance_import).order_by(_run.at.desc(), _run.id).limit(count)
        if community is not None:
            query = query.where(_run.community == community)
        async with self._store.reading() as connection:
            return [_as_run(row) for row in await connection.execute(query)]

    async def of_file(self, file: str, community: str | None) -> list[ImportRun]:
        """List the imports of a file by its name that are not undone, newest first."""
        query = select(schema.balance_import).where(_run.file == file, _run.state != "undone")
        if community is not None:
            query = query.where(_run.community == community)
        async with self._store.reading() as connection:
            rows = await connection.execute(query.order_by(_run.at.desc(), _run.id))
            return [_as_run(row) for row in rows]

    async def written(self, run: str) -> int:
        """Return the number of rows that an import has written."""
        query = select(func.count()).where(_row.run == run)
        async with self._store.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def moved(self, run: str) -> tuple[int, int, list[tuple[Seat, int]]]:
        """Return the credits that an import has made, for how many, and the largest with who got them."""
        gains = _row.run == run, _row.credits > 0
        sums = select(*Sum.of(_row.credits).named("total")).where(*gains)
        largest = select(_row.seat, _row.credits).where(*gains).order_by(_row.credits.desc(), _row.line)
        async with self._store.reading() as connection:
            total = combine_sums((await connection.execute(sums)).mappings().one())["total"]
            count = select(func.count(_row.seat.distinct())).where(*gains)
            members = (await connection.execute(count)).scalar_one()
            rows = (await connection.execute(largest.limit(_LARGEST))).all()
        return int(total or 0), int(members), [(Seat(row.seat), row.credits) for row in rows]


_LARGEST = 20  # receivers that are named of an import


async def find_run(connection: AsyncConnection, run: str) -> ImportRun | None:
    """Return the import of an id, or None."""
    row = (await connection.execute(select(schema.balance_import).where(_run.id == run))).first()
    return None if row is None else _as_run(row)


def _as_run(row: Any) -> ImportRun:  # the columns of a query have no types
    return ImportRun(row.id, row.community, row.platform, row.mode, row.file, row.at, row.rows, row.state)


async def written_lines(connection: AsyncConnection, run: str, lines: Collection[int]) -> set[int]:
    """Return which of these lines an import has written."""
    written: set[int] = set()
    for some in batches(lines):
        query = select(_row.line).where(_row.run == run, _row.line.in_(some))
        written |= set((await connection.execute(query)).scalars())
    return written


async def standing_rows(
    connection: AsyncConnection, run: str, count: int, lines: Collection[int] | None = None
) -> list[WrittenRow]:
    """Return the first rows of an import that are not undone, of all or of some lines."""
    query = select(schema.balance_import_row).where(_row.run == run, _row.returned.is_(None))
    if lines is not None:
        query = query.where(_row.line.in_(lines))
    rows = await connection.execute(query.order_by(_row.line).limit(count))
    return [WrittenRow(row.line, Seat(row.seat), row.credits, row.minutes, row.returned) for row in rows]


async def returned_sums(
    connection: AsyncConnection, run: str, lines: Collection[int] | None = None
) -> tuple[int, int]:
    """Return the credits that undoing an import, or some lines of it, has taken and given back."""
    totals = []
    for sign in (_row.returned < 0, _row.returned > 0):
        query = select(*Sum.of(_row.returned).named("total")).where(_row.run == run, sign)
        if lines is not None:
            query = query.where(_row.line.in_(lines))
        sums = combine_sums((await connection.execute(query)).mappings().one())
        totals.append(abs(int(sums["total"] or 0)))
    return totals[0], totals[1]


async def count_standing(connection: AsyncConnection, run: str) -> int:
    """Return the number of rows of an import that are not undone."""
    query = select(func.count()).where(_row.run == run, _row.returned.is_(None))
    return int((await connection.execute(query)).scalar_one())


def run_write(run: ImportRun) -> RowWrite:
    """Return the write of an import that begins; one of its id contradicts it."""
    names = "id", "community", "platform", "mode", "file", "at", "rows", "state"
    return RowWrite(_ADD_RUN, [{name: getattr(run, name) for name in names}])


def state_write(run: str, state: RunState) -> RowWrite:
    """Return the write of how far an import is."""
    return RowWrite(_SET_STATE, [{"run": run, "state": state}], 1)


def row_writes(run: str, rows: Sequence[WrittenRow]) -> RowWrite:
    """Return the write of rows of an import; one that is written already contradicts them."""
    return RowWrite(
        _ADD_ROW,
        [
            {
                "run": run,
                "line": each.line,
                "seat": each.seat,
                "credits": each.credits,
                "minutes": each.minutes,
                "returned": each.returned,
            }
            for each in rows
        ],
    )


def undone_writes(run: str, returned: Sequence[tuple[int, int]]) -> RowWrite:
    """Return the write that rows are undone, given by line with what it has moved."""
    rows = [{"run": run, "line": line, "returned": amount} for line, amount in returned]
    return RowWrite(_UNDO_ROW, rows, len(rows))


_ADD_RUN = Statement(insert(schema.balance_import), schema.balance_import.c.keys())
_SET_STATE = Statement(
    text("UPDATE balance_import SET state = :state WHERE id = :run").bindparams(
        bindparam("state", type_=_run.state.type), bindparam("run", type_=_run.id.type)
    )
)
_ADD_ROW = Statement(insert(schema.balance_import_row), schema.balance_import_row.c.keys())
_UNDO_ROW = Statement(
    text(
        "UPDATE balance_import_row SET returned = :returned "
        "WHERE run = :run AND line = :line AND returned IS NULL"
    ),
    postgresql=text(
        "UPDATE balance_import_row SET returned = asked.returned "
        "FROM unnest(CAST(:run AS text[]), CAST(:line AS bigint[]), CAST(:returned AS bigint[])) "
        "AS asked (run, line, returned) WHERE balance_import_row.run = asked.run "
        "AND balance_import_row.line = asked.line AND balance_import_row.returned IS NULL"
    ),
)
