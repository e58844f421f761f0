"""`chatbot run --reload`: start the bot again when its code, its words or its settings have changed.

The bot runs in a child process. The child itself notices a change and stops in order, as after a signal:
Windows has no signal by which another process could ask it to. The parent starts the next child; after one
that fails, such as for half a line that an editor has saved, it waits for the next change.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import chatbot
from chatbot.app import serve
from chatbot.kernel import supplies
from chatbot.web.reload import PageReload, file_times

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable
    from types import FrameType

    from chatbot.environment import Settings
    from chatbot.keys.discretion import Discretion

CHANGED = 3  # the exit status of a child that stops because something has changed
INTERVAL = 0.5  # seconds between two looks
CHILD = "RABBLE_RELOAD_CHILD"  # the environment variable that tells a child that it is one
SUFFIXES = frozenset({".py", ".ftl", ".json", ".toml", ".txt"})
"""Of files that are read when the bot starts; those of the page have others."""


def sources() -> tuple[Path, ...]:
    """Return the files and folders from which the bot is made at its start."""
    package = Path(chatbot.__file__).parent
    data = tuple(supplies.folder(name) for name in ("lists", "locales", "themes"))
    return package, package.with_name("cogs"), *data, Path(".env")


def is_child() -> bool:
    """Whether this process is to run the bot itself, for a parent that starts it again."""
    return CHILD in os.environ


async def serve_until_change(
    settings: Settings, discretion: Discretion, tell: Callable[[str], None], places: Iterable[Path]
) -> bool:
    """Run the bot until a signal or a change; return whether it was a change."""
    times, changed = file_times(places, SUFFIXES), False

    async def look(stopping: asyncio.Event) -> None:
        nonlocal changed
        while file_times(places, SUFFIXES) == times:  # noqa: ASYNC110  (files set no event)
            await asyncio.sleep(INTERVAL)
        changed = True
        tell("A file has changed: the bot starts again.")
        stopping.set()

    @asynccontextmanager
    async def looking(_: object, stopping: asyncio.Event) -> AsyncIterator[None]:
        task = asyncio.create_task(look(stopping))
        try:
            yield
        finally:
            task.cancel()

    await serve(settings, discretion, tell, beside=looking, page_reload=PageReload())
    return changed


class Parent:
    """Runs a command as a child process again and again, until the child or a signal ends that."""

    def __init__(self, command: Iterable[str], tell: Callable[[str], None], places: Iterable[Path]) -> None:
        self._command, self._tell, self._places = [*command], tell, [*places]
        self._process: subprocess.Popen[bytes] | None = None
        self._must_stop = False

    def run(self) -> int:
        """Return the exit status of the last child."""
        # Ctrl-C in a terminal reaches the child as well; a service asks the parent alone.
        previous_handlers = [
            (each, signal.signal(each, self._stop)) for each in (signal.SIGINT, signal.SIGTERM)
        ]
        try:
            while True:
                times = file_times(self._places, SUFFIXES)
                status = self._run_child()
                if self._must_stop or status == 0:
                    return status
                if status != CHANGED:
                    self._tell(f"The bot has ended with status {status}; it starts again after a change.")
                    if not self._wait_for_change(times):
                        return status
        finally:
            for number, handler in previous_handlers:
                signal.signal(number, handler)

    def _run_child(self) -> int:
        self._process = subprocess.Popen(self._command, env={**os.environ, CHILD: "1"})  # noqa: S603  (ours)
        if self._must_stop:  # before there was a process to pass it on to
            self._process.terminate()
        return self._process.wait()

    def _wait_for_change(self, times: object) -> bool:
        """Return true after a change since `times`, and false when asked to stop."""
        while file_times(self._places, SUFFIXES) == times:
            if self._must_stop:
                return False
            time.sleep(INTERVAL)
        return not self._must_stop

    def _stop(self, number: int, _: FrameType | None) -> None:
        self._must_stop = True
        if number == signal.SIGTERM and self._process is not None:
            with suppress(OSError):  # it has just ended
                self._process.terminate()


def command() -> list[str]:
    """Return what starts a child, which is the command of this process."""
    return [sys.executable, "-m", "chatbot", *sys.argv[1:]]
