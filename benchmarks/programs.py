"""Measure what the arena adds to the cost of starting programs, where each decision of 11 players starts one.

The arena plays a tournament in which every player is a program. After each game the same command lines, with
the same arguments, are started by `subprocess.run` alone: both sides take turns within fractions of a second,
so that a machine that slows down affects both. The arena's side includes everything: the game and its rabble,
the limits, the deadlines, the folders, the killing of remaining processes, and the start of the eleven
supervising processes, whose share decreases with the length of a tournament.

Programs that keep running are measured in matches against a built-in strategy, beside the same lines through
bare pipes: in plain lines (Six Card Poker) and in JSON lines (Chicken Poker).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from arena.programs.program import Limits, Program, command
from benchmarks.program_rounds import RoundCost, bare, counting, measure, side_lines
from benchmarks.rows import Measure
from chatbot.games.chickenpoker.contest.contest import ChickenContest
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.situation import WIRE_FORMAT
from chatbot.games.sixcardpoker.contest import contestants as sixcard
from chatbot.games.sixcardpoker.contest.contest import SixCardContest
from chatbot.kernel.contest import Entrant, Learner, Match

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from arena.programs.program import ProgramCommand
    from benchmarks.rows import Row
    from chatbot.kernel.contest import Contest, WireFormat

PLAYERS = 11
STAKES = ("0", "69", "1", "credits // 10", "credits // 4")  # assigned to the players in turn
ANSWERS = ("!guncheck", "deposit", "buy guard", "acquire intel", "finger", "change jobs", "back out")
PYTHON = """import sys
game, round_number, credits = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[9])
print({stake} if round_number == 1 else {answer!r})
"""
SHELL = """game=$1 round=$2 credits=$9
if [ "$round" = 1 ]; then echo $(({stake})); else echo '{answer}'; fi
"""
TARGET = 1.15


class Kind(NamedTuple):
    """A language that players are written in."""

    name: str
    start: tuple[str, ...]  # the command before the script's path
    script: str


KINDS = (
    Kind("python -I -S", (sys.executable, "-I", "-S"), PYTHON),
    Kind("sh", ("/bin/sh",), SHELL),
)
GAMES, LAPS = 40, 5  # defaults
PLAIN, IN_JSON = "a program that stays, in plain lines", "a program that stays, in JSON lines"
STAYING = {
    PLAIN: """import sys
for line in sys.stdin:
    words = line.split()
    pair = next(one for one, other in zip(words, words[1:]) if one == other)
    words.remove(pair)
    words.remove(pair)
    print(*words[:3], "|", pair, pair, "|", words[3], flush=True)
""",
    IN_JSON: """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "decide":
        view = asked["view"]
        print(json.dumps({"id": asked["id"], "answer": view["hands"][view["own"] - 1][0]}), flush=True)
