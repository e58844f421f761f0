"""Runs a function of these benchmarks with the program of another checkout, in a process of its own."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOOT = """
import importlib, sys
checkout, root, module, *arguments = sys.argv[1:]
sys.path.insert(0, checkout)
import chatbot  # the program of the other checkout; what plays against it is this one's
sys.path[0] = root
importlib.import_module(module).told_as_json(*arguments)
"""


def checkout(text: str) -> Path:
    """Read the folder of a checkout, as an option of a command.

    Raises:
        ArgumentTypeError: no program is in that folder; that of this checkout would be played instead.
    """
    folder = Path(text)
    if not (folder / "chatbot" / "__init__.py").is_file():
        raise argparse.ArgumentTypeError(f"there is no checkout of Rabble in {text}")
    return folder


def told_elsewhere(folder: Path, module: str, *arguments: str) -> list[str]:
    """Call `told_as_json` of a module of these benchmarks there, and return the lines that it prints."""
    command = [sys.executable, "-c", BOOT, str(folder.resolve()), str(ROOT), module, *arguments]
    return subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
