"""The states of a game of High Show. The deck lies in its order from the start, and nobody sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.highshow.rules.moves import Progress, Result, Seen
from chatbot.games.highshow.rules.par import Par
from chatbot.games.highshow.rules.terms import Terms
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Empty:
    """A table at which nothing has been chosen yet; whoever sits down first is its player."""

    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Unused:
    """Nothing was ever chosen: over."""

    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """What does not change while a game lasts."""

    player: Seat
    terms: Terms
    stake: int
    par: Par | None
    deck: tuple[int, ...]

    @property
    def lowest(self) -> int:
        """K, the lowest card of the deck."""
        return min(self.deck)

    def progress(self, decisions: tuple[Seen, ...], *, shows: bool) -> Progress:
        """Return what has been seen and decided; `shows`: the next card is shown."""
        return Progress(self.player, self.terms, decisions, self.deck[len(decisions)] if shows else None)

    def result(self, decisions: tuple[Seen, ...], payout: int) -> Result:
        """Return what comes out if nothing more is decided."""
        gain = sum(each.card for each in decisions if each.kept)
        return Result(self.lowest, gain, self.penalty(decisions), payout)

    def penalty(self, decisions: tuple[Seen, ...]) -> Fraction:
        """Return what the rejections cost together."""
        rejected = [(turn, each.card) for turn, each in enumerate(decisions, 1) if not each.kept]
        times = sum(self.terms.penalty.times(turn, card) for turn, card in rejected)
        return self.terms.penalty.rate(self.terms.cards, self.lowest) * times


@dataclass(frozen=True, slots=True)
class Playing:
    """A card is shown, and to be decided on."""

    show: Show
    seen: tuple[Seen, ...] = ()
    hinted: bool = False  # for the card that is shown
    late: int = 0  # cards in a row that were kept because the time was up

    @property
    def player(self) -> Seat:
        """Who decides."""
        return self.show.player

    @property
    def progress(self) -> Progress:
        """What has been decided, and the card that is shown."""
        return self.show.progress(self.seen, shows=True)

    def decide(self, *, kept: bool, late: bool = False) -> Playing:
        """Return the state after the card that is shown was kept or rejected."""
        card = self.show.deck[len(self.seen)]
        return Playing(self.show, (*self.seen, Seen(card, kept)), late=self.late + 1 if late else 0)

    def complete(self) -> Playing:
        """Return the state after the next cards were kept until no more are needed."""
        needed, first = self.show.progress(self.seen, shows=False).needed, len(self.seen)
        cards = self.show.deck[first : first + needed]
        return replace(self, seen=(*self.seen, *(Seen(card, kept=True) for card in cards)))

    @property
    def forced(self) -> tuple[int, ...]:
        """The cards that are left, if every one of them is needed."""
        needed = self.show.progress(self.seen, shows=False).needed
        rest = self.show.deck[len(self.seen) :]
        return rest if 0 < needed == len(rest) else ()

    def take(self, cards: tuple[int, ...]) -> Playing:
        """Take cards that nobody was asked about."""
        return replace(self, seen=(*self.seen, *(Seen(card, kept=True, chosen=False) for card in cards)))


@dataclass(frozen=True, slots=True)
class Guessing:
    """All that are needed are kept; estimates are asked for."""

    show: Show
    seen: tuple[Seen, ...]

    @property
    def player(self) -> Seat:
        """Who may guess K."""
        return self.show.player

    @property
    def progress(self) -> Progress:
        """What has been decided."""
        return self.show.progress(self.seen, shows=False)


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a game that was played."""

    show: Show
    seen: tuple[Seen, ...]
    result: Result

    @property
    def player(self) -> Seat:
        """Who played."""
        return self.show.player

    @property
    def progress(self) -> Progress:
        """What was decided."""
        return self.show.progress(self.seen, shows=False)


State: TypeAlias = Empty | Unused | Playing | Guessing | Over


# What anybody may know of a game of High Show: all that has been shown, and nothing of K before the end.


@dataclass(frozen=True, slots=True)
class View:
    """The same for everybody: the game has no secret that only its player knows."""

    phase: str  # opening, decision, estimates, over
    player: Seat | None
    progress: Progress | None  # None: nothing has been chosen yet
    stake: int
    par: Par | None
    result: Result | None = None  # when it is over
    rest: tuple[int, ...] = ()  # what would have come, when it is over


def view(state: State) -> View:
    match state:
        case Empty():
            return View("opening", state.player, None, 0, None)
        case Unused():
            return View("over", state.player, None, 0, None)
        case Playing():
            return View("decision", state.player, state.progress, state.show.stake, state.show.par)
        case Guessing():
            return View("estimates", state.player, state.progress, state.show.stake, state.show.par)
        case Over():
            return _over(state)


def _over(state: Over) -> View:
    show, rest = state.show, state.show.deck[len(state.seen) :]
    return View("over", state.player, state.progress, show.stake, show.par, state.result, rest)
