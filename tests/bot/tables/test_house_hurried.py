"""Who hurries a phase does not play without the house: what its players would still do comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from tests.bot.hosting import MO, actions, crew, hosted
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow


async def hurry(stage: Stage, table: Table) -> list[str]:
    await stage.bot.hurry(stage.room, table.id)
    return await stage.turn(0)


async def test_a_hurried_lobby_is_filled_first(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!chicken 3")
    table = stage.room.tables["chickenpoker"]
    told = " ".join(await hurry(stage, table))
    assert "The seats are drawn" in told
    assert "Round 1 of 3" in told
    assert set(table.view(None).players) == {Seat("test:ann"), Seat("house:nash")}


async def test_a_hurried_lobby_that_the_house_makes_full_loses_no_round(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set chickenpoker most_players 2")
    await stage.say("ann", "!chicken 3")
    table = stage.room.tables["chickenpoker"]
    await hurry(stage, table)
    assert (table.clock.phase if table.clock else "") == "round 1"
    assert not table.view(None).history


async def test_those_whom_a_heist_awaits_come_and_move_in_hurried_phases(store: Store) -> None:
    stage = await hosted(store, 3, "guardsman")
    await stage.say("ann", "!heist 69")
    await hurry(stage, stage.table)
    assert len(crew(stage)) == 4
    await hurry(stage, stage.table)
    moved = [each for each in await actions(store) if '"Answer"' in each and "house:" in each]
    assert len(moved) == 3


async def test_a_phase_that_comes_to_its_end_later_is_not_joined_or_answered_twice(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say(MO, "!set chickenpoker house_players 2")
    await stage.say("ann", "!chicken 3")
    table = stage.room.tables["chickenpoker"]
    await stage.turn(30)  # one of them has come
    await hurry(stage, table)
    await stage.turn(29)
    assert sum(of_house(each) for each in table.view(None).players) == 2
