"""The policies that are built in, and the one that ships as a file."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from chatbot.games.sixcardpoker.rules.cards import arrange, arrangements, sensible, types
from chatbot.games.sixcardpoker.solver import policies
from chatbot.kernel.fair import Rng
from tests.games.sixcardpoker import brute

# What ships


@pytest.mark.slow
def test_no_response_gains_on_the_policy_that_ships() -> None:
    """Enumerate every answer to it with every hand, without anything that the solver uses."""
    assert brute.best_score(policies.shipped()) == Fraction(1, 2)


def test_the_policy_that_ships_sets_every_hand_with_its_own_cards_and_sensibly() -> None:
    assert list(policies.shipped()) == list(types())
    for held, mix in policies.shipped().items():
        assert set(mix) <= set(sensible(held))
        assert all(weight > 0 for weight in mix.values())


def test_the_house_plays_what_ships() -> None:
    assert policies.nash() is policies.shipped()


def test_what_is_written_is_read_again() -> None:
    for policy in (policies.shipped(), policies.random(), policies.greedy()):
        assert policies.read(policies.write(policy)) == policy


def test_the_lines_that_are_written_are_the_file_that_ships() -> None:
    text = policies._file().read_text(encoding="utf-8")
    assert text == "\n".join(policies.write(policies.shipped())) + "\n"
    assert len(text) < 4000


def lines_with(line: str) -> list[str]:
    """Give the lines that ship, of which the one with the hand 111122 is another."""
    return [line if each.startswith("111122") else each for each in policies.write(policies.shipped())]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a policy has 68 hands, not 67 in 67 lines"),
        ("334444 433-44-4=1", "a policy has 68 hands, not 67 in 68 lines"),
        ("111122", "different arrangements of its six cards"),
        ("111122 211-11-2=1 211-11-2=1", "different arrangements of its six cards"),
        ("111122 222-11-1=1", "different arrangements of its six cards"),
        ("111112 211-11-1=1", "six cards out of four each of 1 to 4"),
        ("111122 211-11-2", "High-Middle-Low=WEIGHT, not '211-11-2'"),
        ("111122 211-11-2=0", "High-Middle-Low=WEIGHT"),
        ("111122 211-11-2=-1", "High-Middle-Low=WEIGHT"),
        ("111122 211-11-2=1.5", "High-Middle-Low=WEIGHT"),
        ("111122 211-112=1", "three, two and one card, not 3, 3, 0"),
        ("111122 211-11-x=1", "invalid literal"),
    ],
)
def test_what_is_no_policy_is_refused(line: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        policies.read(lines_with(line))


def test_a_hand_that_comes_twice_is_refused() -> None:
    *lines, last = policies.write(policies.shipped())
    with pytest.raises(ValueError, match="a policy has 68 hands, not 68 in 69 lines"):
        policies.read([*lines, last, last])


# Who else plays


def test_random_plays_every_order_of_its_cards_equally_often() -> None:
    for held, mix in policies.random().items():
        assert sum(mix.values()) == 720
        assert set(mix) == set(arrangements(held))
    # Either 1 lies in High, which has 3! orders, and Middle has 2.
    orders = list(permutations((1, 1, 2, 3, 4, 4)))
    counted = sum(
        sorted(each[:3]) == [1, 4, 4] and sorted(each[3:5]) == [2, 3] and each[5] == 1 for each in orders
    )
    assert policies.random()[1, 1, 2, 3, 4, 4][arrange((4, 4, 1), (3, 2), (1,))] == counted == 2 * 6 * 2


@pytest.mark.parametrize(
    ("held", "played"),
    [
        ((1, 1, 2, 3, 4, 4), "321 44 1"),
        ((1, 1, 2, 2, 3, 4), "431 22 1"),
        ((1, 2, 3, 3, 3, 4), "432 33 1"),
        ((3, 3, 4, 4, 4, 4), "443 44 3"),
        ((1, 1, 1, 1, 2, 3), "321 11 1"),
    ],
)
def test_greedy_puts_its_best_pair_in_the_middle_and_the_largest_of_the_others_in_front(
    held: tuple[int, ...], played: str
) -> None:
    assert [str(each) for each in policies.greedy()[held]] == [played]


def test_the_built_in_policies_have_their_players_names() -> None:
    assert {name: plan() for name, plan in policies.PLANS.items()} == {
        "random": policies.random(),
        "greedy": policies.greedy(),
        "nash": policies.nash(),
    }


def test_weights_are_probabilities() -> None:
    """Draw with weights 3, 0 and 1: three quarters and a quarter of 4000, ± 5 standard errors of 27."""
    often, never, seldom = arrangements((1, 1, 1, 1, 2, 3))[:3]
    rng = Rng.of("weights")
    drawn = Counter(policies.draw({often: 3, never: 0, seldom: 1}, rng) for _ in range(4000))
    assert set(drawn) == {often, seldom}
    assert abs(drawn[often] - 3000) < 5 * 28
