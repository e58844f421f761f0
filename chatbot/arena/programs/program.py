"""A player that is a program: asked like a strategy, kept by a warden, and never trusted."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from chatbot.arena.programs.client import Warden, WardenReply
from chatbot.arena.programs.containment import Limits
from chatbot.arena.programs.protocols import Calls, Lines, TextLines
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.kernel.contest import Tongue

Protocol: TypeAlias = Literal["calls", "text", "lines"]

JSON_LINES = "json:"  # in front of a command whose program speaks it although the game has another protocol
_ARGUMENTS = '"$@"'  # where a shell's command wants the arguments of a call
_POSIX_SIGNS = frozenset("|&;<>()$`*?[]#\n")
_WINDOWS_SIGNS = frozenset("|&<>^%\n")
# A first word that ends like this, but for options, is a file; without it the program could only fail.
_SCRIPTS = frozenset({".py", ".js", ".mjs", ".sh", ".rb", ".pl", ".lua", ".php", ".jar"})
_CODE = frozenset({"-c", "-e", "-m"})  # options whose word is no file
# Words of a shell's command that may name a file: quoted as a whole, or without any sign.
_NAMES = re.compile(r"""(?<![^\s;|&(<])('[^']*'|"[^"$`\\]*"|[\w./+@:,~-]+)(?![^\s;|&)<>])""")
_MARK = b"\xef\xbb\xbf"  # that some editors put in front of UTF-8

__all__ = ["Limits", "Program", "ProgramCommand", "command"]

UNREADABLE, ILLEGAL = "unreadable", "illegal"
_LONGEST = 400  # characters of a line in the errors
_NOBODY: Any = object()


@dataclass(frozen=True, slots=True)
class ProgramCommand:
    """How a program is started, wherever that is: files are named by absolute paths."""

    words: tuple[str, ...]
    protocol: Protocol


def command(text: str, folder: Path, per_call: bool, in_text: bool = False) -> ProgramCommand:
    """Read a command; files that it names are looked for from `folder`.

    `per_call` says whether the game has the protocol that starts a program for each decision, `in_text`
    whether it has lines of its own; without either it is asked in JSON. Signs that only a shell understands
    (`|`, `>`, `&&`, `*`, `$`), outside of quotes, have one start it.

    Raises:
        Failure: there is no such program.
    """
    forced, rest = text.strip().startswith(JSON_LINES), text.strip().removeprefix(JSON_LINES).strip()
    own: Protocol = "calls" if per_call else "text" if in_text else "lines"
    protocol: Protocol = "lines" if forced else own
    if "\0" in rest:
        raise Failure(f"A command has no NUL in it, as {rest!r} has.")
    if _needs_shell(rest):
        return ProgramCommand(_by_shell(rest, folder, protocol), protocol)
    words = _split(rest)
    if not words or not words[0]:
        raise Failure("A player's command is empty; give a program, such as: python bot.py")
    located = (_program(words[0], folder), *(_located(each, folder) for each in words[1:]))
    script = _script(located)
    if Path(script).suffix in _SCRIPTS and not Path(script).is_absolute():
        raise Failure(f"There is no script {script!r} in {folder}.")
    return ProgramCommand(located, protocol)


def _needs_shell(text: str) -> bool:
    if os.name == "nt":
        return bool(_WINDOWS_SIGNS & set(re.sub(r'"[^"]*"', "", text)))
    bare = re.sub(r"\\.|'[^']*'", "", text)
    return bool(_POSIX_SIGNS & set(re.sub(r'"[^"$`]*"', "", bare))) or "$" in bare or "`" in bare


def _by_shell(text: str, folder: Path, protocol: Protocol) -> tuple[str, ...]:
    placed = _NAMES.sub(lambda found: _placed(found[0], folder), text)
    if os.name == "nt":
        return (os.environ.get("COMSPEC", "cmd.exe"), "/d", "/s", "/c", placed)
    _split(text)
    wants = protocol == "calls" and not re.search(r"\$[@*0-9{]", text)
    return (shutil.which("sh") or "/bin/sh", "-c", f"{placed} {_ARGUMENTS}" if wants else placed, "sh")


def _split(text: str) -> list[str]:
    try:
        if os.name == "nt":  # a backslash is part of a path there
            return [each.strip('"') for each in shlex.split(text, posix=False)]
        return shlex.split(text)
    except ValueError:
        raise Failure(f"A quotation mark is open in the command {text!r}; close it.") from None


def _program(word: str, folder: Path) -> str:
    if not any(each in word for each in (os.sep, os.altsep or os.sep)):
        found = shutil.which(word)
        if found is None:
            raise Failure(f"There is no program {word!r}{_hint(word, folder)}.")
        return str(Path(found).absolute())
    path = _path(word, folder)
    if not path.is_file():
        raise Failure(f"There is no program {word!r}: {path} is no file.")
    if not os.access(path, os.X_OK):
        raise Failure(f"{word!r} may not be run; make it executable, or name its language: python bot.py")
    if os.name != "nt" and (why := _unstartable(path)):
        raise Failure(f"{word!r} {why}.")
    return str(path.absolute())


def _unstartable(path: Path) -> str:
    """Say what is wrong with a script's first line; "" is nothing, and so is what cannot be read."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    line = first.removeprefix(_MARK).rstrip(b"\n")
    language = os.fsdecode(b"".join(line.removeprefix(b"#!").split()[:1]))
    if b"\0" in first:
        return ""  # machine code
    if not line.startswith(b"#!") or not language:
        return "does not begin with its language, such as #!/usr/bin/env python3"
    if first.startswith(_MARK):
        return "begins with a byte order mark; save it without one"
    if line.endswith(b"\r"):
        return "has the line endings of Windows; save it with those of Unix"
    return "" if Path(language).is_file() else f"is to be run by {language!r}, which is not here"


def _script(words: Sequence[str]) -> str:
    """Give the first word after the program that is no option; "" if that is no file."""
    for before, word in pairwise(words):
        if not word.startswith("-"):
            return "" if before in _CODE else word
    return ""


def _hint(word: str, folder: Path) -> str:
    return f" among the installed ones; for the file here write ./{word}" if (folder / word).is_file() else ""


def _located(word: str, folder: Path) -> str:
    """Name a file by its whole path: the program runs in another folder."""
    found = bool(word) and not word.startswith("-") and len(word) < 1000 and _path(word, folder).exists()
    return str(_path(word, folder).absolute()) if found and word not in {".", ".."} else word


def _path(word: str, folder: Path) -> Path:
    """Find a file where the user would, whose home the program does not have."""
    return Path.home() / word[2:] if word.startswith("~/") else folder / word


def _placed(word: str, folder: Path) -> str:
    """Do so in a shell's command."""
    bare = word[1:-1] if word[0] in "'\"" else word
    path = _located(bare, folder)
    return word if path == bare else shlex.quote(path)


class Program:
    """One player's program during one match.

    A failure is counted, told, and is no answer. A program that stays is killed then; nobody asks it for
    the rest of that game, and it is started afresh for the next.
    """

    def __init__(
        self,
        name: str,
        command: ProgramCommand,
        tongue: Tongue,
        game: str,
        limits: Limits,
        errors: Callable[[str], object],
    ) -> None:
        self.failures: Counter[str] = Counter()
        self._name, self._tongue, self._limits, self._errors = name, tongue, limits, errors
        self._protocol = _protocol(name, command, tongue, game, limits)
        self._stays = not isinstance(self._protocol, Calls)
        self._game: object = None  # that is being played
        self._failed: object = _NOBODY  # the game in which it failed and is not asked any more
        self._unfinished = ""  # a line of its standard error
        self._lost = 0
        self._warden: Warden | None = None
        self._begin()

    def __call__(self, view: Any, menu: Sequence[Any], rng: object = None) -> Any:  # noqa: ARG002
        """Ask it; None is no answer. Whatever it does, nothing is raised."""
        told = self._tongue.ask(view, menu) if self._stays else {}
        self._game = told.get("game") if self._stays else getattr(view, "game", None)
        if self._failed is not _NOBODY:
            if self._game is not None and self._game == self._failed:
                return None
            self._begin()
        assert self._warden is not None  # noqa: S101
        reply = self._protocol.ask(self._warden, view, menu, told)
        self._hear(reply)
        return self._fail(reply.kind, reply.why) if reply.kind else self._read(view, menu, reply.text)

    def close(self) -> None:
        """Close its input, wait a little, kill what is left of it, and remove its folder."""
        if self._warden is None:
            return
        last = self._warden.close()
        self._hear(last)
        self._warden = None
        self._end_line()
        if last.why:
            self._tell(last.why)
        if self._lost:
            self._tell(f"wrote {self._lost} more bytes to standard error, which were not kept")

    def _begin(self) -> None:
        self._failed = _NOBODY
        if self._warden is None:
            self._warden = Warden(self._limits)
        self._protocol.begin(self._warden)

    def _read(self, view: Any, menu: Sequence[Any], text: str) -> Any:
        try:
            answer = self._protocol.read(text)
        except (ValueError, RecursionError) as error:
            return self._fail(UNREADABLE, str(error))
        try:
            return self._tongue.read(view, menu, answer)
        except (ValueError, RecursionError) as error:
            return self._fail(ILLEGAL, str(error))

    def _fail(self, kind: str, why: str) -> None:
        self._end_line()
        self.failures[kind] += 1
        self._tell(f"{kind}: {why}")
        assert self._warden is not None  # noqa: S101
        if self._stays:
            self._failed = self._game
            if self._warden.alive:
                self._hear(self._warden.stop())
                self._end_line()
        if not self._warden.alive:
            self._warden = None
            self._failed = self._game if self._stays else None

    # Standard error

    def _hear(self, reply: WardenReply) -> None:
        self._lost += reply.lost
        *lines, self._unfinished = (self._unfinished + reply.errors).split("\n")
        for line in lines:
            self._tell(f"standard error: {line}")
        if not self._stays:
            self._end_line()

    def _end_line(self) -> None:
        if self._unfinished:
            self._tell(f"standard error: {self._unfinished}")
            self._unfinished = ""

    def _tell(self, what: str) -> None:
        place = "" if self._game is None else f", game {self._game}"
        self._errors(f"{safe(f'{self._name}{place}: {what}')}\n")


def safe(text: str) -> str:
    """Make one line of it that no terminal obeys."""
    line = "".join(each if each.isprintable() else " " if each in "\t\r" else "�" for each in text.rstrip())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _protocol(
    name: str, command: ProgramCommand, tongue: Tongue, game: str, limits: Limits
) -> Calls | Lines | TextLines:
    if command.protocol == "calls" and tongue.call is not None:
        return Calls(command.words, tongue.call)
    if command.protocol == "text" and tongue.line is not None:
        return TextLines(command.words, tongue.line, limits.seconds)
    return Lines(command.words, game, name, limits.seconds)
