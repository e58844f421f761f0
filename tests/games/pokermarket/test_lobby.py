"""The lobby of a market: who may join how, what is dealt, and what is settled before the first turn."""

from __future__ import annotations

from itertools import permutations

import pytest

from chatbot.games.pokermarket import KIT
from chatbot.games.pokermarket.rules.moves import Dealt, Join, TurnBegan
from chatbot.games.pokermarket.rules.rules import PokerMarket, was_played
from chatbot.games.pokermarket.rules.states import Over
from chatbot.kernel.game import Refusal, SystemPurse
from chatbot.kernel.lobby import Abandoned, Joined, Leave, Start, buy_in
from chatbot.kernel.say import Credits, Message
from chatbot.kernel.settings import make
from tests.games.pokermarket.table import ANN, BOB, CAT, DAN, Table


def test_cards_are_dealt_from_the_luck_and_the_order_of_turns_is_drawn() -> None:
    orders, hands = set(), set()
    for number in range(60):
        table = Table(seed=f"deal {number}").seated(ANN, BOB, CAT)
        orders.add(table.trading.order)
        hands.add(table.trading.market.hands)
        assert list(table.of(Dealt)[0].hands) == list(table.trading.order)
    assert orders == set(permutations((ANN, BOB, CAT)))
    assert len(hands) == 60


def test_what_the_opener_leaves_out_is_what_is_usual_here() -> None:
    table = Table(PokerMarket(rounds=3, default_stake=30))
    (opened,) = table.act(Join(ANN))
    assert (opened.length, opened.credits, opened.seconds) == (3, 30, 60)
    assert table.purses[SystemPurse.POT] == 30


def test_who_joins_without_terms_takes_those_of_the_table() -> None:
    table = Table()
    table.act(Join(ANN, 4, 50))
    assert table.act(Join(BOB)) == (Joined(BOB, 50, 2),)
    assert table.act(Join(CAT, 4)) == (Joined(CAT, 50, 3),)
    assert table.act(Join(DAN, None, 50)) == (Joined(DAN, 50, 4),)
    assert table.purses[SystemPurse.POT] == 200
    assert buy_in(table.state) == 50


@pytest.mark.parametrize("terms", [(5, 50), (4, 49), (4, 0), (None, 51), (1, None)])
def test_other_terms_than_the_tables_are_refused_naming_them(terms: tuple[int | None, int | None]) -> None:
    table = Table()
    table.act(Join(ANN, 4, 50))
    stake = Message("for-stake-each", {"stake": Credits(50)})
    assert table.refused(Join(BOB, *terms)) == Message("market-other-terms", {"rounds": 4, "terms": stake})


def test_a_second_join_is_refused_naming_the_stake_also_when_the_market_has_begun() -> None:
    table = Table()
    table.act(Join(ANN, 2, 50))
    refusal = Message("market-already-in", {"terms": Message("for-stake-each", {"stake": Credits(50)})})
    assert table.refused(Join(ANN)) == table.refused(Join(ANN, 5, 1)) == refusal
    table.act(Join(BOB))
    table.time_out()
    assert table.refused(Join(ANN)) == refusal
    assert table.refused(Join(CAT)) == Message("market-too-late")


def test_a_join_is_read_from_the_journals_of_all_that_was_played_before() -> None:
    written = '{"Join":{"seat":"test:ann","rounds":2,"credits":50}}'
    assert KIT.codec.load(written) == Join(ANN, 2, 50)
    assert KIT.codec.dump(Join(ANN, 2, 50)) == written


def test_a_full_table_starts_at_once() -> None:
    table = Table(PokerMarket(most_players=3))
    table.act(Join(ANN))
    table.act(Join(BOB))
    happened = table.act(Join(CAT))
    assert [type(each) for each in happened] == [Joined, Dealt, TurnBegan]


@pytest.mark.parametrize(
    ("rounds", "stake", "refusal"),
    [
        (0, 0, "market-length"),
        (6, 0, "market-length"),
        (2, 9, "stake-too-small"),
        (2, 101, "stake-too-large"),
    ],
)
def test_what_is_outside_the_limits_is_refused(rounds: int, stake: int, refusal: str) -> None:
    table = Table(PokerMarket(min_stake=10, max_stake=100))
    assert table.refused(Join(ANN, rounds, stake)).id == refusal


def test_limits_that_cross_are_refused() -> None:
    with pytest.raises(Refusal):
        PokerMarket(min_stake=10, max_stake=9)


@pytest.mark.parametrize("stake", [0, 50])
def test_too_few_get_their_stakes_back(stake: int) -> None:
    table = Table()
    table.act(Join(ANN, 2, stake))
    assert table.time_out() == (Abandoned(1),)
    assert table.purses[ANN] == table.purses[SystemPurse.POT] == 0
    assert not was_played(table.state)
    assert table.game.clock(table.state) is None


def test_a_lobby_that_nobody_joined_ends_too() -> None:
    assert Table().time_out() == (Abandoned(0),)


def test_a_lobby_offers_what_the_purse_can_pay() -> None:
    game = PokerMarket(rounds=3, default_stake=50)
    lobby = game.start()
    assert game.menu(lobby, ANN, 50) == [Join(ANN, 3, 50), Join(ANN, 3, 0)]
    assert game.menu(lobby, ANN, 49) == [Join(ANN, 3, 0)]
    table = Table(game)
    table.act(Join(ANN, 2, 60))
    assert game.menu(table.state, BOB, 60) == [Join(BOB, 2, 60)]
    assert game.menu(table.state, BOB, 59) == []
    assert game.menu(table.state, ANN, 0) == [Leave(ANN), Start(ANN)]


def test_the_house_plays_as_strategies_that_there_are() -> None:
    assert make(PokerMarket, {"house_strategies": "greedy/passive"}).roster.strategies == (
        "greedy",
        "passive",
    )
    assert {"passive", "random", "greedy", "search"} <= set(
        make(PokerMarket, {"house_strategies": "any", "stakes": "off"}).roster.strategies
    )
    with pytest.raises(Refusal):
        make(PokerMarket, {"house_strategies": "greedy/kelly"})


def test_a_market_for_honour_moves_no_credits() -> None:
    table = Table().seated(ANN, BOB, rounds=2).finished()
    assert isinstance(table.state, Over)
    assert not any(table.purses.values())
    assert was_played(table.state)
