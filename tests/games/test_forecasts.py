"""What viewers bet on at any game: it is decided when they are asked, and those who play cannot move it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.kernel.amounts import MOST
from chatbot.kernel.fair import Rng
from chatbot.settings.fields import of_game
from chatbot.tables.foresight import NEW_PLAYER
from tests.games.play import PEOPLE, RandomTable

if TYPE_CHECKING:
    from chatbot.kernel.game import Step, TransferParty
    from chatbot.kernel.kit import AnyKit

KITS = [kit for kit in kits().values() if kit.forecast is not None]
EVERY_KIT = pytest.mark.parametrize("kit", KITS, ids=[kit.name for kit in KITS])
TABLES = 60  # of each kit, by all its presets in turn


@dataclass
class WatchedTable(RandomTable):
    """A table of which it is noted what was true whenever the question could be put."""

    asked: list[Any] = field(default_factory=list)
    phases: set[str] = field(default_factory=set)
    newcomers: list[object] = field(default_factory=list)

    def take(self, action: Any) -> Step[Any]:
        step = super().take(action)
        forecast, clock = self.kit.forecast, self.game.clock(self.state)
        if forecast is not None and clock is not None and forecast.asks(self.game, self.state):
            self.asked.append(self.state)
            self.phases.add(clock.phase)
            self.newcomers += self.game.menu(self.state, NEW_PLAYER, MOST)
        return step


def played(kit: AnyKit, number: int) -> WatchedTable:
    presets = list(kit.rules.presets)
    rules = of_game(kit).read({"preset": presets[number % len(presets)]} if presets else {}).value
    purses: Counter[TransferParty] = Counter(dict.fromkeys(PEOPLE, 5000))
    table = WatchedTable(kit, rules, Rng.of(f"{number}"), purses, seed=b"%d" % number)
    table.play()
    return table


@EVERY_KIT
def test_no_move_after_the_question_changes_its_answer_and_nobody_can_join_any_more(kit: AnyKit) -> None:
    forecast = kit.forecast
    assert forecast is not None
    moved, answers = 0, set[bool]()
    for table in (played(kit, number) for number in range(TABLES)):
        found = {forecast.came_true(table.game, each) for each in table.asked}
        assert len(found) <= 1
        assert table.newcomers == []
        assert len(table.phases) <= 1
        assert bool(table.asked) <= (forecast.seconds(table.game) > 0)
        answers |= found
        moved += len(table.asked) > 1
    assert answers == {True, False}
    assert moved, "nobody has made a move after the question"


@pytest.mark.slow
@EVERY_KIT
def test_the_published_chance_is_how_often_it_comes_true(kit: AnyKit) -> None:
    forecast = kit.forecast
    assert forecast is not None
    more = variance = 0.0
    for table in (played(kit, number) for number in range(4 * TABLES)):
        for first in table.asked[:1]:
            chance = forecast.chance(table.game, first)
            more += forecast.came_true(table.game, first) - chance
            variance += chance * (1 - chance)
    assert variance > TABLES / 4
    assert abs(more) < 3.5 * variance**0.5


def test_a_question_is_put_by_the_heist_alone() -> None:
    """At the others whoever plays knows or decides something until the end, such as their own cards."""
    assert [kit.name for kit in KITS] == ["heist"]
