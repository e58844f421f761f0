"""A phase lasts as long as somebody has to be waited for, and no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.channel import Manner
from chatbot.tables.phase_timer import GRACE, LONGEST_THOUGHT
from tests.bot.hosting import hosted
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

LOBBY, GETAWAY, CHOICE, TURN = 60, 30, 30, 30  # seconds
PATIENCE = Manner().patience


async def getaway(store: Store, *crew: str) -> Stage:
    """Play a heist until the bank is named."""
    stage = await Stage(store).open()
    for who in crew:
        await stage.say(who, "!heist 69")
    await stage.turn(LOBBY)
    assert phase(stage.table) == "getaway"
    return stage


def phase(table: Table) -> str:
    return "" if table.clock is None else table.clock.phase


def left(stage: Stage, table: Table) -> float:
    assert table.deadline is not None
    return table.deadline - stage.watch.now()


async def test_a_getaway_ends_two_seconds_after_the_last_of_the_crew_has_answered(store: Store) -> None:
    stage = await getaway(store, "ann", "bob")
    await stage.say("ann", "!guncheck")
    assert left(stage, stage.table) == GETAWAY
    await stage.turn(10)
    await stage.say("bob", "!deposit")
    assert left(stage, stage.table) == GRACE
    await stage.turn(GRACE - 0.1)
    assert phase(stage.table) == "getaway"
    await stage.turn(0.1)
    assert phase(stage.table) == "storming"


async def test_whoever_changes_their_mind_has_two_seconds_again(store: Store) -> None:
    stage = await getaway(store, "ann")
    for answer in ("guncheck", "deposit"):
        await stage.say("ann", f"!{answer}")
        await stage.turn(GRACE - 0.5)
        assert phase(stage.table) == "getaway"
    await stage.say("ann", "!guncheck")
    await stage.turn(GRACE)
    assert phase(stage.table) == "storming"


async def test_talk_does_not_prolong_the_two_seconds(store: Store) -> None:
    stage = await getaway(store, "ann")
    await stage.say("ann", "!guncheck")
    await stage.turn(1.5)
    await stage.say("ann", "here we go")
    await stage.say("bob", "good luck")  # who sits down at the table by it
    await stage.turn(0.5)
    assert phase(stage.table) == "storming"


async def test_the_end_of_the_phase_comes_first_where_less_is_left(store: Store) -> None:
    stage = await getaway(store, "ann")
    await stage.turn(GETAWAY - 1)
    await stage.say("ann", "!guncheck")
    assert left(stage, stage.table) == 1


async def test_a_lobby_does_not_end_by_itself_before_its_time(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY - 1)
    assert phase(stage.table) == "lobby"


async def test_whoever_was_silent_in_a_turn_is_waited_for_less_in_the_next(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.say(who, "!chicken 6" if who == "ann" else "!chicken")
    await stage.turn(LOBBY)
    table = stage.room.tables["chickenpoker"]
    await stage.turn(CHOICE)
    assert (phase(table), left(stage, table)) == ("round 2", PATIENCE)
    await stage.turn(PATIENCE)
    assert (phase(table), left(stage, table)) == ("round 3", PATIENCE)


async def test_the_time_that_is_told_is_the_time_that_there_is(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!market")
    await stage.say("bob", "!market")
    assert any("You have 30 seconds" in each for each in await stage.turn(LOBBY))
    await stage.turn(TURN)
    (said,) = await stage.turn(TURN)
    assert f"You have {PATIENCE:.0f} seconds" in said


async def test_whoever_speaks_again_has_the_whole_time_again(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.say(who, "!chicken 6" if who == "ann" else "!chicken")
    await stage.turn(LOBBY + CHOICE + 3)
    table = stage.room.tables["chickenpoker"]
    assert left(stage, table) == PATIENCE - 3
    await stage.say("bob", "sorry, I was away")
    assert left(stage, table) == CHOICE - 3
    await stage.say("bob", "!play 6", private=True)  # and only the silent one is left
    assert left(stage, table) == PATIENCE - 3


async def test_in_a_chat_that_sees_a_stream_late_the_silent_have_longer(store: Store) -> None:
    stage = await Stage(store, manner=Manner(patience=15.0)).open()
    await stage.say("ann", "!market")
    await stage.say("bob", "!market")
    await stage.turn(LOBBY + 2 * TURN)
    table = stage.room.tables["pokermarket"]
    assert (phase(table), left(stage, table)) == ("turn 3", 15)


async def test_nobody_waits_for_those_who_have_left(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob", "kim"):
        await stage.say(who, "!market")
    await stage.turn(LOBBY)
    table = stage.room.tables["pokermarket"]
    await stage.room.note_away([seat("ann"), seat("bob"), seat("kim")])
    await stage.turn(0)
    assert table.over
    assert len(table.view(None).ranked.places) == 3


async def test_whoever_comes_back_is_waited_for(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.say(who, "!chicken 6" if who == "ann" else "!chicken")
    await stage.turn(LOBBY)
    table = stage.room.tables["chickenpoker"]
    await stage.room.note_away([seat("ann")])
    assert left(stage, table) == CHOICE  # bob is here
    await stage.say("bob", "!play 1", private=True)
    await stage.turn(GRACE)
    assert (phase(table), left(stage, table)) == ("round 2", CHOICE)
    await stage.say("ann", "back")
    await stage.say("bob", "!play 2", private=True)
    assert (phase(table), left(stage, table)) == ("round 2", CHOICE)


@pytest.mark.parametrize("private", [True, False])
async def test_players_of_the_house_keep_nobody_waiting(store: Store, *, private: bool) -> None:
    stage = await hosted(store, 3, "guardsman")
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    await stage.say("ann", "!guncheck", private=private)
    await stage.turn(LONGEST_THOUGHT)
    assert phase(stage.table) == "storming"


async def test_the_house_thinks_no_longer_in_a_market_than_people_need_to_read(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!market 1")
    await stage.turn(LOBBY)
    table = stage.room.tables["pokermarket"]
    if table.kit.seating.awaited(table.state) == (seat("ann"),):
        await stage.say("ann", "!pass")
    before = phase(table)
    await stage.turn(LONGEST_THOUGHT)
    assert phase(table) != before
