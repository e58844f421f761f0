"""What a room promises where each member plays alone: tables that stand apart."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.bot.apart import DECISION, LINGER, MO, START, TERMS, VOID_BY_MO, game, kept, opened, rejected
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


async def test_several_play_at_once_and_each_word_finds_the_table_of_its_speaker(store: Store) -> None:
    stage = await opened(store, "ann", "bob", "kim")
    await stage.say("bob", "!another")
    await stage.say("kim", "!cashout")
    assert [rejected(stage, who) for who in ("ann", "bob", "kim")] == [0, 1, 0]
    assert [kept(stage, who) for who in ("ann", "bob", "kim")] == [0, 0, 1]
    assert len({game(stage, who).id for who in ("ann", "bob", "kim")}) == 3


async def test_one_who_plays_cannot_begin_a_second_game(store: Store) -> None:
    stage = await opened(store, "ann", stake=50)
    before = game(stage, "ann").state
    told = await stage.say("ann", f"!highshow {TERMS} 20")
    assert told == ["> ann: You are in a game already; finish that one first."]
    assert game(stage, "ann").state is before
    assert await stage.credits("ann") == START - 50


async def test_who_plays_nothing_is_told_how_to_begin_though_others_play(store: Store) -> None:
    stage = await opened(store, "ann")
    before = game(stage, "ann").state
    for word in ("!cashout", "!another", "!hint", "!guess 3 4"):
        told = await stage.say("bob", word)
        assert told == ["> bob: You are in no game of High Show here now; start one with !highshow."], word
    assert game(stage, "ann").state is before


async def test_one_more_than_may_play_at_once_is_refused_until_a_game_ends(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set highshow games 2")
    for who in ("ann", "bob"):
        await stage.say(who, f"!highshow {TERMS}")
    told = await stage.say("kim", f"!highshow {TERMS} 50")
    assert len(told) == 1
    assert told[0].startswith("> kim: ")
    assert "2" in told[0]
    assert await stage.credits("kim") == START
    assert f"highshow {seat('kim')}" not in stage.room.tables
    await stage.say(MO, "!cancel highshow @ann")
    assert "kim plays" in (await stage.say("kim", f"!highshow {TERMS} 50"))[0]


async def test_cancel_calls_all_off_and_every_stake_goes_back(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    assert await stage.say(MO, "!cancel highshow") == [VOID_BY_MO.format(who) for who in ("ann", "bob")]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [START, START]
    assert not stage.room.playing("highshow")


async def test_nothing_is_said_of_stakes_where_a_table_for_honour_is_called_off(store: Store) -> None:
    stage = await opened(store, "ann", stake=0)
    assert await stage.say(MO, "!cancel highshow") == ["High Show of ann was called off by mo."]


async def test_cancel_with_a_name_calls_that_table_off_alone(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    assert await stage.say(MO, "!cancel highshow @ann") == [VOID_BY_MO.format("ann")]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [START, START - 50]
    assert stage.room.playing("highshow") == [game(stage, "bob")]
    told = await stage.say(MO, "!cancel highshow @ann")
    assert told == ["> mo: ann plays no High Show here now."]
    await stage.say(MO, "!cancel highshow")
    told = await stage.say(MO, "!cancel highshow")
    assert told == ["> mo: There is no game of High Show here to call off."]


@pytest.mark.parametrize("end", ["played", "called off"])
async def test_a_table_that_is_over_goes_away_after_a_minute(store: Store, end: str) -> None:
    stage = await opened(store, "ann", "bob")
    if end == "played":
        for word in ("!cashout", "!cashout", "!guess skip"):
            await stage.say("ann", word)
    else:
        await stage.say(MO, "!cancel highshow @ann")
    assert game(stage, "ann").over
    await stage.turn(LINGER - 2)
    assert f"highshow {seat('ann')}" in stage.room.tables
    await stage.turn(2)
    assert f"highshow {seat('ann')}" not in stage.room.tables
    assert f"highshow {seat('bob')}" in stage.room.tables, "who still plays is left alone"


async def test_a_game_that_begins_meanwhile_does_not_go_away_with_the_one_before(store: Store) -> None:
    stage = await opened(store, "ann")
    for word in ("!cashout", "!cashout", "!guess skip"):
        await stage.say("ann", word)
    await stage.say("ann", f"!highshow {TERMS}")
    second = game(stage, "ann").id
    await stage.turn(DECISION - 1)
    await stage.say("ann", "!another")
    await stage.turn(10)
    assert game(stage, "ann").id == second
    assert not game(stage, "ann").over


async def test_the_button_of_somebody_elses_table_changes_nothing(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    states = [game(stage, who).state for who in ("ann", "bob")]
    for word in ("!cashout", "!another", "!hint", "!guess skip skip"):
        for who in ("bob", "kim"):
            heard = len(stage.adapter.deliveries)
            line = replace(stage.line(who, word), table=game(stage, "ann").id)
            await stage.bot.converse(line)
            await stage.turn(0)
            assert stage.said(heard) == [f"> {who}: ann plays this one; start your own with !highshow."]
    assert [game(stage, who).state for who in ("ann", "bob")] == states
    assert game(stage, "ann").seated == {seat("ann")}
    assert [await stage.credits(who) for who in ("ann", "bob", "kim")] == [START - 50, START - 50, START]


async def test_the_button_of_a_game_that_is_over_plays_no_other(store: Store) -> None:
    stage = await opened(store, "ann")
    first = game(stage, "ann").id
    for word in ("!cashout", "!cashout", "!guess skip", f"!highshow {TERMS}"):
        await stage.say("ann", word)
    heard, before = len(stage.adapter.deliveries), game(stage, "ann").state
    await stage.bot.converse(replace(stage.line("ann", "!cashout"), table=first))
    await stage.turn(0)
    assert len(stage.said(heard)) == 1
    assert "over" in stage.said(heard)[0]
    assert game(stage, "ann").state is before


async def test_each_clock_runs_by_itself(store: Store) -> None:
    stage = await opened(store, "ann")
    await stage.turn(40)
    await stage.say("bob", f"!highshow {TERMS}")
    await stage.turn(20)
    assert (kept(stage, "ann"), kept(stage, "bob")) == (1, 0)
    await stage.say("ann", "I am here")  # so that she is waited for as long as before
    await stage.turn(40)
    assert (kept(stage, "ann"), kept(stage, "bob")) == (1, 1)


async def test_fair_tells_the_link_of_every_table_and_each_can_be_verified(store: Store) -> None:
    stage = await opened(store, "ann", "bob", stake=50)
    ids = [game(stage, who).id for who in ("ann", "bob")]
    assert len(set(ids)) == 2
    told = " ".join(await stage.say("kim", "!fair highshow"))
    assert [
        each for each in ids if re.search(rf"table {each}, link 1 of chain \w{{64}}; terms \w{{64}}", told)
    ] == ids
    for who in ("ann", "bob"):
        for word in ("!another", "!cashout", "!cashout", "!guess 3 4"):
            await stage.say(who, word)
    for table in ids:
        verdict = await stage.say("kim", f"!verify {table}")
        assert verdict[0].startswith(f"Table {table} checks out: ")


async def test_games_stop_though_a_table_leaves_meanwhile(store: Store) -> None:
    """A table that is over is shown for a minute; stopping waits for what is under way at the others."""
    stage = await opened(store, "ann", "bob")
    await stage.say(MO, "!cancel highshow @bob")
    async with game(stage, "ann").lock:
        stopping = asyncio.create_task(stage.bot.control.halt())
        await asyncio.sleep(0)
        await stage.turn(LINGER)
        assert f"highshow {seat('bob')}" not in stage.room.tables
    await stopping
    assert game(stage, "ann").frozen
