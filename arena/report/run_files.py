"""The files that a run writes: the log of its games, and the errors of programs."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO, cast

from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from chatbot.kernel.contest import Match


class RunFiles:
    """The log and the errors of a run; opened before anything is played, so that failures come first."""

    def __init__(self, log: Path | None = None, errors: Path | None = None) -> None:
        """Open and truncate the files; None: it is not written.

        Raises:
            Failure: one of them cannot be written.
        """
        check_distinct(log, errors)
        self._log, self._errors = _open(log), None
        try:
            self._errors = _open(errors)
        except Failure:
            self.close()
            raise

    def begin(self, match: Match, matches: int) -> None:
        """Write the heading of a match to the log, if there are several."""
        if matches > 1:
            _write(self._log, f"#####MATCH {match.number}######\n")

    def log(self, text: str) -> None:
        """Write to the log; raises as `flush`."""
        _write(self._log, text)

    def errors(self, text: str) -> None:
        """Write to the errors; raises as `flush`."""
        _write(self._errors, text)

    def flush(self) -> None:
        """Write what is buffered.

        Raises:
            Failure: a file cannot be written any more.
        """
        for file in (self._log, self._errors):
            if file is not None:
                _report_failure(file, file.flush)

    def close(self) -> None:
        """Close the files; what a full disk does not take is lost."""
        for file in (self._log, self._errors):
            if file is not None:
                with suppress(OSError):
                    file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_distinct(*files: Path | None) -> None:
    """Check that no file is given twice, as the later output would overwrite the earlier one.

    Raises:
        Failure: a file is given twice.
    """
    paths = set[Path]()
    for file in (each for each in files if each is not None):
        try:
            path = file.resolve()
        except (OSError, ValueError, RuntimeError):
            continue  # it cannot be opened either, which is reported then
        if path in paths and (file.is_file() or not file.exists()):
            raise Failure(f"{str(file)!r} is given for two things; each needs a file of its own.")
        paths.add(path)


def check_spared(words: Iterable[str], *files: Path | None) -> None:
    """Check that no output overwrites a file that a player is started by, in the words of its command.

    Raises:
        Failure: it would.
    """
    command_words = tuple(words)
    for file in (each for each in files if each is not None and each.is_file()):
        if any(_names(each, file) for each in command_words):
            raise Failure(f"{str(file)!r} belongs to the command of a player, and would be overwritten.")


def _names(word: str, file: Path) -> bool:
    """Whether a word of a command is a file, or a line for a shell that has its path in it."""
    path = rf"(?<![\w./\\-]){re.escape(str(file.absolute()))}(?![\w./\\-])"
    return os.path.realpath(word) == os.path.realpath(file) or re.search(path, word) is not None


def check_writable(file: Path | None) -> None:
    """Check that a file can be written later, without changing it.

    Raises:
        Failure: it cannot be written.
    """
    if file is None:
        return
    existed = file.exists()
    stream = _open(file, "a")
    if stream is not None:
        stream.close()
    if not existed:
        file.unlink()


def _open(file: Path | None, mode: str = "w") -> TextIO | None:
    if file is None:
        return None
    try:
        return cast("TextIO", file.open(mode, encoding="utf-8", newline="\n"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Failure(f"{str(file)!r} cannot be written: {reason}.") from None


def _write(file: TextIO | None, text: str) -> None:
    if file is not None and text:
        _report_failure(file, partial(file.write, text))


def _report_failure(file: TextIO, operation: Callable[[], object]) -> None:
    try:
        operation()
    except OSError as error:
        raise Failure(f"{file.name!r} cannot be written any more: {error.strerror}.") from None
