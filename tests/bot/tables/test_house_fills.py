"""Any game can have players of the house: all it does is say which, and how many."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import chatbot.games
from chatbot.games import kits
from chatbot.games.heist import KIT
from chatbot.games.heist.rules.moves import Join
from chatbot.games.heist.rules.rules import Heist
from chatbot.kernel.house_seats import Roster, of_house, roster_of
from tests.bot.hosting import LOBBY, actions, crew
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.heist.rules.rules import Input
    from chatbot.games.heist.rules.states import State, View
    from chatbot.kernel.board import Board
    from chatbot.kernel.game import Moment, Step
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store

FAKES = Path(__file__).parents[2] / "fakes"


@pytest.mark.slow
@dataclass(frozen=True, slots=True)
class Filled(Heist):
    """A heist that takes four."""

    @property
    def roster(self) -> Roster:
        return Roster(("passive",), fills=4)


@dataclass(frozen=True, slots=True)
class TwoFaced(Heist):
    """A heist that is joined by two of the house, whose strategy has a name of two words."""

    @property
    def roster(self) -> Roster:
        return Roster(("two-faced",), players=2)


@pytest.mark.parametrize(("people", "house"), [(1, 3), (3, 1), (4, 0), (5, 0)])
async def test_a_lobby_that_too_few_have_joined_is_filled_late(store: Store, people: int, house: int) -> None:
    stage = await Stage(store, {"heist": replace(KIT, rules=replace(KIT.rules, game=Filled))}).open()
    for number in range(people):
        await stage.say(f"p{number}", "!heist 20")
    await stage.turn(0.8 * LOBBY)
    assert len(crew(stage)) == people
    await stage.turn(0.1 * LOBBY)
    assert len(crew(stage)) == people + house


async def test_who_comes_at_last_leaves_fewer_to_fill_up(store: Store) -> None:
    stage = await Stage(store, {"heist": replace(KIT, rules=replace(KIT.rules, game=Filled))}).open()
    await stage.say("ann", "!heist 20")
    await stage.turn(0.84 * LOBBY)
    await stage.say("bob", "!heist 20")
    await stage.turn(0.1 * LOBBY)
    assert crew(stage) == ["ann", "bob", "Passive (house)", "Passive 2 (house)"]


@pytest.mark.slow
async def test_a_strategy_may_have_a_name_of_several_words(store: Store) -> None:
    names = {"two-faced": KIT.programs.strategies["passive"], "two": KIT.programs.strategies["lurker"]}
    kit = replace(
        KIT, rules=replace(KIT.rules, game=TwoFaced), programs=replace(KIT.programs, strategies=names)
    )
    stage = await Stage(store, {"heist": kit}).open()
    await stage.say("ann", "!heist 20")
    await stage.turn(LOBBY)
    assert crew(stage) == ["ann", "Two faced (house)", "Two faced 2 (house)"]


async def test_where_no_people_play_any_more_they_do_not_play_alone(store: Store) -> None:
    def deserted(view: View) -> Board:
        return replace(KIT.display.board(view), places=())  # as of a game that people may leave

    stage = await Stage(
        store,
        {
            "heist": replace(
                KIT, rules=replace(KIT.rules, game=Filled), display=replace(KIT.display, board=deserted)
            )
        },
    ).open()
    await stage.say("ann", "!heist 20")
    await stage.turn(LOBBY)
    assert not [each for each in await actions(store) if "house:passive" in each]


@dataclass(frozen=True, slots=True)
class Brittle(Filled):
    """A heist whose rules fail when somebody of the house joins."""

    def apply(self, state: State, action: Input, moment: Moment) -> Step[State]:
        if isinstance(action, Join) and of_house(action.seat):
            raise ArithmeticError("on purpose")
        return Heist.apply(self, state, action, moment)


async def test_a_game_that_one_of_them_breaks_gives_every_stake_back(store: Store) -> None:
    stage = await Stage(store, {"heist": replace(KIT, rules=replace(KIT.rules, game=Brittle))}).open()
    await stage.say("ann", "!heist 20")
    assert "every stake has been returned" in " ".join(await stage.turn(LOBBY))
    assert await stage.credits("ann") == 240
    assert stage.table.over


@pytest.fixture
def flip(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyKit]:
    """Drop the coin in, with one player of the house at each table, and more until there are three."""
    kits()  # looks at the program's own games once, before there is one more
    monkeypatch.setattr(chatbot.games, "__path__", [*chatbot.games.__path__, str(FAKES)])
    module: Any = importlib.import_module("chatbot.games.coinflip")
    rules: Any = importlib.import_module("chatbot.games.coinflip.rules")

    def roster(game: object) -> Roster:
        return Roster(("guesser",), players=1, fills=3, least=10)

    hosting: Any = dataclass(frozen=True)(type("Hosting", (rules.CoinFlip,), {"roster": property(roster)}))
    yield replace(module.KIT, rules=replace(module.KIT.rules, game=hosting))
    for name in [each for each in sys.modules if each.startswith("chatbot.games.coinflip")]:
        del sys.modules[name]
    delattr(chatbot.games, "coinflip")


@pytest.mark.slow
async def test_they_also_answer_in_the_phase_in_which_they_have_joined(store: Store, flip: AnyKit) -> None:
    stage = await Stage(store, {"coinflip": flip}).open()
    await stage.say("ann", "!flip 10")
    await stage.turn(20)
    written = await actions(store)
    for who in ("house:guesser", "house:guesser-2"):
        about = [each.split('"')[1] for each in written if f'"{who}"' in each]
        assert about == ["Sit", "Bet", "Call"]
    assert "(house)" in " ".join(stage.said())
    assert not [each for each in written if "guesser-3" in each]


def test_a_game_that_does_not_say_so_has_none(flip: AnyKit) -> None:
    assert roster_of(flip.rules.game()) == Roster(("guesser",), players=1, fills=3, least=10)
    assert roster_of(flip.rules.game.__mro__[1]()) == Roster()
    assert roster_of(Heist()).players == 0
