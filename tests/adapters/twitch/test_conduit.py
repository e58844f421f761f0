"""The same by a conduit: the program's own key subscribes, and shards carry it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Failure
from cogs.twitch.conduit import MOST_SHARDS
from tests.adapters.twitch.stage import BOT, SOON
from tests.fakes.twitch_eventsub import Conduit

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from tests.adapters.twitch.stage import Stage
    from tests.fakes.twitch_eventsub import Session

    Told = list[MutableMapping[str, Any]]


def first_shard(stage: Stage) -> Session:
    [conduit] = stage.fake.eventsub.conduits.values()
    return stage.fake.eventsub.sessions[conduit.shards["0"]]


async def test_a_heist_is_played_by_a_conduit(stage: Stage) -> None:
    await stage.open(conduit=True)
    assert {each.transport["method"] for each in stage.fake.eventsub.subscriptions.values()} == {"conduit"}
    assert "planning a bank heist" in (await stage.say("ann", "ada", "!heist 69"))[0]
    await stage.watch.turn(200)
    assert stage.table("ada").over


async def test_a_conduit_that_stands_is_taken_over_with_its_subscriptions(stage: Stage) -> None:
    await stage.open(conduit=True)
    asked = stage.fake.world.requests.count("POST eventsub/subscriptions")
    await stage.run_again()
    assert len(stage.fake.eventsub.conduits) == 1
    assert stage.fake.world.requests.count("POST eventsub/subscriptions") == asked
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_shard_that_is_told_to_move_opens_one_connection_and_loses_nothing(stage: Stage) -> None:
    """The library opens two, and keeps one of them for ever."""
    await stage.open(conduit=True)
    old = first_shard(stage)
    stage.fake.eventsub.welcome.clear()
    await stage.fake.eventsub.ask_to_move(old)
    messages = [await stage.fake.chat("ann", "ada", f"old {number}") for number in range(5)]
    stage.fake.eventsub.welcome.set()
    await stage.until(lambda: old.socket.closed)
    messages.append(await stage.fake.chat("ann", "ada", "new"))
    await stage.heard(messages[-1])
    assert [each.text for each in stage.bot.lines] == [*(f"old {number}" for number in range(5)), "new"]
    assert stage.fake.eventsub.opened == 3  # two shards, and one that has moved
    assert stage.fake.eventsub.open == 2
    await stage.close()
    await stage.until(lambda: not stage.fake.eventsub.open)


async def test_of_shards_only_the_one_that_has_another_session_after_a_move_is_told(stage: Stage) -> None:
    await stage.open(conduit=True)
    stage.fake.eventsub.same_session = False
    [conduit] = stage.fake.eventsub.conduits.values()
    before, told = dict(conduit.shards), stage.fake.world.requests.count("PATCH eventsub/conduits/shards")
    await stage.fake.eventsub.ask_to_move(first_shard(stage))
    await stage.until(lambda: _replaced(stage, conduit, before["0"]))
    assert conduit.shards["1"] == before["1"]
    await stage.say("ann", "ada", "hello")
    assert stage.fake.world.requests.count("PATCH eventsub/conduits/shards") == told + 1


async def test_a_conduit_that_was_left_with_more_shards_is_heard_by_all_of_them(stage: Stage) -> None:
    """It does not shrink by itself, and what is dealt to two shards that nobody opens is lost."""
    dead = {str(number): f"dead-{number}" for number in range(5)}
    stage.fake.eventsub.conduits["conduit-1"] = Conduit("conduit-1", dead, count=5)
    names = [f"channel{number}" for number in range(10)]  # dealt to every shard
    for each in names:
        stage.fake.world.user(each)
        stage.fake.world.moderate(each, BOT)
    await stage.open(names, conduit=True)
    assert stage.fake.eventsub.open == 5
    for each in names:
        assert "240" in (await stage.say("ann", each, "!credits"))[0]


async def test_of_a_conduit_with_too_many_shards_the_others_are_given_back(stage: Stage) -> None:
    stage.fake.eventsub.conduits["conduit-1"] = Conduit("conduit-1", count=20_000)
    await stage.open(conduit=True)
    assert stage.fake.eventsub.conduits["conduit-1"].count == MOST_SHARDS
    assert stage.fake.eventsub.open == MOST_SHARDS
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


@pytest.mark.parametrize("code", [4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 1006])
async def test_a_dropped_shard_comes_back(stage: Stage, code: int) -> None:
    await stage.open(conduit=True)
    old = first_shard(stage)
    await old.socket.close(code=code)
    await stage.until(lambda: stage.fake.eventsub.opened == 3)
    [conduit] = stage.fake.eventsub.conduits.values()
    await stage.until(lambda: conduit.shards["0"] in stage.fake.eventsub.sessions)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


def _replaced(stage: Stage, conduit: Conduit, lost: str) -> bool:
    """Whether the first shard of a conduit is another connection now, which is open."""
    return conduit.shards["0"] != lost and conduit.shards["0"] in stage.fake.eventsub.sessions


@pytest.mark.parametrize("lost", [1, 2])
async def test_shards_that_are_not_taken_at_once_are_tried_again(stage: Stage, lost: int) -> None:
    await stage.open(conduit=True)
    stage.fake.world.disturb("eventsub/conduits/shards", 500, method="PATCH", times=lost)
    for session in list(stage.fake.eventsub.sessions.values())[:lost]:
        await session.socket.close(code=4000)
    [conduit] = stage.fake.eventsub.conduits.values()
    await stage.until(lambda: set(conduit.shards.values()) <= set(stage.fake.eventsub.sessions))
    assert not stage.fake.world.faults[0].times
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert stage.fake.eventsub.open == 2
    opened = stage.fake.eventsub.opened
    await stage.watch.turn(120)
    assert stage.fake.eventsub.opened == opened  # nothing more


async def test_a_shard_that_is_lost_as_soon_as_it_is_there_is_opened_ever_more_rarely(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each opening takes one of the points from which the bot speaks."""
    monkeypatch.setattr("cogs.twitch.conduit.FIRST_PAUSE", 3600.0)
    monkeypatch.setattr("cogs.twitch.conduit.PROBE", 3600.0)
    await stage.open(conduit=True)
    [conduit] = stage.fake.eventsub.conduits.values()
    first, second = conduit.shards["0"], conduit.shards["1"]
    await stage.fake.eventsub.sessions[first].socket.close(code=4000)
    await stage.until(lambda: conduit.shards["0"] not in {first, second})  # at once
    await first_shard(stage).socket.close(code=4000)
    await stage.until(lambda: told)
    assert [(each["event"], each["shard"]) for each in told] == [
        ("a shard of the conduit is lost as soon as it is there", "0")
    ]
    await stage.fake.eventsub.sessions[second].socket.close(code=4000)
    await stage.until(lambda: conduit.shards["1"] in stage.fake.eventsub.sessions)
    assert stage.fake.eventsub.opened == 4, "two shards, and each of them once more"
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0], "by the other shard"


