"""Kill -9 of the real program under load costs nobody a credit, and no table its game."""

from __future__ import annotations

import pytest

from tests.slow.killing import prepared, series

KILLS = 4  # on one file


@pytest.mark.parametrize("seed", ["one", pytest.param("two", marks=pytest.mark.nightly)])
async def test_whenever_the_program_is_killed_the_books_are_sound_and_its_tables_go_on(seed: str) -> None:
    tally = await series(await prepared(), seed, KILLS)
    assert tally.breaches == []
    assert tally.kills == KILLS
    assert tally.promises > 0
