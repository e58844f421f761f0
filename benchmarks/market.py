"""Measure Poker Market's players in a mixed field, and the speed of ranking hands and of decisions.

`--field` plays all line-ups of the kinds of players at tables of 2 and 4, and two of each kind at one of 10;
every deal is replayed for every rotation, so that all have every hand and turn equally often. A deal with all
its tables and rotations yields one number for each kind, and one for each pair that is compared, so that the
standard errors of differences are those of paired samples. ± is one standard error.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import mean, median, stdev
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.rows import Measure
from chatbot.games.pokermarket.contest.contest import MarketContest
from chatbot.games.pokermarket.contest.contestants import CONTESTANTS
from chatbot.games.pokermarket.contest.evaluation import ranks
from chatbot.kernel.cards import HAND, rank
from chatbot.kernel.contest import Entrant, Learner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.rows import Row
    from chatbot.games.pokermarket.contest.contestants import Situation
    from chatbot.kernel.contest import Match, Strategy
    from chatbot.kernel.fair import Rng

KINDS = tuple(CONTESTANTS)
COMPARED = (
    ("greedy", "passive"),
    ("greedy", "random"),
    ("search", "greedy"),
    ("broker", "search"),
    ("champion", "broker"),
)
PLAYERS, ROUNDS = (2, 4, 10), (1, 3, 10)
DEALS = {
    2: dict.fromkeys(ROUNDS, 600), 4: dict.fromkeys(ROUNDS, 200), 10: {1: 200, 3: 60, 10: 30},
}  # by players and rounds, unless said otherwise  # fmt: skip
FEWEST_DEALS = 30  # for other numbers of rounds
LEARNING = 10  # deals of a match, in which players can adapt to each other
SEED = "field"
EVALUATED, WANTED = 1_000_000, 1_000_000  # hands at once, and the target in hands per second
SINGLE = 20_000
REPEATS = 5
ROW_DEALS, JOBS = 60, 2  # deals of the field of the rows, and its processes
TABLE, OF_ROUNDS = 4, 3  # players and rounds of the field of the rows
STRONGER = (("search", "greedy"), ("greedy", "random"))

RANKED = Measure("hands ranked at once: hands/s", "one by one")
POINTS = {
    pair: Measure(f"{TABLE} players, {OF_ROUNDS} rounds: mean points a deal of {pair[0]}", pair[1])
    for pair in STRONGER
}
MEASURES = (RANKED, *POINTS.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--field", action="store_true", help="play the mixed field, which takes its time")
    parser.add_argument("--players", type=int, nargs="*", default=PLAYERS, choices=PLAYERS)
    parser.add_argument("--rounds", type=int, nargs="*", default=ROUNDS)
    parser.add_argument("--deals", type=int, help="of each cell of the field")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()
    if arguments.field:
        show_field(arguments.players, arguments.rounds, arguments.deals, arguments.jobs)
    else:
        show_evaluations()
        show_decisions()


def rows(*, quick: bool) -> Iterator[Row]:
    yield RANKED.row(*evaluations(1 if quick else REPEATS))
    points = field(TABLE, OF_ROUNDS, LEARNING if quick else ROW_DEALS, JOBS)
    for (one, other), measure in POINTS.items():
        yield measure.row(mean(points[one]), mean(points[other]))


def show_evaluations() -> None:
    at_once, singly = evaluations(REPEATS)
    print(f"hands at once: {at_once:,.0f} a second; wanted: {WANTED:,}")
    print(f"one by one: {singly:,.0f} a second; ratio: {at_once / singly:.0f}")


def evaluations(repeats: int) -> tuple[float, float]:
    """Return the hands per second at once, and one by one."""
    generator = np.random.Generator(np.random.PCG64(1))
    hands = np.array([generator.permutation(52) for _ in range(EVALUATED // 10)], dtype=np.int8)
    many = hands[:, : 10 * HAND].reshape(-1, HAND)  # ten hands of each deck
    few = many[:SINGLE].tolist()
    assert ranks(many[:SINGLE]).tolist() == [rank(each) for each in few]  # which also computes the tables
    pairs = [
        (per_second(lambda: ranks(many), len(many)), per_second(lambda: [*map(rank, few)], len(few)))
        for _ in range(repeats)
    ]
    at_once, singly = (median(each) for each in zip(*pairs, strict=True))
    return at_once, singly


def per_second(work: Callable[[], object], count: int) -> float:
    began = time.perf_counter()
    work()
    return count / (time.perf_counter() - began)


def show_decisions() -> None:
    table = Table(title="time of decisions that look ahead, ms of one processor")
    for heading in ("player", "players", "rounds", "median", "95 of 100", "longest"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for kind in ("search", "broker", "champion"):
        for players in PLAYERS:
            for rounds in ROUNDS:
                times = sorted(1000 * each for each in decision_times(kind, players, rounds))
                row = (median(times), times[len(times) * 95 // 100], times[-1])
                table.add_row(kind, str(players), str(rounds), *(f"{each:.1f}" for each in row))
    Console(width=90).print(table)


def decision_times(kind: str, players: int, rounds: int) -> list[float]:
    """Return the CPU seconds of each decision of half of the players in one deal among greedy ones."""
    times: list[float] = []

    def timed(strategy: Strategy) -> Strategy:
        def play(situation: Situation, menu: Sequence[object], rng: Rng) -> object:
            began = time.process_time()
            choice = strategy(situation, menu, rng)
            times.append(time.process_time() - began)
            return choice

        return play

    entrants = [
        Entrant(f"{place}", timed(make(kind)) if place % 2 else make("greedy")) for place in range(players)
    ]
    contest = MarketContest(rounds=rounds, deals=1)
    (match,) = contest.matches(players, 1, "times")
    for _ in contest.play(match, entrants, None):
        pass
    return times


def show_field(players: Sequence[int], rounds: Sequence[int], deals: int | None, jobs: int) -> None:
    print("mean points a deal; then differences, and in brackets how many standard errors they are")
    for size in players:
        for number in rounds:
            points = field(size, number, deals or DEALS[size].get(number, FEWEST_DEALS), jobs)
            means = ", ".join(f"{kind} {mean(points[kind]):.3f}" for kind in KINDS)
            print(f"p = {size}, r = {number}, {len(points[KINDS[0]])} deals: {means}")
            for one, other in COMPARED:
                print(f"    {one} − {other}: {difference(points[one], points[other])}", flush=True)


def field(size: int, rounds: int, deals: int, jobs: int) -> dict[str, list[float]]:
    """Return the mean points of each kind in each deal, over all its tables."""
    names = [f"{kind}-{place}" for kind in KINDS for place in range(2 if size > len(KINDS) else 1)]
    contest = MarketContest(rounds=rounds, deals=deals, table=0 if size == len(names) else size)
    matches = list(contest.matches(len(names), LEARNING, SEED))
    tables = len({match.table for match in matches})
    sums: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    with ProcessPoolExecutor(jobs) as pool:
        results = pool.map(partial(play_match, names, contest), matches)
        for match, rows in zip(matches, results, strict=True):
            for deal, row in enumerate(rows, match.number // tables * LEARNING):
                for seat, points in zip(match.seats, row, strict=True):
                    sums[names[seat].partition("-")[0], deal].append(points)
    return {kind: [mean(sums[kind, deal]) for deal in range(deals)] for kind in KINDS}


def play_match(names: Sequence[str], contest: MarketContest, match: Match) -> list[list[float]]:
    """Play a match, and return the points of each seat in each deal."""
    entrants = [Entrant(name, make(name.partition("-")[0])) for name in names]
    return list(by_deal(contest, match, entrants))


def by_deal(contest: MarketContest, match: Match, entrants: Sequence[Entrant]) -> Iterator[list[float]]:
    before = [0.0] * len(match.seats)
    for standing in contest.play(match, entrants, None):
        totals = [float(each * standing.games) for each in standing.scores]
        yield [now - then for now, then in zip(totals, before, strict=True)]
        before = totals


def make(kind: str) -> Strategy:
    strategy = CONTESTANTS[kind]
    return strategy.make() if isinstance(strategy, Learner) else strategy


def difference(one: Sequence[float], other: Sequence[float]) -> str:
    apart = [mine - yours for mine, yours in zip(one, other, strict=True)]
    error = stdev(apart) / sqrt(len(apart))
    times = f"{mean(apart) / error:+.1f}" if error else "–"
    return f"{mean(apart):+.3f} ± {error:.3f} ({times})"


if __name__ == "__main__":
    main()
