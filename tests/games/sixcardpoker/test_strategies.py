"""Players of Six Card Poker in a chat: they open, take challenges up, and set once, by their own plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, Open, Revealed
from chatbot.games.sixcardpoker.strategies import STRATEGIES
from chatbot.kernel.fair import Rng
from tests.games.sixcardpoker.table import ANN, BOB, CAT, Table

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat

EVERY_STRATEGY = pytest.mark.parametrize("name", STRATEGIES)


def asked(name: str, table: Table, seat: Seat = ANN, luck: str = "luck") -> object:
    menu = table.game.menu(table.state, seat, 1000)
    return STRATEGIES[name](table.view(seat), menu, Rng.of(luck))


@EVERY_STRATEGY
def test_a_strategy_opens_as_is_usual_and_takes_challenges_up(name: str) -> None:
    assert asked(name, Table()) == Open(ANN, 0)
    assert asked(name, Table().challenge(50), BOB) == Accept(BOB)
    assert asked(name, Table().challenge(50), ANN) is None
    assert asked(name, Table().challenge(50), CAT) is None


@EVERY_STRATEGY
def test_a_strategy_sets_its_own_cards_once(name: str) -> None:
    table = Table().duel()
    setting = asked(name, table, BOB)
    assert isinstance(setting, Arrange)
    table.act(setting)
    assert asked(name, table, BOB) is None
    table.act(asked(name, table, ANN))
    assert table.of(Revealed)


def test_each_plays_by_its_own_plan() -> None:
    table = Table(own="113344").solo()
    assert asked("greedy", table) == Arrange(ANN, "331 44 1")
    drawn = {name: {asked(name, table, luck=f"{number}") for number in range(40)} for name in STRATEGIES}
    assert drawn["greedy"] == {Arrange(ANN, "331 44 1")}
    assert drawn["nash"] == {Arrange(ANN, "411 33 4"), Arrange(ANN, "441 33 1")}
    assert len(drawn["random"]) > 2


def test_what_is_never_better_than_something_else_is_not_set() -> None:
    """Shuffled cards are often set badly; the menu has none of that, and strategies keep to it."""
    table = Table().solo()
    menu = table.game.menu(table.state, ANN, 0)
    assert all(asked("random", table, luck=f"{number}") in menu for number in range(40))
