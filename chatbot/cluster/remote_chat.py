"""A channel that another process hears: what is to be said there is said by that process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from chatbot.cluster.carrier import Away

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.cluster.carrier import Carrier
    from chatbot.rooms.channel import Adapter, Delivery

PATIENCE = 10.0  # seconds in which another process may come to hear the channel, or NATS may be back
RETRY = 0.3  # seconds
SEND_TIMEOUT = 8.0  # seconds that sending may take, which waits for the answer of a platform

log = structlog.get_logger(__name__)


class RemoteChat:
    """The adapter of a channel that is heard by `process`, which may become another one.

    `seek` asks all processes who hears the channel now, and returns the adapter if this one does.
    """

    def __init__(
        self, carrier: Carrier, process: int, number: Callable[[], str], seek: Callable[[str], Adapter | None]
    ) -> None:
        self.process = process
        self._carrier, self._number, self._seek = carrier, number, seek

    async def send(self, delivery: Delivery) -> None:
        """Have a text said; if nobody can say it within `PATIENCE` seconds, it is dropped and logged.

        It has a number, by which whoever is asked twice says it once.
        """
        loop, value = asyncio.get_running_loop(), {"say": delivery, "number": self._number()}
        until = loop.time() + PATIENCE
        while loop.time() < until:
            try:
                if await self._carrier.ask(self.process, value, SEND_TIMEOUT):
                    return
            except Away:
                pass
            # It does not hear the channel any more, or has ended.
            adapter = self._seek(delivery.channel)
            if adapter is not None:
                await adapter.send(delivery)
                return
            await asyncio.sleep(RETRY)
        log.error("a line could not be sent, as nobody hears its channel", channel=delivery.channel)
