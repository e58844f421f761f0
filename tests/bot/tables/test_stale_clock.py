"""A clock that rings late, for a phase that is over, changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.bot.room_control import DOUBTED
from tests.bot.hosting import LOBBY
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store


@pytest.fixture
async def stage(store: Store) -> Stage:
    return await Stage(store).open()


async def test_the_end_of_a_phase_that_is_over_ends_no_other_phase(stage: Stage) -> None:
    """The lobby's end was on its way already when the getaway began: the getaway keeps its time."""
    await stage.say("ann", "!heist 69")
    await stage.say("bob", "!heist 69")
    table, lobby = stage.table, stage.table.clock
    assert lobby is not None
    await stage.turn(LOBBY + 1)
    getaway, turn, deadline = table.clock, table.turn, table.deadline
    assert getaway is not None
    assert getaway.phase != lobby.phase
    await table.timer.time_out(lobby)
    assert (table.clock, table.turn, table.over, table.deadline) == (getaway, turn, False, deadline)
    await table.timer.time_out(getaway)
    assert table.turn > turn


async def test_a_table_of_a_room_that_is_stopped_has_no_clock_that_runs(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    table = stage.table
    assert stage.table.deadline is not None
    await stage.bot.control.stop([stage.room], DOUBTED)
    assert (table.clock, table.deadline) == (None, None)
