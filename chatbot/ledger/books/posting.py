"""What the ledger is asked to write, all of it or nothing, and why it may refuse. Values only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.purses import Purse

LINKED = "link"  # why credits pass between wallets of one person, or of two communities that are one
_FINITE = 2**63 - 1
MOST_MINTED = 9 * 10**18
"""The credits of a community in all, and so of any purse: databases give up at 2**63."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Whole credits, 1 to 10**15, that leave one purse for another."""

    source: Purse
    target: Purse
    credits: int
    why: str

    def __post_init__(self) -> None:
        # Drivers let booleans and fractions through, and some round them in silence.
        if type(self.credits) is not int or not 1 <= self.credits <= MOST:
            raise ValueError(f"an entry moves 1 to {MOST} whole credits, not {self.credits!r}")


@dataclass(frozen=True, slots=True)
class Opening:
    """A new table. `settings` is JSON; `chain` is the head of the chain whose link its draws come from."""

    table: str
    room: str
    game: str
    version: int
    settings: str
    chain: str | None = None
    link: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One row of a table's journal, numbered from 1. The texts are the table's own business.

    `at` is set when a journal is read; what is written carries the time of its posting.
    """

    table: str
    turn: int
    action: str
    purses: str
    line: str
    at: datetime | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if type(self.turn) is not int or self.turn < 1:
            raise ValueError(f"turns count from 1, not {self.turn!r}")


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a game remembers of a member of a room from now on."""

    room: str
    game: str
    seat: Seat
    body: str


@dataclass(frozen=True, slots=True)
class Posting:
    """Everything that one accepted step changes.

    `id` comes from outside and is written at most once. `at` is aware of its zone. `expects` are
    the balances that the step was decided upon. `table` must be open (or opened by `opening`);
    `settles` closes it and demands that its pot is empty then; `seed` is what it was played with, and no
    secret after its end. `beside` names a second community whose
    purses it may touch.
    """

    id: str
    community: str
    at: datetime
    actor: str = ""
    entries: tuple[Entry, ...] = ()
    expects: Mapping[Purse, int] = field(default_factory=dict)
    opening: Opening | None = None
    table: str | None = None
    turns: tuple[Turn, ...] = ()
    records: tuple[Remembered, ...] = ()
    settles: bool = False
    seed: bytes | None = field(default=None, repr=False)
    beside: str | None = None

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError(f"posting {self.id!r} needs a time with its zone, not {self.at!r}")
        if self.opening is not None and self.table not in {None, self.opening.table}:
            raise ValueError(f"posting {self.id!r} opens {self.opening.table!r} but is at {self.table!r}")
        if self.opening is not None:
            object.__setattr__(self, "table", self.opening.table)
        if any(turn.table != self.table for turn in self.turns) or (self.settles and not self.table):
            raise ValueError(f"posting {self.id!r} is at {self.table!r}, but its turns or its end are not")
        for purse in self.purses():
            own = purses.belongs(purse, self.community, self.table)
            if not own and (self.beside is None or not purses.belongs(purse, self.beside, None)):
                raise ValueError(f"posting {self.id!r} of {self.community!r} cannot touch {str(purse)!r}")

    def purses(self) -> set[Purse]:
        """Name every purse that it moves or has looked at."""
        return {purse for each in self.entries for purse in (each.source, each.target)} | set(self.expects)


class Short(Exception):  # noqa: N818  (an answer, not a fault)
    """A purse cannot pay. Nothing has happened."""

    def __init__(self, purse: Purse, balance: int) -> None:
        super().__init__(f"{purse} holds {balance}, which is too little")
        self.purse = purse
        self.balance = balance


class Exhausted(Exception):  # noqa: N818  (an answer, not a fault)
    """There would be more credits in a community than can be counted. Nothing has happened."""

    def __init__(self, purse: Purse, balance: int) -> None:
        super().__init__(f"{purse} is at {balance}, and has no more to give")
        self.purse = purse
        self.balance = balance


class Moved(Exception):  # noqa: N818  (an answer, not a fault)
    """A balance that the step was decided upon has changed: decide afresh. Nothing has happened."""

    def __init__(self, purse: Purse) -> None:
        super().__init__(f"the balance of {purse} has changed")
        self.purse = purse


class Closed(Exception):  # noqa: N818  (an answer, not a fault)
    """The table is not open, or not any more. Nothing has happened."""

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table} is not open")
        self.table = table


class LostAnswer(SQLAlchemyError):  # noqa: N818  (what happened, not what it is)
    """A posting may be written or not: look before asking again under another id."""

    def __init__(self, posting: str) -> None:
        super().__init__(f"the database stopped answering before it was known whether {posting!r} is written")


class LedgerError(Exception):
    """The caller would have broken the books. Nothing has happened."""


def instalments(source: Purse, target: Purse, total: int, why: str) -> Iterator[Entry]:
    """Move any sum that 64 bits hold, 0 included, in entries that are none too large.

    Raises:
        ValueError: it is more.
    """
    if total > _FINITE:
        raise ValueError(f"no purse can hold {total}")
    while total > 0:
        part = min(total, MOST)
        yield Entry(source, target, part, why)
        total -= part
