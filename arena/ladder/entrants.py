"""The programs of a ladder: each has a folder of its own, whose `program.toml` says what it is.

Whoever runs a ladder did not write these files, so a command may name nothing outside of its folder: what a
command names can be read by the program in its sandbox.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.engine.players import BUILTIN, Competitor, Lineup, check_name
from arena.programs.program import JSON_LINES
from chatbot.games import named
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chatbot.kernel.contest import Contest

METADATA = "program.toml"
JOURNAL = "journal.jsonl"  # only the folder of a ladder has one
KEY_DIGITS = 16  # hexadecimal, of an entrant's key
_FIELDS = ("name", "author", "game", "command")
_MAX_TEXT = {"name": 60, "author": 80, "game": 60, "command": 500}  # characters
_MAX_METADATA = 64 << 10  # bytes; it holds four lines
# Of a program's folder, all of which is hashed whenever a ladder is played.
_MAX_FILES, _MAX_BYTES = 1000, 64 << 20
_SHELL_SIGNS = frozenset("|&;<>()$`*?[]#\n\\")
_CACHES = frozenset({"__pycache__"})  # what interpreters write is no part of a program
FRONT = "index.html"  # the first page of a ladder's site
SITE_FOLDERS = frozenset({"fonts", "logs", "players"})


@dataclass(frozen=True, slots=True)
class LadderEntrant:
    """Who is on a ladder, as its journal knows it; other files or another command make another entrant."""

    key: str  # of `KEY_DIGITS`
    name: str
    author: str  # "": a strategy of the house
    plays: str  # the command as it was written, or the name of the strategy

    @property
    def house(self) -> bool:
        """Whether it is a built-in strategy."""
        return not self.author


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """An entrant that can play now."""

    entrant: LadderEntrant
    competitor: Competitor


@dataclass(frozen=True, slots=True)
class LadderFolder:
    """What a folder of programs holds for one game, and who is left out with a sentence of why."""

    entries: Sequence[LadderEntry]  # in the order of their folders' names
    left_out: Mapping[str, str]  # by the name of the folder


def games_of(folder: Path) -> set[str]:
    """Return the games that the programs of a folder name, as far as these can be read.

    Raises:
        Failure: there is no such folder.
    """
    games = set[str]()
    for each in filter(_has_metadata, _folders(folder)):
        try:
            games.add(_game(_metadata(each)))
        except Failure:
            continue
    return games


def read_folder(folder: Path, game: str, contest: Contest) -> LadderFolder:
    """Read the programs of one game. What is wrong with a program is said once, and leaves only it out.

    Raises:
        Failure: there is no such folder.
    """
    entries: list[LadderEntry] = []
    left_out: dict[str, str] = {}
    for each in _folders(folder):
        try:
            _check_name_of(each)
            if not _has_metadata(each):
                _check_unmeant(each)
                continue
            metadata = _metadata(each)
            if _game(metadata) == game:
                entries.append(_entry(each, metadata, Lineup(game, contest, each), entries))
        except Failure as failure:
            left_out[_printable(each.name)] = str(failure).replace(str(each), each.name)
    return LadderFolder(entries, left_out)


def house_entries(names: Iterable[str], lineup: Lineup) -> list[LadderEntry]:
    """Return entries of built-in strategies.

    Raises:
        Failure: there is no such strategy.
    """
    return [_house_entry(lineup.strategy(each), lineup.game) for each in dict.fromkeys(names)]


def _house_entry(strategy: Competitor, game: str) -> LadderEntry:
    name = f"{BUILTIN}{strategy.name}"
    entrant = LadderEntrant(_digest(["house", game, strategy.plays]), name, "", strategy.plays)
    return LadderEntry(entrant, Competitor(name, strategy.plays))


def _folders(folder: Path) -> list[Path]:
    """Return the folders of a folder, sorted by name, without hidden ones and what a ladder has written."""
    try:
        inside = Path(os.path.realpath(folder)).iterdir()  # no ".." of its path is one of a command
        folders = [each for each in inside if each.is_dir() and not each.name.startswith(".")]
    except OSError as error:
        raise Failure(f"The folder {str(folder)!r} cannot be read: {error.strerror}.") from None
    none = _CACHES | SITE_FOLDERS if (folder / JOURNAL).exists() else _CACHES
    return sorted((each for each in folders if each.name not in none), key=lambda each: each.name)


def _check_name_of(folder: Path) -> None:
    if not folder.name.isprintable():
        raise Failure("The name of its folder is not one line of text.")


def _printable(name: str) -> str:
    """Return a name for terminals and pages: some systems allow line feeds, escapes and what is no text."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in name)


def _has_metadata(folder: Path) -> bool:
    return os.path.lexists(folder / METADATA)


def _check_unmeant(folder: Path) -> None:
    """Check that a folder without metadata is not meant as a program: it has no files, or is a ladder.

    Raises:
        Failure: it has files, or cannot be read.
    """
    try:
        files = [each.name for each in folder.iterdir() if each.is_file() and not each.name.startswith(".")]
    except OSError as error:
        raise Failure(f"The folder {folder.name} cannot be read: {error.strerror}.") from None
    if files and JOURNAL not in files:
        raise Failure(f"There is no {METADATA} in it.")


