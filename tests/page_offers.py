"""What the local page offers, by the games that are installed, as JSON: `python -m tests.page_offers`."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.web import showing


async def offers(database: str) -> dict[str, list[str]]:
    store = await Store.open(database)
    try:
        bot = Bot(kits(), store, Words("en"), HandWatch())
        return {
            "games": [each["title"] for each in showing.games(bot)],
            "commands": [each["word"] for each in showing.commands(bot)],
        }
    finally:
        await store.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(json.dumps(asyncio.run(offers(f"sqlite:///{Path(folder) / 'page.db'}"))))
