"""How this program was started, so that the commands that it prints can be typed as they are.

Other modules write a command as `chatbot …`. In text for a terminal or the log, the name is replaced by what
starts the program here, such as `uv run rabble`.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

DISTRIBUTION = "rabble"
STARTED_AS = "RABBLE_STARTED_AS"
"""The variable in which a script that starts the program, such as `rabble.cmd`, says how it is called itself.

It does not begin with `CHATBOT_`, for it is no setting.
"""

_MAIN = ("chatbot", "rabble")  # two names of one program; the one that was typed is printed
_PROGRAMS = ("chatbot", "chickp", "bankheist")
_COMMAND = re.compile(rf"`({'|'.join(_PROGRAMS)})(?=[ `])")
_UV_RUN = "UV_RUN_RECURSION_DEPTH"  # `uv run` sets it for its child process, `uv tool run` does not


def invocation(name: str = "chatbot") -> str:
    """Return what must be typed to start a program of this distribution, such as `uv run rabble`."""
    program = Path(sys.argv[0])
    name = _main() if name in _MAIN else name
    if name in _MAIN and (custom := os.environ.get(STARTED_AS)):
        return custom
    if _UV_RUN in os.environ:
        return f"{_uv('uv')} run {name}"
    if _is_of_uvx():
        return _uvx("", name)
    if program.name == "__main__.py" and name in _MAIN:
        return f"{_in_shell(Path(sys.executable))} -m chatbot"
    if program.stem in {*_PROGRAMS, *_MAIN}:
        return _in_shell(program.with_name(f"{name}{program.suffix}"))
    return name


def with_extra(extra: str) -> str:
    """Return the command that adds an extra, between backticks, for how this program was started."""
    if _UV_RUN in os.environ:
        return f"`{_uv('uv')} run --extra {extra} {_main()} …`"
    if STARTED_AS in os.environ:  # a package or an image, which nothing is installed into
        return f"`uv run --extra {extra} {_main()} …` in a clone, for this package has no extras"
    if _is_of_uvx():
        return f"`{_uvx(extra, _main())} …`"
    return f"`{_installing(extra)}`"


def with_newest() -> str:
    """Return what starts the newest version of an index, or installs it where `uvx` does not start it."""
    if _is_of_uvx():
        where = source()
        return (
            f"{_uv('uvx')} --refresh --from {_quote(_requirement('') if where else DISTRIBUTION)} {_main()}"
        )
    python = _in_shell(Path(sys.executable))
    installer = (
        f"{python} -m pip install" if importlib.util.find_spec("pip") else f"uv pip install --python {python}"
    )
    return f"{installer} --upgrade {_quote(_requirement(''))}"


def with_invocations(text: str) -> str:
    """Replace the names of programs in the commands of a text by what must be typed."""
    return _COMMAND.sub(lambda command: f"`{invocation(command[1])}", text)


def source() -> str | None:
    """Return the URL from which this distribution was installed; None if it is from an index, or a clone."""
    try:
        direct = importlib.metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return None
    if direct is None:
        return None
    origin = json.loads(direct)
    if "vcs_info" not in origin:
        return str(origin["url"])
    revision = origin["vcs_info"].get("requested_revision")
    return f"{origin['vcs_info']['vcs']}+{origin['url']}{f'@{revision}' if revision else ''}"


def _main() -> str:
    """Return the name by which the program was started."""
    stem = Path(sys.argv[0]).stem
    return stem if stem in _MAIN else _MAIN[0]


def _installing(extra: str) -> str:
    requirement = _quote(_requirement(extra))
    if Path(sys.prefix, "uv-receipt.toml").exists():  # of `uv tool install`
        return f"uv tool install {requirement}"
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx install --force {requirement}"
    python = _in_shell(Path(sys.executable))
    if importlib.util.find_spec("pip") is None:  # an environment that uv has made has none
        return f"uv pip install --python {python} {requirement}"
    return f"{python} -m pip install {requirement}"


def _requirement(extra: str) -> str:
    """Return what names this distribution to an installer, and where it is if that is no index."""
    name, where = f"{DISTRIBUTION}[{extra}]" if extra else DISTRIBUTION, source()
    return name if where is None else f"{name} @ {where}"


def _is_of_uvx() -> bool:
    """Whether `uvx` has started this; it puts the program on its search path, where no shell finds it."""
    return any(part.startswith("archive-v") for part in Path(sys.prefix).parts)  # of uv's cache


def _uvx(extra: str, name: str) -> str:
    requirement, where = _requirement(extra), source()
    if not extra and where is not None and where.startswith("file://"):
        requirement = where.removeprefix("file://")  # as it was typed
    return (
        f"{_uv('uvx')} {name}" if requirement == name else f"{_uv('uvx')} --from {_quote(requirement)} {name}"
    )


def _uv(program: str) -> str:
    """Return what starts uv: its name, or where it is if it is on no path."""
    uv_path = os.environ.get("UV")  # uv sets its own path
    if shutil.which(program) or uv_path is None:
        return program
    return shlex.quote(str(Path(uv_path).with_name(program + Path(uv_path).suffix)))


def _quote(text: str) -> str:
    """Quote a word so that POSIX shells, PowerShell and the prompt of Windows all read it as one."""
    return text if re.fullmatch(r"[\w./:+-]+", text) else f'"{text}"'


def _in_shell(program: Path) -> str:
    """Return the name of a program if the shell finds it by that, or else its quoted path."""
    on_path = shutil.which(program.name)
    if on_path is not None and Path(on_path).absolute() == program.absolute():
        return program.stem if os.name == "nt" else program.name
    return program.stem if program.parent == Path() else shlex.quote(str(program))
