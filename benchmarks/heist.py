"""Measure games of heist tournaments per second, in the arena and with a plain referee.

`heist_plain.py` is a straightforward implementation of the contest that uses nothing of the program. First
it plays tournaments with the same draws as the arena's compiled and interpreted code, for which it draws from
the program's generator in the order that `referee.py` documents; all must agree in every stake, answer and
credit of every game. Then each plays with its own draws, in alternating rounds: the first ten built-in
players (all but the champion) with the rabble. In one of the rows the arena asks all ten as it asks
contestants' strategies, by a call to Python at each turn; in another the champion plays too. The figures are
medians of the rounds. CPU time is that of one core; compiling is not counted, and of these rows neither are
starting and loading, which a user sees too: so one row is the processor time of whole commands, from start to
end. Memory is the peak of a fresh
process. Two processes play one tournament each, compared with one that plays both.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from arena.engine.preparation import prepare_now
from benchmarks.heist_plain import Dice, Plain
from benchmarks.heist_plain_players import PLAYERS
from benchmarks.rows import Measure
from chatbot.games.heist.contest.compiled.tournament import CompiledTournament
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.luck import Luck
from chatbot.games.heist.contest.situation import WORDS
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from benchmarks.rows import Row
    from chatbot.kernel.contest import Strategy


def asked(strategy: Strategy) -> Strategy:
    """Return a strategy that plays the same, but is not built in."""

    def ask(situation: object, menu: Sequence[object], rng: object) -> object:
        return strategy(situation, menu, rng)

    return ask


ENTRANTS = [Entrant(each.__name__, CONTESTANTS[each.__name__]) for each in PLAYERS]
ASKED = [Entrant(each.name, asked(each.strategy)) for each in ENTRANTS]
ALL = [Entrant(name, strategy) for name, strategy in CONTESTANTS.items()]
OUTSIDE_GAMES, OUTSIDE_PLAIN = 400_000, 10_000  # of the rows of whole commands
SHORT, LONG = 1000, 200_000  # games of two tournaments that must have the same peak memory
TIMES = 40  # times the games for the comparison of processes, to average out other load of the machine
WANTED = 45_000  # games per second
TIMES_FASTER = {
    "compiled": 20,
    "all 11": 10,
    "asked": 5,
    "interpreted": 2,
}  # games per round, times those of the plain one
GAMES, RABBLE, ROUNDS = 1000, 500, 5  # defaults

LINE_UP = f"all {len(PLAYERS)} of the house but the champion once, rabble {RABBLE}, one core"
PLAIN = "a plain referee of 246 lines"
SPEED = Measure(f"{LINE_UP}: games/s", PLAIN)
ASKED_SPEED = Measure(f"{LINE_UP}, all asked by a call to Python: games/s", PLAIN)
INTERPRETED = Measure(f"{LINE_UP}, without Numba: games/s", PLAIN)
OUTSIDE = Measure(
    f"{LINE_UP}, {OUTSIDE_GAMES:,} games by the command, start and loading included: games/s",
    f"{PLAIN}, {OUTSIDE_PLAIN:,} games, start included",
)
PEAK = Measure(f"peak memory after {LONG:,} games, MiB", f"after {SHORT:,}")
TWO = Measure("two tournaments in two processes: games/s", "in one")
MEASURES = (SPEED, OUTSIDE, ASKED_SPEED, INTERPRETED, PEAK, TWO)


@dataclass(frozen=True, slots=True)
class Speed:
    """Games per second of CPU time and of elapsed time."""

    by_cpu: float
    by_clock: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each tournament")
    parser.add_argument("--rabble", type=int, default=RABBLE)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--peak", type=int, metavar="GAMES", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peak:
        play_fast(arguments.peak, arguments.rabble, "memory")
        print(json.dumps(peak_memory()))
        return
    prepare_now(HeistContest(), print)
    agree(arguments.games, arguments.rabble, "shared")
    print(f"{arguments.games} games on the same draws: every stake, answer and credit is the same")
    show_speed(arguments.games, arguments.rabble, arguments.rounds)
    show_commands(arguments.rounds)
    show_memory(arguments.rabble)
    show_processes(TIMES * arguments.games, arguments.rabble, arguments.rounds)


def rows(*, quick: bool) -> Iterator[Row]:
    games, rounds = (GAMES // 10, 1) if quick else (GAMES, ROUNDS)
    prepare_now(HeistContest(), print)
    agree(games, RABBLE, "shared")
    rates = {what: median(each.by_cpu for each in row) for what, row in speeds(games, RABBLE, rounds).items()}
    yield SPEED.row(rates["compiled"], rates["plain"])
    outside = (SHORT, SHORT // 10) if quick else (OUTSIDE_GAMES, OUTSIDE_PLAIN)
    commands = command_rates(rounds, *outside)
    if commands is None:
        yield OUTSIDE.lacking("this system does not tell")
    else:
        yield OUTSIDE.row(*commands)
    yield ASKED_SPEED.row(rates["asked"], rates["plain"])
    yield INTERPRETED.row(rates["interpreted"], rates["plain"])
    short, long = peaks(RABBLE)
    if short is None or long is None:
        yield PEAK.lacking("this system does not tell")
    else:
        yield PEAK.row(long, short)
    one, two = zip(*processes(TIMES * games, RABBLE, rounds), strict=True)
    yield TWO.row(2 * TIMES * games / median(two), 2 * TIMES * games / median(one))


class SharedDice:
    """Draws for the plain referee from the program's generator, in the program's order."""

    def __init__(self, seed: str) -> None:
        luck = Luck(seed)
        self.random, self.sample, self._luck = luck.uniform, luck.sample, luck

    def comers(self, count: int) -> list[int]:
        comers: list[int] = self._luck.comers(count).tolist()
        return comers

    def order(self, count: int) -> list[int]:
        order: list[int] = self._luck.order(count).tolist()
        return order

    def row(self, players: int, others: int) -> list[int | None]:
        row: list[int | None] = [None] * (players + others)
        for place, player in self._luck.slots(players, others):
            row[place] = player
        return row


def agree(games: int, rabble: int, seed: str, times: int = 1) -> None:
    """Play all with the same draws, `times` of each player; exit at the first difference."""
    for kind, entrants in (
        (CompiledTournament, ENTRANTS),
        (CompiledTournament, ASKED),
        (Tournament, ENTRANTS),
    ):
        fast = kind(entrants * times, rabble, seed).play(games)
        plain = Plain(PLAYERS * times, rabble, SharedDice(seed)).play(games)
        for one, other in zip(fast, plain, strict=True):
            answers = [(who, WORDS[act]) for who, act in one.answers]
            if (one.bets, answers, one.credits) != (other.bets, other.answers, other.credits):
                raise SystemExit(
                    f"the plain referee has another game {one.number} with seed {seed!r}: {other}"
                )


def speeds(games: int, rabble: int, rounds: int) -> dict[str, list[Speed]]:
    speeds_by_way: dict[str, list[Speed]] = {"plain": [], **{what: [] for what in TIMES_FASTER}}
    ways = {
        "plain": play_plain, "compiled": play_fast, "all 11": play_all, "asked": play_asked,
        "interpreted": play_interpreted,
    }  # fmt: skip
    for number in range(rounds + 1):
        for what, play in ways.items():
            figure = speed(play, games * TIMES_FASTER.get(what, 1), rabble, f"{number}")
            if number:  # the first round is to warm up
                speeds_by_way[what].append(figure)
    return speeds_by_way


def show_speed(games: int, rabble: int, rounds: int) -> None:
    speeds_by_way = speeds(games, rabble, rounds)
    names = ", ".join(each.name for each in ENTRANTS)
    table = Table(title=f"Python {platform.python_version()}, rabble {rabble}: {names}")
    for heading in ("one core", "games/s by CPU", "games/s by the clock", "ratio by CPU"):
        table.add_column(heading, justify="left" if heading == "one core" else "right")
    slow = median(each.by_cpu for each in speeds_by_way["plain"])
    labels = {
        "plain": "plain referee", "compiled": "arena", "all 11": "arena, and the champion",
        "asked": "arena, all asked", "interpreted": "arena without Numba",
    }  # fmt: skip
    for what, label in labels.items():
        by_cpu = median(each.by_cpu for each in speeds_by_way[what])
        by_clock = median(each.by_clock for each in speeds_by_way[what])
        table.add_row(label, f"{by_cpu:,.0f}", f"{by_clock:,.0f}", f"{by_cpu / slow:.1f}")
    best = max(each.by_cpu for each in speeds_by_way["compiled"])
    table.caption = f"the best round of the arena: {best:,.0f} by CPU; wanted: {WANTED:,}"
    Console(width=90).print(table)


def speed(play: Callable[[int, int, str], object], games: int, rabble: int, seed: str) -> Speed:
    cpu, clock = time.process_time(), time.perf_counter()
    play(games, rabble, seed)
    return Speed(games / (time.process_time() - cpu), games / (time.perf_counter() - clock))


def play_fast(games: int, rabble: int, seed: str) -> None:
    exhaust(CompiledTournament(ENTRANTS, rabble, seed).scores(games))


def play_all(games: int, rabble: int, seed: str) -> None:
    """Play tournaments of the usual length, since the champion's credits are soon beyond 64 bits."""
    for start in range(0, games, SHORT):
        exhaust(CompiledTournament(ALL, rabble, f"{seed}/{start}").scores(min(SHORT, games - start)))


