"""A game of another distribution, with a secret timer: installed, it is a game like any other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "tests/fakes/fuse"
SCRIPT = (
    "ann: !help\nann: !fuse 10\nbob: !fuse\nbob > bot: !letgo\n+5\nann > bot: !letgo\ncat: !fuse 25\n+60\n"
)
ALONE = ("-q", "-n", "0", "-p", "no:cacheprovider", "-m", "slow or not slow")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install it as an installer does: the package, and what says its name and its entry points."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(
        SOURCE / "rabble_fuse", folder / "rabble_fuse", ignore=shutil.ignore_patterns("__pycache__")
    )
    info = folder / f"rabble_fuse-{project['version']}.dist-info"
    info.mkdir()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(about, encoding="utf-8")
    entries = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in each.items())
        for group, each in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(entries), encoding="utf-8")
    return folder


def run(
    site: Path, *command: str, said: str = "", language: str = "en", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join((str(site), str(ROOT)))
    environment = {
        **os.environ, "PYTHONPATH": paths, "CHATBOT_LANGUAGE": language, "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1", "MYPYPATH": paths,
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd or site, env=environment, input=said, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_it_is_played_in_a_rehearsal_and_listed_by_help(site: Path) -> None:
    done = run(site, "chatbot", "rehearse", "--seed", "1", "--json", said=SCRIPT)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert "!fuse" in said[0]["text"]
    events = [each["event"] for each in said if each["game"] == "fuse"]
    assert events == ["Offered", "Lit", "Released", "Released", "Burnt", "Offered", "Lapsed"]
    (end,) = [each["text"] for each in said if each["event"] == "Burnt"]
    assert "ann let go last and takes 20 credits" in end


def test_in_a_korean_room_it_speaks_english(site: Path) -> None:
    done = run(site, "chatbot", "rehearse", "--seed", "1", said=SCRIPT, language="ko")
    assert done.returncode == 0, done.stderr
    assert "ann and bob hold a burning fuse" in done.stdout
    assert "error" not in done.stderr


def test_the_page_offers_it(site: Path) -> None:
    done = run(site, "tests.page_offers")
    assert done.returncode == 0, done.stderr
    offered = json.loads(done.stdout)
    assert "Fuse" in offered["games"]
    assert {"fuse", "letgo"} <= set(offered["commands"])


def test_the_arena_plays_it(site: Path, tmp_path: Path) -> None:
    done = run(site, "chatbot", "arena", "fuse", "hasty", "bold", "--games", "20", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"hasty"' in done.stdout


def test_its_kit_is_checked(site: Path, tmp_path: Path) -> None:
    done = run(site, "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", "-p", "rabble_fuse")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("tests", "chosen"),
    [
        ("tests/games/test_every_game.py", "fuse or share"),
        pytest.param("tests/test_docs.py", "", marks=pytest.mark.nightly),
        pytest.param("tests/adapters/test_matrix.py", "", marks=pytest.mark.nightly),
    ],
)
def test_the_tests_of_this_repository_take_it_in(site: Path, tests: str, chosen: str) -> None:
    done = run(site, "pytest", *ALONE, tests, *(("-k", chosen) if chosen else ()), cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
