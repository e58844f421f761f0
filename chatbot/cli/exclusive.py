"""Opens a database for commands that change what a running bot has in its memory."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from chatbot.ledger.rooms import KnownRooms
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def open_alone(url: str) -> AsyncIterator[Store]:
    """Open a database while no other process uses it; on a server, while none runs a room that it knows.

    Raises:
        StoreError: it is not there, or is in use.
    """
    store = await Store.open(url, alone=True, create=False)
    store.leases.unhurried = True
    try:
        homes = {each.community for each in await KnownRooms(store).known()}
        await asyncio.gather(*(store.leases.take(each) for each in sorted(homes)))
        yield store
    finally:
        await store.close()
