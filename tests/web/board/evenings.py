"""Finished tables of evenings that are played from seeds, with the documents of their replays."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.bot.bot import Bot
from chatbot.ledger.books.journal import OPEN, Journal
from chatbot.ledger.store import schema
from chatbot.ledger.store.engines import address, engines
from chatbot.ledger.store.store import Store
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables import proof
from chatbot.tables.fairness import Sources
from chatbot.web.replays.document import DocumentWriter, sealed
from chatbot.web.replays.moments import play as play_again
from tests.simulator.stage import play
from tests.simulator.world import known_kits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.books.journal import TableRecord

STEPS = 60


def records(seed: int) -> list[TableRecord]:
    """Return the finished tables of the evening of a seed, in the order of their ids."""
    gathered: list[TableRecord] = []
    play(seed, STEPS, hosted=seed % 3 == 0, look=lambda url: gathered.extend(asyncio.run(_read(url))))
    return gathered


async def _read(url: str) -> list[TableRecord]:
    store = await Store.look(url)
    try:
        row = schema.game_table.c
        async with store.reading() as connection:
            query = select(row.id).where(row.state != OPEN).order_by(row.id)
            ids = (await connection.execute(query)).scalars().all()
        read = await Journal(store).records(ids)
        whole = [each for each in read.values() if each is not None and not isinstance(each, ValueError)]
        return [each for each in whole if each.seed is not None]  # it is lost where a key was replaced
    finally:
        await store.close()


class Documents:
    """Writes documents of tables without a database: everybody is called by their seat."""

    def __init__(self) -> None:
        store = Store(*engines(address("sqlite:///never-opened.db")))  # only the wiring is looked at
        bot = Bot(known_kits(), store, Words("en"), HandWatch(), Sources())
        self._outbox = bot.outbox.with_names(str)
        self._room = Room("room", "town", ())

    def write(self, record: TableRecord) -> str:
        """Return the document of a table as JSON."""
        played = play_again(known_kits().get(record.game), record)
        writer = DocumentWriter(self._outbox, self._room, "A room", played)
        return sealed(writer.content(list(writer.steps()), proof.write(record)))


def many(count: int, first: int = 1) -> Iterator[TableRecord]:
    """Yield so many finished tables of one evening after the other."""
    seed = first
    while count > 0:
        for each in records(seed)[:count]:
            yield each
            count -= 1
        seed += 1
