"""Measure games of Six Card Poker per second in the arena, many at a time and one by one.

Both sides play the same deals in this process, with the whole cost of a match: random numbers, sums and
standings. One by one, the players are called before each game, as all strategies are but the built-in
policies. Both sides take turns, so that a machine that slows down affects both. The scores are compared with
the exact value, which is computed beforehand.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from arena.engine.match import MatchResult
from arena.engine.tally import Tally
from benchmarks.rows import Measure
from chatbot.games.sixcardpoker.contest.contest import SixCardContest
from chatbot.games.sixcardpoker.contest.contestants import CONTESTANTS, policy
from chatbot.games.sixcardpoker.solver.solver import score
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.engine.tally import PlayerPlacing
    from benchmarks.rows import Row

PAIRS = (("random", "greedy"), ("best-response:random", "random"), ("nash", "best-response:nash"))
TARGET = 1_000_000  # games per second
MANY, FEW, LAPS = 4_000_000, 20_000, 4  # defaults: games of each pair at once and one by one, and turns

BY_PAIR = {
    pair: Measure(f"{pair[0]} against {pair[1]}, many games at once: games/s", "one by one") for pair in PAIRS
}
MEASURES = tuple(BY_PAIR.values())


class Side(NamedTuple):
    """The result of one side."""

    place: PlayerPlacing  # of the first player
    games: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.games / self.seconds

    def distance(self, exact: float) -> float:
        """Return the difference of the first player's score from the exact value, in standard errors."""
        assert self.place.mean is not None
        assert self.place.standard_error
        return (self.place.mean - exact) / self.place.standard_error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=MANY, help="games of each pair, many at a time")
    parser.add_argument("--plain", type=int, default=FEW, help="games of each pair, one by one")
    parser.add_argument("--laps", type=int, default=LAPS, help="turns of both sides")
    arguments = parser.parse_args()
    table = Table(title="games a second")
    for heading in ("players", "exact", "many", "off by", "one by one", "off by", "ratio"):
        table.add_column(heading, justify="left" if heading == "players" else "right")
    rates = []
    for names in PAIRS:
        quick, plain = measure_sides(names, arguments.games, arguments.plain, arguments.laps)
        rates.append(quick.rate)
        exact = 100 * float(score(*map(policy, names)))
        table.add_row(
            " - ".join(names),
            f"{exact:.3f}",
            *(text for side in (quick, plain) for text in cells(side, exact)),
            f"{quick.rate / plain.rate:,.0f}",
        )
    Console(width=120).print(table)
    print(f"The goal is {TARGET:,} games a second many at a time; the slowest pair plays {min(rates):,.0f}.")


def rows(*, quick: bool) -> Iterator[Row]:
    many, few, laps = (MANY // 20, FEW // 20, 1) if quick else (MANY, FEW, LAPS)
    for names, measure in BY_PAIR.items():
        at_once, plain = measure_sides(names, many, few, laps)
        yield measure.row(at_once.rate, plain.rate)


def cells(side: Side, exact: float) -> tuple[str, str]:
    return f"{side.rate:,.0f}", f"{side.distance(exact):+.1f} s.e."


def measure_sides(names: Sequence[str], games: int, plain: int, laps: int) -> tuple[Side, Side]:
    """Play on both sides in turns, after a warm-up that computes what all games share."""
    quick = [Entrant(each, CONTESTANTS[each]) for each in names]
    slow = [Entrant(each, partial(CONTESTANTS[each])) for each in names]
    played((quick, slow), (2, 2), names, 1)
    return played((quick, slow), (games, plain), names, laps)


def played(
    sides: Sequence[Sequence[Entrant]], games: Sequence[int], names: Sequence[str], laps: int
) -> tuple[Side, Side]:
    tallies = [Tally([(each, each) for each in names]) for _ in sides]
    seconds = [0.0 for _ in sides]
    for lap in range(laps):
        for side, (entrants, most) in enumerate(zip(sides, games, strict=True)):
            began = time.perf_counter()
            play(entrants, -(-most // laps), f"lap {lap}", tallies[side])
            seconds[side] += time.perf_counter() - began
    first, second = (
        Side(next(place for place in tally.places() if place.name == names[0]), tally.games, spent)
        for tally, spent in zip(tallies, seconds, strict=True)
    )
    return first, second


def play(entrants: Sequence[Entrant], games: int, seed: str, tally: Tally) -> None:
    contest = SixCardContest()
    for match in contest.matches(len(entrants), games, seed):
        *_, last = contest.play(match, entrants, None)
        tally.add(
            MatchResult(match, last.games, last.scores, [{}, {}], [], squares=last.squares, draws=last.draws)
        )


if __name__ == "__main__":
    main()
