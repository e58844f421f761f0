"""High Show: cards from a secret K on come one by one; keep so many of them, and pay for what is rejected.

K and the order of the deck are drawn when the game begins, so that the seed of the table settles them, and
the best policy can be shown on the same deck in the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, TypeAlias, assert_never

from pydantic import AfterValidator, BeforeValidator, Field

from chatbot.games.highshow.rules.moves import (
    Action,
    AskHint,
    Away,
    CashOut,
    Completed,
    Event,
    Forced,
    Guess,
    HintAsked,
    Kept,
    Open,
    Opened,
    Rejected,
    Revealed,
    SeeAnother,
)
from chatbot.games.highshow.rules.par import Par, par
from chatbot.games.highshow.rules.states import (
    Empty,
    Guessing,
    Over,
    Playing,
    Show,
    State,
    Unused,
    View,
    view,
)
from chatbot.games.highshow.rules.terms import FEWEST_CARDS, MOST_CARDS, Terms, read_penalty
from chatbot.kernel import stakes
from chatbot.kernel.game import Clock, Moment, Refusal, Seat, Sit, Step, SystemPurse, Timeout, Transfer
from chatbot.kernel.say import Message, Name
from chatbot.kernel.settings import Tables, Unit, Whole, Window
from chatbot.kernel.stakes import StakedGame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.fair import Rng


def _penalty(text: str) -> str:
    try:
        return str(read_penalty(text))
    except Refusal as refusal:
        raise ValueError(refusal.message.id) from None


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError(f"expected a penalty, got {value!r}")  # noqa: TRY004  (pydantic listens for ValueError)
    return value


Penalty = Annotated[str, BeforeValidator(_text), AfterValidator(_penalty), Message("expects-penalty")]
Cards = Annotated[Whole, Field(ge=FEWEST_CARDS, le=MOST_CARDS), Unit("cards")]
Keep = Annotated[Whole, Field(ge=1, le=MOST_CARDS - 1), Unit("cards")]


# Ready-made settings: the usual game, a short one for busy rooms, and one with a stake.
PRESETS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "short": {"cards": 8, "keep": 3, "decision": 30, "estimates": 20},
    "stakes": {"cards": 12, "default_stake": 50},
}


AWAY = 3
"""Cards in a row for which the time runs out until whoever plays is taken to have left."""

Input: TypeAlias = Action | Sit | Timeout


@dataclass(frozen=True, slots=True)
class HighShow(StakedGame):
    """The rules with a room's settings."""

    decision: Window = 60
    estimates: Window = 45
    cards: Cards = 20
    keep: Keep = 3
    penalty: Penalty = "linear"
    most_cards: Cards = 1000
    games: Tables = 10

    @property
    def usual_cards(self) -> int:
        """How many cards a deck has where nothing is said."""
        return min(self.cards, self.most_cards)

    def usual_keep(self, cards: int) -> int:
        """How many of so many cards are kept where nothing is said."""
        return min(self.keep, cards - 1)

    def terms(self, cards: int, keep: int, penalty: str) -> Terms:
        """Make the terms of a game.

        Raises:
            Refusal: this cannot be played, or not here.
        """
        terms = Terms(cards, keep, read_penalty(penalty))
        if cards > self.most_cards:
            raise Refusal(Message("highshow-too-many", {"most": self.most_cards}))
        return terms

    def agree(self, terms: Terms, stake: int) -> Par | None:
        """Return the par of a stake on these terms; the first time it takes up to a second.

        Raises:
            Refusal: the stake is outside the limits, or the terms are for honour only.
        """
        if not stake:
            return None
        stakes.check(stake, self.min_stake, self.max_stake)
        stake_par = par(terms)
        if stake_par is None:
            raise Refusal(Message("highshow-honour-only"))
        return stake_par

    def start(self) -> State:
        return Empty()

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        match action:
            case Sit():
                return Step(_seated(state, action.seat))
            case Open():
                return self._open(state, action, moment.rng)
            case CashOut() | SeeAnother():
                return self._decide(_playing(state, action.seat), kept=isinstance(action, CashOut))
            case AskHint():
                return _hint(_playing(state, action.seat))
            case Guess():
                return _reveal(_guessing(state, action), action)
            case Timeout():
                return self._time_out(state, action)
            case _:
                assert_never(action)

    def menu(self, state: State, seat: Seat, purse: int) -> Sequence[Action]:
        if state.player not in {None, seat}:
            return []
        match state:
            case Empty():
                return self._openings(seat, purse)
            case Playing():
                hint = [] if state.hinted or state.show.stake else [AskHint(seat)]
                return [CashOut(seat), SeeAnother(seat), *hint]
            case Guessing():
                return [Guess(seat)]
            case Unused() | Over():
                return []

    def view(self, state: State, seat: Seat | None, purse: int = 0) -> View:  # noqa: ARG002
        return view(state)

    def clock(self, state: State) -> Clock | None:
        match state:
            case Empty():
                return Clock("opening", self.decision)
            case Playing():
                return Clock(f"decision {len(state.seen) + 1}", self.decision)
            case Guessing():
                return Clock("estimates", self.estimates)
            case Unused() | Over():
                return None

    # Opening

    def _openings(self, seat: Seat, purse: int) -> list[Open]:
        cards = self.usual_cards
        usual = Open(seat, cards, self.usual_keep(cards), self.penalty, self.usual_stake)
        honour = replace(usual, credits=0)
        if not 0 < usual.credits <= purse or par(self.terms(usual.cards, usual.keep, usual.penalty)) is None:
            return [honour]
        return [usual, honour]

    def _open(self, state: State, action: Open, rng: Rng) -> Step[State]:
        if not isinstance(state, Empty) or state.player not in {None, action.seat}:
            raise _refusal(state, action.seat)
        show = self._show(action, rng)
        playing = Playing(show)
        opened = Opened(playing.progress, show.stake, show.par, self.decision)
        transfers = stakes.put(action.seat, show.stake)
        return Step(playing, (opened,), transfers)

    def _show(self, action: Open, rng: Rng) -> Show:
        terms = self.terms(action.cards, action.keep, action.penalty)
        stake_par = self.agree(terms, action.credits)
        # The order of draws is a part of the rules: with another one recorded tables do not come out the
        # same, and `version` must rise.
        lowest = 1 + rng.below(terms.highest_start)
        deck = rng.shuffled(range(lowest, lowest + terms.cards))
        return Show(action.seat, terms, action.credits, stake_par, tuple(deck))

    # Playing

    def _decide(self, state: Playing, *, kept: bool, late: bool = False) -> Step[State]:
        after = state.decide(kept=kept, late=late)
        forced = after.forced
        needed = after.show.progress(after.seen, shows=False).needed
        goes_on = needed > 0 and not forced
        progress = after.show.progress(after.seen, shows=goes_on)
        event = Kept(progress, late) if kept else Rejected(progress)
        if goes_on and after.late < AWAY:
            return Step(after, (event,))
        ending = after.complete() if goes_on else after.take(forced)
        guessing = Guessing(ending.show, ending.seen)
        events: tuple[Event, ...] = (event,)
        if goes_on:
            events = (Away(guessing.progress, AWAY, guessing.progress.kept[-needed:]),)
        elif forced:
            events = (event, Forced(guessing.progress, forced))
        return Step(guessing, (*events, Completed(guessing.progress, self.estimates)))

    def _time_out(self, state: State, action: Timeout) -> Step[State]:
        if action.clock != self.clock(state):
            raise Refusal(Message("too-late"))
        match state:
            case Empty():
                return Step(Unused(state.player))
            case Playing():
                return self._decide(state, kept=True, late=True)
            case Guessing():
                return _reveal(state, Guess(state.player))
            case Unused() | Over():
                raise Refusal(Message("too-late"))


