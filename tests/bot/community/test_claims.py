"""The daily claim: once in every period of the calendar, and the exact time until the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.rooms.line import Happening, Occasion
from chatbot.rooms.settings.lists import EXCLUDED, barred
from tests.bot.earners import MO, START, choose, live
from tests.bot.stage import Stage, account

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

HOUR = 3600
OFF = "> mo: Nobody called “off” has been here; check the spelling of the name."


async def test_a_claim_tells_when_the_next_one_is(stage: Stage) -> None:
    await stage.turn(HOUR + 61)
    assert await stage.say("ann", "!claim") == ["ann claims 120 credits; the next claim is in 10 h 58 min."]
    assert await stage.credits("ann") == START + 120


@pytest.mark.parametrize(
    ("gone", "left"),
    [(0, "12 h"), (11 * HOUR + 59, "59 min 1 s"), (11 * HOUR + 59 * 60 + 1, "59 seconds")],
)
async def test_a_second_claim_is_refused_with_the_exact_time_left(stage: Stage, gone: int, left: str) -> None:
    await stage.say("ann", "!claim")
    await stage.turn(gone)
    told = await stage.say("ann", "!daily")
    assert told == [f"> ann: You have claimed already; the next claim is in {left}."]
    assert await stage.credits("ann") == START + 120


async def test_the_next_period_can_be_claimed(stage: Stage) -> None:
    await stage.say("ann", "!claim")
    await stage.turn(12 * HOUR)
    assert "ann claims 120 credits" in (await stage.say("ann", "!daily"))[0]


@pytest.mark.slow
async def test_how_much_and_how_often_are_settings(stage: Stage) -> None:
    await choose(stage, "claim 50", "claim_hours 1", "vip 150")
    assert "ann claims 75 credits; the next claim is in 1 h" in (await stage.say("ann(vip)", "!claim"))[0]
    await stage.turn(HOUR)
    assert "claims 50" in (await stage.say("ann", "!claim"))[0]


async def test_a_claim_may_take_a_stream_that_is_on(stage: Stage) -> None:
    await choose(stage, "claim_live yes")
    assert await stage.say("ann", "!claim") == ["> ann: You can claim only while the stream is on."]
    await live(stage)
    assert "ann claims" in (await stage.say("ann", "!claim"))[0]


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["claim 0", "vip 0"])
async def test_where_nothing_can_be_claimed_that_is_said(stage: Stage, setting: str) -> None:
    await choose(stage, setting)
    assert await stage.say("ann(vip)", "!claim") == ["> ann: There is nothing to claim here."]


async def test_a_claim_takes_no_words(stage: Stage) -> None:
    assert await stage.say("ann", "!claim all") == ["> ann: Write it like this: !claim"]


@pytest.mark.slow
async def test_a_regular_is_whom_keepers_call_so(stage: Stage) -> None:
    await stage.say("ann", "hello")
    assert await stage.say("bob", "!regular @ann") == ["> bob: That is for moderators or above."]
    assert await stage.say(MO, "!regular @ann") == ["ann is a regular now."]
    assert await stage.say(MO, "!regular @ann") == ["ann is that already; nothing was changed."]
    await choose(stage, "regular 200")
    assert "ann claims 240 credits" in (await stage.say("ann", "!claim"))[0]
    await stage.turn(12 * HOUR)
    assert await stage.say(MO, "!regular @ann off") == ["ann is no regular any more."]
    assert "ann claims 120" in (await stage.say("ann", "!claim"))[0]


@pytest.mark.parametrize("text", ["!regular", "!exclude", "!regular off"])
async def test_who_is_meant_must_be_said(stage: Stage, text: str) -> None:
    told = await stage.say(MO, text)
    word = text.split(maxsplit=1)[0]
    assert told in ([f"> mo: Write it like this: {word} @name [off]"], [OFF])


@pytest.mark.slow
async def test_who_is_excluded_earns_and_claims_nothing_until_taken_off_the_list(stage: Stage) -> None:
    await live(stage, "talk_messages 1", "talk_gap 0")
    await stage.say("ann", "hello")
    held = await stage.credits("ann")
    told = await stage.say(MO, "!exclude @ann")
    assert told == ["ann earns nothing here from now on, and is left out of rankings."]
    await stage.say("ann", "hello again")
    assert "who earn nothing here" in (await stage.say("ann", "!claim"))[0]
    assert await stage.credits("ann") == held
    assert await stage.say(MO, "!exclude @ann off") == ["ann earns and ranks here like everybody else."]
    assert "ann claims" in (await stage.say("ann", "!claim"))[0]


async def test_known_bots_are_excluded_unless_keepers_say_otherwise(stage: Stage) -> None:
    for bot in ("NightBot", "streamelements"):
        assert "who earn nothing here" in (await stage.say(bot, "!claim"))[0]
    assert await stage.say(MO, "!exclude NightBot off") == [
        "NightBot earns and ranks here like everybody else."
    ]
    assert "NightBot claims" in (await stage.say("NightBot", "!claim"))[0]


async def test_a_player_of_the_house_never_earns_whatever_its_name(stage: Stage) -> None:
    for who, never in (("house:kelly", True), ("test:kelly", False)):
        assert barred(stage.room, Seat(who), (), "kelly") is never


async def test_several_are_excluded_or_let_in_by_one_line(stage: Stage) -> None:
    await stage.say(MO, "!set excluded test:ann yes test:nightbot no test:bob yes")
    listed = {"test:ann": "yes", "test:nightbot": "no", "test:bob": "yes"}
    assert EXCLUDED.of(stage.room) == listed


async def test_who_is_a_known_bot_is_told_by_the_last_name_where_an_occasion_has_none(stage: Stage) -> None:
    for who, earned in (("NightBot", 0), ("bob", 100)):
        await stage.say(who, "hello")
        before = await stage.credits(who)
        await stage.bot.notice(Occasion(who, "room:chat", Happening.CHEER, account(who), "", 100))
        assert await stage.credits(who) == before + earned


@pytest.mark.slow
async def test_lists_count_in_all_rooms_of_a_community_and_after_a_restart(
    stage: Stage, store: Store
) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!exclude @ann")
    after = Stage(store, run="b")
    await after.bot.open(after.new_room("other"))
    await after.bot.converse(after.line("ann", "!claim", room="other"))
    await after.watch.turn()
    assert "who earn nothing here" in after.said()[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("!set regulars ann Ann", "is no account"),
        ("!set excluded test:ann maybe", "it takes yes or no"),
        (f"!set regulars test:ann {'x' * 101}", "it takes a name of at most 100 characters"),
    ],
)
async def test_a_list_takes_ids_and_refuses_the_rest_in_one_sentence(
    stage: Stage, text: str, told: str
) -> None:
    said = await stage.say(MO, text)
    assert len(said) == 1
    assert told in said[0]


async def test_a_whispered_claim_is_worth_as_much_though_it_comes_without_badges(stage: Stage) -> None:
    await choose(stage, "subscriber 150")
    await stage.say("ann(subscriber)", "hello")
    (told,) = await stage.say("ann", "!claim", private=True)
    assert told.startswith("> ann: ann claims 180 credits; ")
