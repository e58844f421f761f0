"""What people say, hold and read in the chat of ada."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.adapters.twitch.stage import Stage

START = 240  # credits of a new member
BUDGET, WINDOW = 20, 30.0  # what Twitch lets a bot say that is no moderator
LONGEST_LINE = 500


async def told(stage: Stage, user: str, text: str) -> str:
    """Let somebody speak, and wait for what is thought about too; gives all that the bot says to it."""
    return " ".join(await stage.say(user, "ada", text))


async def purse(stage: Stage, user: str) -> int:
    return await stage.bot.balances.purse(stage.chat("ada").room, stage.seat(user))


def everything(stage: Stage) -> str:
    """Give all that the bot has said."""
    return " ".join(stage.fake.sent("ada"))


def within_limits(stage: Stage) -> bool:
    times = [each.at for each in stage.fake.world.said]
    crowds = [sum(at <= other < at + WINDOW for other in times) for at in times]
    return max(crowds) <= BUDGET and all(len(each) <= LONGEST_LINE for each in stage.fake.sent("ada"))
