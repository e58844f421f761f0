"""The competitors of a run, parsed from arguments or from a file: built-in strategies and programs."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from arena.programs.program import JSON_LINES, ProgramCommand, command, exists
from chatbot.kernel.contest import Contest
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BUILTIN = "builtin:"
MAX_NAME = 60  # characters
_NAME = re.compile(r"[^\s'\"/\\]*")  # text before "=" that is a name and not part of a command

_BEFORE_COMMENT = re.compile(
    r"""(?:'[^']*'|"[^"]*"|(?<=\S)#|[^#])*"""
)  # of a line: # within quotes or words begins none


@dataclass(frozen=True, slots=True)
class Competitor:
    """A competitor; it can be pickled, as workers create the strategy or the program."""

    name: str
    plays: str  # the name of a strategy, or the command as it was typed
    command: ProgramCommand | None = None  # None: a strategy


@dataclass(frozen=True, slots=True)
class Lineup:
    """Parses players of one game; relative paths of programs start at `folder`."""

    game: str
    contest: Contest
    folder: Path

    def all_strategies(self) -> list[Competitor]:
        """Return a competitor for each built-in strategy."""
        return [Competitor(name, name) for name in self.contest.strategies]

    def read(self, token: str) -> tuple[str, Competitor]:
        """Parse `[NAME=]PLAYER`; return the name that was given, or "", and the player by its default name.

        Raises:
            Failure: there is no such player.
        """
        name, sign, words = (each.strip() for each in token.partition("="))
        named = bool(sign) and (words in self.contest.strategies or _NAME.fullmatch(name) is not None)
        if named:
            check_name(name)
        else:
            name, words = "", token.strip()
        if words in self.contest.strategies:
            return name, self.strategy(words)
        return name, self.player(words)

    def player(self, words: str) -> Competitor:
        """Parse `builtin:NAME` or a command, which may begin with `json:`.

        Raises:
            Failure: there is no such strategy or program.
        """
        if words.startswith(BUILTIN):
            return self.strategy(words.removeprefix(BUILTIN))
        try:
            wire_format = self.contest.wire_format
            program_command = command(
                words, self.folder, wire_format.call is not None, wire_format.line is not None
            )
        except Failure:
            alone = len(words.split()) == 1 and not words.startswith(JSON_LINES)
            if alone and not exists(self.folder / words):
                raise self._unknown(words) from None
            raise
        return Competitor(default_name(words), words, program_command)

    def strategy(self, name: str) -> Competitor:
        """Return a built-in strategy.

        Raises:
            Failure: there is none of that name.
        """
        if name not in self.contest.strategies:
            raise Failure(f"{self.game} has no strategy {name!r}; there are {self._strategy_names()}.")
        return Competitor("-".join(name.split()), name)

    def _unknown(self, words: str) -> Failure:
        hint = f"; for the strategy write {BUILTIN}{words}" if words in self.contest.strategies else ""
        return Failure(
            f"{words[:80]!r} is no strategy of {self.game} ({self._strategy_names()}), "
            f"and no such program was found{hint}."
        )

    def _strategy_names(self) -> str:
        return ", ".join(self.contest.strategies)


def check_name(name: str) -> None:
    """Check that a name fits into tables and logs.

    Raises:
        Failure: it is empty, too long, or has blanks or signs that cannot be printed.
    """
    if not name or len(name) > MAX_NAME or not name.isprintable() or len(name.split()) != 1:
        raise Failure(f"A player's name has 1 to {MAX_NAME} characters and no blanks; {name[:80]!r} is none.")


def distinct(competitors: Iterable[tuple[str, Competitor]]) -> list[Competitor]:
    """Return the players by the names that were given, the others by distinct default names: kelly, kelly-2.

    Raises:
        Failure: a name was given twice.
    """
    players = list(competitors)
    names = set[str]()
    for name, _ in players:
        if name in names:
            raise Failure(f"Two players are called {name!r}; each needs a name of its own.")
        names |= {name} if name else set()
    return [_renamed(name or _free_name(player.name, names), player) for name, player in players]


def default_name(words: str) -> str:
    """Return the name of a command's script, or else that of its program, without suffix."""
    try:
        parts = shlex.split(words.removeprefix(JSON_LINES).replace("\\", "/"))
    except ValueError:
        parts = words.split()
    scripts = [each for each in parts[1:] if not each.startswith("-") and PurePath(each).suffix]
    stem = PurePath((scripts or parts or ["program"])[0]).stem
    plain = "-".join("".join(each if each.isprintable() else " " for each in stem).split())
    return plain[: MAX_NAME - 5] or "program"


def _renamed(name: str, player: Competitor) -> Competitor:
    return Competitor(name, player.plays, player.command)


def _free_name(name: str, names: set[str]) -> str:
    """Return a name that is not taken yet, and add it to `names`."""
    free, number = name, 1
    while free in names:
        number += 1
        free = f"{name}-{number}"
    names.add(free)
    return free


def read(file: Path, lineup: Lineup) -> list[tuple[str, Competitor]]:
    """Read a file of competitors, a name and a player on each line.

    Raises:
        Failure: the file cannot be read or has no competitor, or a line is wrong; says which.
    """
    competitors: list[tuple[str, Competitor]] = []
    lines: dict[str, int] = {}
    for number, line in _lines(file):
        try:
            name, player = _competitor(line, lineup)
            if name in lines:
                raise Failure(f"{name!r} is already the name of line {lines[name]}.")  # noqa: TRY301
        except Failure as failure:
            raise Failure(f"{file}, line {number}: {failure}") from None
        lines[name] = number
        competitors.append((name, player))
    if not competitors:
        raise Failure(
            f"{file} names no competitor; each line is a name and a command, such as `me python me.py`."
        )
    return competitors


def _competitor(line: str, lineup: Lineup) -> tuple[str, Competitor]:
    name, *rest = line.split(maxsplit=1)
    check_name(name)
    if not rest:
        raise Failure(
            f"{name!r} has no command; a line is a name and a command, such as `{name} python me.py`."
        )
    return name, lineup.player(rest[0].strip())


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, without comments, with their numbers, from 1."""
    for number, line in enumerate(_text(file).split("\n"), 1):
        content = _before_comment(line).strip()
        if content:
            yield number, content


def _before_comment(line: str) -> str:
    """Return a line without the comment that a # outside of quotes and words begins."""
    match = _BEFORE_COMMENT.match(line)
    return match[0] if match else ""


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Failure(f"{file}, line {line}: this is not UTF-8 text.") from None
    except OSError as error:
        raise Failure(f"The competitors in {file} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # a NUL in the name of the file
        raise Failure(f"The competitors in {str(file)!r} cannot be read: {error}.") from None
