"""Measure the time to solve Six Card Poker: by command, and in arrays compared with one by one.

Sides that are compared take turns, and the figures are medians, so that a machine that slows down affects
both. A command is timed as a process, from its start to its end, with nothing computed beforehand.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from functools import partial
from itertools import product
from statistics import median
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.rows import Measure
from chatbot.games.sixcardpoker.rules.cards import arrangements, compare, types
from chatbot.games.sixcardpoker.solver import policies, solver
from chatbot.games.sixcardpoker.solver.policies import replies
from chatbot.games.sixcardpoker.solver.solver import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.rows import Row
    from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy

TARGET = 5.0  # seconds
ROUNDS = 3  # of each comparison, by default
COMMANDS: tuple[tuple[str, ...], ...] = (("--policy",), ())  # arguments of the commands with that target
COMPARED, NASH, GREEDY = (
    "every arrangement against every other",
    "the best response to nash",
    "the best response to greedy",
)

SOLVED = {
    words: Measure(f"`{' '.join(('chatbot solve sixcard', *words))}`, s", "wanted, at most")
    for words in COMMANDS
}
ARRAYS = {
    name: Measure(f"{name}, in arrays: times a second", "one by one") for name in (COMPARED, NASH, GREEDY)
}
MEASURES = (*SOLVED.values(), *ARRAYS.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each comparison")
    arguments = parser.parse_args()
    show_command(arguments.rounds)
    show_sides(arguments.rounds)
    show_review(arguments.rounds)


def rows(*, quick: bool) -> Iterator[Row]:
    rounds = 1 if quick else ROUNDS
    for words, measure in SOLVED.items():
        yield measure.row(command_seconds(words, rounds), TARGET)
    for name, slow, fast in sides(rounds):
        yield ARRAYS[name].row(1 / fast, 1 / slow)


def show_command(rounds: int) -> None:
    for words in (*COMMANDS, ("112344",)):
        took = command_seconds(words, rounds)
        target = f"; wanted: at most {TARGET:.0f} s" if words in COMMANDS else ""
        print(f"{' '.join(('chatbot solve sixcard', *words))}: {took:.2f} s{target}")


def command_seconds(words: tuple[str, ...], rounds: int) -> float:
    return median(seconds(partial(command, words)) for _ in range(rounds))


def command(words: tuple[str, ...]) -> None:
    code = "from chatbot.cli.entry import main; main()"
    subprocess.run([sys.executable, "-c", code, "solve", "sixcard", *words], check=True, capture_output=True)


def show_sides(rounds: int) -> None:
    table = Table(title="Milliseconds")
    for heading in ("", "one by one", "in arrays", "ratio"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, slow, fast in sides(rounds):
        table.add_row(name, f"{1000 * slow:,.0f}", f"{1000 * fast:,.1f}", f"{slow / fast:,.0f}")
    Console(width=90).print(table)


def sides(rounds: int) -> Iterator[tuple[str, float, float]]:
    """Yield the name of each comparison, and the median seconds one by one and in arrays."""
    nash, greedy = policies.nash(), policies.greedy()
    for name, plain, fast in (
        (COMPARED, compare_all, tabulate),
        (NASH, partial(respond, nash), partial(solver.best_response, nash)),
        (GREEDY, partial(respond, greedy), partial(solver.best_response, greedy)),
    ):
        pairs = [(seconds(plain), seconds(fast)) for _ in range(rounds)]
        yield name, median(slow for slow, _ in pairs), median(soon for _, soon in pairs)


def show_review(rounds: int) -> None:
    """Print the time of the review of a game, for which a chat waits."""
    took = [seconds(partial(replies, hand, policies.nash())) for hand in types() for _ in range(rounds)]
    print(f"a review of one hand: {1000 * median(took):.1f} ms, at most {1000 * max(took):.1f} ms")


def compare_all() -> list[int]:
    orders = [each for hand in types() for each in arrangements(hand)]
    return [compare(own, other).round for own, other in product(orders, repeat=2)]


def tabulate() -> None:
    tables.cache_clear()
    tables()


def respond(policy: ArrangementPolicy) -> ArrangementPolicy:
    return {hand: {replies(hand, policy)[0].arrangement: 1} for hand in types()}


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
