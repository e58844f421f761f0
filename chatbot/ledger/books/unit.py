"""Units of work: the writes of several lines of a room, decided in memory and written in one transaction.

A unit decides by the same rules by which postings are written, from data that was read before. Its postings
are decided again when they are written; unless every answer is the same, nothing of the unit is written.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.ledger import chains, deduplication, members, people
from chatbot.ledger.books import posting_writer
from chatbot.ledger.books.posting import LostAnswer, Posting
from chatbot.ledger.books.posting_writer import PostingWriter
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.chains import SealedChain
from chatbot.ledger.people import Newcomer
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ColumnValues, batches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.posting_writer import WriteResult
    from chatbot.ledger.store.store import Store

_record = schema.record.c


class Unsettled(Exception):  # noqa: N818  (what it is)
    """The books have changed since the unit was decided. Nothing of it was written."""


@dataclass(slots=True)
class UnitWrites:
    """Everything that a unit writes in one transaction, in order."""

    postings: list[Posting] = field(default_factory=list)
    lines: dict[str, datetime] = field(default_factory=dict)  # ids of commands that are acted on
    members: dict[tuple[str, str], ColumnValues] = field(default_factory=dict)
    newcomers: list[Newcomer] = field(default_factory=list)
    hints: dict[str, ColumnValues] = field(default_factory=dict)  # by id
    chains: list[SealedChain] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.postings or self.lines or self.members or self.newcomers)


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a unit needs to know; postings, lines and hints by their ids."""

    purses: Collection[Purse]
    tables: Collection[str]
    postings: Collection[str]
    lines: Collection[str]
    hints: Collection[str]


@dataclass(frozen=True, slots=True)
class UnitData:
    """The data of several requests: the books, and the ids of lines and hints that are known."""

    books: PostingWriter
    lines: Collection[str]
    hints: Collection[str]


