"""The lobby of a game: who may join how, what is offered, and where the seats are drawn."""

from __future__ import annotations

from itertools import permutations

import pytest

from chatbot.games.chickenpoker import KIT
from chatbot.games.chickenpoker.rules.moves import Join, RoundBegan, Seated
from chatbot.games.chickenpoker.rules.rules import ChickenPoker, was_played
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, SystemPurse
from chatbot.kernel.lobby import Abandoned, Joined, Leave, Start, buy_in
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import make
from tests.games.chickenpoker.table import ANN, BOB, CAT, DAN, Table


def test_what_the_opener_leaves_out_is_what_is_usual_here() -> None:
    table = Table(ChickenPoker(cards=8, default_stake=30))
    (opened,) = table.act(Join(ANN))
    assert (opened.length, opened.credits, opened.seconds) == (8, 30, 60)
    assert table.purses[SystemPurse.POT] == 30


def test_who_joins_without_terms_takes_those_of_the_table() -> None:
    table = Table()
    table.act(Join(ANN, 4, 50))
    assert table.act(Join(BOB)) == (Joined(BOB, 50, 2),)
    assert table.act(Join(CAT, 4)) == (Joined(CAT, 50, 3),)
    assert table.act(Join(DAN, None, 50)) == (Joined(DAN, 50, 4),)
    assert table.purses[SystemPurse.POT] == 200
    assert buy_in(table.state) == 50


@pytest.mark.parametrize("terms", [(5, 50), (4, 49), (4, 0), (None, 51), (6, None)])
def test_other_terms_than_the_tables_are_refused_naming_them(terms: tuple[int | None, int | None]) -> None:
    table = Table()
    table.act(Join(ANN, 4, 50))
    stake = Message("for-stake-each", {"stake": Credits(50)})
    assert table.refused(Join(BOB, *terms)) == Message("chicken-other-terms", {"cards": 4, "terms": stake})


def test_a_second_join_is_refused_naming_the_stake_also_when_the_game_has_begun() -> None:
    table = Table()
    table.act(Join(ANN, 4, 50))
    stake = Message("for-stake-each", {"stake": Credits(50)})
    refusal = Message("chicken-already-in", {"terms": stake})
    assert table.refused(Join(ANN)) == refusal
    assert table.refused(Join(ANN, 9, 1)) == refusal
    table.act(Join(BOB))
    table.time_out()
    assert table.refused(Join(ANN)) == refusal
    assert table.refused(Join(CAT)) == Message("chicken-too-late")


def test_a_join_is_read_from_the_journals_of_all_that_was_played_before() -> None:
    written = '{"Join":{"seat":"test:ann","cards":6,"credits":null}}'
    assert KIT.codec.load(written) == Join(ANN, 6)
    assert KIT.codec.dump(Join(ANN, 6)) == written


def test_a_full_table_starts_at_once() -> None:
    table = Table(ChickenPoker(most_players=3))
    table.act(Join(ANN))
    table.act(Join(BOB))
    happened = table.act(Join(CAT))
    assert [type(each) for each in happened] == [Joined, Seated, RoundBegan]


@pytest.mark.parametrize(
    ("cards", "stake", "refusal"),
    [
        (1, 0, "chicken-length"),
        (16, 0, "chicken-length"),
        (6, 9, "stake-too-small"),
        (6, 101, "stake-too-large"),
    ],
)
def test_what_is_outside_the_limits_is_refused(cards: int, stake: int, refusal: str) -> None:
    table = Table(ChickenPoker(min_stake=10, max_stake=100))
    assert table.refused(Join(ANN, cards, stake)).id == refusal


def test_the_seats_are_drawn_and_everybody_may_have_every_id() -> None:
    orders = set()
    for number in range(60):
        table = Table()
        table.luck = Rng.of(f"seats {number}")
        table.seated(ANN, BOB, CAT)
        orders.add(table.of(Seated)[0].order)
    assert orders == set(permutations((ANN, BOB, CAT)))


def test_limits_that_cross_are_refused() -> None:
    with pytest.raises(Refusal):
        ChickenPoker(min_stake=10, max_stake=9)


def test_the_house_plays_as_strategies_that_there_are() -> None:
    assert make(ChickenPoker, {"house_strategies": "nash/random"}).roster.strategies == ("nash", "random")
    assert set(make(ChickenPoker, {"house_strategies": "any", "stakes": "off"}).roster.strategies) == {
        "random",
        "linear",
        "nash",
    }
    with pytest.raises(Refusal):
        make(ChickenPoker, {"house_strategies": "nash/kelly"})


@pytest.mark.parametrize("stake", [0, 50])
def test_too_few_get_their_stakes_back(stake: int) -> None:
    table = Table(ChickenPoker(house_fills=0))
    table.act(Join(ANN, 6, stake))
    assert table.time_out() == (Abandoned(1),)
    assert table.purses[ANN] == table.purses[SystemPurse.POT] == 0
    assert not was_played(table.state)
    assert table.game.clock(table.state) is None


def test_a_lobby_that_nobody_joined_ends_too() -> None:
    table = Table()
    assert table.time_out() == (Abandoned(0),)


def test_a_lobby_offers_what_the_purse_can_pay() -> None:
    game = ChickenPoker(cards=5, default_stake=50)
    lobby = game.start()
    assert game.menu(lobby, ANN, 50) == [Join(ANN, 5, 50), Join(ANN, 5, 0)]
    assert game.menu(lobby, ANN, 49) == [Join(ANN, 5, 0)]
    table = Table(game)
    table.act(Join(ANN, 7, 60))
    assert game.menu(table.state, BOB, 60) == [Join(BOB, 7, 60)]
    assert game.menu(table.state, BOB, 59) == []
    assert game.menu(table.state, ANN, 0) == [Leave(ANN), Start(ANN)]
