"""What Twitch refuses to show is said again, said otherwise, or told to the operator: never just lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.bot.cooldowns import READING_COOLDOWN
from chatbot.rooms.channel import Delivery
from cogs.twitch.authority import BOT_SCOPES
from cogs.twitch.channels import LENGTH
from cogs.twitch.lines import account_of
from cogs.twitch.sender import varied
from tests.adapters.twitch.stage import BOT, DEADLINE
from tests.fakes.twitch_world import Whispered

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from tests.adapters.twitch.stage import Stage

    Told = list[MutableMapping[str, Any]]

HELD = "Ann has 240 credits."


def reasons(told: Told) -> list[str]:
    return [each["reason"] for each in told if each["event"] == "the bot could not speak"]


async def test_in_a_quiet_chat_an_answer_does_not_wait(stage: Stage) -> None:
    await stage.open()
    await stage.heard(await stage.fake.chat("ann", "ada", "!credits"))
    await stage.watch.turn()
    assert stage.fake.sent("ada")[0] == HELD


async def test_in_a_busy_chat_everybody_has_an_answer_within_two_seconds(stage: Stage) -> None:
    await stage.open()
    asked = {}
    for number in range(40):
        name = f"member{number:02}"
        asked[name.capitalize()] = stage.watch.now()
        await stage.heard(await stage.fake.chat(name, "ada", "!credits"))
        await stage.watch.turn(0.85)
    await stage.watch.turn(2)
    waits = [
        next(each.at for each in stage.fake.world.said if f"{name} has 240 credits." in each.text) - at
        for name, at in asked.items()
    ]
    assert waits[0] == 0
    assert max(waits) <= 2


async def test_a_duplicate_is_said_again_with_a_difference_that_nobody_sees(stage: Stage) -> None:
    await stage.open()
    [first] = await stage.say("ann", "ada", "!credits")
    await stage.watch.turn(READING_COOLDOWN.member)
    [second] = await stage.say("ann", "ada", "!credits")
    assert second != first
    assert second.removesuffix(" \u034f") == first


async def test_one_answer_can_be_given_as_often_as_it_may_be_asked_for(stage: Stage) -> None:
    await stage.open()
    for _ in range(5):
        [said] = await stage.say("ann", "ada", "!credits")
        assert HELD in said
        await stage.watch.turn(READING_COOLDOWN.member)


@pytest.mark.parametrize(("length", "varied_length"), [(1, 3), (498, 500), (499, 499), (500, 500)])
def test_a_difference_that_nobody_sees_fits_into_a_message(length: int, varied_length: int) -> None:
    text = ("ab " * 200)[:length]
    changed = varied(text, LENGTH)
    assert changed != text
    assert len(changed) == varied_length


async def test_what_is_a_duplicate_however_it_is_said_is_given_up(stage: Stage, told: Told) -> None:
    await stage.open()
    stage.fake.world.drops["ada"].extend(["msg_duplicate"] * 2)
    assert await stage.say("ann", "ada", "!credits") == []
    assert stage.fake.world.requests.count("POST chat/messages") == 2
    assert reasons(told) == ["Twitch dropped a message (msg_duplicate)"]


async def test_too_much_is_said_later_and_less_is_said_from_then_on(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.drops["ada"].extend(["msg_ratelimit"] * 2)
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert stage.pauses == [1.0, 3.0]
    assert stage.chat("ada").channel.manner.budget == 9  # half of 19, however often one line was refused
    await stage.watch.turn(601)
    await stage.say("ann", "ada", "!top")
    assert stage.chat("ada").channel.manner.budget == 19


async def test_slow_mode_is_waited_for(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.drops["ada"].extend(["msg_slowmode"] * 3)
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert stage.pauses == [1.0, 3.0, 26.0]  # all of the window of 30 s
    assert stage.chat("ada").channel.manner.budget == 19


async def test_a_mode_that_is_too_slow_for_the_bot_is_told(stage: Stage, told: Told) -> None:
    await stage.open()
    stage.fake.world.drops["ada"].extend(["msg_slowmode"] * 4)
    assert await stage.say("ann", "ada", "!credits") == []
    assert reasons(told) == ["the chat is in slow mode: make the bot moderator"]


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("msg_banned", "banned"),
        ("msg_timedout", "timed out"),
        ("user_timed_out", "timed out"),
        ("user_warned", "warned"),
        ("banned_phone_alias", "phone"),
        ("followers_only_mode", "followers"),
        ("msg_followersonly", "followers"),
        ("msg_subsonly", "subscribers"),
        ("msg_emoteonly", "emotes"),
        ("msg_rejected", "AutoMod"),
        ("automod_held", "AutoMod"),
        ("channel_settings", "rules"),
        ("something_new", "something_new"),
    ],
)
async def test_what_only_people_can_mend_is_told_once_an_hour(
    stage: Stage, told: Told, code: str, advice: str
) -> None:
    await stage.open()
    stage.fake.world.drops["ada"].extend([code] * 3)
    for after in (0, 60, 3600):
        await stage.watch.turn(after)
        assert await stage.say("ann", "ada", "!credits") == []
    assert len(reasons(told)) == 2
    assert advice in reasons(told)[0]
    assert stage.pauses == []


@pytest.mark.parametrize("status", [500, 502, 0])
async def test_a_result_survives_three_failures_of_twitch(stage: Stage, status: int) -> None:
    await stage.open()
    stage.fake.world.disturb("chat/messages", status, times=3)
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert stage.pauses == [1.0, 2.0, 4.0]


async def test_what_the_program_has_no_points_for_is_said_with_the_bots_key_at_once(stage: Stage) -> None:
    """Subscriptions to many chats use up the program's points; those of the bot are its own."""
    await stage.open()
    stage.fake.world.budget("").left = 0
    stage.fake.world.budget("").limit = 1  # so that none comes back
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert stage.pauses == []
    assert [each.by_app for each in stage.fake.world.said] == [False]
    stage.fake.world.budget("").left = 1
    await stage.say("ann", "ada", "!top")
    assert [each.by_app for each in stage.fake.world.said] == [False, True], "of this message alone"


