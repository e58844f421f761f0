"""Many slash commands at once: each gets its own answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage


async def test_in_a_busy_channel_every_slash_command_still_gets_its_own_answer(stage: Stage) -> None:
    """The answers of interactions cost nothing of what may be said in a channel."""
    people = [stage.world.join(f"member{number}") for number in range(12)]
    asked = [await stage.people.slash(each, stage.town, "credits") for each in people]
    await stage.world.until(lambda: all(each.response for each in asked))
    answers = [stage.world.messages[each.original or 0]["content"] for each in asked]
    assert answers == [f"{each.name} has 240 credits." for each in people]


async def test_of_two_commands_at_once_each_gets_its_own_answer(stage: Stage) -> None:
    ann = stage.world.join("ann")
    asked = [
        await stage.people.slash(ann, stage.town, "heist", stake="many"),
        await stage.people.slash(ann, stage.town, "top", count=1),
    ]
    await stage.world.until(lambda: all(each.response for each in asked))
    refused, told = (stage.world.messages[each.original or 0]["content"] for each in asked)
    assert "many" in refused
    assert told == "Richest: 1. ann 240 credits."
