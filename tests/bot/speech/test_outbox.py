"""What is said when: merged, within the budget, split at words, and nothing important lost."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from structlog.testing import capture_logs

from chatbot import log
from chatbot.delivery import sender
from chatbot.delivery.outbox import LONGEST_JOINED
from chatbot.delivery.sender import MAX_OPTIONAL_BACKLOG, split
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Credits, Message, Name, Say, Talk
from chatbot.rooms.channel import Channel, Delivery, Manner, Privacy
from chatbot.speech import words
from tests.bot.outboxes import ANN, AT_ONCE, DISCORD, STREAM, Chat, chatter, steadily
from tests.bot.stage import Notebook, Stage
from tests.conftest import REPORT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table


async def test_a_line_goes_out_at_once_and_what_comes_within_a_second_of_it_is_one_message() -> None:
    chat = Chat(STREAM)
    for _ in range(2):
        chat.say("one")
        assert await chat.sent() == ["one"]
        chat.say("two")
        assert await chat.sent(0.9) == []
        chat.say("three")
        assert await chat.sent(0.1) == ["two three"]
        assert await chat.sent(1) == []


@pytest.mark.parametrize("every", [0.05, 0.1, 0.3, 0.85, 1.0, 1.5, 1.7, 1.99, 2.0, 3.0])
@pytest.mark.parametrize("game", [None, "heist"])
async def test_however_steadily_lines_come_none_waits_for_more_than_two_seconds(
    every: float, game: str | None
) -> None:
    """Five minutes of them; within 30 seconds a budget of 18 for answers would end at one a second."""
    chat = Chat(STREAM)
    waits = await steadily(chat, every, 300, game)
    assert waits[0] == 0
    assert max(waits) <= 2


async def test_who_may_say_more_makes_nobody_wait_for_more_than_half_a_second() -> None:
    chat = Chat(replace(STREAM, gap=0.5, budget=99))
    waits = await steadily(chat, 0.1, 300)
    assert max(waits) == pytest.approx(0.5)


async def test_in_a_quiet_chat_a_moderator_answers_several_at_once_and_then_twice_a_second() -> None:
    """Four within three seconds need not wait for others; the fifth waits half a second, and so on."""
    chat = Chat(replace(STREAM, gap=0.5, calm=4, budget=99))
    for number in range(20):
        chat.say(f"<{number}>", game=None)
        await chat.watch.turn(0.1)
    await chat.watch.turn(1)
    assert [round(at, 6) for at in chat.times] == [0.0, 0.1, 0.2, 0.3, 0.8, 1.3, 1.8, 2.3]
    await chat.watch.turn(3)
    for text in ("after a while", "at once too"):
        chat.say(text, game=None)
        assert await chat.sent() == [text]


async def test_lines_of_a_table_are_merged_in_a_quiet_chat_too() -> None:
    chat = Chat(replace(STREAM, gap=0.5, calm=4, budget=99))
    waits = await steadily(chat, 0.1, 10, "heist")
    assert max(waits) == pytest.approx(0.5)
    assert len(chat.times) <= 21


@pytest.mark.parametrize("every", [1.0, 1.01, 1.1, 1.33])
async def test_who_asks_once_a_second_is_answered_at_once_where_five_messages_may_be_sent_in_five_seconds(
    every: float,
) -> None:
    chat = Chat(DISCORD)
    assert max(await steadily(chat, every, 300)) == pytest.approx(0)
    assert _most_within(chat.times, 5.0) <= 5


@pytest.mark.parametrize("late", [0.1, 0.34, 0.9])
async def test_one_answer_that_is_late_does_not_make_all_later_ones_late(late: float) -> None:
    """At a message a second, all that the budget gives, two answers in one message make up for it."""
    chat, waits = Chat(DISCORD), {}
    for number in range(60):
        at = number + (late if number == 10 else 0.0)
        await chat.watch.turn(at - chat.watch.now())
        waits[f"<{number}>"] = -at
        chat.say(f"<{number}>", game=None)
    await chat.watch.turn(10)
    for delivery, at in zip(chat.adapter.deliveries, chat.times, strict=True):
        waits |= {each: waits[each] + at for each in delivery.text.split()}
    assert sum(each > 0.05 for each in waits.values()) == 1
    assert max(waits.values()) <= 1.25
    assert _most_within(chat.times, 5.0) == 5


async def test_while_a_table_is_open_a_message_is_kept_for_what_it_tells_however_even_the_answers_are() -> (
    None
):
    chat = Chat(DISCORD)
    chat.room.tables["heist"] = cast("Table", SimpleNamespace(over=False))
    waits = await steadily(chat, 1.0, 60)
    assert _most_within(chat.times, 5.0) == 4
    assert max(waits) > 0
    chat.room.tables["heist"] = cast("Table", SimpleNamespace(over=True))
    assert max(await steadily(chat, 1.0, 60)) == pytest.approx(0)


async def test_after_any_answers_the_first_line_of_a_table_waits_for_a_second_at_most() -> None:
    """A fifth of the budget's window: of five messages within five seconds one is free soon."""
    for every in (0.05, 0.3, 0.7, 1.0, 1.4):
        for seconds in range(1, 12):
            chat = Chat(DISCORD)
            await chatter(chat, every, seconds)
            said = chat.watch.now()
            chat.say("planning", game="heist")
            await chat.watch.turn(10)
            [at] = [
                at
                for at, each in zip(chat.times, chat.adapter.deliveries, strict=True)
                if "planning" in each.text
            ]
            assert at - said <= 1.0 + 1e-6, (every, seconds)
            assert _most_within(chat.times, 5.0) <= 5


