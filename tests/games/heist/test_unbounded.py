"""No upper limit in the contest: all is counted to the last credit, up to numbers that nobody can be told."""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from benchmarks.champion import STRANGERS
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.referee import Referee, Unbounded
from chatbot.games.heist.contest.situation import (
    ENDED,
    MOST,
    STAKING,
    Situation,
    arguments,
    question,
    read,
    standing,
)
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.games.heist.rules.banks import VAULT
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist
from chatbot.kernel.contest import Entrant, Match
from tests.games.heist.luck import Luck
from tests.games.heist.situations import EARLY, acting, among
from tests.games.heist.table import ANN, play
from tests.games.heist.test_tournament import Enrich, compare, erratic, loyal, rat, rich_contestants, snitch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

HUGE = 10**900
SURE = (1.0,) * 5


def daring(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
    return min(1, told.credits) if told.round == STAKING else Act.ALL_IN


def feeder(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
    """Feed odds with credits and credits with odds, so that each squares the other."""
    if told.round == STAKING:
        return told.credits // 2
    return Act.INTEL if told.odds[told.bank] < told.credits else Act.GUNCHECK


def sure_and_rich(held: int) -> Enrich:
    """Let everybody hold so much, and never fail."""
    rich_referee, rich_tournament = rich_contestants(held)

    def enrich_referee(referee: Referee) -> None:
        rich_referee(referee)
        referee._records.update(dict.fromkeys(referee._seats, Career(chances=SURE)))

    def enrich_tournament(tournament: Tournament) -> None:
        rich_tournament(tournament)
        for each in tournament.rivals:
            each.chances = SURE

    return enrich_referee, enrich_tournament


# What a bank pays


@pytest.mark.parametrize("held", [10**16, 2**63, 10**40])
@pytest.mark.parametrize("number", [0, 1])
def test_all_that_is_won_is_paid(held: int, number: int) -> None:
    # Nobody else comes, so it is the bank of more than 80 heisters, whose odds are 1.95; no salary follows.
    kind = (Referee, Tournament)[number]
    tournament = kind([Entrant("daring", daring)], 0, "paid")
    sure_and_rich(held)[number](tournament)  # type: ignore[arg-type]
    forced = 10**7  # credits staked for it to be the last bank

    def forcing(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
        return forced if told.round == STAKING else Act.ALL_IN

    if isinstance(tournament, Tournament):
        tournament.rivals[0].strategy = forcing
    else:
        tournament._strategies[0] = forcing
    (played,) = tournament.play(1)
    assert played.credits == [(held + 240) * 195 // 100]


def test_a_chat_s_bank_has_its_bound_for_wallets_have_one() -> None:
    rich = {ANN: Career(odds=(10**9,) * 5)}  # odds of 10^4
    bounded = play({ANN: None}, Luck(True), stakes={ANN: 10**12}, purses={ANN: 10**12}, careers=rich)
    assert bounded.outcome(ANN).winnings == 10**12 + VAULT
    free = play(
        {ANN: None},
        Luck(True),
        game=Unbounded(rabble=0),
        stakes={ANN: 10**12},
        purses={ANN: 10**12},
        careers=rich,
    )
    assert free.outcome(ANN).winnings == 10**12 + 10**16
    assert [bank.vault for bank in Heist().banks] == [VAULT] * 5


# Both paths


@pytest.mark.slow
@pytest.mark.parametrize("held", [10**17, 2**63 + 1, 10**60])
@pytest.mark.parametrize("rabble", [0, 8, 200])
def test_both_paths_count_the_same_beyond_64_bits(held: int, rabble: int) -> None:
    line_up = [feeder, feeder, daring, rat, rat, snitch, loyal, erratic]
    overheard = compare(line_up, rabble, f"beyond {held} {rabble}", 60, sure_and_rich(held))
    assert overheard.counts["Settled"] >= 5
    assert overheard.counts["Identified"] + overheard.counts["Stitched"] >= 5


@pytest.mark.slow
def test_spoils_that_64_bits_cannot_hold_are_split_among_the_rabble() -> None:
    # Of two crossers both are found out; the one who goes with all that is held leaves it to the regulars
    def lavish(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
        return told.credits // 3 if told.round == STAKING else Act.DOUBLE_CROSS

    overheard = compare([lavish, lavish, loyal], 40, "spoils", 60, sure_and_rich(10**30))
    assert overheard.counts["spoils of crossers"] >= 50


@pytest.mark.slow
def test_both_paths_end_with_the_same_game() -> None:
    line_up: list[Strategy] = [feeder, CONTESTANTS["champion"], CONTESTANTS["kelly"], CONTESTANTS["spy"]]
    entrants = [Entrant(f"no. {number}", each) for number, each in enumerate(line_up)]
    referee, tournament = Referee(entrants, 20, "end"), Tournament(entrants, 20, "end")
    enrich_referee, enrich_tournament = sure_and_rich(10**9)
    enrich_referee(referee)
    enrich_tournament(tournament)
    slow, fast = list(referee.play(300)), list(tournament.play(300))
    assert fast == slow
    assert 5 < len(fast) < 300


def test_a_tournament_ends_early_only_when_somebody_holds_more_than_can_be_told() -> None:
    for held, games in ((MOST - 10**999, 5), (MOST + 1, 1)):
        tournament = Tournament([Entrant("lurker", CONTESTANTS["lurker"])], 0, "most")
        tournament.rivals[0].credits = held
        assert len(list(tournament.play(5))) == games


def test_odds_and_accounts_end_it_too() -> None:
    tournament = Tournament([Entrant("lurker", CONTESTANTS["lurker"])], 0, "most")
    tournament.rivals[0].learn(2, MOST + 1)
    assert len(list(tournament.play(5))) == 1
    tournament = Tournament([Entrant("lurker", CONTESTANTS["lurker"])], 0, "most")
    tournament.rivals[0].put_by(2, MOST - 1)  # .14% in the first game
    assert len(list(tournament.play(5))) == 1


def test_the_contest_says_why_it_ended() -> None:
    def guarded(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
        if told.game >= 150:
            return feeder(told, menu, rng)
        return 1 if told.round == STAKING else Act.GUARD

    entrants = [Entrant("guarded", guarded), Entrant("lurker", CONTESTANTS["lurker"])]
    last = list(HeistContest(rabble=0).play(Match(0, (0, 1), 2000, "why"), entrants, None))[-1]
    assert 150 < last.games < 2000
    assert last.ended == ENDED
    assert last.scores[1] == 240 * (1 + last.games)


# What contestants are told


def test_means_are_exact_where_doubles_are_not() -> None:
    mean, deviation, most = standing([10**20, 1, 1])
    assert mean == Fraction(10**20 + 2, 3)
    # The richest is 2/3 of 10^20 - 1 above it, the other two a third below: 4/3 in all, over three
    assert deviation == Fraction(4 * (10**20 - 1), 9)
    assert most == 10**20
    told = arguments(among(EARLY, [10**20, 1, 1])._replace(mean=mean, deviation=deviation))
    # 10^20 + 2 = 3 × 33333333333333333334; (10^20 - 1) / 9 = 11111111111111111111, four of which
    assert told[13:16] == ["33333333333333333334.0", "44444444444444444444.0", f"{10**20}"]


def test_means_that_do_not_end_are_written_with_twenty_decimals() -> None:
    mean, _, _ = standing([10**20, 1, 0])  # (10^20 + 1) / 3, two thirds behind the point
    assert arguments(EARLY._replace(mean=mean))[13] == "33333333333333333333.66666666666666666667"


def test_the_mean_distance_is_the_nearest_double_to_it() -> None:
    # Around 52/3: 37/3 + 5/3 + 32/3 over 3 are 74/9; distances that are doubles add up to another double
    assert standing([5, 19, 28]) == (52 / 3, 74 / 9, 28)


def test_odds_are_written_with_all_their_digits() -> None:
    odds = 10**40 + 1
    told = arguments(EARLY._replace(odds=(odds,) * 5))
    assert told[26] == f"{10**35}.00001"


def test_json_has_no_number_that_a_double_cannot_hold() -> None:
    mean, deviation, most = standing([HUGE, 1, 1])
    told = EARLY._replace(credits=HUGE, mean=mean, deviation=deviation, most=most, odds=(HUGE + 1,) * 5)
    view = json.loads(json.dumps(question(told), allow_nan=False))
    assert view["mean"] == (HUGE + 2) // 3
    assert view["deviation"] == 4 * (HUGE - 1) // 9
    assert view["odds"] == [HUGE // 10**5] * 5
    assert json.loads(json.dumps(question(EARLY)))["odds"] == [0.8, 1.1, 1.3, 1.65, 1.95]


@pytest.mark.parametrize(
    ("answer", "stake"),
    [
        (f"{10**35}", 10**35),  # less than is held, however many digits it has
        (f"{10**40 + 1}", 10**40),
        ("9" * 5000, 10**40),
        ("0" * 5000 + "69", 69),
        ("0" * 40, 0),
    ],
)
def test_a_stake_is_read_to_its_last_digit(answer: str, stake: int) -> None:
    assert read(EARLY._replace(credits=10**40), None, answer) == stake


# What players of the house make of it


@pytest.mark.parametrize("rich", ["me", "another"])
@pytest.mark.parametrize("name", [*CONTESTANTS, *STRANGERS])
def test_players_of_the_house_answer_whatever_is_held(name: str, rich: str) -> None:
    strategy = {**CONTESTANTS, **STRANGERS}[name]
    held = [HUGE, 3, 4] if rich == "me" else [5, HUGE, 4]
    mean, deviation, most = standing(held)
    told = EARLY._replace(
        game=700, credits=held[0], rank=1, mean=mean, deviation=deviation, most=most,
        accounts=(HUGE,) * 5, odds=(HUGE,) * 5, chances=(0.9,) * 5, staked=HUGE, heisters=3, acted=5,
    )  # fmt: skip
    stake = strategy(told, range(1), CHANCY)
    assert isinstance(stake, int)
    assert 0 <= stake <= held[0]
    staked = acting(told, held[0])._replace(staked=HUGE)
    assert isinstance(strategy(staked, tuple(Act), CHANCY), Act)


def test_the_share_of_many_credits_is_exact_to_nine_digits() -> None:
    odds = 195_000
    told = EARLY._replace(acted=250, heisters=90, bank=4, chances=(0.9,) * 5, credits=HUGE)
    # .81 - .19 / 1.95 of it
    with localcontext(prec=950):
        wanted = HUGE * (Decimal("0.81") - Decimal("0.19") / Decimal(odds) * 100_000)
        stake = CONTESTANTS["kelly"](told, range(1), CHANCY)
        assert abs(stake - wanted) < wanted / 10**9


CHANCY = Tournament([Entrant("lurker", CONTESTANTS["lurker"])], 0, "chancy").luck
