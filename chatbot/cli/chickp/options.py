"""The options of `chickp`, exactly those of the command line that it takes after, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chatbot.cli.arena import seeded, whole
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_GAMES = 10**9
MOST_CARDS = 100_000
USAGE = f"""\
USAGE:

   chickp  {{-g <number>|-s <number>}} -n <number> [-q] [-v] [-d] [-t] [--seed <text>]
           [--] [--version] [-h] <cmds in double quotes> ...


Where:

   -g <number>,  --games <number>
     (OR required)  Run so many games, 1 to {MOST_GAMES}. Player ids are rotated after
     every game.
         -- OR --
   -s <number>,  --sets <number>
     (OR required)  A set is as many games as there are players. Run so many sets.


   -n <number>,  --bets <number>
     (required)  The number of rounds in a game, and the value of the highest
     card, 1 to {MOST_CARDS}.

   -q,  --quiet
     Show only the summary of the session; wins over -v and -d.

   -v,  --verbose
     Show every round.

   -d,  --debug
     Show everything, including the lines of the protocol.

   -t,  --timeout
     Ignore timeouts: give all programs unlimited time.

   --seed <text>
     The same text gives the same luck.

   --,  --ignore_rest
     All that follows is commands.

   --version
     Show the version and exit.

   -h,  --help
     Show this and exit.

   <cmds in double quotes>  (two or more)
     One for each player: random, "linear START STEP", nash, adaptive, human, or
     how a program is started, such as "python3 my_bot.py".


   Chicken Poker Game Environment
"""


@dataclass(frozen=True, slots=True)
class Options:
    """A session as it was ordered."""

    games: int
    cards: int
    commands: tuple[str, ...]
    quiet: bool
    verbose: bool
    debug: bool
    unlimited: bool
    seed: str


@dataclass(frozen=True, slots=True)
class OptionQuestion:
    """Something to show instead of a session: its name is `help` or `version`."""

    name: str


class Flag(NamedTuple):
    name: str
    short: str
    valued: bool


_FLAGS = (
    Flag("games", "g", valued=True),
    Flag("sets", "s", valued=True),
    Flag("bets", "n", valued=True),
    Flag("seed", "", valued=True),
    Flag("quiet", "q", valued=False),
    Flag("verbose", "v", valued=False),
    Flag("debug", "d", valued=False),
    Flag("timeout", "t", valued=False),
    Flag("version", "", valued=False),
    Flag("help", "h", valued=False),
)
_LONG = {f"--{each.name}": each for each in _FLAGS}
_SHORT = {f"-{each.short}": each for each in _FLAGS if each.short}
_REST = {"--", "--ignore_rest"}


def read(words: Sequence[str]) -> Options | OptionQuestion:
    """Read a command line.

    Raises:
        Failure: something is missing, wrong, or there twice.
    """
    given, commands = _sorted(words)
    for name in ("help", "version"):
        if name in given:
            return OptionQuestion(name)
    if ("games" in given) == ("sets" in given):
        raise Failure("Give either -g, a number of games, or -s, a number of sets; `chickp -h` explains.")
    if "bets" not in given:
        raise Failure("Give -n, the number of cards that everybody holds; `chickp -h` explains.")
    cards = whole("-n", given["bets"], 1, MOST_CARDS)
    if len(commands) < 2:
        raise Failure(
            f"Chicken Poker takes two players or more, each in quotation marks, not {len(commands)}."
        )
    return Options(
        _games(given, len(commands)),
        cards,
        tuple(commands),
        "quiet" in given,
        ("verbose" in given or "debug" in given) and "quiet" not in given,
        "debug" in given and "quiet" not in given,
        "timeout" in given,
        seeded(given.get("seed")),
    )


def _games(given: dict[str, str], players: int) -> int:
    if "games" in given:
        return whole("-g", given["games"], 1, MOST_GAMES)
    return whole("-s", given["sets"], 1, MOST_GAMES // players) * players


def _sorted(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Tell options from commands; an option without a value has an empty one."""
    given: dict[str, str] = {}
    commands: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word in _REST:
            return given, commands + left
        if not word.startswith("-") or word == "-":
            commands.append(word)
            continue
        for flag, value in _flags(word):
            if flag.name in given and flag.valued:
                raise Failure(f"{_shown(flag)} is given twice; once is enough.")
            if flag.valued and value is None and not left:
                raise Failure(f"{_shown(flag)} takes a value; `chickp -h` explains.")
            given[flag.name] = (left.pop(0) if value is None else value) if flag.valued else ""
    return given, commands


def _flags(word: str) -> list[tuple[Flag, str | None]]:
    """Read a word of options, with the value that may be part of it: `--bets=7`, `-n7`, `-qt`."""
    name, equals, value = word.partition("=")
    if name in _LONG and not (equals and not _LONG[name].valued):
        return [(_LONG[name], value if equals else None)]
    first = _SHORT.get(word[:2])
    if first is not None and first.valued:
        return [(first, word[2:].removeprefix("=") if word[2:] else None)]
    found = [_SHORT.get(f"-{letter}") for letter in word[1:]]
    if any(each is None or each.valued for each in found):
        raise Failure(f"There is no option {word[:80]!r}; `chickp -h` shows those there are.")
    return [(each, None) for each in found if each is not None]


def _shown(flag: Flag) -> str:
    return f"-{flag.short}" if flag.short else f"--{flag.name}"