@pytest.mark.parametrize("manner", [DISCORD, STREAM, AT_ONCE, replace(STREAM, gap=0.5, calm=4, budget=99)])
@pytest.mark.parametrize("playing", [False, True])
async def test_no_pattern_of_lines_exceeds_the_budget_nor_the_gap(manner: Manner, playing: bool) -> None:
    random, budget = Random(f"{manner} {playing}"), manner.budget or 0
    for _ in range(20):
        chat, mean = Chat(manner), random.choice([0.02, 0.2, 0.9, 1.0, 3.0])
        if playing:
            chat.room.tables["heist"] = cast("Table", SimpleNamespace(over=False))
        for number in range(200):
            await chat.watch.turn(random.expovariate(1 / mean))
            chat.say(f"<{number}>", game=random.choice([None, None, None, "heist"]))
        await chat.watch.turn(120)
        assert _most_within(chat.times, manner.window) <= budget
        if not manner.calm:
            assert all(after - before >= manner.gap - 1e-6 for before, after in pairwise(chat.times))


def _most_within(times: Sequence[float], seconds: float) -> int:
    """Return how many messages went out within so many seconds, at most."""
    return max(sum(began <= at < began + seconds - 1e-6 for at in times) for began in times)


async def test_after_a_long_quiet_a_line_goes_out_at_once_however_busy_the_chat_was() -> None:
    chat = Chat(STREAM)
    await chatter(chat, 0.3, 60)
    await chat.sent(4)
    chat.say("an answer")
    assert await chat.sent() == ["an answer"]


async def test_a_budget_that_lasts_is_spent_at_the_shortest_gap_first() -> None:
    """18 messages of 20 are for answers: 5 gaps of 1 s and 12 of 2 s, so that a 19th is due after 31 s."""
    chat = Chat(STREAM)
    await chatter(chat, 0.5, 60)
    between = [round(after - before, 6) for before, after in pairwise(chat.times)]
    assert between == [1] * 5 + [2] * 27  # 59 s


async def test_a_flood_of_joins_is_told_in_merged_lines() -> None:
    """17 lines of 27 characters and the blanks between them are 475 characters: 6 messages for 100."""
    chat = Chat(STREAM)
    lines = [f"member{number:03} joins the heist!!" for number in range(100)]
    assert {len(each) for each in lines} == {27}
    for each in lines:
        chat.say(each)
    said = await chat.sent(20)
    assert " ".join(said) == " ".join(lines)
    assert len(said) == 6


async def test_a_line_of_a_table_passes_ahead_of_the_answers_that_wait() -> None:
    chat = Chat(STREAM)
    chat.say("said before", game=None)
    await chat.sent()
    for number in range(40):
        chat.say(f"answer{number:02} of some length", game=None)
    chat.say("the vault is open")
    [first] = await chat.sent(1)
    assert first.startswith("the vault is open answer00 of some length answer01")
    rest = " ".join(await chat.sent(30))
    assert rest.endswith("answer39 of some length")


