"""Units of work: everything that one or more lines of a home change, decided in memory and written at once.

What a unit needs and memory lacks is read in one go. It is decided once: its writes name what they were
decided on, and if the database says otherwise, nothing of it is written and what it was decided on is
forgotten. A unit that is made again then is `wary`: it also reads whether it was written before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.ledger import deduplication, members
from chatbot.ledger.books import holdings, posting_writer
from chatbot.ledger.books.additions import Additions
from chatbot.ledger.books.books import Books, concerned_purses
from chatbot.ledger.books.forwarding import NO_FORWARDING
from chatbot.ledger.books.posting import MOST_MINTED, LostAnswer, Posting
from chatbot.ledger.books.purses import MINT, Purse
from chatbot.ledger.store import people_version
from chatbot.ledger.store.leases import NotOwner
from chatbot.ledger.store.reads import FixedQuery, Reads
from chatbot.ledger.store.statements import batches
from chatbot.ledger.store.write_queue import Writer
from chatbot.ledger.store.writes import Contradiction, RowWrite

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.ledger.store.write_queue import WriteWork

T = TypeVar("T")

RecordKey: TypeAlias = tuple[str, str, Seat]
"""A room, a game, and a member."""

_RECORDS = FixedQuery(
    "SELECT seat, body FROM record WHERE room = :room AND game = :game AND seat {seats}", {"seats": "text"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a unit needs to know; postings, lines and hints by their ids, records by room, game and member."""

    purses: Collection[Purse]
    tables: Collection[str]
    postings: Collection[str]
    lines: Collection[str]
    hints: Collection[str]
    records: Collection[RecordKey]

    def __bool__(self) -> bool:
        return bool(self.purses or self.tables or self.postings or self.lines or self.hints or self.records)


@dataclass(frozen=True, slots=True)
class UnitData:
    """The data of several requests: the books, the ids of lines and hints that are known, and records."""

    books: Books
    lines: Collection[str]
    hints: Collection[str]
    records: Mapping[RecordKey, str]


class Committer(Writer, Protocol):
    """Has a unit of work in which more is decided, and commits all of it: a batch."""

    unit: UnitOfWork

    async def commit(self) -> None:
        """Write everything in one transaction; raises as `UnitOfWork.commit`."""


