"""Hundreds of channels: all are heard, and what is said never waits for what is still being asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from cogs.twitch.authority import ANNOUNCEMENTS_SCOPES, BOT_SCOPES
from cogs.twitch.key_changes import EVERY
from cogs.twitch.points import Points
from cogs.twitch.session import advise
from tests.adapters.twitch.stage import BOT

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from tests.adapters.twitch.stage import Stage

    Told = list[MutableMapping[str, Any]]


def logins(stage: Stage, count: int) -> list[str]:
    """Make channels whose broadcasters have connected nothing."""
    names = [f"channel{number}" for number in range(count)]
    for each in names:
        stage.fake.world.user(each)
    return names


@pytest.mark.slow
async def test_310_channels_are_heard_by_two_sockets_and_all_are_answered(stage: Stage) -> None:
    names = logins(stage, 310)
    await stage.open(names, seconds=60)
    eventsub = stage.fake.eventsub
    assert len(eventsub.of("channel.chat.message")) == 310
    assert eventsub.open == 2
    messages = [await stage.fake.chat(f"viewer_of_{each}", each, "!credits") for each in names]
    for each in messages:
        await stage.heard(each)
    await stage.watch.turn(2)
    await stage.until(lambda: all(stage.fake.sent(each) for each in names), 60)


async def test_what_costs_points_is_asked_for_three_channels_and_not_in_vain(stage: Stage) -> None:
    await stage.open(logins(stage, 6))
    asked = stage.fake.world.requests.count("POST eventsub/subscriptions")
    assert len(stage.fake.eventsub.of("stream.online")) == 3
    await stage.watch.turn(60)
    assert stage.fake.world.requests.count("POST eventsub/subscriptions") == asked


async def test_more_chats_than_three_sockets_hold_are_told_to_need_a_conduit(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.twitch.bot.SUBSCRIPTIONS", 2)  # as if Twitch had said so
    monkeypatch.setattr("tests.fakes.twitch_eventsub.SUBSCRIPTIONS", 2)
    names = logins(stage, 8)
    await stage.open(names)
    assert len(stage.fake.eventsub.of("channel.chat.message")) == 6  # chats come before all else
    assert stage.fake.eventsub.open == 3
    unheard = [each["channel"] for each in told if each.get("kind") == "channel.chat.message"]
    assert unheard == names[6:]
    assert all("CHATBOT_TWITCH_CONDUIT" in each["reason"] for each in told if each.get("kind"))
    assert "240" in (await stage.say("ann", names[0], "!credits"))[0]


@pytest.mark.parametrize("conduit", [False, True])
async def test_nothing_else_is_asked_for_until_all_chats_are(stage: Stage, conduit: bool) -> None:
    stage.connect_bot([*BOT_SCOPES, *ANNOUNCEMENTS_SCOPES])  # by which each channel has its notices too
    names = logins(stage, 30)
    for each in names:
        stage.fake.world.moderate(each, BOT)
    await stage.open(names, conduit=conduit)
    kinds = [each.type for each in stage.fake.eventsub.subscriptions.values()]
    assert kinds[:30] == ["channel.chat.message"] * 30
    assert kinds[30:].count("channel.chat.notification") == 30


async def test_chats_have_all_the_room_of_three_sockets(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.twitch.bot.SUBSCRIPTIONS", 10)  # as if Twitch had said so
    monkeypatch.setattr("tests.fakes.twitch_eventsub.SUBSCRIPTIONS", 10)
    names = logins(stage, 30)
    await stage.open(names)
    assert len(stage.fake.eventsub.of("channel.chat.message")) == 30


async def test_what_is_no_chat_gives_way_to_the_chat_of_a_streamer_who_is_connected_later(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.twitch.bot.SUBSCRIPTIONS", 2)  # as if Twitch had said so
    monkeypatch.setattr("tests.fakes.twitch_eventsub.SUBSCRIPTIONS", 2)
    stage.connect_bot([*BOT_SCOPES, *ANNOUNCEMENTS_SCOPES])
    for each in ("bea", "cleo"):
        stage.connect_streamer(each)
    await stage.open()
    bot = stage.fake.world.users[BOT].id
    held = [each.type for each in stage.fake.eventsub.subscriptions.values() if each.owner == bot]
    assert sorted(held) == ["channel.chat.message"] * 3 + ["channel.chat.notification"] * 3
    stage.connect_streamer("dora")
    await stage.watch.turn(EVERY)
    await stage._settle()
    assert "240" in (await stage.say("ann", "dora", "!credits"))[0]
    await stage.watch.turn(120)  # what gave way is asked for again, and does not come back
    held = [each.type for each in stage.fake.eventsub.subscriptions.values() if each.owner == bot]
    assert sorted(held) == ["channel.chat.message"] * 4 + ["channel.chat.notification"] * 2
    unheard = [each["kind"] for each in told if str(each.get("kind")).startswith(("channel.chat", "user"))]
    assert sorted(unheard) == ["channel.chat.notification"] * 2 + ["user.whisper.message"]


@pytest.mark.parametrize("conduit", [False, True])
def test_901_channels_need_a_conduit_and_the_operator_reads_so(told: Told, conduit: bool) -> None:
    sentences: list[str] = []
    advise(901, conduit=conduit, tell=sentences.append)
    assert ["conduit" in each for each in sentences] == ([] if conduit else [True])
    assert ["conduit" in str(each) for each in told] == ([] if conduit else [True])


@pytest.mark.slow
async def test_500_channels_of_a_conduit_are_answered_at_once_while_others_are_asked_for(
    stage: Stage,
) -> None:
    """The program's points are not enough for all; `benchmarks.doors` measures how long it takes."""
    names = logins(stage, 500)
    world = stage.fake.world
    for each in names:
        world.moderate(each, BOT)
    adapter = stage.make(names, conduit=True)
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: adapter.connected or (stage.running and stage.running.done()), 60)
    assert len(stage.fake.eventsub.of("channel.chat.message")) == 500
    assert len(stage.fake.eventsub.of("channel.raid")) < 500, "the others are still being asked for"
    assert world.budget("").least >= 0.25 * 800 - 10
    messages = [await stage.fake.chat(f"viewer_of_{each}", each, "!credits") for each in names]
    for each in messages:
        await stage.heard(each)
    await stage.watch.turn(2)
    await stage.until(lambda: all(stage.fake.sent(each) for each in names))
    assert stage.pauses == [], "no message waits for points"


