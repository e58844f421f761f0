"""How this program was started, so that the commands that it prints can be typed as they are.

Other modules write a command as `chatbot …`. In text for a terminal or the log, the name is replaced by what
starts the program here, such as `uv run chatbot`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

_PROGRAMS = ("chatbot", "chickp", "bankheist")
_COMMAND = re.compile(rf"`({'|'.join(_PROGRAMS)})(?=[ `])")
_UV_RUN = "UV_RUN_RECURSION_DEPTH"  # `uv run` sets it for its child process, `uv tool run` does not


def invocation(name: str = "chatbot") -> str:
    """Return what must be typed to start a program of this distribution, such as `uv run chatbot`."""
    if _UV_RUN in os.environ:
        uv = "uv" if shutil.which("uv") else shlex.quote(os.environ.get("UV", "uv"))  # uv sets its path
        return f"{uv} run {name}"
    started = Path(sys.argv[0])
    if started.name == "__main__.py" and name == "chatbot":
        return f"{_typed(Path(sys.executable))} -m {name}"
    return _typed(started.with_name(f"{name}{started.suffix}")) if started.stem in _PROGRAMS else name


def with_extra(extra: str) -> str:
    """Return what adds an extra of this distribution, for how this program was started."""
    if _UV_RUN in os.environ:
        return invocation().replace(" run ", f" run --extra {extra} ") + " …"
    if any(
        part.startswith("archive-v") for part in Path(sys.prefix).parts
    ):  # of uv's cache: `uvx` runs from it
        return f'uvx --from "rabble[{extra}]" {Path(sys.argv[0]).stem} …'
    return f'{_typed(Path(sys.executable))} -m pip install "rabble[{extra}]"'


def with_invocations(text: str) -> str:
    """Replace the names of programs in the commands of a text by what must be typed."""
    return _COMMAND.sub(lambda command: f"`{invocation(command[1])}", text)


def _typed(program: Path) -> str:
    """Return the name of a program if the shell finds it by that, or else its quoted path."""
    found = shutil.which(program.name)
    if found is not None and Path(found).absolute() == program.absolute():
        return program.stem if os.name == "nt" else program.name
    return program.stem if program.parent == Path() else shlex.quote(str(program))
