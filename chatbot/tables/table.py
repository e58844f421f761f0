"""A table: one game that is being played. It handles one action at a time and posts its costs.

An action is read, decided and posted, and only then applied in memory: a refusal at any point leaves
everything unchanged. All other failures of the rules end the table and return all stakes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.codec import canonical
from chatbot.kernel.game import AnyGame, Clock, Refusal, Seat, Sit, Timeout
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.say import Message, Say
from chatbot.kernel.settings import dump
from chatbot.ledger.books import purses
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Exhausted, LedgerError, Short
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.chains import Secret
from chatbot.ledger.store.writes import Contradiction
from chatbot.ledger.vouchers import HeldVoucher
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.request import too_few
from chatbot.rooms.room import Room
from chatbot.rooms.table_protocol import BrokenGame, Cause, Table
from chatbot.runtime.clock import Watch
from chatbot.tables.draft import Draft
from chatbot.tables.narration import Narrated, narrate, told_again
from chatbot.tables.phase_timer import Fill, PhaseTimer
from chatbot.tables.replay import Replay, Unreplayable, reread

if TYPE_CHECKING:
    from chatbot.rooms.batch import Batch

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class GameTable:
    """One game that is being played in a room.

    `on_step(table, narrated, exchange, opens)` is awaited after each step that was written, `on_void(table)`
    when the table was voided. `admit(table, actor, state)` is awaited before a step that does not come from
    the clock, with the state to which it leads, and raises Refusal if it is not allowed. `fill`
    and `keeps_open` are those of its `PhaseTimer`.
    """

    id: str
    kit: AnyKit
    game: AnyGame
    room: Room
    secret: Secret
    ledger: Ledger
    journal: Journal
    watch: Watch
    spot: str  # its key in the tables of the room, see `Kit.spot`
    on_step: Callable[[GameTable, Narrated, Exchange | None, bool], Awaitable[None]]
    on_void: Callable[[GameTable], Awaitable[None]]
    on_paced: Callable[[GameTable], None]
    admit: Callable[[GameTable, Seat, object], Awaitable[None]] | None = None
    fill: Callable[[Table, UnitOfWork], AbstractAsyncContextManager[Fill]] | None = None
    keeps_open: Callable[[Table], Awaitable[bool]] | None = None
    state: Any = None  # `Any`: each game has a type of its own
    turn: int = 0  # number of the last journal row
    tellings: Mapping[str, int] = field(default_factory=dict)  # how often each message was told
    over: bool = False
    voided: bool = False  # it is over because it was called off
    frozen: bool = False  # no action is accepted; the room goes on with a table that is read from the journal
    seated: set[Seat] = field(default_factory=set)
    vouchers: dict[Seat, HeldVoucher] = field(default_factory=dict)  # whose stakes lie in the pot
    lines: list[str] = field(default_factory=list)  # ids of the lines played so far; draws depend on them
    doubtful: bool = False  # whether the journal may contain steps that are not applied
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while an action is played
    _players: tuple[object, tuple[Seat, ...]] | None = None  # a state, and its players

    def __post_init__(self) -> None:
        self.state = self.game.start()
        self._codec = self.kit.codec
        self.timer = PhaseTimer(self, self.fill, self.keeps_open)

    @property
    def settings(self) -> str:
        """The settings that it was opened with, as JSON."""
        return canonical(dump(self.game))

    @property
    def seed(self) -> bytes:
        """The secret from which its draws are derived."""
        return self.secret.seed

    @property
    def clock(self) -> Clock | None:
        """The clock of the present phase; None: the table is over, or its clock was stopped."""
        return self.timer.clock

    @property
    def deadline(self) -> float | None:
        """The time of the watch at which the phase ends; None: its clock is stopped."""
        return self.timer.deadline

    @property
    def public_deadline(self) -> float | None:
        """The time of the watch at which the phase ends; None: its clock is stopped, or that is hidden."""
        clock = self.timer.clock
        return None if clock is None or clock.hidden else self.timer.deadline

    @property
    def pot(self) -> purses.Purse:
        """The purse that holds the stakes."""
        return purses.pot(self.room.community, self.id)

    async def play(self, batch: Batch, actions: Sequence[object], cause: Cause) -> None:
        """Play actions as one step of a batch: either all are accepted, or nothing changes.

        The step is reported when the batch is committed.

        Raises:
            Refusal: one of them is not possible now.
            Contradiction: the table was changed by somebody else.
            BrokenGame: the rules failed; the table is to be voided.
        """
        try:
            await batch.hold(self)
        except Closed:  # somebody else has called it off
            raise Refusal(Message("table-over")) from None
        # Who was seated since the actions were made is not seated again.
        actions = [each for each in actions if not (isinstance(each, Sit) and each.seat in self.seated)]
        if not actions:
            return
        self._require_going()
        draft = await self._draft(actions, cause, batch.unit)
        if not await self._post(batch.unit, draft):  # the line was played before
            self.doubt()
            await self.catch_up()
            return
        opens = self._take_place(batch)
        if self._advance(draft, actions, cause):
            # The time of a phase begins when everybody can know that it has begun.
            batch.then(partial(self.timer.start, self.timer.clock))
        elif not all(isinstance(each, Sit) for each in actions):
            batch.then(partial(self._pace_after, self.timer.clock))
        # What opens or ends a table closes the batch: the lines after it may be about the next one, whose
        # secret and cooldown are known only after the commit.
        batch.full = batch.full or opens or self.over
        # Still under the lock: steps are told in their order, and `finished` waits for it.
        batch.then(partial(self.on_step, self, draft.narrated, cause.exchange, opens))

    def doubt(self) -> None:
        """Have the journal read before the next action: it may contain steps that are not applied."""
        self.doubtful = True

    def snapshot(self) -> Callable[[], None]:
        """Return a function that restores the present state of the table."""
        state, turn, over, restore_timer = self.state, self.turn, self.over, self.timer.snapshot()
        # Of `lines`, which only grows, the length is enough: a copy for each line of a crowd would cost the
        # square of it.
        seated, lines = set(self.seated), len(self.lines)
        tellings, vouchers = self.tellings, dict(self.vouchers)

        def restore() -> None:
            self.state, self.turn, self.over = state, turn, over
            self.seated, self.vouchers, self.tellings = seated, vouchers, tellings
            del self.lines[lines:]
            restore_timer()

        return restore

    async def pace(self) -> None:
        """Let the present phase end sooner or later, by who has still to act in it."""
        if await self.timer.pace():
            self.on_paced(self)

    async def _pace_after(self, clock: Clock | None) -> None:
        """Look who has still to act after an action in a phase, which is published with the step."""
        if clock is self.timer.clock:
            await self.timer.pace(acted=True)

    async def hurry(self) -> None:
        """End the present phase now, as if its time were over."""
        if self.timer.clock is not None:
            await self.timer.time_out(self.timer.clock)

    async def finished(self) -> None:
        """Wait until the last step was reported and everything that follows from it is done."""
        async with self.lock:
            pass

    async def void(self, write: Callable[[], Awaitable[object]] | None = None) -> None:
        """End the table and return all stakes.

        `write` replaces the posting of the ledger by one that records more, and raises Closed if the table is
        over.

        Raises:
            Refusal: the table is frozen.
        """
        async with self.lock:
            if self.frozen:
                raise Refusal(_frozen_message(self.room))
            try:
                # It may be settled in the journal: then all was paid, and there is nothing to return.
                with suppress(BrokenGame):  # a table that cannot be replayed is to end all the more
                    await self.catch_up()
                await self._void(write)
            except Closed:
                self._close()  # it was over already

    def menu(self, seat: Seat, purse: int) -> Sequence[Any]:
        """Return the actions that a seat can choose from, given the credits in its purse.

        `Any`: each game has actions of its own.
        """
        actions: Sequence[Any] = () if self.over else self.game.menu(self.state, seat, purse)
        return actions

    def players(self) -> Sequence[Seat]:
        """Return the players that the public view shows, in the order in which they joined."""
        if self._players is None or self._players[0] is not self.state:
            places = self.kit.display.board(self.view(None)).places
            self._players = self.state, tuple(each.seat for each in places)
        return self._players[1]

    def says(self, say: Say) -> Say:
        """Return a message marked with this table and its game."""
        return replace(say, game=self.kit.name, table=self.id)

    def view(self, seat: Seat | None, purse: int = 0) -> Any:
        """Return what a seat may see; None: what everybody may see. Its type is the game's own."""
        return self.game.view(self.state, seat, purse)

    async def sit(self, seats: Sequence[Seat], unit: UnitOfWork | None = None) -> list[Sit]:
        """Return the actions that seat those who are not seated yet, with the game's records of them."""
        new_seats = [seat for seat in dict.fromkeys(seats) if seat not in self.seated]
        source = unit or self.ledger
        bodies = await source.records(self.room.id, self.kit.name, new_seats) if new_seats else {}
        return [Sit(seat, self._codec.load(bodies[seat]) if seat in bodies else None) for seat in new_seats]

    def resume(self, replay: Replay, at_least: float) -> None:
        """Take over the state of a replay; the phase lasts for its remaining time, `at_least` seconds."""
        self.state, self.turn = replay.state, replay.turn
        self.tellings = told_again(self, replay, 0).tellings
        self.seated, self.lines = replay.seated, replay.ids
        self.timer.enter(replay.clock)
        self.over = replay.clock is None
        if replay.clock is not None:
            self.timer.ring(replay.clock, max(replay.left(self.watch.date()), at_least))

    def freeze(self) -> None:
        """Stop the clock and accept no more actions; no stakes are returned."""
        self.timer.stop()
        self.frozen = True

    # One step

    def _require_going(self) -> None:
        if self.over or self.frozen:
            raise Refusal(_frozen_message(self.room) if self.frozen else Message("table-over"))

    async def _post(self, unit: UnitOfWork, draft: Draft) -> bool:
        """Add a step to what is written and return True; False: its id is in the journal already."""
        try:
            return await unit.post(draft.posting)
        except Closed as closed:
            raise Contradiction(str(closed)) from None  # by somebody else, as the journal will say
        except (Short, Exhausted) as short:
            if draft.of_clock:
                raise BrokenGame(self, f"the clock takes what is not there: {short}") from None
            if isinstance(short, Exhausted):
                raise Refusal(Message("mint-exhausted")) from None
            raise Refusal(too_few(short.balance, self.kit.money.buy_in(self.state))) from None
        except (LedgerError, TypeError, ValueError) as error:
            log.exception("a step cannot be written", table=self.id, game=self.kit.name)
            raise BrokenGame(self, repr(error)) from error

    async def catch_up(self) -> None:
        """Read the journal, if it may have steps that are not applied, and apply them.

        Raises:
            Closed: somebody else has voided the table.
            BrokenGame: the journal cannot be replayed.
        """
        if not self.doubtful:
            return
        assert self.lock.locked(), f"expected the lock of table {self.id} to be held"  # noqa: S101
        turn = self.turn
        try:
            record_and_replay = await reread(self.journal, self.id, {self.kit.name: self.kit})
        except Unreplayable as error:
            log.exception("a table has lost its journal", table=self.id, game=self.kit.name)
            raise BrokenGame(self, str(error)) from error
        if record_and_replay is None and turn:
            self._close()
            await self.on_void(self)
            raise Closed(self.id)
        self.doubtful = False
        if record_and_replay is not None and record_and_replay[1].turn > turn:
            self.vouchers = (await self.ledger.vouchers.staked_at([self.id]))[self.id]
            self.resume(record_and_replay[1], at_least=0.0)
            await self.on_step(self, told_again(self, record_and_replay[1], turn), None, self._take_place())

    async def _draft(self, actions: Sequence[object], cause: Cause, unit: UnitOfWork) -> Draft:
        """Compute what the actions do, without changing anything."""
        ids = [*self.lines, cause.line] if cause.line else self.lines
        draft = Draft(self, cause, unit)
        for action in actions:
            filled = isinstance(action, Timeout) and draft.turn > self.turn
            if filled and draft.clock != self.timer.clock:
                continue  # whoever sat down for the end of the phase has ended it: the table is full
            try:
                await draft.decide(action, ids)
            except (Refusal, SQLAlchemyError, OSError):
                raise
            except Exception as error:
                log.exception("the rules failed", table=self.id, game=self.kit.name, action=repr(action))
                raise BrokenGame(self, repr(error)) from error
        if self.admit is not None and not draft.of_clock:
            await self.admit(self, Seat(cause.seat), draft.state)
        draft.finish()
        draft.narrated = narrate(self, draft.events)
        if draft.forfeits:
            notice = self.says(Say(Message("voucher-spent"), to=Seat(cause.seat), secret=True))
            draft.narrated = replace(draft.narrated, says=(*draft.narrated.says, notice))
        return draft

    def _take_place(self, batch: Batch | None = None) -> bool:
        """Add the table to its room and return True; False: it is there already."""
        spot, tables = self.spot, self.room.tables
        previous = tables.get(spot)
        if previous is self:
            return False
        tables[spot] = self
        if batch is not None:
            batch.undo(
                partial(tables.pop, spot) if previous is None else partial(tables.update, {spot: previous})
            )
        return True

    def _advance(self, draft: Draft, actions: Sequence[object], cause: Cause) -> bool:
        """Apply a step, and return whether another phase begins, whose clock is not started yet."""
        self.state, self.turn = draft.state, draft.turn
        self.timer.succeeded()
        self.vouchers = draft.vouchers
        self.tellings = draft.narrated.tellings
        self.seated.update(each.seat for each in actions if isinstance(each, Sit))
        if cause.line:
            self.lines.append(cause.line)
        clock, previous = draft.clock, self.timer.clock
        if clock is not None and previous is not None and clock.phase == previous.phase:
            return False
        self.timer.enter(clock)
        self.over = clock is None
        return True

    async def _void(self, write: Callable[[], Awaitable[object]] | None = None) -> None:
        if self.over or self.frozen:
            return
        assert self.lock.locked(), f"expected the lock of table {self.id} to be held"  # noqa: S101
        if not self.turn:  # nothing was written: a table of this id in the database is a different one
            self._close()
            return
        try:
            await (write or partial(self.ledger.void, self.id, self.watch.date(), self.seed))()
        except (SQLAlchemyError, OSError):
            self.doubtful = True
            raise
        self.voided = True
        self._close()
        await self.on_void(self)

    def _close(self) -> None:
        self.timer.stop()
        self.over = True


def _frozen_message(room: Room) -> Message:
    """Return why a table is frozen; its room may play again by now, with the same table read anew."""
    return Message(room.stopped or "try-again")
