"""High Show's contest: everybody chooses on the same decks, and is measured against best play on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.highshow.contest.contestants import (
    ANOTHER,
    CHOICES,
    CONTESTANTS,
    WIRE_FORMAT,
    Situation,
    best,
)
from chatbot.games.highshow.rules import rules
from chatbot.games.highshow.rules.terms import FEWEST_CARDS, MOST_CARDS, Terms, read_penalty
from chatbot.kernel.contest import Entrant, Log, Match, Measure, Series, Standing, Strategy, WireFormat, share
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MATCHES = 32  # into which decks are divided, unless they get too long: enough for all workers
LONGEST = 500  # decks of a match


@dataclass(frozen=True, slots=True)
class HighShowContest:
    """Every game is a deck, which everybody plays; who is entered makes no difference to anybody's score."""

    cards: Annotated[
        Whole,
        Field(ge=FEWEST_CARDS, le=MOST_CARDS, description="How many cards a deck has."),
        Unit("cards"),
    ] = 20
    keep: Annotated[
        Whole,
        Field(ge=1, le=MOST_CARDS - 1, description="How many of them are to be kept; fewer than there are."),
        Unit("cards"),
    ] = 3
    penalty: Annotated[
        rules.Penalty,
        Field(
            description="What a rejection costs: none, linear, turn, value or turnvalue, with a parameter of"
            " one's own such as linear=5 or value=1/3."
        ),
    ] = "linear"

    strategies: ClassVar[Mapping[str, Strategy]] = CONTESTANTS
    wire_format: ClassVar[WireFormat] = WIRE_FORMAT
    unit: ClassVar[str] = "points a deck"
    usual_games: ClassVar[int] = 1000

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the decks.

        Raises:
            Failure: fewer cards are in a deck than would have to be kept, or as many.
        """
        if self.keep >= self.cards:
            raise Failure(f"--keep takes fewer than the {self.cards} cards of a deck, not {self.keep}.")
        seats, count = tuple(range(entrants)), max(min(games, MATCHES), -(-games // LONGEST))
        return Series(
            count,
            lambda number: Match(number, seats, share(games, count, number), f"{seed}/match {number}"),
        )

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        terms = Terms(self.cards, self.keep, read_penalty(self.penalty))
        players = [entrants[seat] for seat in match.seats]
        dealer, rngs = Rng.of(match.seed), [Rng.of(f"{match.seed}/{each.name}") for each in players]
        profits, regrets = Samples(len(players)), Samples(len(players))
        for number in range(match.games):
            cards = deck(terms, dealer)
            ideal = play(terms, cards, best, number, dealer)  # which draws nothing
            runs = [
                ideal if each.strategy is best else play(terms, cards, each.strategy, number, rng)
                for each, rng in zip(players, rngs, strict=True)
            ]
            profits.add([each.profit for each in runs])
            regrets.add([ideal.profit - each.profit for each in runs])
            if log is not None:
                log(
                    transcript(
                        number, cards, [(each.name, run) for each, run in zip(players, runs, strict=True)]
                    )
                )
            yield _standing(profits, regrets)


def _standing(profits: Samples, regrets: Samples) -> Standing:
    regret = Measure("regret", regrets.means, regrets.squares)
    return Standing(profits.count, profits.means, (regret,), profits.squares)


# A strategy plays a deck where nobody watches, by the rules of the chat, and profits are added up.


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a deck."""

    kept: tuple[int, ...]
    penalty: Fraction

    @property
    def profit(self) -> Fraction:
        """What is kept, less what rejections cost."""
        return sum(self.kept) - self.penalty


def deck(terms: Terms, rng: Rng) -> tuple[int, ...]:
    """Draw K, and then the order of the cards."""
    lowest = 1 + rng.below(terms.highest_start)
    return tuple(rng.shuffled(range(lowest, lowest + terms.cards)))


def play(terms: Terms, cards: Sequence[int], strategy: Strategy, game: int, rng: Rng) -> Run:
    """Have a strategy choose until all are kept that are needed; no answer keeps the card, as in a chat."""
    kept: tuple[int, ...] = ()
    rejected: tuple[int, ...] = ()
    times = 0
    for place, card in enumerate(cards):
        if len(kept) == terms.keep:
            break
        if terms.keep - len(kept) == terms.cards - place:  # every card that is left is needed
            kept += tuple(cards[place:])
            break
        if strategy(Situation(game, terms, kept, rejected, card), CHOICES, rng) == ANOTHER:
            rejected += (card,)
            times += terms.penalty.times(place + 1, card)
        else:
            kept += (card,)
    return Run(kept, terms.penalty.rate(terms.cards, min(cards)) * times)


class Samples:
    """Numbers of each player, one a game, added up exactly."""

    def __init__(self, players: int) -> None:
        self.count = 0
        self._sums = [Fraction(0)] * players
        self._squares = [Fraction(0)] * players

    def add(self, values: Sequence[Fraction]) -> None:
        """Take the numbers of a game, player by player."""
        self.count += 1
        for place, each in enumerate(values):
            self._sums[place] += each
            self._squares[place] += each * each

    @property
    def means(self) -> Sequence[Fraction]:
        """The mean of each player so far."""
        return [each / self.count for each in self._sums]

    @property
    def squares(self) -> Sequence[Fraction]:
        """The means of the squares."""
        return [each / self.count for each in self._squares]


def transcript(number: int, cards: Sequence[int], runs: Sequence[tuple[str, Run]]) -> str:
    """Write down a deck in the order of its cards, and what everybody made of it."""
    lines = [f"#####GAME {number}: K {min(cards)}, {_line(cards)}######"]
    lines += [
        f"{name}: keeps {_line(run.kept)}, penalty {run.penalty}, profit {run.profit}" for name, run in runs
    ]
    return "".join(f"{line}\n" for line in lines)


def _line(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))
