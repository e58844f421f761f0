"""Every command that the program prints can be typed as it stands, however the program was started."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chatbot.invocation import invocation, with_invocations
from tests.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture

ROOT = Path(__file__).parent.parent
POSIX = pytest.mark.skipif(os.name != "posix", reason="the paths are those of POSIX")


@pytest.fixture
def bin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: A001  (as such folders are called)
    """A folder with the programs, on no path."""
    for name in ("chatbot", "chickp", "bankheist", "python"):
        (tmp_path / name).touch(mode=0o700)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "chatbot")])
    return tmp_path


def test_uv_run_stands_before_what_it_started(bin: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: A002
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    (bin / "uv").touch(mode=0o700)
    monkeypatch.setenv("PATH", str(bin))
    assert with_invocations("run `chatbot doctor`.") == "run `uv run chatbot doctor`."
    assert with_invocations("`chatbot`, `chickp -h`") == "`uv run chatbot`, `uv run chickp -h`"


@POSIX
def test_uv_on_no_path_is_called_by_where_it_is(bin: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: A002
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("UV", str(bin / "uv"))
    assert invocation() == f"{bin / 'uv'} run chatbot"
    monkeypatch.delenv("UV")
    assert invocation() == "uv run chatbot"


@POSIX
def test_a_program_on_the_path_is_called_by_its_name(bin: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: A002
    monkeypatch.setenv("PATH", str(bin))
    assert with_invocations("`chatbot run`, `chickp -h`") == "`chatbot run`, `chickp -h`"
    monkeypatch.setattr(sys, "argv", ["chatbot"])
    assert invocation() == "chatbot"


@POSIX
def test_a_program_on_no_path_is_called_by_where_it_is(bin: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: A002
    monkeypatch.setenv("PATH", "/nowhere")
    assert invocation() == str(bin / "chatbot")
    assert invocation("chickp") == str(bin / "chickp")
    spaced = bin / "my programs" / "chatbot"
    monkeypatch.setattr(sys, "argv", [str(spaced)])
    assert shlex.split(invocation()) == [str(spaced)]


@POSIX
def test_a_module_is_called_by_its_python(bin: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: A002
    monkeypatch.setattr(sys, "argv", [str(ROOT / "chatbot" / "__main__.py")])
    monkeypatch.setattr(sys, "executable", str(bin / "python"))
    monkeypatch.setenv("PATH", str(bin))
    assert invocation() == "python -m chatbot"
    monkeypatch.setenv("PATH", "/nowhere")
    assert invocation() == f"{bin / 'python'} -m chatbot"


def test_nothing_else_in_a_text_is_changed() -> None:
    for text in ("chatbot run", "`chatbots run`", "ann says: the chatbot is here", "`uv run chatbot`", ""):
        assert with_invocations(text) == text


COMMANDS = [
    ("connect", "twitch"), ("connect", "discord"), ("doctor",), ("doctor", "--json"), ("solve", "highshow"),
    ("run",), ("nonsense",), ("import",), ("rehearse", "--nonsense"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
async def test_what_commands_print_begins_as_they_were_started(
    terminal: Terminal, command: tuple[str, ...]
) -> None:
    terminal.set(twitch_client_id="", port="0")
    terminal.monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    terminal.monkeypatch.setenv("UV", "uv")
    done = await terminal.type(*command)
    told = done.out + done.err
    named = re.findall(r"(\S*)[ `'](?:chatbot|chickp) (?!page)", told)
    assert set(named) <= {"run"}, told
    assert named or command == ("import",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "as_typed"), [("1", "uv run chatbot"), ("", f"{sys.executable} -m chatbot")]
)
def test_the_log_tells_them_so_too(before: str, as_typed: str) -> None:
    code = (
        "import sys; sys.argv[0] = '/x/chatbot/__main__.py'\n"
        "from chatbot import log; import structlog; log.configure('warning')\n"
        "structlog.get_logger('x').warning('a right is missing: run `chatbot connect twitch --bot` again')"
    )
    environment = {**os.environ, "PATH": "/nowhere", "UV": "uv"} | (
        {"UV_RUN_RECURSION_DEPTH": before} if before else {}
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert f"run `{as_typed} connect twitch --bot` again" in done.stderr


@pytest.mark.slow
def test_commands_in_sentences_are_marked_as_such() -> None:
    """What is not between backticks is not found: no sentence of the program names a command without."""
    bare = re.compile(r"(?<![`/\w])(?:chatbot|chickp) (?:-|[a-z]+ -|connect|doctor|audit|solve|import|run\b)")
    for folder in ("arena", "chatbot", "cogs"):
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            texts = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant)]
            for text in (each for each in texts if isinstance(each, str)):
                assert not bare.search(text), f"{path}: {text}"
