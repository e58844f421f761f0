"""The contest's strategies at a table of the chat: what they are told, and what becomes of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.chat.story import narrate
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.situation import ACTING, STAKING, Situation
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Abandoned, Act, Answer, GuardsLeft, Hired, Join, Paid, Wage
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.strategies import STRATEGIES, adapted, situation
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.house_seats import Roster
from chatbot.kernel.lineup import ANY
from chatbot.kernel.settings import make
from tests.games.heist.luck import Luck
from tests.games.heist.table import ANN, BOB, CAT, PEOPLE, Table, gather

if TYPE_CHECKING:
    from collections.abc import Sequence

HOUSE = Seat("house:kelly")
CAREER = Career(salary=252, employed=False, accounts=(0, 7, 0, 0, 0), chances=(None, 0.6, None, None, None))


def told(table: Table, seat: Seat, purse: int, game: int = 0) -> Situation:
    view = table.game.view(table.state, seat, purse)
    assert view.own is not None
    return situation(view, view.own, game)


def test_a_lobby_is_told_as_the_first_round_of_the_contest() -> None:
    table = Table(Heist(rabble=221))
    table.sit(CAT, CAREER)
    table.join(ANN, 69)
    table.join(BOB, 31)
    # Ann and Bob are taken to hold 240 as Cat does, and their stakes besides: 309 and 271. The mean of
    # 240, 309 and 271 is 820/3; they are 100/3, 107/3 and 7/3 away from it, 214/9 on average.
    situation_of_cat = told(table, CAT, 240, game=12)
    assert situation_of_cat._replace(mean=0, deviation=0) == Situation(
        game=12,
        round=STAKING,
        players=3 + 110,  # half of the rabble that may come, rounded down
        acted=2,
        heisters=2,
        staked=100,
        committed=0,
        bank=0,
        credits=240,
        stake=0,
        salary=252,
        employed=False,
        rank=3,
        mean=0,
        deviation=0,
        most=309,
        accounts=(0, 7, 0, 0, 0),
        chances=(0.54, 0.6, 0.425, 0.387, 0.324),
        odds=(80_000, 110_000, 130_000, 165_000, 195_000),
    )
    assert situation_of_cat.mean == pytest.approx(820 / 3)
    assert situation_of_cat.deviation == pytest.approx(214 / 9)


def test_a_getaway_is_told_as_the_second_round_and_keeps_what_others_answered() -> None:
    table = gather([ANN, BOB, CAT])
    table.tick()
    table.answer(ANN, Act.BACK_OUT)
    cat = told(table, CAT, 900)
    assert (cat.round, cat.acted, cat.heisters, cat.staked) == (ACTING, 1, 3, 300)
    assert (cat.credits, cat.stake) == (1000, 100)  # a contestant's credits include the stake
    assert cat.committed == 1  # for all that Cat can see
    assert told(gather([ANN]), ANN, 900).rank == 1


def test_one_who_sits_alone_is_the_richest_there() -> None:
    table = Table(PEOPLE)
    table.sit(ANN)
    alone = told(table, ANN, 240)
    assert (alone.rank, alone.mean, alone.deviation, alone.most) == (1, 240.0, 0.0, 240)


@pytest.mark.parametrize(
    ("wanted", "stake"), [(0, None), (1, 69), (69, 69), (119, 69), (120, 120), (239, 120), (10**18, 240)]
)
def test_a_stake_becomes_the_largest_offer_that_is_no_larger(wanted: int, stake: int | None) -> None:
    table = Table(PEOPLE)
    menu = table.game.menu(table.state, ANN, 240)  # 69, half of 240, 240
    view = table.game.view(table.state, ANN, 240)
    asked: list[object] = []

    def contestant(situation: Situation, menu: Sequence[object], rng: Rng) -> int:
        asked.append(menu)
        return wanted

    assert adapted(contestant, view, menu, Luck()) == (None if stake is None else Join(ANN, stake))
    assert asked == [range(241)]


@pytest.mark.parametrize(("answer", "act"), [(Act.GUARD, Act.GUARD), (None, Act.GUNCHECK), (5, Act.GUNCHECK)])
def test_anything_but_an_answer_sticks(answer: object, act: Act) -> None:
    table = gather([ANN])
    table.tick()
    menu = table.game.menu(table.state, ANN, 900)
    view = table.game.view(table.state, ANN, 900)
    assert adapted(lambda *_: answer, view, menu, Luck()) == Answer(ANN, act)


def test_nobody_is_asked_where_there_is_nothing_to_choose() -> None:
    table = gather([ANN])

    def contestant(*_: object) -> int:
        raise AssertionError("asked")

    assert adapted(contestant, table.game.view(table.state, ANN, 0), [], Luck()) is None
    menu = table.game.menu(table.state, BOB, 240)
    assert adapted(contestant, table.game.view(table.state, None), menu, Luck()) is None


def test_the_game_is_any_of_a_thousand() -> None:
    table, games = Table(PEOPLE), []
    menu, view = table.game.menu(table.state, ANN, 240), table.game.view(table.state, ANN, 240)

    def contestant(situation: Situation, menu: Sequence[object], rng: Rng) -> int:
        games.append(situation.game)
        return 0

    rng = Rng.of("games")
    for _ in range(2000):
        adapted(contestant, view, menu, rng)
    assert 0 <= min(games) < 20
    assert 980 <= max(games) < 1000


def test_every_contestant_can_be_a_player_of_the_house() -> None:
    assert set(KIT.programs.strategies) == {"villager", *CONTESTANTS}
    assert next(iter(KIT.programs.strategies)) == "villager"  # as whom simulated viewers play
    game: Heist = make(Heist, {"house_players": "4", "house_strategies": ANY, "min_stake": "20"})
    assert game.roster == Roster(tuple(STRATEGIES), 4, least=20, stakes=True)


def test_the_default_strategies_rob_nobody() -> None:
    assert Heist().roster.players == 0
    assert not {"turncoat", "villager"} & set(Heist().house_strategies)


@pytest.mark.parametrize("value", ["", "/", "kelly//spy", "kelly spy", "any/any", "/".join(["spy"] * 51)])
def test_strategies_are_names_that_there_are(value: str) -> None:
    with pytest.raises(Refusal):
        make(Heist, {"house_strategies": value})


def test_a_name_that_stands_twice_counts_twice_whatever_its_case() -> None:
    game: Heist = make(Heist, {"house_strategies": "kelly,spy/KELLY"})
    assert game.house_strategies == ("kelly", "spy", "kelly")


def test_players_of_the_house_are_nobody_whom_a_heist_waits_for() -> None:
    table = gather([ANN, HOUSE, Seat("house:spy")], game=Heist(rabble=0, min_crew=2))
    table.tick()
    assert table.seen(Abandoned) == [Abandoned(1, 2)]
    assert table.purse(HOUSE) == 1000


def test_what_they_are_paid_is_nobodys_business() -> None:
    both = Paid((Wage(ANN, 240, 0), Wage(HOUSE, 240, 1)))
    (say,) = narrate(both)
    assert "kelly" not in repr(say)
    for event in (Paid((Wage(HOUSE, 240, 0),)), Hired(HOUSE, 252), GuardsLeft(HOUSE, 1)):
        assert list(narrate(event)) == []
    assert list(narrate(Hired(ANN, 252)))
    assert list(narrate(GuardsLeft(ANN, 1)))