def _metadata(folder: Path) -> dict[str, str]:
    """Read what a program says of itself.

    Raises:
        Failure: it is no small file, no TOML, or not exactly the four texts.
    """
    place, file = f"{folder.name}/{METADATA}", folder / METADATA
    try:
        status = file.lstat()  # to read a pipe or a device may take for ever, and a link may lead to one
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_METADATA:
            raise Failure(f"{place} is no file of at most {_MAX_METADATA >> 10} KiB.")
        values = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Failure(f"{place} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Failure(f"{place} is no TOML: {error}.") from None
    except (ValueError, RecursionError):  # Python reads no number of more than 4,300 digits
        raise Failure(
            f"{place} has a number of thousands of digits, or is nested too deeply; it takes four texts."
        ) from None
    for unknown in values.keys() - set(_FIELDS):
        raise Failure(f"{place} has {unknown[:40]!r}; known are {', '.join(_FIELDS)}.")
    return {each: _text(place, each, values) for each in _FIELDS}


def _text(place: str, field: str, values: Mapping[str, object]) -> str:
    value = values.get(field)
    if value is None:
        raise Failure(f"{place} has no {field}.")
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise Failure(f"In {place}, {field} takes one line of text.")
    if len(value) > _MAX_TEXT[field]:
        raise Failure(f"In {place}, {field} takes at most {_MAX_TEXT[field]} characters.")
    return value.strip()


def _game(metadata: Mapping[str, str]) -> str:
    kit = named(metadata["game"])
    if kit is None:
        raise Failure(f"There is no game {metadata['game']!r}.")
    return kit.name


def _entry(
    folder: Path, metadata: Mapping[str, str], lineup: Lineup, others: Iterable[LadderEntry]
) -> LadderEntry:
    name, text = metadata["name"], metadata["command"]
    check_name(name)
    if name.startswith(BUILTIN) or name in {each.entrant.name for each in others}:
        raise Failure(f"The name {name!r} is taken.")
    competitor = lineup.player(text)
    _check_inside(folder, competitor, text)
    parts = [lineup.game, name, text, *_contents(folder)]
    entrant = LadderEntrant(_digest(parts), name, metadata["author"], text)
    return LadderEntry(entrant, Competitor(name, text, competitor.command))


def _check_inside(folder: Path, competitor: Competitor, text: str) -> None:
    """Check that a command names only files of its folder, and programs that are installed.

    Raises:
        Failure: it names another file, needs a shell, or is a strategy of the house.
    """
    if competitor.command is None:
        raise Failure("A program's command is no strategy of the house; those enter by --house.")
    if any(sign in _SHELL_SIGNS for sign in text):
        raise Failure(f"The command {text!r} has signs of a shell; it takes a program and its words.")
    words = competitor.command.words
    installed = not any(each in text.removeprefix(JSON_LINES).split()[0] for each in "/\\")
    parts = [part for word in (words[1:] if installed else words) for part in word.split(os.pathsep)]
    for part in parts:  # a class path names several
        path = Path(part)
        if ".." in path.parts or (path.is_absolute() and not path.resolve().is_relative_to(folder.resolve())):
            raise Failure(f"The command {text!r} names a file outside of its folder.")


def _contents(folder: Path) -> Iterator[str]:
    """Yield the path and the hash of each file of a program but its metadata, in the order of paths.

    Raises:
        Failure: there is too much of it, a file cannot be read, or is none.
    """
    files, size = sorted(_files(folder), key=lambda each: each.relative_to(folder).as_posix()), 0
    for each in files:
        try:
            size += each.stat().st_size
            if size > _MAX_BYTES:
                raise Failure(f"A program has at most {_MAX_BYTES >> 20} MiB.")
            content = each.read_bytes()
        except OSError as error:
            raise Failure(f"{each.name!r} cannot be read: {error.strerror}.") from None
        yield each.relative_to(folder).as_posix()
        yield hashlib.sha256(content).hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each not in _CACHES and not each.startswith(".")]
        for each in (Path(place) / name for name in (*folders, *names)):
            count += 1
            if count > _MAX_FILES:
                raise Failure(f"A program has at most {_MAX_FILES} files.")
            if each.is_symlink() or not (each.is_dir() or each.is_file()):
                raise Failure(f"{each.name!r} is neither a file nor a folder; a link may lead anywhere.")
            if each.is_file() and each != folder / METADATA:
                yield each


def _digest(parts: Iterable[str]) -> str:
    """Hash texts, each preceded by its length, so that no two lists of them share a hash."""
    hashed = hashlib.sha256(b"rabble-ladder-1")
    for part in parts:
        word = part.encode(errors="surrogatepass")  # names of files that are no text
        hashed.update(len(word).to_bytes(8, "big") + word)
    return hashed.hexdigest()[:KEY_DIGITS]
