"""Whole evenings at the defaults, by the words that people type: what a double cross is worth.

Everybody stakes 69 of 240 credits; one of them always crosses, or goes along in the same evening.
"""

from __future__ import annotations

import re
from statistics import fmean

import pytest

from chatbot.cli.rehearsal import Rehearsal, read_script

STAKE, START = 69, 240
SEEDS, FEW = 24, 8  # by hand, 200 brought 2.7 credits a heist on average


async def gain(seed: str, others: int, *, crosses: bool) -> int:
    """Play one heist, and say by how much the credits of the one who may cross have changed."""
    crew = ["ann", *(f"friend{number}" for number in range(others))]
    script = [f"{name}: !heist {STAKE}" for name in crew] + ["+61"]
    script += [
        "ann > bot: !doublecross" if crosses else "ann > bot: !guncheck"
    ]  # as many lines: the same draws
    told: list[str] = []
    performance = Rehearsal(seed, None, "en", lambda _at, delivery, _to: told.append(delivery.text))
    await performance.play(read_script([*script, "+60", "ann: !credits"]))
    (held,) = re.findall(r"ann has ([0-9,]+) credits", "\n".join(told))
    return int(held.replace(",", "")) - START


@pytest.mark.nightly
async def test_among_two_who_go_along_a_crosser_gains_at_most_a_stake_a_heist() -> None:
    gained = [await gain(f"three {number}", 2, crosses=True) for number in range(SEEDS)]
    assert fmean(gained) <= STAKE
    # At the third bank 69 become 138, of which a fifth is 27; the wage is 3.
    assert set(gained) <= {69 + 27 * takings + 3 for takings in (0, 1, 2)} | {3 - STAKE}


@pytest.mark.parametrize("others", [0, 1])
async def test_alone_or_beside_one_other_a_crosser_has_what_going_along_brings(others: int) -> None:
    for number in range(FEW):
        seed = f"few {number}"
        assert await gain(seed, others, crosses=True) == await gain(seed, others, crosses=False)