async def test_where_no_key_has_points_left_they_are_waited_for(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.disturb("chat/messages", 429, times=2, reset=20)
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert len(stage.pauses) == 1
    assert 18 <= stage.pauses[0] <= 21
    stage.pauses.clear()
    stage.fake.world.disturb("chat/messages", 429, times=6)
    assert len(await stage.say("ann", "ada", "!top")) == 1
    assert stage.pauses == [1.0, 2.0, 4.0]


async def test_a_bot_whose_key_may_not_write_waits_for_the_points_of_the_program(stage: Stage) -> None:
    stage.connect_bot([each for each in BOT_SCOPES if each != "user:write:chat"])
    await stage.open()
    stage.fake.world.disturb("chat/messages", 429, reset=20)
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert len(stage.pauses) == 1
    assert [each.by_app for each in stage.fake.world.said] == [True]


async def test_a_bots_key_that_is_refused_mutes_no_chat_where_the_program_may_speak(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    stage.fake.world.disturb("chat/messages", 429)
    stage.fake.world.disturb("chat/messages", 403)
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert stage.pauses == [1.0]
    assert not stage.chat("ada").muted
    assert reasons(told) == []


async def test_a_line_that_cannot_be_said_at_all_is_told(stage: Stage, told: Told) -> None:
    await stage.open()
    stage.fake.world.disturb("chat/messages", 500, times=4)
    assert await stage.say("ann", "ada", "!credits") == []
    assert reasons(told) == ["a line could not be said, however often it was tried"]
    assert len(await stage.say("ann", "ada", "!top")) == 1


async def test_that_a_game_was_called_off_is_said_after_minutes_of_trouble_too(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    stage.fake.world.disturb("chat/messages", 500, times=122)
    [said] = await stage.say("mo", "ada", "!cancel heist", ["moderator"])
    assert "was called off" in said
    assert stage.pauses[:6] == [1.0, 2.0, 4.0, 5.0, 5.0, 5.0]
    assert 590 <= sum(stage.pauses) <= 610
    assert reasons(told) == ["Twitch is in trouble; how a game came out is tried again for ten minutes"]


async def test_a_result_is_said_after_a_minute_of_trouble(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    await stage.watch.turn(60 + 30)
    stage.fake.world.disturb("chat/messages", 502, times=7)
    await stage.watch.turn(60)
    assert stage.table("ada").over
    assert any("Ann" in each for each in stage.fake.sent("ada")[-1:])


async def test_what_the_chat_has_shown_is_not_said_again_however_long_answers_are_lost(stage: Stage) -> None:
    stage.fake.world.moderate("ada", BOT)  # whose repetitions Twitch does not refuse
    await stage.open()
    assert stage.adapter is not None

    async def pause(_: float) -> None:
        await stage.until(lambda: stage.chat("ada").moderator)  # as its own line tells it

    stage.adapter.router.sender._pause = pause
    stage.fake.world.lost_answers = 1
    assert len(await stage.say("ann", "ada", "!credits")) == 1


async def test_a_line_that_had_arrived_before_its_answer_was_lost_is_not_said_twice(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.lost_answers = 1
    assert len(await stage.say("ann", "ada", "!credits")) == 1


async def test_what_twitch_never_answers_is_asked_again_before_anybody_has_lost_patience(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a limit of our own, aiohttp would wait for five minutes."""
    monkeypatch.setattr("cogs.twitch.api._TIMEOUT", aiohttp.ClientTimeout(total=0.5))
    await stage.open()
    stage.fake.world.disturb("chat/messages", 500, until=asyncio.Event())
    async with asyncio.timeout(DEADLINE):
        await stage.speak("ada", "still here")
    assert stage.fake.sent("ada") == ["still here"]


async def test_without_leave_for_the_program_the_bots_own_key_speaks(stage: Stage) -> None:
    stage.fake.world.user("cleo")
    await stage.open(["cleo"])
    await stage.say("ann", "cleo", "!credits")
    await stage.say("ann", "cleo", "!top")
    assert [each.by_app for each in stage.fake.world.said] == [False, False]
    assert stage.fake.world.requests.count("POST chat/messages") == 3  # the program's key was tried once


async def test_a_bot_that_is_made_moderator_needs_nobodys_leave(stage: Stage) -> None:
    stage.fake.world.user("cleo")
    await stage.open(["cleo"])
    await stage.say("ann", "cleo", "!credits")
    stage.fake.world.moderate("cleo", BOT)
    await stage.say("ann", "cleo", "!top")
    await stage.until(lambda: stage.chat("cleo").moderator)
    await stage.say("ann", "cleo", "!season")
    assert [each.by_app for each in stage.fake.world.said] == [False, False, True]


async def test_a_flood_of_whispers_is_answered_at_the_pace_that_twitch_allows(stage: Stage) -> None:
    await stage.open()
    people = [f"fan{number}" for number in range(8)]
    for each in people:
        await stage.say(each, "ada", "hello")  # a whisper belongs where somebody has spoken
    await asyncio.gather(*(stage.fake.whisper(each, "!credits") for each in people))
    await stage.until(lambda: len(stage.bot.lines) == 16)
    await stage.watch.turn(2)
    await stage.until(lambda: len(stage.fake.world.whispers) == 8)
    assert sorted(stage.pauses) == [1.0, 1.0, 1.0, 2.0, 2.0]  # three in each second, the first at once


async def test_whoever_has_whispered_is_whispered_to_after_another_connection_too(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "hello")
    await stage.fake.whisper("ann", "!credits")
    await stage.until(lambda: len(stage.bot.lines) == 2)
    await stage.watch.turn(2)
    await stage.until(lambda: stage.fake.world.whispers)
    await stage.run_again()
    ann = stage.fake.world.users["ann"].id
    assert stage.adapter is not None
    await stage.adapter.send(Delivery(stage.chat("ada").channel.id, "a secret", account_of(ann), ()))
    assert [(each.to, each.text) for each in stage.fake.world.whispers[1:]] == [(ann, "a secret")]


async def test_whoever_whispers_before_the_bot_can_speak_is_answered_the_next_time(stage: Stage) -> None:
    adapter, ann = stage.make(), stage.fake.world.user("ann").id
    adapter.router.answer(ann, playing=False)  # as by a conduit, whose subscriptions stand
    assert not adapter.router._sending
    stage.running = asyncio.create_task(adapter.run())
    await stage.until(lambda: adapter.connected)
    await stage.fake.whisper("ann", "hello")
    await stage.until(lambda: stage.fake.world.whispers)


async def test_nobody_has_whispered_to_another_account_that_becomes_the_bot(stage: Stage) -> None:
    await stage.open()
    await stage.fake.whisper("ann", "hello")
    assert stage.adapter is not None
    adapter, ann = stage.adapter, stage.fake.world.users["ann"].id
    await stage.until(lambda: adapter.router.sender.knows(ann))
    stage.connect("otherbot", BOT_SCOPES, "bot")
    await stage.run_again()
    assert not adapter.router.sender.knows(ann)


async def test_of_a_hundred_whispers_in_a_minute_the_next_one_waits_for_the_end_of_it(stage: Stage) -> None:
    await stage.open()
    assert stage.adapter is not None
    sender = stage.adapter.router.sender
    for _ in range(101):
        await sender.whisper("1001", "hello", first=True)
    assert len(stage.fake.world.whispers) == 101
    assert stage.pauses[-2:] == [33.0, 60.0]  # the 100th is the first of the 34th second


async def test_whoever_is_one_too_many_for_twitchs_whispers_of_a_day_is_told_in_the_chat(
    stage: Stage,
) -> None:
    await stage.open()
    stage.fake.world.whispers += [Whispered(str(number), "") for number in range(40)]
    await stage.say("ann", "ada", "hello")
    await stage.fake.whisper("ann", "!credits")
    await stage.until(lambda: len(stage.bot.lines) == 2)
    await stage.watch.turn(2)
    await stage.until(lambda: len(stage.fake.world.violations) == 4)  # it is tried so often
    stage.fake.world.violations.clear()
    await stage.watch.turn(2)
    await stage.watch.turn(2)
    assert "Twitch does not let me whisper" in stage.fake.sent("ada")[-1]


async def test_with_leave_the_program_speaks_itself(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!credits")
    assert [each.by_app for each in stage.fake.world.said] == [True]


async def test_a_bot_that_may_not_speak_at_all_is_told(stage: Stage, told: Told) -> None:
    stage.connect_bot([each for each in BOT_SCOPES if each != "user:write:chat"])
    stage.fake.authority.tokens.pop("canary-access-1")  # what it had before
    stage.fake.world.user("cleo")
    await stage.open(["cleo"])
    assert await stage.say("ann", "cleo", "!credits") == []
    assert "connect twitch --bot" in reasons(told)[0]
    assert stage.fake.authority.asked["refresh_token"] == 0  # another key would have no more rights


async def test_the_budget_follows_the_bots_badges(stage: Stage) -> None:
    await stage.open()
    chat = stage.chat("ada")
    assert (chat.channel.manner.budget, chat.channel.manner.gap) == (19, 1.0)
    stage.fake.world.moderate("ada", BOT)
    await stage.say("ann", "ada", "!credits")
    await stage.until(lambda: (chat.channel.manner.budget, chat.channel.manner.gap) == (99, 0.5))
    stage.fake.world.moderate("ada", BOT, on=False)
    await stage.say("ann", "ada", "!top")
    await stage.until(lambda: (chat.channel.manner.budget, chat.channel.manner.gap) == (19, 1.0))


async def test_a_long_answer_is_split_into_messages_that_twitch_takes(stage: Stage) -> None:
    await stage.open()
    said = await stage.say("ann", "ada", "!settings heist all")
    assert said
    assert all(len(each) <= 500 and "\n" not in each for each in said)


async def test_a_streamer_whose_account_is_the_bot_plays_along(stage: Stage) -> None:
    stage.connect(BOT, [*BOT_SCOPES, "channel:bot"], "bot", "broadcaster")
    await stage.open()
    assert stage.chat(BOT).channel.manner.budget == 99
    assert "240" in (await stage.say(BOT, BOT, "!credits"))[0]
    await stage.say("ann", BOT, "!top")
    assert [each.text for each in stage.bot.lines] == ["!credits", "!top"]


async def test_a_streamer_whose_account_is_the_bot_is_not_taken_for_its_lines(stage: Stage) -> None:
    """They come back with mentions in them, or with another blank: the bot would sit at its own tables."""
    stage.connect(BOT, [*BOT_SCOPES, "channel:bot"], "bot", "broadcaster")
    await stage.open()
    await stage.say("ann", BOT, "hello")
    for text in ("@Ann: no.", "word " * 99 + "end.", "\u200bunseen"):
        stage.fake.world.drops[BOT].append("msg_duplicate")
        await stage.speak(BOT, text)
    await stage.say("ann", BOT, "bye")
    assert len(stage.fake.sent(BOT)) == 3
    assert [each.text for each in stage.bot.lines] == ["hello", "bye"]


async def test_an_answer_that_nobody_can_read_is_no_reason_to_fall_silent(stage: Stage, told: Told) -> None:
    await stage.open()
    stage.fake.world.disturb("chat/messages", 200)  # and nothing of what was to be in it
    assert len(await stage.say("ann", "ada", "!credits")) == 1
    assert told == []
