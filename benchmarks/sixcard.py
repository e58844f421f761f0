"""What solving Six Card Poker takes: from nothing, and in arrays against one comparison after the other.

Sides that are compared take turns in rounds, and the medians count, so that a machine that slows down slows
down both. Solving from nothing is a process of its own, from its start to its end.
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

from chatbot.games.sixcardpoker import policies, solver
from chatbot.games.sixcardpoker.cards import arrangements, compare, types
from chatbot.games.sixcardpoker.replies import replies
from chatbot.games.sixcardpoker.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.games.sixcardpoker.policies import Policy

FROM_NOTHING = 5.0  # what is wanted at most: seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="of each comparison")
    asked = parser.parse_args()
    show_command(asked.rounds)
    show_sides(asked.rounds)
    show_review(asked.rounds)


def show_command(rounds: int) -> None:
    for words in (["--policy"], [], ["112344"]):
        took = median(seconds(partial(command, words)) for _ in range(rounds))
        wanted = "" if "112344" in words else f"; wanted: at most {FROM_NOTHING:.0f} s"
        print(f"{' '.join(('chatbot solve sixcard', *words))}: {took:.2f} s{wanted}")


def command(words: list[str]) -> None:
    code = "from chatbot.cli import main; main()"
    subprocess.run([sys.executable, "-c", code, "solve", "sixcard", *words], check=True, capture_output=True)


def show_sides(rounds: int) -> None:
    table = Table(title="Milliseconds")
    for heading in ("", "one by one", "in arrays", "ratio"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, plain, quick in (
        ("every arrangement against every other", compare_all, tabulate),
        (
            "the best response to nash",
            partial(respond, policies.nash()),
            partial(solver.best_response, policies.nash()),
        ),
        (
            "the best response to greedy",
            partial(respond, policies.greedy()),
            partial(solver.best_response, policies.greedy()),
        ),
    ):
        pairs = [(seconds(plain), seconds(quick)) for _ in range(rounds)]
        slow, fast = (1000 * median(side) for side in zip(*pairs, strict=True))
        table.add_row(name, f"{slow:,.0f}", f"{fast:,.1f}", f"{slow / fast:,.0f}")
    Console(width=90).print(table)


def show_review(rounds: int) -> None:
    """What a chat waits for after a game."""
    took = [seconds(partial(replies, held, policies.nash())) for held in types() for _ in range(rounds)]
    print(f"a review of one hand: {1000 * median(took):.1f} ms, at most {1000 * max(took):.1f} ms")


def compare_all() -> list[int]:
    listed = [each for held in types() for each in arrangements(held)]
    return [compare(own, other).round for own, other in product(listed, repeat=2)]


def tabulate() -> None:
    tables.cache_clear()
    tables()


def respond(policy: Policy) -> Policy:
    return {held: {replies(held, policy)[0].arrangement: 1} for held in types()}


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
