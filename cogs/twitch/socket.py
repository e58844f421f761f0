"""The library's EventSub socket, without the three ways in which it loses messages.

1. Told to move, it stops reading until it has arrived, and then closes the old one unread. This one reads on.
2. It measures silence by the wall clock, and leaves a healthy connection when somebody sets that.
3. Told to move as a shard of a conduit, it opens a second connection that nobody keeps.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import structlog
from twitchio.eventsub.websockets import Websocket
from twitchio.exceptions import TwitchioException

if TYPE_CHECKING:
    from twitchio.authentication.tokens import ManagedHTTPClient
    from twitchio.client import Client
    from twitchio.types_.conduits import ReconnectMessage

SILENCE = 15.0  # seconds; Twitch says something at least every 10
GRACE = 2.0  # seconds in which what was under way to the former connection is still read

FAREWELL = 1.0  # seconds

log = structlog.get_logger(__name__)


class Switchboard(Protocol):
    """Who keeps the sockets of an account, or of a conduit's shard."""

    def plug(self, socket: Socket) -> None: ...

    def unplug(self, socket: Socket) -> None: ...


class Socket(Websocket):
    """`account` is whose token it subscribes with; a shard of a conduit has none."""

    def __init__(
        self,
        board: Switchboard,
        client: Client,
        http: ManagedHTTPClient,
        *,
        account: str | None = None,
        shard: str | None = None,
    ) -> None:
        super().__init__(client=client, http=http, token_for=account, shard_id=shard)
        self.account, self.shard = account, shard
        self._board, self._owner = board, client
        self._moving: asyncio.Task[None] | None = None

    @property
    def gone(self) -> bool:
        """Whether it will not come back by itself.

        The library gives up after some closes, and does not notice one while it subscribes anew.
        """
        trying = self._connecting or self._connection_tasks or self._moving is not None
        return self._closed or not (self.connected or trying)

    async def _process_reconnect(self, data: ReconnectMessage) -> None:
        """Move while the reader reads on; the library would wait here for the new connection."""
        url = data["payload"]["session"]["reconnect_url"]
        if self._moving is None:
            self._moving = asyncio.create_task(self._move(url))

    async def _move(self, url: str) -> None:
        heir = Socket(self._board, self._owner, self._http, account=self.account, shard=self.shard)
        heir.inherit(self)
        try:
            await heir.connect(url=url, fail_once=True)
        except TwitchioException:
            self._moving = None
            log.warning("Twitch asked to move a connection, and the new one failed")
            await self._create_connection_task()
            return
        except asyncio.CancelledError:
            await heir.close(reassociate=False)
            raise
        self._board.plug(heir)
        await asyncio.sleep(GRACE)
        await self.close(reassociate=False)

    def inherit(self, former: Socket) -> None:
        """Take over what the former one is subscribed to: Twitch moves that by itself."""
        self._subscriptions = former._subscriptions

    async def _create_connection_task(self) -> None:
        if self._moving is None:  # otherwise there is another connection, or this is called again
            await super()._create_connection_task()

    async def _process_keepalive(self) -> None:
        while True:
            heard = self._last_keepalive
            await asyncio.sleep(SILENCE)
            if self._last_keepalive is heard:
                await self._create_connection_task()
                return

    def _cleanup(self, closed: bool = True) -> None:
        """Be forgotten, whatever session it was known by."""
        self._closed = closed
        if closed:
            self._board.unplug(self)

    async def close(self, cleanup: bool = True, *, reassociate: bool = True) -> None:
        """Say goodbye, and go though nobody answers; the library would wait for ten seconds."""
        if self._closing or self._closed:
            return
        if self._moving is not None and self._moving is not asyncio.current_task():
            self._moving.cancel()
        try:
            async with asyncio.timeout(FAREWELL):
                await super().close(cleanup, reassociate=reassociate)
        except TimeoutError:
            self._hang_up()

    def _hang_up(self) -> None:
        """Finish what the library was kept from."""
        if self._listen_task is not None:
            self._listen_task.cancel()
        self._keep_alive_task = self._socket = self._listen_task = None
        self._closing = False
