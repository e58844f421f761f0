"""In bubblewrap no hostile program reaches a network, a foreign file or process, and nothing is left."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import pytest

from arena.programs import sandbox
from tests.arena.programs.enclosed import ATTACKS, ENDINGS, Targets, script
from tests.arena.programs.stage import PATIENT, Player, eventually, left_behind
from tests.arena.programs.test_thousand import held

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not sandbox.bubblewrap(), reason="bubblewrap does not work here")

ENCLOSED = PATIENT._replace(sandbox=True, seconds=0.3, farewell=0.05)
ALL, AT_A_TIME = 1000, 4


def play(number: int, targets: Targets, folder: Path) -> tuple[bool, str]:
    """Have a program play two games; return whether it answered well, and what it told."""
    with Player(folder, script(number, targets), lines=True, limits=ENCLOSED) as player:
        answers = [player(game) for game in range(2)]
    player.path.unlink()
    return answers == [5, 5], "".join(player.told)


def checked(numbers: range, folder: Path) -> None:
    """Have programs play, and check that all is as it was."""
    with Targets(folder / "home") as targets, ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(partial(play, targets=targets, folder=folder), range(AT_A_TIME)))  # what is made once
        before, threads = held()[:2], threading.active_count()
        told = list(pool.map(partial(play, targets=targets, folder=folder), numbers))
        assert eventually(lambda: left_behind(folder) == [])
        assert targets.reached() == []
        assert held()[:2] == before
        assert threading.active_count() == threads
    assert not any("token" in text or "root:" in text for _, text in told)
    assert any(well for well, _ in told)


def test_no_kind_of_hostility_reaches_anything_and_nothing_is_left(tmp_path: Path) -> None:
    checked(range(len(ATTACKS)), tmp_path)


def test_the_targets_notice_who_is_not_enclosed(tmp_path: Path) -> None:
    """The same attacks reach them without bubblewrap: what is asserted above can fail."""
    names = list(ATTACKS)
    outside = PATIENT._replace(sandbox=False)
    with Targets(tmp_path / "home") as targets:
        for name in ("connects to this machine", "sends a datagram", "connects to a socket in a file",
                     "leaves a file at home", "overwrites a file"):  # fmt: skip
            attack = script(names.index(name), targets).partition("except")[0]
            text = f"{attack}except BaseException: pass\nwhile q := asked(): answer(q, 5)"
            with Player(tmp_path, text, lines=True, limits=outside) as player:
                assert player() == 5
        assert targets.reached() == ["socket 0", "socket 1", "socket 2", "the folder", "the secret"]


@pytest.mark.nightly
@pytest.mark.slow
def test_a_thousand_hostile_programs_reach_nothing_and_leave_nothing(tmp_path: Path) -> None:
    assert len(ATTACKS) * len(ENDINGS) <= ALL  # so that each attack meets each ending
    checked(range(ALL), tmp_path)
