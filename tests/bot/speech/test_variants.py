"""Several texts for one message: which is told, and that each says as much as the others."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from fluent.syntax import ast as FTL  # noqa: N812  (the name in Fluent's documentation)

from chatbot.kernel.say import Message, Say
from chatbot.speech.words import Words, languages, placeholders
from tests.bot.outboxes import AT_ONCE, Chat

COMMONEST = (
    "heist-storming", "heist-solo-success", "heist-solo-failure", "heist-all-escape", "heist-most-escape",
    "heist-few-escape", "heist-none-escape",
)  # fmt: skip
NONE_ESCAPE = Message("heist-none-escape", {"went": 3, "bank": Message("heist-bank-0")})


def verdict(table: str) -> Say:
    return Say(NONE_ESCAPE, game="heist", table=table)


async def told(chat: Chat, tables: list[str]) -> list[str]:
    for table in tables:
        chat.outbox.say(chat.room, [verdict(table)])
    return list(await chat.sent())


async def test_no_text_is_told_twice_in_a_row_and_all_are_told_in_time() -> None:
    texts = await told(Chat(AT_ONCE), [f"table-{number}" for number in range(100)])
    assert all(one != other for one, other in pairwise(texts))
    assert len(set(texts)) == 6


async def test_the_same_table_is_told_in_the_same_words_again() -> None:
    for number in range(20):
        assert await told(Chat(AT_ONCE), [f"t{number}"]) == await told(Chat(AT_ONCE), [f"t{number}"])


async def test_a_text_of_the_streamers_is_told_always() -> None:
    words = Words("en", {"heist-none-escape": "Caught in the {bank}!"})
    assert words.texts("heist-none-escape") == 1
    texts = {words.text(replace(NONE_ESCAPE, variant=each), str) for each in range(6)}
    assert texts == {"Caught in the Municipal Bank!"}


@pytest.mark.parametrize("language", languages())
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
