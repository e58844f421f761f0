"""The library's bots: one with sockets for each account, or one with the shards of a conduit.

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

from chatbot.kernel.game import Failure
from chatbot.rooms.line import SIGN
from chatbot.runtime.limits import PROBE, Backoff
from cogs.twitch.api import UNREACHABLE, Api, Trouble
from cogs.twitch.eventsub import NotConnected, Socket
from cogs.twitch.limits import SOCKETS, SUBSCRIPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable

    from twitchio.models.eventsub_ import EventsubSubscription
    from twitchio.types_.eventsub import SubscriptionCreateTransport

    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.endpoints import TwitchEndpoints
    from cogs.twitch.eventsub import Frame
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

SHARDS = 2  # of a new conduit: what one does not take is given to the other
MOST_SHARDS = 20  # of a conduit that is there: each is a connection, and it does not shrink by itself
AT_ONCE = 10  # connections that are opened together
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds between two tries to open a shard that Twitch refuses
STEADY = 5.0  # seconds after which a shard that is lost is opened again at once, if it brought nothing too

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


class _TwitchBot(commands.Bot):
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


class WebsocketBot(_TwitchBot):
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


class ConduitBot(_TwitchBot):
    """The shards of a conduit; the program subscribes with its own key."""

    def __init__(
        self,
        *,
        authority: TwitchAuthority,
        bot_id: str,
        components: Callable[[], Iterable[commands.Component]],
        on_refusal: Callable[[str | None, Failure], None],
    ) -> None:
        super().__init__(authority=authority, bot_id=bot_id, components=components, on_refusal=on_refusal)
        self._conduit = ""
        self._shards: dict[str, Socket] = {}
        self._coming: set[str] = set()  # shards that are being opened
        self._backoff = Backoff[str](FIRST_PAUSE, PROBE)  # of shards that bring nothing
        self._refusals = Backoff[str](FIRST_PAUSE, LONGEST_PAUSE)  # of shards that Twitch does not take
        self._came: dict[str, float] = {}  # shard -> when it was opened again, by the clock of the loop

    @property
    def sockets(self) -> list[Socket]:
        return list(self._shards.values())

    async def log_in(self) -> None:
        """Open all shards of the conduit, which is made where there is none."""
        await super().log_in()
        shards = [str(each) for each in range(await self._find_conduit())]
        for first in range(0, len(shards), AT_ONCE):
            await self._open(shards[first : first + AT_ONCE])

    async def reconnect(self) -> None:
        """Compare the shards with what Twitch has: what is subscribed to stands without them.

        A conduit that somebody has deleted is made again.
        """
        try:
            shards = {each.id: each async for each in self.api.get_conduit_shards(self._conduit)}
        except HTTPException as error:
            if error.status != 404:
                return
            await self._find_conduit()
            shards = {}
        for shard, socket in list(self._shards.items()):
            there = shards.get(shard)
            here = None if there is None else (there.raw["status"], there.session_id)
            if here != ("enabled", socket.session):
                self._come_back(shard)

    async def ask(self, subscription: WantedSubscription) -> bool:
        return await self._subscribe(subscription, {"method": "conduit", "conduit_id": self._conduit})

    async def standing(self, account: str) -> list[EventsubSubscription]:  # noqa: ARG002  (one for all)
        answer = await self.fetch_eventsub_subscriptions(conduit_id=self._conduit)
        return [each async for each in answer.subscriptions]

    def owns(self, subscription: EventsubSubscription) -> bool:  # noqa: ARG002
        return True  # whichever shard is there gets it; the shards come back by themselves

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:  # noqa: ARG002
        await self.delete_eventsub_subscription(subscription.id)

    def forget(self, slot: Slot) -> None:
        """Do nothing: a conduit has room."""

    async def _find_conduit(self) -> int:
        """Find or make the conduit, and count its shards; of too many, the others are given back.

        Raises:
            Failure: there are several.
        """
        conduits = (await self.api.get_conduits())["data"]
        if len(conduits) > 1:
            raise Failure(
                "Twitch has more than one conduit for this client id, and none can be chosen; "
                "delete them, or set CHATBOT_TWITCH_CONDUIT to false."
            )
        if not conduits:
            conduits = (await self.api.create_conduit(SHARDS))["data"]
        self._conduit = conduits[0]["id"]
        if conduits[0]["shard_count"] > MOST_SHARDS:
            conduits = (await self.api.update_conduits(self._conduit, MOST_SHARDS))["data"]
        return conduits[0]["shard_count"]

    async def _open(self, shards: Collection[str]) -> None:
        """Open shards anew.

        Raises:
            NotConnected: there is no connection.
            HTTPException: Twitch does not take them.
        """
        came = await asyncio.gather(*(self._connect() for _ in shards), return_exceptions=True)
        sockets = [each for each in came if isinstance(each, Socket)]
        if len(sockets) < len(came):
            await asyncio.gather(*(each.close() for each in sockets))
            raise NotConnected("a shard of the conduit cannot be opened")
        try:
            await self._assign(dict(zip(shards, sockets, strict=True)))
        except BaseException:
            await asyncio.gather(*(each.close() for each in sockets))
            raise
        # The old ones are closed only now: until Twitch has taken the new ones, events come by them.
        old_sockets = [self._shards[each] for each in shards if each in self._shards]
        self._shards.update(zip(shards, sockets, strict=True))
        for each in old_sockets:
            self._go(each.close())
        for shard, socket in zip(shards, sockets, strict=True):
            if not socket.session:  # it has ended before it was known
                self._come_back(shard)

    async def _assign(self, sockets: Mapping[str, Socket]) -> None:
        """Tell Twitch which connection each shard is."""
        answer = await self.api.update_conduit_shards(
            self._conduit,
            shards=[
                {"id": shard, "transport": {"method": "websocket", "session_id": each.session}}
                for shard, each in sockets.items()
            ],
        )
        if answer.get("errors"):
            raise NotConnected("Twitch does not take a shard of the conduit")

    def _note_lost(self, socket: Socket) -> None:
        for shard, each in self._shards.items():
            if each is socket:
                self._come_back(shard)

    def _note_moved(self, socket: Socket, previous: str) -> None:
        if socket.session != previous:
            for shard, each in self._shards.items():
                if each is socket:
                    self._come_back(shard)

    def _come_back(self, shard: str) -> None:
        if shard not in self._coming and not self._left:
            self._coming.add(shard)
            self._go(self._again(shard))

    async def _again(self, shard: str) -> None:
        """Open a shard, at once and then more rarely, until it is there."""
        told = await self._rest(shard)
        while True:
            try:
                socket = self._shards[shard]
                if socket.session:
                    await self._assign({shard: socket})
                else:
                    await self._open([shard])
                    self._came[shard] = asyncio.get_running_loop().time()
                    self.on_return()
            except (NotConnected, HTTPException) as error:
                if not told:
                    log.warning("a shard of the conduit is lost", shard=shard, reason=str(error))
                told = True
                await self._wait_longer(shard, error)
            else:
                self._refusals.forget(shard)
                break
        self._coming.discard(shard)
        if not self._shards[shard].session:
            self._come_back(shard)

    async def _rest(self, shard: str) -> bool:
        """Wait where a shard is lost again before it has brought anything, and tell whether that was so.

        Each opening takes one of the program's points, of which speech needs some. What has come by a shard
        shows that the last fault is over, so that the next one is another.
        """
        lasted = asyncio.get_running_loop().time() - self._came.get(shard, -STEADY)
        if self._shards[shard].session or self._shards[shard].heard or lasted >= STEADY:
            self._backoff.forget(shard)
            return False
        log.warning("a shard of the conduit is lost as soon as it is there", shard=shard)
        await self._wait_longer(shard)
        return True

    async def _wait_longer(self, shard: str, error: NotConnected | HTTPException | None = None) -> None:
        """Wait before the next try; for as long as Twitch wants, where it has refused the last one."""
        refused = isinstance(error, HTTPException) and error.status != UNREACHABLE
        pause = (self._refusals if refused else self._backoff).wait(shard)
        await asyncio.sleep(max(pause, error.wait if isinstance(error, Trouble) else 0.0))


def _is_of_use(record: logging.LogRecord) -> bool:
    """Whether an operator can do something with what the library logs."""
    return not str(record.msg).startswith("If you require the StarletteAdapter")
