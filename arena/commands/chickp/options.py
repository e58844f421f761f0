"""The options of `chickp`, the same as those of the command line that it reproduces, and their parser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from arena.commands.tournaments import seed_or_random, whole_number
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_GAMES = 10**9
MOST_CARDS = 100_000
USAGE = f"""\
USAGE:

   chickp  {{-g <number>|-s <number>}} -n <number> [-q] [-v] [-d] [-t] [--classic]
           [--no-sandbox] [--seed <text>] [--] [--version] [-h] <cmds in double quotes> ...


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

   --classic
     Print exactly what the original environment prints, and exit with 1 after a
     mistake on the command line, as it does.

   --no-sandbox
     Do not run programs in bubblewrap, where it is installed and works.

   --seed <text>
     The same text gives the same luck.

   --,  --ignore_rest
     All that follows is commands.

   --version
     Show the version and exit.

   -h,  --help
     Show this and exit.

   <cmds in double quotes>  (two or more)
     One for each player: random, "linear START STEP", nash, adaptive,
     champion, human, or how a program is started, such as "python3 my_bot.py".


   Chicken Poker Game Environment
"""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a session."""

    games: int
    cards: int
    commands: tuple[str, ...]
    quiet: bool
    verbose: bool
    debug: bool
    unlimited: bool
    classic: bool
    sandbox: bool
    seed: str


@dataclass(frozen=True, slots=True)
class InfoRequest:
    """A request for information instead of a session: `name` is "help" or "version"."""

    name: str


class Flag(NamedTuple):
    """An option; `short` is a letter or "", `valued` whether it takes a value."""

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
    Flag("classic", "", valued=False),
    Flag("no-sandbox", "", valued=False),
    Flag("version", "", valued=False),
    Flag("help", "h", valued=False),
)
_LONG = {f"--{each.name}": each for each in _FLAGS}
_SHORT = {f"-{each.short}": each for each in _FLAGS if each.short}
_END_OF_OPTIONS = {"--", "--ignore_rest"}


def read(words: Sequence[str]) -> Options | InfoRequest:
    """Parse a command line.

    Raises:
        Failure: an option or a command is missing, wrong or repeated.
    """
    values, commands = _split(words)
    for name in ("help", "version"):
        if name in values:
            return InfoRequest(name)
    if ("games" in values) == ("sets" in values):
        raise Failure("Give either -g, a number of games, or -s, a number of sets; `chickp -h` explains.")
    if "bets" not in values:
        raise Failure("Give -n, the number of cards that everybody holds; `chickp -h` explains.")
    cards = whole_number("-n", values["bets"], 1, MOST_CARDS)
    if len(commands) < 2:
        raise Failure(
            f"Chicken Poker takes two players or more, each in quotation marks, not {len(commands)}."
        )
    return Options(
        _games(values, len(commands)),
        cards,
        tuple(commands),
        "quiet" in values,
        ("verbose" in values or "debug" in values) and "quiet" not in values,
        "debug" in values and "quiet" not in values,
        "timeout" in values,
        "classic" in values,
        "no-sandbox" not in values,
        seed_or_random(values.get("seed")),
    )


def is_classic(words: Sequence[str]) -> bool:
    """Return whether `--classic` is among the options, whatever else is wrong with them."""
    for word in words:
        if word in _END_OF_OPTIONS:
            return False
        if word == "--classic":
            return True
    return False


def _games(values: dict[str, str], players: int) -> int:
    if "games" in values:
        return whole_number("-g", values["games"], 1, MOST_GAMES)
    return whole_number("-s", values["sets"], 1, MOST_GAMES // players) * players


def _split(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the values of options by name, "" for those without a value, and the commands."""
    values: dict[str, str] = {}
    commands: list[str] = []
    remaining = list(words)
    while remaining:
        word = remaining.pop(0)
        if word in _END_OF_OPTIONS:
            return values, commands + remaining
        if not word.startswith("-") or word == "-":
            commands.append(word)
            continue
        for flag, value in _flags(word):
            if flag.name in values and flag.valued:
                raise Failure(f"{_flag_text(flag)} is given twice; once is enough.")
            if flag.valued and value is None and not remaining:
                raise Failure(f"{_flag_text(flag)} takes a value; `chickp -h` explains.")
            values[flag.name] = (remaining.pop(0) if value is None else value) if flag.valued else ""
    return values, commands


def _flags(word: str) -> list[tuple[Flag, str | None]]:
    """Parse a word of options, with the value that it may include: `--bets=7`, `-n7`, `-qt`."""
    name, equals, value = word.partition("=")
    if name in _LONG and not (equals and not _LONG[name].valued):
        return [(_LONG[name], value if equals else None)]
    first = _SHORT.get(word[:2])
    if first is not None and first.valued:
        return [(first, word[2:].removeprefix("=") if word[2:] else None)]
    flags = [_SHORT.get(f"-{letter}") for letter in word[1:]]
    if any(each is None or each.valued for each in flags):
        raise Failure(f"There is no option {word[:80]!r}; `chickp -h` shows those there are.")
    return [(each, None) for each in flags if each is not None]


def _flag_text(flag: Flag) -> str:
    return f"-{flag.short}" if flag.short else f"--{flag.name}"
