"""What is known of the database: balances, open tables, and which wallets are replaced by others.

The process that holds the lease of a home decides from memory, for nobody else writes there. Memory runs
ahead of the database by what is decided and not written yet. It may be wrong all the same, if somebody edited
the database: then a write is refused, and what it was decided on is forgotten, to be read again.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chatbot.ledger.books.forwarding import NO_FORWARDING, Forwarding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse

MOST_BALANCES = 20_000  # purses; others are read from the database again


class Reading:
    """A query that is under way, and what was changed since it began: its answer may be older."""

    def __init__(self) -> None:
        self.outdated: set[object] = set()  # purses, and ids of tables
        self.all_outdated = False


class Touched:
    """What a transaction has changed that was not decided in memory, and which memory is to forget."""

    def __init__(self) -> None:
        self.purses: set[Purse] = set()
        self.tables: set[str] = set()
        self.everything = False

    def forget(self, memory: Memory) -> None:
        """Have memory forget it."""
        if self.everything:
            memory.forget_all()
        else:
            memory.forget(self.purses, self.tables)


def touched_in(connection: AsyncConnection) -> Touched:
    """Return where the transaction of a connection notes what it has changed."""
    touched: Touched = connection.info.setdefault(Touched, Touched())
    return touched


class Memory:
    """The balances, open tables and replaced wallets that are known.

    Of a wallet whose balance is known it is also known by which one it is replaced.
    """

    def __init__(self) -> None:
        self.balances: OrderedDict[Purse, int] = OrderedDict()
        self.absent: set[Purse] = set()  # of these purses, those that have no row
        # Community and state by id: of the open ones, and of those whose end is not written yet.
        self.tables: dict[str, tuple[str, str]] = {}
        self.forwarding = NO_FORWARDING
        # As of which the process knows who is who, and all this.
        self.people_version = 0
        self._pending: Counter[Purse] = Counter()  # decided and not written yet
        self._readings: list[Reading] = []

    def lacking(self, purses: Collection[Purse]) -> Collection[Purse]:
        """Return those of some purses about which something must be read."""
        if self.forwarding is NO_FORWARDING:
            return [each for each in purses if each not in self.balances]
        return [
            each
            for each in purses
            if each not in self.balances
            or any(one not in self.balances for one in self.forwarding.reached([each]))
        ]

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Note what is changed while a query runs, within the context."""
        reading = Reading()
        self._readings.append(reading)
        try:
            yield reading
        finally:
            self._readings.remove(reading)

    def adopt(
        self,
        reading: Reading,
        balances: Mapping[Purse, int],
        absent: Collection[Purse],
        forwarding: Forwarding,
        tables: Mapping[str, tuple[str, str]],
    ) -> None:
        """Add what a query has found, except what was changed since it began."""
        if reading.all_outdated:
            return
        for purse, balance in balances.items():
            if purse not in self.balances and purse not in reading.outdated:
                self.balances[purse] = balance
                if purse in absent:
                    self.absent.add(purse)
        self.forwarding = self.forwarding.with_all(forwarding)
        self.tables |= {
            each: table
            for each, table in tables.items()
            if table[1] == "open" and each not in reading.outdated and each not in self.tables
        }
        self._forget_oldest()

    def decide(self, changes: Mapping[Purse, int], tables: Mapping[str, tuple[str, str]]) -> None:
        """Note what is decided, and handed to be written: new balances, and the states of tables."""
        for purse, balance in changes.items():
            self.balances[purse] = balance
            self.balances.move_to_end(purse)
            self.absent.discard(purse)
            self._pending[purse] += 1
        self.tables.update(tables)
        self._outdate([*changes, *tables])

    def note_written(self, changes: Collection[Purse], tables: Collection[str]) -> None:
        """Note that what was decided about these purses and tables is written, or was refused."""
        for each in changes:
            self._pending[each] -= 1
            if not self._pending[each]:
                del self._pending[each]
        for table in tables:
            if self.tables.get(table, ("", "open"))[1] != "open":
                del self.tables[table]

    def pending(self, purses: Collection[Purse]) -> bool:
        """Whether something is decided about these purses that is not written yet."""
        return bool(self._pending) and any(each in self._pending for each in purses)

    def forget(self, purses: Collection[Purse], tables: Collection[str] = ()) -> None:
        """Forget purses and tables; they are read again when they are needed.

        Purses with changes that are decided and not written yet are kept, because the database does not know
        these changes. They are forgotten when the write is refused, as it is if it was decided on a balance
        that is wrong.
        """
        for each in (each for each in purses if each not in self._pending):
            self.balances.pop(each, None)
            self.absent.discard(each)
        for table in tables:
            self.tables.pop(table, None)
        self._outdate([*purses, *tables])

    def forget_all(self) -> None:
        """Forget everything, for example because wallets are replaced by others."""
        self.balances.clear()
        self.absent.clear()
        self.tables.clear()
        self.forwarding = NO_FORWARDING
        for each in self._readings:
            each.all_outdated = True

    def note_people(self, version: int) -> None:
        """Note as of which version the process knows who is who; with another one, forget everything."""
        if version != self.people_version:
            self.people_version = version
            self.forget_all()

    def _outdate(self, items: Collection[object]) -> None:
        for each in self._readings:
            each.outdated.update(items)

    def _forget_oldest(self) -> None:
        while len(self.balances) > MOST_BALANCES:
            purse = next((each for each in self.balances if each not in self._pending), None)
            if purse is None:
                return
            del self.balances[purse]
            self.absent.discard(purse)
