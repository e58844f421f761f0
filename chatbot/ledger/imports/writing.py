"""Writes imports, in portions of rows: each is one posting, so that games go on between them.

Whatever is interrupted is continued by the same file: rows that are written say so in the database.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, text

from chatbot.kernel.game import Seat
from chatbot.ledger import changes, people
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Exhausted, Moved, Posting, Short, instalments
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.changes import IMPORTED, MONEY, OPERATOR, Change, ChangeSet
from chatbot.ledger.imports import placeholders, runs
from chatbot.ledger.imports.plans import ImportPlan, RowChange, change_of, watched, whose
from chatbot.ledger.imports.runs import ImportRefused, ImportRun, WrittenRow
from chatbot.ledger.members import Presence
from chatbot.ledger.members import row as member_row
from chatbot.ledger.people import Account, Newcomer, People
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ensuring
from chatbot.ledger.store.writes import RowWrite, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.imports.plans import ImportOrder
    from chatbot.ledger.imports.staged_rows import BalanceRow, StagedRows
    from chatbot.ledger.store.store import Store


@dataclass(frozen=True, slots=True)
class Importer:
    """Who imports: the seat and the name that the audit shows, and in whose room; empty: in no room."""

    seat: Seat = OPERATOR
    name: str = OPERATOR
    room: str = ""


@dataclass(frozen=True, slots=True)
class _Whose:
    """The lines of a portion that are written already, and the persons of the others that are known."""

    written: set[int]
    seats: dict[int, Seat]


@dataclass(slots=True)
class _New:
    """Persons who are made for rows, with the seats by line."""

    accounts: list[Newcomer]
    logins: list[tuple[Account, Newcomer]]
    seats: dict[int, Seat]


class ImportWriter:
    """Writes planned imports."""

    def __init__(self, store: Store, people: People | None = None) -> None:
        self._store, self._ledger, self._presence = store, Ledger(store), Presence(store)
        self._people = People(store) if people is None else people

    async def write(
        self,
        plan: ImportPlan,
        rows: StagedRows,
        name: str,
        file: str,
        at: datetime,
        importer: Importer | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> ImportRun:
        """Write all rows that are not written yet, and return the import.

        `progress` is called with the number of rows that were written. What is interrupted stays as far as it
        is written: the same call continues it.

        Raises:
            ImportRefused: balances change all the time, there would be too many credits, or it was undone
                meanwhile; what is written is named.
        """
        order = plan.order
        run = ImportRun(name, order.community, order.platform, order.mode, file, at, plan.rows, "running")
        begins = _Beginning(run, plan, importer or Importer())
        written = 0
        for number, portion in enumerate(rows.portions(), 1):
            work = partial(self._decide, begins=begins, portion=portion)
            try:
                await self._ledger.decide(work)
            except Exhausted:
                raise ImportRefused(_stopped(run, written, "there would be too many credits")) from None
            except (Short, Moved):
                raise ImportRefused(_stopped(run, written, "balances changed meanwhile")) from None
            written += len(portion)
            progress(len(portion))
            if number & (number - 1) == 0:  # whenever there are twice as many
                await self._store.write(_analyze, homes=())
        await self._ledger.decide(partial(_finish, run=run))
        return run

    async def _decide(self, unit: UnitOfWork, begins: _Beginning, portion: Sequence[BalanceRow]) -> None:
        """Decide one portion: persons, names, credits, watched time, and the rows that undo it."""
        run, order = begins.run, begins.plan.order
        await self._people.load()
        known_run, found = await unit.read(partial(self._look, begins=begins, portion=portion))
        if known_run is not None and known_run.state in {"undoing", "undone"}:
            raise ImportRefused(f"The import {run.id} was taken back meanwhile, so the rest is not written.")
        rows = [each for each in portion if each.line not in found.written]
        if not rows:
            return
        new = await self._newcomers(order, rows, found.seats)
        seats = {**found.seats, **new.seats}
        wallets = {each.line: purses.wallet(run.community, seats[each.line]) for each in rows}
        row_changes = await self._changes(unit, order, rows, seats, wallets)
        posting = _posting(run, rows, wallets, row_changes)
        await unit.post(posting)
        unit.additions.add(run.community, *_begin(begins, known_run), *_people_writes(new))
        unit.additions.add(run.community, *_member_writes(run, rows, seats, row_changes))
        written = [
            WrittenRow(
                each.line,
                seats[each.line],
                row_changes[each.line].credits,
                row_changes[each.line].minutes,
                None,
            )
            for each in rows
        ]
        unit.additions.add(run.community, runs.row_writes(run.id, written))

    async def _look(
        self, connection: AsyncConnection, begins: _Beginning, portion: Sequence[BalanceRow]
    ) -> tuple[ImportRun | None, _Whose]:
        run = await runs.find_run(connection, begins.run.id)
        written = await runs.written_lines(connection, begins.run.id, [each.line for each in portion])
        seats = await whose(connection, begins.plan.order, portion, self._people.ties)
        return run, _Whose(written, seats)

    async def _newcomers(
        self, order: ImportOrder, rows: Sequence[BalanceRow], seats: Mapping[int, Seat]
    ) -> _New:
        new = _New([], [], {})
        for each in rows:
            if each.line in seats:
                continue
            account = order.account(each)
            if each.id:
                person = await self._people.another(account)
                new.accounts.append(person)
            else:
                person = await self._people.another(placeholders.waiting_as(account))
                new.logins.append((account, person))
            new.seats[each.line] = person.seat
        return new

    async def _changes(
        self,
        unit: UnitOfWork,
        order: ImportOrder,
        rows: Sequence[BalanceRow],
        seats: Mapping[int, Seat],
        wallets: Mapping[int, Purse],
    ) -> dict[int, RowChange]:
        balances = await unit.balances(set(wallets.values()))
        minutes = await watched(self._presence, order, {each.line: seats[each.line] for each in rows})
        return {
            each.line: change_of(order, each, balances[wallets[each.line]], minutes.get(each.line, 0))
            for each in rows
        }


async def _analyze(connection: AsyncConnection) -> None:
    """Let PostgreSQL count the rows that it plans queries by, which it does only now and then by itself.

    In a young database it takes the tables for empty until then, and reads all of them for each portion.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(_ANALYZE)


