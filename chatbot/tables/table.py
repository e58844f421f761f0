"""One game being played: it takes actions one at a time, posts what they cost, and winds the clock.

An action is read, decided, posted and only then kept: a refusal at any point leaves nothing changed.
Whatever else goes wrong ends the table with every stake back where it came from.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

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
from chatbot.ledger.books.posting import Closed, Exhausted, LedgerError, Moved, Short
from chatbot.ledger.chains import Secret
from chatbot.rooms.clock import Alarm, Watch
from chatbot.rooms.inbox import Alone, Batch
from chatbot.rooms.replies import Exchange
from chatbot.rooms.request import too_few
from chatbot.rooms.room import Room
from chatbot.tables.draft import Cause, Draft, LedgerView
from chatbot.tables.replay import Replay, Unreplayable, reread

TRIES = 20  # to decide afresh when a purse has changed in between
PATIENCE = 5.0  # seconds until a step of the clock that could not be written is tried again
ENOUGH = 60  # such tries, five minutes, until the stakes go back instead

log = structlog.get_logger(__name__)


class BrokenGame(Exception):  # noqa: N818  (what happened, not what it is)
    """The rules failed; the table is void."""


@dataclass(eq=False)
class Table:
    """`told(table, events, exchange, opens)` hears of each step kept, `broken(table)` when it is void."""

    id: str
    kit: AnyKit
    game: AnyGame
    room: Room
    secret: Secret
    ledger: Ledger
    journal: Journal
    watch: Watch
    spot: str  # where in the room it stands
    told: Callable[[Table, tuple[object, ...], Exchange | None, bool], Awaitable[None]]
    broken: Callable[[Table], Awaitable[None]]
    state: Any = None
    turn: int = 0  # of the last journal row
    over: bool = False
    frozen: bool = False  # nothing moves: what its room goes on with is read from its journal again
    seated: set[Seat] = field(default_factory=set)
    deadline: float | None = None  # on the watch
    lines: list[str] = field(default_factory=list)  # ids of those played so far: they enter the draws
    _adrift: bool = False  # whether the journal may hold more than we know
    _failures: int = 0  # of the clock's present step
    _alarm: Alarm | None = None
    _seen: tuple[Any, tuple[Seat, ...]] | None = None  # players, as of a state
    _clock: Clock | None = None  # the one that is running
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.state = self.game.start()
        self._codec = self.kit.codec

    @property
    def settings(self) -> str:
        """Write down the settings that it was opened with, as JSON."""
        return canonical(dump(self.game))

    @property
    def seed(self) -> bytes:
        """The secret that its draws come from."""
        return self.secret.seed

    @property
    def doubtful(self) -> bool:
        """Whether its journal may hold more than we know."""
        return self._adrift

    @property
    def clock(self) -> Clock | None:
        return self._clock

    @property
    def public_deadline(self) -> float | None:
        """When the phase ends, on the watch; None: its clock stands still, or that is hidden."""
        return None if self._clock is None or self._clock.hidden else self.deadline

    @property
    def pot(self) -> purses.Purse:
        return purses.pot(self.room.community, self.id)

    @property
    def alone(self) -> asyncio.Lock:
        """What whoever plays here holds."""
        return self._lock

    async def play(self, actions: Sequence[Any], cause: Cause) -> None:
        """Take actions as one: all are accepted, or nothing has happened.

        Raises:
            Refusal: one of them is not possible now.
            BrokenGame: the rules failed; the table is void and the stakes are back.
        """
        async with self._lock:
            await self._play(actions, cause)

    async def play_with(self, batch: Batch, actions: Sequence[Any], cause: Cause) -> None:
        """Take actions as one, of which nothing is written and told before the batch is committed.

        Raises:
            Refusal: one of them is not possible now.
            Alone, Unsettled, BrokenGame: they must be taken by `play`, if at all.
        """
        await batch.hold(self)
        if self._adrift:
            raise Alone
        self._require_going()
        actions = self._left_of(actions)
        if not actions:
            return
        draft = await self._draft(actions, cause, batch.unit)
        if not await batch.unit.post(draft.posting):
            raise Alone  # the same line again: the journal knows
        opens = self._take_place(batch)
        if self._advance(draft, actions, cause):
            batch.then(partial(self._start_clock, self._clock))  # a phase begins when all can know of it
        batch.full = batch.full or opens or self.over
        batch.then(partial(self.told, self, tuple(draft.events), cause.exchange, opens))

    def doubt(self) -> None:
        """Read the journal before anything else is played: it may hold more than we know."""
        self._adrift = True

    def remembered(self) -> Callable[[], None]:
        """Give what brings everything back to where it is now."""
        state, turn, over, clock, deadline = self.state, self.turn, self.over, self._clock, self.deadline
        seated, lines, failures = set(self.seated), len(self.lines), self._failures

        def bring_back() -> None:
            self.state, self.turn, self.over, self._failures = state, turn, over, failures
            self.seated = seated
            del self.lines[lines:]
            if clock != self._clock:
                self._stop()
                self._clock = clock
                if clock is not None and deadline is not None:
                    self._ring(clock, max(deadline - self.watch.now(), 0.0))

        return bring_back

    async def hurry(self) -> None:
        """Let the running clock run out now."""
        if self._clock is not None:
            await self._time_out(self._clock)

    async def finished(self) -> None:
        """Wait until the last step has been told, and what hangs on it is done."""
        async with self._lock:
            pass

    async def void(self, write: Callable[[], Awaitable[object]] | None = None) -> None:
        """End the table with every stake back; `write` notes it too, or raises Closed."""
        async with self._lock:
            if self.frozen:
                raise Refusal(self._standstill())
            try:
                if self._adrift:
                    await self._catch_up()
                await self._void(write)
            except Closed:
                self._close()  # it was over already

    def menu(self, seat: Seat, purse: int) -> Sequence[Any]:
        actions: Sequence[Any] = () if self.over else self.game.menu(self.state, seat, purse)
        return actions

    def players(self) -> Sequence[Seat]:
        """List who plays here as all see it, in the order in which they came."""
        if self._seen is None or self._seen[0] is not self.state:
            places = self.kit.board(self.view(None)).places
            self._seen = self.state, tuple(each.seat for each in places)
        return self._seen[1]

    def says(self, say: Say) -> Say:
        """Make a line one of this table's."""
        return replace(say, game=self.kit.name, table=self.id)

    def view(self, seat: Seat | None, purse: int = 0) -> Any:
        return self.game.view(self.state, seat, purse)

    async def sit(self, seats: Sequence[Seat], books: LedgerView | None = None) -> list[Sit]:
        """Make the actions that seat those who do not sit yet, with what the game remembers of them."""
        fresh = [seat for seat in dict.fromkeys(seats) if seat not in self.seated]
        asked = books or self.ledger
        bodies = await asked.records(self.room.id, self.kit.name, fresh) if fresh else {}
        return [Sit(seat, self._codec.load(bodies[seat]) if seat in bodies else None) for seat in fresh]

    def resume(self, replayed: Replay, at_least: float) -> None:
        """Go on where a story has come to, with the time that its phase has left."""
        self.state, self.turn = replayed.state, replayed.turn
        self.seated, self.lines = replayed.seated, replayed.ids
        self._stop()
        self._clock, self.over = replayed.clock, replayed.clock is None
        if self._clock is not None:
            self._ring(self._clock, max(replayed.left(self.watch.date()), at_least))

    def freeze(self) -> None:
        """Stop where it stands: nothing is played any more, and nothing is given back either."""
        self._stop()
        self.frozen = True

    def _standstill(self) -> Message:
        """Say why it was frozen; its room may go on by now, with the same table read again."""
        return Message(self.room.stopped or "try-again")

    # One step

    async def _play(self, actions: Sequence[Any], cause: Cause) -> None:
        for _ in range(TRIES):
            try:
                await self._step(actions, cause)
            except Moved:
                continue
            except Closed:
                self._close()  # by another hand: whatever we still have of it is not true any more
                raise Refusal(Message("table-over")) from None
            except BrokenGame:
                await self._void()
                raise
            return
        raise Refusal(Message("try-again"))

    async def _step(self, actions: Sequence[Any], cause: Cause) -> None:
        if self._adrift:
            clock = self._clock
            await self._catch_up()
            if not cause.line and self._clock != clock:
                return  # the phase has ended, as the journal has it
        actions = self._left_of(actions)
        if not actions:
            return
        self._require_going()
        draft = await self._draft(actions, cause, self.ledger)
        if await self._post(draft):
            opens = self._take_place()
            if self._advance(draft, actions, cause):
                await self._start_clock(self._clock)
            await self.told(self, tuple(draft.events), cause.exchange, opens)
        else:  # the same line again, or an answer that was lost: the journal knows
            await self._catch_up()

    def _left_of(self, actions: Sequence[Any]) -> list[Any]:
        """Leave out that somebody sits down who sits here since that was asked for."""
        return [each for each in actions if not (isinstance(each, Sit) and each.seat in self.seated)]

    def _require_going(self) -> None:
        if self.over or self.frozen:
            raise Refusal(self._standstill() if self.frozen else Message("table-over"))

    async def _post(self, draft: Draft) -> bool:
        """Write a step; False: its id is in the journal already."""
        try:
            return await self.ledger.post(draft.posting)
        except (Short, Exhausted) as short:
            if draft.of_clock:
                raise BrokenGame(f"the clock takes what is not there: {short}") from None
            if isinstance(short, Exhausted):
                raise Refusal(Message("mint-exhausted")) from None
            raise Refusal(too_few(short.balance, self.kit.entry(self.state))) from None
        except (LedgerError, TypeError, ValueError) as error:
            log.exception("a step cannot be written", table=self.id, game=self.kit.name)
            raise BrokenGame(repr(error)) from error
        except (SQLAlchemyError, OSError):
            self._adrift = True
            raise

    async def _catch_up(self) -> None:
        """Read the journal again, and take over what it has and we have not."""
        known = self.turn
        try:
            found = await reread(self.journal, self.id, {self.kit.name: self.kit})
        except Unreplayable as error:
            log.exception("a table has lost its journal", table=self.id, game=self.kit.name)
            raise BrokenGame(str(error)) from error
        if found is None and known:
            self._close()
            await self.broken(self)
            raise Closed(self.id)
        self._adrift = False
        if found is not None and found[1].turn > known:
            self.resume(found[1], at_least=0.0)
            await self.told(self, found[1].since_turn(known), None, self._take_place())

    async def _draft(self, actions: Sequence[Any], cause: Cause, books: LedgerView) -> Draft:
        """Decide what the actions do, changing nothing."""
        ids = [*self.lines, cause.line] if cause.line else self.lines
        draft = Draft(self, cause, books)
        for action in actions:
            try:
                await draft.decide(action, ids)
            except (Refusal, SQLAlchemyError, OSError):
                raise
            except Exception as error:
                log.exception("the rules failed", table=self.id, game=self.kit.name, action=repr(action))
                raise BrokenGame(repr(error)) from error
        return draft

    def _take_place(self, batch: Batch | None = None) -> bool:
        """Stand in the room from now on; False: it has before."""
        spot, tables = self.spot, self.room.tables
        former = tables.get(spot)
        if former is self:
            return False
        tables[spot] = self
        if batch is not None:
            batch.undo(
                partial(tables.pop, spot) if former is None else partial(tables.update, {spot: former})
            )
        return True

    def _advance(self, draft: Draft, actions: Sequence[Any], cause: Cause) -> bool:
        """Be where a step leads; tell whether another phase has begun, whose clock stands still yet."""
        self.state, self.turn, self._failures = draft.state, draft.turn, 0
        self.seated.update(each.seat for each in actions if isinstance(each, Sit))
        if cause.line:
            self.lines.append(cause.line)
        clock = self.game.clock(self.state)
        if clock is not None and self._clock is not None and clock.phase == self._clock.phase:
            return False
        self._stop()
        self._clock, self.over = clock, clock is None
        return True

    # The clock

    async def _start_clock(self, clock: Clock | None) -> None:
        if clock is not None and clock is self._clock:
            self._ring(clock, clock.seconds)

    def _ring(self, clock: Clock, seconds: float) -> None:
        if self.frozen:
            return

        async def time_out() -> None:
            await self._time_out(clock)

        self.deadline = self.watch.now() + seconds
        self._alarm = self.watch.ring(seconds, time_out)

    def _stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._clock, self.deadline = None, None, None

    async def _time_out(self, clock: Clock) -> None:
        """Let a phase run out, behind all lines that came before its end."""
        await self.room.inbox.alone(partial(self._run_out, clock))

    async def _run_out(self, clock: Clock) -> None:
        async with self._lock:
            if clock != self._clock or self.frozen:
                return  # another step was quicker
            try:
                await self._play([Timeout(clock)], Cause())
            except BrokenGame:
                return
            except Exception:
                if self.over:  # by another hand: there is nothing left to play
                    return
                log.exception("the clock could not play", table=self.id, phase=clock.phase)
                await self._be_patient(clock)

    async def _be_patient(self, clock: Clock) -> None:
        """Try a step again later, for the database may come back; give up when it plainly will not."""
        self._failures += 1
        self._ring(clock, PATIENCE)
        if self._failures >= ENOUGH:
            await self._void()

    async def _void(self, write: Callable[[], Awaitable[object]] | None = None) -> None:
        if self.over or self.frozen:
            return
        if not self.turn:  # nothing of ours is in the books: a table of this number is another's
            self._close()
            return
        try:
            await (write or partial(self.ledger.void, self.id, self.watch.date(), self.seed))()
        except (SQLAlchemyError, OSError):
            self._adrift = True
            raise
        self._close()
        await self.broken(self)

    def _close(self) -> None:
        self._stop()
        self.over = True
