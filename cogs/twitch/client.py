"""The library's clients: one socket for each account, or the shards of a conduit.

The library makes a task of every event, and tasks overtake each other. Here an event that the house wants
to know is handed on where it was read, so that what came first is heard first.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import structlog
from twitchio import AutoClient, Client
from twitchio.eventsub import websockets
from twitchio.exceptions import TwitchioException, WebsocketConnectionException
from twitchio.http import Route
from twitchio.models.eventsub_ import BaseEvent, SubscriptionRevoked

from cogs.twitch.api import Api
from cogs.twitch.socket import Socket

if TYPE_CHECKING:
    from collections.abc import Callable

    from twitchio.eventsub.websockets import Websocket, WebsocketClosed
    from twitchio.models.eventsub_ import EventsubSubscription

    from chatbot.kernel.failure import Failure
    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.endpoints import TwitchEndpoints
    from cogs.twitch.subscriptions import WantedSubscription

log = structlog.get_logger(__name__)

Ear: TypeAlias = "Callable[[BaseEvent | SubscriptionRevoked], None]"


class Listener(Protocol):
    """Either of the clients, as the rest of the door sees it."""

    wire: Api

    async def mend(self) -> None:
        """Open connections again that have not come back by themselves."""

    async def ask(self, wanted: WantedSubscription) -> bool:
        """Subscribe; false where Twitch says that there is such a subscription already."""

    async def standing(self, account: str) -> list[EventsubSubscription]: ...

    def owns(self, subscription: EventsubSubscription) -> bool:
        """Whether it arrives at a connection that is open here."""

    async def drop(self, subscription: EventsubSubscription, account: str) -> None: ...


def point_library(endpoints: TwitchEndpoints) -> None:
    """Tell the library where the API and its events are.

    It keeps both addresses for all clients of the process, in a class and in a module, and takes them from
    nowhere else. What it keeps for the id server is not used: only the authority asks that.
    """
    Route.BASE = f"{endpoints.api}/"
    websockets.WSS = endpoints.eventsub


class _Eared(Client):
    def __init__(
        self, authority: TwitchAuthority, bot: str, ear: Ear, refused: Callable[[str | None, Failure], None]
    ) -> None:
        point_library(authority.endpoints)
        logging.getLogger("twitchio.client").addFilter(_of_use)
        super().__init__(client_id=authority.client_id, client_secret="", bot_id=bot, fetch_client_user=False)
        self._http = self.wire = Api(authority, self, refused)
        self._ear = ear

    def dispatch(self, event: str, payload: object = None) -> None:
        if isinstance(payload, BaseEvent | SubscriptionRevoked):
            self._ear(payload)
        else:
            super().dispatch(event, payload)

    async def save_tokens(self, path: str | None = None, /) -> None:
        """Leave no file behind: the library's would be readable by anybody."""


def _of_use(record: logging.LogRecord) -> bool:
    """Leave out advice for programmers, which an operator can only wonder at."""
    return not str(record.msg).startswith(
        ("If you require the StarletteAdapter", 'No "conduit_id" was passed')
    )


