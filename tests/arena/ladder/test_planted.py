"""A ladder of thirty programs finds the order that was planted, however often it is killed."""

from __future__ import annotations

import pytest

from benchmarks.ladder import WHOLE, measure


@pytest.mark.nightly
@pytest.mark.slow
def test_a_ladder_that_is_killed_ten_times_finds_the_planted_order_with_the_same_bytes() -> None:
    found = measure(WHOLE)
    assert found.kills == 10
    assert found.differing == []
    assert len(found.names) == 30
    assert found.ordered(1) >= 99  # of 435 pairs four may be neighbours that are not told apart
    assert found.ordered(3) == 100
