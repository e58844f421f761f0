"""The prompt inside a bot runs statements in the bot's own loop, and the bot outlasts whatever they do."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import SecretStr

from chatbot.cli.shell import Prompt, throwaway
from chatbot.environment import Settings
from tests.documentation import ROOT, page

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 120.0  # seconds, on a machine that is busy with other things
CONNECTED = Settings(
    host="0.0.0.0", port=80, database="postgresql://db/rabble", discord_token=SecretStr("token"),
    twitch_client_id="id", twitch_client_secret=SecretStr("secret"), fairness_key_file=Path("real.key"),
)  # fmt: skip


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in another thread, as that of a bot."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def prompt(loop: asyncio.AbstractEventLoop) -> Prompt:
    return Prompt({"asyncio": asyncio}, loop)


def typed(prompt: Prompt, *lines: str) -> dict[str, Any]:
    """Type lines; give what the prompt then knows by name."""
    for line in lines:
        assert not prompt.push(line), f"{line} is not complete"
    return dict(prompt.locals)


def test_a_statement_may_wait_and_runs_in_the_loop_of_the_bot(
    prompt: Prompt, loop: asyncio.AbstractEventLoop
) -> None:
    known = typed(prompt, "await asyncio.sleep(0)", "found = asyncio.get_running_loop()")
    assert known["found"] is loop


def test_what_a_statement_returns_is_printed(prompt: Prompt, capsys: pytest.CaptureFixture[str]) -> None:
    typed(prompt, "await asyncio.sleep(0, 'well')")
    assert capsys.readouterr().out == "'well'\n"


def test_an_error_is_shown_without_what_lies_behind_the_prompt(
    prompt: Prompt, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(prompt, "1 / 0")
    assert capsys.readouterr().err.splitlines() == [
        "Traceback (most recent call last):",
        '  File "<console>", line 1, in <module>',
        "ZeroDivisionError: division by zero",
    ]


@pytest.fixture
def _interrupted() -> Iterator[None]:
    """Have SIGINT raise KeyboardInterrupt: a shell lets what it starts in the background ignore it."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.mark.usefixtures("_interrupted")
def test_ctrl_c_cancels_a_statement_and_not_the_bot(
    prompt: Prompt, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting = "await asyncio.sleep(600)"
    known = typed(prompt, "import _thread", f"_thread.interrupt_main(); {waiting}", "alive = True")
    assert known["alive"]
    assert capsys.readouterr().err == "\nThe statement was cancelled.\n"


def test_exit_ends_the_prompt_and_not_the_loop(prompt: Prompt, loop: asyncio.AbstractEventLoop) -> None:
    with pytest.raises(SystemExit):
        prompt.push("exit()")
    assert loop.is_running()


def test_a_prompt_whose_bot_has_stopped_ends(capsys: pytest.CaptureFixture[str]) -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    with pytest.raises(SystemExit):
        Prompt({}, loop).push("1")
    assert capsys.readouterr().err == "The bot has stopped.\n"


def test_a_bot_of_its_own_has_nothing_at_stake() -> None:
    with throwaway(CONNECTED, None) as alone:
        folder = alone.fairness_key_file.parent
        assert folder.is_dir()
        assert alone.database == f"sqlite:///{folder.as_posix()}/rabble.db"
        assert (alone.host, alone.port, alone.secrets) == ("127.0.0.1", 0, ())
        assert alone.twitch_client_id is None
    assert not folder.exists()


def test_with_a_database_that_is_kept_its_secrets_can_be_opened() -> None:
    with throwaway(CONNECTED, "sqlite:///kept.db") as alone:
        assert (alone.database, alone.fairness_key_file) == ("sqlite:///kept.db", Path("real.key"))
        assert (alone.host, alone.port, alone.secrets) == ("127.0.0.1", 0, ())


def shell(folder: Path, lines: str, *options: str) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
    }
    return subprocess.run(
        [sys.executable, "-m", "chatbot", "shell", *options],
        cwd=folder, env={**inherited, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}, input=lines,
        capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.slow
def test_somebody_plays_at_the_prompt_and_nothing_is_left_behind(tmp_path: Path) -> None:
    lines = 'await say("ann", "!credits")\n[*rooms]\ntype(ledger).__name__\nbot is chat.bot\n'
    done = shell(tmp_path, lines)
    assert done.returncode == 0, done.stderr
    assert "Rabble is listening: open http://127.0.0.1:" in done.stdout
    for shown in ("ann has 240 credits.", "['local']", "'Ledger'", "True"):
        assert shown in done.stdout
    assert "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.slow
def test_the_lines_of_the_documentation_work_at_the_prompt(tmp_path: Path) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", page("internals/developing"), re.DOTALL)
    done = shell(tmp_path, lines)
    assert "Traceback" not in done.stderr
    assert "['heist']" in done.stdout


@pytest.mark.slow
def test_a_bot_that_cannot_start_ends_with_its_reason_and_no_prompt(tmp_path: Path) -> None:
    done = shell(tmp_path, "1\n", "--database", f"sqlite:///{tmp_path / 'missing' / 'rabble.db'}")
    assert done.returncode == 2
    assert "is not there: make it, or name another database." in done.stderr
    assert "exit() stops the bot" not in done.stderr
