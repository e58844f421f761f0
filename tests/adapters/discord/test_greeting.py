"""A server that invites the bot is greeted once, where the bot may write, in the language of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.discord.stage import Stage
from tests.fakes.discord_world import SEND

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer


def village(stage: Stage, locale: str = "en-US") -> tuple[int, list[int]]:
    """Make a server with three channels, which the bot does not know yet."""
    guild = stage.world.add_guild("Village")
    stage.world.locales[guild] = locale
    return guild, [stage.world.add_channel(name, guild) for name in ("first", "second", "third")]


async def again(stage: Stage, guild: int, channel: int) -> None:
    """Invite the bot, and let it do something after that, which it does later than any greeting."""
    await stage.server.gateway.invite(guild)
    await stage.people.say(stage.world.owner, channel, "!credits")
    await stage.world.until(lambda: "has 240" in stage.world.texts(channel))


async def test_a_server_is_greeted_in_its_first_channel_and_a_button_opens_the_first_heist(
    stage: Stage,
) -> None:
    guild, (first, second, _) = village(stage)
    await stage.server.gateway.invite(guild)
    await stage.world.until(lambda: stage.world.shown(first))
    (hello,) = stage.world.shown(first)
    assert "/heist" in hello["content"]
    assert "/help" in hello["content"]
    assert "/settings" in hello["content"]
    assert all(len(each) <= 300 for each in hello["content"].split("\n"))
    assert not stage.world.shown(second)
    ann = stage.world.join("ann")
    await stage.people.press(ann, hello, "Open a first table: Join with 69")
    await stage.world.until(lambda: any("ann" in str(each) for each in stage.world.boards(first)))
    bob = stage.world.join("bob")
    await stage.people.press(bob, hello, "Open a first table: Join with 69")
    await stage.told(bob, "You are in with 69 credits.")


async def test_a_korean_server_is_greeted_in_korean(stage: Stage) -> None:
    guild, (first, *_) = village(stage, "ko")
    await stage.server.gateway.invite(guild)
    await stage.world.until(lambda: stage.world.shown(first))
    (hello,) = stage.world.shown(first)
    assert "안녕하세요" in hello["content"]
    assert "240크레딧" in hello["content"]
    assert hello["components"][0]["components"][0]["label"] == "첫 판 열기: 69크레딧 걸고 합류"


async def test_the_channel_for_notices_is_preferred_and_one_that_is_barred_is_not(stage: Stage) -> None:
    guild, (first, second, third) = village(stage)
    stage.world.system_channels[guild] = third
    await stage.server.gateway.invite(guild)
    await stage.world.until(lambda: stage.world.shown(third))
    other, (barred, open_one, _) = village(stage)
    stage.world.system_channels[other] = barred
    stage.world.forbid(barred, SEND)
    await stage.server.gateway.invite(other)
    await stage.world.until(lambda: stage.world.shown(open_one))
    assert not [each for channel in (first, second, barred) for each in stage.world.shown(channel)]


async def test_where_the_bot_may_write_nowhere_nothing_is_tried(stage: Stage) -> None:
    guild, channels = village(stage)
    for each in channels:
        stage.world.forbid(each, SEND)
    await stage.server.gateway.invite(guild)
    await again(stage, village(stage)[0], stage.town)
    assert not [each for channel in channels for each in stage.server.asked(f"/channels/{channel}")]


async def test_a_server_is_greeted_once_whatever_happens(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    guild, (first, *_) = village(stage)
    await stage.server.gateway.invite(guild)
    await stage.world.until(lambda: stage.world.shown(first))
    await stage.server.gateway.throw_out(guild)
    await again(stage, guild, stage.town)
    await stage.close()
    async with Stage(server, store, "b") as later:
        await server.gateway.throw_out(guild)
        await again(later, guild, first)
    assert len([each for each in stage.world.shown(first) if "/help" in each["content"]]) == 1
