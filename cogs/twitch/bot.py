"""The library's bots: one with a socket for each account, or one with the shards of a conduit.

What they hear is for the components that they load (`components.py`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

import structlog
from twitchio.eventsub import websockets
from twitchio.eventsub.websockets import Websocket
from twitchio.exceptions import TwitchioException, WebsocketConnectionException
from twitchio.ext import commands
from twitchio.http import Route

from chatbot.bot.house import PREFIX
from cogs.twitch.api import Api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twitchio import Client
    from twitchio.authentication.tokens import ManagedHTTPClient
    from twitchio.eventsub.websockets import WebsocketClosed
    from twitchio.models.eventsub_ import EventsubSubscription
    from twitchio.types_.conduits import ReconnectMessage

    from chatbot.kernel.game import Failure
    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.endpoints import TwitchEndpoints
    from cogs.twitch.subscriptions import WantedSubscription

SILENCE = 15.0  # seconds; Twitch says something at least every 10
GRACE = 2.0  # seconds in which what was under way to the former connection is still read
FAREWELL = 1.0  # seconds to say goodbye to a connection

log = structlog.get_logger(__name__)


class EventSubBot(Protocol):
    """Either of the bots, as what asks Twitch for events sees it."""

    api: Api

    async def reconnect(self) -> None:
        """Open connections again that have not come back by themselves."""

    async def ask(self, wanted: WantedSubscription) -> bool:
        """Subscribe; false where Twitch says that there is such a subscription already."""

    async def standing(self, account: str) -> list[EventsubSubscription]:
        """List the subscriptions of an account as Twitch has them, also those that have ended.

        Raises:
            HTTPException: Twitch does not say.
        """

    def owns(self, subscription: EventsubSubscription) -> bool:
        """Whether it arrives at a connection that is open here."""

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:
        """End a subscription.

        Raises:
            HTTPException: Twitch does not.
        """


def point_library(endpoints: TwitchEndpoints) -> None:
    """Tell the library where the API and its events are.

    It keeps both addresses for all clients of the process, in a class and in a module, and takes them from
    nowhere else. What it keeps for the id server is not used: only the authority asks that.
    """
    Route.BASE = f"{endpoints.api}/"
    websockets.WSS = endpoints.eventsub


class _TwitchBot(commands.Bot):
    """What both bots do alike; `components` makes what they load, and `refused` hears of refused keys."""

    _left = False

    def __init__(
        self,
        *,
        authority: TwitchAuthority,
        bot: str,
        components: Callable[[], Iterable[commands.Component]],
        refused: Callable[[str | None, Failure], None],
    ) -> None:
        point_library(authority.endpoints)
        logging.getLogger("twitchio.client").addFilter(_of_use)
        super().__init__(
            client_id=authority.client_id,
            client_secret="",
            bot_id=bot,
            prefix=PREFIX,
            fetch_client_user=False,
        )
        self._http = self.api = Api(authority, self, refused)
        self._make = components

    async def log_in(self) -> None:
        """Load the components, and connect what is connected before anything is asked for.

        They are not left to `setup_hook`, which comes after the shards of a conduit are connected, and so
        after what these bring at once. They are made here, for the library keeps the listeners of the
        newest component in its class: whatever was made before could be loaded with those of another door.
        """
        for each in self._make():
            await self.add_component(each)
        # The library is to have no key; it only wants to be told that there is one.
        await self.login(token="kept elsewhere", load_tokens=False, save_tokens=False)  # noqa: S106

    async def close(self, **options: object) -> None:
        """Leave all sockets at once, while there are components to hear what these still bring."""
        self._left = True
        await asyncio.gather(*(each.close() for each in self._open_sockets()))
        await super().close(**options)

    async def process_commands(self, payload: object) -> None:
        """Do nothing: there is one parser for all platforms, and it is not the library's."""

    async def save_tokens(self, path: str | None = None, /) -> None:
        """Leave no file behind: the library's would be readable by anybody."""

    def _open_sockets(self) -> list[Websocket]:
        return [each for kept in self._websockets.values() for each in kept.values()]


class WebsocketBot(_TwitchBot):
    """A socket for each account, on which it subscribes with its own key."""

    async def reconnect(self) -> None:
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
        return any(each.session_id == session and each.connected for each in self._open_sockets())

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:
        await self.delete_eventsub_subscription(subscription.id, token_for=account)

    def plug(self, socket: Socket) -> None:
        self._websockets[str(socket.account)][str(socket.session_id)] = socket

    def unplug(self, socket: Socket) -> None:
        kept = self._websockets[str(socket.account)]
        for session in [name for name, each in kept.items() if each is socket]:
            del kept[session]

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


class ConduitBot(_TwitchBot, commands.AutoBot):
    """The shards of a conduit; the program subscribes with its own key."""

    async def reconnect(self) -> None:
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
        """Let one that another has taken over from go without it, and all of them when the bot leaves."""
        socket = payload.socket
        known = isinstance(socket, Socket) and self.conduit_info.websockets.get(str(socket.shard)) is socket
        if known and not self._left:
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

    def _open_sockets(self) -> list[Websocket]:
        return list(self.conduit_info.websockets.values())

    async def _associate_flow(self, websocket: Websocket) -> None:
        """Go on: it is connected, or the library will see that it is not."""


class Switchboard(Protocol):
    """Who keeps the sockets of an account, or of a conduit's shard."""

    def plug(self, socket: Socket) -> None:
        """Keep a socket that is connected."""

    def unplug(self, socket: Socket) -> None:
        """Forget a socket that has closed."""


class Socket(Websocket):
    """The library's EventSub socket, without the three ways in which it loses messages.

    1. Told to move, it stops reading until it has arrived, and then closes the old one unread. This one reads
       on.
    2. It measures silence by the wall clock, and leaves a healthy connection when somebody sets that.
    3. Told to move as a shard of a conduit, it opens a second connection that nobody keeps.

    `account` is whose token it subscribes with; a shard of a conduit has none.
    """

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


def _of_use(record: logging.LogRecord) -> bool:
    """Leave out advice for programmers, which an operator can only wonder at."""
    return not str(record.msg).startswith(
        ("If you require the StarletteAdapter", 'No "conduit_id" was passed')
    )