def play_asked(games: int, rabble: int, seed: str) -> None:
    exhaust(CompiledTournament(ASKED, rabble, seed).scores(games))


def play_interpreted(games: int, rabble: int, seed: str) -> None:
    exhaust(Tournament(ENTRANTS, rabble, seed).play(games))


def play_plain(games: int, rabble: int, seed: str) -> None:
    exhaust(Plain(PLAYERS, rabble, Dice(seed)).play(games))


def exhaust(items: Iterable[object]) -> None:
    deque(items, maxlen=0)


def show_commands(rounds: int) -> None:
    rates = command_rates(rounds, OUTSIDE_GAMES, OUTSIDE_PLAIN)
    if rates is not None:
        arena, plain = rates
        print(
            f"whole commands, by processor time: {arena:,.0f} games/s of {OUTSIDE_GAMES:,} by the arena,",
            end="",
        )
        print(f" {plain:,.0f} of {OUTSIDE_PLAIN:,} by the plain referee: {arena / plain:.1f} ×")


def command_rates(rounds: int, games: int, plain_games: int) -> tuple[float, float] | None:
    """Return games per second of processor time of whole commands, the arena's and the plain referee's."""
    command = [sys.executable, "-m", "chatbot", "arena", "heist", *(each.name for each in ENTRANTS)]
    command += ["--jobs", "1", "--json", "--games", str(games), "--seed"]
    plain = f"from benchmarks.heist import play_plain; play_plain({plain_games}, {RABBLE}, 'outside')"
    seconds = [
        (processor_seconds([*command, f"{number}"]), processor_seconds([sys.executable, "-c", plain]))
        for number in range(rounds)
    ]
    fast, slow = (median(each) for each in zip(*seconds, strict=True))
    return (games / fast, plain_games / slow) if fast and slow else None


