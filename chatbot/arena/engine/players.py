"""Who competes: a strategy of the house, or a program, read from the words that somebody typed."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from chatbot.arena.programs.program import JSON_LINES, ProgramCommand, command
from chatbot.kernel.contest import Contest
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BUILTIN = "builtin:"
LONGEST_NAME = 60  # characters
_NAMED = re.compile(r"[^\s'\"/\\]*")  # what stands before "=" and is no part of a command

_TOLD = re.compile(r"""(?:'[^']*'|"[^"]*"|(?<=\S)#|[^#])*""")  # all before a comment


@dataclass(frozen=True, slots=True)
class Competitor:
    """One that competes; workers make a strategy of it, so it travels between processes."""

    name: str
    plays: str  # the name of a strategy, or the command as it was typed
    command: ProgramCommand | None = None  # None: a strategy


@dataclass(frozen=True, slots=True)
class Lineup:
    """Reads players of one game; programs are looked for from `folder`."""

    game: str
    contest: Contest
    folder: Path

    def everybody(self) -> list[Competitor]:
        """Name all the strategies of the house."""
        return [Competitor(name, name) for name in self.contest.strategies]

    def read(self, token: str) -> tuple[str, Competitor]:
        """Read `[NAME=]PLAYER`; give the name that was asked for, or "", and the player by its own name.

        Raises:
            Failure: there is no such player.
        """
        name, sign, words = (each.strip() for each in token.partition("="))
        named = bool(sign) and (words in self.contest.strategies or _NAMED.fullmatch(name) is not None)
        if named:
            check_name(name)
        else:
            name, words = "", token.strip()
        if words in self.contest.strategies:
            return name, self.strategy(words)
        return name, self.player(words)

    def player(self, words: str) -> Competitor:
        """Read `builtin:NAME` or a command, which may begin with `json:`.

        Raises:
            Failure: there is no such strategy or program.
        """
        if words.startswith(BUILTIN):
            return self.strategy(words.removeprefix(BUILTIN))
        try:
            tongue = self.contest.tongue
            called = command(words, self.folder, tongue.call is not None, tongue.line is not None)
        except OSError as error:  # a word that is too long for the name of a file
            raise Failure(f"{words[:80]!r} cannot be looked for: {error.strerror}.") from None
        except Failure:
            alone = len(words.split()) == 1 and not words.startswith(JSON_LINES)
            if alone and not (self.folder / words).exists():
                raise self._nobody(words) from None
            raise
        return Competitor(own_name(words), words, called)

    def strategy(self, name: str) -> Competitor:
        if name not in self.contest.strategies:
            raise Failure(f"{self.game} has no strategy {name!r}; there are {self._known()}.")
        return Competitor("-".join(name.split()), name)

    def _nobody(self, words: str) -> Failure:
        hint = f"; for the strategy write {BUILTIN}{words}" if words in self.contest.strategies else ""
        return Failure(
            f"{words!r} is no strategy of {self.game} ({self._known()}), and no such program was found{hint}."
        )

    def _known(self) -> str:
        return ", ".join(self.contest.strategies)


def check_name(name: str) -> None:
    """Make sure that a name fits into a table and a log.

    Raises:
        Failure: it is empty, too long, or has blanks or signs that cannot be printed.
    """
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or len(name.split()) != 1:
        raise Failure(
            f"A player's name has 1 to {LONGEST_NAME} characters and no blanks; {name[:80]!r} is none."
        )


def distinct(wanted: Iterable[tuple[str, Competitor]]) -> list[Competitor]:
    """Give everybody the name that was asked for, and all others names of their own: kelly, kelly-2.

    Raises:
        Failure: one name was asked for twice.
    """
    found = list(wanted)
    taken = set[str]()
    for name, _ in found:
        if name in taken:
            raise Failure(f"Two players are called {name!r}; each needs a name of its own.")
        taken |= {name} if name else set()
    return [_called(name or _free(player.name, taken), player) for name, player in found]


def own_name(words: str) -> str:
    """Name a command after its script, or else after its program."""
    try:
        parts = shlex.split(words.removeprefix(JSON_LINES).replace("\\", "/"))
    except ValueError:
        parts = words.split()
    scripts = [each for each in parts[1:] if not each.startswith("-") and PurePath(each).suffix]
    stem = PurePath((scripts or parts or ["program"])[0]).stem
    plain = "-".join("".join(each if each.isprintable() else " " for each in stem).split())
    return plain[: LONGEST_NAME - 5] or "program"


def _called(name: str, player: Competitor) -> Competitor:
    return Competitor(name, player.plays, player.command)


def _free(name: str, taken: set[str]) -> str:
    """Find a name that nobody has yet, and take it."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def read(file: Path, roster: Lineup) -> list[tuple[str, Competitor]]:
    """Read a file of competitors: names, and what plays under them.

    Raises:
        Failure: the file cannot be read, names nobody, or a line of it is wrong; says which.
    """
    found: list[tuple[str, Competitor]] = []
    lines: dict[str, int] = {}
    for number, line in _lines(file):
        try:
            name, player = _competitor(line, roster)
            if name in lines:
                raise Failure(f"{name!r} is already the name of line {lines[name]}.")  # noqa: TRY301
        except Failure as failure:
            raise Failure(f"{file}, line {number}: {failure}") from None
        lines[name] = number
        found.append((name, player))
    if not found:
        raise Failure(
            f"{file} names no competitor; each line is a name and a command, such as `me python me.py`."
        )
    return found


def _competitor(line: str, roster: Lineup) -> tuple[str, Competitor]:
    name, *rest = line.split(maxsplit=1)
    check_name(name)
    if not rest:
        raise Failure(
            f"{name!r} has no command; a line is a name and a command, such as `{name} python me.py`."
        )
    return name, roster.player(rest[0].strip())


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Give what counts, with the number of its line, from 1."""
    for number, line in enumerate(_text(file).split("\n"), 1):
        told = _before_comment(line).strip()
        if told:
            yield number, told


def _before_comment(line: str) -> str:
    """Leave out what a # begins, outside of quotes and words."""
    match = _TOLD.match(line)
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
