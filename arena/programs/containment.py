"""Containment of programs: resource limits, their environment and folder, and the end of all their processes.

The warden imports this and has to start in milliseconds, so nothing here imports a module that is slow to
import, such as pathlib or dataclasses. All differences between Windows and POSIX systems are dealt with here.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import NamedTuple

# ruff: noqa: PTH101, PTH102, PTH108, PTH112, PTH114, PTH116, PTH123, PTH208

try:
    import resource
except ModuleNotFoundError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux's prctl
# In which all processes of a killed program have to end: one that waits for a disk does so later.
_KILL_SECONDS = 2.0

_OPEN_FOLDER = 0 if os.name == "nt" else os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Limits(NamedTuple):
    """Resource limits of one program, for each of its processes but for `seconds`; sizes are in bytes."""

    seconds: float = 10.0  # for an answer, from the question on
    memory: int = 1 << 30  # data, stacks and heap; Linux only
    addresses: int = 8 << 30  # reserved, used or not: runtimes such as Node's reserve plenty
    file: int = 16 << 20  # of the largest file that it can write
    files: int = 256  # open at a time
    processes: int = 1024  # beyond those that its user has when it starts; has no effect on root
    output: int = 64 << 10  # of one answer, with the lines that are skipped
    errors: int = 16 << 10  # of standard error that is kept, of one match
    farewell: float = 2.0  # seconds in which it may end once its input is closed
    sandbox: bool = True  # bubblewrap, where it works


def apply_limits(limits: Limits) -> None:
    """Limit this process and all that it starts; the limits cannot be raised again."""
    if sys.platform.startswith("linux"):
        import ctypes  # noqa: PLC0415  (it takes milliseconds, and only Linux needs it)

        # A process that leaves its group and its parent becomes a child of this one, so that it is found.
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
        _set_limit(kind, most)
    if threads := _threads():
        _set_limit(resource.RLIMIT_NPROC, threads + limits.processes)


def allow_cpu_time(pid: int, seconds: float) -> None:
    """Let a process use `seconds` more of processor time; does nothing on systems other than Linux."""
    if not sys.platform.startswith("linux"):
        return
    try:
        clock = time.clock_gettime(~pid << 3 | 2)  # the kernel's number for the clock of another process
        # RLIMIT_CPU counts whole seconds. Two more, so that the deadline comes first, which says what
        # happened.
        most = int(clock + seconds) + 2
        resource.prlimit(pid, resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        return  # it has ended, or has set itself a lower limit


def tree(pid: int) -> list[int]:
    """Return a process and all processes below it; only itself on systems other than Linux."""
    pids = [pid]
    for each in pids:  # grows meanwhile
        pids += _children_of(each)
    return pids


def waiting_seconds(pid: int) -> float:
    """Return how long the processes of a tree were ready to run but had no processor, in sum.

    0.0 on systems other than Linux, which do not tell.
    """
    return sum(_run_delay(each) for each in tree(pid))


def kill_tree(group: int) -> bool:
    """Kill a process group, and on Linux all children that left it; return whether none is left.

    This process must have no other children. Waits up to two seconds.
    """
    until = time.monotonic() + _KILL_SECONDS
    _kill_group(group)
    while _reap():
        for pid in _children():
            _kill(pid)
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def kill_by_home(folder: str) -> None:
    """Kill every process whose HOME is this folder; does nothing on systems other than Linux.

    Used when the warden itself was killed: its children cannot be found by their parent any more.
    """
    if not sys.platform.startswith("linux"):
        return
    home = f"HOME={folder}".encode()
    for _ in range(10):  # they may start others during the search
        pids = [int(each) for each in os.listdir("/proc") if each.isdigit() and _has_home(each, home)]
        if not pids:
            return
        for pid in pids:
            _kill(pid)


def _set_limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except (OSError, ValueError):
        return  # some systems define a limit but do not implement it


def _threads() -> int:
    """Count the threads of this user, as RLIMIT_NPROC does; 0 for root, which that does not limit."""
    user = os.stat("/proc/self").st_uid if os.path.isdir("/proc/self") else 0
    if not user:
        return 0
    return sum(_threads_of(each, user) for each in os.listdir("/proc") if each.isdigit())


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
        return  # the group is empty


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return


def _reap() -> bool:
    """Reap the children that have ended; return whether any is left."""
    if os.name == "nt":
        return False
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children() -> list[int]:
    return _children_of(os.getpid())


def _children_of(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as file:
            return [int(each) for each in file.read().split()]
    except OSError:
        return []


def _run_delay(pid: int) -> float:
    """Return the seconds for which the first thread of a process has waited in a queue for a processor."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _has_home(pid: str, home: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return home in file.read().split(b"\0")
    except OSError:
        return False


def environment(folder: str) -> dict[str, str]:
    """Return the environment of a program: of the variables of its user only those that find programs."""
    variables = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT") if os.name == "nt" else ("PATH",)
    homes = ("TEMP", "TMP", "USERPROFILE", "APPDATA") if os.name == "nt" else ("TMPDIR", "HOME")
    return {
        "PATH": os.defpath,
        **{name: os.environ[name] for name in variables if name in os.environ},
        **dict.fromkeys(homes, folder),
        "LANG": "C.UTF-8",
    }


def empty(folder: str) -> None:
    """Delete all that is in a folder, however deep; create it if it is missing or not a folder any more.

    Uses no recursion and no long path, and follows no link, since a hostile program made the contents.
    """
    if os.path.islink(folder) or not os.path.isdir(folder):
        if os.path.lexists(folder):
            os.unlink(folder)
        os.mkdir(folder, 0o700)
    if os.name == "nt":
        _empty_by_path(folder)
        return
    os.chmod(folder, 0o700)
    current = os.open(folder, _OPEN_FOLDER)
    try:
        _empty_from(current)
    finally:
        os.close(current)


def _empty_from(top: int) -> None:
    """Delete all that is below a folder, depth first, with one descriptor for the current folder."""
    current, path, unvisited = os.dup(top), list[str](), [_subfolders(top)]
    try:
        while unvisited:
            if unvisited[-1]:
                path.append(unvisited[-1].pop())
                current = _change_folder(current, path[-1])
                unvisited.append(_subfolders(current))
                continue
            unvisited.pop()
            if path:
                current = _change_folder(current, "..")
                os.rmdir(path.pop(), dir_fd=current)
    finally:
        os.close(current)


def _change_folder(current: int, name: str) -> int:
    if name != "..":
        os.chmod(name, 0o700, dir_fd=current)
    there = os.open(name, _OPEN_FOLDER, dir_fd=current)
    os.close(current)
    return there


def _subfolders(current: int) -> list[str]:
    """Delete the files of a folder, and return the names of its folders."""
    names = []
    with os.scandir(current) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=current)
    return names


def _empty_by_path(folder: str) -> None:
    import shutil  # noqa: PLC0415  (slow to import, and only needed here)

    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
