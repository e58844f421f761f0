"""Who has joined may leave until the lobby closes: the stake comes back, and the lobby goes on.

The books of each test are checked when it ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

MO = "mo(moderator)"
LOBBY = 60
START = 240  # credits that everybody begins with


async def purse(stage: Stage, who: str) -> int:
    return await stage.bot.balances.purse(stage.room, Seat(f"test:{who}"))


async def test_who_leaves_a_heist_has_the_stake_back_and_may_join_again_with_another(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!heist 100")
    assert await purse(stage, "bob") == START - 100
    assert any("have your 100 credits back" in each for each in await stage.say("bob", "!heist leave"))
    assert await purse(stage, "bob") == START
    await stage.say("bob", "!heist 40")
    assert await purse(stage, "bob") == START - 40
    assert [each.stake for each in stage.room.tables["heist"].state.company.crew] == [69, 40]


@pytest.mark.parametrize("word", ["heist", "chicken", "market"])
async def test_a_lobby_that_all_have_left_goes_on_and_ends_as_too_few_come(stage: Stage, word: str) -> None:
    await stage.say("ann", f"!{word} stake=50" if word != "heist" else "!heist 50")
    await stage.say("ann", f"!{word} leave")
    (table,) = stage.room.tables.values()
    assert not table.over
    heard = await stage.turn(LOBBY)
    assert table.over
    assert any(" is off: " in each for each in heard)
    assert await purse(stage, "ann") == START


@pytest.mark.parametrize("word", ["heist", "chicken", "market"])
async def test_who_is_not_in_has_nothing_to_take_back(stage: Stage, word: str) -> None:
    await stage.say("bob", f"!{word} leave")
    assert not [each for each in stage.room.tables.values() if not each.over]  # and no table is opened
    await stage.say("ann", f"!{word}")
    before = await purse(stage, "ann")
    assert len(await stage.say("bob", f"!{word} leave")) == 1
    assert (await purse(stage, "ann"), await purse(stage, "bob")) == (before, START)


async def test_who_joins_a_lobby_that_all_have_left_has_no_more_time_than_was_left(stage: Stage) -> None:
    await stage.say("ann", "!heist 50")
    await stage.turn(LOBBY - 10)
    await stage.say("ann", "!heist leave")
    heard = await stage.say("bob", "!heist 50")
    assert not any(
        "planning" in each for each in heard
    )  # it was opened before, and 60 seconds would be wrong
    assert any("bank" in each.lower() for each in await stage.turn(10))
    assert stage.room.tables["heist"].clock is not None
    assert stage.room.tables["heist"].clock.phase != "lobby"


async def test_in_the_getaway_it_is_too_late_to_leave_and_backing_out_is_named(stage: Stage) -> None:
    await stage.say("ann", "!heist 50")
    await stage.turn(LOBBY)
    assert any("!backout" in each for each in await stage.say("ann", "!heist leave"))
    assert await purse(stage, "ann") == START - 50


async def test_people_who_leave_do_not_leave_players_of_the_house_to_play_alone(stage: Stage) -> None:
    await stage.say(MO, "!set chicken house_players 2")
    await stage.say("ann", "!chicken 3 0")
    await stage.turn(LOBBY - 1)
    (table,) = stage.room.tables.values()
    assert len(table.players()) == 3
    await stage.say("ann", "!chicken leave")
    assert any("Chicken Poker is off" in each for each in await stage.turn(1))
    assert await purse(stage, "ann") == START


async def test_a_table_that_somebody_left_is_resumed_without_them(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 69")
    await before.say("bob", "!heist 100")
    await before.say("ann", "!heist leave")
    state = before.room.tables["heist"].state
    after = Stage(store, run="b")
    after.watch.set_calendar(before.watch.now())
    await after.open()
    resumed = after.room.tables["heist"].state
    assert resumed.company.crew == state.company.crew
    assert replace(resumed, company=state.company) == state
    assert [each.seat for each in resumed.company.crew] == ["test:bob"]


async def test_a_table_that_is_called_off_returns_nothing_to_who_has_left(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!heist 100")
    await stage.say("ann", "!heist leave")
    await stage.say(MO, "!cancel heist")
    assert (await purse(stage, "ann"), await purse(stage, "bob")) == (START, START)
