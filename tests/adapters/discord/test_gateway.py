"""What the gateway does to an adapter: dropped sockets, ended sessions, refused intents and tokens."""

from __future__ import annotations

import asyncio
import logging
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from chatbot import log
from chatbot.kernel.game import Failure
from chatbot.keys.asking import Declined
from chatbot.ledger.books.journal import Journal
from cogs.discord import adapter
from cogs.discord.heartbeat import BEAT, SILENCE
from cogs.discord.lines import channel_of
from tests.adapters.discord.stage import Stage
from tests.fakes.discord_world import APP

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the library come back at once; it waits for a random second or more."""

    async def at_once(*_: object, **__: object) -> None:
        return

    monkeypatch.setattr("cogs.discord.reconnecting.ReconnectPauses.delay", lambda _: 0.01)
    monkeypatch.setattr("cogs.discord.client.DiscordClient.before_identify_hook", at_once)


async def test_a_dropped_socket_resumes_and_a_join_that_was_missed_counts(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    await stage.server.gateway.drop()
    await stage.people.say(bob, stage.town, "!heist 69")
    await stage.until(lambda: stage.sits(bob))
    assert stage.server.gateway.resumed == 1
    assert stage.server.gateway.identified == 1
    await stage.play_out()
    assert len(stage.table.view(None).crew) == 2


async def test_a_gateway_that_falls_silent_is_left_and_resumed(
    store: Store, server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.discord.heartbeat.BEAT", 0.1)
    monkeypatch.setattr("cogs.discord.heartbeat.SILENCE", 0.3)
    async with Stage(server, store) as stage:
        server.gateway.acknowledges = False
        await stage.until(lambda: server.gateway.resumed)
        assert server.gateway.identified == 1


async def test_a_gateway_that_only_answers_heartbeats_is_not_left(
    store: Store, server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails with a version of the library that takes the thread for heartbeats from elsewhere.

    Silence is two seconds here: a busy machine may be late by much of that.
    """
    monkeypatch.setattr("cogs.discord.heartbeat.BEAT", 0.2)
    monkeypatch.setattr("cogs.discord.heartbeat.SILENCE", 2.0)
    async with Stage(server, store) as stage:
        await stage.until(lambda: server.gateway.beats >= 15)  # in three seconds, at least
        assert server.gateway.resumed == 0
        assert server.gateway.identified == 1


def test_silence_is_noticed_within_half_a_minute_and_after_two_heartbeats() -> None:
    assert 2 * BEAT < SILENCE <= 30


