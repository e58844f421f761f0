"""Types a command of `chatbot` in this process: quicker than a new one, which imports everything again."""

from __future__ import annotations

import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from subprocess import CompletedProcess
from typing import TYPE_CHECKING
from unittest.mock import patch

from chatbot import cli

if TYPE_CHECKING:
    from pathlib import Path


def chatbot(folder: Path, *arguments: str) -> CompletedProcess[str]:
    """Run it in a folder, with the database there; what it returns is what a process would have left."""
    out, err, code = StringIO(), StringIO(), 0
    given = [*sys.argv[:1], *arguments]
    database = {"CHATBOT_DATABASE": "sqlite:///rabble.db"}
    with chdir(folder), patch.dict(os.environ, database), patch.object(sys, "argv", given):
        try:
            with redirect_stdout(out), redirect_stderr(err):
                cli.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else bool(end.code)
    return CompletedProcess(given, code, out.getvalue(), err.getvalue())
