"""Measure a ladder of programs whose order is planted, and kill it again and again.

Each program plays Six Card Poker well in a share of its rounds, and badly in the others: the larger the
share, the stronger it is. One ladder is played undisturbed. Another one, with another number of processes, is
killed (SIGKILL) each time that its journal has grown by a part, and started again, until it is through. Its
files are compared with those of the first, byte by byte.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from arena.ladder.book import LadderBook
from arena.ladder.journal import NAME, LadderJournal
from arena.ladder.standings import standings
from benchmarks.rows import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.rows import Row

PROGRAM = """import sys
share, credit = float(sys.argv[1]), 0.0
for line in sys.stdin:
    cards = sorted(int(word) for word in line.split())
    credit += share
    if credit >= 1:
        credit -= 1
        pair = min(card for card in cards if cards.count(card) > 1)
        for _ in range(2):
            cards.remove(pair)
        low = cards.pop()
        print(*cards, "|", pair, pair, "|", low, flush=True)
    else:
        print(*cards[:3], "|", *cards[3:5], "|", cards[5], flush=True)
"""
METADATA = 'name = "{name}"\nauthor = "the benchmark"\ngame = "sixcard"\ncommand = "{command}"\n'
PROGRAMS, KILLS, QUICK_PROGRAMS, QUICK_KILLS = 30, 10, 5, 2
GAMES, DUELS = 400, 30  # of a duel, and duels of a player
QUICK_GAMES, QUICK_DUELS = 40, 4
_POLL_SECONDS = 0.01
_MAIN = "from chatbot.cli.entry import main; main()"

RATE = Measure("a ladder of programs, duels/s", "wanted, at least")
ORDER = Measure("two of them, in the planted order, %", "wanted, at least")
FAR = Measure("two that differ by 3 of 30 or more, in the planted order, %", "wanted, at least")
FILES = Measure("a ladder that was killed again and again: files that differ", "wanted, at most")
MEASURES = (RATE, ORDER, FAR, FILES)
TARGET_RATE, TARGET_ORDER, TARGET_FAR = 1.0, 95.0, 99.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a ladder is, and how often it is killed."""

    programs: int
    kills: int
    games: int
    duels: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of both ladders."""

    names: Sequence[str]  # the best first, of the undisturbed ladder
    duels: int
    seconds: float  # of the undisturbed ladder
    differing: Sequence[str]  # files
    kills: int

    def ordered(self, apart: int) -> float:
        """Return of 100 pairs whose places in the planted order are so far apart those in that order."""
        places = [int(each.removeprefix("share")) for each in self.names]
        pairs = [(one, other) for one, other in combinations(places, 2) if abs(one - other) >= apart]
        return 100 * sum(one > other for one, other in pairs) / len(pairs)


WHOLE = Scale(PROGRAMS, KILLS, GAMES, DUELS)
QUICK = Scale(QUICK_PROGRAMS, QUICK_KILLS, QUICK_GAMES, QUICK_DUELS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    parser.add_argument("--kills", type=int, default=KILLS)
    arguments = parser.parse_args()
    outcome = measure(Scale(arguments.programs, arguments.kills, GAMES, DUELS))
    print(f"{outcome.duels} duels in {outcome.seconds:.0f} s; the best first: {' '.join(outcome.names)}")
    print(f"in the planted order: {outcome.ordered(1):.1f}% of all pairs, {outcome.ordered(3):.1f}% of those")
    print(f"that are three places apart; {outcome.kills} kills, differing files: {list(outcome.differing)}")
    if outcome.differing:
        raise SystemExit(1)


def rows(*, quick: bool) -> Iterator[Row]:
    outcome = measure(QUICK if quick else WHOLE)
    yield RATE.row(outcome.duels / outcome.seconds, TARGET_RATE)
    yield ORDER.row(outcome.ordered(1), TARGET_ORDER)
    yield FAR.row(outcome.ordered(3), TARGET_FAR)
    yield FILES.row(len(outcome.differing), 0)


def measure(scale: Scale) -> Outcome:
    """Play a ladder undisturbed, and one that is killed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plant(folder / "programs", scale.programs)
        began = time.perf_counter()
        with start(folder, "whole", scale, jobs=2) as process:
            if process.wait():
                raise SystemExit("the ladder failed")
        seconds = time.perf_counter() - began
        kills = disturbed(folder, scale)
        book = book_of(folder / "whole")
        names = [each.entrant.name for each in standings(book).active]
        return Outcome(names, len(book.duels), seconds, differing(folder / "whole", folder / "killed"), kills)


def plant(folder: Path, programs: int) -> None:
    """Write programs that play well in 0 of n-1, 1 of n-1, … n-1 of n-1 of their rounds."""
    for number in range(programs):
        own = folder / f"program{number:02}"
        own.mkdir(parents=True)
        (own / "bot.py").write_text(PROGRAM, encoding="utf-8")
        command = f"python3 -I -S bot.py {number / (programs - 1):.6f}"
        text = METADATA.format(name=f"share{number}", command=command)
        (own / "program.toml").write_text(text, encoding="utf-8")


def start(folder: Path, to: str, scale: Scale, jobs: int) -> subprocess.Popen[bytes]:
    options = ("--games", str(scale.games), "--duels", str(scale.duels))
    words = ("ladder", str(folder / "programs"), "--to", str(folder / to), *options, "--seed", "planted")
    return subprocess.Popen(
        [sys.executable, "-c", _MAIN, *words, "--jobs", str(jobs)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def disturbed(folder: Path, scale: Scale) -> int:
    """Kill a ladder whenever its journal has grown by a part, and let it end; return the number of kills."""
    whole = lines_of(folder / "whole")
    for kill in range(scale.kills):
        with start(folder, "killed", scale, jobs=1 + kill % 3) as process:
            wait_for_lines(process, folder / "killed", whole * (kill + 1) // (scale.kills + 1))
            process.kill()
    with start(folder, "killed", scale, jobs=1) as process:
        if process.wait():
            raise SystemExit("the ladder did not go on")
    return scale.kills


def wait_for_lines(process: subprocess.Popen[bytes], folder: Path, lines: int) -> None:
    """Wait until a journal has so many lines."""
    pause = threading.Event()
    while lines_of(folder) < lines:
        if process.poll() is not None:
            raise SystemExit("the ladder ended before it was killed")
        pause.wait(_POLL_SECONDS)


def lines_of(folder: Path) -> int:
    journal = folder / NAME
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def book_of(folder: Path) -> LadderBook:
    with LadderJournal(folder) as journal:
        return LadderBook(journal.records)


def differing(one: Path, other: Path) -> list[str]:
    """Return the files that are not in both folders with the same bytes."""
    first, second = contents(one), contents(other)
    return sorted(each for each in {*first, *second} if first.get(each) != second.get(each))


def contents(folder: Path) -> Mapping[str, bytes]:
    files = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


if __name__ == "__main__":
    main()
