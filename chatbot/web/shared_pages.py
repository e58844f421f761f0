"""What the web server is to other processes, and they to it, where several share a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import web

    from chatbot.ledger.people import Account
    from chatbot.web.carrying.bridge import PageBridge


class SharedPages(Protocol):
    """The pages of all processes."""

    @property
    def bridge(self) -> PageBridge:
        """What leads to the rooms of other processes."""

    async def is_dealt_here(self, room: str) -> bool:
        """Whether this process is to run a room, be it open or not."""

    def tell_webhooks_changed(self) -> None:
        """Have other processes read the webhooks anew."""

    async def begin(
        self,
        add_to: Callable[[web.UrlDispatcher], None],
        close_seats: Callable[[Account], Awaitable[object]],
        read_webhooks: Callable[[], Awaitable[object]],
    ) -> None:
        """Let other processes use pages, which `add_to` adds to a router, for the rooms that run here.

        `close_seats` closes the open seats of an account of which another process has ended the sessions, and
        `read_webhooks` reads the webhooks anew when another process has changed them.
        """

    async def end(self) -> None:
        """Let them use nothing any more."""
