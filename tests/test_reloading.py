"""Whoever works on the program sees a change at once: the page loads anew, or the bot starts again."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from chatbot import app
from chatbot.cli import reloading
from chatbot.cli.reloading import CHANGED, Parent, serve_until_change
from chatbot.environment import Settings
from chatbot.keys.discretion import Discretion
from chatbot.web.reload import PageReload, file_times
from tests.documentation import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COUNTING = """
import os, sys
from pathlib import Path
runs = Path(sys.argv[1])
runs.write_text(runs.read_text() + ".")
assert os.environ["RABBLE_RELOAD_CHILD"]
sys.exit([int(each) for each in sys.argv[2:]][len(runs.read_text()) - 1])
"""


def change(file: Path, moment: int) -> None:
    """Change a file at a moment in seconds; the clock of a file system may be too coarse for two writes."""
    file.touch()
    os.utime(file, (moment, moment))


def test_the_files_that_count_are_those_of_a_suffix_and_those_that_are_named(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    code, named = tmp_path / "deep" / "code.py", tmp_path / ".env"
    for each in (code, named, tmp_path / "deep" / "note.md"):
        change(each, 7)
    found = file_times([tmp_path / "deep", named, tmp_path / "missing"], frozenset({".py"}))
    assert found == {code: 7 * 10**9, named: 7 * 10**9}


def test_the_bot_is_made_of_its_packages_its_words_and_its_settings() -> None:
    found = file_times(reloading.sources(), reloading.SUFFIXES)
    assert {ROOT / "chatbot" / "app.py", ROOT / "data" / "locales" / "en" / "words.ftl"} <= {*found}
    assert not [each for each in found if each.suffix in {".js", ".css", ".html"}]


def test_the_stamp_changes_with_each_file_of_the_page_and_with_each_run(tmp_path: Path) -> None:
    change(tmp_path / "app.js", 1)
    reload = PageReload(tmp_path)
    stamps = [reload.stamp(), reload.stamp()]
    change(tmp_path / "app.js", 2)
    stamps += [reload.stamp(), PageReload(tmp_path).stamp()]
    assert stamps[0] == stamps[1]
    assert len({*stamps}) == 3


def run_children(folder: Path, statuses: Sequence[int]) -> tuple[int, int, list[str]]:
    """Run children that end with these statuses; give the last one, the number of them, and what was told."""
    runs, told = folder / "runs", list[str]()
    runs.touch()

    def tell(sentence: str) -> None:
        told.append(sentence)
        change(folder / "code.py", len(told))  # as by somebody who reads what went wrong, and corrects it

    command = [sys.executable, "-c", COUNTING, str(runs), *map(str, statuses)]
    status = Parent(command, tell, [folder / "code.py"]).run()
    return status, len(runs.read_text()), told


def test_a_child_that_saw_a_change_is_followed_by_another(tmp_path: Path) -> None:
    assert run_children(tmp_path, [CHANGED, CHANGED, 0]) == (0, 3, [])


def test_after_a_child_that_failed_the_next_one_waits_for_a_change(tmp_path: Path) -> None:
    told = "The bot has ended with status 1; it starts again after a change."
    assert run_children(tmp_path, [1, 0]) == (0, 2, [told])


@pytest.mark.skipif(os.name != "posix", reason="Windows has no signals between processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait_for_a_change(tmp_path: Path, number: signal.Signals) -> None:
    failing = [sys.executable, "-c", "raise SystemExit(1)"]
    parent = Parent(failing, lambda _: signal.raise_signal(number), [tmp_path / "code.py"])
    former = signal.getsignal(number)
    assert parent.run() == 1
    assert signal.getsignal(number) is former


async def test_the_bot_stops_in_order_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "_stop_on_signals", lambda _: None)
    monkeypatch.setattr(reloading, "INTERVAL", 0.01)
    code, told = tmp_path / "code.py", list[str]()
    settings = Settings(
        database=f"sqlite:///{tmp_path / 'rabble.db'}", port=0, fairness_key_file=tmp_path / "fairness.key"
    )
    change(code, 1)

    def tell(sentence: str) -> None:
        told.append(sentence)
        if "listening" in sentence:
            change(code, 2)

    assert await serve_until_change(settings, Discretion(), tell, [tmp_path / "code.py"])
    assert told[-1] == "A file has changed: the bot starts again."
