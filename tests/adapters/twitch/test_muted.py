"""Where the bot may not speak, no stake is taken, and it heals by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cogs.twitch.authority import BOT_SCOPES
from cogs.twitch.muted import MutedChats, UnheardChats
from cogs.twitch.subscriptions.wanted import SPEAK
from tests.adapters.twitch.chatting import purse
from tests.adapters.twitch.stage import BOT, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping, Sequence


def ban(stage: Stage) -> None:
    world = stage.fake.world
    world.banned.add((world.users["ada"].id, world.users[BOT].id))


def drop(code: str) -> Callable[[Stage], None]:
    return lambda stage: stage.fake.world.drops["ada"].extend([code] * 10)


def forbid(stage: Stage) -> None:
    stage.fake.world.disturb("chat/messages", 403, times=20)


@pytest.mark.parametrize("fault", [ban, forbid, drop("msg_followersonly"), drop("user_timed_out")])
async def test_no_stake_is_taken_where_the_bot_may_not_speak(
    stage: Stage, fault: Callable[[Stage], None]
) -> None:
    await stage.open()
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    fault(stage)
    await stage.watch.turn(60)
    await stage.speak("ada", "what nobody reads")  # by this it is known
    await stage.say("ann", "ada", "!heist 69")
    await stage.until(lambda: stage.fake.world.whispers)
    assert "heist" not in stage.chat("ada").room.tables
    assert await purse(stage, "ann") == 240
    [whisper] = stage.fake.world.whispers
    assert whisper.to == stage.fake.world.users["ann"].id
    assert "nothing was taken from you" in whisper.text


@pytest.mark.parametrize("code", ["msg_duplicate", "msg_r9k", "msg_rejected", "channel_settings"])
async def test_what_one_message_lacks_mutes_no_chat(stage: Stage, code: str) -> None:
    await stage.open()
    stage.fake.world.drops["ada"].extend([code] * 2)
    await stage.speak("ada", "this one is not shown")
    await stage.watch.turn(60)
    await stage.say("ann", "ada", "!heist 69")
    assert await purse(stage, "ann") == 240 - 69


async def test_it_heals_by_itself_and_says_so_in_the_chat(stage: Stage) -> None:
    await stage.open()
    ban(stage)
    await stage.speak("ada", "what nobody reads")
    assert stage.chat("ada").muted
    stage.fake.world.banned.clear()
    await stage.watch.turn(60)
    assert "please repeat it" in (await stage.say("ann", "ada", "!heist 69"))[0]
    assert not stage.chat("ada").muted
    await stage.watch.turn(60)
    assert "planning a bank heist" in (await stage.say("ann", "ada", "!heist 69"))[0]


async def test_whoever_opened_the_table_that_cannot_be_told_of_is_whispered_to_once(stage: Stage) -> None:
    """Nobody could know of the ban before: the stake is taken, and the first line is refused."""
    await stage.open()
    ban(stage)
    await stage.say("ann", "ada", "!heist 69")
    await stage.until(lambda: stage.fake.world.whispers)
    await stage.say("bob", "ada", "!heist 5")
    await stage.watch.turn(300)
    [first, *others] = stage.fake.world.whispers
    assert first.to == stage.fake.world.users["ann"].id
    assert "It is played to its end" in first.text
    assert {each.to for each in others} == {stage.fake.world.users["bob"].id}, "who was refused a seat"
    assert stage.table("ada").over


async def test_a_secret_is_not_said_in_a_chat_where_the_bot_can_speak_again(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    await stage.say("bob", "ada", "!heist 69")
    ban(stage)
    await stage.speak("ada", "what nobody reads")
    assert stage.chat("ada").muted
    stage.fake.world.banned.clear()
    await stage.watch.turn(61)
    stage.chat("ada").muted = True  # as if the game had said nothing meanwhile
    said = len(stage.fake.sent("ada"))
    await stage.fake.whisper("bob", "!backout")
    await stage.until(lambda: stage.bot.lines[-1].private)
    await stage.watch.turn(2)
    assert any("can still change it" in each.text for each in stage.fake.world.whispers)
    assert not any("can still change it" in each for each in stage.fake.sent("ada")[said:])


async def test_somebody_is_whispered_to_once_an_hour(stage: Stage) -> None:
    await stage.open()
    ban(stage)
    await stage.speak("ada", "what nobody reads")
    for _ in range(3):
        await stage.say("ann", "ada", "!heist 69")
        await stage.watch.turn(60)
    await stage.until(lambda: stage.fake.world.whispers)
    assert len(stage.fake.world.whispers) == 1


async def test_without_the_right_to_whisper_no_stake_is_taken_either(stage: Stage) -> None:
    stage.connect_bot([each for each in BOT_SCOPES if each != "user:manage:whispers"])
    await stage.open()
    ban(stage)
    await stage.speak("ada", "what nobody reads")
    await stage.say("ann", "ada", "!heist 69")
    assert "heist" not in stage.chat("ada").room.tables


async def test_who_plays_already_plays_on(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    ban(stage)
    await stage.watch.turn(5)
    await stage.speak("ada", "what nobody reads")
    await stage.say("bob", "ada", "!heist 5")
    assert await purse(stage, "bob") == 240
    await stage.watch.turn(200)
    assert stage.table("ada").over


async def test_it_is_remembered_by_the_next_run_and_by_nothing_once_it_is_healed(stage: Stage) -> None:
    await stage.open()
    ban(stage)
    await stage.speak("ada", "what nobody reads")
    muted = MutedChats(stage.ring.path)
    ada = stage.fake.world.users["ada"].id
    reason = "the bot may not speak here: is it banned, or has nobody let it in?"
    assert muted.load() == {ada: ("ada", reason)}
    stage.chat("ada").muted = False
    await stage.run_again()
    assert stage.chat("ada").muted
    stage.fake.world.banned.clear()
    await stage.watch.turn(60)
    await stage.speak("ada", "hello again")
    assert muted.load() == {}


def test_a_damaged_file_has_nothing(stage: Stage) -> None:
    muted = MutedChats(stage.ring.path)
    muted.path.write_text("[1")
    assert muted.load() == {}
    muted.note("1", "ada", "banned")
    assert muted.load() == {"1": ("ada", "banned")}


async def test_a_chat_of_which_twitch_refuses_to_tell_is_told_of_at_once_until_it_is_heard(
    stage: Stage,
) -> None:
    adapter, told = stage.make(), stage.told
    stage.fake.world.disturb("eventsub/subscriptions", 403, times=1, method="POST")
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: adapter.connected)
    assert stage.chat("ada").unheard
    assert "Twitch: the chat of ada is not heard: the bot may not: it is banned there" in "".join(told)
    unheard, ada = UnheardChats(stage.ring.path), stage.fake.world.users["ada"].id
    await stage.until(lambda: ada in unheard.load())
    await stage.watch.turn(60)  # when the watchdog looks again
    assert not stage.chat("ada").unheard
    await stage.until(lambda: not unheard.load())
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_key_by_which_the_bot_cannot_write_is_told_of_at_the_start(
    stage: Stage, told: Sequence[MutableMapping[str, Any]]
) -> None:
    stage.connect_bot([each for each in BOT_SCOPES if each not in SPEAK])
    await stage.open()
    assert [each["advice"] for each in told if each["event"] == "the bot may not write in chats"]
