"""Undoes imports, whole or row by row, in portions: credits are taken as far as they are still there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from chatbot.kernel.game import Seat
from chatbot.ledger import changes
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Exhausted, Moved, Posting, Short, instalments
from chatbot.ledger.changes import IMPORTED, IMPORTED_ROWS, MONEY, OPERATOR, Change, ChangeSet
from chatbot.ledger.imports import placeholders, runs
from chatbot.ledger.imports.runs import ImportRefused, ImportRun, ImportRuns, WrittenRow
from chatbot.ledger.imports.staged_rows import PORTION
from chatbot.ledger.imports.writing import Importer, less_minutes_write
from chatbot.ledger.people import People
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.store.store import Store

SHOWN = 10  # of those whose credits are spent

_row = schema.balance_import_row.c


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The credits that were taken and given back, and what could not be taken.

    `missing` holds the largest by account, `lacking` is the number of rows, `shortfall` their sum.
    """

    taken: int
    given: int
    missing: Mapping[str, int] = field(default_factory=dict)
    lacking: int = 0
    shortfall: int = 0


class Withdrawals:
    """Undoes imports."""

    def __init__(self, store: Store, people: People | None = None) -> None:
        self._store, self._ledger, self._runs = store, Ledger(store), ImportRuns(store)
        self._people = People(store) if people is None else people

    async def find(self, text: str, community: str | None = None) -> ImportRun:
        """Return the import of an id, or the only one of a file that is not undone.

        Raises:
            ImportRefused: there is none, or there are several of that file.
        """
        run = await self._runs.find(text)
        if run is not None:
            return run
        of_file = await self._runs.of_file(text, community)
        if not of_file:
            raise ImportRefused(f"There is no import {text!r}; `chatbot audit --changes` lists them.")
        if len(of_file) > 1:
            names = ", ".join(f"{each.id} of {each.at:%Y-%m-%d}" for each in of_file[:5])
            raise ImportRefused(f"{text} was imported several times; name one of {names}.")
        return of_file[0]

    async def undo(
        self,
        run: ImportRun,
        at: datetime,
        lines: Sequence[int] | None = None,
        importer: Importer | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> Withdrawal:
        """Undo an import, or some lines of it, taking credits as far as they are still there.

        Raises:
            ImportRefused: it was undone before, a line is not in it, or balances change all the time.
        """
        who = importer or Importer()
        if run.state == "undone":
            raise ImportRefused(f"The import {run.id} was taken back before.")
        if lines is not None:
            await self._require_lines(run, lines)
        undoing = _Undoing(run, at, None if lines is None else tuple(lines))
        while count := await self._decided(partial(self._decide, undoing=undoing)):
            progress(count)
        await self._decided(partial(self._finish, undoing=undoing, importer=who))
        return await self._outcome(undoing)

    async def _decided(self, work: Callable[[UnitOfWork], Awaitable[int]]) -> int:
        try:
            return await self._ledger.decide(work)
        except Exhausted:
            raise ImportRefused(
                "There would be more credits than can be counted, so nothing was done."
            ) from None
        except (Short, Moved):
            raise ImportRefused("Balances have changed meanwhile; try again.") from None

    async def _decide(self, unit: UnitOfWork, undoing: _Undoing) -> int:
        """Undo the next rows, and return how many; 0: there are none."""
        run = undoing.run
        await self._people.load()
        standing = partial(runs.standing_rows, run=run.id, count=PORTION, lines=undoing.lines)
        rows = await unit.read(standing)
        if not rows:
            return 0
        wallets = {
            each.line: purses.wallet(run.community, self._people.ties.root(each.seat)) for each in rows
        }
        left = await unit.balances(set(wallets.values()))
        moved = [(each.line, _returned(each, wallets[each.line], left)) for each in rows]
        entries = _entries(run.community, moved, wallets)
        posting = Posting(f"undo:{run.id}/{rows[0].line}", run.community, undoing.at, OPERATOR, entries)
        await unit.post(posting)
        minutes = {each.seat: -each.minutes for each in rows if each.minutes}
        unit.additions.add(
            run.community,
            runs.undone_writes(run.id, moved),
            less_minutes_write(run.community, minutes),
            *([runs.state_write(run.id, "undoing")] if undoing.lines is None else []),
        )
        return len(rows)

    async def _finish(self, unit: UnitOfWork, undoing: _Undoing, importer: Importer) -> int:
        """Write the entry of the audit, once all is undone that was to be."""
        run = undoing.run
        look = partial(_look, run=run.id, lines=undoing.lines)
        known_run, standing, (taken, given) = await unit.read(look)
        if undoing.lines is None and known_run is not None and known_run.state == "undone":
            return 0
        undo_id, whole = f"undo:{run.id}", undoing.lines is None or not standing
        if undoing.lines is not None:
            undo_id = f"{undo_id}/{'+'.join(map(str, undoing.lines))}"
        subject = IMPORTED if undoing.lines is None else IMPORTED_ROWS
        key = "" if undoing.lines is None else run.id
        change = Change(MONEY, subject, key, None, f"{given - taken:+}", undo_id)
        undoes = run.id if undoing.lines is None else None
        change_set = ChangeSet(
            undo_id,
            importer.room,
            run.community,
            undoing.at,
            importer.seat,
            importer.name,
            (change,),
            undoes=undoes,
        )
        writes = [changes.change_write(change_set)]
        if whole:
            writes.append(runs.state_write(run.id, "undone"))
        unit.additions.add(run.community, *writes)
        return 0

    async def _require_lines(self, run: ImportRun, lines: Sequence[int]) -> None:
        async with self._store.reading() as connection:
            written = await runs.written_lines(connection, run.id, lines)
            standing = {each.line for each in await runs.standing_rows(connection, run.id, len(lines), lines)}
        for each in lines:
            if each not in written:
                raise ImportRefused(f"The import {run.id} has no row of line {each}.")
            if each not in standing:
                raise ImportRefused(f"Line {each} of the import {run.id} was taken back before.")

    async def _outcome(self, undoing: _Undoing) -> Withdrawal:
        run, lines = undoing.run, undoing.lines
        lacking = [_row.run == run.id, _row.credits > 0, _row.returned > -_row.credits]
        if lines is not None:
            lacking.append(_row.line.in_(lines))
        amount = (_row.credits + _row.returned).label("amount")
        largest = select(_row.seat, amount).where(*lacking).order_by(amount.desc()).limit(SHOWN)
        sums = select(func.count(), func.coalesce(func.sum(_row.credits + _row.returned), 0)).where(*lacking)
        async with self._store.reading() as connection:
            rows = (await connection.execute(largest)).all()
            count, total = (await connection.execute(sums)).one()
            taken, given = await runs.returned_sums(connection, run.id, lines)
        missing: dict[Seat, int] = {}
        for row in rows:
            seat = self._people.ties.root(Seat(row.seat))
            missing[seat] = missing.get(seat, 0) + row.amount
        return Withdrawal(taken, given, await self._by_account(missing), int(count), int(total))

    async def _by_account(self, shortfalls: Mapping[Seat, int]) -> dict[str, int]:
        """Replace seats by an account or a login of theirs, if they have one."""
        await self._people.learn(shortfalls)
        async with self._store.reading() as connection:
            logins = await placeholders.logins_of(connection, shortfalls)
        accounts = {seat: next(iter(self._people.accounts(seat)), logins.get(seat)) for seat in shortfalls}
        return {str(accounts[seat] or seat): credits_ for seat, credits_ in shortfalls.items()}


@dataclass(frozen=True, slots=True)
class _Undoing:
    """What is undone of an import; `lines` is None for all of it."""

    run: ImportRun
    at: datetime
    lines: tuple[int, ...] | None


async def _look(
    connection: AsyncConnection, run: str, lines: Sequence[int] | None
) -> tuple[ImportRun | None, int, tuple[int, int]]:
    found = await runs.find_run(connection, run)
    return found, await runs.count_standing(connection, run), await runs.returned_sums(connection, run, lines)


def _returned(row: WrittenRow, wallet: Purse, left: dict[Purse, int]) -> int:
    """Return what undoing a row moves: below 0 what it takes, as far as it is there."""
    amount = -row.credits if row.credits <= 0 else -min(left[wallet], row.credits)
    left[wallet] += amount
    return amount


def _entries(
    community: str, moved: Sequence[tuple[int, int]], wallets: Mapping[int, Purse]
) -> tuple[Entry, ...]:
    mint, entries = purses.mint(community), list[Entry]()
    for line, amount in moved:
        source, target = (mint, wallets[line]) if amount > 0 else (wallets[line], mint)
        entries += instalments(source, target, abs(amount), IMPORTED)
    return tuple(entries)
