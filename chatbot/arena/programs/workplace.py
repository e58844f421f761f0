"""Where a program runs: a folder of its own, empty each time, and an environment that tells it nothing.

Imported by the warden, which starts in milliseconds: pathlib alone would take it a sixth more.
"""

# ruff: noqa: PTH101, PTH102, PTH108, PTH112, PTH114

from __future__ import annotations

import os

_FOLDER = 0 if os.name == "nt" else os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def surroundings(folder: str) -> dict[str, str]:
    """Give the environment of a program: nothing of its user's but where programs are found."""
    kept = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT") if os.name == "nt" else ("PATH",)
    homes = ("TEMP", "TMP", "USERPROFILE", "APPDATA") if os.name == "nt" else ("TMPDIR", "HOME")
    return {
        "PATH": os.defpath,
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict.fromkeys(homes, folder),
        "LANG": "C.UTF-8",
    }


def empty(folder: str) -> None:
    """Make a folder empty, however deep it is, and make it afresh if it is none any more.

    No recursion, no path that can be too long, no link that is followed.
    """
    if os.path.islink(folder) or not os.path.isdir(folder):
        if os.path.lexists(folder):
            os.unlink(folder)
        os.mkdir(folder, 0o700)
    if os.name == "nt":
        _empty_by_path(folder)
        return
    os.chmod(folder, 0o700)
    here = os.open(folder, _FOLDER)
    try:
        _empty_from(here)
    finally:
        os.close(here)


def _empty_from(top: int) -> None:
    """Go down into each folder and come up again to remove it, with one descriptor for where that is."""
    here, way, waiting = os.dup(top), list[str](), [_subfolders(top)]
    try:
        while waiting:
            if waiting[-1]:
                way.append(waiting[-1].pop())
                here = _moved(here, way[-1])
                waiting.append(_subfolders(here))
                continue
            waiting.pop()
            if way:
                here = _moved(here, "..")
                os.rmdir(way.pop(), dir_fd=here)
    finally:
        os.close(here)


def _moved(here: int, name: str) -> int:
    if name != "..":
        os.chmod(name, 0o700, dir_fd=here)
    there = os.open(name, _FOLDER, dir_fd=here)
    os.close(here)
    return there


def _subfolders(here: int) -> list[str]:
    """Delete the files of a folder, and name its folders."""
    found = []
    with os.scandir(here) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=here)
    return found


def _empty_by_path(folder: str) -> None:
    import shutil  # noqa: PLC0415  (not where it is not needed: it takes long to import)

    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
