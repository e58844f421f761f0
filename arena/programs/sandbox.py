"""Bubblewrap around a program, where it is installed and works (Linux): no network, no foreign file.

The program sees the system's programs and libraries, its own interpreter and the files that its command
names, all read-only, and its folder; and no process but those that it starts.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from arena.programs.class_path import CLASS_PATH, classes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Containment = Literal["bubblewrap", "limits", "deadlines"]

# What programs need of a system: nothing of it belongs to a person, and nothing of it is secret.
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime",
)  # fmt: skip
_ALONE = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev")
_NO_FURTHER = (
    "--unshare-user",
    "--disable-userns",
)  # namespaces, in which a program could mount what it likes
_INSTALLED = ("/usr", "/opt", "/nix/store", "/gnu/store")  # where only who owns the machine puts interpreters
MOST_IN_MEMORY = 64 << 20  # bytes of a folder that is no disk, of each program
_PREFIX_PARTS = ("bin", "lib", "lib64", "libexec", "share", "pyvenv.cfg")  # what belongs to an interpreter
_SHELL_PATHS = re.compile(r"""'(/[^']*)'|"(/[^"]*)"|(/[\w./+@:,~-]+)""")
# A container that permits no namespaces refuses at once; one that hangs must not stop us.
_TRIAL_SECONDS = 10.0


@functools.cache
def bubblewrap() -> str:
    """Return the path of bubblewrap; "": it is not installed, or it does not work here.

    Some containers and systems permit no namespaces of users; one trial shows that, once a process.
    """
    path = shutil.which("bwrap") if sys.platform.startswith("linux") else None
    return path if path is not None and (_works(path, bounded=True) or _works(path, bounded=False)) else ""


@functools.cache
def is_bounded() -> bool:
    """Whether bubblewrap can also limit what is kept in memory: from 0.8 on, if namespaces are permitted."""
    path = bubblewrap()
    return path != "" and _works(path, bounded=True)


@functools.cache
def _works(path: str, *, bounded: bool) -> bool:
    trial = [path, *_options(_read_only(_SYSTEM), bounded=bounded), "--", "/bin/sh", "-c", ":"]
    try:
        process = subprocess.run(trial, capture_output=True, timeout=_TRIAL_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return process.returncode == 0


def _options(mounts: Sequence[str], *, bounded: bool) -> list[str]:
    """Return the options of bubblewrap around what is mounted.

    What a program writes outside of its own folder is kept in memory. If that is bounded, only two folders
    can be written, up to a size, and no further namespace lets a program mount others.
    """
    if not bounded:
        return [*_ALONE, "--tmpfs", "/tmp", *mounts]  # noqa: S108  (its own, and empty)
    return [
        *_ALONE, *_NO_FURTHER, *_limited("/dev/shm"), "--remount-ro", "/dev", *_limited("/tmp"),  # noqa: S108
        *mounts, "--remount-ro", "/",
    ]  # fmt: skip


def _limited(folder: str) -> list[str]:
    return ["--size", str(MOST_IN_MEMORY), "--tmpfs", folder]


def containment(*, sandbox: bool) -> Containment:
    """Return what contains programs here: bubblewrap (if wanted), limits of resources, or only deadlines."""
    if sandbox and bubblewrap():
        return "bubblewrap"
    return "deadlines" if os.name == "nt" else "limits"


def contained(words: Sequence[str], folder: str) -> list[str]:
    """Return the command that starts a program in bubblewrap; where there is none, as it is."""
    path = bubblewrap()
    if not path:
        return list(words)
    paths = [*_SYSTEM, *_interpreter(Path(words[0])), *_settings(words[0]), *_named(words[1:])]
    mounts = [*_read_only(paths), "--bind", folder, folder]
    return [path, *_options(mounts, bounded=is_bounded()), "--chdir", folder, "--", *words]


def _read_only(paths: Sequence[str]) -> list[str]:
    return [word for path in dict.fromkeys(paths) for word in ("--ro-bind-try", path, path)]


def _interpreter(program: Path) -> Iterator[str]:
    """Yield what a program outside of the system's folders consists of, through all its links."""
    for path in _links(program):
        if any(path.is_relative_to(each) for each in _SYSTEM):
            continue
        prefix = path.parent.parent
        if path.parent.name == "shims":  # of pyenv or rbenv: scripts that find their interpreters beside them
            yield str(prefix)
        elif path.parent.name == "bin" and (prefix / "lib").is_dir() and prefix != Path.home() / ".local":
            yield from (str(prefix / part) for part in _PREFIX_PARTS)
        else:
            yield str(path)


@functools.cache
def _settings(program: str) -> tuple[str, ...]:
    """Return the files outside of the system's folders to which those of an interpreter link.

    Debian keeps the settings of Java in `/etc/java-17-openjdk`, and links to them in `/usr/lib/jvm`: without
    them it starts no program. It is asked for each decision, and an interpreter stays as it is.
    """
    homes = dict.fromkeys(path.parent.parent for path in _links(Path(program)))
    links = (
        link
        for home in homes
        if home != Path("/usr") and any(map(home.is_relative_to, _INSTALLED))
        for pattern in ("conf/**/*", "etc/**/*", "lib/*")
        for link in home.glob(pattern)
        if link.is_symlink()
    )
    targets = dict.fromkeys(link.resolve() for link in links)
    return tuple(
        str(each)
        for each in targets
        if each.is_file() and each.is_relative_to("/etc") and not any(map(each.is_relative_to, _SYSTEM))
    )


def _links(path: Path) -> Iterator[Path]:
    """Yield a path, what it links to, and so on; also with links among its folders resolved."""
    seen = set[Path]()
    while path not in seen:
        seen.add(path)
        yield path
        resolved = path.parent.resolve() / path.name
        if resolved not in seen:
            yield resolved
        path = resolved.parent / resolved.readlink() if resolved.is_symlink() else resolved
        path = Path(os.path.normpath(path))


def _named(words: Sequence[str]) -> Iterator[str]:
    """Yield the files and folders that a command names, also within a command of a shell."""
    for before, word in zip(("", *words), words, strict=False):
        if before in CLASS_PATH:
            for part in word.split(os.pathsep):
                yield from [part] if _is_given(part) else classes(part) if part.startswith("/") else ()
        if words[0] == "-c":  # a shell
            names = (next(filter(None, match.groups())) for match in _SHELL_PATHS.finditer(word))
            yield from filter(_is_given, names)
        if _is_given(word):
            yield word


def _is_given(word: str) -> bool:
    """Return whether a word is the path of a file, or of a folder with neither home nor the current one."""
    if not word.startswith("/") or len(word) > 1000 or not Path(word).exists():
        return False
    path = Path(word).resolve()
    return path.is_file() or not (Path.home().is_relative_to(path) or Path.cwd().is_relative_to(path))