class Direct(_Eared):
    """A socket for each account, on which it subscribes with its own key."""

    _left = False

    async def mend(self) -> None:
        """Do nothing: what is missing is asked for, and that opens a connection."""

    async def ask(self, wanted: WantedSubscription) -> bool:
        await self._connect(wanted.account)
        done = await self.subscribe_websocket(wanted.payload, as_bot=False, token_for=wanted.account)
        return done is not None

    async def standing(self, account: str) -> list[EventsubSubscription]:
        found = await self.fetch_eventsub_subscriptions(token_for=account)
        return [each async for each in found.subscriptions]

    def owns(self, subscription: EventsubSubscription) -> bool:
        session = subscription.transport.session_id
        sockets = [each for kept in self._websockets.values() for each in kept.values()]
        return any(each.session_id == session and each.connected for each in sockets)

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:
        await self.delete_eventsub_subscription(subscription.id, token_for=account)

    def plug(self, socket: Socket) -> None:
        self._websockets[str(socket.account)][str(socket.session_id)] = socket

    def unplug(self, socket: Socket) -> None:
        kept = self._websockets[str(socket.account)]
        for session in [name for name, each in kept.items() if each is socket]:
            del kept[session]

    async def close(self, **options: Any) -> None:
        """Leave all sockets at once: one after the other they could take a second each."""
        self._left = True
        sockets = [each for kept in self._websockets.values() for each in kept.values()]
        await asyncio.gather(*(each.close() for each in sockets))
        await super().close(**options)

    async def _connect(self, account: str) -> None:
        """Open a socket where there is none, or none that will ever come back."""
        sockets = self._websockets[account]
        for each in [each for each in sockets.values() if isinstance(each, Socket) and each.gone]:
            await each.close()
            self.unplug(each)
        if not sockets:
            self.plug(await self._new_socket(account))

    async def _new_socket(self, account: str) -> Socket:
        socket = Socket(self, self, self._http, account=account)
        try:
            await socket.connect(fail_once=True)
        except BaseException:
            await socket.close()
            raise
        if self._left:  # nobody would ever close it
            await socket.close()
            raise WebsocketConnectionException("the door is closed")
        return socket


class Conduit(_Eared, AutoClient):
    """The shards of a conduit; the program subscribes with its own key."""

    async def mend(self) -> None:
        """Open lost shards: what is subscribed to by the conduit stands without them, and tells nobody."""
        sockets = self.conduit_info.websockets.items()
        lost = [int(shard) for shard, each in sockets if isinstance(each, Socket) and each.gone]
        if not lost or self._associate_lock.locked():  # the library is at it
            return
        try:
            await self._associate_shards(lost)
        except (TwitchioException, RuntimeError) as error:
            log.warning("shards of the conduit are lost", shards=lost, reason=type(error).__name__)

    async def ask(self, wanted: WantedSubscription) -> bool:
        done = await self.multi_subscribe([wanted.payload])
        for failed in done.errors:
            if failed.error.status != 409:
                raise failed.error
        return not done.errors

    async def standing(self, account: str) -> list[EventsubSubscription]:  # noqa: ARG002  (one for all)
        found = await self.fetch_eventsub_subscriptions(conduit_id=self.conduit_info.id)
        return [each async for each in found.subscriptions]

    def owns(self, subscription: EventsubSubscription) -> bool:  # noqa: ARG002
        return any(each.connected for each in self.conduit_info.websockets.values())

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:  # noqa: ARG002
        await self.delete_eventsub_subscription(subscription.id)

    def plug(self, socket: Socket) -> None:
        self._conduit_info._sockets[str(socket.shard)] = socket  # noqa: SLF001  (the library has no other way)

    def unplug(self, socket: Socket) -> None:
        """Leave it to the library, which opens another one for the shard."""

    async def _websocket_closed(self, payload: WebsocketClosed) -> None:
        """Let one that another has taken over from go without it."""
        socket = payload.socket
        if isinstance(socket, Socket) and self.conduit_info.websockets.get(str(socket.shard)) is socket:
            await super()._websocket_closed(payload)

    async def _associate_shards(self, shard_ids: list[int]) -> None:
        """As the library does it, with sockets of our own, and tried once: others are waiting."""
        async with self._associate_lock:
            sockets = [Socket(self, self, self._http, shard=str(each)) for each in shard_ids]
            try:
                for first in range(0, len(sockets), 10):
                    batch = sockets[first : first + 10]
                    await asyncio.gather(
                        *(each.connect(fail_once=True) for each in batch), return_exceptions=True
                    )
                    await self._process_batched([*batch])
            except BaseException:
                await asyncio.gather(*(each.close(reassociate=False) for each in sockets))
                raise
            self._shard_ids = sorted(int(each) for each in self.conduit_info.websockets)

    async def _associate_flow(self, websocket: Websocket) -> None:
        """Go on: it is connected, or the library will see that it is not."""
