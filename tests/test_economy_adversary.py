"""The adversary finds what gains of the house, claims nothing that does not, and plays as well as can be."""

from __future__ import annotations

import asyncio
from math import log
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from benchmarks import economy_hunt
from benchmarks.economy_adversary import Task, claims_elsewhere
from benchmarks.economy_arms import AT_ONCE, Arm, Family, Moment, changed, choices, drawn, families, fitted
from benchmarks.economy_chicken import exactly, foreseen
from benchmarks.economy_claims import growth
from benchmarks.economy_evening import town
from benchmarks.economy_evidence import Score
from benchmarks.economy_hunt import Hunt, Lines, hunt
from benchmarks.economy_people import Day, Mix, Season, Tally
from benchmarks.economy_players import Coalition, Played
from chatbot.games.chickenpoker.rules.moves import RoundShown, Shown
from chatbot.games.chickenpoker.rules.states import View
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.game import Seat

ROOT = Path(__file__).parent.parent
ALONE = Family("heist", "", 1)
CHICKEN = Family("chickenpoker", "", 2)
GENEROUS = "!set heist chances 100/100/100/100/100"
ANN, LINEAR = Seat("people:ann"), Seat("house:linear")


def searched(lines: int, *wanted: Family) -> Hunt:
    return asyncio.run(hunt("a test", Lines(lines), lambda _: None, wanted))


# Evidence


def test_games_that_are_fair_are_seldom_evidence_however_often_one_looks() -> None:
    likes, sure = Random(1), 0
    for _ in range(200):
        score = Score()
        for _ in range(100):
            score.add(Played(likes.choice((-10, 10)), 10, 1.0))
            if score.evidence > log(20):
                sure += 1
                break
    assert sure <= 200 / 20


def test_games_that_are_always_won_are_evidence_soon() -> None:
    score = Score()
    for _ in range(20):
        score.add(Played(10, 10, 60.0))
    assert score.evidence > log(1000)
    assert (score.gain, score.share, score.an_hour) == (10, 1, 600)


def test_tables_that_are_left_cost_time_and_are_no_games() -> None:
    score = Score()
    score.add(Played(seconds=60.0))
    score.add(Played(-5, 10, 60.0))
    assert (score.games, score.left, score.an_hour) == (1, 1, -150)
    assert score.evidence < 0


# How it plays


@pytest.mark.parametrize(("cards", "gained"), [(2, 1.0), (3, 0.944), (4, 0.917)])
def test_two_beside_one_who_draws_evenly_gain_what_the_exact_figures_say(cards: int, gained: float) -> None:
    hands = (tuple(range(1, cards + 1)),) * 3
    values = [exactly(hands, (0, 0, 0), mine)[0] for mine in ((0, 1), (0, 2), (1, 2))]
    assert fmean(3 * each - 2 for each in values) == pytest.approx(gained, abs=0.0006)


def test_one_who_draws_evenly_is_fair_to_one_alone() -> None:
    hands = ((1, 2, 3),) * 2
    values = [exactly(hands, (0, 0), (place,))[0] for place in (0, 1)]
    assert fmean(values) == pytest.approx(0.5)


def test_steps_are_foreseen_when_two_cards_have_been_shown() -> None:
    def view(*shown: int) -> View:
        history = tuple(
            RoundShown(number, 5, (Shown(LINEAR, card), Shown(ANN, 1)), ANN, 0, {}, ())
            for number, card in enumerate(shown, 1)
        )
        return View("round", ANN, (ANN, LINEAR), 5, 0, history=history)

    assert foreseen(view(4), LINEAR) == ()
    assert foreseen(view(4, 1), LINEAR) == (3, 5, 2)
    assert foreseen(view(4, 1), ANN) == ()


def test_arms_stay_within_what_a_room_offers() -> None:
    likes = Random(2)
    for family in families():
        arm = drawn(family, likes)
        for _ in range(5):
            assert all(getattr(arm, name) in some for name, some in choices(family).items())
            arm = fitted(changed(arm, likes), family)


# In a channel


async def played(arm: Arm) -> Played:
    async with town("a test") as place:
        evening = await place.evening("room")
        await evening.keep(*economy_hunt.QUIET)
        return await Coalition(evening, arm, "all").play()


@pytest.mark.slow
async def test_a_table_full_of_one_hand_moves_nothing_to_it_or_from_it() -> None:
    full = Arm(Family("chickenpoker", "", 10), "2", 20, AT_ONCE, "", "random")
    found = await played(full)
    assert (found.gained, found.risk) == (0, 200)


async def test_who_waits_for_somebody_of_the_house_that_never_comes_leaves_with_the_stake() -> None:
    found = await played(Arm(CHICKEN, "2", 20, Moment(0.5), "nobody", "random"))
    assert (found.gained, found.risk) == (0, 0)
    assert found.seconds >= 60


@pytest.mark.slow
def test_a_room_that_gives_credits_away_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(economy_hunt, "QUIET", (*economy_hunt.QUIET, GENEROUS))
    found = searched(500, ALONE)
    (gaining,) = found.gaining(exempt=False)
    assert gaining.arm.family == ALONE
    assert gaining.score.gain > 0
    assert len(gaining.visits) == economy_hunt.VISITS


@pytest.mark.nightly  # `.ci/run` searches the games as they ship itself
@pytest.mark.slow
def test_heists_as_they_ship_are_not_suspected() -> None:
    assert searched(900, ALONE, Family("heist", "", 2)).gaining(exempt=False) == []


@pytest.mark.slow
def test_another_checkout_is_searched_by_the_same_adversary(tmp_path: Path) -> None:
    former = tmp_path / "former"
    former.mkdir()
    for each in ("chatbot", "data"):
        (former / each).symlink_to(ROOT / each)
    claims = claims_elsewhere(Task("a test", lines=300, heists=0), former)
    assert [each.holds for each in claims] == [True]


# Over seeds


def season(*weekly: float) -> Season:
    mean, days = 100.0, [Day((), 100.0, 0.0)] * 56
    for each in weekly:
        mean *= 1 + each
        days += [Day((), mean, 0.0)] * 7
    mix = Mix(500, 0.1, 0.1, {Act.GUNCHECK: 1.0}, len(days), "1")
    return Season(mix, Tally(), {}, tuple(days), 0, 0, 0)


def test_growth_is_averaged_over_seeds_with_its_upper_limit() -> None:
    found = growth([season(0.02, 0.04), season(0.06, 0.06), season(0.0, 0.0)])
    assert found is not None
    assert found.value == pytest.approx(0.03)
    assert found.error == pytest.approx(0.03 / 3**0.5)
    assert found.upper == pytest.approx(0.03 + 2.92 * 0.03 / 3**0.5, abs=1e-4)  # Student's, of two degrees
