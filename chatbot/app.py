"""Wires everything by constructor, starts it, and stops it in order."""

from __future__ import annotations

import asyncio
import secrets
import signal
from typing import TYPE_CHECKING

from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.live.house import House
from chatbot.live.watch import LoopWatch
from chatbot.live.words import Words
from chatbot.wallets.store import Store
from chatbot.web.crowd import Crowd
from chatbot.web.local import LocalChat
from chatbot.web.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.settings import Settings


async def serve(settings: Settings, tell: Callable[[str], None]) -> None:
    """Run until the process is asked to stop."""
    stopping = asyncio.Event()
    _stop_on_signals(stopping)
    store = await Store.open(settings.database)
    try:
        await store.own()
        watch = LoopWatch()
        house = House(kits(), store, Words(settings.language), watch)
        chat = LocalChat(house, secrets.token_hex(4))
        await house.open(chat.room)
        server = Server(chat, Crowd(chat, Rng(secrets.token_bytes(32))), settings.host, settings.port)
        try:
            address = await server.start()
            tell(f"Rabble is listening: open {address} in a browser. Ctrl-C stops it.")
            await stopping.wait()
        finally:
            await server.stop()
            await watch.stop()
            await house.settle()
    finally:
        await store.close()


def _stop_on_signals(stopping: asyncio.Event) -> None:
    """Stop in order; the loop's own signal handlers do not exist on Windows."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))
