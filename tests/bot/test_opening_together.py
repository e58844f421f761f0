"""Rooms that open at the same time are read together, and miss no change that is made meanwhile."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from benchmarks import open_tables
from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.ledger.changes import OPERATOR
from chatbot.rooms.settings.changes import Actor
from chatbot.runtime.clock import HandWatch
from chatbot.settings.community import TERMS
from tests.bot.sources import sources_of
from tests.bot.stage import english

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.rooms import Preferences
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

pytestmark = pytest.mark.slow

ROOMS = 30


async def test_rooms_that_open_at_once_are_read_in_a_few_queries(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, reading = 0, stage.store.reading

    def counted() -> AsyncConnection:
        nonlocal reads
        reads += 1
        return reading()

    monkeypatch.setattr(stage.store, "reading", counted)
    rooms = [stage.new_room(f"room{number}", community=f"town{number}") for number in range(ROOMS)]
    written = stage.store.written
    await asyncio.gather(*(stage.bot.open(room) for room in rooms))
    assert all(stage.bot.has(f"room{number}:chat") for number in range(ROOMS))
    assert reads <= ROOMS, "each would read eight times by itself"
    assert stage.store.written - written <= ROOMS // 2, "each would write twice by itself"


async def test_newcomers_of_many_rooms_are_read_together(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = [stage.new_room(f"room{number}", community=f"town{number}") for number in range(ROOMS)]
    await asyncio.gather(*(stage.bot.open(room) for room in rooms))
    reads, reading = 0, stage.store.reading

    def counted() -> AsyncConnection:
        nonlocal reads
        reads += 1
        return reading()

    monkeypatch.setattr(stage.store, "reading", counted)
    lines = [stage.line(f"ann{number}", "!credits", room=f"room{number}") for number in range(ROOMS)]
    await asyncio.gather(*(stage.bot.converse(line) for line in lines))
    await stage.watch.turn()
    assert len([each for each in stage.adapter.deliveries if "240" in each.text]) == ROOMS
    assert reads <= 1.5 * ROOMS, "each would read three times by itself"


async def test_settings_that_change_while_they_are_loaded_are_loaded_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await stage.bot.open(stage.new_room("other"))  # a room of the same community
    settings_changes = stage.bot.parts.settings_changes
    preferences: Preferences = settings_changes._preferences
    load_all, read, go_on = preferences.load_all, asyncio.Event(), asyncio.Event()

    async def held(rooms: Collection[str]) -> dict[str, dict[str, dict[str, object]]]:
        found = await load_all(rooms)
        read.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(preferences, "load_all", held)
    loading = asyncio.create_task(settings_changes.load(other))
    await read.wait()
    actor = Actor("change-set:1", stage.room, OPERATOR, OPERATOR)
    await settings_changes.change(actor, {TERMS.name: {"start": "77"}})
    go_on.set()
    await loading
    assert TERMS.of(other).start == 77


def statements(store: Store) -> Counter[str]:
    """Count the statements that a database executes from now on, by their first words.

    What is fetched together counts once: it is one way to the thread of the connection.
    """
    counted, fetch = Counter[str](), store.fetch

    async def fetching(reads: Any) -> Any:
        counted["fetched"] += 1
        return await fetch(reads)

    def note(_: object, __: object, statement: str, *___: object) -> None:
        counted[" ".join(statement.split()[:2])] += 1

    for engine in (store._reader, store._writer):
        event.listen(engine.sync_engine, "before_cursor_execute", note)
    store.fetch = fetching  # type: ignore[method-assign]
    return counted


async def test_rooms_with_open_tables_open_with_few_statements_whatever_the_number_of_tables(
    store: Store,
) -> None:
    sources = sources_of("a")
    tables = await open_tables.play(store, sources, number=6)
    assert tables == 30
    bot = Bot(kits(), store, english(), HandWatch(datetime.now(UTC)), sources_of("b"))
    counted = statements(store)
    await bot.control.foreshow()
    assert counted.total() <= 40, f"each of {tables} tables would take six: {counted}"
    counted.clear()
    await asyncio.gather(*(bot.open(each) for each in open_tables.rooms(6)))
    assert sum(len(room.tables) for room in bot.rooms.values()) == tables
    assert counted.total() <= 60, f"each of {tables} tables would take eight: {counted}"