async def test_lines_that_fit_into_one_message_stay_in_their_order() -> None:
    chat = Chat(STREAM)
    chat.say("said before")
    await chat.sent()
    chat.say("an answer", game=None)
    chat.say("the vault is open")
    assert await chat.sent(1) == ["an answer the vault is open"]


async def test_in_a_busy_chat_too_a_table_tells_a_message_a_second_while_it_fills_them() -> None:
    chat = Chat(STREAM)
    await chatter(chat, 0.5, 60)
    await chat.sent(2)
    story = " ".join(f"word{number:03}" for number in range(150))  # 1,199 characters: three messages
    chat.say(story)
    said = await chat.sent(4)
    assert " ".join(said) == story
    assert [round(after - before, 6) for before, after in pairwise(chat.times[-3:])] == [1, 2]


async def test_a_chat_waits_for_no_other_of_the_same_account() -> None:
    chat, other = Chat(STREAM), Notebook()
    for number in range(100):
        chat.say(f"the line of number {number}")
    await chat.sent()
    elsewhere = replace(chat.room, id="elsewhere", channels=(Channel("other", "test", other, STREAM),))
    chat.outbox.say(elsewhere, [Say(Message("word", {"word": "hello"}))])
    assert await chat.sent() == []
    assert [each.text for each in other.deliveries] == ["hello"]


async def test_whom_several_lines_are_for_is_named_once() -> None:
    chat = Chat(STREAM)
    for text, to in (("one", ANN), ("two", ANN), ("three", None), ("four", ANN)):
        chat.say(text, to=to)
    assert await chat.sent() == ["@ann: one two three @ann: four"]


async def test_the_end_of_a_long_answer_is_said_though_a_table_spoke_to_the_same_person_before_it() -> None:
    chat = Chat(replace(AT_ONCE, merged=480, budget=6))
    for number in range(4):
        chat.say(f"table{number} " + "t" * 470)
    await chat.sent(4)
    chat.say("w" * 490 + " and the rest", to=ANN, game=None)
    chat.say("first", to=ANN)
    chat.say("second", to=ANN)
    said = await chat.sent(60)
    assert said[-1] == "@ann: first second the rest"


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
    assert len(said) <= MAX_OPTIONAL_BACKLOG + 1


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
    "text",
    [
        "Ann escapes, and 481 more.|All together: −2,546.",
        "열 명이 달아났어요! 모두 합쳐서 −2,546.|이어서 판돈을 잃은 사람들",
        "Richest of all are these: 1. Cleo,|2. Ida, 3. Lena",
        "A. word after word after word after|word",
        "one word, another word,|a third word, a fourth",
    ],
)
def test_a_message_ends_where_a_sentence_does_or_else_a_part_of_one(text: str) -> None:
    assert split(text.replace("|", " "), 36) == text.split("|")


@pytest.mark.parametrize("name", ["viewer", "a_viewer_with_a_longer_name"[:22]])
async def test_a_crew_of_hundreds_is_told_in_messages_that_end_with_a_sentence(
    store: Store, name: str
) -> None:
    stage = await Stage(store, manner=STREAM).open()
    await stage.say("mo(moderator)", "!set heist getaway 5")
    for number in range(120):
        await stage.bot.converse(stage.line(f"{name}{number:03}", "!heist 69"))
    told = [each for each in await stage.turn(120) if not each.startswith(">")]
    assert any("more. All together" in each or "All together" in each for each in told)
    assert all(each.endswith((".", "!", "?", "…")) for each in told), told
    (results,) = (each for each in told if "Results:" in each)
    assert len(results) <= STREAM.length
    assert results.count("(") >= 8


@pytest.mark.parametrize(
    ("room", "heard"),
    [(Talk.QUIET, "q"), (Talk.NORMAL, "q n"), (Talk.FULL, "q n f")],
)
async def test_a_room_hears_as_much_as_it_wants(room: Talk, heard: str) -> None:
    chat = Chat(STREAM, room)
    for talk in Talk:
        chat.say(talk.value[0], talk=talk)
    assert await chat.sent() == [heard]


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
    assert len(said) == MAX_OPTIONAL_BACKLOG + 1


