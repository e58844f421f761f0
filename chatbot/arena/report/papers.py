"""The files that a run writes: the log of its games, and what went wrong with programs."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO, cast

from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from chatbot.kernel.contest import Match


class Papers:
    """Opens its files before anything is played, so that what cannot be written is known by then."""

    def __init__(self, log: Path | None = None, errors: Path | None = None) -> None:
        """Open the files; what was in them is gone.

        Raises:
            Failure: one of them cannot be written.
        """
        apart(log, errors)
        self._log, self._errors = _opened(log), None
        try:
            self._errors = _opened(errors)
        except Failure:
            self.close()
            raise

    def begin(self, match: Match, matches: int) -> None:
        """Say which match follows, where there are several."""
        if matches > 1:
            _write(self._log, f"#####MATCH {match.number}######\n")

    def log(self, text: str) -> None:
        _write(self._log, text)

    def errors(self, text: str) -> None:
        _write(self._errors, text)

    def flush(self) -> None:
        """Write what is still on its way.

        Raises:
            Failure: it cannot be written.
        """
        for file in (self._log, self._errors):
            if file is not None:
                _do(file, file.flush)

    def close(self) -> None:
        """Close the files, and be it without what a full disk does not take any more."""
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


def apart(*files: Path | None) -> None:
    """Make sure that no file is given twice: what is written later would end what it holds.

    Raises:
        Failure: one is.
    """
    named = set[Path]()
    for file in (each for each in files if each is not None):
        try:
            place = file.resolve()
        except (OSError, ValueError, RuntimeError):
            continue  # what cannot be found cannot be opened either, and that is said then
        if place in named and (file.is_file() or not file.exists()):
            raise Failure(f"{str(file)!r} is given for two things; each needs a file of its own.")
        named.add(place)


def probe(file: Path | None) -> None:
    """Make sure that a file can be written later, and leave it as it is.

    Raises:
        Failure: it cannot.
    """
    if file is None:
        return
    existed = file.exists()
    opened = _opened(file, "a")
    if opened is not None:
        opened.close()
    if not existed:
        file.unlink()


def _opened(file: Path | None, mode: str = "w") -> TextIO | None:
    if file is None:
        return None
    try:
        return cast("TextIO", file.open(mode, encoding="utf-8", newline="\n"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Failure(f"{str(file)!r} cannot be written: {reason}.") from None


def _write(file: TextIO | None, text: str) -> None:
    if file is not None and text:
        _do(file, partial(file.write, text))


def _do(file: TextIO, act: Callable[[], object]) -> None:
    try:
        act()
    except OSError as error:
        raise Failure(f"{file.name!r} cannot be written any more: {error.strerror}.") from None