def was_played(state: State) -> bool:
    """Whether a game has been played to its end."""
    return isinstance(state, Over)


def awaited(state: State) -> Sequence[Seat] | None:
    """Return who has to decide, or to guess."""
    return (state.player,) if isinstance(state, Playing | Guessing) else None


def _seated(state: State, seat: Seat) -> State:
    """Whoever sits down first plays; others may look on."""
    return Empty(seat) if isinstance(state, Empty) and state.player is None else state


def _refusal(state: State, seat: Seat) -> Refusal:
    if state.player is None or state.player == seat:
        return Refusal(Message("highshow-already"))
    return Refusal(Message("highshow-not-yours", {"who": Name(state.player)}))


def _playing(state: State, seat: Seat) -> Playing:
    if state.player not in {None, seat}:
        raise _refusal(state, seat)
    if not isinstance(state, Playing):
        raise Refusal(Message("highshow-nothing-shown"))
    return state


def _guessing(state: State, action: Guess) -> Guessing:
    if state.player not in {None, action.seat}:
        raise _refusal(state, action.seat)
    if not isinstance(state, Guessing):
        raise Refusal(Message("highshow-over" if isinstance(state, Over) else "highshow-guess-later"))
    highest = state.show.terms.highest_start
    if action.lowest is not None and not 1 <= action.lowest <= highest:
        raise Refusal(Message("highshow-guess-range", {"most": highest}))
    return state


def _hint(state: Playing) -> Step[State]:
    if state.show.stake:
        raise Refusal(Message("highshow-no-hint"))
    if state.hinted:
        raise Refusal(Message("highshow-hinted"))
    return Step(replace(state, hinted=True), (HintAsked(state.progress),))


def _reveal(state: Guessing, guess: Guess) -> Step[State]:
    show = state.show
    payout = 0
    if show.par is not None:
        payout = show.par.payout(show.stake, show.result(state.seen, 0).profit)
    result = show.result(state.seen, payout)
    revealed = Revealed(state.progress, show.deck, show.stake, show.par, result, guess)
    return Step(Over(show, state.seen, result), (revealed,), _payments(show, payout))


def _payments(show: Show, payout: int) -> tuple[Transfer, ...]:
    """Empty the pot; the house adds what is missing, and keeps what is over."""
    amounts = (
        (SystemPurse.POT, show.player, min(payout, show.stake), "stake returned"),
        (SystemPurse.HOUSE, show.player, payout - show.stake, "winnings"),
        (SystemPurse.POT, SystemPurse.HOUSE, show.stake - payout, "loss"),
    )
    return tuple(Transfer(*each) for each in amounts if each[2] > 0)
