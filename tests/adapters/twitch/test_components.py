"""What is heard is heard by components of the library, in the order in which Twitch has told it."""

from __future__ import annotations

import ast
import asyncio
import inspect
from typing import TYPE_CHECKING, Any

import pytest
from twitchio.ext import commands

from chatbot.bot.bot import Bot
from chatbot.bot.pending_line import PendingLine
from chatbot.rooms.inbox import Inbox
from cogs.twitch import components
from cogs.twitch.bot import WebsocketBot
from cogs.twitch.conduit import ConduitBot
from cogs.twitch.eventsub import Socket
from cogs.twitch.lines import channel_of
from cogs.twitch.subscriptions.wanted import wishes
from tests.fakes.twitch_eventsub import Conduit

if TYPE_CHECKING:
    from chatbot.rooms.room import Room
    from tests.adapters.twitch.stage import Stage

COMPONENTS = {
    "ChatComponent": {"event_message"},
    "WhisperComponent": {"event_message_whisper"},
    "StreamComponent": {"event_stream_online", "event_stream_offline"},
    "SupportComponent": {
        "event_cheer",
        "event_follow",
        "event_raid",
        "event_subscription",
        "event_subscription_message",
    },
    "AnnouncementComponent": {"event_notice"},
    "RevocationComponent": {"event_revocation"},
}


@pytest.mark.parametrize("conduit", [False, True])
async def test_each_concern_is_a_component_that_the_bot_has_loaded(stage: Stage, conduit: bool) -> None:
    await stage.open(conduit=conduit)
    bot = stage.client
    assert isinstance(bot, commands.Bot)
    loaded = {name: bot.get_component(name) for name in COMPONENTS}
    heard = {name: set(each.__all_listeners__) for name, each in loaded.items() if each is not None}
    assert heard == COMPONENTS
    for event in set().union(*COMPONENTS.values()):
        assert len(bot._listeners[event]) >= 1, event


async def test_every_event_that_is_asked_for_has_a_listener(stage: Stage) -> None:
    await stage.open()
    keys = {each.user_id: each for each in stage.ring.broadcasters}
    assert stage.ring.bot is not None
    asked = {str(each.payload.type) for each in wishes(stage.ring.bot, keys, list(keys))}
    assert asked == {
        "channel.chat.message",
        "user.whisper.message",
        "stream.online",
        "stream.offline",
        "channel.follow",
        "channel.subscribe",
        "channel.subscription.message",
        "channel.cheer",
        "channel.raid",
    }, "and each is one of the listeners above, besides the end of a subscription, and notices"
    assert len(asked) + 2 == len(set().union(*COMPONENTS.values()))


def test_no_listener_waits_for_anything() -> None:
    """The library starts listeners in order; one that waited would let others overtake it."""
    tree = ast.parse(inspect.getsource(components))
    listeners = {
        each.name: each
        for each in ast.walk(tree)
        if isinstance(each, ast.AsyncFunctionDef) and each.name.startswith("event_")
    }
    assert set(listeners) == set().union(*COMPONENTS.values())
    for name, listener in listeners.items():
        waits = [
            each for each in ast.walk(listener) if isinstance(each, ast.Await | ast.AsyncFor | ast.AsyncWith)
        ]
        assert waits == [], name


async def test_events_of_every_kind_keep_their_order(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a conduit of one shard, which brings them all; those of two connections have no order."""
    heard: list[str] = []
    put = Inbox.put

    def record(inbox: Inbox, each: Any) -> bool:  # a line, or work of which a raid is the argument
        heard.append(each.line.text if isinstance(each, PendingLine) else f"raid {each.work.args[0].amount}")
        return put(inbox, each)

    stage.fake.eventsub.conduits["conduit-1"] = Conduit("conduit-1", count=1)
    await stage.open(conduit=True)
    await stage.say("ann", "ada", "hello")  # a whisper belongs where somebody has spoken
    monkeypatch.setattr(Inbox, "put", record)
    expected = []
    for number in range(40):
        await stage.fake.chat("bob", "ada", f"line {number}")
        await stage.fake.raid("zoe", "ada", number)
        await stage.fake.whisper("ann", f"whisper {number}")
        expected += [f"line {number}", f"raid {number}", f"whisper {number}"]
    await stage.until(lambda: len(heard) == len(expected))
    assert heard == expected


@pytest.mark.parametrize("conduit", [False, True])
async def test_a_bot_that_comes_back_has_every_component_once(stage: Stage, conduit: bool) -> None:
    await stage.open(conduit=conduit)
    await stage.run_again()
    heard = len(stage.bot.lines)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert len(stage.bot.lines) == heard + 1


async def test_what_is_said_while_the_bot_leaves_is_answered_when_it_is_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.open()
    close, closed = Socket.close, list[Socket]()

    async def bring_and_close(socket: Socket) -> None:
        closed.append(socket)
        if len(closed) == 1:
            await stage.fake.chat("ann", "ada", "!credits")
        await stage.until(lambda: stage.bot.lines)
        await close(socket)

    monkeypatch.setattr(Socket, "close", bring_and_close)
    await stage.run_again()
    await stage.say("bob", "ada", "hello")
    assert [each.text for each in stage.bot.lines] == ["!credits", "hello"]
    assert "Ann has 240" in stage.fake.sent("ada")[-1]


@pytest.mark.parametrize("conduit", [False, True])
async def test_sockets_are_closed_while_there_are_components_to_hear_what_they_bring(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, conduit: bool
) -> None:
    await stage.open(conduit=conduit)
    bot, close, loaded = stage.client, Socket.close, list[bool]()
    assert isinstance(bot, WebsocketBot | ConduitBot)
    sockets = len(bot.sockets)
    assert sockets == 2, "those of the bot and of ada, or of two shards"

    async def record(socket: Socket) -> None:
        loaded.append(bot.get_component("ChatComponent") is not None)
        await close(socket)

    monkeypatch.setattr(Socket, "close", record)
    assert stage.adapter is not None
    await stage.adapter.stop()
    assert loaded == [True] * sockets
    assert bot.get_component("ChatComponent") is None


async def test_what_is_heard_before_its_room_is_open_is_kept(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shards of a conduit that stands bring lines while the rooms are still being opened."""
    await stage.open(conduit=True)
    await stage.close()
    bot = stage.bot
    opening, go_on = asyncio.Event(), asyncio.Event()
    adapter = stage.make(conduit=True)
    room = bot.rooms[channel_of(stage.fake.world.users["ada"].id)]
    bot.rooms.close(room)

    async def open_late(room: Room) -> Room:
        opening.set()
        await go_on.wait()
        return await Bot.open(bot, room)

    monkeypatch.setattr(bot, "open", open_late)
    stage.running = asyncio.create_task(adapter.run())
    await opening.wait()
    await stage.fake.chat("ann", "ada", "!credits")
    await stage.until(lambda: bot.rooms.load.waiting)
    assert bot.lines == []
    go_on.set()
    await stage.until(lambda: adapter.connected)
    await stage.say("bob", "ada", "hello")
    assert [each.text for each in bot.lines] == ["!credits", "hello"]


async def test_the_parser_of_the_library_is_never_asked(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    async def parse(_: commands.Bot, payload: object) -> None:
        asked.append(payload)

    monkeypatch.setattr(commands.Bot, "_process_commands", parse)
    await stage.open()
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert asked == []
