"""Programs as players: their commands, and the strategy that asks a program through its warden."""

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

from arena.programs.class_path import CLASS_PATH
from arena.programs.client import Warden, WardenReply
from arena.programs.containment import Limits
from arena.programs.protocols import JsonLines, ProcessPerCall, TextLines
from arena.programs.reproduction import ProgramFailure
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.kernel.contest import WireFormat

Protocol: TypeAlias = Literal["calls", "text", "lines"]

JSON_LINES = "json:"  # prefix of a command that selects JSON lines although the game has another protocol
_ARGUMENTS = '"$@"'  # what the shell replaces by the arguments of a call
_POSIX_SHELL = frozenset("|&;<>()$`*?[]#\n")
_WINDOWS_SHELL = frozenset("|&<>^%\n")
# A first word, options aside, that ends like this is a script; a missing one is reported before the match.
_SCRIPT_SUFFIXES = frozenset({".py", ".js", ".mjs", ".sh", ".rb", ".pl", ".lua", ".php", ".jar"})
_CODE_OPTIONS = frozenset({"-c", "-e", "-m"})  # options whose value is not a file
# Words of a shell's command that may be files: quoted as a whole, or without special characters.
_FILE_WORDS = re.compile(r"""(?<![^\s;|&(<])('[^']*'|"[^"$`\\]*"|[\w./+@:,~-]+)(?![^\s;|&)<>])""")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # some editors write it at the start of UTF-8 files

__all__ = ["Limits", "Program", "ProgramCommand", "command", "exists"]

LATE, UNREADABLE, ILLEGAL = "late", "unreadable", "illegal"
_FLUSHES = (
    "does it flush its output after each line? Most languages keep what is written to a pipe: Python flushes"
    " with print(..., flush=True), C with fflush(stdout)"
)
_MAX_LINE = 400  # characters of a line of errors
_NO_GAME: object = object()


@dataclass(frozen=True, slots=True)
class ProgramCommand:
    """How a program is started; paths are absolute, so that it can run in any folder."""

    words: tuple[str, ...]
    protocol: Protocol


def command(text: str, folder: Path, per_call: bool, in_text: bool = False) -> ProgramCommand:
    """Parse a command; relative paths start at `folder`.

    `per_call` says whether the game has the protocol that starts a program for each decision, `in_text`
    whether it has a protocol of plain lines; otherwise the protocol is JSON lines. A command with characters
    that only a shell understands (`|`, `>`, `&&`, `*`, `$`), outside of quotes, is run by a shell.

    Raises:
        Failure: there is no such program or script, or the command is empty or malformed.
    """
    forced, rest = text.strip().startswith(JSON_LINES), text.strip().removeprefix(JSON_LINES).strip()
    usual: Protocol = "calls" if per_call else "text" if in_text else "lines"
    protocol: Protocol = "lines" if forced else usual
    if "\0" in rest:
        raise Failure(f"A command has no NUL in it, as {rest!r} has.")
    if _needs_shell(rest):
        return ProgramCommand(_shell_command(rest, folder, protocol), protocol)
    words = _split(rest)
    if not words or not words[0]:
        raise Failure("A player's command is empty; give a program, such as: python bot.py")
    absolute = (
        _program(words[0], folder),
        *(
            _absolute_class_path(each, folder) if before in CLASS_PATH else _absolute_if_file(each, folder)
            for before, each in pairwise(words)
        ),
    )
    script = _script(absolute)
    if Path(script).suffix in _SCRIPT_SUFFIXES and not Path(script).is_absolute():
        raise Failure(f"There is no script {script!r} in {folder}.")
    return ProgramCommand(absolute, protocol)


def _needs_shell(text: str) -> bool:
    if os.name == "nt":
        return bool(_WINDOWS_SHELL & set(re.sub(r'"[^"]*"', "", text)))
    bare = re.sub(r"\\.|'[^']*'", "", text)
    return bool(_POSIX_SHELL & set(re.sub(r'"[^"$`]*"', "", bare))) or "$" in bare or "`" in bare


def _shell_command(text: str, folder: Path, protocol: Protocol) -> tuple[str, ...]:
    absolute = _FILE_WORDS.sub(lambda match: _absolute_word(match[0], folder), text)
    if os.name == "nt":
        return (os.environ.get("COMSPEC", "cmd.exe"), "/d", "/s", "/c", absolute)
    _split(text)
    takes_arguments = protocol == "calls" and not re.search(r"\$[@*0-9{]", text)
    return (
        shutil.which("sh") or "/bin/sh",
        "-c",
        f"{absolute} {_ARGUMENTS}" if takes_arguments else absolute,
        "sh",
    )


