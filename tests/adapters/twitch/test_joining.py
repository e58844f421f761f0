"""Who is connected for the first time while the bot runs is served within seconds, without a restart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import OperationalError

from cogs.twitch.authority import (
    ANNOUNCEMENTS_SCOPES,
    BOT_SCOPES,
    BROADCASTER_SCOPES,
    POINTS_SCOPES,
    PREDICTIONS_SCOPES,
)
from cogs.twitch.key_changes import EVERY
from cogs.twitch.lines import channel_of
from tests.adapters.twitch.stage import BOT, SOON

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from chatbot.rooms.room import Room
    from tests.adapters.twitch.stage import Stage

    Told = list[MutableMapping[str, Any]]

AROUND = {
    "channel.chat.message", "channel.cheer", "channel.follow", "channel.raid", "channel.subscribe",
    "channel.subscription.message", "stream.offline", "stream.online",
}  # fmt: skip


async def look(stage: Stage) -> None:
    """Let the bot look at the keys once, and wait until all that it asks for then is there."""
    await stage.watch.turn(EVERY)
    await stage._settle()


def asked(stage: Stage, login: str) -> set[str]:
    """Name the kinds of events that Twitch tells of a channel."""
    user = stage.fake.world.user(login).id
    return {
        each.type
        for each in stage.fake.eventsub.subscriptions.values()
        if user in {each.condition.get("broadcaster_user_id"), each.condition.get("to_broadcaster_user_id")}
    }


@pytest.mark.parametrize("conduit", [False, True])
async def test_a_streamer_who_connects_while_the_bot_runs_has_a_room_within_seconds(
    stage: Stage, conduit: bool
) -> None:
    await stage.open(conduit=conduit)
    stage.fake.world.streaming.add(stage.fake.world.user("bea").login)
    stage.connect_streamer("bea")
    await look(stage)
    assert asked(stage, "bea") == AROUND
    assert "240" in (await stage.say("ann", "bea", "!credits"))[0]
    assert stage.chat("bea").room.live  # which began before it was connected
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]  # the others go on
    before = len(stage.fake.eventsub.subscriptions)
    await stage.watch.turn(120)
    assert len(stage.fake.eventsub.subscriptions) == before  # nothing is asked for twice


async def test_what_it_has_allowed_is_used_at_once(stage: Stage) -> None:
    await stage.open()
    bea = stage.fake.world.user("bea").id
    stage.connect(
        "bea",
        (*BROADCASTER_SCOPES, *POINTS_SCOPES, *PREDICTIONS_SCOPES),
        "broadcaster", "points", "predictions",
    )  # fmt: skip
    stage.fake.helix.counter.affiliates.add(bea)
    await look(stage)
    assert "channel.channel_points_custom_reward_redemption.add" in asked(stage, "bea")
    assert stage.chat("bea").channel.manner.predicts
    await stage.say("mo", "bea", "!rewards make heist 500 100", ["moderator"])
    assert [
        (each.game, each.credits) for each in await stage.bot.parts.rewards.of(channel_of(bea))
    ] == [("heist", 100)]  # fmt: skip


async def test_a_room_that_cannot_be_opened_now_is_opened_at_the_next_look(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.open()
    stage.connect_streamer("bea")
    opens = stage.bot.open

    async def locked(room: Room) -> Room:
        raise OperationalError("claim", {}, Exception("database is locked"))

    monkeypatch.setattr(stage.bot, "open", locked)
    await look(stage)
    await look(stage)
    assert asked(stage, "bea") == set()
    assert channel_of(stage.fake.world.user("bea").id) not in stage.adapter.chats  # type: ignore[union-attr]
    assert len([each for each in told if "not taken up yet" in str(each["event"])]) == 1
    monkeypatch.setattr(stage.bot, "open", opens)
    await look(stage)
    assert "240" in (await stage.say("ann", "bea", "!credits"))[0]


async def test_where_channels_are_named_nobody_else_joins(stage: Stage) -> None:
    await stage.open(["ada"])
    stage.connect_streamer("bea")
    await look(stage)
    assert asked(stage, "bea") == set()
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_channel_that_is_named_gets_its_rights_when_it_is_connected_for_the_first_time(
    stage: Stage,
) -> None:
    stage.fake.world.user("bea")
    await stage.open(["ada", "bea"])
    assert "channel.cheer" not in asked(stage, "bea")
    stage.connect_streamer("bea")
    await look(stage)
    assert asked(stage, "bea") == AROUND


async def test_where_its_streamer_lets_it_in_the_bot_speaks_with_the_programs_key_at_once(
    stage: Stage,
) -> None:
    stage.fake.world.user("bea")
    await stage.open(["ada", "bea"])
    await stage.say("ann", "bea", "!credits")
    stage.connect_streamer("bea")
    await look(stage)
    await stage.say("ann", "bea", "!credits")
    assert [each.by_app for each in stage.fake.world.said] == [False, True]


async def test_a_chat_that_did_not_let_the_bot_in_is_heard_when_it_is_connected(stage: Stage) -> None:
    stage.fake.world.user("bea")
    await stage.open(["ada", "bea"], conduit=True)  # there the bot needs the leave of each channel
    assert "channel.chat.message" not in asked(stage, "bea")
    stage.connect_streamer("bea")
    await look(stage)
    assert asked(stage, "bea") == AROUND
    assert not stage.chat("bea").unheard


async def test_the_bots_own_channel_is_joined_when_it_is_connected_as_one(stage: Stage) -> None:
    await stage.open()
    stage.connect(BOT, sorted({*BOT_SCOPES, *BROADCASTER_SCOPES}), "bot", "broadcaster")
    await look(stage)
    assert asked(stage, BOT) >= AROUND
    assert "240" in (await stage.say("ann", BOT, "!credits"))[0]


@pytest.mark.parametrize("conduit", [False, True])
async def test_another_account_that_is_connected_as_the_bot_speaks_within_seconds(
    stage: Stage, conduit: bool
) -> None:
    world = stage.fake.world
    world.user("cleo")
    world.moderate("cleo", BOT)
    await stage.open(["ada", "cleo"], conduit=conduit)
    await stage.say("ann", "cleo", "!credits")
    await stage.until(lambda: stage.chat("cleo").moderator)
    await stage.say("ann", "ada", "!heist 69")
    lines = stage.told
    lines.clear()
    other = stage.connect("otherbot", BOT_SCOPES, "bot")
    if conduit:
        world.moderate("cleo", "otherbot")  # else Twitch does not let it in there
    await stage.watch.turn(EVERY)
    await stage.until(lambda: any("otherbot plays in" in each for each in lines))
    await stage._settle()
    assert lines[0] == "Twitch: otherbot is the bot from now on."
    assert "240" in (await stage.say("bob", "cleo", "!credits"))[0]
    assert world.said[-1].sender == other.user_id
    await stage.until(lambda: stage.chat("cleo").moderator is conduit)  # its own badges count
    await stage.say("bob", "ada", "!heist 5")
    await stage.watch.turn(200)
    assert stage.table("ada").over
    assert {each.sender for each in world.said[-2:]} == {other.user_id}


async def test_a_right_that_the_bot_is_given_while_it_runs_is_used_at_once(stage: Stage) -> None:
    few = {"user:read:chat", "user:bot"}
    stage.connect_bot(sorted(few))
    world = stage.fake.world
    await stage.open()
    whispers, notices = "user.whisper.message", "channel.chat.notification"
    assert not [*stage.fake.eventsub.of(whispers), *stage.fake.eventsub.of(notices)]
    stage.connect(BOT, sorted({*BOT_SCOPES, *ANNOUNCEMENTS_SCOPES}), "bot", "announcements")
    await look(stage)
    assert len(stage.fake.eventsub.of(whispers)) == len(stage.fake.eventsub.of(notices)) == 1
    assert len(stage.fake.eventsub.of("channel.chat.message")) == 1  # nothing is told twice
    world.disturb("chat/messages", 429)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert [each.by_app for each in world.said] == [False], "it may spare the program's points now"
    stage.chat("ada").room.live = True
    world.moderate("ada", BOT)
    asked_before = world.requests.count("GET chat/chatters")
    await stage.watch.turn(120)
    assert world.requests.count("GET chat/chatters") > asked_before, "who watches is asked for now"


async def test_a_key_that_is_refused_at_once_is_told_and_its_chat_is_heard_by_the_bots(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    bea = stage.connect_streamer("bea")
    stage.fake.authority.disconnect(bea.user_id)
    await look(stage)
    assert [e["event"] for e in told if "no longer accepts the key of bea" in str(e["event"])] != []
    assert "channel.chat.message" in asked(stage, "bea")
    assert "channel.cheer" not in asked(stage, "bea")
    stage.connect_streamer("bea")
    await look(stage)
    assert "channel.cheer" in asked(stage, "bea")


async def test_a_bot_that_leaves_while_it_joins_a_chat_is_in_it_when_it_comes_back(stage: Stage) -> None:
    await stage.open()
    stage.connect_streamer("bea")
    answered = asyncio.Event()
    stage.fake.world.disturb("streams", 500, until=answered)
    turning = asyncio.create_task(stage.watch.turn(EVERY))
    await stage.until(lambda: not stage.fake.world.faults[0].times)
    await stage.run_again()
    answered.set()
    await turning
    assert "240" in (await stage.say("ann", "bea", "!credits"))[0]
    assert asked(stage, "bea") == AROUND


async def test_without_a_bot_it_says_so_and_begins_when_there_is_one(stage: Stage, told: Told) -> None:
    stage.ring.drop(stage.seat(BOT).partition(":")[2])
    stage.running = asyncio.create_task(stage.make().run())
    await stage.until(lambda: told)
    assert "run `chatbot connect twitch --bot`" in str(told[0]["event"])
    await stage.until(lambda: stage.watch._alarms)
    await stage.watch.turn(10)
    assert stage.fake.eventsub.opened == 0
    stage.connect_bot()
    await stage.watch.turn(EVERY)
    await stage.until(lambda: stage.adapter is not None and stage.adapter.connected)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert len(told) == 1


async def test_without_a_channel_it_says_so_and_begins_when_there_is_one(stage: Stage, told: Told) -> None:
    stage.ring.drop(stage.seat("ada").partition(":")[2])
    stage.running = asyncio.create_task(stage.make().run())
    await stage.until(lambda: told)
    assert "CHATBOT_TWITCH_CHANNELS" in str(told[0]["event"])
    await asyncio.wait_for(stage.speak("ada", "nobody waits for this"), SOON)
    await stage.until(lambda: stage.watch._alarms)
    stage.ring.path.write_text("damaged")
    await stage.watch.turn(EVERY)
    stage.ring.path.unlink()
    stage.connect_bot()
    stage.connect_streamer()
    await stage.watch.turn(EVERY)
    await stage.until(lambda: stage.adapter is not None and stage.adapter.connected)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
