"""The command line as a whole: what its help lists."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from chatbot.cli.entry import IN_BRIEF, app
from chatbot.invocation import STARTED_AS, with_extra

SHORTEST = 80  # columns of a terminal


def test_the_help_lists_every_command_whole_beginning_with_the_one_that_starts_the_bot() -> None:
    help_text = CliRunner().invoke(app, ["--help"], env={"COLUMNS": str(SHORTEST)}).output
    listed = [line.split(maxsplit=1) for line in help_text.partition("Commands:")[2].splitlines() if line]
    assert [(name, said) for name, said in listed] == list(IN_BRIEF.items())
    assert listed[0][0] == "run"
    assert all(len(line) < SHORTEST for line in help_text.splitlines())


@pytest.mark.slow
def test_an_interrupt_while_it_is_imported_ends_it_quietly() -> None:
    code = """
import sys
from chatbot.cli.launch import main
class Interrupted:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.slow
def test_what_libraries_advise_is_not_printed_before_a_command_configures_the_log() -> None:
    code = """
import logging, sys
from chatbot.cli import entry
def command():
    logging.getLogger("distributed").warning("advice")
    logging.getLogger("distributed").error("trouble")
entry._run(command)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "ERROR:distributed:trouble\n")


def test_every_command_has_its_few_words() -> None:
    known: Any = typer.main.get_group(app)
    assert [*known.list_commands(None)] == [*IN_BRIEF]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX closes them")
def test_a_command_whose_streams_are_closed_does_its_work(tmp_path: Path) -> None:
    code = "import sys; from chatbot.cli.launch import main; sys.argv[0] = 'chatbot'; main()"
    script = f'exec {shlex.join([sys.executable, "-c", code])} "$@"'
    typed = ["sh", "-c", f"{script} <&- >&- 2>&-", "sh", "rehearse", "--database", "sqlite:///rabble.db"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    assert subprocess.run(typed, cwd=tmp_path, env=environment, check=False).returncode == 0
    typed[4:] = ["audit", "--database", "sqlite:///rabble.db"]
    assert subprocess.run(typed, cwd=tmp_path, env=environment, check=False).returncode == 0


def typed(folder: Path, out: int, *words: str, program: str = "main") -> subprocess.CompletedProcess[str]:
    """Run a command whose output goes to a descriptor."""
    run = [sys.executable, "-c", f"from chatbot.cli.launch import {program}; {program}()", *words]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    nothing, errors = subprocess.DEVNULL, subprocess.PIPE
    return subprocess.run(
        run, cwd=folder, env=environment, stdin=nothing, stdout=out, stderr=errors, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        "audit",
        "doctor",
        "--version",
        "arena highshow first best --games 20",
        "arena highshow first best --games 20 --json",
        "solve highshow 3 2 linear",
    ],
)
def test_output_for_which_there_is_no_room_is_told_in_a_sentence_and_is_no_verdict(
    tmp_path: Path, words: str
) -> None:
    typed(tmp_path, subprocess.DEVNULL, "rehearse", "--database", "sqlite:///data/rabble.db")
    with Path("/dev/full").open("w") as full:
        done = typed(tmp_path, full.fileno(), *words.split())
    told = "Standard output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (2, told)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["-h"], 2),
        (["-q", "-g", "10", "-n", "3", "random", "nash"], 2),
        (["-v", "-g", "5000", "-n", "3", "random", "adaptive"], 2),
        (["--classic", "-g", "10", "-n", "3", "random", "nash"], 1),
    ],
)
def test_a_session_of_chickp_for_which_there_is_no_room_is_told_in_a_sentence(
    tmp_path: Path, words: list[str], status: int, unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with Path("/dev/full").open("w") as full:
        done = typed(tmp_path, full.fileno(), *words, program="chickp")
    told = "Standard output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (status, told)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a pipe of POSIX")
def test_a_command_goes_on_after_a_table_whose_reader_has_gone(tmp_path: Path) -> None:
    code = "from chatbot.cli.context import print_rendered\n"
    code += "print_rendered(lambda console: console.print('a table'))\n"
    code += "open('plot', 'w').close()"
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=writer, check=False
    )
    os.close(writer)
    assert (done.returncode, (tmp_path / "plot").exists()) == (0, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a pipe of POSIX")
def test_a_verdict_whose_reader_has_gone_stays_in_the_exit_code(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = typed(tmp_path, writer, "doctor")
    os.close(writer)
    assert done.returncode == 0


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from chatbot.cli import entry
entry.{program}()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "words", "library"),
    [
        ("main", ("solve", "sixcard"), "SciPy"),
        ("main", ("solve", "returns", "--check"), "SciPy"),
        ("main", ("arena", "heist", "--games", "10", "--seed", "a", "--plot", "a.png"), "Matplotlib"),
        ("main", ("ladder", "programs", "--game", "chicken"), "NumPy"),
        ("chickp", ("-n", "4", "-g", "2", "random", "random"), "NumPy"),
        ("bankheist", ("10",), "NumPy"),
    ],
)
def test_what_the_arena_lacks_is_told_in_one_sentence(
    program: str, words: tuple[str, ...], library: str, tmp_path: Path
) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "competitors.txt").write_text("a builtin:champion\nb builtin:kelly\n")
    missing = {library.lower()}
    code = WITHOUT.format(missing=missing, program=program)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1].startswith(
        f"This needs {library}, which comes with the extra `arena`: `"
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


def test_what_adds_the_extra_is_written_for_how_the_program_was_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    monkeypatch.setattr(sys, "argv", ["chatbot"])
    assert with_extra("arena").endswith("uv run --extra arena chatbot …`")
    monkeypatch.delenv("UV_RUN_RECURSION_DEPTH")
    monkeypatch.setattr("chatbot.invocation.source", lambda: None)
    monkeypatch.setattr(sys, "prefix", "/home/ann/.cache/uv/archive-v0/AbC")
    monkeypatch.setattr(sys, "argv", ["/home/ann/.cache/uv/archive-v0/AbC/bin/rabble"])
    monkeypatch.delenv("UV", raising=False)
    assert with_extra("arena") == '`uvx --from "rabble[arena]" rabble …`'
    monkeypatch.setattr(sys, "prefix", "/opt/rabble")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    assert with_extra("arena").endswith('-m pip install "rabble[arena]"`')
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert with_extra("arena").startswith("`uv pip install --python ")
    monkeypatch.setattr(sys, "prefix", "/home/ann/.local/share/pipx/venvs/rabble")
    assert with_extra("arena") == '`pipx install --force "rabble[arena]"`'
    monkeypatch.setenv(STARTED_AS, "sudo -u rabble rabble")
    told = "`uv run --extra arena rabble …` in a clone, for this package has no extras"
    assert with_extra("arena") == told


def test_a_package_that_is_on_no_index_is_named_with_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr("chatbot.invocation.source", lambda: "file:///home/ann/rabble-1.whl")
    assert with_extra("arena") == '`uv tool install "rabble[arena] @ file:///home/ann/rabble-1.whl"`'


def test_the_bot_starts_without_what_the_arena_needs() -> None:
    code = WITHOUT.format(missing={"numpy", "scipy", "numba", "matplotlib"}, program="app.__class__")
    code += "import chatbot.app, chatbot.cli.rehearsal\n"
    code += "assert 'arena' not in sys.modules, 'the bot has loaded the arena'\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


START = """
import asyncio, sys
from contextlib import asynccontextmanager
from chatbot.cli import launch
launch._import_structlog_alone()
from chatbot import environment
from chatbot.app import serve
from chatbot.keys.discretion import Discretion

