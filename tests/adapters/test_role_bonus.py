"""The badges of a Twitch chat and the boosts of a Discord server bring the bonus of subscribers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.ledger.books.journal import Journal
from chatbot.ledger.changes import OPERATOR
from chatbot.rooms.settings.changes import Actor
from tests.adapters.discord.conftest import server
from tests.adapters.discord.conftest import stage as discord
from tests.adapters.twitch.conftest import fake, watch
from tests.adapters.twitch.conftest import stage as twitch
from tests.checked import store

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from tests.adapters.discord.stage import Stage as Discord
    from tests.adapters.twitch.stage import Stage as Twitch

__all__ = ["discord", "fake", "server", "store", "twitch", "watch"]


async def prepare(bot: Bot, room: Room) -> None:
    wanted = {"heist": {"preset": "stream", "subscriber_bonus": "5", "vip_bonus": "1"}}
    await bot.parts.settings_changes.change(Actor("change-set:prepared", room, OPERATOR, OPERATOR), wanted)


async def joined(bot: Bot, room: Room) -> list[str]:
    await bot.settle()  # what is in is written then
    record = await Journal(bot.ledger._store).of(room.playing("heist")[0].id)
    assert record is not None
    written = [turn.action for step in record.steps for turn in step.turns]
    return [each.partition('"credits"')[2] for each in written if each.startswith('{"Join')]


async def test_on_twitch_by_badges(twitch: Twitch) -> None:
    stage = await twitch.open()
    room = stage.chat("ada").room
    await prepare(stage.bot, room)
    moderator = ["moderator", "subscriber"]
    badges = {"fan": [], "sub": ["subscriber"], "both": ["vip", "founder"], "mod": moderator}
    for number, (who, worn) in enumerate(badges.items(), 1):
        await stage.fake.chat(who, "ada", "!heist 50", worn)
        await stage.until(partial(_are_in, room, number))
    subscriber = ':50,"role":"subscriber"}}'
    assert await joined(stage.bot, room) == [":50}}", *[subscriber] * 3]


async def test_on_discord_by_boosts_typed_and_by_slash(discord: Discord) -> None:
    fan, booster = discord.world.join("fan"), discord.world.join("booster", boosts=True)
    other = discord.world.join("other", boosts=True)
    await discord.people.say(fan, discord.town, "!top")
    await discord.until(lambda: "discord" in str(discord.bot.rooms))
    await prepare(discord.bot, discord.room)
    await discord.people.say(fan, discord.town, "!heist 50")
    await discord.until(partial(_are_in, discord.room, 1))
    await discord.people.say(booster, discord.town, "!heist 50")
    await discord.until(partial(_are_in, discord.room, 2))
    await discord.people.slash(other, discord.town, "heist", stake="50")
    await discord.until(partial(_are_in, discord.room, 3))
    subscriber = ':50,"role":"subscriber"}}'
    assert await joined(discord.bot, discord.room) == [":50}}", subscriber, subscriber]


def _are_in(room: Room, count: int) -> bool:
    tables = room.playing("heist")
    return bool(tables) and len(tables[0].view(None).crew) == count
