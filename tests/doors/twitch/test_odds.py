"""Odds are told in lines that Twitch takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.doors.twitch.stage import Stage

LINE = 500  # characters


@pytest.mark.parametrize("line", ["!odds", "!odds heist", "!odds highshow", "!odds sixcard"])
async def test_odds_are_said_in_lines_that_are_short_enough(stage: Stage, line: str) -> None:
    await stage.open()
    said = await stage.say("ann", "ada", line)
    assert "%" in " ".join(said)
    assert all(len(each) <= LINE for each in said)