listening = []

def tell(sentence):
    if "listening" in sentence:
        listening.extend(sys.modules)

@asynccontextmanager
async def stop(chat, stopping):
    stopping.set()
    yield

asyncio.run(serve(environment.load(), Discretion(), tell, beside=stop))
print(*listening)
"""
LATER = {
    "alembic": "an empty database is created without it",
    "asyncpg": "the database is a file",
    "sqlalchemy.dialects.postgresql": "the database is a file",
    "chatbot.tables.events.models": "nobody has looked at a table yet",
    "PIL": "no picture is painted yet",
    "numpy": "nobody plays yet",
    "discord": "there is no token",
    "twitchio": "there is no application",
    "rich": "no table is printed",
    "pygments": "no traceback is coloured",
    "arena": "no tournament is held",
}
"""Modules that a start does without until the page listens, and why."""


def test_a_new_bot_listens_before_it_imports_what_it_may_never_need(tmp_path: Path) -> None:
    others = {
        name: value
        for name, value in os.environ.items()
        if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
    }
    environment = {**others, "CHATBOT_PORT": "0", "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", START],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = set(done.stdout.split())
    assert {"chatbot.bot.bot", "chatbot.games.heist.rules.rules"} <= imported
    assert {name: why for name, why in LATER.items() if name in imported} == {}
