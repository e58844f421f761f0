"""What is read in a line, in which order lines are answered, and who hears the answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.bot import deduplication
from chatbot.rooms.channel import Manner, Privacy
from chatbot.rooms.line import Happening, Occasion
from tests.bot.hosting import LOBBY, MO
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store


@pytest.mark.slow
async def test_a_secret_answer_is_acknowledged_to_its_heister_alone(stage: Stage) -> None:
    await stage.say(MO, "!set room talk full")
    await stage.say("ann", "!heist 1")
    await stage.turn(LOBBY)
    told = await stage.say("ann", "!doublecross", private=True)
    assert told[0] == "ann has made a move."
    assert told[1].startswith("> ann: You will double-cross the others.")


@pytest.mark.parametrize(
    "asked", ["!credits", "!history", "!settings heist", "!preset heist", "!audit", "!link"]
)
async def test_what_is_asked_by_a_whisper_is_answered_by_one(store: Store, asked: str) -> None:
    stage = await Stage(store, manner=Manner(private=Privacy.SECRETS)).open()
    told = await stage.say(MO, asked, private=True)
    assert told
    assert all(each.startswith("> mo: ") for each in told)


@pytest.mark.slow
async def test_nothing_that_is_said_shows_a_raw_placeholder(stage: Stage) -> None:
    script = (
        "!heist odds", "!heist career", "!help", "!help heist", "!help give", "!top", "!season", "!nonsense",
        "!settings heist", "!settings", "!set heist lobby", "!set heist lobby x", "!preset heist x",
        "!heist 69", "!heist 1", "!finger", "!credits", "!cancel heist", "!heist 5", "!help nonsense",
    )  # fmt: skip
    for text in script:
        await stage.say(MO, text)
    await stage.turn(1000)
    assert len(stage.said()) > len(script)
    assert not any(sign in line for line in stage.said() for sign in "{}$")


async def test_one_room_does_not_wait_for_another(stage: Stage) -> None:
    """A room whose lines hang does not keep a second room from answering."""
    second = stage.new_room("second")
    await stage.bot.open(second)
    async with stage.room.order:
        stuck = asyncio.create_task(stage.bot.converse(stage.line("ann", "!credits")))
        await asyncio.wait_for(stage.bot.converse(stage.line("bob", "!credits", room="second")), 5)
        assert not stuck.done()
    await stuck


@pytest.mark.slow
async def test_lines_of_a_room_are_answered_in_their_order(stage: Stage) -> None:
    lines = [stage.line(f"p{number}", "!credits") for number in range(20)]
    await asyncio.gather(*(stage.bot.converse(line) for line in lines))
    told = await stage.turn(0)
    assert told == [f"p{number} has 240 credits." for number in range(20)]


async def test_what_was_sent_before_the_ids_that_are_kept_is_not_heard(stage: Stage) -> None:
    """Nobody could say whether it was acted on, for its id would be forgotten by now."""
    kept = stage.watch.date() - deduplication.RETENTION
    late, moment = stage.line("ann", "!heist 5"), timedelta(seconds=1)
    assert not await stage.bot.converse(replace(late, sent=kept - moment))
    assert not stage.room.playing("heist")
    (channel,) = stage.room.channels
    began = Occasion("began", channel.id, Happening.ONLINE, sent=kept - moment)
    await stage.bot.notice(began)
    assert not stage.room.live
    assert await stage.bot.converse(replace(late, sent=kept + moment))
    assert stage.room.playing("heist")
    await stage.bot.notice(replace(began, sent=kept + moment))
    assert stage.room.live


async def test_a_long_line_is_talk_and_no_command(stage: Stage) -> None:
    assert await stage.say("ann", "!credits " + "x" * 500) == []


async def test_a_lone_exclamation_mark_or_an_unknown_word_is_talk(stage: Stage) -> None:
    assert await stage.say("ann", "!") == []
    assert await stage.say("ann", "!!!") == []
    assert await stage.say("ann", "!unknown") == []


async def test_words_are_found_whatever_their_case(stage: Stage) -> None:
    assert "!heist and an amount" in (await stage.say("ann", "!HEIST 5"))[0]


@pytest.mark.parametrize(
    "typed", ["!allin", "!all in", "!ALL IN", "!back out", "!double cross", "!Change Jobs"]
)
async def test_answers_are_understood_as_people_write_them(stage: Stage, typed: str) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(LOBBY)
    assert "You can still change it" in (await stage.say("ann", typed))[-1]


@pytest.mark.parametrize("typed", ["!allin 50", "!finger bob", "!back out now"])
async def test_an_answer_with_more_behind_it_is_refused(stage: Stage, typed: str) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(LOBBY)
    assert "stands alone" in (await stage.say("ann", typed))[0]
    assert stage.table.view(seat("ann")).own.act is None


async def test_an_amount_may_be_glued_to_its_word_and_a_blank_behind_the_sign_is_talk(stage: Stage) -> None:
    assert await stage.say("ann", "! heist 5") == []
    assert "stakes 42 credits" in (await stage.say("ann", "!heist42"))[0]


async def test_settings_are_never_changed_in_secret(stage: Stage) -> None:
    # With more at stake another moderator would have to agree.
    await stage.say(MO, "!set heist max_stake 100")
    told = await stage.say(MO, "!set heist odds 2/2/2/2/2", private=True)
    assert "heist: odds was 0.8/1.1/1.3/1.65/1.95 and is now 2/2/2/2/2." in told
    assert told[-1].startswith("Careful: Bank Heist now pays back 162%")  # .54 × 3, to everybody's ears


async def test_a_line_that_is_delivered_twice_is_answered_once(stage: Stage) -> None:
    assert len(await stage.say("ann", "!credits", line="platform:1")) == 1
    assert await stage.say("ann", "!credits", line="platform:1") == []


async def test_of_copies_of_a_line_that_come_at_once_one_is_answered(stage: Stage) -> None:
    line = stage.line("ann", "!heist 5")
    copies = [replace(line), replace(line), replace(line)]
    assert sum(await asyncio.gather(*map(stage.bot.converse, copies))) == 1
    assert await stage.pot() == 5


async def test_ids_are_remembered_for_an_hour_and_up_to_a_number(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deduplication, "MOST_REMEMBERED", 3)
    heard = stage.bot._deduplication
    assert [heard.fresh(each) for each in "abca"] == [True, True, True, False]
    assert heard.fresh("d"), "for which the oldest is forgotten"
    assert [heard.fresh(each) for each in "bcd"] == [False, False, False]
    assert heard.fresh("a")
    await stage.watch.turn(deduplication.REMEMBERED_FOR)
    assert not heard.fresh("a")
    await stage.watch.turn(1)
    assert heard.fresh("a")
    assert len(heard._recent) == 1, "those that are old take no memory"


async def test_a_command_that_comes_again_after_its_id_has_left_memory_changes_nothing(stage: Stage) -> None:
    await stage.say("ann", "!heist 69", line="tw:1")
    await stage.turn(deduplication.REMEMBERED_FOR + 1)
    before = await stage.credits("ann")
    assert await stage.say("ann", "!heist 69", line="tw:1") == []
    assert await stage.credits("ann") == before
    assert stage.table.over


async def test_a_refusal_of_a_whisper_is_never_said_in_public(store: Store) -> None:
    stage = await Stage(store, manner=Manner(private=Privacy.NONE)).open()
    assert await stage.say("ann", "!heist my-secret-plan", private=True) == []
    assert await stage.say("ann", "!credits", private=True) == []
    assert await stage.say("ann", "!heist nonsense") != []
