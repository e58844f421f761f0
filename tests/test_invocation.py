"""Every command that the program prints can be typed as it stands, however the program was started."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chatbot import invocation as invocations
from chatbot.invocation import STARTED_AS, invocation, source, with_invocations
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


def test_the_name_that_was_typed_is_the_one_that_is_printed(
    bin: Path,  # noqa: A002
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (bin / "rabble").touch(mode=0o700)
    monkeypatch.setattr(sys, "argv", [str(bin / "rabble")])
    monkeypatch.setenv("PATH", str(bin))
    assert with_invocations("`chatbot doctor`, `chickp -h`") == "`rabble doctor`, `chickp -h`"
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    monkeypatch.setenv("UV", "uv")
    assert with_invocations("`chatbot doctor`") == "`uv run rabble doctor`"


@POSIX
@pytest.mark.parametrize(
    ("name", "where", "printed"),
    [
        ("rabble", None, "uvx rabble doctor"),
        ("chatbot", None, "uvx --from rabble chatbot doctor"),
        ("rabble", "file:///a/rabble-1.whl", "uvx --from /a/rabble-1.whl rabble doctor"),
        ("rabble", "file:///my files/rabble-1.whl", 'uvx --from "/my files/rabble-1.whl" rabble doctor'),
        ("rabble", "git+https://host/r@v1", 'uvx --from "rabble @ git+https://host/r@v1" rabble doctor'),
    ],
)  # fmt: skip
def test_what_uvx_has_started_is_started_by_it_again(
    bin: Path,  # noqa: A002
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    where: str | None,
    printed: str,
) -> None:
    """It puts the program on the search path of its own process, which no shell has."""
    (bin / "rabble").touch(mode=0o700)
    monkeypatch.setenv("PATH", str(bin))
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr(sys, "argv", [str(bin / name)])
    monkeypatch.setattr(sys, "prefix", "/home/ann/.cache/uv/archive-v0/AbC")
    monkeypatch.setattr(invocations, "source", lambda: where)
    assert with_invocations("`chatbot doctor`") == f"`{printed}`"


def test_a_script_that_starts_the_program_says_how_it_is_called_itself(
    bin: Path,  # noqa: A002
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    monkeypatch.setenv(STARTED_AS, r".\rabble.cmd")
    assert with_invocations("`chatbot doctor`") == r"`.\rabble.cmd doctor`"
    assert invocation("chickp").endswith("chickp")


@pytest.mark.parametrize(
    ("given", "url"),
    [
        (None, None),
        ({"url": "file:///a/rabble-1.whl", "archive_info": {}}, "file:///a/rabble-1.whl"),
        (
            {"url": "https://host/r", "vcs_info": {"vcs": "git", "requested_revision": "v1"}},
            "git+https://host/r@v1",
        ),
        ({"url": "https://host/rabble", "vcs_info": {"vcs": "git"}}, "git+https://host/rabble"),
    ],
)
def test_where_it_was_installed_from_is_read_as_installers_write_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: object, url: str | None
) -> None:
    (tmp_path / "METADATA").touch()
    if given is not None:
        (tmp_path / "direct_url.json").write_text(json.dumps(given), encoding="utf-8")
    monkeypatch.setattr(
        importlib.metadata, "distribution", lambda _: importlib.metadata.Distribution.at(tmp_path)
    )
    assert source() == url


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
