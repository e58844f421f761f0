"""Games that wait for the stream: what Twitch says of it, and when it says nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chatbot.rooms.line import Happening
from cogs.twitch.channels import STREAMS

if TYPE_CHECKING:
    from tests.adapters.twitch.stage import Stage

ONLY = "Games can be started here only while the stream is on"


async def waiting(stage: Stage) -> Stage:
    """Open the channel of ada, whose games wait for her stream."""
    await stage.open()
    await stage.say("ada", "ada", "!set room only_live yes", ["broadcaster"])
    return stage


async def test_without_a_stream_no_game_begins_and_wallets_work(stage: Stage) -> None:
    await waiting(stage)
    assert ONLY in (await stage.say("ann", "ada", "!heist 50"))[0]
    assert "Ann has 240" in " ".join(await stage.say("ann", "ada", "!credits"))


async def test_a_stream_that_was_on_before_the_bot_came_counts(stage: Stage) -> None:
    stage.fake.world.streaming.add("ada")
    await waiting(stage)
    assert "planning a bank heist" in " ".join(await stage.say("ann", "ada", "!heist 50"))


async def test_a_stream_that_begins_opens_the_games(stage: Stage) -> None:
    await waiting(stage)
    await stage.fake.happen("stream.online", "ada", id="1", type="live", started_at="2026-01-01T00:00:00Z")
    await stage.until(lambda: Happening.ONLINE in {each.kind for each in stage.bot.noticed})
    assert "planning a bank heist" in " ".join(await stage.say("ann", "ada", "!heist 50"))


async def test_while_twitch_does_not_say_whether_there_is_a_stream_games_begin(stage: Stage) -> None:
    stage.fake.world.disturb("streams", 500, times=9)
    await waiting(stage)
    assert "planning a bank heist" in " ".join(await stage.say("ann", "ada", "!heist 50"))


async def test_streams_of_which_no_event_tells_are_looked_at_every_minute(stage: Stage) -> None:
    logins = ["bea", "cem", "dan", "eve", "fay"]  # not connected, and three of them are subscribed to
    for login in (*logins, "ada"):
        stage.fake.world.user(login)
    await stage.open([*logins, "ada"])
    heard = stage.fake.eventsub.of("stream.online")
    assert len(heard) == 4, "three, and ada, who is connected"
    assert not stage.chat("fay").room.live
    stage.fake.world.streaming |= {"fay", "ada"}
    before = stage.fake.world.requests.count("GET streams")
    await stage.watch.turn(STREAMS)
    assert stage.chat("fay").room.live
    assert not stage.chat("ada").room.live, "an event would tell of it"
    stage.fake.world.streaming.clear()
    await stage.watch.turn(STREAMS)
    assert not stage.chat("fay").room.live
    assert stage.fake.world.requests.count("GET streams") == before + 2


async def test_where_events_tell_of_all_streams_nothing_is_looked_at(stage: Stage) -> None:
    await stage.open()
    before = stage.fake.world.requests.count("GET streams")
    await stage.watch.turn(2 * STREAMS)
    assert stage.fake.world.requests.count("GET streams") == before


async def test_a_stream_that_ended_while_a_connection_was_lost_is_noticed_once_it_is_back(
    stage: Stage,
) -> None:
    stage.fake.world.streaming.add("ada")
    await stage.open()
    assert stage.chat("ada").room.live
    [former] = stage.fake.eventsub.of("stream.offline")
    stage.fake.world.streaming.clear()  # and no event tells of it
    await stage.fake.eventsub.sessions[former.transport["session_id"]].socket.close()
    await stage.until(lambda: stage.fake.eventsub.of("stream.offline") not in ([], [former]))
    assert stage.adapter is not None
    await stage.watchdog.settle()
    await stage.watch.turn(STREAMS)
    assert not stage.chat("ada").room.live
    before = stage.fake.world.requests.count("GET streams")
    await stage.watch.turn(2 * STREAMS)
    assert stage.fake.world.requests.count("GET streams") == before


async def test_by_a_conduit_a_stream_that_ended_while_no_shard_was_there_is_noticed_too(stage: Stage) -> None:
    stage.fake.world.streaming.add("ada")
    await stage.open(conduit=True)
    assert stage.chat("ada").room.live
    stage.fake.world.streaming.clear()
    sessions = dict(stage.fake.eventsub.sessions)
    for each in sessions.values():
        await each.socket.close()
    await stage.until(lambda: len(stage.fake.eventsub.sessions.keys() - sessions.keys()) == len(sessions))
    await asyncio.sleep(0.1)  # until Twitch knows them
    await stage.watch.turn(STREAMS)
    assert not stage.chat("ada").room.live
