"""The rules: a stake each, a burn time that is drawn and hidden, and the order in which they let go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, TypeAlias, assert_never, get_args

from pydantic import Field

from chatbot.kernel.game import Clock, Moment, Refusal, Role, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.say import Credits, Message, Name
from chatbot.kernel.settings import Unit, Whole, Window

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Hold:
    """Light a fuse, or take hold of the one that somebody has lit; None: on the usual terms, or on theirs."""

    seat: Seat
    credits: int | None = None


@dataclass(frozen=True, slots=True)
class LetGo:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Offered:
    seat: Seat
    credits: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Lit:
    seat: Seat
    rival: Seat
    credits: int


@dataclass(frozen=True, slots=True)
class Released:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Lapsed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Burnt:
    """The end; without a winner both held on too long, and have their stakes back."""

    players: tuple[Seat, ...]
    released: tuple[Seat, ...]
    winner: Seat | None
    pot: int


Action: TypeAlias = Hold | LetGo
Event: TypeAlias = Offered | Lit | Released | Lapsed | Burnt
Input: TypeAlias = Action | Sit | Timeout

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Seat, ...] = ()
    credits: int = 0  # that each has staked
    burns: int = 0  # for so many seconds, which nobody may know
    released: tuple[Seat, ...] = ()  # in the order in which they let go
    winner: Seat | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """`released` is of both at the end, and before of the own seat alone."""

    players: tuple[Seat, ...]
    credits: int
    released: tuple[Seat, ...]
    winner: Seat | None
    over: bool


@dataclass(frozen=True, slots=True)
class Fuse:
    window: Window = 60
    shortest: Window = 10
    longest: Window = 45
    stake: Annotated[Whole, Field(ge=1, le=1000), Unit("credits")] = 10
    starters: Role = Role.VIEWER

    def start(self) -> State:
        return State()

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        if state.over:
            raise Refusal(Message("fuse-over"))
        match action:
            case Sit():
                return Step(state)
            case Hold():
                return self._hold(state, action, moment)
            case LetGo():
                return self._let_go(state, action.seat)
            case Timeout():
                return self._burn(state)
            case _:
                assert_never(action)

    def needs(self, state: State, action: Input) -> Collection[Seat]:
        return ()

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        if state.over:
            return []
        if len(state.players) == PLAYERS:
            return [LetGo(seat)] if seat in state.players and seat not in state.released else []
        price = state.credits or self.stake
        return [Hold(seat, price)] if seat not in state.players and price <= purse else []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:
        released = tuple(each for each in state.released if state.over or each == seat)
        return View(state.players, state.credits, released, state.winner, state.over)

    def clock(self, state: State) -> Clock | None:
        if state.over:
            return None
        return Clock("burning", state.burns, hidden=True) if state.burns else Clock("offer", self.window)

    def rest(self, state: State) -> int:
        return 0

    def _hold(self, state: State, action: Hold, moment: Moment) -> Step[State]:
        if action.seat in state.players:
            raise Refusal(Message("fuse-already-in"))
        if len(state.players) == PLAYERS:
            raise Refusal(Message("fuse-taken"))
        staked = action.credits or state.credits or self.stake
        stake = Transfer(action.seat, SystemPurse.POT, staked, "stake")
        if not state.players:
            offered = Offered(action.seat, staked, self.window)
            return Step(replace(state, players=(action.seat,), credits=staked), (offered,), (stake,))
        (first,) = state.players
        if staked != state.credits:
            raise Refusal(Message("fuse-terms", {"who": Name(first), "stake": Credits(state.credits)}))
        most = max(self.shortest, self.longest)
        burns = self.shortest + moment.rng.below(most - self.shortest + 1)
        after = replace(state, players=(first, action.seat), burns=burns)
        return Step(after, (Lit(first, action.seat, staked),), (stake,))

    def _let_go(self, state: State, seat: Seat) -> Step[State]:
        if seat not in state.players or len(state.players) < PLAYERS:
            raise Refusal(Message("fuse-not-in"))
        if seat in state.released:
            raise Refusal(Message("fuse-let-go-already"))
        after = replace(state, released=(*state.released, seat))
        if len(after.released) < PLAYERS:
            return Step(after, (Released(seat),))
        ended = self._burn(after)
        return Step(ended.state, (Released(seat), *ended.events), ended.transfers)

    def _burn(self, state: State) -> Step[State]:
        if len(state.players) < PLAYERS:
            back = [Transfer(SystemPurse.POT, each, state.credits, "refund") for each in state.players]
            lapsed = [Lapsed(each) for each in state.players]
            return Step(replace(state, over=True), (*lapsed,), (*back,))
        pot = PLAYERS * state.credits
        winner = state.released[-1] if state.released else None
        if winner is None:
            paid = [Transfer(SystemPurse.POT, each, state.credits, "refund") for each in state.players]
        else:
            paid = [Transfer(SystemPurse.POT, winner, pot, "winnings")]
        burnt = Burnt(state.players, state.released, winner, pot)
        return Step(replace(state, winner=winner, over=True), (burnt,), (*paid,))


def was_played(state: State) -> bool:
    return state.over and len(state.players) == PLAYERS


def buy_in(state: State) -> int:
    return state.credits