async def test_a_quarter_of_the_points_is_left_for_speech_whatever_is_asked_for(stage: Stage) -> None:
    stage.fake.world.points = 120  # in a minute
    names = logins(stage, 40)
    for each in names:
        stage.fake.world.moderate(each, BOT)
    adapter = stage.make(names, conduit=True)
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: adapter.connected)
    await asyncio.sleep(1)  # time itself is what is tried: subscribing goes on meanwhile
    budget = stage.fake.world.budget("")
    assert len(stage.fake.eventsub.of("stream.online")) < 40
    assert budget.least >= 30 - 1
    for each in names[:20]:
        assert "240" in (await stage.say("ann", each, "!credits"))[0]
    assert budget.refused == 0


async def test_chats_may_still_be_subscribed_to_where_other_things_have_to_wait() -> None:
    points = Points(lambda: 0.0)
    points.note("", {"Ratelimit-Limit": "800", "Ratelimit-Remaining": "220"})
    assert points.wait("", chat=True) == 0
    assert points.wait("", chat=False) == (240 + 1 - 220) * 60 / 800
    await asyncio.wait_for(points.take("", chat=True), 1)  # for other things this clock would never go on
    assert points.wait("", chat=False) == (240 + 1 - 219) * 60 / 800, "one is under way"


def test_points_come_back_evenly_within_a_minute() -> None:
    now = 0.0
    points = Points(lambda: now)
    points.note("", {"Ratelimit-Limit": "800", "Ratelimit-Remaining": "0"})
    assert points.wait("", chat=True) == 201 * 60 / 800
    now = 201 * 60 / 800
    assert points.wait("", chat=True) < 1e-9


def test_an_answer_without_numbers_changes_nothing() -> None:
    points = Points(lambda: 0.0)
    for headers in ({}, {"Ratelimit-Limit": "0", "Ratelimit-Remaining": "0"}, {"Ratelimit-Limit": "many"}):
        points.note("", headers)
    assert points.wait("", chat=False) == 0
