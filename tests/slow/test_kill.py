"""Kill -9 of the real program under load costs nobody a credit, and no table its game."""

from __future__ import annotations

import pytest

from tests.ledger.conftest import postgresql
from tests.slow.killing import prepared, series

KILLS = 4  # on one file


@pytest.mark.parametrize("seed", ["one", pytest.param("two", marks=pytest.mark.nightly)])
async def test_whenever_the_program_is_killed_the_books_are_sound_and_its_tables_go_on(seed: str) -> None:
    tally = await series(await prepared(), seed, KILLS)
    assert tally.breaches == []
    assert tally.kills == KILLS
    assert tally.promises > 0


@pytest.mark.postgres
async def test_on_a_server_the_books_are_sound_after_a_kill_and_its_tables_go_on() -> None:
    async with postgresql() as url:
        tally = await series(await prepared(url), "server", 2, server=url)
    assert tally.breaches == []
    assert tally.kills == 2
    assert tally.promises > 0
