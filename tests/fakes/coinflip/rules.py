"""Whoever bet calls the coin in secret; a right call doubles the stake, silence is heads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, TypeAlias, assert_never

from pydantic import Field

from chatbot.kernel.game import Clock, Moment, Refusal, Role, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import Unit, Whole, Window

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

HEADS, TAILS = "heads", "tails"


@dataclass(frozen=True, slots=True)
class Bet:
    seat: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Call:
    seat: Seat
    side: str


@dataclass(frozen=True, slots=True)
class Opened:
    seat: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Joined:
    seat: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Called:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Landed:
    side: str
    winners: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class State:
    stakes: Mapping[Seat, int] = field(default_factory=dict)
    calls: Mapping[Seat, str] = field(default_factory=dict)
    landed: str | None = None


@dataclass(frozen=True, slots=True)
class View:
    stakes: Mapping[Seat, int]
    called: frozenset[Seat]
    own_call: str | None
    landed: str | None


Action: TypeAlias = Bet | Call
Event: TypeAlias = Opened | Joined | Called | Landed
Input: TypeAlias = Action | Sit | Timeout


@dataclass(frozen=True, slots=True)
class CoinFlip:
    window: Window = 20
    stake: Annotated[Whole, Field(ge=1, le=1000), Unit("credits")] = 10
    starters: Role = Role.VIEWER

    def start(self) -> State:
        return State()

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(state)
            case Bet():
                return self._bet(state, action)
            case Call():
                if action.seat not in state.stakes:
                    raise Refusal(Message("coinflip-not-in"))
                calls = {**state.calls, action.seat: action.side}
                return Step(replace(state, calls=calls), (Called(action.seat),))
            case Timeout():
                return self._flip(state, moment)
            case _:
                assert_never(action)

    def needs(self, state: State, action: Input) -> Collection[Seat]:
        return ()

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        if state.landed is not None:
            return []
        if seat in state.stakes:
            return [Call(seat, HEADS), Call(seat, TAILS)]
        return [Bet(seat, self.stake)] if purse >= self.stake else []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:
        own = state.calls.get(seat) if seat else None
        return View(state.stakes, frozenset(state.calls), own, state.landed)

    def clock(self, state: State) -> Clock | None:
        return None if state.landed else Clock("flip", self.window)

    def rest(self, state: State) -> int:
        return 0

    def _bet(self, state: State, action: Bet) -> Step[State]:
        if action.seat in state.stakes:
            raise Refusal(Message("coinflip-already-in", {"stake": Credits(state.stakes[action.seat])}))
        kind = Joined if state.stakes else Opened
        after = replace(state, stakes={**state.stakes, action.seat: action.credits})
        stake = Transfer(action.seat, SystemPurse.POT, action.credits, "stake")
        return Step(after, (kind(action.seat, action.credits),), (stake,))

    def _flip(self, state: State, moment: Moment) -> Step[State]:
        side = moment.rng.choice((HEADS, TAILS))
        winners = tuple(seat for seat in state.stakes if state.calls.get(seat, HEADS) == side)
        lost = [
            Transfer(SystemPurse.POT, SystemPurse.HOUSE, stake, "stake") for stake in state.stakes.values()
        ]
        won = [Transfer(SystemPurse.HOUSE, seat, 2 * state.stakes[seat], "winnings") for seat in winners]
        return Step(replace(state, landed=side), (Landed(side, winners),), (*lost, *won))
