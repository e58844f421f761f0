"""A bar for long work, on the terminal of whoever waits."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console
    from rich.progress import TaskID

_SOON = 0.7  # seconds after which work counts as long
_OFTEN = 0.1  # seconds between two looks


class Bar:
    """Appears when the work turns out to be long, and is gone when it is done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stack = ExitStack()
        self._progress: Progress | None = None
        self._games = self._done = 0
        self._task: TaskID | None = None
        self._next = time.monotonic() + _SOON

    def begin(self, games: int) -> Bar:
        self._games = games
        return self

    def __call__(self, games: int) -> None:
        """Count games that have been played."""
        self._done += games
        now = time.monotonic()
        if now >= self._next and self._console.is_terminal:
            self._next = now + _OFTEN
            self._show()

    def _show(self) -> None:
        if self._progress is None:
            columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"))
            shown = Progress(*columns, TimeRemainingColumn(), console=self._console, transient=True)
            self._progress = self._stack.enter_context(shown)
            self._task = self._progress.add_task("playing", total=self._games)
        if self._task is not None:
            self._progress.update(self._task, completed=self._done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
