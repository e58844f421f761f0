"""What the chat can ask of a table is answered from the archive too, and nothing is played twice there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.deduplication import RETENTION
from chatbot.ledger.archive.archive import Archive, faults
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

ASKED = ("!history", "!verify a-table-1", "!odds heist", "!fair", "!fair heist", "!career", "!credits")


async def put_away(stage: Stage) -> int:
    return (await Archive(stage.store).portion(stage.watch.date() + timedelta(days=1))).tables


async def played(stage: Stage) -> None:
    await stage.say("ann", "!heist 20", line="first")
    await stage.say("bob", "!heist 30", line="second")
    await stage.turn(200)


async def test_what_is_asked_of_a_table_is_answered_as_before(stage: Stage) -> None:
    await played(stage)
    before = [await stage.say("ann", each) for each in ASKED]
    assert await put_away(stage) == 1
    again = await Stage(stage.store, run="b").open()
    again.watch.set_calendar(stage.watch.now())
    assert [await again.say("ann", each) for each in ASKED] == before
    assert await faults(stage.store) == []


@pytest.mark.parametrize("line", ["first", "second"])
async def test_a_line_that_is_delivered_again_opens_no_second_table(stage: Stage, line: str) -> None:
    await played(stage)
    assert await put_away(stage) == 1
    again = await Stage(stage.store, run="b").open()
    held = await again.credits("ann"), await again.credits("bob")
    await again.turn((RETENTION - timedelta(days=1)).total_seconds())
    assert await again.say("ann" if line == "first" else "bob", "!heist 20", line=line) == []
    assert (await again.credits("ann"), await again.credits("bob")) == held
    assert "heist" not in again.room.tables


async def test_a_new_table_is_played_after_the_archive_as_before(store: Store) -> None:
    stage = await Stage(store).open()
    await played(stage)
    await put_away(stage)
    await stage.turn(600)
    await stage.say("ann", "!heist 20")
    await stage.turn(200)
    assert await put_away(stage) == 1
    history = await stage.say("ann", "!history")
    assert len(re.findall(r"Bank Heist a-table-\d+", history[0])) == 2
    assert await faults(store) == []
