"""The library's bots: what they do alike, and one with sockets for each account; `conduit.py` has the other.

What they hear is for the components that they load (`components.py`).

https://dev.twitch.tv/docs/eventsub/manage-subscriptions/#subscription-limits and
https://dev.twitch.tv/docs/eventsub/handling-conduit-events/ say what Twitch allows.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import aiohttp
import structlog
from twitchio.eventsub import SubscriptionType
from twitchio.exceptions import HTTPException
from twitchio.ext import commands
from twitchio.http import Route
from twitchio.models.eventsub_ import create_event_instance

from chatbot.rooms.line import SIGN
from cogs.twitch.api import Api
from cogs.twitch.eventsub import NotConnected, Socket
from cogs.twitch.limits import SOCKETS, SUBSCRIPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable

    from twitchio.models.eventsub_ import EventsubSubscription
    from twitchio.types_.eventsub import SubscriptionCreateTransport

    from chatbot.kernel.game import Failure
    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.endpoints import TwitchEndpoints
    from cogs.twitch.eventsub import Frame
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription


EVENTS = {
    "channel.chat.message": "message",
    "user.whisper.message": "message_whisper",
    "stream.online": "stream_online",
    "stream.offline": "stream_offline",
    "channel.follow": "follow",
    "channel.subscribe": "subscription",
    "channel.subscription.message": "subscription_message",
    "channel.cheer": "cheer",
    "channel.raid": "raid",
    "channel.channel_points_custom_reward_redemption.add": "custom_redemption_add",
    "channel.channel_points_custom_reward_redemption.update": "custom_redemption_update",
}
"""What the library calls each kind of event that is asked for, but for notices of a chat."""

NOTICE = "channel.chat.notification"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ChatNotice:
    """A notice in a chat, of whichever kind; the library's model fails if Twitch leaves out any other kind.

    https://dev.twitch.tv/docs/eventsub/eventsub-reference/#channel-chat-notification-event
    """

    broadcaster: str  # ids of accounts
    chatter: str
    kind: str
    text: str

    @classmethod
    def read(cls, event: Mapping[str, Any]) -> ChatNotice:
        """Read the fields of an event; `Any`: JSON of Twitch."""
        chatter, kind = event["chatter_user_id"], event["notice_type"]
        return cls(event["broadcaster_user_id"], chatter, kind, event["message"]["text"])


@dataclass(frozen=True, slots=True)
class Revocation:
    """A subscription that Twitch has ended; the library's model fails on reasons that it does not know.

    Of those that Twitch names, it lacks `moderator_removed` and `beta_maintenance`.
    https://dev.twitch.tv/docs/api/reference/#get-eventsub-subscriptions
    """

    kind: str
    condition: Mapping[str, object]
    reason: str

    @classmethod
    def read(cls, subscription: Mapping[str, Any]) -> Revocation:
        """Read a subscription as Twitch has it; `Any`: JSON of Twitch."""
        return cls(subscription["type"], subscription["condition"], subscription["status"])


class Full(Exception):  # noqa: N818  (it is no error of anybody)
    """An account has as many subscriptions by sockets as Twitch allows."""


class EventSubBot(Protocol):
    """Either of the bots, as what asks Twitch for events sees it.

    `on_missing` is called with subscriptions that Twitch has ended together with their connection, and
    whether anything was heard by that; `on_event` with the type and the condition of each that has brought
    something; and `on_return` where a connection has come back to subscriptions that stand.
    """

    api: Api
    on_missing: Callable[[Collection[Slot], bool], None]
    on_event: Callable[[str, Mapping[str, object]], None]
    on_return: Callable[[], None]

    async def reconnect(self) -> None:
        """See to connections that have not come back by themselves."""

    async def ask(self, subscription: WantedSubscription) -> bool:
        """Subscribe; false where Twitch says that there is such a subscription already.

        Raises:
            HTTPException: Twitch refuses.
            NotConnected: there is no connection.
            Full: there is no room for it by sockets.
        """

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

    def forget(self, slot: Slot) -> None:
        """Take note that Twitch has ended a subscription."""


def prepare_library(endpoints: TwitchEndpoints) -> None:
    """Tell the library where the API is, and keep its advice to programmers out of the log.

    It keeps the address for all clients of the process, in a class, and takes it from nowhere else. What it
    keeps for the id server and for EventSub is not used. Each client that is made gives the advice.
    """
    logging.getLogger("twitchio.client").addFilter(_is_of_use)
    Route.BASE = f"{endpoints.api}/"


class TwitchBot(commands.Bot):
    """What both bots do alike; `components` makes what they load, and `refused` hears of refused keys."""

    def __init__(
        self,
        *,
        authority: TwitchAuthority,
        bot_id: str,
        components: Callable[[], Iterable[commands.Component]],
        on_refusal: Callable[[str | None, Failure], None],
    ) -> None:
        prepare_library(authority.endpoints)
        super().__init__(
            client_id=authority.client_id,
            client_secret="",
            bot_id=bot_id,
            prefix=SIGN,
            fetch_client_user=False,
        )
        self._http = self.api = Api(authority, self, on_refusal, bot_id)
        self.on_missing: Callable[[Collection[Slot], bool], None] = lambda _, __: None
        self.on_event: Callable[[str, Mapping[str, object]], None] = lambda _, __: None
        self.on_return: Callable[[], None] = lambda: None
        self._make, self._address = components, authority.endpoints.eventsub
        self._web = aiohttp.ClientSession()
        self._left = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def log_in(self) -> None:
        """Load the components, and connect what is connected before anything is asked for.

        The components are made here, for the library keeps the listeners of the newest component in its
        class: whatever was made before could be loaded with those of another adapter.
        """
        for each in self._make():
            await self.add_component(each)
        # The library is to have no key; it only wants to be told that there is one.
        await self.login(token="kept elsewhere", load_tokens=False, save_tokens=False)  # noqa: S106

    async def close(self, **options: object) -> None:
        """Leave all sockets at once, while there are components to hear what these still bring."""
        self._left = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(each.close() for each in self.sockets))
        await super().close(**options)
        await self._web.close()

    async def process_commands(self, payload: object) -> None:
        """Do nothing: there is one parser for all platforms, and it is not the library's."""

    async def save_tokens(self, path: str | None = None, /) -> None:
        """Leave no file behind: the library's would be readable by anybody."""

    @property
    def sockets(self) -> list[Socket]:
        """The connections that are kept."""
        raise NotImplementedError

    async def _connect(self) -> Socket:
        """Open a connection.

        Raises:
            NotConnected: there is none.
        """
        socket = Socket(self._web, hear=self._hear, on_lost=self._note_lost, on_moved=self._note_moved)
        if not self._left:
            await socket.connect(self._address)
        if self._left:  # nobody would ever close it
            await socket.close()
            raise NotConnected("the adapter is closed")
        return socket

    def _hear(self, frame: Frame) -> None:
        """Give the components what Twitch tells, as the library's own WebSocket does."""
        subscription = frame["payload"]["subscription"]
        if frame["metadata"]["message_type"] == "revocation":
            self.dispatch("revocation", Revocation.read(subscription))
            return
        self.on_event(subscription["type"], subscription["condition"])
        if subscription["type"] == NOTICE:
            self.dispatch("notice", ChatNotice.read(frame["payload"]["event"]))
        elif event := EVENTS.get(subscription["type"]):
            self.dispatch(event, create_event_instance(subscription["type"], frame, http=self.api))

    def _note_lost(self, socket: Socket) -> None:
        raise NotImplementedError

    def _note_moved(self, socket: Socket, previous: str) -> None:
        """Take note that Twitch has moved a connection; its subscriptions move with it."""

    def _go(self, work: Coroutine[object, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _subscribe(
        self, subscription: WantedSubscription, transport: SubscriptionCreateTransport
    ) -> bool:
        try:
            await self.api.create_eventsub_subscription(
                type=SubscriptionType(subscription.payload.type),
                version=subscription.payload.version,
                condition=subscription.payload.condition,
                transport=transport,
                token_for=subscription.account,
            )
        except HTTPException as error:
            if error.status == 409:
                return False
            raise
        return True


class WebsocketBot(TwitchBot):
    """Up to three sockets for each account, on which it subscribes with its own key."""

    def __init__(
        self,
        *,
        authority: TwitchAuthority,
        bot_id: str,
        components: Callable[[], Iterable[commands.Component]],
        on_refusal: Callable[[str | None, Failure], None],
    ) -> None:
        super().__init__(authority=authority, bot_id=bot_id, components=components, on_refusal=on_refusal)
        self._slots: defaultdict[str, dict[Socket, set[Slot]]] = defaultdict(dict)  # by account
        self._opening: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @property
    def sockets(self) -> list[Socket]:
        return [each for sockets in self._slots.values() for each in sockets]

    async def reconnect(self) -> None:
        """Do nothing: what is missing is asked for, and that opens a connection."""

    async def ask(self, subscription: WantedSubscription) -> bool:
        socket = await self._with_room(subscription)
        try:
            return await self._subscribe(subscription, {"method": "websocket", "session_id": socket.session})
        except BaseException:
            self.forget(subscription.slot)
            raise

    async def standing(self, account: str) -> list[EventsubSubscription]:
        answer = await self.fetch_eventsub_subscriptions(token_for=account)
        return [each async for each in answer.subscriptions]

    def owns(self, subscription: EventsubSubscription) -> bool:
        session = subscription.transport.session_id
        return bool(session) and any(each.session == session for each in self.sockets)

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:
        await self.delete_eventsub_subscription(subscription.id, token_for=account)

    def forget(self, slot: Slot) -> None:
        for sockets in self._slots.values():
            for slots in sockets.values():
                slots.discard(slot)

    async def _with_room(self, subscription: WantedSubscription) -> Socket:
        """Give a connection on which there is room, and keep the place."""
        sockets = self._slots[subscription.account]
        # One at a time: two that find no room would open a connection each, of the three that Twitch allows.
        # The place is kept before Twitch is asked, or all that ask at once would take the same one.
        async with self._opening[subscription.account]:
            self.forget(subscription.slot)
            socket = next((each for each, slots in sockets.items() if len(slots) < SUBSCRIPTIONS), None)
            if socket is None and len(sockets) == SOCKETS:
                raise Full
            if socket is None:
                socket = await self._connect()
                if not socket.session:
                    raise NotConnected("it has ended at once")
                sockets[socket] = set()
            sockets[socket].add(subscription.slot)
        return socket

    def _note_lost(self, socket: Socket) -> None:
        for sockets in self._slots.values():
            slots = sockets.pop(socket, None)
            if slots:
                self.on_missing(slots, socket.heard)


def _is_of_use(record: logging.LogRecord) -> bool:
    """Whether an operator can do something with what the library logs."""
    return not str(record.msg).startswith("If you require the StarletteAdapter")
