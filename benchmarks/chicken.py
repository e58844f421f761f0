"""Measure `chickp`: its speed with a program, many games at once and one by one, and the player `adaptive`.

Sides that are compared take turns, and the figures are medians, so that a machine that slows down affects
both. The session of a million games is timed as a process, from its start to its end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from math import gcd
from pathlib import Path
from statistics import mean, median, stdev
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from arena.commands.chickp.output import ProgramTrace
from arena.commands.chickp.players import LineProgram
from arena.programs.program import command
from benchmarks.program_rounds import RoundCost, bare, counting, measure, side_lines
from benchmarks.rows import Measure
from chatbot.games.chickenpoker.contest import batch, session
from chatbot.games.chickenpoker.contest.adaptive import Adaptive
from chatbot.games.chickenpoker.contest.session import Even, Failed, Linear, Nash, Played, StepPlayer
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.rows import Row
    from chatbot.games.chickenpoker.contest.session import SessionPlayer

EXAMPLE = Path(__file__).parent.parent / "data" / "examples" / "chicken.py"
TARGET_RATE, TARGET_SHARE = 5000, 0.55  # rounds per second with a program, and points of `adaptive`
FEW, MANY = 400, 40_000  # games played one by one, and at once
LEARNING, JUDGED = 20, 60  # games in which `adaptive` learns, and games that count afterwards
ROUNDS = 5  # of each comparison, by default
PROGRAM_CARDS, PATH_CARDS, SHARE_CARDS = (10, 50), (5, 10, 50), 10  # numbers of cards of the rows
SESSION = ("-q", "-n", "10", "-s", "500000", "random", "random")
TARGET_SECONDS = 3.0  # of the session
ASCENDING = """import sys
for line in sys.stdin:
    card = 0 if line == "RESET\\n" else card + 1
    print(card if card else [next(sys.stdin) for _ in range(3)] and "me", flush=True)
