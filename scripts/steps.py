"""Run commands one after the other, each printed as it would be typed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parent.parent

JAVASCRIPT = ".ci/js"
"""The folder of what checks the page's JavaScript."""


def run(command: str, folder: Path = ROOT) -> bool:
    """Print and run a command in a folder; return whether it succeeded."""
    print(f"$ {command}", flush=True)
    return subprocess.run(arguments(command), cwd=folder, check=False).returncode == 0


def run_all(commands: Iterable[str]) -> None:
    """Run every command, also after one that fails; then exit with 1 if any did, and say which."""
    failed = [each for each in commands if not run(each)]
    if failed:
        sys.exit("\n".join(["These failed:", *failed]))


def arguments(command: str) -> list[str]:
    """Return a command as a list that can be run.

    The program is looked up first: Windows would not find `npm`, which is a script named `npm.cmd` there, and
    whoever started `uv` by its path may have none on the search path.
    """
    program, *rest = shlex.split(command)
    path = shutil.which(program) or (os.environ.get("UV") if program == "uv" else None)
    return [path or program, *rest]


def is_installed(program: str) -> bool:
    """Whether the search path has a program."""
    return shutil.which(program) is not None
