"""What becomes of the chat when a connection fails, in each of the ways in which Twitch's do."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

import pytest

from cogs.twitch.eventsub import MARGIN
from tests.adapters.twitch.stage import BOT, SOON

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from chatbot.rooms.room import Room
    from tests.adapters.twitch.stage import Stage
    from tests.fakes.twitch_eventsub import Session

    Told = list[MutableMapping[str, Any]]


def bot_session(stage: Stage) -> Session:
    return stage.fake.eventsub.session_of(BOT)


def chats(stage: Stage) -> int:
    return len(stage.fake.eventsub.of("channel.chat.message"))


def wire(session: Session) -> asyncio.Transport:
    request = session.socket._req
    assert request is not None
    assert isinstance(request.transport, asyncio.Transport)
    return request.transport


def renewed(stage: Stage, old: Session) -> bool:
    """Whether the chat comes by another connection now."""
    eventsub = stage.fake.eventsub
    now = [
        eventsub.sessions.get(each.transport["session_id"]) for each in eventsub.of("channel.chat.message")
    ]
    return any(each is not None and each.socket is not old.socket for each in now)


@pytest.mark.parametrize("same_session", [True, False])
async def test_what_still_comes_by_the_old_connection_is_heard(stage: Stage, same_session: bool) -> None:
    """The library itself loses every one of these: it closes the old connection unread."""
    await stage.open()
    stage.fake.eventsub.same_session = same_session
    old = bot_session(stage)
    stage.fake.eventsub.welcome.clear()
    await stage.fake.eventsub.ask_to_move(old)
    messages = [await stage.fake.chat("ann", "ada", f"old {number}") for number in range(5)]
    stage.fake.eventsub.welcome.set()
    await stage.until(lambda: bot_session(stage).socket is not old.socket)
    messages += [await stage.fake.chat("ann", "ada", f"new {number}") for number in range(5)]
    await stage.heard(messages[-1])
    heard = [each.text for each in stage.bot.lines]
    assert heard == [f"old {number}" for number in range(5)] + [f"new {number}" for number in range(5)]
    await stage.until(lambda: old.socket.closed)
    await stage.say("ann", "ada", "still here")
    await stage.check()
    assert chats(stage) == 1
    heir = bot_session(stage)
    await heir.socket.close(code=4000)
    await stage.until(lambda: renewed(stage, heir))  # it knows what the former one was subscribed to


async def test_a_connection_that_cannot_move_is_made_anew(stage: Stage) -> None:
    await stage.open()
    old = bot_session(stage)
    stage.fake.eventsub.address = "ws://127.0.0.1:9/"  # where nobody listens
    await stage.fake.eventsub.ask_to_move(old)
    await stage.until(lambda: renewed(stage, old))
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_an_old_connection_that_dies_while_it_moves_is_not_made_twice(stage: Stage) -> None:
    await stage.open()
    old = bot_session(stage)
    stage.fake.eventsub.welcome.clear()
    await stage.fake.eventsub.ask_to_move(old)
    await stage.until(lambda: stage.fake.eventsub.opened == 3)
    await old.socket.close(code=4004)
    stage.fake.eventsub.welcome.set()
    await stage.until(lambda: old.id in stage.fake.eventsub.sessions)
    await stage.check()
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert stage.fake.eventsub.opened == 3


@pytest.mark.parametrize("code", [4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 1006])
async def test_a_dropped_connection_comes_back_with_its_subscriptions(stage: Stage, code: int) -> None:
    """The library gives up after 4001 and 4003, and tells nobody."""
    await stage.open()
    old = bot_session(stage)
    await old.socket.close(code=code)
    await stage.until(lambda: renewed(stage, old))
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_connection_that_is_torn_comes_back(stage: Stage) -> None:
    await stage.open()
    old = bot_session(stage)
    wire(old).abort()
    await stage.until(lambda: renewed(stage, old))
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_silent_server_is_left(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence is a second here: a busy machine may be late by much of that."""
    monkeypatch.setattr("cogs.twitch.eventsub.MARGIN", 0.9)
    stage.fake.eventsub.keepalive, stage.fake.eventsub.timeout = 0.1, 0.1
    await stage.open()
    old = bot_session(stage)
    spoken = stage.fake.eventsub.beats + 2 * 15  # on two connections, each for 1.5 s
    await stage.until(lambda: stage.fake.eventsub.beats >= spoken)
    assert bot_session(stage) is old
    stage.fake.eventsub.keepalive = 3600
    await stage.until(lambda: renewed(stage, old))


