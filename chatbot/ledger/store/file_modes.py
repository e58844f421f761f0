"""Creates files that only their owner may read, because they hold the seeds of tables to come.

SQLite gives its log files the mode of the database, so those of a database that is created here are private
too. Windows has no such modes: there a file is as private as its folder.
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
_OTHERS = 0o077  # the permissions of group and others


def has_modes() -> bool:
    """Return whether file modes decide on this system who may read a file."""
    return os.name == "posix"


def create(path: Path) -> None:
    """Create an empty file that only its owner can read, unless there is a file already.

    Raises:
        OSError: it cannot be created.
    """
    real = os.path.realpath(path)  # for a dangling link, its target is created
    with suppress(FileExistsError):
        os.close(os.open(real, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))


def exposed(path: Path) -> bool:
    """Return whether other users may read or write an existing file."""
    try:
        return has_modes() and bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def exposes(descriptor: int) -> bool:
    """Return whether an open descriptor writes to a regular file that other users may read or write."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:  # it is closed
        return False
    return has_modes() and stat.S_ISREG(mode) and bool(mode & _OTHERS)


def tighten(paths: Iterable[Path]) -> None:
    """Remove the permissions of other users from files; those that belong to other users are left alone."""
    for path in filter(exposed, paths):
        with suppress(OSError):
            path.chmod(path.stat().st_mode & ~_OTHERS & 0o7777)
