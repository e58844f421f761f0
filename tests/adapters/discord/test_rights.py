"""Where the bot may not write, nothing is staked, and whoever tried is told why where only they read it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.keys.barred_chats import BarredChats
from cogs.discord.tables import PACE
from tests.adapters.discord.stage import TICK, Stage
from tests.fakes.discord_world import GUILD, SEND, SEND_IN_THREADS, VIEW

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fakes.discord_world import User

START = 240  # credits of a newcomer


async def forbid(stage: Stage, channel: int, permissions: int) -> None:
    await stage.people._gateway.dispatch("CHANNEL_UPDATE", stage.world.forbid(channel, permissions))


async def told_alone(stage: Stage, user: User, text: str) -> None:
    await stage.world.until(lambda: text in stage.world.texts(stage.world.dm(user.id)))


async def met(stage: Stage, user: User) -> None:
    await stage.people.say(user, stage.town, "!credits")
    await stage.shown(f"{user.name} has {START} credits")


@pytest.mark.parametrize(
    ("denied", "permission"), [(SEND, "Send Messages"), (VIEW | SEND, "View Channel")], ids=["send", "view"]
)
async def test_by_message_nothing_is_staked_where_the_bot_may_not_write(
    stage: Stage, denied: int, permission: str
) -> None:
    ann = stage.world.join("ann")
    await met(stage, ann)
    await forbid(stage, stage.town, denied)
    before = len(stage.server.asked(rf"POST /channels/{stage.town}/messages"))
    await stage.people.say(ann, stage.town, "!heist 69")
    await told_alone(stage, ann, f"give me the permission “{permission}”")
    assert "heist" not in stage.room.tables
    assert await stage.credits(ann) == START
    assert len(stage.server.asked(rf"POST /channels/{stage.town}/messages")) == before


async def test_by_slash_command_the_refusal_names_the_permission_to_its_user_alone(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await forbid(stage, stage.town, SEND)
    await stage.people.slash(ann, stage.town, "heist", stake="69")
    await stage.told(ann, "give me the permission “Send Messages”")
    assert await stage.credits(ann) == START
    asked = await stage.people.slash(ann, stage.town, "credits")
    await stage.world.until(lambda: asked.original)
    assert "ann has 240 credits" in stage.world.messages[asked.original or 0]["content"]


async def test_a_thread_takes_a_permission_of_its_own(stage: Stage) -> None:
    ann = stage.world.join("ann")
    thread = stage.world.add_thread(stage.town)
    await stage.people._gateway.dispatch("THREAD_CREATE", stage.world.channels[thread])
    await forbid(stage, stage.town, SEND_IN_THREADS)
    await stage.people.say(ann, thread, "!heist 69")
    await told_alone(stage, ann, "“Send Messages in Threads”")
    await stage.people.say(ann, stage.town, "!heist 69")
    await stage.until(lambda: stage.sits(ann))


async def refused(stage: Stage) -> User:
    """Have an answer refused though no permission explains it; gives somebody who may not stake then."""
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await met(stage, bob)
    stage.server.fail(rf"POST /channels/{stage.town}/messages", "forbidden", times=1)
    await stage.people.say(ann, stage.town, "!heist nonsense")
    await stage.until(lambda: not stage.server.faults[0].times)
    await stage.until(lambda: stage.adapter.client.answers._senders[f"discord:{stage.town}"].idle)  # type: ignore[union-attr]
    await stage.people.say(bob, stage.town, "!heist 69")
    await told_alone(stage, bob, "“Send Messages”")
    return bob


async def test_a_refusal_that_no_permission_explains_is_remembered(stage: Stage) -> None:
    """As far as the library knows, the bot may write there."""
    bob = await refused(stage)
    assert await stage.credits(bob) == START


async def test_a_refusal_is_forgotten_once_the_bot_has_another_role(stage: Stage) -> None:
    bob = await refused(stage)
    me = {**stage.world.bot.member, "user": stage.world.bot.payload, "guild_id": str(GUILD)}
    await stage.people._gateway.dispatch("GUILD_MEMBER_UPDATE", me)
    await stage.people.say(bob, stage.town, "!heist 69")
    await stage.until(lambda: stage.sits(bob))


async def test_the_message_of_a_table_goes_on_once_the_bot_may_write_again(stage: Stage) -> None:
    await stage.lobby(stage.world.join("ann"))
    board = await stage.board("ann")
    edits, bob, kim = r"PATCH /channels/\d+/messages", stage.world.join("bob"), stage.world.join("kim")
    stage.server.fail(edits, "forbidden", times=1000)
    await stage.people.slash(bob, stage.town, "heist", stake="69")
    await stage.until(lambda: stage.sits(bob))
    status = stage.adapter.client.tables.find(stage.room.id, stage.table.id) if stage.adapter.client else None
    assert status is not None
    for _ in range(20):
        await stage.turn(PACE)
        await asyncio.sleep(2 * TICK)
    assert status.done, "it was given up"
    stage.server.faults.clear()
    await stage.people.slash(kim, stage.town, "heist", stake="69")
    await stage.until(lambda: stage.sits(kim))
    await stage.server.gateway.dispatch("CHANNEL_UPDATE", stage.world.channels[stage.town])
    await stage.eventually("kim — 69")
    assert stage.boards == [board]


async def test_who_plays_already_goes_on_where_the_bot_may_not_write_any_more(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    await met(stage, bob)
    await forbid(stage, stage.town, SEND)
    await stage.people.slash(bob, stage.town, "heist", stake="69")
    await stage.told(bob, "“Send Messages”")
    await stage.people.slash(ann, stage.town, "heist", stake="leave")
    await stage.until(lambda: not stage.sits(ann))
    await stage.bot.settle()
    assert await stage.credits(ann) == START
    assert await stage.credits(bob) == START


async def test_where_the_bot_may_not_write_is_remembered_for_the_operator_until_it_may(
    stage: Stage, tmp_path: Path
) -> None:
    barred = BarredChats(tmp_path / "discord-barred.json")
    stage.adapter._barred = barred
    ann = stage.world.join("ann")
    await met(stage, ann)
    assert barred.load() == {}
    await forbid(stage, stage.town, SEND)
    await stage.people.say(ann, stage.town, "!heist 69")
    known = {f"discord:{stage.town}": ("#town of Town", "it lacks the permission “Send Messages”")}
    await stage.until(lambda: barred.load() == known)
    await forbid(stage, stage.town, 0)
    await stage.people.say(ann, stage.town, "!credits")
    await stage.until(lambda: not barred.load())


async def test_remembered_channels_are_looked_at_when_the_bot_comes(stage: Stage, tmp_path: Path) -> None:
    barred = BarredChats(tmp_path / "discord-barred.json")
    barred.note(f"discord:{stage.town}", "#town of guild", "it lacks the permission “Send Messages”")
    barred.note("discord:1", "#gone of guild", "it lacks the permission “Send Messages”")
    stage.adapter._barred = barred
    stage.adapter.arrived(0)
    await stage.until(lambda: not barred.load())


async def test_a_channel_that_is_still_barred_when_the_bot_comes_stays_remembered(
    stage: Stage, tmp_path: Path
) -> None:
    barred = BarredChats(tmp_path / "discord-barred.json")
    stage.adapter._barred = barred
    ann = stage.world.join("ann")
    await forbid(stage, stage.town, SEND)
    await stage.people.say(ann, stage.town, "!heist 69")
    known = {f"discord:{stage.town}": ("#town of Town", "it lacks the permission “Send Messages”")}
    await stage.until(lambda: barred.load() == known)
    barred.note(f"discord:{stage.town}", "#former of Town", "it lacks the permission “View Channel”")
    stage.adapter.arrived(0)
    await stage.until(lambda: barred.load() == known, seconds=1)
