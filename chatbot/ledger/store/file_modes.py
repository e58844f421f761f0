"""Files that nobody else on this machine may read, for the seeds of the next tables are in them.

SQLite gives what it keeps beside a database the mode that the database has, so a database that is made
here is private with all of that. Windows knows no such modes: there a file is as private as its folder.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_PRIVATE = 0o600
_OTHERS = 0o077  # group and world, of a file's mode


def has_modes() -> bool:
    """Whether this system knows who may read a file by its mode."""
    return os.name == "posix"


def create(path: Path) -> None:
    """Make an empty file that only its owner can read, unless there is a file already.

    Raises:
        OSError: that cannot be.
    """
    real = os.path.realpath(path)  # of a link that leads to nothing, what it leads to is made
    with suppress(FileExistsError):
        os.close(os.open(real, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))


def exposed(path: Path) -> bool:
    """Whether others on this machine may read or write a file that is there."""
    try:
        return has_modes() and bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def exposes(descriptor: int) -> bool:
    """Whether what is written there goes into a file that others on this machine may read."""
    try:
        found = os.fstat(descriptor).st_mode
    except OSError:  # it is closed
        return False
    return has_modes() and stat.S_ISREG(found) and bool(found & _OTHERS)


def tighten(paths: Iterable[Path]) -> None:
    """Take from others what they may do with files; those of somebody else stay as they are."""
    for path in filter(exposed, paths):
        with suppress(OSError):
            path.chmod(path.stat().st_mode & ~_OTHERS & 0o7777)
