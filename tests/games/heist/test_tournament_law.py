"""On other draws, the fast path and the plain one agree in distribution, for every strategy.

The two-sample inequality of Wei and Dudley ("Two-sample Dvoretzky-Kiefer-Wolfowitz inequalities", 2012):
two samples of one law, of n >= 458 each, have distribution functions further apart than e with a
probability of at most 2 exp(-n e^2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from math import log, sqrt
from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.contest.contestants import CONTESTANTS
from chatbot.games.heist.contest.referee import Referee
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Sequence

TOURNAMENTS, GAMES, RABBLE = 300, 30, 60
FALSE_ALARM = 1e-4  # for all strategies together
ENTRANTS = [Entrant(name, strategy) for name, strategy in CONTESTANTS.items()]
BOUND = sqrt(log(2 * len(ENTRANTS) / FALSE_ALARM) / TOURNAMENTS)


def ends(kind: type[Referee | Tournament], word: str, rabble: int = RABBLE) -> list[Sequence[int]]:
    """Give everybody's final credits, tournament by tournament."""
    return [
        deque(kind(ENTRANTS, rabble, f"{word} {number}").play(GAMES), maxlen=1)[0].credits
        for number in range(TOURNAMENTS)
    ]


def apart(some: Sequence[int], others: Sequence[int]) -> float:
    """Give the greatest distance between two empirical distribution functions."""
    one, other = sorted(some), sorted(others)
    return max(
        abs(bisect_right(one, each) / len(one) - bisect_right(other, each) / len(other))
        for each in {*one, *other}
    )


def test_the_distance_is_that_of_the_distribution_functions() -> None:
    # At 2: three quarters of the first, a quarter of the second; nowhere more
    assert apart([1, 2, 2, 4], [2, 3, 4, 5]) == 0.5


@pytest.mark.nightly
@pytest.mark.slow
def test_both_paths_agree_in_distribution_for_every_strategy() -> None:
    plain, fast = ends(Referee, "plain"), ends(Tournament, "fast")
    distances = {
        each.name: apart([row[seat] for row in plain], [row[seat] for row in fast])
        for seat, each in enumerate(ENTRANTS)
    }
    assert max(distances.values()) < BOUND, distances


@pytest.mark.slow
def test_the_same_test_tells_a_rabble_of_half_the_size() -> None:
    whole, half = ends(Tournament, "whole"), ends(Tournament, "half", RABBLE // 2)
    distances = [
        apart([row[seat] for row in whole], [row[seat] for row in half]) for seat in range(len(ENTRANTS))
    ]
    assert max(distances) > BOUND
