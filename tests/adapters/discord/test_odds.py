"""Odds and the end of a season, asked for by slash commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage


@pytest.mark.parametrize(
    ("game", "last"),
    [
        ("heist", "More: !odds heist more"),
        ("highshow", "on any terms; fractions are the house’s."),
        ("chicken", "What the best play returns against it: nash 100% (proved)."),
        ("sixcard", "In a duel the winner takes both stakes: the house keeps nothing."),
        ("market", "What the best play returns against it: greedy 100% (proved)."),
    ],
)
async def test_odds_fit_one_message(stage: Stage, game: str, last: str) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "odds", game=game)
    await stage.shown(last)


async def test_a_season_ends_by_two_slash_commands(stage: Stage) -> None:
    owner = stage.world.owner
    await stage.people.slash(owner, stage.town, "seasonend", game="heist")
    await stage.shown("This ends season 1 of Bank Heist")
    await stage.people.slash(owner, stage.town, "confirm")
    await stage.shown("Bank Heist: season 1 is over!")