def test_silence_is_noticed_within_two_seconds_of_what_twitch_promises() -> None:
    assert 0 < MARGIN < 2


async def test_a_subscription_that_fails_after_a_drop_is_mended(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=1)
    await bot_session(stage).socket.close(code=4000)
    await stage.until(lambda: stage.fake.eventsub.opened == 3)
    await stage.until(lambda: len(stage.fake.eventsub.of("user.whisper.message")) == 1)
    assert chats(stage) == 0
    await stage.watch.turn(1)
    assert chats(stage) == 1


async def test_a_connection_that_is_lost_while_it_subscribes_anew_is_replaced(stage: Stage) -> None:
    await stage.open()
    old, answered = bot_session(stage), asyncio.Event()
    former = set(stage.fake.eventsub.sessions)
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", until=answered)
    await old.socket.close(code=4000)
    await stage.until(lambda: not stage.fake.world.faults[0].times)
    [fresh] = stage.fake.eventsub.sessions.keys() - former
    await stage.fake.eventsub.sessions[fresh].socket.close(code=4000)
    answered.set()
    async with asyncio.timeout(5):
        while not chats(stage):
            await stage.watch.turn(1)
            await asyncio.sleep(0.01)  # the connection itself takes real time
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_rooms_that_were_open_before_another_could_not_be_are_heard_at_the_next_try(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.connect_streamer("bea")
    enter, tries = stage.bot.open, count()

    async def fail_at_the_second(room: Room) -> None:
        if next(tries) == 1:
            raise OSError
        await enter(room)

    monkeypatch.setattr(stage.bot, "open", fail_at_the_second)
    with pytest.raises(OSError):  # noqa: PT011  (it says nothing)
        await stage.make().run()
    await stage.run_again()
    for channel in ("ada", "bea"):
        assert "240" in (await stage.say("ann", channel, "!credits"))[0]


async def test_it_leaves_within_three_seconds_though_the_server_says_nothing(stage: Stage) -> None:
    await stage.open()
    for session in list(stage.fake.eventsub.sessions.values()):
        wire(session).pause_reading()
    started = asyncio.get_running_loop().time()
    assert stage.adapter is not None
    await stage.adapter.stop()
    assert asyncio.get_running_loop().time() - started < 3
    assert stage.running is not None
    await asyncio.wait_for(stage.running, SOON)


async def test_it_leaves_while_it_is_still_arriving(stage: Stage) -> None:
    stage.fake.eventsub.welcome.clear()
    running = asyncio.create_task(stage.make().run())
    await stage.until(lambda: stage.fake.eventsub.open)
    assert stage.adapter is not None
    await stage.adapter.stop()
    await asyncio.wait_for(running, SOON)
    await stage.until(lambda: not stage.fake.eventsub.open)


async def test_it_leaves_while_a_connection_moves(stage: Stage) -> None:
    await stage.open()
    stage.fake.eventsub.welcome.clear()
    await stage.fake.eventsub.ask_to_move(bot_session(stage))
    await stage.until(lambda: stage.fake.eventsub.open == 3)
    await stage.close()
    await stage.until(lambda: not stage.fake.eventsub.open)


@pytest.mark.parametrize("conduit", [False, True])
async def test_no_connection_outlives_it_that_the_watchdog_was_opening(stage: Stage, conduit: bool) -> None:
    await stage.open(conduit=conduit)
    eventsub = stage.fake.eventsub
    accounts = eventsub.open
    [lost, *_] = eventsub.sessions.values()
    eventsub.welcome.clear()
    await lost.socket.close(code=4001)
    await stage.until(lambda: eventsub.opened == accounts + 1)
    looking = asyncio.create_task(stage.watch.turn(60))
    await stage.until(lambda: eventsub.open == accounts)
    assert stage.adapter is not None
    await stage.adapter.stop()
    opened = eventsub.opened
    eventsub.welcome.set()
    await looking
    await stage.until(lambda: eventsub.open == 0)
    assert eventsub.opened == opened


async def test_it_can_be_run_again_and_the_rooms_go_on(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    room = stage.chat("ada").room
    await stage.run_again()
    assert stage.chat("ada").room is room
    await stage.say("bob", "ada", "!heist 5")
    await stage.watch.turn(200)
    assert stage.table("ada").over
