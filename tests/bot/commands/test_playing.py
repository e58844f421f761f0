"""`!playing` tells what runs, how many play, and how long they may take."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.tables.table import GameTable

if TYPE_CHECKING:
    from tests.bot.stage import Stage

NOTHING = "Nothing is being played here just now; !help lists the games."


async def ask(stage: Stage) -> list[str]:
    await stage.turn(6)  # seconds of its cooldown
    return await stage.say("zoe", "!playing")


async def test_the_games_that_run_are_listed_with_their_players_and_what_is_left(stage: Stage) -> None:
    assert await ask(stage) == [NOTHING]
    await stage.say("ann", "!heist 20")
    await stage.turn(9)
    assert await ask(stage) == ["Now playing: Bank Heist, one player, and it goes on within 45 seconds."]
    await stage.say("bob", "!heist 20")
    await stage.say("ann", "!chicken 5")
    (line,) = await ask(stage)
    assert "Bank Heist, 2 players, and it goes on within 39 seconds; Chicken Poker, " in line


async def test_a_game_that_is_over_is_not_listed(stage: Stage) -> None:
    await stage.say("ann", "!heist 20")
    await stage.say("mo(moderator)", "!cancel heist")
    assert await ask(stage) == [NOTHING]


async def test_a_hidden_clock_stays_hidden(stage: Stage) -> None:
    await stage.say("ann", "!heist 20")
    table = next(iter(stage.room.tables.values()))
    assert isinstance(table, GameTable)
    assert table.clock is not None
    table.timer.clock = replace(table.clock, hidden=True)
    assert await ask(stage) == ["Now playing: Bank Heist, one player."]
