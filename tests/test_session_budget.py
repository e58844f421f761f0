"""Sessions of a gateway are spaced out by buckets, and never more in a day than it takes."""

from __future__ import annotations

import pytest

from chatbot.runtime.session_budget import (
    DAY,
    GAP,
    KEPT_BACK,
    SessionBudget,
    SessionLimits,
    SessionsExhausted,
)


def test_two_sessions_of_a_bucket_are_five_seconds_apart_and_those_of_others_are_not() -> None:
    budget = SessionBudget(concurrency=2)
    assert budget.reserve(0, 100.0) == 0
    assert budget.reserve(1, 100.0) == 0
    assert budget.reserve(2, 101.0) == 4  # the bucket of shard 0, 100 + 5 - 101
    assert budget.reserve(4, 101.0) == 9
    assert budget.wait(3, 103.0) == 2
    assert budget.reserve(3, 200.0, after=1.5) == 1.5


def test_the_last_sessions_of_a_day_are_kept_back_until_it_is_over() -> None:
    budget = SessionBudget()
    for each in range(1000 - KEPT_BACK):
        budget.reserve(0, each * GAP)
    with pytest.raises(SessionsExhausted) as refused:
        budget.reserve(0, 6000.0)
    assert refused.value.seconds == DAY - 6000
    assert budget.reserve(0, DAY) == 0
    assert budget.left == 999


def test_of_two_counts_of_a_day_the_lower_one_is_right() -> None:
    """What the platform says may be older than a session that was begun meanwhile, and may count others'."""
    budget = SessionBudget()
    budget.learn(SessionLimits(left=500, resets_in=1000.0), 0.0)
    budget.reserve(0, 1.0)
    budget.learn(SessionLimits(left=500, resets_in=998.0), 2.0)
    assert budget.left == 499
    budget.learn(SessionLimits(left=450, resets_in=990.0), 10.0)
    assert budget.left == 450
    budget.learn(SessionLimits(left=1000, resets_in=DAY), 1001.0)  # another day
    assert budget.left == 1000


def test_a_platform_that_allows_few_sessions_is_not_refused_its_first() -> None:
    budget = SessionBudget()
    budget.learn(SessionLimits(total=1, left=1), 0.0)
    assert budget.reserve(0, 0.0) == 0
    with pytest.raises(SessionsExhausted):
        budget.wait(0, 100.0)
