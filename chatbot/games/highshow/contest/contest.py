"""High Show's contest: everybody chooses on the same decks, and is measured against best play on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.highshow.contest.contestants import CONTESTANTS, best
from chatbot.games.highshow.contest.runs import Samples, deck, play, written
from chatbot.games.highshow.contest.situation import TONGUE
from chatbot.games.highshow.rules import options
from chatbot.games.highshow.rules.terms import FEWEST_CARDS, MOST_CARDS, Terms, read_penalty
from chatbot.kernel.contest import Entrant, Log, Match, Measure, Series, Standing, Strategy, Tongue
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MATCHES = 32  # into which decks are divided, unless they get too long: enough for all workers
_LONGEST = 500  # decks of a match


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
        options.Penalty,
        Field(
            description="What a rejection costs: none, linear, turn, value or turnvalue, with a parameter of"
            " one's own such as linear=5 or value=1/3."
        ),
    ] = "linear"

    strategies: ClassVar[Mapping[str, Strategy]] = CONTESTANTS
    tongue: ClassVar[Tongue] = TONGUE
    unit: ClassVar[str] = "points a deck"
    usual_games: ClassVar[int] = 1000

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the decks.

        Raises:
            Failure: fewer cards are in a deck than would have to be kept, or as many.
        """
        if self.keep >= self.cards:
            raise Failure(f"--keep takes fewer than the {self.cards} cards of a deck, not {self.keep}.")
        seats, count = tuple(range(entrants)), max(min(games, _MATCHES), -(-games // _LONGEST))
        return Series(
            count,
            lambda number: Match(number, seats, _share(games, count, number), f"{seed}/match {number}"),
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
                    written(
                        number, cards, [(each.name, run) for each, run in zip(players, runs, strict=True)]
                    )
                )
            yield _standing(profits, regrets)


def _standing(profits: Samples, regrets: Samples) -> Standing:
    regret = Measure("regret", regrets.means, regrets.squares)
    return Standing(profits.count, profits.means, (regret,), profits.squares)


def _share(whole: int, parts: int, part: int) -> int:
    """Give one of so many parts that differ by one at most."""
    return whole // parts + (part < whole % parts)
