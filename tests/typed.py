"""Types a command of `chatbot` in this process: quicker than a new one, which imports everything again."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from chatbot.cli import entry


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of a command."""

    code: int
    out: str
    err: str


def solve(line: str) -> Typed:
    """Ask a solver, as in a shell."""
    done = chatbot(Path.cwd(), "solve", *shlex.split(line))
    return Typed(done.returncode, done.stdout, done.stderr)


def chatbot(folder: Path, *arguments: str) -> CompletedProcess[str]:
    """Run it in a folder, with the database there; what it returns is what a process would have left."""
    out, err, code = StringIO(), StringIO(), 0
    given = ["chatbot", *arguments]
    database = {"CHATBOT_DATABASE": "sqlite:///rabble.db"}
    with chdir(folder), patch.dict(os.environ, database), patch.object(sys, "argv", given):
        try:
            with redirect_stdout(out), redirect_stderr(err):
                entry.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else bool(end.code)
    return CompletedProcess(given, code, out.getvalue(), err.getvalue())
