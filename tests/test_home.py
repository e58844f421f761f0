"""Everything is kept in one place, wherever the program is started, and no other database is overlooked."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from chatbot import home
from chatbot.environment import load
from tests.terminal import Terminal, terminal

__all__ = ["terminal"]  # a fixture

ROOT = Path(__file__).parent.parent
PATIENCE = 120.0  # seconds for one start, on a machine that is busy with other things


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CHATBOT_HOME")
    return tmp_path


def test_a_clone_keeps_everything_in_its_own_folder(elsewhere: Path) -> None:
    assert load().home == ROOT / "data"
    assert load().database == f"sqlite:///{(ROOT / 'data' / 'rabble.db').as_posix()}"
    os.chdir(ROOT)  # as most people start it; the fixture's patch goes back from there
    assert load().database == "sqlite:///data/rabble.db"


def test_an_installed_program_keeps_everything_in_the_place_of_the_system(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name, appauthor: elsewhere / name)
    assert home.default(elsewhere) == elsewhere / "rabble"


@pytest.mark.parametrize("by_file", [True, False])
def test_a_home_that_is_chosen_holds_the_database_and_the_keys(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, by_file: bool
) -> None:
    if by_file:
        (elsewhere / ".env").write_text("CHATBOT_HOME=~/kept\n", encoding="utf-8")
    else:
        monkeypatch.setenv("CHATBOT_HOME", " ~/kept ")
    kept, settings = Path("~/kept").expanduser(), load()
    assert settings.database == f"sqlite:///{(kept / 'rabble.db').as_posix()}"
    assert (settings.twitch_tokens, settings.fairness_key_file) == (
        kept / "twitch-tokens.json", kept / "fairness.key",
    )  # fmt: skip


def test_what_is_named_itself_wins_over_the_home(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATBOT_HOME", "kept")
    monkeypatch.setenv("CHATBOT_DATABASE", "sqlite:///other.db")
    assert load().database == "sqlite:///other.db"
    assert load().fairness_key_file == Path("kept/fairness.key")


def test_a_database_that_is_not_in_use_is_named_with_what_uses_it(elsewhere: Path) -> None:
    (elsewhere / "data").mkdir()
    (elsewhere / "data" / "rabble.db").touch()
    other = f"sqlite:///{(elsewhere / 'kept' / 'rabble.db').as_posix()}"
    kept, unused = home.in_words(elsewhere / "kept", other)
    assert kept == f"Everything that it keeps is in {elsewhere / 'kept'}."
    assert unused == (
        f"The database {elsewhere / 'data' / 'rabble.db'} is not in use; "
        f"set CHATBOT_HOME to {elsewhere / 'data'} to use it."
    )
    assert len([*home.in_words(Path("data"), "sqlite:///data/rabble.db")]) == 1


def test_a_database_elsewhere_is_named_beside_the_home_without_its_password(elsewhere: Path) -> None:
    (told,) = home.in_words(Path("kept"), "postgresql://ann:canary@host/name")
    assert told == (
        f"Its keys are in {elsewhere / 'kept'}, and its database is postgresql://ann:***@host/name."
    )


async def test_the_doctor_says_where_everything_is_and_what_is_not_used(terminal: Terminal) -> None:
    terminal.set(home=str(terminal.folder / "kept"), twitch_client_id="", twitch_client_secret="")
    (terminal.folder / "rabble.db").touch()
    lines = (await terminal.type("doctor")).out.splitlines()
    assert f"ok     home: Everything that it keeps is in {terminal.folder / 'kept'}." in lines
    assert any(line.startswith("look   home: The database ") for line in lines)
    assert any(" is not there yet, and will be made at the first start." in line for line in lines)
    assert not (terminal.folder / "kept").exists()  # nothing is made by looking


@pytest.mark.slow
def test_two_starts_in_two_folders_are_of_one_database(tmp_path: Path) -> None:
    told = [start(tmp_path, folder) for folder in ("one", "two")]
    assert told == [f"Everything that it keeps is in {tmp_path / 'deep' / 'kept'}.\n"] * 2
    assert {each.name for each in tmp_path.iterdir()} == {"one", "two", "deep"}
    assert {"rabble.db", "fairness.key"} <= {each.name for each in (tmp_path / "deep" / "kept").iterdir()}


def start(folder: Path, name: str) -> str:
    """Start the bot in a folder, and return what it says behind its address."""
    (folder / name).mkdir()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CHATBOT_")}
    settings = {"CHATBOT_HOME": str(folder / "deep" / "kept"), "CHATBOT_PORT": "0", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "chatbot"], cwd=folder / name, env=inherited | settings,
        stdout=subprocess.PIPE, text=True,
    ) as bot:  # fmt: skip
        assert bot.stdout is not None
        assert re.search("listening", bot.stdout.readline())
        said = bot.stdout.readline()
        bot.terminate()
        assert bot.wait(PATIENCE) == 0 or os.name != "posix"
    return said
