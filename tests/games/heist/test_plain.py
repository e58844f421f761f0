"""A referee that shares no line with the program has the same games on the same draws, to the last credit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import heist, heist_plain
from benchmarks.heist_plain import Plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.heist_plain import Game

FOLDER = Path(heist_plain.__file__).parent


def test_the_plain_referee_is_short_and_has_nothing_of_the_program() -> None:
    referee = (FOLDER / "heist_plain.py").read_text(encoding="utf-8")
    players = (FOLDER / "heist_plain_players.py").read_text(encoding="utf-8")
    assert len(referee.splitlines()) <= 250
    assert f"of {len(referee.splitlines())} lines" in heist.SPEED.beside
    assert "chatbot" not in referee + players


@pytest.mark.slow
@pytest.mark.parametrize(("rabble", "times"), [(0, 1), (7, 1), (60, 1), (500, 1), (0, 3), (60, 3)])
def test_both_have_the_same_games(rabble: int, times: int) -> None:
    heist.agree(400, rabble, f"plain {rabble} {times}", times)


@pytest.mark.slow
def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Generous(Plain):
        def play(self, games: int) -> Iterator[Game]:
            for each in super().play(games):
                yield each._replace(credits=[*each.credits[:-1], each.credits[-1] + 1])

    monkeypatch.setattr(heist, "Plain", Generous)
    with pytest.raises(SystemExit, match="another game 0"):
        heist.agree(1, 7, "told")
