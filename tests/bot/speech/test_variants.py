"""Several texts for one message: which is told, and that each says as much as the others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fluent.syntax import ast as FTL  # noqa: N812  (the name in Fluent's documentation)

from chatbot.kernel.say import Message, Say, Talk
from chatbot.speech.words import Words, languages, placeholders
from tests.bot.outboxes import AT_ONCE, Chat
from tests.bot.speech.test_words import COMPLETE

COMMONEST = (
    "heist-opened", "heist-joined", "heist-reached", "heist-targeted", "heist-storming", "heist-solo-success",
    "heist-solo-failure", "heist-all-escape", "heist-most-escape", "heist-few-escape", "heist-none-escape",
)  # fmt: skip
NONE_ESCAPE = Message("heist-none-escape", {"went": 3, "bank": Message("heist-bank-0")})


async def test_lines_that_belong_to_no_step_are_told_in_all_texts_in_turns() -> None:
    chat = Chat(AT_ONCE)
    for _ in range(13):
        chat.outbox.say(chat.room, [Say(NONE_ESCAPE, game="heist")])
    texts = list(await chat.sent())
    assert texts[:6] == texts[6:12]
    assert len(set(texts)) == 6


async def test_a_text_that_is_chosen_is_told_and_what_nobody_hears_changes_nothing() -> None:
    chat = Chat(AT_ONCE)
    chat.outbox.say(chat.room, [Say(replace(NONE_ESCAPE, variant=4), game="heist")], chosen=True)
    assert await chat.sent() == ["Somebody forgot the van. None of the 3 got far from the Municipal Bank."]
    chat.outbox.say(chat.room, [Say(NONE_ESCAPE, talk=Talk.FULL, game="heist")])
    assert chat.room.tellings == {}


async def test_a_text_of_the_streamers_is_told_always() -> None:
    words = Words("en", {"heist-none-escape": "Caught in the {bank}!"})
    assert words.texts("heist-none-escape") == 1
    texts = {words.text(replace(NONE_ESCAPE, variant=each), str) for each in range(6)}
    assert texts == {"Caught in the Municipal Bank!"}


@pytest.mark.parametrize("language", COMPLETE)
def test_the_commonest_events_of_the_heist_have_six_texts(language: str) -> None:
    assert {each: Words(language).texts(each) for each in COMMONEST} == dict.fromkeys(COMMONEST, 6)


@pytest.mark.parametrize("language", languages())
def test_every_text_of_a_message_says_as_much_as_its_first(language: str) -> None:
    entries = Words(language)._entries
    for name, message in entries.items():
        first = set(placeholders(message, entries))
        for each in message.attributes:
            other = FTL.Message(message.id, each.value)
            assert set(placeholders(other, entries)) == first, (name, each.id.name)
