"""After a hundred matches, and after a thousand, of hostile programs everything is where it was."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from chatbot.games.heist.contest.contest import HeistContest
from chatbot.kernel.contest import Entrant
from tests.arena.programs.hostile import CALLS, LATE, LINES, Hostile
from tests.arena.programs.stage import PATIENT, Player, left_behind

AT_A_TIME = 4  # much of a match is waiting
WARMING = 2 * max(len(CALLS), len(LINES))  # each has been met twice by then
ROOM = 4 << 20  # bytes by which memory may have grown: Python's own arenas; a kilobyte a match would be less
SHORT = PATIENT._replace(seconds=0.05, farewell=0.05)
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts in /proc"),
]


@pytest.mark.parametrize("matches", [100, 1000])
def test_descriptors_processes_folders_and_memory_are_back_where_they_were(
    tmp_path: Path, matches: int
) -> None:
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        warm = sum(pool.map(partial(play, folder=tmp_path), range(WARMING)), Counter[str]())
        before = held()
        kinds = sum(pool.map(partial(play, folder=tmp_path), range(matches)), Counter[str]())
        after = held()
    assert list((tmp_path / "folders").iterdir()) == []
    assert left_behind(tmp_path) == []
    assert after[:2] == before[:2]
    assert after[2] - before[2] < ROOM
    assert set(warm) == set(kinds) == {"late", "ended", "unreadable", "illegal"}
    assert min(kinds.values()) >= matches / 10


def play(number: int, folder: Path) -> Counter[str]:
    """Have two hostile programs, one of each protocol, play a match against the house."""
    contest = HeistContest(rabble=20)
    called, lasting = CALLS[number % len(CALLS)], LINES[number % len(LINES)]
    with ExitStack() as opened:
        players = [opened.enter_context(player(each, folder)) for each in (called, lasting)]
        entrants = [Entrant(each.program._name, each.program) for each in players]
        entrants.append(Entrant("kelly", contest.strategies["kelly"]))
        (match,) = contest.matches(3, 1, f"match {number}")
        *_, last = contest.play(match, entrants, None)
    assert last.games == 1
    for each in players:
        each.path.unlink()
    return sum((each.program.failures for each in players), Counter())


def player(hostile: Hostile, folder: Path) -> Player:
    patient = PATIENT._replace(farewell=0.05)
    limits = SHORT if hostile.kind == LATE else patient
    return Player(folder, hostile.script, lines=hostile in LINES, limits=limits)


def held() -> tuple[int, int, int]:
    """Count open descriptors, child processes, and bytes of memory in use."""
    gc.collect()
    children = [each.read_text().split() for each in Path("/proc/self/task").glob("*/children")]
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return (
        len(list(Path("/proc/self/fd").iterdir())),
        sum(map(len, children)),
        pages * os.sysconf("SC_PAGE_SIZE"),
    )