async def test_a_shard_by_which_something_was_heard_is_opened_at_once_however_soon_it_is_lost(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.twitch.conduit.FIRST_PAUSE", 3600.0)
    monkeypatch.setattr("cogs.twitch.conduit.PROBE", 3600.0)
    await stage.open(conduit=True)
    [conduit] = stage.fake.eventsub.conduits.values()
    [chat] = stage.fake.eventsub.of("channel.chat.message")
    for number in range(4):
        assert "240" in (await stage.say(f"fan{number}", "ada", "!credits"))[0]
        lost, _ = conduit.dealt(chat)
        await stage.fake.eventsub.sessions[lost].socket.close(code=4000)
        await stage.until(lambda: lost not in conduit.shards.values())  # noqa: B023
    assert stage.fake.eventsub.opened == 6
    assert told == []


async def test_a_shard_that_was_there_for_a_while_is_opened_at_once_each_time(
    stage: Stage, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.twitch.conduit.FIRST_PAUSE", 3600.0)
    monkeypatch.setattr("cogs.twitch.conduit.STEADY", 0.0)  # as if a while had passed
    await stage.open(conduit=True)
    [conduit] = stage.fake.eventsub.conduits.values()
    for _ in range(3):
        lost = first_shard(stage)
        await lost.socket.close(code=4000)
        await stage.until(partial(_replaced, stage, conduit, lost.id))
    assert stage.fake.eventsub.opened == 5
    assert told == []


async def test_a_shard_that_is_just_coming_back_is_left_to_it(stage: Stage) -> None:
    await stage.open(conduit=True)
    stage.fake.eventsub.welcome.clear()
    await first_shard(stage).socket.close(code=4000)
    await stage.until(lambda: stage.fake.eventsub.opened == 3)
    await asyncio.wait_for(stage.watch.turn(60), SOON)
    stage.fake.eventsub.welcome.set()
    [conduit] = stage.fake.eventsub.conduits.values()
    await stage.until(lambda: conduit.shards["0"] in stage.fake.eventsub.sessions)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    assert stage.fake.eventsub.opened == 3


async def test_a_shard_that_cannot_be_opened_is_told_once(stage: Stage, told: Told) -> None:
    await stage.open(conduit=True)
    stage.fake.world.disturb("eventsub/conduits/shards", 500, method="PATCH", times=2)
    await first_shard(stage).socket.close(code=4000)
    [conduit] = stage.fake.eventsub.conduits.values()
    await stage.until(lambda: not stage.fake.world.faults[0].times)
    await stage.until(lambda: conduit.shards["0"] in stage.fake.eventsub.sessions)
    assert [each["shard"] for each in told] == ["0"]


async def test_a_shard_that_twitch_has_forgotten_is_given_again_within_a_minute(stage: Stage) -> None:
    await stage.open(conduit=True)
    [conduit] = stage.fake.eventsub.conduits.values()
    before, conduit.shards = conduit.shards, {"0": "elsewhere"}
    await stage.watch.turn(60)
    await stage.until(lambda: conduit.shards == before)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_conduit_that_was_deleted_is_made_again_within_a_minute(stage: Stage) -> None:
    await stage.open(conduit=True)
    eventsub = stage.fake.eventsub
    eventsub.conduits.clear()
    eventsub.subscriptions.clear()
    await stage.watch.turn(60)
    await stage.until(lambda: len(eventsub.conduits) == 1 and len(eventsub.of("channel.chat.message")) == 1)
    [conduit] = eventsub.conduits.values()
    await stage.until(lambda: len(conduit.shards) == 2)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_lost_subscription_of_a_conduit_is_made_again(stage: Stage) -> None:
    await stage.open(conduit=True)
    stage.fake.eventsub.subscriptions.clear()
    await stage.watch.turn(60)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_channel_that_has_not_let_the_bot_in_is_told(stage: Stage, told: Told) -> None:
    stage.fake.world.user("cleo")
    await stage.open(["ada", "cleo"], conduit=True)
    assert [(each["kind"], each["channel"]) for each in told] == [("channel.chat.message", "cleo")]
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_conduit_that_cannot_be_reached_is_left_in_order(stage: Stage) -> None:
    stage.fake.world.disturb("eventsub/conduits/shards", 500)
    with pytest.raises(Exception, match="Twitch answered 500 to PATCH eventsub/conduits/shards"):
        await stage.make(conduit=True).run()
    await stage.until(lambda: not stage.fake.eventsub.open)


async def test_more_than_one_conduit_is_one_sentence(stage: Stage) -> None:
    for name in ("one", "two"):
        stage.fake.eventsub.conduits[name] = Conduit(name)
    with pytest.raises(Failure, match="CHATBOT_TWITCH_CONDUIT"):
        await stage.make(conduit=True).run()