def processor_seconds(command: Sequence[str]) -> float:
    """Run a command; return the processor time that it and its processes took, 0 where that is not told."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])  # of children that have ended: user and system


def show_memory(rabble: int) -> None:
    short, long = peaks(rabble)
    if short is None or long is None:
        print("this system does not tell how much memory a process has used at most")
        return
    print(f"peak memory after {SHORT:,} games: {short:.1f} MiB; after {LONG:,}: {long:.1f} MiB", end="")
    print(f", {long - short:+.1f} MiB")


def peaks(rabble: int) -> tuple[float | None, float | None]:
    return peak_of_a_process(SHORT, rabble), peak_of_a_process(LONG, rabble)


def peak_of_a_process(games: int, rabble: int) -> float | None:
    command = [sys.executable, "-m", "benchmarks.heist", "--peak", str(games), "--rabble", str(rabble)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    peak: float | None = json.loads(process.stdout)
    return peak


def peak_memory() -> float | None:
    """Return the peak memory of this process in MiB, or None where the system does not report it."""
    status = Path("/proc/self/status")
    if status.exists():  # unlike `ru_maxrss` on Linux, it does not include the peak of the parent process
        line = next(each for each in status.read_text().splitlines() if each.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415  (Windows has none)

    unit = 1024 if sys.platform == "darwin" else 1  # bytes there, KiB elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit / 1024


def show_processes(games: int, rabble: int, rounds: int) -> None:
    ratios = [one / two for one, two in processes(games, rabble, rounds)]
    print(f"two tournaments in two processes: {median(ratios):.2f} × as fast as in one", end="")
    print(f" (rounds: {', '.join(f'{each:.2f}' for each in ratios)})")


def processes(games: int, rabble: int, rounds: int) -> list[tuple[float, float]]:
    """Return the seconds that both tournaments take in one process and in two, for each round."""
    times = []
    with ProcessPoolExecutor(2) as pool:
        both(pool, SHORT // 10, rabble, "warm")
        for number in range(rounds):
            began = time.perf_counter()
            for seed in seeds(f"{number}"):
                play_fast(games, rabble, seed)
            between = time.perf_counter()
            both(pool, games, rabble, f"{number}")
            times.append((between - began, time.perf_counter() - between))
    return times


def both(pool: ProcessPoolExecutor, games: int, rabble: int, word: str) -> None:
    exhaust(pool.map(play_fast, (games, games), (rabble, rabble), seeds(word)))


def seeds(word: str) -> tuple[str, str]:
    return f"{word} a", f"{word} b"


if __name__ == "__main__":
    main()