class UnitOfWork:
    """Decides on what is known and on what it has decided before, and writes all of it with `commit`."""

    def __init__(self, store: Store, ledger: Ledger, *, wary: bool = False) -> None:
        self._store, self._ledger, self.wary = store, ledger, wary
        self._people_version = store.memory.people_version
        self._books = Books()
        self._steady: set[Purse] = set()  # whose balances must not have changed when this is written
        self._known: set[str] = set()  # ids of postings and tables that were looked up
        self._lines: dict[str, bool] = {}  # whether a command was acted on before, by its id
        self._hints: dict[str, bool] = {}  # whether a hint was given before, by its id
        self._records: dict[RecordKey, str | None] = {}
        self.additions = Additions()

    async def expect(
        self,
        purses: Iterable[Purse] = (),
        tables: Iterable[str] = (),
        postings: Iterable[str] = (),
        hints: Iterable[str] = (),
        lines: Iterable[str] = (),
        records: Iterable[RecordKey] = (),
    ) -> None:
        """Read what will be needed and neither the unit nor memory knows, as of one moment.

        Unless the unit is wary, postings and lines whose ids were not read count as new.
        """
        memory, books = self._store.memory, self._books
        names = {each for each in purses if each not in books.balances}
        table_ids = {each for each in tables if each not in books.tables}
        while request := Expected(
            memory.lacking(names - books.balances.keys()) if names else (),
            [each for each in table_ids if each not in memory.tables and each not in self._known],
            {each for each in postings if each not in self._known},
            {each for each in lines if each not in self._lines},
            {each for each in hints if each not in self._hints},
            {each for each in records if each not in self._records},
        ):
            unit_data = await self._ledger.expected(request)
            books.posting_ids |= unit_data.books.posting_ids.intersection(request.postings)
            self._known |= {*request.postings, *request.tables}
            self._lines.update((each, each in unit_data.lines) for each in request.lines)
            self._hints.update((each, each in unit_data.hints) for each in request.hints)
            self._records.update((each, unit_data.records.get(each)) for each in request.records)
            self._adopt(unit_data.books, request)
        # Only now: what others have decided while this was read counts.
        self._remember(names, table_ids)

    async def balances(self, names: Collection[Purse]) -> dict[Purse, int]:
        """Return the balance that each purse will have; an unknown one has 0."""
        await self.expect(names)
        return {name: self._books.balance_of(name) for name in names}

    async def balance(self, name: Purse) -> int:
        """Return the balance that a purse will have."""
        if name not in self._books.balances:
            await self.expect([name])
        return self._books.balance_of(name)

    async def written_balance(self, name: Purse) -> int:
        """Return the balance of a purse to be told: what is decided may not be told before it is written."""
        if self._store.memory.pending([name]):
            await self._store.settled()
        return await self.balance(name)

    async def is_written(self, posting: str) -> bool:
        """Return whether a posting was written before, which only a unit knows that is made again."""
        if self.wary:
            await self.expect(postings=[posting])
        return posting in self._books.posting_ids

    async def read_steady(
        self, purses: Collection[Purse], work: Callable[[AsyncConnection], Awaitable[T]]
    ) -> T:
        """Return what `work` reads of the postings of some purses, which may not change before it writes.

        What is decided about them and not written is waited for, since the database does not know it yet.
        """
        memory, books = self._store.memory, self._books
        await self.expect(purses)
        while memory.pending(purses):
            await self._store.settled()
            self._remember(purses, ())
        steady = {books.forwarding.real(each) for each in purses}
        async with self._store.reading() as connection:
            balances = await holdings.balances(connection, steady)
            result = await work(connection)
        if any(balances[each] != books.balances[each] for each in steady - books.before.keys()):
            memory.forget(steady)
            raise Contradiction("what is known of these purses is not what was read")
        self._steady |= steady
        return result

    async def read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Return what `work` reads of the database, where everything is written that was decided before."""
        await self._store.settled()
        async with self._store.reading() as connection:
            return await work(connection)

    async def records(self, room: str, game: str, seats: Collection[Seat]) -> dict[Seat, str]:
        """Return the records that a game will have about these members of a room."""
        keys = [(room, game, seat) for seat in seats]
        await self.expect(records=keys)
        return {key[2]: body for key in keys if (body := self._records[key]) is not None}

    async def first(self, line: str, at: datetime) -> bool:
        """Record that a command is acted on; return False if it was before."""
        if self.wary:
            await self.expect(lines=[line])
        if self._lines.get(line):
            return False
        self._lines[line] = True
        self.additions.lines[line] = at
        return True

    async def is_hinted(self, community: str, seat: Seat, what: str) -> bool:
        """Return whether a member was given a hint."""
        key = members.hint_key(community, seat, what)
        if key not in self._hints:
            await self.expect(hints=[key])
        return self._hints[key]

    async def hint(self, community: str, seat: Seat, what: str) -> bool:
        """Record that a member is given a hint; return False if it was given before."""
        key = members.hint_key(community, seat, what)
        if key not in self._hints:
            await self.expect(hints=[key])
        if self._hints[key]:
            return False
        self._hints[key] = True
        self.additions.hints[key] = members.hint_row(community, seat, what)
        return True

    async def post(self, posting: Posting) -> bool:
        """Decide a posting; return False if its id was written before, in which case nothing is done.

        Raises:
            Short, Exhausted, Moved, Closed, LedgerError: as `Books.answer` says; nothing of it is written.
            Contradiction: that was decided from what is not written yet, and may fail; make the unit again.
        """
        table = posting.table
        names = concerned_purses(posting)
        await self.expect(
            names,
            [] if table is None or (posting.opening is not None and not self.wary) else [table],
            [posting.id] if self.wary else [],
        )
        answer = self._books.answer(posting)
        if isinstance(answer, Exception):
            if self._store.memory.pending(names):
                await self._store.settled()
                raise Contradiction("it would be refused for what is not written yet") from answer
            raise answer
        if answer:
            for each in posting.records:
                self._records[each.room, each.game, each.seat] = each.body
        return answer

    async def commit(self) -> None:
        """Write everything in one transaction, which other units may share.

        Raises:
            NotOwner: this process does not own what the unit is for, or what it was read from; nothing is
                written.
            Contradiction: the database is not as it was when the unit was decided; nothing is written.
            LostAnswer: the connection was lost, and it is unknown whether the unit was written.
        """
        if not (self._books.accepted or self.additions):
            if self._books.balances:
                self._store.leases.require_current()
            return
        try:
            await self._store.commit(self._decide, self._on_done, self._homes())
        except Contradiction:
            await self._look_at_people()
            raise
        except (SQLAlchemyError, OSError) as error:
            if not await self._is_written(error):
                raise
        self._clear()

    async def write(self, work: WriteWork[T], *, homes: Collection[str] | None = None) -> T:
        """Run a work in one transaction with everything that is decided, which it follows.

        It is refused unless this process owns the communities `homes`; None: all that it says to own.

        Raises:
            Contradiction: as `commit`.
            LostAnswer: it is unknown whether what is decided was written.
            Exception: what the work raises; nothing is written, and what is decided remains to be. After an
                error of the database it may be written: then nothing remains, and the caller looks up what
                became of the work.
        """
        try:
            if homes is not None:
                homes = {*homes, *(self._homes() or ())}
            result = await self._store.write(work, self._decide, self._on_done, homes=homes)
        except Contradiction:
            await self._look_at_people()
            raise
        except (SQLAlchemyError, OSError) as error:
            if (self._books.accepted or self.additions) and await self._is_written(error):
                self._clear()
            raise
        self._clear()
        return result

    def _homes(self) -> Collection[str] | None:
        """Return the communities that it writes for; None if it does not say, as newcomers are of none."""
        homes = {purse.community for purse in self._books.before}
        homes |= {one.posting.community for one in self._books.accepted}
        homes |= self.additions.communities
        return homes or None

    async def _look_at_people(self) -> None:
        with suppress(SQLAlchemyError, OSError):  # the next attempt is contradicted, too, and looks again
            await self._store.look_at_people()

    def _clear(self) -> None:
        self._people_version = self._store.memory.people_version
        self.additions = Additions()
        self._books.accepted.clear()
        self._books.before.clear()
        self._books.absent.clear()
        self._steady.clear()

    def _decide(self) -> list[RowWrite]:
        """Return the writes, and have memory know what they lead to.

        Raises:
            Contradiction: another unit has changed what this one was decided on.
        """
        memory, books = self._store.memory, self._books
        if books.accepted and self._people_version != memory.people_version:
            raise Contradiction("it has changed who is who")
        steady = self._steady - books.before.keys()
        for purse in steady:
            if memory.balances.get(purse, books.balances[purse]) != books.balances[purse]:
                raise Contradiction(f"{purse} has changed")
        for purse in books.before:
            self._rebase(purse, memory.balances.get(purse, books.before[purse]))
        postings = posting_writer.writes_of(books) if books.accepted else ()
        # The rest may refer to postings.
        unchanged = posting_writer.unchanged(
            {each: books.balances[each] for each in steady - books.absent}, steady & books.absent
        )
        # Last: whoever changes the balance of a pot has locked its table, as the postings here have by then.
        writes = [*self.additions.writes(), *postings, *self.additions.others, *unchanged]
        if books.accepted:
            # First: whoever changes it has locked it before anything else.
            writes.insert(0, people_version.unchanged(self._people_version))
        memory.decide({each: books.balances[each] for each in books.before}, self._ends())
        return writes

    def _rebase(self, purse: Purse, balance: int) -> None:
        """Have the changes of a purse start from the balance that it has now.

        Another unit may have changed it meanwhile: the mint and the house are in many. What is still covered,
        and was not decided from the very balance, stays decided.

        Raises:
            Contradiction: it does not stay.
        """
        books = self._books
        if balance == books.before[purse]:
            return
        after = balance + books.balances[purse] - books.before[purse]
        expected = purse in self._steady or any(purse in each.posting.expects for each in books.accepted)
        if expected or not -MOST_MINTED * (purse.kind == MINT) <= after:
            raise Contradiction(f"{purse} has changed")
        books.before[purse], books.balances[purse] = balance, after

    def _ends(self) -> dict[str, tuple[str, str]]:
        """Return the states of the tables that were opened or ended."""
        postings = [each.posting for each in self._books.accepted]
        ids = {each.table for each in postings if each.table and (each.end or each.opening)}
        return {each: self._books.tables[each] for each in ids}

    def _on_done(self, error: Exception | None) -> None:
        memory = self._store.memory
        memory.note_written(self._books.before, self._ends())
        if error is not None:
            memory.forget(self._books.balances, self._books.tables)

    def _remember(self, names: Collection[Purse], tables: Collection[str]) -> None:
        """Take from memory what it knows."""
        memory, books = self._store.memory, self._books
        if names:
            if memory.forwarding is not NO_FORWARDING:
                forwarding = memory.forwarding.of(names)
                books.forwarding = books.forwarding.with_all(forwarding)
                names = {*names, *forwarding.reached(names)}
            for each in names:
                if each in memory.balances and each not in books.before:
                    books.balances[each] = memory.balances[each]
                    if each in memory.absent:
                        books.absent.add(each)
        books.tables.update((each, memory.tables[each]) for each in tables if each in memory.tables)

    def _adopt(self, read_books: Books, request: Expected) -> None:
        """Add what was read for several units, as far as this one has asked for it; own decisions stay."""
        books, forwarding = self._books, read_books.forwarding.of(request.purses)
        names = {*request.purses, *forwarding.reached(request.purses)} - books.balances.keys()
        books.balances.update((each, read_books.balances[each]) for each in names)
        books.absent |= read_books.absent & names
        books.forwarding = books.forwarding.with_all(forwarding)
        books.tables.update(
            (each, read_books.tables[each]) for each in request.tables if each in read_books.tables
        )

    async def _is_written(self, error: Exception) -> bool:
        """Return whether a commit whose answer was lost succeeded; one of its rows proves all of them."""
        if isinstance(error, NotOwner):
            return False
        if self._books.accepted:
            posting = self._books.accepted[0].posting
            return await self._ledger.look_up(posting.id, posting.at, error)
        try:
            return bool(await self._store.fetch(deduplication.accepted_lines(self.additions.lines)))
        except (SQLAlchemyError, OSError):
            raise LostAnswer("a unit without postings") from error


def reading(requests: Collection[Expected]) -> Reads[UnitData]:
    """Read what several units need."""
    books = yield from posting_writer.loading(
        {each for request in requests for each in request.purses},
        {each for request in requests for each in request.tables},
        {each for request in requests for each in request.postings},
    )
    lines = yield from deduplication.accepted_lines({each for request in requests for each in request.lines})
    hints = yield from members.known_hints({each for request in requests for each in request.hints})
    records = yield from _read_records({each for request in requests for each in request.records})
    return UnitData(books, lines, hints, records)


def _read_records(keys: Collection[RecordKey]) -> Reads[dict[RecordKey, str]]:
    records: dict[RecordKey, str] = {}
    for room, game in {key[:2] for key in keys}:
        for some in batches([key[2] for key in keys if key[:2] == (room, game)]):
            values = {"room": room, "game": game, "seats": some}
            for seat, body in (yield _RECORDS, values):
                records[room, game, Seat(seat)] = body
    return records
