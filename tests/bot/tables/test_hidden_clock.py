"""How long a phase lasts may be hidden: nothing public tells it, and the journal has it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.kernel.codec import Codec
from chatbot.kernel.game import Clock, Timeout
from chatbot.kernel.house_seats import roster_of
from chatbot.tables.events.models import Changed, Opened
from chatbot.tables.house_players import HIDDEN_TIME_LEFT, HousePhase
from chatbot.tables.replay import reread
from chatbot.web import showing
from cogs.discord.boards import sheet
from cogs.discord.tables import TableMessage
from tests.bot.stage import Stage
from tests.bot.tables.test_events import drained, flip, followed

if TYPE_CHECKING:
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

__all__ = ["flip"]  # a fixture

SECRET = 47.25


@pytest.fixture(params=[SECRET, 2 * SECRET])
def seconds(request: pytest.FixtureRequest) -> float:
    given: float = request.param
    return given


@pytest.fixture
def fused(flip: AnyKit, seconds: float) -> dict[str, AnyKit]:
    """Make the coin's fall a secret."""
    flipped: Any = flip.rules.game

    @dataclass(frozen=True, slots=True)
    class Hidden(flipped):  # type: ignore[misc]
        def clock(self, state: Any) -> Clock | None:
            return None if state.landed else Clock("flip", seconds, hidden=True)

    return {"coinflip": replace(flip, rules=replace(flip.rules, game=Hidden))}


def discord(stage: Stage, table: Table) -> TableMessage:
    """Make the message of a table; it is asked one thing only."""
    made = TableMessage.__new__(TableMessage)
    made._bot, made._table, made._ends = stage.bot, table, None
    return made


async def test_nothing_public_tells_it(store: Store, fused: dict[str, AnyKit], seconds: float) -> None:
    stage = await Stage(store, fused).open()
    feed = followed(stage)
    said = await stage.say("ann", "!flip 10")
    (table,) = stage.room.tables.values()
    assert table.deadline is not None
    assert table.public_deadline is None
    (shown,) = showing.tables(stage.bot, stage.room)
    assert shown["phase"] == "In the air"
    assert (shown["left"], shown["seconds"]) == (None, None)
    ends = discord(stage, table)._until()
    board = sheet(stage.bot, table, ends, lambda text: text)
    assert board.head == "In the air"
    events = drained(feed)
    (picture,) = drained(stage.bot.events.follow("room:chat"))
    published = [each.model_dump_json() for each in (*events, picture)]
    phases = [each.table.phase for each in events if isinstance(each, Opened | Changed)]
    assert phases
    assert all((each.seconds, each.ends) == (None, None) for each in phases if each is not None)
    told = "".join([*said, *published, str(board), str(shown)])
    assert str(int(seconds)) not in told.replace(shown["id"], "")
    assert await stage.turn(seconds - 0.5) == []
    assert showing.tables(stage.bot, stage.room)[0]["left"] is None
    assert await stage.turn(1) != []


async def test_after_a_restart_it_is_not_told_either(
    store: Store, fused: dict[str, AnyKit], seconds: float
) -> None:
    before = await Stage(store, fused).open()
    await before.say("ann", "!flip 10")
    after = Stage(store, fused, run="b")
    after.watch.set_calendar(before.watch.now() + 5)
    await after.open()
    assert after.said() == ["Coin Flip goes on after a break."]
    (table,) = after.room.tables.values()
    assert table.clock == Clock("flip", seconds, hidden=True)
    assert table.public_deadline is None


async def test_the_journal_has_it(store: Store, fused: dict[str, AnyKit], seconds: float) -> None:
    stage = await Stage(store, fused).open()
    await stage.say("ann", "!flip 10")
    (table,) = stage.room.tables.values()
    await stage.turn(seconds)
    told = await reread(stage.bot.parts.journal, table.id, fused)
    assert told is not None
    assert f'"seconds":{seconds},"hidden":true' in str(told[0].steps)
    assert told[1].state.landed


async def test_players_of_the_house_do_not_move_by_it(store: Store, fused: dict[str, AnyKit]) -> None:
    stage = await Stage(store, fused).open()
    await stage.say("ann", "!flip 10")
    (table,) = stage.room.tables.values()
    assert HousePhase(stage.room, table, "flip", roster_of(table.game)).left == HIDDEN_TIME_LEFT


def test_a_step_of_a_clock_that_is_not_hidden_is_written_as_ever() -> None:
    codec = Codec()
    for clock in (Clock("lobby", 60), Clock("fuse", 12.5, hidden=True)):
        assert codec.load(codec.dump(Timeout(clock))) == Timeout(clock)
    assert codec.dump(Timeout(Clock("lobby", 60))) == '{"Timeout":{"phase":"lobby","seconds":60}}'
