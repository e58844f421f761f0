"""Each room is talked to in its own language, and a community's credits have the name that it gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.kernel.say import Credits, Message
from chatbot.speech.words import Words, languages
from tests.bot.speech.test_words import COMPLETE
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room

MO = "mo(moderator)"


async def say(stage: Stage, room: Room, who: str, text: str) -> list[str]:
    heard = len(stage.adapter.deliveries)
    await stage.bot.converse(stage.line(who, text, room=room.id))
    await stage.watch.turn()
    return stage.said(heard)


@pytest.mark.slow
async def test_a_korean_room_stands_beside_an_english_one(stage: Stage) -> None:
    other = stage.new_room("other")
    await stage.bot.open(other)
    (told,) = await say(stage, other, MO, "!set room language ko")
    assert "ko" in told
    assert (await say(stage, other, "ann", "!heist 5"))[0].startswith("ann님이 5크레딧 걸고 은행털이를")
    assert (await stage.say("bob", "!heist 5"))[0].startswith("bob is planning a bank heist")
    assert "월급" in (await say(stage, other, "cid", "!help guard"))[0]


@pytest.mark.slow
async def test_a_language_outlives_a_restart_and_goes_back_to_that_of_the_program(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set room language ko")
    stage = await Stage(store, run="b").open()
    assert "크레딧" in (await stage.say("ann", "!credits"))[0]
    await stage.say(MO, "!set room language auto")
    assert await stage.say("bob", "!credits") == ["bob has 240 credits."]


async def test_a_language_without_words_is_refused(stage: Stage) -> None:
    (told,) = await stage.say(MO, "!set room language fr")
    assert told == (
        f"> mo: “fr” is not possible for language: it takes one of auto, {', '.join(languages())}, "
        "or the name of a language such as Korean."
    )


@pytest.mark.parametrize("name", ["korean", "Korean", "한국어", "ko", "KO"])
async def test_a_language_is_chosen_by_any_of_its_names(stage: Stage, name: str) -> None:
    await stage.say(MO, f"!set room language {name}")
    assert stage.room.settings("room") == {"language": "ko"}


async def test_credits_have_the_name_that_a_community_gave_them_in_one_and_in_many(stage: Stage) -> None:
    await stage.say(MO, "!set credits name_en Gold Coin/Gold Coins")
    await stage.endow("ann", 1)
    assert await stage.say("ann", "!credits") == ["ann has 1 Gold Coin."]
    await stage.endow("ann", 1500)
    await stage.turn(10)
    assert await stage.say("ann", "!credits") == ["ann has 1,500 Gold Coins."]
    assert await stage.say("ann", "!give ann 5") == ["> ann: You cannot give Gold Coins to yourself."]


@pytest.mark.slow
async def test_each_language_has_a_name_of_its_own(stage: Stage) -> None:
    await stage.say(MO, "!set credits name_en 🪙")
    await stage.say(MO, "!set credits name_ko 코인")
    assert await stage.say("ann", "!credits") == ["ann has 240 🪙."]
    await stage.say(MO, "!set room language ko")
    assert await stage.say("bob", "!credits") == ["bob님은 240 코인 보유 중이에요."]


@pytest.mark.slow
async def test_a_name_counts_in_every_room_of_the_community_and_in_no_other(stage: Stage) -> None:
    sister, stranger = stage.new_room("sister"), stage.new_room("stranger", community="village")
    for room in (sister, stranger):
        await stage.bot.open(room)
    await stage.say(MO, "!set credits name_en coin/coins")
    assert await say(stage, sister, "ann", "!credits") == ["ann has 240 coins."]
    assert await say(stage, stranger, "ann", "!credits") == ["ann has 240 credits."]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a/b/c", "/", "x" * 21, "<b>", "@all", "{amount}", "!gold", "7"])
async def test_a_name_of_other_signs_or_forms_is_refused(stage: Stage, name: str) -> None:
    (told,) = await stage.say(MO, f"!set credits name_en {name}")
    assert "a name of at most 20 letters or emoji for each plural form" in told
    assert await stage.say("ann", "!credits") == ["ann has 240 credits."]


@pytest.mark.parametrize("language", COMPLETE)
def test_another_name_leaves_no_word_of_the_usual_one_where_people_are_spoken_to(language: str) -> None:
    usual = {"en": "credit", "ko": "크레딧"}[language]
    words = Words(language, None, ("zorkmid",))
    bare = [each for each in words.ids if not words.placeholders(each)]
    told = {
        each: words.text(Message(each), str)
        for each in bare
        if not each.startswith(("option-", "page-", "slash-name-"))
    }
    left = {each for each, text in told.items() if usual in text.lower().replace("!credits", "")}
    # These name the setting itself, or the money of the program as its moderators know it.
    assert {
        each for each in left if not each.startswith(("setting-", "example-", "local-", "desk-"))
    } <= set()


def test_a_text_that_speaks_of_what_is_not_known_there_gives_way_to_the_usual_one() -> None:
    words = Words("en", {"heist-you-joined": "{stake}!", "too-few-credits": "{balance} {held}"})
    assert words.text(Message("heist-you-joined", {"stake": Credits(5)}), str) == "5 credits!"
    assert words.text(Message("too-few-credits", {"held": 0}), str).startswith("You have no credits left")


async def test_the_board_of_a_room_is_in_its_words(stage: Stage) -> None:
    await stage.say(MO, "!set room language ko")
    await stage.say("ann", "!heist 5")
    title = stage.table.kit.display.board(stage.table.view(None)).title
    assert stage.bot.outbox.text(title, room=stage.room) == "은행털이"
    assert stage.bot.outbox.text(title) == "Bank Heist"
    assert Seat("test:ann") in stage.table.seated
