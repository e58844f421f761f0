"""What keeps a program within bounds: limits that it is born with, and an end for all that it started.

Imported by the warden, which starts in milliseconds: so there is nothing here that takes long to
import, pathlib and dataclasses included. Whatever Windows lacks is asked for before it is used, and
nowhere else in the program.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import NamedTuple

# ruff: noqa: PTH112, PTH116, PTH123, PTH208


try:
    import resource
except ModuleNotFoundError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux's prctl
_PATIENCE = 2.0  # seconds in which the processes of a killed program have to be gone

# ruff: noqa: PTH101, PTH102, PTH108, PTH112, PTH114


_FOLDER = 0 if os.name == "nt" else os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Limits(NamedTuple):
    """What one program may use; sizes are in bytes. All but the first are of each of its processes."""

    seconds: float = 10.0  # for an answer, from the question on
    memory: int = 1 << 30  # data, stacks and heap; Linux only
    addresses: int = 8 << 30  # reserved, used or not: runtimes such as Node's reserve plenty
    file: int = 16 << 20  # the largest file it can write
    files: int = 256  # open at a time
    processes: int = 1024  # more than its user has when it starts; does not bind root
    output: int = 64 << 10  # of one answer, surplus lines included
    errors: int = 16 << 10  # of standard error that is kept, of one match
    farewell: float = 2.0  # seconds to end by itself when its input is closed


def enter(limits: Limits) -> None:
    """Bind this process and all that it will start, for good."""
    if sys.platform.startswith("linux"):
        import ctypes  # noqa: PLC0415  (milliseconds that other systems need not wait for)

        # Whatever leaves its group and its parent becomes a child of this process, which finds it then.
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    if resource is None:
        return
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_AS, limits.addresses),
    ):
        _bind(kind, most)
    if threads := _threads():
        _bind(resource.RLIMIT_NPROC, threads + limits.processes)


def grant(pid: int, seconds: float) -> None:
    """Let a process use so much processor time from now on; other systems than Linux know only deadlines."""
    if not sys.platform.startswith("linux"):
        return
    try:
        used = time.clock_gettime(~pid << 3 | 2)  # the kernel's number for the clock of another process
        most = int(used + seconds) + 2
        resource.prlimit(pid, resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        return  # it is gone, or has forbidden itself so much


def put_an_end(group: int) -> bool:
    """Kill a group of processes, and on Linux whatever left it; say whether nothing is left.

    This process must have no other children. Waits up to two seconds.
    """
    until = time.monotonic() + _PATIENCE
    _kill_group(group)
    while _reap():
        for pid in _children():
            _kill(pid)
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def put_an_end_by_folder(folder: str) -> None:
    """Kill every process that was started with this folder as its home.

    For when its warden is gone, killed from within: Linux then no longer tells whose children they were.
    """
    if not sys.platform.startswith("linux"):
        return
    home = f"HOME={folder}".encode()
    for _ in range(10):  # they may multiply while they are looked for
        found = [int(each) for each in os.listdir("/proc") if each.isdigit() and _lives_in(each, home)]
        if not found:
            return
        for pid in found:
            _kill(pid)


def _bind(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except (OSError, ValueError):
        return  # some systems know a limit by name only


def _threads() -> int:
    """Count the threads of this user, as the limit of processes does; 0 for root, whom it does not bind."""
    mine = os.stat("/proc/self").st_uid if os.path.isdir("/proc/self") else 0
    if not mine:
        return 0
    return sum(_threads_of(each, mine) for each in os.listdir("/proc") if each.isdigit())


def _threads_of(pid: str, user: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/task")) if os.stat(f"/proc/{pid}").st_uid == user else 0
    except OSError:
        return 0


def _kill_group(group: int) -> None:
    if os.name == "nt":
        import subprocess  # noqa: PLC0415

        words = ["taskkill", "/T", "/F", "/PID", str(group)]
        subprocess.run(words, capture_output=True, check=False)  # noqa: S603
        return
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        return  # nobody is left in it


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return


def _reap() -> bool:
    """Take note of the children that have ended; say whether any is left."""
    if os.name == "nt":
        return False
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", "rb") as file:
            return [int(each) for each in file.read().split()]
    except OSError:
        return []


def _lives_in(pid: str, home: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return home in file.read().split(b"\0")
    except OSError:
        return False


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
