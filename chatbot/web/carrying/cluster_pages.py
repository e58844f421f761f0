"""The pages of a process of a cluster: those of its own rooms for others, and the way to theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.web.carrying.bridge import PageBridge
from chatbot.web.carrying.carried_pages import CarriedPages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import web

    from chatbot.cluster.cluster import Cluster
    from chatbot.ledger.people import Account


class ClusterPages:
    """What the web server has of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self.is_dealt_here = cluster, cluster.owners.is_dealt_here
        self.tell_webhooks_changed = cluster.changes.tell_webhooks_changed
        self._carried: CarriedPages | None = None
        self.bridge = PageBridge(cluster.streams, cluster.owners, cluster.changes.tell_seats_ended)

    async def begin(
        self,
        add_to: Callable[[web.UrlDispatcher], None],
        close_seats: Callable[[Account], Awaitable[object]],
        read_webhooks: Callable[[], Awaitable[object]],
    ) -> None:
        """Let other processes use pages for the rooms that run here."""
        self._carried = carried = CarriedPages(self._cluster.owners, add_to)
        await carried.start()
        self._cluster.bot.rooms.leaving.append(carried.leave)
        self._cluster.streams.accept = carried.answer
        self._cluster.changes.close_seats = close_seats
        self._cluster.changes.read_webhooks = read_webhooks

    async def end(self) -> None:
        """Let them use nothing any more; what is open begins anew at another process."""
        if self._carried is None:
            return
        self._cluster.streams.accept = None
        self._cluster.streams.end_all()
        self._cluster.bot.rooms.leaving.remove(self._carried.leave)
        await self._carried.stop()
        self._carried = None
