"""What a contest has to do once on a machine before it plays fast: a process beside the run does it.

`python -m arena.engine.preparation MODULE CLAIM` is that process. On one machine one prepares at a time.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chatbot.kernel.contest import Prepared

STALE_SECONDS = 300  # after which a process that prepares is taken for killed
LOWEST = 19  # the priority that takes only time for which nobody else has a use
_LAST = "--last"
_processes: list[subprocess.Popen[bytes]] = []  # kept, since they may outlive who began them


def begin(contest: Prepared, games: int, tell: Callable[[str], object]) -> Preparing | None:
    """Begin to prepare a run of so many games if it is worth it; `tell` is told a line about it."""
    preparation = contest.preparation(games)
    if preparation is None:
        return None
    tell(preparation.line)
    if preparation.module is None:
        return None
    return Preparing(preparation.module, preparation.claim, preparation.last)


def prepare_now(contest: Prepared, tell: Callable[[str], object]) -> None:
    """Prepare, and wait until it is done, for whatever measures games that are prepared for.

    Raises:
        RuntimeError: it failed.
    """
    games = sys.maxsize
    if (preparing := begin(contest, games, tell)) is not None:
        preparing.wait()
    if (preparation := contest.preparation(games)) is not None:
        raise RuntimeError(preparation.line)


class Preparing:
    """A process that prepares; with `last`, only while no other process wants the processor."""

    def __init__(self, module: str, claim: Path, last: bool) -> None:
        self._claim = claim
        self._process = subprocess.Popen(  # noqa: S603  (this Python, and a module of the program)
            [sys.executable, "-m", __name__, module, str(claim), *([_LAST] if last else [])],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=sys.platform != "win32",  # Ctrl-C is for the run, which then ends it
        )
        _processes.append(self._process)

    def stop(self) -> None:
        """End it, and let others prepare."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
            with contextlib.suppress(OSError):
                if self._claim.read_text() == str(self._process.pid):
                    self._claim.unlink()

    def wait(self) -> None:
        """Wait until it is over, and so is one of another run that was at it before."""
        self._process.wait()
        while self._claim.exists() and not _is_stale(self._claim):
            time.sleep(0.1)


@contextlib.contextmanager
def claimed(claim: Path) -> Iterator[bool]:
    """Claim the work by a file; False: another process is at it, or no file can be made."""
    if _is_stale(claim):
        claim.unlink(missing_ok=True)
    try:
        with claim.open("x") as file:
            file.write(str(os.getpid()))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        claim.unlink(missing_ok=True)


def _is_stale(claim: Path) -> bool:
    try:
        return time.time() - claim.stat().st_mtime > STALE_SECONDS
    except OSError:
        return False


def main(module: str, claim: str, *options: str) -> None:
    """Prepare, unless another process does."""
    if _LAST in options and hasattr(os, "nice"):
        os.nice(LOWEST)
    with claimed(Path(claim)) as free:
        if free:
            import_module(module).prepare()


if __name__ == "__main__":
    main(*sys.argv[1:])
