"""The odds of the games whose pot is the players': all that is staked goes back, whatever the stake."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import SystemPurse
from tests.games.play import PEOPLE, RandomTable

SHARED = pytest.mark.parametrize("name", ["chickenpoker", "pokermarket"])
TABLES = 8


@pytest.mark.slow
@SHARED
@pytest.mark.parametrize("stake", range(1, 21))
def test_all_that_is_staked_goes_back_to_players(name: str, stake: int) -> None:
    kit = kits()[name]
    game, played = replace(kit.rules.game(), default_stake=stake), 0
    for number in range(TABLES):
        table = RandomTable(kit, game, Rng.of(f"{name} {number}"), Counter(dict.fromkeys(PEOPLE, 100))).play()
        assert sum(table.purses[seat] for seat in PEOPLE) == 100 * len(PEOPLE)
        assert table.purses[SystemPurse.HOUSE] == table.purses[SystemPurse.MINT] == 0
        played += kit.rules.was_played(table.state)
    assert played, "tables at which enough sat down"


@SHARED
def test_the_house_pays_nothing_back_and_that_is_published(name: str) -> None:
    kit = kits()[name]
    assert kit.money.odds is not None
    assert kit.money.odds(kit.rules.game()).back is None
    assert len(kit.money.odds(kit.rules.game()).rows) == 2, "the house's players fill up"
    assert len(kit.money.odds(replace(kit.rules.game(), house_fills=0)).rows) == 1
