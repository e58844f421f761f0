"""How this program was started, so that the commands it prints can be typed as they stand.

Everything else writes a command of it as `chatbot …`; where text goes to a terminal or into the log, the
words before it are put there that work for whoever started it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

_OURS = ("chatbot", "chickp", "bankheist")
_COMMAND = re.compile(rf"`({'|'.join(_OURS)})(?=[ `])")
_BY_UV = "UV_RUN_RECURSION_DEPTH"  # `uv run` sets it for what it starts, `uv tool run` does not


def called(name: str = "chatbot") -> str:
    """Give what must be typed to start one of our programs: its name alone, or such as `uv run chatbot`."""
    if _BY_UV in os.environ:
        uv = "uv" if shutil.which("uv") else shlex.quote(os.environ.get("UV", "uv"))  # uv tells where it is
        return f"{uv} run {name}"
    started = Path(sys.argv[0])
    if started.name == "__main__.py" and name == "chatbot":
        return f"{_typed(Path(sys.executable))} -m {name}"
    return _typed(started.with_name(f"{name}{started.suffix}")) if started.stem in _OURS else name


def spelled(text: str) -> str:
    """Put into a text what must be typed for the commands of this program in it."""
    return _COMMAND.sub(lambda command: f"`{called(command[1])}", text)


def _typed(program: Path) -> str:
    """Name a program, or the file that it is where its name does not lead there."""
    found = shutil.which(program.name)
    if found is not None and Path(found).absolute() == program.absolute():
        return program.stem if os.name == "nt" else program.name
    return program.stem if program.parent == Path() else shlex.quote(str(program))
