"""Kill -9 of the real program costs nobody channel points, nor credits, whatever is under way."""

from __future__ import annotations

import pytest

from tests.slow.hurried import FAULTS
from tests.slow.redeeming import series

KILLS, MANY = 6, 60  # on one file; at most, until a planted fault is found
RARE = "early", "paid out"  # what does not show in every short run
PATIENCE = 15.0  # seconds until what a fault prevents has not happened

pytestmark = pytest.mark.nightly


async def test_whenever_the_program_is_killed_each_redemption_is_settled_once_as_the_books_say() -> None:
    tally = await series("one", KILLS)
    assert tally.breaches == []
    assert tally.kills == KILLS
    assert min(tally.kept, tally.returned, tally.refused, tally.repeated) > 0
    assert tally.kept + tally.returned + tally.refused == tally.bought


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_planted_fault_is_found(fault: str) -> None:
    tally = await series("one", MANY if fault in RARE else KILLS, fault, patience=PATIENCE)
    assert tally.breaches
