"""The journal of a ladder: one line of JSON for each thing that was decided, never changed afterwards.

All of a ladder follows from it: who plays whom next, the ratings, and the site. A line counts when it is
complete; one that a crash has cut off is removed before anything is added.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Self, TypeAlias

from pydantic import TypeAdapter, ValidationError

from arena.ladder.entrants import FRONT, JOURNAL, SITE_FOLDERS, LadderEntrant
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

VERSION = 1
NAME, LOCK = JOURNAL, "journal.lock"


@dataclass(frozen=True, slots=True)
class LadderTerms:
    """The first line: what cannot change, because ratings of other terms would not compare."""

    game: str
    games: int  # of a duel
    seed: str
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class LadderRoster:
    """Who plays from here on. A round that was not finished is given up."""

    active: tuple[str, ...]  # keys
    left_out: tuple[tuple[str, str], ...]  # the folder of a program, and a sentence
    containment: str  # what contains programs


@dataclass(frozen=True, slots=True)
class LadderRound:
    """The duels that are played next, in this order."""

    pairs: tuple[tuple[str, str], ...]  # keys


@dataclass(frozen=True, slots=True)
class LadderDuel:
    """A duel that was played; its log is in a file of its own."""

    number: int  # from 1
    players: tuple[str, str]  # keys, in the order of seats
    meeting: int  # how often these two had met before
    result: int  # 1: the first had the higher score; -1: the second; 0: neither
    scores: tuple[str, str]  # rounded, as they are shown
    games: int  # played
    failures: tuple[Mapping[str, int], Mapping[str, int]] = field(default=({}, {}))
    examples: tuple[str, str] = ("", "")  # the first failure of each, as text of several lines


LadderRecord: TypeAlias = LadderTerms | LadderEntrant | LadderRoster | LadderRound | LadderDuel

_KINDS: Mapping[str, TypeAdapter[LadderRecord]] = {
    "terms": TypeAdapter(LadderTerms),
    "entrant": TypeAdapter(LadderEntrant),
    "roster": TypeAdapter(LadderRoster),
    "round": TypeAdapter(LadderRound),
    "duel": TypeAdapter(LadderDuel),
}


class LadderJournal:
    """The journal in a folder, held by one process at a time: opening it reads it."""

    def __init__(self, folder: Path) -> None:
        """Open the journal of a folder, which is created if it is missing.

        Raises:
            Failure: it cannot be written, is damaged or held by another process, or another site is there.
        """
        self._path = folder / NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _check_own(folder)
            with ExitStack() as stack:
                stack.callback(_lock(folder / LOCK).close)
                self._file = stack.enter_context(self._path.open("r+b" if self._path.exists() else "x+b"))
                self.records = self._read()
                self._stack = stack.pop_all()
        except OSError as error:
            raise Failure(f"The ladder in {str(folder)!r} cannot be opened: {error.strerror}.") from None

    def append(self, record: LadderRecord) -> None:
        """Add a record; when this returns, it is on the disk.

        Raises:
            Failure: it cannot be written.
        """
        line = json.dumps({"kind": _kind(record), **asdict(record)}, ensure_ascii=False)
        try:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise Failure(f"{self._path} cannot be written: {error.strerror}.") from None
        self.records.append(record)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it; what a full disk does not take is lost, as `append` has told."""
        with suppress(OSError):
            self._stack.close()

    def _read(self) -> list[LadderRecord]:
        """Read all complete lines, and cut off what follows the last."""
        content = self._file.read()
        whole = content.rpartition(b"\n")[0] + b"\n" if b"\n" in content else b""
        if len(whole) < len(content):
            self._file.truncate(len(whole))
        self._file.seek(len(whole))
        return [self._parse(number, line) for number, line in enumerate(whole.splitlines(), 1)]

    def _parse(self, number: int, line: bytes) -> LadderRecord:
        try:
            values = json.loads(line)
            record = _KINDS[values.pop("kind")].validate_python(values)
        except (ValidationError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Failure(f"{self._path}, line {number}: this is no line of a ladder's journal.") from None
        if isinstance(record, LadderTerms) != (number == 1):
            raise Failure(f"{self._path}, line {number}: the terms of a ladder are its first line.")
        return record


def _kind(record: LadderRecord) -> str:
    return type(record).__name__.removeprefix("Ladder").lower()


def _check_own(folder: Path) -> None:
    """Check that the site of a new ladder takes the place of no other one.

    Raises:
        Failure: it would.
    """
    if (folder / NAME).exists():
        return
    for name in sorted(SITE_FOLDERS | {FRONT}):
        if os.path.lexists(folder / name):
            raise Failure(f"{str(folder)!r} has {name!r} in it, and no ladder: name another folder for it.")


def _lock(file: Path) -> sqlite3.Connection:
    """Lock a file against other processes, on every system; the end of this process frees it.

    Raises:
        Failure: another process holds it.
    """
    connection = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise Failure(f"Another process plays the ladder in {str(file.parent)!r}.") from None
        raise Failure(f"{file} cannot be locked: {error}.") from None
    return connection
