"""What a room knows of its tables: enough to show them and to play at them, but not how a step is written.

The tables themselves stand above the rooms, because a table posts, narrates and publishes; see `GameTable`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from chatbot.ledger.books.posting import Entry
from chatbot.ledger.vouchers import Voucher
from chatbot.rooms.exchange import Exchange

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from chatbot.kernel.game import AnyGame, Clock, Seat, Sit
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Say
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.chains import Secret
    from chatbot.ledger.vouchers import HeldVoucher
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch


@dataclass(frozen=True, slots=True)
class Cause:
    """The origin of an action: the id of its line, if any (house players send none), and its seat.

    `posting` is the unique id under which the step is written; empty for a step of the clock, whose id is
    made from its turn. Answers go to the `exchange` of the line. `voucher` pays for the stake. `lent` are
    transfers from the house to players of its own, which come before those of the rules. `most` are the
    credits that the step may take out of the wallet of the seat; None: as many as there are.
    """

    line: str = ""
    seat: str = ""
    posting: str = ""
    exchange: Exchange | None = None
    voucher: Voucher | None = None
    lent: tuple[Entry, ...] = ()
    most: int | None = None


class BrokenGame(Exception):  # noqa: N818  (named after the event)
    """The rules failed at a table, which is to be voided."""

    def __init__(self, table: Table, why: str) -> None:
        super().__init__(why)
        self.table = table


class Table(Protocol):
    """One game that is being played in a room, or was the last one at its spot."""

    id: str
    kit: AnyKit
    game: AnyGame
    room: Room
    secret: Secret
    ledger: Ledger
    watch: Watch
    spot: str
    state: Any  # `Any`: each game has a type of its own
    turn: int
    tellings: Mapping[str, int]
    over: bool
    voided: bool
    frozen: bool
    seated: set[Seat]
    vouchers: dict[Seat, HeldVoucher]
    lines: list[str]
    doubtful: bool  # whether the journal may contain steps that are not applied
    lock: asyncio.Lock  # held while an action is played

    @property
    def settings(self) -> str:
        """The settings that it was opened with, as JSON."""

    @property
    def seed(self) -> bytes:
        """The secret from which its draws are derived."""

    @property
    def clock(self) -> Clock | None:
        """The clock of the present phase; None: the table is over, or its clock was stopped."""

    @property
    def deadline(self) -> float | None:
        """The time of the watch at which the phase ends; None: its clock is stopped."""

    @property
    def public_deadline(self) -> float | None:
        """The time of the watch at which the phase ends; None: its clock is stopped, or that is hidden."""

    @property
    def pot(self) -> Purse:
        """The purse that holds the stakes."""

    async def play(self, batch: Batch, actions: Sequence[object], cause: Cause) -> None:
        """Play actions as one step of a batch: either all are accepted, or nothing changes.

        Raises:
            Refusal: one of them is not possible now.
        """

    async def catch_up(self) -> None:
        """Read the journal, if it may have steps that are not applied, and apply them."""

    def doubt(self) -> None:
        """Have the journal read before the next action: it may contain steps that are not applied."""

    def snapshot(self) -> Callable[[], None]:
        """Return a function that restores the present state of the table."""

    async def pace(self) -> None:
        """Let the present phase end sooner or later, by who has still to act in it."""

    async def hurry(self) -> None:
        """End the present phase now, as if its time were over."""

    async def finished(self) -> None:
        """Wait until the last step was reported and everything that follows from it is done."""

    async def void(self, write: Callable[[], Awaitable[object]] | None = None) -> None:
        """End the table and return all stakes.

        `write` replaces the posting of the ledger by one that records more, and raises Closed if the table is
        over.

        Raises:
            Refusal: the table is frozen.
        """

    def menu(self, seat: Seat, purse: int) -> Sequence[Any]:
        """Return the actions that a seat can choose from, given the credits in its purse.

        `Any`: each game has actions of its own.
        """

    def players(self) -> Sequence[Seat]:
        """Return the players that the public view shows, in the order in which they joined."""

    def says(self, say: Say) -> Say:
        """Return a message marked with this table and its game."""

    def view(self, seat: Seat | None, purse: int = 0) -> Any:
        """Return what a seat may see; None: what everybody may see. Its type is the game's own."""

    async def sit(self, seats: Sequence[Seat], unit: UnitOfWork | None = None) -> list[Sit]:
        """Return the actions that seat those who are not seated yet, with the game's records of them."""

    def freeze(self) -> None:
        """Stop the clock and accept no more actions; no stakes are returned."""
