"""Nothing that Twitch silently stops telling stays untold for longer than a minute."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cogs.twitch.key_changes import EVERY
from tests.adapters.twitch.stage import BOT
from tests.fakes.twitch_authority import Trouble

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from tests.adapters.twitch.stage import Stage
    from tests.fakes.twitch_eventsub import Subscription

    Told = list[MutableMapping[str, Any]]


def chat(stage: Stage) -> Subscription:
    [found] = stage.fake.eventsub.of("channel.chat.message")
    return found


async def test_a_lost_subscription_is_made_again_within_a_minute(stage: Stage) -> None:
    await stage.open()
    del stage.fake.eventsub.subscriptions[chat(stage).id]
    await stage.watch.turn(60)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


@pytest.mark.parametrize("reason", ["version_removed", "moderator_removed", "whatever Twitch thinks of next"])
async def test_a_revoked_subscription_is_told_and_made_again(stage: Stage, told: Told, reason: str) -> None:
    await stage.open()
    await stage.fake.eventsub.revoke(chat(stage), reason)
    await stage.until(lambda: told)
    found = [told[0][key] for key in ("event", "kind", "reason")]
    assert found == ["Twitch has ended a subscription", "channel.chat.message", reason]
    await stage.until(lambda: stage.fake.eventsub.of("channel.chat.message"))
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_what_is_revoked_again_and_again_is_asked_for_ever_more_rarely(stage: Stage) -> None:
    await stage.open()
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: stage.fake.eventsub.of("channel.chat.message"))
    asked = stage.fake.world.requests.count("POST eventsub/subscriptions")
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: not stage.fake.eventsub.of("channel.chat.message"))
    await asyncio.sleep(0.05)  # that nothing happens is what is tried
    assert stage.fake.world.requests.count("POST eventsub/subscriptions") == asked
    await stage.watch.turn(1)
    assert chat(stage).status == "enabled"


async def test_what_is_revoked_whenever_it_is_made_is_asked_for_a_few_times_a_minute(stage: Stage) -> None:
    await stage.open()
    asked = stage.fake.world.requests.count("POST eventsub/subscriptions")
    for _ in range(59):
        if stage.fake.eventsub.of("channel.chat.message"):
            await stage.fake.eventsub.revoke(chat(stage), "version_removed")
            await stage.until(lambda: not stage.fake.eventsub.of("channel.chat.message"))
            await stage._settle()
        await stage.watch.turn(1)
    assert stage.fake.world.requests.count("POST eventsub/subscriptions") - asked <= 12


async def test_a_fault_after_something_was_heard_is_over_at_once_however_soon_it_follows(
    stage: Stage,
) -> None:
    await stage.open()
    for number in range(6):
        if number % 3 == 2:
            await stage.fake.eventsub.revoke(chat(stage), "version_removed")
        else:
            await stage.fake.eventsub.session_of(BOT).socket.close(code=4000)
        await stage.until(lambda: not stage.fake.eventsub.of("channel.chat.message"))
        await stage.until(lambda: stage.fake.eventsub.of("channel.chat.message"))
        assert "240" in (await stage.say(f"fan{number}", "ada", "!credits"))[0]
    assert stage.watch.now() <= 6 * 2, "the clock was turned by what was said alone"


async def test_while_twitch_cannot_be_reached_each_account_is_tried_every_five_seconds_for_all_its_chats(
    stage: Stage,
) -> None:
    for login in ("bea", "cat", "dan"):
        stage.connect_streamer(login)
    await stage.open()
    eventsub = stage.fake.eventsub
    eventsub.refuses = True
    for session in list(eventsub.sessions.values()):
        await session.socket.close(code=4000)
    await stage.until(lambda: not eventsub.of("channel.chat.message"))
    accounts, first = 5, eventsub.refused
    await stage.until(lambda: eventsub.refused > first)
    for _ in range(49):
        await stage.watch.turn(1)
        await asyncio.sleep(0.02)  # the connections themselves take real time
    # After 1, 3, 7, 12 … seconds: eleven in fifty, by each account, and what was under way at the beginning.
    assert 7 * accounts <= eventsub.refused <= 14 * accounts + 40
    eventsub.refuses = False
    await stage.watch.turn(5)
    await stage.until(lambda: len(eventsub.of("channel.chat.message")) == 4)


async def test_a_connection_that_ends_before_it_has_brought_anything_is_tried_more_rarely_but_never_given_up(
    stage: Stage,
) -> None:
    await stage.open()
    opened = stage.fake.eventsub.opened
    for _ in range(30):
        for session in list(stage.fake.eventsub.sessions.values()):
            if session.account == stage.fake.world.users[BOT].id:
                await session.socket.close(code=4000)
        await stage.until(lambda: not stage.fake.eventsub.of("channel.chat.message"))
        await asyncio.sleep(0.02)
        await stage.watch.turn(1)
        await stage._settle()
    # After 0, 1, 3, 7, 12, 17, 22 and 27 seconds.
    assert 6 <= stage.fake.eventsub.opened - opened <= 10
    await stage.watch.turn(5)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_what_twitch_takes_again_is_asked_for_as_soon_as_ever_when_it_is_refused_the_next_time(
    stage: Stage,
) -> None:
    await stage.open()
    for failures in (4, 2):
        stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=failures)
        await stage.fake.eventsub.revoke(chat(stage), "version_removed")
        await stage.until(lambda: stage.fake.world.faults[-1].times == failures - 1)  # noqa: B023
        await stage._settle()
        await stage.watch.turn(2**failures - 1)  # 15 s, and three
        assert chat(stage).status == "enabled"
        assert "240" in (await stage.say(f"fan{failures}", "ada", "!credits"))[0]


async def test_what_could_not_be_asked_for_is_tried_again_within_seconds(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=2)
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: not any(each.times > 1 for each in stage.fake.world.faults))
    await stage._settle()
    await stage.watch.turn(3)  # after one second, and after two more
    assert chat(stage).status == "enabled"


async def test_after_a_long_failure_the_next_one_is_tried_again_within_seconds_too(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=100)
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: not stage.fake.eventsub.of("channel.chat.message"))
    await stage.watch.turn(180)
    stage.fake.world.faults.clear()
    await stage.watch.turn(60)
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST")
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: not any(each.times for each in stage.fake.world.faults))
    await stage.watch.turn(2)
    assert chat(stage).status == "enabled"


async def test_what_fails_for_good_does_not_slow_down_what_fails_once(stage: Stage) -> None:
    await stage.open()
    [cheers] = stage.fake.eventsub.of("channel.cheer")
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=100)
    await stage.fake.eventsub.revoke(cheers, "version_removed")
    await stage.until(lambda: not stage.fake.eventsub.of("channel.cheer"))
    await stage.watch.turn(45)  # after 1, 3, 7, 15 and 31 seconds, and next after 63
    left = stage.fake.world.faults[0].times
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: stage.fake.world.faults[0].times < left)
    await stage._settle()
    stage.fake.world.faults.clear()
    await stage.watch.turn(3)
    assert chat(stage).status == "enabled"


async def test_what_a_new_key_does_not_allow_any_more_holds_up_nothing(stage: Stage) -> None:
    await stage.open()
    [cheers] = stage.fake.eventsub.of("channel.cheer")
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=100)
    await stage.fake.eventsub.revoke(cheers, "version_removed")
    await stage.until(lambda: stage.fake.world.faults[0].times < 100)
    stage.connect_streamer("ada", ["channel:bot"])
    await stage.watch.turn(EVERY)
    await stage.fake.eventsub.revoke(chat(stage), "version_removed")
    await stage.until(lambda: not stage.fake.eventsub.of("channel.chat.message"))
    stage.fake.world.faults.clear()
    await stage.watch.turn(30)
    assert chat(stage).status == "enabled"


async def test_what_stands_is_not_asked_for_again(stage: Stage) -> None:
    stage.fake.helix.page = 2  # of seven at a time: all pages are read
    await stage.open()
    asked = stage.fake.world.requests.count("POST eventsub/subscriptions")
    await stage.watch.turn(180)
    assert stage.fake.world.requests.count("POST eventsub/subscriptions") == asked


@pytest.mark.parametrize("status", [409, 429])
async def test_a_slot_held_by_a_dead_connection_is_freed(stage: Stage, status: int) -> None:
    await stage.open()
    stage.fake.eventsub.hold(chat(stage), status)
    await stage.check()
    assert chat(stage).transport["session_id"] in stage.fake.eventsub.sessions
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_subscriptions_of_others_are_left_alone(stage: Stage) -> None:
    await stage.open()
    held = chat(stage)
    stage.fake.eventsub.hold(held, 429)
    elsewhere = {**held.condition, "broadcaster_user_id": "77"}
    other = replace(held, id="another process's", condition=elsewhere)
    stage.fake.eventsub.subscriptions[other.id] = other
    await stage.check()
    assert held.id not in stage.fake.eventsub.subscriptions
    assert other.id in stage.fake.eventsub.subscriptions


async def test_too_many_requests_are_tried_again_a_minute_later(stage: Stage) -> None:
    await stage.open()
    del stage.fake.eventsub.subscriptions[chat(stage).id]
    stage.fake.world.disturb("eventsub/subscriptions", 429, method="POST", reset=30)
    await stage.check()
    assert stage.fake.eventsub.of("channel.chat.message") == []
    await stage.watch.turn(60)
    assert chat(stage).status == "enabled"


async def test_a_banned_bot_is_told_once_and_the_other_chats_go_on(stage: Stage, told: Told) -> None:
    stage.connect_streamer("bea")
    world = stage.fake.world
    world.banned.add((world.users["bea"].id, world.users[BOT].id))
    await stage.open()
    await stage.watch.turn(120)
    [lack] = [each for each in told if each.get("kind") == "channel.chat.message"]
    assert lack["channel"] == "bea"
    assert "banned" in lack["reason"]
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]
    world.banned.clear()
    await stage.watch.turn(60)
    assert "240" in (await stage.say("ann", "bea", "!credits"))[0]


async def test_a_chat_that_stays_deaf_is_told_of_after_three_rounds(stage: Stage, told: Told) -> None:
    await stage.open()
    del stage.fake.eventsub.subscriptions[chat(stage).id]
    stage.fake.world.disturb("eventsub/subscriptions", 500, method="POST", times=100)
    await stage.watch.turn(120)
    assert not [each for each in told if each["log_level"] == "error"]
    await stage.watch.turn(60)
    assert [each["channel"] for each in told if each["log_level"] == "error"] == ["ada"]
    await stage.watch.turn(600)
    assert len([each for each in told if each["log_level"] == "error"]) == 1


async def test_what_is_mended_and_breaks_again_is_told_again(stage: Stage, told: Told) -> None:
    await stage.open()
    for _ in range(2):
        del stage.fake.eventsub.subscriptions[chat(stage).id]
        stage.fake.world.disturb("eventsub/subscriptions", 403, method="POST")
        await stage.check()
        await stage.check()
        assert chat(stage).status == "enabled"
    assert len([each for each in told if each.get("kind") == "channel.chat.message"]) == 2


async def test_that_twitch_says_nothing_is_told_anew_each_time_that_it_begins(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    for _ in range(2):
        stage.fake.world.disturb("eventsub/subscriptions", 503, method="GET", times=4)
        for _ in range(4):
            await stage.check()
    unread = [each for each in told if each["event"] == "Twitch does not say what it tells us"]
    assert sorted(each["account"] for each in unread) == ["ada", "ada", BOT, BOT]


async def test_keys_that_cannot_be_looked_at_keep_nothing_else_from_being_mended(stage: Stage) -> None:
    await stage.open()
    await stage.watch.turn(59 * 60)  # with the look at the start that is 60, and the keys are next
    del stage.fake.eventsub.subscriptions[chat(stage).id]
    stage.fake.authority.disturb(Trouble.BROKEN, 100, path="validate")
    await stage.watch.turn(60)
    assert chat(stage).status == "enabled"


async def test_helix_that_does_not_answer_is_no_reason_to_act(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.disturb("eventsub/subscriptions", 500, times=100)
    await stage.watch.turn(180)
    assert "240" in (await stage.say("ann", "ada", "!credits"))[0]


async def test_a_stopped_adapter_does_not_look_again(stage: Stage) -> None:
    await stage.open()
    assert stage.adapter is not None
    await stage.adapter.stop()
    asked = len(stage.fake.world.requests)
    await stage.watch.turn(600)
    assert len(stage.fake.world.requests) == asked