""",
}
ROUND_LAPS, ROUNDS = 2, 50_000  # of a match with a program that stays

BY_KIND = {
    kind: Measure(f"a program called for a decision (`{kind.name}`), ms", "`subprocess.run`")
    for kind in KINDS
}
BY_LINES = {kind: measure(kind) for kind in STAYING}
MEASURES = (*BY_KIND.values(), *BY_LINES.values())


class Lap(NamedTuple):
    """One measurement of both sides."""

    calls: int
    arena: float  # seconds
    bare: float  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="games of each tournament")
    parser.add_argument("--laps", type=int, default=LAPS, help="tournaments of each kind")
    arguments = parser.parse_args()
    table = Table("programs", "starts", "bare ms", "arena ms", "ratio", "least, median and most of laps")
    for kind in KINDS:
        table.add_row(kind.name, *cells(measure_kind(kind, arguments.games, arguments.laps)))
    Console(width=100).print(table)
    print(f"The goal is a ratio of at most {TARGET} with programs in Python.")
    for staying in STAYING:
        print(*side_lines(staying, *round_costs(staying, ROUND_LAPS, ROUNDS)), sep="\n")


def rows(*, quick: bool) -> Iterator[Row]:
    games, laps = (2, 1) if quick else (GAMES, LAPS)
    for kind, per_call in BY_KIND.items():
        if not Path(kind.start[0]).exists():
            yield per_call.lacking(f"there is no {kind.start[0]}")
            continue
        _, alone, arena = sums(measure_kind(kind, games, laps))
        yield per_call.row(arena, alone)
    for staying, lines in BY_LINES.items():
        ours, theirs = round_costs(staying, *((1, 500) if quick else (ROUND_LAPS, ROUNDS)))
        yield lines.row(ours.milliseconds, theirs.milliseconds)


def measure_kind(kind: Kind, games: int, laps: int) -> list[Lap]:
    """Measure both sides with programs of one kind."""
    with tempfile.TemporaryDirectory() as folder:
        commands = players(kind, Path(folder))
        lap(commands, 2, 0)  # fills the caches of both sides
        return [lap(commands, games, number) for number in range(laps)]


def players(kind: Kind, folder: Path) -> list[ProgramCommand]:
    """Write one script for each player."""
    commands = []
    for number in range(PLAYERS):
        path = folder / f"player{number}"
        stake, answer = STAKES[number % len(STAKES)], ANSWERS[number % len(ANSWERS)]
        if kind.name == "sh":
            stake = stake.replace("//", "/")
        path.write_text(kind.script.format(stake=stake, answer=answer), encoding="utf-8")
        commands.append(command(" ".join((*kind.start, path.as_posix())), folder, per_call=True))
    return commands


def lap(commands: Sequence[ProgramCommand], games: int, number: int) -> Lap:
    """Time a tournament with the start and end of its processes, and the same commands after each game."""
    command_lines: list[list[str]] = []
    calls, arena, bare = 0, 0.0, 0.0
    began = time.perf_counter()
    with ExitStack() as programs:
        entrants = [
            Entrant(
                f"player{player}", programs.enter_context(closing(program(program_command, command_lines)))
            )
            for player, program_command in enumerate(commands)
        ]
        contest = HeistContest()
        (match,) = contest.matches(len(entrants), games, f"lap {number}")
        for _ in contest.play(match, entrants, None):
            between = time.perf_counter()
            for words in command_lines:
                subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            calls, arena = calls + len(command_lines), arena + between - began
            command_lines.clear()
            began = time.perf_counter()
            bare += began - between
    return Lap(calls, arena + time.perf_counter() - began, bare)


def program(program_command: ProgramCommand, command_lines: list[list[str]]) -> Program:
    """Make a player of a command, which records each command line in `command_lines`."""

    def recorded(view: object, menu: object) -> Sequence[str]:
        assert WIRE_FORMAT.call is not None
        arguments = WIRE_FORMAT.call(view, menu)
        command_lines.append([*program_command.words, *arguments])
        return arguments

    return Program("player", program_command, replace(WIRE_FORMAT, call=recorded), "heist", Limits(), failed)


def round_costs(kind: str, laps: int, rounds: int) -> tuple[RoundCost, RoundCost]:
    """Return the cost of matches with a program that stays, and of the same lines through bare pipes."""
    ours, theirs = RoundCost(), RoundCost()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "stays.py"
        script.write_text(STAYING[kind], encoding="utf-8")
        words = [sys.executable, "-I", "-S", script.as_posix()]
        play = play_plain if kind == PLAIN else play_json
        play(words, 20, "what is made once")
        for lap in range(laps):
            with counting(ours, rounds):
                lines = play(words, rounds, f"lap {lap}")
            with counting(theirs, rounds):
                bare(words, lines)
    return ours, theirs


def play_plain(words: Sequence[str], rounds: int, seed: str) -> Sequence[object]:
    """Play rounds of Six Card Poker with a program, and return the lines that it was sent."""
    question, lines = sixcard.WIRE_FORMAT.line, list[str]()
    assert question is not None

    def recorded(view: object, menu: object) -> str:
        lines.append(question(view, menu))
        return lines[-1]

    contest = SixCardContest()
    play_match(contest, replace(sixcard.WIRE_FORMAT, line=recorded), words, Match(0, (0, 1), rounds, seed))
    return [f"{each}\n".encode() for each in lines]


def play_json(words: Sequence[str], rounds: int, seed: str) -> Sequence[object]:
    """Play rounds of Chicken Poker with a program, and return the questions that it was asked."""
    messages: list[Mapping[str, object]] = []

    def recorded(view: object, menu: object) -> Mapping[str, object]:
        messages.append(contest.wire_format.ask(view, menu))
        return messages[-1]

    contest = ChickenContest()
    games = rounds // contest.cards
    play_match(contest, replace(contest.wire_format, ask=recorded), words, Match(0, (0, 1), games, seed))
    return [{"type": "decide", "id": number, "view": each} for number, each in enumerate(messages, 1)]


def play_match(contest: Contest, wire_format: WireFormat, words: Sequence[str], match: Match) -> None:
    """Play a match of a program against the first strategy."""
    program_command = command(
        " ".join(words), Path.cwd(), per_call=False, in_text=wire_format.line is not None
    )
    strategy = next(each for each in contest.strategies.values() if not isinstance(each, Learner))
    house = Entrant("house", strategy)
    with closing(Program("player", program_command, wire_format, "a game", Limits(), failed)) as player:
        for _ in contest.play(match, [Entrant("player", player), house], None):
            pass


def failed(what: object) -> None:
    """Exit, because a program that fails takes another time."""
    raise SystemExit(f"a player failed: {what}")


def sums(laps: Sequence[Lap]) -> tuple[int, float, float]:
    """Return the number of calls, and the milliseconds of one, bare and by the arena."""
    calls = sum(each.calls for each in laps)
    bare, arena = sum(each.bare for each in laps), sum(each.arena for each in laps)
    return calls, 1000 * bare / calls, 1000 * arena / calls


def cells(laps: Sequence[Lap]) -> tuple[str, ...]:
    calls, bare, arena = sums(laps)
    ratios = [each.arena / each.bare for each in laps]
    return (
        f"{calls}",
        f"{bare:.2f}",
        f"{arena:.2f}",
        f"{arena / bare:.3f}",
        f"{min(ratios):.3f} … {median(ratios):.3f} … {max(ratios):.3f}",
    )


if __name__ == "__main__":
    main()
