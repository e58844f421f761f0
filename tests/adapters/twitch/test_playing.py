"""A heist is played from Twitch chats, by the real library over real sockets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.ledger.people import Account
from tests.adapters.twitch.stage import Stage
from tests.generous import let_give

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import HandWatch
    from tests.fakes.twitch_server import Twitch

START = 240  # credits of a new member


async def purse(stage: Stage, channel: str, user: str) -> int:
    room = stage.chat(channel).room
    return await stage.bot.balances.purse(room, stage.seat(user))


async def test_a_heist_is_played_in_two_chats_at_once(stage: Stage) -> None:
    stage.connect_streamer("bea")
    await stage.open()
    for channel, stake in (("ada", 69), ("bea", 100)):
        assert "planning a bank heist" in (await stage.say("ann", channel, f"!heist {stake}"))[0]
        await stage.say("bob", channel, "!heist 50")
    assert await purse(stage, "ada", "ann") == START - 69
    assert await purse(stage, "bea", "ann") == START - 100
    await stage.watch.turn(200)
    for channel in ("ada", "bea"):
        assert "heist" not in stage.chat(channel).room.tables or stage.table(channel).over
        assert len(stage.fake.sent(channel)) >= 4  # opened, the bank, storming, the outcome


async def test_a_message_that_is_delivered_twice_acts_once(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    await stage.say("bob", "ada", "!heist 30")
    await stage.fake.eventsub.repeat(stage.chat_frame())
    await stage.say("eve", "ada", "!heist 20")
    assert await purse(stage, "ada", "bob") == START - 30
    assert [each.text for each in stage.bot.lines] == ["!heist 69", "!heist 30", "!heist 20"]


async def test_a_message_that_comes_again_after_a_restart_acts_once(
    fake: Twitch, store: Store, tmp_path: Path, watch: HandWatch, stage: Stage
) -> None:
    await stage.open()
    let_give(next(iter(stage.bot.rooms.values())))
    await stage.say("ann", "ada", "!heist 69")
    await stage.say("ann", "ada", "!give @bob 10")
    await fake.chat("ann", "ada", "!heist 20", message_id="again")
    await stage.heard("again")
    held = await purse(stage, "ada", "ann")
    await stage.close()
    second = Stage(fake, store, tmp_path, watch, "b")
    try:
        await second.open()
        await fake.chat("ann", "ada", "!heist 20", message_id="again")
        await second.heard("again")
        assert await purse(second, "ada", "ann") == held
    finally:
        await second.close()


async def test_fifty_joins_at_once_stay_within_the_budget_and_the_outcome_arrives(stage: Stage) -> None:
    """That no limit was broken is looked at after every test; here each answer is a message of its own."""
    await stage.open()
    chat = stage.chat("ada")
    chat.channel.manner = replace(chat.channel.manner, merged=0)
    await stage.say("ann", "ada", "!set room talk full", ["moderator"])
    joins = [await stage.fake.chat(f"crew{number}", "ada", f"!heist {number + 1}") for number in range(50)]
    await stage.heard(joins[-1])
    await stage.watch.turn(230)
    times = [each.at for each in stage.fake.world.said]
    crowds = [sum(at <= other < at + 30 for other in times) for at in times]
    assert max(crowds) == 19  # of 20: one less, for clocks differ
    assert any(each.startswith("Results: ") for each in stage.fake.sent("ada"))


async def test_a_moderators_badge_is_honoured(stage: Stage) -> None:
    await stage.open()
    await stage.say("mia", "ada", "!set heist lobby 45", ["moderator"])
    assert stage.chat("ada").room.settings("heist") == {"lobby": "45"}
    await stage.say("leo", "ada", "!set heist lobby 50", ["lead_moderator"])
    assert stage.chat("ada").room.settings("heist") == {"lobby": "50"}
    await stage.say("ada", "ada", "!set heist lobby 55")
    assert stage.chat("ada").room.settings("heist") == {"lobby": "55"}


async def test_a_pretender_is_no_moderator(stage: Stage) -> None:
    stage.connect_streamer("bea")
    await stage.open()
    stage.fake.world.moderate("bea", "bea")
    stage.fake.world.user("pretender", "moderator")
    await stage.say("pretender", "ada", "!set heist lobby 45", ["vip", "subscriber", "moderators"])
    await stage.say("bea", "ada", "!set heist lobby 45")  # broadcaster and moderator, but elsewhere
    await stage.say("eve", "ada", "!set heist lobby 45", ["broadcaster"])  # of which the ids say no
    assert stage.chat("ada").room.settings("heist") == {}


async def test_a_whispered_answer_reaches_the_table_and_stays_secret(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    await stage.say("bob", "ada", "!heist 50")
    await stage.watch.turn(61)
    said = len(stage.fake.sent("ada"))
    await stage.fake.whisper("ann", "!backout")
    await stage.until(lambda: any(each.private for each in stage.bot.lines))
    await stage.watch.turn(1.5)
    assert [each.to for each in stage.fake.world.whispers] == [stage.fake.world.users["ann"].id]
    assert stage.fake.sent("ada")[said:] == []
    await stage.watch.turn(200)
    assert await purse(stage, "ada", "ann") == START  # the stake is back, and no salary


async def test_who_whispers_from_nowhere_is_asked_to_say_something_in_a_chat(stage: Stage) -> None:
    await stage.open()
    await stage.fake.whisper("stranger", "!heist 69")
    await stage.until(lambda: stage.fake.world.whispers)
    assert "type a command in a chat" in stage.fake.world.whispers[0].text
    assert stage.bot.lines == []


async def test_a_whisper_for_which_twitch_wants_more_time_is_tried_again(stage: Stage) -> None:
    await stage.open()
    stage.fake.world.disturb("whispers", 429, method="POST", times=2)
    await stage.fake.whisper("stranger", "!heist 69")
    await stage.until(lambda: stage.fake.world.whispers)
    assert stage.pauses == [1, 2]


async def test_two_programs_that_answer_every_whisper_come_to_an_end(stage: Stage) -> None:
    await stage.open()
    for number in range(10):
        await stage.fake.whisper("otherbot", f"I do not understand ({number})")
    await stage.say("ann", "ada", "hello")
    await stage.until(lambda: stage.fake.world.whispers)
    await stage.watch.turn(601)
    await stage.fake.whisper("otherbot", "!heist 69")
    await stage.until(lambda: len(stage.fake.world.whispers) > 1)
    assert len(stage.fake.world.whispers) == 2


async def test_a_secret_for_somebody_who_never_whispered_stays_untold(stage: Stage) -> None:
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    await stage.say("bob", "ada", "!heist 50")
    await stage.watch.turn(61)
    said = await stage.say("ann", "ada", "!backout")
    assert stage.fake.world.whispers == []
    assert [each for each in said if "Whisper to me first" in each] == said
    assert said


async def test_a_whisper_that_twitch_refuses_is_told_once_and_reveals_nothing(
    stage: Stage, told: list[dict[str, object]]
) -> None:
    stage.fake.world.mute = 401
    await stage.open()
    await stage.say("ann", "ada", "!heist 69")
    await stage.watch.turn(5)  # what a newcomer is told in public is told
    for _ in range(2):
        await stage.fake.whisper("ann", "!credits")
    await stage.until(lambda: sum(each.private for each in stage.bot.lines) == 2)
    await stage.watch.turn(1.5)
    assert len([each for each in told if "does not let the bot whisper" in str(each["event"])]) == 1
    assert "does not let me whisper" in stage.fake.sent("ada")[-1]
    assert str(START - 69) not in stage.fake.sent("ada")[-1]


async def test_a_mention_names_an_account_and_not_a_text(stage: Stage) -> None:
    await stage.open()
    bob = stage.seat("bob")
    stage.fake.world.user("impostor", "Bob")
    await stage.say("ann", "ada", "hello")
    let_give(next(iter(stage.bot.rooms.values())))
    message = await stage.fake.chat("ann", "ada", "!give @Bob 10", mentions=["bob"])
    await stage.heard(message)
    assert stage.bot.lines[-1].text == f"!give @{bob} 10"
    assert stage.bot.lines[-1].named == {Account.read(bob): "Bob"}
    assert await purse(stage, "ada", "bob") == 10  # and not the impostor, who is shown as Bob too