def _split(text: str) -> list[str]:
    try:
        if os.name == "nt":  # a backslash is part of a path there
            return [each.strip('"') for each in shlex.split(text, posix=False)]
        return shlex.split(text)
    except ValueError:
        raise Failure(f"A quotation mark is open in the command {text!r}; close it.") from None


def _program(word: str, folder: Path) -> str:
    if not any(each in word for each in (os.sep, os.altsep or os.sep)):
        executable = shutil.which(word)
        if executable is None:
            raise Failure(f"There is no program {word[:80]!r}{_local_file_hint(word, folder)}.")
        return str(Path(executable).absolute())
    path = _path(word, folder)
    if not (exists(path) and path.is_file()):
        raise Failure(f"There is no program {word[:80]!r}: it is no file.")
    if not os.access(path, os.X_OK):
        raise Failure(f"{word!r} may not be run; make it executable, or name its language: python bot.py")
    if os.name != "nt" and (why := _unstartable(path)):
        raise Failure(f"{word!r} {why}.")
    return str(path.absolute())


def _unstartable(path: Path) -> str:
    """Return what is wrong with the first line of a script; "": nothing, or it cannot be read."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    line = first.removeprefix(_BYTE_ORDER_MARK).rstrip(b"\n")
    language = os.fsdecode(b"".join(line.removeprefix(b"#!").split()[:1]))
    if b"\0" in first:
        return ""  # machine code
    if not line.startswith(b"#!") or not language:
        return "does not begin with its language, such as #!/usr/bin/env python3"
    if first.startswith(_BYTE_ORDER_MARK):
        return "begins with a byte order mark; save it without one"
    if line.endswith(b"\r"):
        return "has the line endings of Windows; save it with those of Unix"
    return "" if Path(language).is_file() else f"is to be run by {language!r}, which is not here"


def _script(words: Sequence[str]) -> str:
    """Return the first word after the program that is not an option; "": it is not a file."""
    for before, word in pairwise(words):
        if not word.startswith("-"):
            return "" if before in _CODE_OPTIONS else word
    return ""


def _local_file_hint(word: str, folder: Path) -> str:
    is_here = exists(folder / word) and (folder / word).is_file()
    return f" among the installed ones; for the file here write ./{word}" if is_here else ""


def _absolute_if_file(word: str, folder: Path) -> str:
    """Return the absolute path of a word that is a file, since the program runs in another folder."""
    is_file = bool(word) and not word.startswith("-") and exists(_path(word, folder))
    return str(_path(word, folder).absolute()) if is_file and word not in {".", ".."} else word


def _absolute_class_path(word: str, folder: Path) -> str:
    """Return a class path of Java with what it names by absolute paths; `.` is the folder of the command."""
    return os.pathsep.join(
        str(_path(each, folder).absolute()) if each and exists(_path(each, folder)) else each
        for each in word.split(os.pathsep)
    )


def exists(path: Path) -> bool:
    """Return whether there is something at a path; not if it is none, such as a long line of code."""
    try:
        return path.exists()
    except OSError:
        return False


def _path(word: str, folder: Path) -> Path:
    """Resolve a path as the user means it; `~` is replaced here, as the program has another home."""
    return Path.home() / word[2:] if word.startswith("~/") else folder / word


def _absolute_word(word: str, folder: Path) -> str:
    """Replace a word of a shell's command by its absolute path if it is a file."""
    bare = word[1:-1] if word[0] in "'\"" else word
    path = _absolute_if_file(bare, folder)
    return word if path == bare else shlex.quote(path)


