"""A player's command, as it was typed: which program it starts, by a shell or not, and how it is asked."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

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
