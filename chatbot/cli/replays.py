"""Carries out `chatbot export --html`: writes the replay of a finished table as one file."""

from __future__ import annotations

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.ledger.books.journal import OPEN, Journal
from chatbot.ledger.store.store import Store
from chatbot.rooms.room import Room
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.tables.proof import ProofError
from chatbot.tables.replay import Unreplayable
from chatbot.web.replays import single_file
from chatbot.web.replays.pages import write_document


async def write_html(url: str, table: str, language: str) -> str:
    """Return a file that shows a finished table and checks itself, in the language of its room.

    `language` is that of the program, for rooms that have none of their own.

    Raises:
        StoreError: the database is not there, or not of this version.
        ProofError: there is no such table, it is still open, or it cannot be played again.
    """
    store = await Store.look(url)
    try:
        record = await Journal(store).of(table)
        if record is None:
            raise ProofError(f"There is no table {table[:80]!r} in this database.")
        if record.state == OPEN:
            raise ProofError(f"Table {table} is still being played; its replay can be had when it is over.")
        bot = Bot(kits(), store, Words(language), LoopWatch())
        room = Room(record.room, record.community, ())
        await bot.people.load()
        await bot.parts.settings_changes.load(room)
        return single_file.page(await write_document(bot, room, record, record.room))
    except (Unreplayable, ValueError) as error:
        raise ProofError(f"Table {table} cannot be shown again: {error}.") from None
    finally:
        await store.close()
