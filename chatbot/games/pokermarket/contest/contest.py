"""Poker Market's contest: the same deals for everybody, who have every hand and every turn equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.pokermarket.contest.contestants import CONTESTANTS
from chatbot.games.pokermarket.contest.score import Score
from chatbot.games.pokermarket.contest.situation import TONGUE
from chatbot.games.pokermarket.contest.trading import DealTrading, told_as, trade
from chatbot.games.pokermarket.rules.market import Market
from chatbot.kernel.cards import DECK, HAND
from chatbot.kernel.contest import Entrant, Learner, Log, Match, Series, Standing, Strategy, Tongue
from chatbot.kernel.failure import Failure
from chatbot.kernel.fair import Rng
from chatbot.kernel.lobby import FEWEST, MOST
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MOST_ROUNDS = 20
MOST_DEALS = 1_000_000
MOST_TABLES = 100_000


@dataclass(frozen=True, slots=True)
class MarketContest:
    """A game is a deal that is replayed for every rotation of the players; in a match they learn.

    Who sits next to whom is drawn for each deal.
    """

    rounds: Annotated[
        Whole,
        Field(ge=1, le=MOST_ROUNDS, description="In how many rounds everybody has a turn."),
        Unit("rounds"),
    ] = 3
    deals: Annotated[
        Whole,
        Field(
            ge=1, le=MOST_DEALS, description="How many deals each table plays; --games of them are a match."
        ),
        Unit("games"),
    ] = 100
    table: Annotated[
        Whole,
        Field(
            ge=0,
            le=MOST,
            description="How many sit at a table: all tables of so many are played. 0: everybody at one.",
        ),
        Unit("people"),
    ] = 0

    strategies: ClassVar[Mapping[str, Strategy | Learner]] = CONTESTANTS
    tongue: ClassVar[Tongue] = TONGUE
    unit: ClassVar[str] = "points a deal"
    usual_games: ClassVar[int] = 10

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the deals.

        Raises:
            Failure: so many cannot sit at a table.
        """
        tables = self._tables(entrants)

        def make(number: int) -> Match:
            block, table = divmod(number, len(tables))
            deals = min(games, self.deals - block * games)
            return Match(number, tables[table], deals, f"{seed}/match {block}", table)

        return Series(-(-self.deals // games) * len(tables), make)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        sitting = _sitting(match, entrants)
        places = [next(p for p, each in enumerate(sitting) if each.player == seat) for seat in match.seats]
        dealer, score, size = Rng.of(match.seed), Score(len(sitting)), len(sitting)
        for deal in range(match.games):
            cards, circle = dealer.sample(DECK, HAND * size), dealer.shuffled(sitting)
            market = Market(tuple(tuple(cards[seat::size]) for seat in range(size)), self.rounds)
            totals = Counter[int]()
            for rotation in range(size):
                seated, game = circle[rotation:] + circle[:rotation], deal * size + rotation
                traded = trade(market, seated, game)
                for each, points in zip(seated, traded.points, strict=True):
                    totals[each.player] += points
                score.count(traded, [each.player for each in seated])
                if log is not None:
                    log("".join(f"{line}\n" for line in told_as(game, traded, seated)))
            score.add([totals[each.player] for each in sitting], size)
            yield score.standing(places, [sitting[place].player for place in places])

    def _tables(self, entrants: int) -> Sequence[tuple[int, ...]]:
        if entrants < FEWEST:
            raise Failure(f"Poker Market takes at least {FEWEST} players, not {entrants}.")
        if not self.table and entrants > MOST:
            raise Failure(
                f"Poker Market takes {FEWEST} to {MOST} players, not {entrants};"
                " --table N seats any number of them, N at a table."
            )
        size = self.table or entrants
        most = min(entrants, MOST)
        if not FEWEST <= size <= most:
            raise Failure(f"--table takes {FEWEST} to {most}, or 0 for everybody at one, not {size}.")
        if (tables := comb(entrants, size)) > MOST_TABLES:
            raise Failure(
                f"{entrants} players make {tables:,} tables of {size}; at most {MOST_TABLES:,} are played."
            )
        return list(combinations(range(entrants), size))


def _sitting(match: Match, entrants: Sequence[Entrant]) -> list[DealTrading]:
    """Order players by their names: in which order they were named changes nothing."""
    ordered = sorted(match.seats, key=lambda seat: entrants[seat].name)
    names = [entrants[seat].name for seat in ordered]
    return [
        DealTrading(
            seat, entrants[seat].name, entrants[seat].strategy, Rng.of(f"{match.seed}/{names}/{name}")
        )
        for seat, name in zip(ordered, names, strict=True)
    ]