async def test_answers_to_a_crowd_are_never_dropped_but_listed_in_rows_each_once() -> None:
    """A row of 9 characters, such as `m100 105,`: 460 characters have 51 of them."""
    chat = Chat(replace(STREAM, private=Privacy.ALL))
    for number in [*range(100, 400), 399]:
        said = Say(Message("credits-of", {"who": Name(Seat(f"test:m{number}")), "balance": Credits(number)}))
        delivery = Delivery("chat", chat.outbox.text(said.message), None, (said,))
        chat.outbox.sender.put(chat.room, chat.room.channels[0], delivery, answer=True)
    texts = [*await chat.sent(60)]
    assert texts[0].startswith("Balances: m100 100, m101 101, ")
    told = re.findall(r"m(\d+) (\d+)[,.]", " ".join(texts))
    assert told == [(str(number), str(number)) for number in range(100, 400)]
    assert len(texts) == 7
    assert all(len(each) <= 480 for each in texts)


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


async def test_a_message_without_words_is_said_and_does_not_silence_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(words, "report", REPORT)
    chat = Chat(Manner())
    chat.outbox.say(chat.room, [Say(Message("no-such-message")), Say(Message("word", {"word": "fine"}))])
    assert await chat.sent(0) == ["no such message", "fine"]


async def test_what_follows_a_line_of_the_same_step_is_said_with_it() -> None:
    chat = Chat(AT_ONCE)
    lines = [Say(Message("word", {"word": text}), game="heist", follows=True) for text in ("one", "two")]
    chat.outbox.say(chat.room, [*lines, Say(Message("word", {"word": "three"}), game="heist")])
    chat.outbox.say(chat.room, lines[:1])
    assert await chat.sent() == ["one two", "three", "one"]


async def test_lines_that_follow_are_not_joined_beyond_the_longest_line_nor_to_fine_print() -> None:
    chat = Chat(replace(AT_ONCE, fine=True))
    half = Message(
        "word", {"word": "x" * (LONGEST_JOINED // 2)}
    )  # two of them and the blank are one too many
    fine = Say(Message("word", {"word": "fine"}), game="heist", fine=True)
    end = Say(Message("word", {"word": "end"}), game="heist", follows=True)
    chat.outbox.say(chat.room, [Say(half, game="heist"), Say(half, game="heist", follows=True), fine, end])
    assert await chat.sent() == ["x" * 150, "x" * 150 + " end", "fine"]


async def test_after_a_merged_line_whoever_is_meant_alone_is_named_again() -> None:
    chat = Chat(replace(STREAM, merged=150))
    for _ in range(10):
        chat.say("filler filler")
    for name in ("ann", "ben", "cid"):
        chat.say("you are late", to=Seat(f"test:{name}"), game=None)
    chat.say("you are out", to=ANN, game=None)
    await chat.sent()
    (told,) = await chat.sent(2)
    assert told.endswith("@ann, @ben, @cid: you are late @ann: you are out")


@pytest.mark.parametrize("next_one", ["ben", "cid"])
async def test_nobody_is_refused_the_same_twice_in_a_minute_that_spans_two_intervals(next_one: str) -> None:
    chat = Chat(AT_ONCE)

    def refuse(name: str) -> None:
        refused = Say(Message("give-yourself"), to=Seat(f"test:{name}"), event="Refusal")
        chat.outbox.say(chat.room, [refused])

    refuse("ann")
    await chat.sent(50)
    refuse("ben")
    assert len(await chat.sent(11)) == 1  # a few seconds later
    refuse(next_one)
    assert len(await chat.sent(1)) == (next_one != "ben")
    refuse("ben")
    assert await chat.sent(20) == []
    await chat.sent(35)
    refuse("ben")
    assert len(await chat.sent(60)) == 1


async def test_a_full_backlog_is_logged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "MAX_BACKLOG", 10)
    chat = Chat(replace(STREAM, gap=1000.0, longest_gap=1000.0))
    chat.say()
    await chat.sent()
    log.configure("warning")
    with capture_logs() as logged:
        for minute in (1, 2):
            for _ in range(20):
                chat.say(to=ANN)
            assert len(logged) == minute
            await chat.sent(60)
