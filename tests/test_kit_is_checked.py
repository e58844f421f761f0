"""A game whose methods are not what the bot calls is found by mypy, before anybody plays it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
CHANGES = {
    "a method is called otherwise": ("rules", "def rest(self", "def pause(self"),
    "a parameter is called otherwise": (
        "rules",
        "def rest(self, state: State)",
        "def rest(self, table: State)",
    ),
    "start makes something else": (
        "rules",
        "def start(self) -> State:\n        return State()",
        "def start(self) -> str:\n        return ''",
    ),
    "apply takes something else": (
        "rules",
        "action: Input, moment: Moment) -> Step[State]:\n        match",
        "action: Input, moment: str) -> Step[State]:\n        match",
    ),
    "needs lacks a parameter": (
        "rules",
        "def needs(self, state: State, action: Input)",
        "def needs(self, state: State)",
    ),
    "menu takes another purse": (
        "rules",
        "seat: Seat, purse: int) -> Sequence",
        "seat: Seat, purse: str) -> Sequence",
    ),
    "view must be told the purse": ("rules", "purse: int = 0) -> View", "purse: int) -> View"),
    "view shows something else": ("rules", "purse: int = 0) -> View", "purse: int = 0) -> object"),
    "clock gives seconds": ("rules", "-> Clock | None", "-> Clock | float | None"),
    "the settings are no dataclass": (
        "rules",
        "@dataclass(frozen=True, slots=True)\nclass CoinFlip",
        "class CoinFlip",
    ),
    "one event only is told": ("chat", "def narrate(event: Event)", "def narrate(event: Opened)"),
    "the board shows another view": ("chat", "def board(view: View)", "def board(view: Opened)"),
    "a label is for one action only": ("chat", "def label(action: Action)", "def label(action: Bet)"),
}


def test_mypy_refuses_each_change_of_a_signature(tmp_path: Path) -> None:
    package = tmp_path / "chatbot"
    shutil.copytree(ROOT / "chatbot/kernel", package / "kernel")
    for each in ("__init__.py", "games/__init__.py"):
        (package / each).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "chatbot" / each, package / each)
    game = package / "games/coinflip"
    shutil.copytree(ROOT / "tests/fakes/coinflip", game)
    assert _complaints(tmp_path) == "", "the game as it is"
    for change, (module, old, new) in CHANGES.items():
        path = game / f"{module}.py"
        source = path.read_text(encoding="utf-8")
        assert old in source, change
        path.write_text(source.replace(old, new, 1), encoding="utf-8")
        assert "coinflip/__init__.py" in _complaints(tmp_path).replace("\\", "/"), change
        path.write_text(source, encoding="utf-8")


def _complaints(folder: Path) -> str:
    done = subprocess.run(
        [
            sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=cache",
            "--no-error-summary", "-p", "chatbot.games.coinflip",
        ],
        cwd=folder, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return done.stdout