class UnitOfWork:
    """Answers as the ledger does, including its own pending writes, which `commit` writes.

    What it cannot decide by itself raises Unsettled, and must be done by the ledger instead.
    """

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger
        self._books = PostingWriter()
        self._known: set[str] = set()  # ids of postings, and names of tables, that were looked up
        self._lines: dict[str, bool] = {}  # whether a command was acted on before, by its id
        self._hints: dict[str, bool] = {}  # whether a hint was given before, by its id
        self._records: dict[tuple[str, str], dict[Seat, str | None]] = {}  # by room and game
        self.writes = UnitWrites()

    async def expect(
        self,
        purses: Iterable[Purse] = (),
        tables: Iterable[str] = (),
        postings: Iterable[str] = (),
        lines: Iterable[str] = (),
        hints: Iterable[str] = (),
    ) -> None:
        """Read what will be needed and is not known yet, as of one moment; `hints` are their ids."""
        names = {each for each in purses if each not in self._books.balances}
        wanted = {each for each in tables if f"table {each}" not in self._known}
        ids = {each for each in postings if f"posting {each}" not in self._known}
        fresh = {each for each in lines if each not in self._lines}
        given = {each for each in hints if each not in self._hints}
        if not (names or wanted or ids or fresh or given):
            return
        request = Expected(names, wanted, ids, fresh, given)
        found = await self._ledger.expected(request)
        self._books.adopt(found.books, names, wanted, ids)
        acted, before = found.lines, found.hints
        self._known |= {f"table {each}" for each in wanted} | {f"posting {each}" for each in ids}
        self._lines.update((each, each in acted) for each in fresh)
        self._hints.update((each, each in before) for each in given)

    async def balances(self, names: Collection[Purse]) -> dict[Purse, int]:
        """Return the balance that each purse will have; an unknown one has 0."""
        if not all(name in self._books.balances for name in names):
            await self.expect(names)
        return {name: self._books.held(name) for name in names}

    async def balance(self, name: Purse) -> int:
        """Return the balance that a purse will have."""
        if name not in self._books.balances:
            await self.expect([name])
        return self._books.held(name)

    async def records(self, room: str, game: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Return the records that a game will have about these members of a room."""
        found = self._records.setdefault((room, game), {})
        missing = [seat for seat in seats if seat not in found]
        if missing:
            async with self._store.reading() as connection:
                stored = await _recorded(connection, room, game, missing)
            found.update((seat, stored.get(seat)) for seat in missing)
        return {seat: body for seat in seats if (body := found[seat]) is not None}

    async def first(self, line: str, at: datetime) -> bool:
        """Record that a command is acted on; return False if it was before."""
        if line not in self._lines:
            await self.expect(lines=[line])
        if self._lines[line]:
            return False
        self._lines[line] = True
        self.writes.lines[line] = at
        return True

    async def hint(self, community: str, seat: Seat, what: str) -> bool:
        """Record that a member is given a hint; return False if it was given before."""
        key = members.hint_key(community, seat, what)
        if key not in self._hints:
            await self.expect(hints=[key])
        if self._hints[key]:
            return False
        self._hints[key] = True
        self.writes.hints[key] = members.hint_row(community, seat, what)
        return True

    def provide(self, chain: SealedChain) -> None:
        """Add a new hash chain for the seeds of later tables."""
        self.writes.chains.append(chain)

    def meet(self, newcomer: Newcomer) -> None:
        """Add a person who was never seen before."""
        self.writes.newcomers.append(newcomer)

    def note(self, community: str, seat: Seat, name: str, at: datetime) -> None:
        """Record the present name of a member."""
        self.writes.members[community, seat] = members.row(community, seat, name, at)

    async def post(self, posting: Posting) -> bool:
        """Decide a posting; return False if its id was written before, in which case nothing is done.

        Raises:
            Unsettled: it would be refused, according to what was read.
        """
        table = posting.table
        await self.expect(posting_writer.touched(posting), [] if table is None else [table], [posting.id])
        answer = self._books.answer(posting, posting_writer.end_of(posting))
        if isinstance(answer, Exception):
            raise Unsettled from answer
        if answer:
            self.writes.postings.append(posting)
            for each in posting.records:
                self._records.setdefault((each.room, each.game), {})[each.seat] = each.body
        return answer

    async def commit(self) -> None:
        """Write everything in one transaction, which other units and postings may share.

        Raises:
            Unsettled: the books have changed; nothing is written.
            LostAnswer: the connection was lost, and it is unknown whether the unit was written.
        """
        if not self.writes:
            return
        try:
            await self._store.join(write, self.writes)
        except (SQLAlchemyError, OSError) as error:
            if not await self._is_written(error):
                raise

    async def _is_written(self, error: Exception) -> bool:
        """Return whether a commit whose answer was lost succeeded; one of its rows proves all of them."""
        if self.writes.postings:
            posting = self.writes.postings[0]
            return await self._ledger.look_up(posting.id, posting.at, error) is True
        try:
            async with self._store.reading() as connection:
                return bool(await deduplication.taken(connection, self.writes.lines))
        except (SQLAlchemyError, OSError):
            raise LostAnswer("a unit without postings") from error


async def read(connection: AsyncConnection, requests: Collection[Expected]) -> UnitData:
    """Read what several units need, as of one moment."""
    books = PostingWriter()
    await books.load(
        connection,
        {each for request in requests for each in request.purses},
        {each for request in requests for each in request.tables},
        {each for request in requests for each in request.postings},
    )
    acted = await deduplication.taken(connection, {each for request in requests for each in request.lines})
    given = {each for request in requests for each in request.hints}
    return UnitData(books, acted, await members.known_hints(connection, given))


async def write(connection: AsyncConnection, items: Sequence[Posting | UnitWrites]) -> list[WriteResult]:
    """Write postings and units in the given order, with one answer for each item.

    Raises:
        Unsettled: a unit cannot be written as it was decided, which undoes the whole transaction.
    """
    units = [each for each in items if isinstance(each, UnitWrites)]
    # First, because an opening takes a link of a chain that its unit may have made.
    await _note(connection, units)
    postings = [
        each for item in items for each in (item.postings if isinstance(item, UnitWrites) else [item])
    ]
    answers = iter(await posting_writer.write(connection, postings))
    return [_answered(item, answers) for item in items]


def _answered(item: Posting | UnitWrites, answers: Iterator[WriteResult]) -> WriteResult:
    if isinstance(item, Posting):
        return next(answers)
    for posting in item.postings:
        answer = next(answers)
        if answer is not True:
            # Raised, and not returned: the rows of the unit are written already. The queue repeats the
            # transaction item by item, so the others that shared it are not lost.
            raise Unsettled(posting.id) from (answer if isinstance(answer, Exception) else None)
    return True


async def _note(connection: AsyncConnection, units: Sequence[UnitWrites]) -> None:
    groups = [unit.newcomers for unit in units if unit.newcomers]
    if groups and any(await people.write(connection, groups)):
        raise Unsettled("another process has met an account meanwhile")
    rows = [row for unit in units for row in unit.members.values()]
    if rows:
        await members.write(connection, rows)
    lines = [pair for unit in units for pair in unit.lines.items()]
    if lines and not all(await deduplication.write(connection, lines)):
        raise Unsettled("a line was acted on meanwhile")
    hints = [row for unit in units for row in unit.hints.values()]
    if hints and not all(await members.write_hints(connection, hints)):
        raise Unsettled("a hint was given meanwhile")
    made = [each for unit in units for each in unit.chains]
    if made and not all(await chains.add_chains(connection, made)):
        raise Unsettled("a chain is there already")


async def _recorded(
    connection: AsyncConnection, room: str, game: str, seats: Collection[Seat]
) -> dict[Seat, str]:
    found: dict[Seat, str] = {}
    wanted = select(_record.seat, _record.body).where(_record.room == room, _record.game == game)
    for some in batches(seats):
        rows = await connection.execute(wanted.where(_record.seat.in_(some)))
        found.update((Seat(row.seat), row.body) for row in rows)
    return found