async def test_what_is_replayed_twice_acts_once(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    joining = await stage.people.say(bob, stage.town, "!heist 69")
    await stage.until(lambda: stage.sits(bob))
    await stage.server.gateway.drop()
    await stage.people.redeliver(joining)
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 171")
    assert await stage.credits(bob) == 171


async def test_a_session_that_ends_begins_anew_and_the_table_goes_on(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    stage.server.gateway.forgets_sessions = True
    await stage.server.gateway.drop()
    await stage.world.until(lambda: stage.server.gateway.identified == 2, seconds=10)
    await stage.lobby(bob)
    await stage.play_out()
    assert len(stage.table.view(None).crew) == 2


@pytest.mark.parametrize("running", [True, False])
async def test_a_table_whose_channel_is_deleted_is_played_to_its_end(
    stage: Stage, server: DiscordServer, store: Store, running: bool
) -> None:
    ann = stage.world.join("ann")
    await stage.lobby(ann)
    await stage.board("ann")
    channel, town = channel_of(stage.town), stage.world.channels.pop(stage.town)
    if not running:
        await stage.close()
    async with Stage(server, store, "b") if not running else nullcontext(stage) as again:
        await again.until(lambda: again.bot.has(channel))
        table = again.bot.rooms[channel].tables["heist"]
        while not table.over:
            await again.turn(table.clock.seconds if table.clock else 0)
        assert await Journal(store).standing() == []
    stage.world.channels[int(town["id"])] = town


async def test_a_bot_of_many_servers_has_several_sockets(server: DiscordServer, store: Store) -> None:
    server.gateway.shards = 3
    async with Stage(server, store) as stage:
        assert server.gateway.identified == 3
        await stage.lobby(stage.world.join("ann"))


async def test_without_the_message_content_slash_commands_and_mentions_work(
    server: DiscordServer, store: Store
) -> None:
    server.gateway.refuses_content = True
    log.configure("warning")
    with capture_logs() as logs:
        stage = await Stage(server, store).open()
    try:
        assert [each["event"] for each in logs if "Message Content Intent" in each["event"]]
        ann, bob, kim = (stage.world.join(name) for name in ("ann", "bob", "kim"))
        await stage.people.slash(ann, stage.town, "heist", stake="69")
        await stage.shown("ann is planning a bank heist")
        await stage.people.say(kim, stage.town, "!heist 69")
        await stage.people.say(bob, stage.town, f"<@{APP}> heist 69")
        await stage.until(lambda: stage.sits(bob))
        assert not stage.sits(kim), "what it cannot read it does not hear"
        await stage.play_out()
    finally:
        await stage.close()


async def test_a_token_that_is_refused_is_a_failure_that_names_the_setting(
    server: DiscordServer, store: Store
) -> None:
    stage = Stage(server, store, token="wrong-canary")  # noqa: S106
    with pytest.raises(Failure, match="CHATBOT_DISCORD_TOKEN") as caught:
        await stage.adapter.run()
    assert "wrong-canary" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_a_token_that_the_gateway_refuses_is_the_same_failure(
    server: DiscordServer, store: Store
) -> None:
    server.gateway.refuses_token = True
    with pytest.raises(Failure, match="CHATBOT_DISCORD_TOKEN"):
        await Stage(server, store).adapter.run()


@pytest.mark.parametrize(
    ("kind", "raised"), [("503", ConnectionError), ("cut", ConnectionError), ("banned", Declined)]
)
async def test_a_discord_that_is_away_may_be_tried_again_and_soon_if_it_does_not_refuse(
    server: DiscordServer, store: Store, kind: str, raised: type[Exception]
) -> None:
    fault = server.fail("GET /users/@me", kind, times=9)
    stage = Stage(server, store)
    with pytest.raises(raised, match="Discord cannot be reached") as caught:
        await stage.adapter.run()
    assert caught.value.__suppress_context__
    fault.times = 0
    async with stage:
        await stage.lobby(stage.world.join("ann"))


async def test_a_result_waits_for_a_connection_that_is_lost_just_now(
    server: DiscordServer, stage: Stage
) -> None:
    ann = stage.world.join("ann")
    await stage.lobby(ann)
    await stage.board("ann")
    running, ticking = stage.tasks
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    async with asyncio.timeout(20):
        while not stage.table.over:  # each turn ends in a line that waits for the connection
            await asyncio.wait([asyncio.ensure_future(stage.watch.turn(60))], timeout=0.02)
    stage.tasks = [asyncio.ensure_future(stage.adapter.run()), ticking]
    await stage.eventually("Results:")
    await stage.eventually("Finished")
    assert len(stage.boards) == 1, "the message from before the loss shows the end"


async def test_the_adapter_leaves_within_three_seconds_under_load(stage: Stage) -> None:
    crowd = [stage.world.join(f"fan{number}") for number in range(20)]
    await stage.lobby(crowd[0])
    stage.server.fail("(POST|PATCH) /channels", "limited", times=1000, seconds=20)
    stage.server.fail("POST /interactions", "slow", times=1000, seconds=20)
    for user in crowd[1:]:
        await stage.people.say(user, stage.town, "!heist 69")
        await stage.people.slash(user, stage.town, "credits")
    await stage.until(lambda: all(map(stage.sits, crowd)))
    began = asyncio.get_running_loop().time()
    await stage.close()
    assert asyncio.get_running_loop().time() - began < 3.0


async def test_a_peer_that_never_says_goodbye_is_left_all_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(adapter, "LEAVING", 0.1)
    assert stage.adapter.client is not None
    monkeypatch.setattr(stage.adapter.client, "close", never)
    began = asyncio.get_running_loop().time()
    await stage.close()
    assert asyncio.get_running_loop().time() - began < 1.0


async def test_the_library_logs_no_frames(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        await stage.people.slash(stage.world.join("ann"), stage.town, "credits")
        await stage.shown("ann has 240")
    assert not [each for each in caplog.records if each.name.startswith("discord")]
