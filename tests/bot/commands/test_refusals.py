"""Where all read along, nobody is refused the same twice a minute, and a crowd is told so in one line."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.delivery.sender import REFUSAL_DELAY, REFUSAL_INTERVAL
from chatbot.rooms.channel import Manner, Privacy
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

PUBLIC = Manner(private=Privacy.NONE)
STREAM = replace(PUBLIC, length=500, merged=480, gap=1.0)


async def test_who_looks_for_another_game_is_answered_though_one_was_just_refused(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    assert "no game of Poker Market" in (await stage.say("ann", "!pass"))[0]
    assert "no game of High Show" in (await stage.say("ann", "!cashout"))[0]
    assert await stage.say("bob", "!decline") == [], "it is of Poker Market again"
    await stage.turn(REFUSAL_DELAY + REFUSAL_INTERVAL)
    assert "no game of Poker Market" in (await stage.say("bob", "!decline"))[0]


async def test_what_somebody_typed_makes_no_new_kind(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    assert "“one” is no amount" in (await stage.say("ann", "!heist one"))[0]
    assert await stage.say("bob", "!heist two") == []


@pytest.mark.slow
async def test_a_crowd_that_is_refused_is_told_in_one_line_that_counts_everybody(
    store: Store,
) -> None:
    stage = await Stage(store, manner=STREAM).open()
    (first,) = await stage.say("ann", "!cashout")
    sentence = first.removeprefix("@ann: ")
    for who in ("bob", "cid", "dan", "cid", "ann"):
        assert await stage.say(who, "!cashout") == []
    assert await stage.turn(REFUSAL_DELAY) == [f"@bob, @cid, @dan: {sentence}"]
    for number in range(100):
        assert await stage.say(f"viewer{number:03}", "!cashout") == []
    (told,) = await stage.turn(REFUSAL_INTERVAL - REFUSAL_DELAY)
    assert len(told) <= 500
    names, _, said = told.partition(": ")
    assert said == sentence
    listed, _, more = names.partition(" and ")
    assert listed.count("@") + int(more.removesuffix(" more")) == 100


async def test_who_is_refused_later_in_the_minute_hears_so_in_a_few_seconds(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    (first,) = await stage.say("ann", "!cashout")
    await stage.turn(20)
    assert await stage.say("bob", "!cashout") == []
    assert await stage.turn(REFUSAL_DELAY) == [first.replace("ann", "bob")]
    assert await stage.say("cid", "!cashout") == []
    assert await stage.turn(REFUSAL_DELAY) == []
    assert await stage.turn(REFUSAL_INTERVAL) == [first.replace("ann", "cid")]


async def test_who_may_do_it_by_now_is_not_told_to_wait(store: Store) -> None:
    stage = await Stage(store, manner=PUBLIC).open()
    for who in ("ann", "bob"):
        await stage.say(who, "!top")
        await stage.turn(20)
    await stage.say("ann", "!top")
    assert "you can use it again" in (await stage.say("ann", "!top"))[0]
    await stage.turn(20)
    await stage.say("bob", "!top")
    assert await stage.say("bob", "!top") == []
    assert await stage.turn(REFUSAL_INTERVAL) == []


async def test_answers_that_wait_and_say_the_same_become_one(store: Store) -> None:
    stage = await Stage(store, manner=STREAM).open()
    await stage.say("mo(moderator)", "!talk full")
    await stage.say("ann", "!heist 20")
    lines = [stage.line(f"viewer{number:03}", "!heist 20") for number in range(60)]
    heard = len(stage.adapter.deliveries)
    await asyncio.gather(*map(stage.bot.converse, lines))
    await stage.turn(10)
    told = [each for each in stage.said(heard) if "you are in" in each.lower()]
    assert len(told) <= 3
    named = {each for line in told for each in re.findall("@viewer[0-9]+", line)}
    counted = sum(map(int, re.findall("and ([0-9]+) more", " ".join(told))))
    assert len(named) + counted == 60


async def test_how_another_command_is_written_is_told_within_the_same_minute(store: Store) -> None:
    stage = await Stage(store, manner=Manner(private=Privacy.SECRETS)).open()
    for typed, usage in (("!give", "!give @name AMOUNT"), ("!claim now", "!claim"), ("!give", "")):
        told = await stage.say("ann", typed)
        assert told == ([f"@ann: Write it like this: {usage}"] if usage else [])
