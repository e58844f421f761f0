"""What is said when: merged, within the budget, split at words, and nothing important lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chatbot.kernel.say import Credits, Message, Name, Say, Talk
from chatbot.live.outbox import CROWDED, split
from chatbot.live.room import Manner
from tests.live.outboxes import ANN, AT_ONCE, STREAM, Chat


async def test_lines_go_out_as_one_after_three_quiet_seconds() -> None:
    chat = Chat(STREAM)
    chat.say("one")
    assert await chat.sent(2) == []
    chat.say("two")
    assert await chat.sent(2.9) == []
    assert await chat.sent(0.1) == ["one two"]


async def test_whom_several_lines_are_for_is_named_once() -> None:
    chat = Chat(STREAM)
    for text, to in (("one", ANN), ("two", ANN), ("three", None), ("four", ANN)):
        chat.say(text, to=to)
    assert await chat.sent(3) == ["@ann: one two three @ann: four"]


async def test_the_end_of_a_long_answer_is_said_though_a_table_spoke_to_the_same_person_before_it() -> None:
    chat = Chat(replace(STREAM, budget=6))
    for number in range(4):
        chat.say(f"table{number} " + "t" * 470)
    await chat.sent(4)
    chat.say("w" * 490 + " and the rest", to=ANN, game=None)
    chat.say("first", to=ANN)
    chat.say("second", to=ANN)
    said = await chat.sent(60)
    assert said[-1] == "@ann: first second the rest"


async def test_480_characters_do_not_wait_for_quiet() -> None:
    chat = Chat(STREAM)
    chat.say("a" * 300)
    await chat.sent(1)
    chat.say("b" * 300)
    chat.say("c" * 100)
    assert await chat.sent(0) == ["a" * 300, "b" * 300 + " " + "c" * 100]


async def test_no_more_than_twenty_messages_in_thirty_seconds_and_none_is_lost() -> None:
    chat = Chat(AT_ONCE)
    for number in range(45):
        chat.say(f"line{number}")
    assert len(await chat.sent(0)) == 20
    assert await chat.sent(29) == []
    assert len(await chat.sent(1)) == 20
    assert await chat.sent(30) == [f"line{number}" for number in range(40, 45)]


async def test_in_a_crowd_of_lines_small_talk_gives_way_to_what_matters() -> None:
    chat = Chat(AT_ONCE, Talk.FULL)
    for number in range(100):
        chat.say(f"chatter{number}", talk=Talk.FULL)
    chat.say("the result")
    said = [*await chat.sent(0), *await chat.sent(300)]
    assert "the result" in said
    assert len(said) <= 41


async def test_a_long_line_is_split_at_words_within_the_limit_and_the_budget() -> None:
    chat = Chat(replace(AT_ONCE, budget=2))
    words = " ".join(f"word{number}" for number in range(200))
    chat.say(words)
    first = await chat.sent(0)
    assert len(first) == 2
    rest = await chat.sent(30)
    assert all(len(each) <= 500 for each in (*first, *rest))
    assert " ".join((*first, *rest)) == words


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("abc", ["abc"]),
        ("aa bb cc", ["aa bb", "cc"]),
        ("aaaaaaa", ["aaaaa", "aa"]),
        ("aaaaa bbbbb", ["aaaaa", "bbbbb"]),
        ("😀😀😀 aa", ["😀😀", "😀 aa"]),
        ("a😀😀 aa", ["a😀😀", "aa"]),
    ],
)
def test_splitting_keeps_every_word(text: str, pieces: list[str]) -> None:
    assert split(text, 5) == pieces


@pytest.mark.parametrize(
    ("room", "heard"),
    [(Talk.QUIET, "q"), (Talk.NORMAL, "q n"), (Talk.FULL, "q n f")],
)
async def test_a_room_hears_as_much_as_it_wants(room: Talk, heard: str) -> None:
    chat = Chat(STREAM, room)
    for talk in Talk:
        chat.say(talk.value[0], talk=talk)
    assert await chat.sent(3) == [heard]


async def test_one_kind_of_refusal_is_said_in_public_once_a_minute() -> None:
    chat = Chat(AT_ONCE)
    for _ in range(5):
        chat.refuse()
    chat.refuse("heist-too-late")
    assert len(await chat.sent(0)) == 2
    await chat.sent(59)
    chat.refuse()
    assert await chat.sent(0) == []
    await chat.sent(1)
    chat.refuse()
    assert len(await chat.sent(0)) == 1


async def test_the_last_of_a_budget_is_kept_for_what_tables_tell() -> None:
    chat = Chat(AT_ONCE)
    for number in range(30):
        chat.say(f"answer{number}", game=None)
    assert len(await chat.sent(0)) == 18
    chat.say("the result")
    assert await chat.sent(0) == ["the result"]
    rest = [*await chat.sent(30), *await chat.sent(30)]
    assert rest == [f"answer{number}" for number in range(18, 30)]


async def test_a_flood_of_answers_is_cut_off_and_a_result_goes_before_what_waits() -> None:
    chat = Chat(AT_ONCE)
    for number in range(1000):
        chat.say(f"answer{number}", game=None)
    chat.say("the result")
    said = [*await chat.sent(0)]
    assert said[-1] == "the result"
    for _ in range(10):
        said += await chat.sent(30)
    assert len(said) == CROWDED + 1


async def test_a_budget_that_shrinks_counts_from_the_next_message_on() -> None:
    chat = Chat(AT_ONCE)
    for number in range(15):
        chat.say(f"line{number}")
    assert len(await chat.sent(0)) == 15
    chat.room.channels[0].manner = replace(AT_ONCE, budget=10)
    chat.say("one more")
    assert await chat.sent(29) == []
    assert await chat.sent(1) == ["one more"]


async def test_names_are_dressed_as_the_platform_needs_them() -> None:
    chat = Chat(replace(AT_ONCE, dress=str.upper))
    chat.outbox.say(chat.room, [Say(Message("credits-of", {"who": Name(ANN), "balance": Credits(1)}))])
    assert await chat.sent(0) == ["ANN has 1 credit."]


async def test_names_and_credits_are_put_into_words() -> None:
    chat = Chat(Manner())
    message = Message("credits-of", {"who": Name(ANN), "balance": Credits(1)})
    assert chat.outbox.text(message) == "ann has 1 credit."


@pytest.mark.parametrize("start", [0.1, 0.3, 1 / 3, 1234.5678])
async def test_a_rounding_of_the_clock_does_not_break_the_budget(start: float) -> None:
    chat = Chat(AT_ONCE)
    await chat.sent(start)
    for number in range(100):
        chat.say(f"line{number}")
    assert [len(await chat.sent(30)) for _ in range(3)] == [40, 20, 20]


async def test_a_message_without_words_does_not_silence_the_next() -> None:
    chat = Chat(Manner())
    chat.outbox.say(chat.room, [Say(Message("no-such-message")), Say(Message("word", {"word": "fine"}))])
    assert await chat.sent(0) == ["fine"]
