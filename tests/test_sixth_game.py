"""A sixth game is one folder dropped in: chat, rehearse, help and the generic tests find it by themselves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SCRIPT = "ann: !help\nann: !flip 10\nbob: !flip\nann > bot: !heads\nbob > bot: !tails\n+20\nann: !heist 25\n"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project, and drop the coin in."""
    folder = tmp_path_factory.mktemp("clone")
    junk = shutil.ignore_patterns("__pycache__", "*.db*")
    for name in ("arena", "chatbot", "cogs", "data", "tests", "docs", "benchmarks", "scripts"):
        shutil.copytree(ROOT / name, folder / name, ignore=junk)
    for file in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "LICENSE", ROOT / ".env.example"):
        shutil.copy(file, folder)
    shutil.copytree(folder / "tests/fakes/coinflip", folder / "chatbot/games/coinflip")
    return folder


def run(clone: Path, *command: str, said: str = "", language: str = "en") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(clone), "CHATBOT_LANGUAGE": language, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=clone, env=environment, input=said, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_it_is_played_in_a_rehearsal_and_listed_by_help(clone: Path) -> None:
    done = run(clone, "chatbot", "rehearse", "--seed", "1", "--json", said=SCRIPT)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert "!flip" in said[0]["text"]
    assert "!heist" in said[0]["text"]
    events = [each["event"] for each in said if each["game"] == "coinflip"]
    assert events == [
        "Opened",
        "Joined",
        "Landed",
    ]  # calls are told where people want to hear everything
    assert (said[-1]["game"], said[-1]["event"]) == ("heist", "Opened")


def test_it_speaks_korean_too(clone: Path) -> None:
    done = run(clone, "chatbot", "rehearse", "--seed", "1", said=SCRIPT, language="ko")
    assert "동전 던지기" not in done.stderr
    assert "동전을 던져요" in done.stdout


def test_the_page_offers_it(clone: Path) -> None:
    done = run(clone, "tests.page_offers")
    assert done.returncode == 0, done.stderr
    offered = json.loads(done.stdout)
    assert "Coin Flip" in offered["games"]
    assert "flip" in offered["commands"]


def test_the_generic_tests_and_the_floors_take_it_in(clone: Path) -> None:
    tests = ("tests/games/test_every_game.py", "tests/test_floors.py")
    done = run(clone, "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests, "-k", "coinflip or share")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


def test_the_documentation_of_this_repository_needs_no_page_of_it(clone: Path) -> None:
    done = run(clone, "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/test_docs.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
