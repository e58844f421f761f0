"""The simulated economy of a channel runs, plays by the rules, and reckons as it says."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.economy_claims import growths
from benchmarks.economy_farms import daily
from benchmarks.economy_people import Day, Mix, Season, Tally, played
from benchmarks.economy_returns import Return, agree, best_career, binomial, deviation
from benchmarks.economy_tables import Part, raid, stream
from chatbot.community.earning.settings import Earnings
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat

ROOT = Path(__file__).parent.parent
ANN, BOB, CAT = (Seat(f"people:{name}") for name in ("ann", "bob", "cat"))


def test_how_likely_a_count_is_is_exact() -> None:
    # Of three tosses 0 come up in 1 of 8, and 0 or 3 in 2 of 8; 2 or more in 4 of 8, twice which is all.
    assert binomial(0, 3, 0.5) == pytest.approx(2 / 8)
    assert binomial(2, 3, 0.5) == pytest.approx(1)
    assert (binomial(3, 3, 1.0), binomial(2, 3, 1.0)) == (1, 0)


def test_one_row_in_a_family_may_be_as_unlikely_as_a_thousandth_over_their_number() -> None:
    def row(chance: float) -> Return:
        return Return("game", "way", 1, 1.0, 1.0, chance)

    assert agree([row(0.00051), row(1)])  # .001 / 2
    assert not agree([row(0.00049), row(1)])


def test_how_likely_a_mean_is_at_most_is_bounded_for_any_distribution() -> None:
    coin = {-1: Fraction(1, 2), 1: Fraction(1, 2)}
    assert deviation([1, -1] * 50, coin) == 1
    # All of 10 tosses alike: 2 of 1,024 runs are, and the bound of it is exact.
    assert deviation([1] * 10, coin) == pytest.approx(2 / 1024, rel=1e-6)
    assert deviation([-1] * 10, coin) == pytest.approx(2 / 1024, rel=1e-6)
    # 60 of 100: 5.7% of runs lie as far out, and the bound is not below.
    assert 0.057 < deviation([1] * 60 + [-1] * 40, coin) < 0.3
    assert deviation([7, 7], {7: Fraction(1)}) == 1


def test_what_cannot_be_is_no_matter_of_chance() -> None:
    with pytest.raises(AssertionError, match="what cannot be"):
        deviation([2], {1: Fraction(1)})


def test_a_raid_moves_what_the_rules_say_and_makes_nothing() -> None:
    crew = [Part(each, 100, 1000) for each in (ANN, BOB, CAT)]
    raided = raid(stream(), crew, {}, Rng.of("a raid"), active=3)
    # At the third bank 100 become 200, and the wage is 5.
    assert raided.bank == 2
    assert set(raided.changed.values()) <= {105, -95}
    assert not any(raided.taken.values())


def test_a_mind_is_offered_what_the_rules_allow() -> None:
    offered: list[Act] = []

    def mind(acts: object) -> Act:
        assert isinstance(acts, list)
        offered.extend(acts)
        return Act.BACK_OUT

    poor = Part(ANN, 100, 299, mind)  # 199 are left, and a double cross needs 200
    raided = raid(stream(), [poor, Part(BOB, 100, 100)], {}, Rng.of("poor"))
    assert Act.DOUBLE_CROSS not in offered
    assert Act.FINGER in offered
    assert (raided.changed[ANN], raided.acts[ANN]) == (0, Act.BACK_OUT)


def test_the_best_career_is_as_good_as_the_rules_allow() -> None:
    game = stream()
    career = best_career(game, 0, active=20)
    back = career.chance_at(0, game.banks) * (1 + career.odds_at(0, game.banks) / 100_000)
    assert 0.9199 < back <= 0.92
    assert best_career(game, 0, active=20, guards=False).guards == Career().guards


def test_a_script_earns_what_a_day_has() -> None:
    # 24 slots of ten minutes, 480 messages of which five are a credit, and two claims.
    assert daily(Earnings()) == 24 + 96 + 240


def test_shares_of_tallies_add_up() -> None:
    one, other = Tally(), Tally()
    one.add("honest", 100, -100)
    other.add("honest", 100, 50)
    other.add("best", 200, 0)
    both = one + other
    assert both.share() == (0 + 150 + 200) / 400
    assert both.share("honest") == 150 / 200
    assert both.error("honest") == pytest.approx((100**2 + 50**2) ** 0.5 / 200)
    assert one.staked == Counter(honest=100)


def test_growth_is_of_weeks_on_weeks_after_the_eighth() -> None:
    means = [100.0] * 56 + [110.0] * 7 + [99.0] * 7
    season = Season(
        Mix(5, 0.1, 0.1, {}, len(means), "1"),
        Tally(),
        {},
        tuple(Day((), each, 0.0) for each in means),
        0,
        0,
        0,
    )
    assert growths(season) == pytest.approx([0.1, -0.1])


def test_the_same_seed_plays_the_same_channel() -> None:
    mix = Mix(5, 0.1, 0.1, {Act.DOUBLE_CROSS: 1.0}, 3, "again")
    one, other = played(mix), played(mix)
    assert one.days == other.days
    assert one.heist == other.heist
    assert len(one.days) == 3


@pytest.mark.nightly
@pytest.mark.slow
def test_a_small_economy_holds_and_says_so_line_by_line(tmp_path: Path) -> None:
    picture = tmp_path / "economy.svg"
    command = [
        sys.executable,
        "-m",
        "benchmarks.economy",
        "--quick",
        "--seed",
        "1",
        "--picture",
        str(picture),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [each for each in done.stdout.splitlines() if each.startswith(("holds", "FAILS"))]
    assert len(lines) == 13
    assert picture.exists()