_ANALYZE = text("ANALYZE person, platform_account, purse, member, balance_import_row")


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What the first portion writes of the whole import."""

    run: ImportRun
    plan: ImportPlan
    importer: Importer


def _begin(begins: _Beginning, known_run: ImportRun | None) -> Iterator[RowWrite]:
    """Yield the writes of an import that has not begun yet: itself, and its entry in the audit."""
    if known_run is not None:
        return
    run, brought = begins.run, begins.plan.increase - begins.plan.decrease
    yield runs.run_write(run)
    change = Change(MONEY, IMPORTED, run.file, None, f"{brought:+}", run.id)
    who = begins.importer
    change_set = ChangeSet(run.id, who.room, run.community, run.at, who.seat, who.name, (change,))
    yield changes.change_write(change_set)


def _posting(
    run: ImportRun,
    rows: Sequence[BalanceRow],
    wallets: Mapping[int, Purse],
    row_changes: Mapping[int, RowChange],
) -> Posting:
    mint, entries, expects = purses.mint(run.community), list[Entry](), dict[Purse, int]()
    for each in rows:
        wallet, change = wallets[each.line], row_changes[each.line]
        source, target = (mint, wallet) if change.credits > 0 else (wallet, mint)
        entries += instalments(source, target, abs(change.credits), IMPORTED)
        if run.mode == "set":
            expects[wallet] = change.before
    return Posting(f"{run.id}/{rows[0].line}", run.community, run.at, OPERATOR, tuple(entries), expects)


def _people_writes(new: _New) -> Iterator[RowWrite]:
    if new.accounts:
        yield from people.writes(new.accounts)
    if new.logins:
        yield from placeholders.writes(new.logins)


def _member_writes(
    run: ImportRun,
    rows: Sequence[BalanceRow],
    seats: Mapping[int, Seat],
    row_changes: Mapping[int, RowChange],
) -> Iterator[RowWrite]:
    """Yield the names of the file, for whoever has none here yet, and the time that they watched."""
    names = [each for each in rows if each.id and each.name]
    named = {
        seats[each.line]: member_row(run.community, seats[each.line], each.name, run.at) for each in names
    }
    yield RowWrite(_ADD_NAME, [named[seat] for seat in sorted(named)])
    minutes = {seats[each.line]: row_changes[each.line].minutes for each in rows}
    yield minutes_write(run.community, {seat: each for seat, each in minutes.items() if each}, run.at)


_ADD_NAME = Statement(ensuring(schema.member), schema.member.c.keys())


def minutes_write(community: str, minutes: Mapping[Seat, int], at: datetime) -> RowWrite:
    """Return the write that adds to the minutes that members have watched, which are never below 0."""
    rows = [
        {"community": community, "seat": seat, "at": at, "minutes": minutes[seat]} for seat in sorted(minutes)
    ]
    return RowWrite(_ADD_MINUTES, rows)


_ADD_MINUTES = Statement(
    text(
        "INSERT INTO presence (community, seat, first_at, minutes, messages, roles) VALUES (:community, "
        ":seat, :at, CASE WHEN CAST(:minutes AS INTEGER) > 0 THEN CAST(:minutes AS INTEGER) ELSE 0 END, 0, "
        "'') ON CONFLICT (community, seat) DO UPDATE SET minutes = CASE "
        "WHEN presence.minutes + CAST(:minutes AS INTEGER) > 0 "
        "THEN presence.minutes + CAST(:minutes AS INTEGER) ELSE 0 END"
    ).bindparams(bindparam("at", type_=schema.Instant()))
)


def less_minutes_write(community: str, minutes: Mapping[Seat, int]) -> RowWrite:
    """Return the write that changes the minutes of members who are known, which are never below 0."""
    rows = [{"community": community, "seat": seat, "minutes": minutes[seat]} for seat in sorted(minutes)]
    return RowWrite(_CHANGE_MINUTES, rows)


_CHANGE_MINUTES = Statement(
    text(
        "UPDATE presence SET minutes = CASE WHEN minutes + CAST(:minutes AS INTEGER) > 0 "
        "THEN minutes + CAST(:minutes AS INTEGER) ELSE 0 END WHERE community = :community AND seat = :seat"
    )
)


async def _finish(unit: UnitOfWork, run: ImportRun) -> None:
    found = await unit.read(partial(runs.find_run, run=run.id))
    if found is not None and found.state == "running":
        unit.additions.add(run.community, runs.state_write(run.id, "done"))


def _stopped(run: ImportRun, written: int, why: str) -> str:
    if not written:
        return f"Nothing was imported: {why}; try again."
    return (
        f"The import {run.id} stopped after {written:,} of {run.rows:,} rows: {why}. The same command goes "
        f"on, and `chatbot import --undo {run.id}` takes back what is there."
    )
