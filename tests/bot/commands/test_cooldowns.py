"""How often a command may be used: exact waits, no exceptions, and nothing for what was refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.bot import cooldowns
from chatbot.bot.cooldowns import Cooldown, Use, Uses
from chatbot.kernel.game import Refusal
from chatbot.rooms.channel import Manner, Privacy
from chatbot.runtime.clock import HandWatch
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO, OWNER = "mo(moderator)", "owner(broadcaster)"
PUBLIC = Manner(private=Privacy.SECRETS)  # as on Twitch: what is said to one is read by all


async def limited(stage: Stage, *rows: str) -> None:
    for row in rows:
        told = await stage.say(MO, f"!cooldown {row}")
        assert "not possible" not in told[0]


@pytest.mark.parametrize(
    ("text", "cooldown", "plain"),
    [
        ("30", Cooldown(0, 30, 0), "0/30"),
        ("30s", Cooldown(0, 30, 0), "0/30"),
        ("5/60", Cooldown(5, 60, 0), "5/60"),
        ("5s/1m/3", Cooldown(5, 60, 3), "5/60/3"),
        ("5/60/3", Cooldown(5, 60, 3), "5/60/3"),
        ("0/0/1", Cooldown(0, 0, 1), "0/0/1"),
        ("86400/86400/1000", Cooldown(86_400, 86_400, 1000), "86400/86400/1000"),
        ("OFF", Cooldown(), "off"),
        ("0", Cooldown(), "off"),
    ],
)
def test_a_limit_is_read_as_it_is_written(text: str, cooldown: Cooldown, plain: str) -> None:
    assert Cooldown.read(text) == cooldown
    assert str(cooldown) == plain
    assert Cooldown.read(plain) == cooldown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "5/",
        "/5",
        "-1",
        "1.5",
        "5/60/3/1",
        "86401",
        "5/86401",
        "1/1/1001",
        "1/1/3s",
        "٣",
        "5 60",
        "1_0",
    ],
)
async def test_what_is_no_limit_is_refused_in_one_sentence_and_changes_nothing(
    stage: Stage, text: str
) -> None:
    assert Cooldown.read(text) is None
    if len(text.split()) == 1:
        told = await stage.say(MO, f"!cooldown top {text}")
        assert len(told) == 1
        assert "is not possible for top: it takes off, a time for each member (30 or 30s)" in told[0]
    assert stage.room.settings("cooldowns") == {}


async def test_a_member_waits_exactly_as_long_as_is_said_and_others_do_not(stage: Stage) -> None:
    await limited(stage, "top 0/60")
    assert "Richest" in (await stage.say("ann", "!top"))[0]
    await stage.turn(59.5)
    assert await stage.say("ann", "!top") == [
        "> ann: You have just used !top; you can use it again in 1 second."
    ]
    assert "Richest" in (await stage.say("bob", "!top"))[0]
    await stage.turn(0.5)
    assert "Richest" in (await stage.say("ann", "!top"))[0]


@pytest.mark.slow
async def test_a_room_rests_for_everybody_and_the_longest_wait_is_the_one_that_is_told(stage: Stage) -> None:
    await limited(stage, "top 5/3700")
    await stage.say("ann", "!top")
    await stage.turn(2)
    assert await stage.say("bob", "!top") == ["> bob: !top rests here; it can be used again in 3 seconds."]
    assert await stage.say("ann", "!top") == [
        "> ann: You have just used !top; you can use it again in 1 h 1 min."  # 3700 − 2
    ]
    other = stage.new_room("other")
    await stage.bot.open(other)
    assert await stage.bot.converse(stage.line("bob", "!top", room="other"))
    assert "Richest" in (await stage.turn(0))[0]


@pytest.mark.slow
async def test_what_a_member_uses_in_one_room_costs_no_cooldown_in_another(stage: Stage) -> None:
    await stage.bot.open(stage.new_room("other"))
    await stage.bot.converse(stage.line(MO, "!cooldown top 0/60", room="other"))
    await limited(stage, "top 0/60")
    await stage.say("ann", "!top")
    assert await stage.bot.converse(stage.line("ann", "!top", room="other"))
    assert "Richest" in (await stage.turn(0))[0]
    await stage.bot.converse(stage.line("ann", "!top", room="other"))
    assert "again in 1 min" in (await stage.turn(0))[0]


@pytest.mark.slow
async def test_uses_are_counted_within_24_hours_of_each_other(stage: Stage) -> None:
    await limited(stage, "give 0/0/2")
    await stage.endow("ann", 250)
    for _ in range(2):
        assert "ann gives mo" in (await stage.say("ann", "!give mo 1"))[0]
        await stage.turn(3600)
    told = await stage.say("ann", "!give mo 1")
    assert "You have used !give as often as anybody may in 24 hours (2)" in told[0]
    assert told[0].endswith("you can use it again in 22 h.")
    await stage.turn(22 * 3600)
    assert "ann gives mo" in (await stage.say("ann", "!give mo 1"))[0]
    assert "(2)" in (await stage.say("ann", "!give mo 1"))[0]  # the second one is 23 hours old
    assert await stage.credits("ann") == 250 - 3


@pytest.mark.slow
async def test_what_was_refused_or_cannot_be_paid_costs_no_cooldown_and_no_use(stage: Stage) -> None:
    await limited(stage, "give 0/60/1", "heist 60/60")
    await stage.endow("ann", 250)
    assert "Write it like this" in (await stage.say("ann", "!give"))[0]
    assert "only 250" in (await stage.say("ann", "!give mo 1k"))[0]
    assert "ann gives mo" in (await stage.say("ann", "!give mo 1"))[0]
    assert "only 249" in (await stage.say("ann", "!heist 500"))[0]
    assert "planning a bank heist" in (await stage.say("bob", "!heist 5"))[0]


async def test_nobody_skips_a_cooldown(stage: Stage) -> None:
    await limited(stage, "top 0/60")
    for who in (MO, OWNER):
        await stage.say(who, "!top")
        assert "again in 1 min" in (await stage.say(who, "!top"))[0]


async def test_a_jump_of_the_calendar_ends_no_cooldown(stage: Stage) -> None:
    await limited(stage, "top 0/60/1")
    await stage.say("ann", "!top")
    for jump in (timedelta(days=3650), timedelta(days=-4000)):
        stage.watch.set_calendar(jump.total_seconds())
        assert "again in 24 h" in (await stage.say("ann", "!top"))[0]


@pytest.mark.slow
async def test_joining_by_a_button_counts_as_the_command(stage: Stage) -> None:
    await limited(stage, "heist 0/60")
    await stage.say("ann", "!heist 5")
    button = replace(stage.line("bob", "!heist 5"), table=stage.table.id)
    await stage.bot.converse(button)
    await stage.watch.turn()
    assert "You have just used !heist" in (await stage.say("bob", "!heist 6"))[0]


async def test_a_question_about_a_game_costs_nothing_and_waits_for_nothing(stage: Stage) -> None:
    await limited(stage, "heist 0/60")
    assert "again" not in (await stage.say("ann", "!heist odds"))[0]
    await stage.say("ann", "!heist 5")
    assert "again" not in (await stage.say("ann", "!heist odds"))[0]


@pytest.mark.slow
async def test_twenty_may_join_at_once(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    for number in range(20):
        await stage.say(f"fan{number}", "!heist 5")
    assert len(stage.table.view(None).crew) == 20


@pytest.mark.slow
async def test_where_all_read_it_a_game_of_ones_own_is_opened_every_half_minute_only(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    for who in ("ann", "bob"):
        assert any("plays the house" in line for line in await stage.say(who, "!sixcard 0"))
    await stage.say("ann", "!set auto")
    told = await stage.say("ann", "!sixcard 0")
    assert told == ["@ann: You have just used !sixcard; you can use it again in 30 seconds."]
    await stage.turn(30)
    assert any("plays the house" in line for line in await stage.say("ann", "!sixcard 0"))


async def test_a_challenge_can_be_answered_during_the_rest(stage: Stage) -> None:
    await limited(stage, "sixcard 0/30")
    await stage.say("bob", "!sixcard 0")
    await stage.say("bob", "!set auto")
    assert any("to a duel" in line for line in await stage.say("ann", "!sixcard @bob 5"))
    assert any("takes up the challenge" in line for line in await stage.say("bob", "!sixcard accept"))


async def test_where_answers_are_for_one_alone_nothing_rests_until_somebody_says_so(stage: Stage) -> None:
    for _ in range(3):
        assert "240" in (await stage.say("ann", "!credits"))[0]
    assert await stage.say(MO, "!cooldown credits") == ["!credits can be used as often as anybody likes."]


async def test_a_cooldown_is_told_changed_and_taken_back(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    usual = "!credits rests for 5 seconds for each member after their use."
    assert await stage.say(MO, "!cooldown credits") == [usual]
    assert await stage.say(MO, "!cooldown !credits 10/90/1") == [
        "!credits rests for 10 seconds in the whole room after each use.",
        "!credits rests for 1 min 30 s for each member after their use.",
        "!credits can be used once by each member in 24 hours.",
    ]
    assert stage.room.settings("cooldowns") == {"credits": "10/90/1"}
    none = "!credits can be used as often as anybody likes."
    assert await stage.say(MO, "!cooldown credits off") == [none]
    assert await stage.say(MO, "!cooldown credits default") == [usual]
    assert stage.room.settings("cooldowns") == {}


@pytest.mark.parametrize("word", ["set", "permit", "cooldown", "undo", "settings"])
async def test_a_keepers_command_has_no_cooldown_that_could_lock_them_out(stage: Stage, word: str) -> None:
    assert "no cooldown" in (await stage.say(MO, f"!cooldown {word} 86400"))[0]
    assert "no cooldown" in (await stage.say(MO, f"!set cooldowns {word} 86400"))[0]
    assert stage.room.settings("cooldowns") == {}


@pytest.mark.parametrize("word", ["confirm", "link", "unlink"])
async def test_what_agrees_to_something_has_no_cooldown_that_could_keep_anybody_from_it(
    stage: Stage, word: str
) -> None:
    refused = f"> mo: !{word} can have no cooldown: it has to be there whenever somebody needs it."
    assert await stage.say(MO, f"!cooldown {word} 1h") == [refused]
    assert stage.room.settings("cooldowns") == {}


async def test_a_command_of_two_words_is_named_as_it_is_typed(stage: Stage) -> None:
    owner_only = ["!creditsset is for broadcasters."]
    assert await stage.say(OWNER, "!permit credits set broadcaster") == owner_only
    assert await stage.say(OWNER, "!permit !credits set") == owner_only
    assert await stage.say(MO, "!cooldown audit mint 0/60") == [
        "!auditmint rests for 1 min for each member after their use."
    ]
    assert stage.room.settings("cooldowns") == {"auditmint": "0/60"}


async def test_one_line_a_minute_tells_all_of_a_cooldown_whatever_the_command(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    for word in ("credits", "top"):
        await stage.say("ann", f"!{word}")
    assert len(await stage.say("ann", "!credits")) == 1
    assert await stage.say("ann", "!top") == []
    await limited(stage, "season 60/0")
    await stage.say("ann", "!season")
    assert len(await stage.say("ann", "!season")) == 1  # another kind: the room's


async def test_a_use_that_is_taken_back_has_cost_nothing() -> None:
    watch = HandWatch()
    uses, use = Uses(watch), Use("room", "top", seat("ann"), Cooldown(60, 60, 2))
    uses.note(use)()
    uses.require(use)  # as if it had never been
    uses.note(use)
    await watch.turn(60)
    uses.note(use)()
    uses.require(use)  # one of two uses is left, and the rests are over
    uses.note(use)
    with pytest.raises(Refusal) as refused:
        uses.require(use)
    assert refused.value.message.id == "limit-uses"


@pytest.mark.slow
async def test_what_is_remembered_is_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cooldowns, "REMEMBERED", 3)
    await limited(stage, "top 0/60")
    for who in ("ann", "bob", "cat", "dan"):
        await stage.say(who, "!top")
    assert len(stage.bot.parts.access._uses._members) == 3
    assert "Richest" in (await stage.say("ann", "!top"))[0]
    assert "again in" in (await stage.say("dan", "!top"))[0]
