"""Odds are told in lines that Twitch takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.adapters.twitch.stage import Stage

LINE = 500  # characters


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("!odds", "Six Card Poker: at best 100% of what is staked comes back."),
        ("!odds heist", "comes back. More: !odds heist more"),
        ("!odds heist more", "!doublecross 0.1%. More: !heist odds"),
        ("!heist odds more", "With the best guards and intel that money can buy, at most 97% comes back."),
        ("!odds highshow", "on any terms; fractions are the house’s."),
        ("!odds sixcard", "In a duel the winner takes both stakes: the house keeps nothing."),
    ],
)
async def test_odds_are_said_whole_in_lines_that_are_short_enough(stage: Stage, line: str, last: str) -> None:
    await stage.open()
    said = await stage.say("ann", "ada", line)
    assert " ".join(said).endswith(last)
    assert all(len(each) <= LINE for each in said)
