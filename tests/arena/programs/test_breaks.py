"""When the arena is broken off, or killed, its programs go with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.arena.programs.stage import PATIENT, Player, eventually, left_behind

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
HANG = "open(sys.argv[0] + '.runs', 'w').close()\ntime.sleep(600)"
ARENA = """
import sys, tempfile
from pathlib import Path
from tests.arena.programs.stage import Player, PATIENT
folder = Path(sys.argv[1])
tempfile.tempdir = str(folder / "folders")
Player(folder, sys.argv[2], lines=sys.argv[3] == "lines")()
"""
WITHOUT_PROC = """
import subprocess
from arena.programs import containment
containment._children = list
words = ["sh", "-c", "sleep 30 & echo on; sleep 30"]
running = subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True)
running.stdout.readline()
print(containment.kill_tree(running.pid))
"""
SCRIPTS = pytest.mark.parametrize("lines", [False, True], ids=["calls", "lines"])


def script(lines: bool) -> str:
    return HANG if lines else f"import sys, time\n{HANG}"


@pytest.fixture
def breakable() -> Iterator[None]:
    """Let an interrupt be heard, whatever a shell or an earlier test has done with it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("breakable")
@SCRIPTS
def test_a_break_in_the_middle_of_a_decision_leaves_nothing_and_keeps_nobody_waiting(
    lines: bool, tmp_path: Path
) -> None:
    with Player(tmp_path, script(lines), lines=lines, limits=PATIENT._replace(seconds=600.0)) as player:
        breaking = threading.Thread(target=_break, args=(Path(f"{player.path}.runs"),))
        breaking.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            player()
        breaking.join()
    assert time.monotonic() - began < 300  # it would have had 600 s
    assert player.failures == {}


@SCRIPTS
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked for in /proc")
def test_an_arena_that_is_killed_takes_its_programs_along(lines: bool, tmp_path: Path) -> None:
    words = [sys.executable, "-c", ARENA, str(tmp_path), script(lines), "lines" if lines else "calls"]
    with subprocess.Popen(words, cwd=ROOT) as arena:
        assert eventually(lambda: bool(list(tmp_path.glob("*.runs"))))
        arena.kill()
    assert eventually(lambda: left_behind(tmp_path) == [])
    assert eventually(lambda: list((tmp_path / "folders").iterdir()) == [])


def _break(runs: Path) -> None:
    eventually(runs.exists)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.skipif(os.name != "posix", reason="Windows ends trees of processes instead of groups")
def test_where_no_system_tells_whose_children_they_are_the_group_ends_all_the_same() -> None:
    words = [sys.executable, "-c", WITHOUT_PROC]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        out, _ = running.communicate(timeout=20)  # both sleepers hold standard error
    assert out == b"True\n"
