"""One game being played: it takes actions one at a time, posts what they cost, and winds the clock.

An action is read, decided, posted and only then kept: a refusal at any point leaves nothing changed.
Whatever else goes wrong ends the table with every stake back where it came from.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import Clock, Moment, Refusal, Seat, Sit, Timeout
from chatbot.kernel.kit import Kit
from chatbot.kernel.say import Message
from chatbot.live.asked import too_few
from chatbot.live.draft import Cause, Draft
from chatbot.live.room import Room
from chatbot.live.watch import Alarm, Watch
from chatbot.wallets import accounts
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.posting import Closed, LedgerError, Moved, Short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


TRIES = 20  # to decide afresh when a purse has changed in between
PATIENCE = 5.0  # seconds until a step of the clock that could not be written is tried again
ENOUGH = 60  # such tries, five minutes, until the stakes go back instead

log = structlog.get_logger(__name__)


class BrokenGame(Exception):  # noqa: N818  (what happened, not what it is)
    """The rules failed; the table is void."""


@dataclass(eq=False)
class Table:
    """`told(table, events)` hears of each step that is kept; `broken(table)` when it was called off."""

    id: str
    kit: Kit
    game: Any
    room: Room
    seed: bytes
    ledger: Ledger
    watch: Watch
    told: Callable[[Table, tuple[object, ...]], Awaitable[None]]
    broken: Callable[[Table], Awaitable[None]]
    state: Any = None
    turn: int = 0  # of the last journal row
    over: bool = False
    seated: set[Seat] = field(default_factory=set)
    deadline: float | None = None  # on the watch
    _ids: list[str] = field(default_factory=list)  # of the lines played so far: they enter the draws
    _failures: int = 0  # of the clock's present step
    _alarm: Alarm | None = None
    _clock: Clock | None = None  # the one that is running
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.state = self.game.start()
        self._codec = self.kit.codec

    @property
    def clock(self) -> Clock | None:
        return self._clock

    @property
    def pot(self) -> str:
        return accounts.pot(self.id)

    async def play(self, actions: Sequence[Any], cause: Cause) -> None:
        """Take actions as one: all are accepted, or nothing has happened.

        Raises:
            Refusal: one of them is not possible now.
            BrokenGame: the rules failed; the table is void and the stakes are back.
        """
        async with self._lock:
            await self._play(actions, cause)

    async def hurry(self) -> None:
        """Let the running clock run out now."""
        if self._clock is not None:
            await self._time_out(self._clock)

    async def finished(self) -> None:
        """Wait until the last step has been told, and what hangs on it is done."""
        async with self._lock:
            pass

    async def void(self) -> None:
        """End the table with every stake back."""
        async with self._lock:
            await self._void()

    def menu(self, seat: Seat, purse: int) -> Sequence[Any]:
        actions: Sequence[Any] = () if self.over else self.game.menu(self.state, seat, purse)
        return actions

    def view(self, seat: Seat | None, purse: int = 0) -> Any:
        return self.game.view(self.state, seat, purse)

    async def sit(self, seats: Sequence[Seat]) -> list[Sit]:
        """Make the actions that seat those who do not sit yet, with what the game remembers of them."""
        fresh = [seat for seat in dict.fromkeys(seats) if seat not in self.seated]
        bodies = await self.ledger.records(self.room.id, self.kit.name, fresh) if fresh else {}
        return [Sit(seat, self._codec.load(bodies[seat]) if seat in bodies else None) for seat in fresh]

    # One step

    async def _play(self, actions: Sequence[Any], cause: Cause) -> None:
        if self.over:
            raise Refusal(Message("table-over"))
        for _ in range(TRIES):
            try:
                draft = await self._draft(actions, cause)
                await self._post(draft)
            except Moved:
                continue
            except Short as short:
                raise Refusal(too_few(short.balance)) from None
            except Closed:
                self._close()  # by another hand: whatever we still have of it is not true any more
                raise Refusal(Message("table-over")) from None
            except BrokenGame:
                await self._void()
                raise
            await self._keep(draft, actions, cause)
            return
        raise Refusal(Message("try-again"))

    async def _post(self, draft: Draft) -> None:
        """Write a step that nobody has written; another one under its id means that we have lost count."""
        try:
            posting = draft.posting
            if not await self.ledger.post(posting):
                raise BrokenGame(f"{posting.id} is in the journal already")
        except (LedgerError, TypeError, ValueError) as error:
            log.exception("a step cannot be written", table=self.id, game=self.kit.name)
            raise BrokenGame(repr(error)) from error

    async def _draft(self, actions: Sequence[Any], cause: Cause) -> Draft:
        """Decide what the actions do, changing nothing."""
        ids = [*self._ids, cause.line] if cause.line else self._ids
        draft = Draft(self, cause)
        for action in actions:
            try:
                await self._decide(draft, action, ids)
            except (Refusal, SQLAlchemyError, OSError):
                raise
            except Exception as error:
                log.exception("the rules failed", table=self.id, game=self.kit.name, action=repr(action))
                raise BrokenGame(repr(error)) from error
        return draft

    async def _decide(self, draft: Draft, action: Any, ids: Sequence[str]) -> None:
        purses = await self._purses(draft, action)
        key = turn_key(self.seed, draft.turn + 1, ids)
        step = self.game.apply(draft.state, action, Moment(Rng(key), purses))
        draft.add(self._codec, action, purses, step)

    async def _purses(self, draft: Draft, action: Any) -> Mapping[Seat, int]:
        """Read the purses that this action needs, as they will be after the actions before it."""
        needed = sorted(self.game.needs(draft.state, action))
        if not needed:
            return {}
        names = {seat: accounts.wallet(self.room.community, seat) for seat in needed}
        balances = await self.ledger.balances(list(names.values()))
        draft.expects.update(balances)
        return {seat: balances[names[seat]] + draft.net(names[seat]) for seat in needed}

    async def _keep(self, draft: Draft, actions: Sequence[Any], cause: Cause) -> None:
        self.state, self.turn, self._failures = draft.state, draft.turn, 0
        self.seated.update(each.seat for each in actions if isinstance(each, Sit))
        if cause.line:
            self._ids.append(cause.line)
        self._wind()
        await self.told(self, tuple(draft.events))

    # The clock

    def _wind(self) -> None:
        clock = self.game.clock(self.state)
        if clock is not None and self._clock is not None and clock.phase == self._clock.phase:
            return
        self._stop()
        self._clock, self.over = clock, clock is None
        if clock is not None:
            self._ring(clock, clock.seconds)

    def _ring(self, clock: Clock, seconds: float) -> None:
        async def time_out() -> None:
            await self._time_out(clock)

        self.deadline = self.watch.now() + seconds
        self._alarm = self.watch.ring(seconds, time_out)

    def _stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._clock, self.deadline = None, None, None

    async def _time_out(self, clock: Clock) -> None:
        async with self._lock:
            if clock != self._clock:
                return  # another step was quicker
            try:
                await self._play([Timeout(clock)], Cause())
            except BrokenGame:
                return
            except Exception:
                log.exception("the clock could not play", table=self.id, phase=clock.phase)
                await self._be_patient(clock)

    async def _be_patient(self, clock: Clock) -> None:
        """Try a step again later, for the database may come back; give up when it plainly will not."""
        self._failures += 1
        self._ring(clock, PATIENCE)
        if self._failures >= ENOUGH:
            await self._void()

    async def _void(self) -> None:
        if self.over:
            return
        await self.ledger.void(self.id, self.watch.date())
        self._close()
        await self.broken(self)

    def _close(self) -> None:
        self._stop()
        self.over = True
