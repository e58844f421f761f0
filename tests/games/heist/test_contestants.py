"""The contest's players of the house: each keeps its one idea, none answers what the rules forbid."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.games.heist.contest import situation
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.luck import Luck
from chatbot.games.heist.contest.situation import ACTING, STAKING, Situation, standing
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist
from tests.games.heist.situations import EARLY, acting, among, put

if TYPE_CHECKING:
    from chatbot.kernel.contest import Strategy

SIMPLE = tuple(name for name in CONTESTANTS if name != "champion")


def answer(name: str, told: Situation) -> int | Act:
    menu = range(told.credits + 1) if told.round == STAKING else tuple(Act)
    found: int | Act = CONTESTANTS[name](told, menu, Luck("test"))
    return found


def test_everybody_of_whom_the_contest_speaks_is_there() -> None:
    assert set(CONTESTANTS) == {
        "lurker", "passive", "kelly", "saver", "snitch", "turncoat", "climber", "guardsman", "spy",
        "gambler", "champion",
    }  # fmt: skip


# One idea each


def test_the_lurker_stakes_nothing() -> None:
    assert answer("lurker", EARLY._replace(credits=10**9)) == 0


def test_the_passive_stake_69_and_stick() -> None:
    assert answer("passive", EARLY) == 69
    assert answer("passive", EARLY._replace(credits=40)) == 40
    assert answer("passive", acting(EARLY, 69)) is Act.GUNCHECK


def test_kelly_stakes_the_share_that_grows_fastest_when_a_tenth_of_the_heisters_runs() -> None:
    told = EARLY._replace(credits=1000, acted=250, heisters=30, bank=1)  # nobody comes after: City it is
    assert answer("kelly", told) == 0  # .9 × .488 × 2.1 is 0.92: less comes back than went in
    told = told._replace(chances=put(told.chances, 1, 0.8))
    # .9 × .8 is .72; .72 − .28 / 1.1 is .4654…
    assert answer("kelly", told) == 465


def test_kelly_thinks_of_the_bank_that_the_round_is_heading_for() -> None:
    told = EARLY._replace(credits=1000, acted=100, heisters=50, bank=2)
    # 150 are to come, of whom (50 + 4) / (100 + 10) stake, which makes 123 heisters: the last bank.
    told = told._replace(chances=put(told.chances, 2, 0.99))
    assert answer("kelly", told) == 0
    # .9 × .8 is .72; .72 − .28 / 1.95 is .5764…
    assert answer("kelly", told._replace(chances=put(told.chances, 4, 0.8))) == 576


def test_kelly_runs_where_sticking_costs_more_than_a_salary() -> None:
    told = acting(EARLY._replace(credits=2000), stake=1000, bank=1)
    told = told._replace(heisters=40, acted=20, chances=put(told.chances, 1, 0.8))
    # Ten of 20 and .9 of the other 20 make 28 of 40: .7 × .8 × 2.1 is 1.176, a gain.
    assert answer("kelly", told._replace(committed=10)) is Act.GUNCHECK
    # None and .9 of 20 make 18 of 40: .45 × .8 × 2.1 is .756, a loss of 244 where a salary is 240.
    assert answer("kelly", told._replace(committed=0)) is Act.BACK_OUT
    assert answer("kelly", told._replace(committed=0, salary=250)) is Act.GUNCHECK


def test_the_saver_puts_by_all_it_has_until_it_is_time_to_fetch_it() -> None:
    assert answer("saver", EARLY._replace(credits=777)) == 777
    assert answer("saver", acting(EARLY, 240)) is Act.DEPOSIT
    late = EARLY._replace(game=750, accounts=(0, 0, 0, 0, 5000))
    assert answer("saver", late) == 1
    assert answer("saver", acting(late, bank=4)) is Act.WITHDRAW
    assert answer("saver", acting(late, bank=2)) is Act.GUNCHECK
    assert answer("saver", late._replace(accounts=(0,) * 5)) == 0  # all is fetched


def test_the_snitch_looks_around_where_somebody_is_richer_than_wages_make() -> None:
    assert answer("snitch", EARLY) == 1
    told = acting(EARLY._replace(game=9))  # ten paydays of 240: three times that is 7200
    assert answer("snitch", told._replace(most=7200)) is Act.GUNCHECK
    assert answer("snitch", told._replace(most=7201)) is Act.FINGER
    assert answer("snitch", told._replace(most=9000, credits=9000)) is Act.GUNCHECK  # that is itself


def test_the_turncoat_crosses_while_it_has_a_job() -> None:
    assert answer("turncoat", EARLY) == 1
    assert answer("turncoat", acting(EARLY)) is Act.DOUBLE_CROSS
    assert answer("turncoat", EARLY._replace(employed=False)) == 0


def test_the_climber_leaves_every_job_while_a_raise_pays() -> None:
    assert answer("climber", EARLY) == 1
    assert answer("climber", acting(EARLY)) is Act.CHANGE_JOBS
    assert answer("climber", EARLY._replace(employed=False)) == 0
    assert answer("climber", EARLY._replace(game=600)) == 0


def test_the_guardsman_bribes_with_half_of_the_salary() -> None:
    assert answer("guardsman", acting(EARLY)) is Act.GUARD
    # 120 guards are half of 240: after 119 there is room for one more, whatever bank they are at.
    lack = 1 - EARLY.chances[4]
    for guards, act in ((119, Act.GUARD), (121, Act.GUNCHECK)):
        guarded = EARLY._replace(chances=put(EARLY.chances, 4, 1 - lack * 0.99**guards))
        assert answer("guardsman", acting(guarded, bank=2)) is act


def test_the_guardsman_stakes_more_where_the_guards_make_it_worth_it() -> None:
    told = EARLY._replace(acted=250, heisters=90, bank=4, credits=500)
    assert answer("guardsman", told) == 1
    assert answer("guardsman", told._replace(chances=put(told.chances, 4, 0.7))) == 120


def test_the_spy_invests_salaries_first_and_harvests_then() -> None:
    assert answer("spy", EARLY._replace(credits=5000)) == 240
    assert answer("spy", acting(EARLY)) is Act.INTEL
    late = EARLY._replace(game=600, credits=1000, acted=250, heisters=90, bank=4)
    assert answer("spy", late) == 0
    # .9 × .324 is .2916; .2916 − .7084 / 10 is .22076
    assert answer("spy", late._replace(odds=(*late.odds[:4], 1_000_000))) == 220
    assert answer("spy", acting(late)) is Act.GUNCHECK


def test_the_gambler_goes_all_in_unless_it_leads() -> None:
    assert answer("gambler", EARLY._replace(rank=2)) == 1
    assert answer("gambler", acting(EARLY)) is Act.ALL_IN
    assert answer("gambler", EARLY._replace(rank=1)) == 0


# What holds for all of them

amounts = st.one_of(st.integers(0, 300), st.integers(0, 10**18))
fractions = st.floats(0, 1)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Draw anything that the rules could tell, and more: what is held need not fit what is known of it."""
    players = draw(st.integers(1, 600))
    of_round = draw(st.sampled_from((STAKING, ACTING)))
    acted = draw(st.integers(0, players - 1))
    heisters = draw(st.integers(0, acted)) if of_round == STAKING else draw(st.integers(acted + 1, players))
    held = draw(amounts if of_round == STAKING else amounts.filter(bool))
    mean, deviation, most = standing(draw(st.lists(amounts, min_size=1, max_size=20)))
    return Situation(
        game=draw(st.integers(0, 1100)),
        round=of_round,
        players=players,
        acted=acted,
        heisters=heisters,
        staked=draw(amounts),
        committed=draw(st.integers(0, acted)) if of_round == ACTING else 0,
        bank=draw(st.integers(0, 4)),
        credits=held,
        stake=draw(st.integers(1, held)) if of_round == ACTING else 0,
        salary=draw(amounts),
        employed=draw(st.booleans()),
        rank=draw(st.integers(1, 20)),
        mean=mean,
        deviation=deviation,
        most=most,
        accounts=draw(st.tuples(*[amounts] * 5)),
        chances=draw(st.tuples(*[fractions] * 5)),
        odds=draw(st.tuples(*[amounts] * 5)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("strategy", CONTESTANTS.values(), ids=CONTESTANTS)
@given(told=situations())
def test_no_situation_gets_an_answer_that_the_rules_forbid(strategy: Strategy, told: Situation) -> None:
    given_answer = strategy(told, (), Luck("any"))  # what is on the menu must not matter
    if told.round == ACTING:
        assert isinstance(given_answer, Act)
    else:
        assert type(given_answer) is int
        assert 0 <= given_answer <= told.credits


@pytest.mark.slow
@given(told=situations(), between=situations())
def test_they_remember_nothing(told: Situation, between: Situation) -> None:
    for name in CONTESTANTS:
        first = answer(name, told)
        answer(name, between)
        assert answer(name, told) == first


# What a situation tells


def test_the_banks_and_their_steps_are_those_of_the_contest() -> None:
    assert Heist().banks == situation.BANKS
    assert [bank.level for bank in situation.BANKS] == [situation.LEVEL * number for number in range(5)]
    assert situation.lack(EARLY) == pytest.approx(situation.LACK)
    assert pytest.approx(prod(1 - bank.chance for bank in situation.BANKS)) == situation.LACK


@pytest.mark.parametrize(
    ("heisters", "acted", "staked", "bank"),
    [
        (0, 0, 0, 4),  # of 250, four in ten: 100
        (0, 100, 0, 0),  # 150 × 4 / 110: 5
        (10, 200, 0, 0),  # 10 + 50 × 14 / 210: 13
        (10, 200, 700_000, 1),  # and 9 × 100 000 credits on the way: 22
        (15, 249, 10**9, 4),  # credits alone make it the last
        (30, 250, 0, 1),  # nobody comes any more
    ],
)
def test_the_bank_ahead_is_that_of_those_who_came_and_those_to_come(
    heisters: int, acted: int, staked: int, bank: int
) -> None:
    so_far = Heist().banks
    number = max(n for n, each in enumerate(so_far) if each.level <= heisters + staked // 100_000)
    told = EARLY._replace(heisters=heisters, acted=acted, staked=staked, bank=number)
    assert situation.ahead(told) == bank


def test_the_richest_can_tell_what_the_others_hold() -> None:
    # Four others with 200 each: 800, which the mean of 360 and the deviation of 256 give away.
    count, rest = situation.others(among(EARLY, [1000, 200, 200, 200, 200]))
    assert count == 5
    assert rest == pytest.approx(800)
    count, rest = situation.others(among(EARLY, [10**15, *[240] * 10]))
    assert count == 11
    assert rest == pytest.approx(2400, abs=10)
    assert situation.others(EARLY) == (2, 0.0)


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=30))
def test_others_are_never_thought_to_be_more_or_richer_than_they_are(held: list[int]) -> None:
    held.sort(reverse=True)
    count, rest = situation.others(among(EARLY, held))
    assert count <= len(held)
    assert rest <= sum(held[1:]) * (1 + 1e-6) + 1
