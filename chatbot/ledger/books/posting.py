"""Postings, which the ledger writes atomically, and the errors with which it refuses them; values only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.purses import Purse
from chatbot.ledger.vouchers import HeldVoucher

End: TypeAlias = Literal["settled", "void"]

GRANT, GIFT = "grant", "gift"  # the reasons of entries from moderators, and between members
LINKED = "link"  # the reason of entries between wallets of one person, or of two united communities
MORE = "-more"  # ends the reason of credits that a changed setting has made beyond what ships
_FINITE = 2**63 - 1
MOST_MINTED = 9 * 10**18
"""The most credits of a community, and so of any purse.

Databases store less than 2**63, 9.22 * 10**18: a sum that passes this bound must still fit, to be refused.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A movement of 1 to 10**15 whole credits from one purse to another, with its reason."""

    source: Purse
    target: Purse
    credits: int
    why: str

    def __post_init__(self) -> None:
        # Database drivers accept booleans and fractions, and some round them without an error.
        if type(self.credits) is not int or not 1 <= self.credits <= MOST:
            raise ValueError(f"an entry moves 1 to {MOST} whole credits, not {self.credits!r}")


@dataclass(frozen=True, slots=True)
class Opening:
    """A new table.

    `settings` is JSON. `chain` is the head of a hash chain, in hexadecimal digits, and `link` the number of
    the link in it from which the draws of the table are derived.
    """

    table: str
    room: str
    game: str
    version: int
    settings: str
    chain: str | None = None
    link: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One row of the journal of a table, numbered from 1. The ledger does not interpret the texts.

    `at` is set when a journal is read; a row is written with the time of its posting.
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
    """The new record of a game about a member of a room, which replaces the former one."""

    room: str
    game: str
    seat: Seat
    body: str


@dataclass(frozen=True, slots=True)
class Posting:
    """Everything that one accepted step changes, written in one transaction.

    `id` is chosen by the caller and written at most once. `at` is timezone-aware. `expects` are the balances
    on which the decision was based. `table` must be open, or be opened by `opening`. `settles` closes it,
    and requires that its pot is empty then; `seed` is the seed of the table, published with its end.
    `voids` closes it as void. `vouchers` are those that it stakes, keeps or returns.
    `beside` names a second community whose purses the posting may use.

    Raises:
        ValueError: the parts contradict each other, or a purse is of another community or table.
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
    vouchers: tuple[HeldVoucher, ...] = ()
    settles: bool = False
    voids: bool = False
    seed: bytes | None = field(default=None, repr=False)
    beside: str | None = None
    end: End | None = field(init=False, repr=False, compare=False)  # how it ends its table, if it does

    def __post_init__(self) -> None:
        object.__setattr__(self, "end", "settled" if self.settles else "void" if self.voids else None)
        if self.at.tzinfo is None:
            raise ValueError(f"posting {self.id!r} needs a time with its zone, not {self.at!r}")
        if self.opening is not None and self.table not in {None, self.opening.table}:
            raise ValueError(f"posting {self.id!r} opens {self.opening.table!r} but is at {self.table!r}")
        if self.opening is not None:
            object.__setattr__(self, "table", self.opening.table)
        if any(turn.table != self.table for turn in self.turns) or (self.end and not self.table):
            raise ValueError(f"posting {self.id!r} is at {self.table!r}, but its turns or its end are not")
        for purse in self.purses():
            own = purses.belongs(purse, self.community, self.table)
            if not own and (self.beside is None or not purses.belongs(purse, self.beside, None)):
                raise ValueError(f"posting {self.id!r} of {self.community!r} cannot touch {str(purse)!r}")

    def purses(self) -> set[Purse]:
        """Return every purse that an entry or an expectation names."""
        return {purse for each in self.entries for purse in (each.source, each.target)} | set(self.expects)


class Rejection(Exception):  # noqa: N818  (an answer, not a fault)
    """The books do not allow what was to be written. Nothing was written."""


class Short(Rejection):
    """A purse cannot pay. Nothing was written."""

    def __init__(self, purse: Purse, balance: int) -> None:
        super().__init__(f"{purse} holds {balance}, which is too little")
        self.purse = purse
        self.balance = balance


class Exhausted(Rejection):
    """A community would have more than `MOST_MINTED` credits. Nothing was written."""

    def __init__(self, purse: Purse, balance: int) -> None:
        super().__init__(f"{purse} is at {balance}, and has no more to give")
        self.purse = purse
        self.balance = balance


class Moved(Rejection):
    """An expected balance has changed, so the step must be decided again. Nothing was written."""

    def __init__(self, purse: Purse) -> None:
        super().__init__(f"the balance of {purse} has changed")
        self.purse = purse


class Closed(Rejection):
    """The table is not open. Nothing was written."""

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table} is not open")
        self.table = table


class LostAnswer(SQLAlchemyError):  # noqa: N818  (what happened, not what it is)
    """It is unknown whether a posting was written: look it up before posting again under another id."""

    def __init__(self, posting: str) -> None:
        super().__init__(f"the database stopped answering before it was known whether {posting!r} is written")


class LedgerError(Rejection):
    """The posting would have broken an invariant of the books. Nothing was written."""


def more(reason: str) -> str:
    """Return the reason of what is paid beyond what ships for `reason`."""
    return f"{reason}{MORE}"


def instalments(source: Purse, target: Purse, total: int, why: str) -> Iterator[Entry]:
    """Split a transfer of `total` credits, which may be 0, into entries of at most `MOST` each.

    Raises:
        ValueError: `total` does not fit into 64 bits.
    """
    if total > _FINITE:
        raise ValueError(f"no purse can hold {total}")
    while total > 0:
        part = min(total, MOST)
        yield Entry(source, target, part, why)
        total -= part