class Program:
    """The program of one player during one match, called like a strategy.

    A failure is counted and reported, and the answer is None. A program that keeps running is killed then; it
    is not asked for the rest of that game, and started anew for the next.
    """

    def __init__(
        self,
        name: str,
        command: ProgramCommand,
        wire_format: WireFormat,
        game: str,
        limits: Limits,
        errors: Callable[[str], object],
    ) -> None:
        self.failures: Counter[str] = Counter()
        self.first_failure: ProgramFailure | None = None
        self._name, self._wire_format, self._limits, self._errors = name, wire_format, limits, errors
        self._protocol = _protocol(name, command, wire_format, game, limits)
        self._keeps_running = not isinstance(self._protocol, ProcessPerCall)
        self._game: object = None  # the number of the current one
        self._failed_game: object = _NO_GAME  # the game in which it failed: it is not asked before the next
        self._unfinished = ""  # the last line of its standard error, without line feed
        self._lost_bytes = 0
        self._warden: Warden | None = None
        self._begin()

    def __call__(self, view: object, menu: Sequence[object], rng: object = None) -> Any:  # noqa: ARG002  (Any: as of a strategy)
        """Return its action, or None after a failure; no failure of a program raises."""
        message = self._wire_format.ask(view, menu) if self._keeps_running else {}
        self._game = message.get("game") if self._keeps_running else getattr(view, "game", None)
        if self._failed_game is not _NO_GAME:
            if self._game is not None and self._game == self._failed_game:
                return None
            self._begin()
        assert self._warden is not None  # noqa: S101
        reply = self._protocol.ask(self._warden, view, menu, message)
        self._collect_errors(reply)
        if reply.kind:
            self._fail(reply.kind, reply.why)
            return None
        return self._read(view, menu, reply.text)

    def close(self) -> None:
        """Close its input, wait a little, kill what is left of it, and remove its folder."""
        if self._warden is None:
            return
        last = self._warden.close()
        self._collect_errors(last)
        self._warden = None
        self._flush_line()
        if last.why:
            self._report(last.why)
        if self._lost_bytes:
            self._report(f"wrote {self._lost_bytes} more bytes to standard error, which were not kept")

    def _begin(self) -> None:
        self._failed_game = _NO_GAME
        if self._warden is None:
            self._warden = Warden(self._limits)
        self._protocol.begin(self._warden)

    def _read(self, view: object, menu: Sequence[object], text: str) -> object:
        try:
            answer = self._protocol.read(text)
        except (ValueError, RecursionError) as error:
            self._fail(UNREADABLE, str(error))
            return None
        try:
            return self._wire_format.read(view, menu, answer)
        except (ValueError, RecursionError) as error:
            self._fail(ILLEGAL, str(error))
            return None

    def _fail(self, kind: str, why: str) -> None:
        self._flush_line()
        self.failures[kind] += 1
        self._report(f"{kind}: {why}")
        if kind == LATE and self._keeps_running and self.failures[LATE] == 1:
            self._report(_FLUSHES)
        # An answer that is late is so only while its input is open: a program that ends writes what it has.
        line = self._protocol.reproduction(self._limits.seconds if kind == LATE else 0)
        self._errors(f"{line}\n")
        self.first_failure = self.first_failure or ProgramFailure(kind, why, line)
        assert self._warden is not None  # noqa: S101
        if self._keeps_running:
            self._failed_game = self._game
            if self._warden.alive:
                self._collect_errors(self._warden.stop())
                self._flush_line()
        if not self._warden.alive:
            self._warden = None
            self._failed_game = self._game if self._keeps_running else None

    # Standard error

    def _collect_errors(self, reply: WardenReply) -> None:
        self._lost_bytes += reply.lost
        *lines, self._unfinished = (self._unfinished + reply.errors).split("\n")
        for line in lines:
            self._report(f"standard error: {line}")
        if not self._keeps_running:
            self._flush_line()

    def _flush_line(self) -> None:
        if self._unfinished:
            self._report(f"standard error: {self._unfinished}")
            self._unfinished = ""

    def _report(self, what: str) -> None:
        place = "" if self._game is None else f", game {self._game}"
        self._errors(f"{safe(f'{self._name}{place}: {what}')}\n")


def safe(text: str) -> str:
    """Return one line without control characters, of at most 400 characters."""
    line = "".join(each if each.isprintable() else " " if each in "\t\r" else "�" for each in text.rstrip())
    return line if len(line) <= _MAX_LINE else f"{line[: _MAX_LINE - 1]}…"


def _protocol(
    name: str, command: ProgramCommand, wire_format: WireFormat, game: str, limits: Limits
) -> ProcessPerCall | JsonLines | TextLines:
    if command.protocol == "calls" and wire_format.call is not None:
        return ProcessPerCall(command.words, wire_format.call)
    if command.protocol == "text" and wire_format.line is not None:
        return TextLines(command.words, wire_format.line, limits.seconds)
    return JsonLines(command.words, game, name, limits.seconds)