"""
LAPS, LAP_ROUNDS = 3, 30_000  # of the rounds beside bare pipes

PROGRAM = {
    cards: Measure(f"{cards} cards, a program in Python: rounds/s", "wanted, at least")
    for cards in PROGRAM_CARDS
}
PATHS = {cards: Measure(f"{cards} cards, many games at once: games/s", "one by one") for cards in PATH_CARDS}
WHOLE = Measure(f"`chickp {' '.join(SESSION)}`, s", "wanted, at most")
SHARE = Measure(f"{SHARE_CARDS} cards: `adaptive`'s share of the points from `linear`", "wanted, at least")
PIPED = {cards: measure(f"{cards} cards, a program that only counts") for cards in PROGRAM_CARDS}
MEASURES = (*PROGRAM.values(), *PIPED.values(), *PATHS.values(), WHOLE, SHARE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each comparison")
    parser.add_argument("--skip-adaptive", action="store_true")
    arguments = parser.parse_args()
    show_program(arguments.rounds)
    show_pipes()
    show_paths(arguments.rounds)
    show_session()
    if not arguments.skip_adaptive:
        show_adaptive()


def rows(*, quick: bool) -> Iterator[Row]:
    rounds = 1 if quick else ROUNDS
    for cards, program in PROGRAM.items():
        yield program.row(median(program_speeds(cards, rounds)), TARGET_RATE)
    for cards, piped in PIPED.items():
        ours, theirs = round_costs(cards, *((1, 500) if quick else (LAPS, LAP_ROUNDS)))
        yield piped.row(ours.milliseconds, theirs.milliseconds)
    for cards, path in PATHS.items():
        slow, fast = path_speeds(cards, rounds)
        yield path.row(fast, slow)
    yield WHOLE.row(session_seconds(), TARGET_SECONDS)
    yield SHARE.row(
        mean(shares([Adaptive(Rng.of("adaptive")), Linear(StepPlayer(1, 1))], SHARE_CARDS)), TARGET_SHARE
    )


def show_program(rounds: int) -> None:
    for cards in PROGRAM_CARDS:
        speeds = program_speeds(cards, rounds)
        print(f"n = {cards}, a program in Python against random: {median(speeds):,.0f} rounds/s", end="")
        print(f" ({min(speeds):,.0f} to {max(speeds):,.0f}); wanted: {TARGET_RATE:,}")


def program_speeds(cards: int, rounds: int) -> list[float]:
    return [with_a_program(cards, 10_000 // cards) for _ in range(rounds)]


def with_a_program(cards: int, games: int) -> float:
    """Return the rounds per second with a program, after its start."""
    program_command = command(f"{sys.executable} {EXAMPLE}", Path.cwd(), per_call=False)
    with closing(
        LineProgram(program_command, unlimited=False, listener=ProgramTrace(1, None, quiet=False))
    ) as program:
        players: list[SessionPlayer] = [program, Even(Rng.of("benchmark"))]
        points(players, cards, 1)
        began = time.perf_counter()
        points(players, cards, games)
        return cards * games / (time.perf_counter() - began)


def show_pipes() -> None:
    for cards in PROGRAM_CARDS:
        ours, theirs = round_costs(cards, LAPS, LAP_ROUNDS)
        print(*side_lines(f"n = {cards}, a program that only counts", ours, theirs), sep="\n")


@dataclass(slots=True)
class Recorder:
    """Keeps the lines that a program was sent."""

    lines: list[bytes] = field(default_factory=list)

    def sent(self, text: str) -> None:
        self.lines.append(text.encode())

    def received(self, text: str) -> None:
        """Do nothing."""

    def wrote_errors(self, text: str) -> None:
        raise SystemExit(f"the program failed: {text}")


def round_costs(cards: int, laps: int, rounds: int) -> tuple[RoundCost, RoundCost]:
    """Return the cost of sessions with a program, and of the same lines through bare pipes."""
    ours, theirs = RoundCost(), RoundCost()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "counts.py"
        script.write_text(ASCENDING, encoding="utf-8")
        words = [sys.executable, "-I", "-S", script.as_posix()]
        for _ in range(laps):
            recorder = Recorder()
            with counting(ours, rounds):
                session_of(words, recorder, cards, rounds // cards)
            with counting(theirs, rounds):
                bare(words, recorder.lines)
    return ours, theirs


def session_of(words: Sequence[str], recorder: Recorder, cards: int, games: int) -> None:
    program_command = command(" ".join(words), Path.cwd(), per_call=False)
    with closing(LineProgram(program_command, unlimited=False, listener=recorder)) as program:
        points([program, Linear(StepPlayer(1, 1))], cards, games)


def show_paths(rounds: int) -> None:
    table = Table(title="random against random: games/s")
    for heading in ("n", "one by one", "at once", "ratio"):
        table.add_column(heading, justify="right")
    for cards in PATH_CARDS:
        slow, fast = path_speeds(cards, rounds)
        table.add_row(f"{cards}", f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.0f}")
    Console(width=90).print(table)


def path_speeds(cards: int, rounds: int) -> tuple[float, float]:
    pairs = [(plain(cards), vectorised(cards)) for _ in range(rounds)]
    slow, fast = zip(*pairs, strict=True)
    return median(slow), median(fast)


def plain(cards: int) -> float:
    players: list[SessionPlayer] = [Even(Rng.of("a")), Even(Rng.of("b"))]
    return per_second(lambda: points(players, cards, FEW), FEW)


def vectorised(cards: int) -> float:
    def session() -> None:
        for each in batch.play([None, None], cards, MANY, "c"):
            each.points.sum(axis=0)

    return per_second(session, MANY)


def per_second(work: Callable[[], object], games: int) -> float:
    began = time.perf_counter()
    work()
    return games / (time.perf_counter() - began)


def show_session() -> None:
    print(f"chickp {' '.join(SESSION)}: {session_seconds():.2f} s; wanted: at most {TARGET_SECONDS:g} s")


def session_seconds() -> float:
    began = time.perf_counter()
    code = "from chatbot.cli.entry import chickp; chickp()"
    subprocess.run([sys.executable, "-c", code, *SESSION], check=True, capture_output=True)
    return time.perf_counter() - began


def show_adaptive() -> None:
    table = Table(title=f"adaptive's share of the points in {JUDGED} games after {LEARNING}")
    for heading in ("n", "against", "share", "± standard error"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for cards in (5, 10, 20, 50):
        for name, others in opponents(cards):
            own = shares([Adaptive(Rng.of("adaptive")), *others], cards)
            error = stdev(own) / len(own) ** 0.5
            table.add_row(f"{cards}", name, f"{mean(own):.3f}", f"{error:.3f}")
    table.caption = (
        f"wanted: {TARGET_SHARE} from linear. Nobody takes more than half from random or nash, on average."
    )
    Console(width=90).print(table)


def opponents(cards: int) -> Iterator[tuple[str, list[SessionPlayer]]]:
    step = next(each for each in (3, 7) if gcd(each, cards) == 1)
    yield "random", [Even(Rng.of("random"))]
    yield "nash", [Nash(Rng.of("nash"))]
    yield "linear 1 1", [Linear(StepPlayer(1, 1))]
    yield f"linear {cards // 2} {step}", [Linear(StepPlayer(cards // 2, step))]
    yield "itself", [Adaptive(Rng.of("itself"))]
    yield "random, linear 1 1", [Even(Rng.of("random")), Linear(StepPlayer(1, 1))]


def shares(players: Sequence[SessionPlayer], cards: int) -> list[float]:
    """Return the first player's share of the points of each game after those in which it learns."""
    return [each[0] / sum(each) for each in points(players, cards, LEARNING + JUDGED)[LEARNING:]]


def points(players: Sequence[SessionPlayer], cards: int, games: int) -> list[tuple[int, ...]]:
    scores = []
    for event in session.play(players, cards, games):
        if isinstance(event, Failed):
            raise SystemExit(f"a player failed: {event}")
        if isinstance(event, Played):
            scores.append(event.points)
    return scores


if __name__ == "__main__":
    main()
