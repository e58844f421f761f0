"""One connection to Twitch: what is made for it, in which order it starts, and in which it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.bot.bot import Bot
from chatbot.kernel.game import Failure
from chatbot.keys.ring import KeyRing
from chatbot.rooms.channel import Adapter
from chatbot.runtime.periodic import Periodic
from cogs.twitch.authority import TwitchAuthority
from cogs.twitch.bot import WebsocketBot
from cogs.twitch.channel_services import ChannelServices
from cogs.twitch.channels import (
    CHATTERS,
    Chat,
    ChatterPoll,
    StreamPoll,
    bot_of,
    enter,
    find,
    look,
    sign_in,
    valid,
)
from cogs.twitch.components import (
    AnnouncementComponent,
    ChatComponent,
    RevocationComponent,
    StreamComponent,
    SupportComponent,
    WhisperComponent,
)
from cogs.twitch.conduit import ConduitBot, ConduitShards
from cogs.twitch.delivery_router import DeliveryRouter
from cogs.twitch.eventsub import NotConnected
from cogs.twitch.key_changes import KeyChanges
from cogs.twitch.key_replacement import RefusedKeys
from cogs.twitch.limits import MOST, too_many
from cogs.twitch.lines import channel_of
from cogs.twitch.muted import UnheardChats
from cogs.twitch.redemptions import RedemptionComponent
from cogs.twitch.subscriptions.wanted import WRITE, wishes
from cogs.twitch.subscriptions.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twitchio.ext import commands

    from chatbot.keys.ring import Key
    from chatbot.ledger.people import Account
    from chatbot.runtime.clock import Alarm
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

RELOOK = 2.0  # seconds before another look at streams
CHECK_INTERVAL = 1.0  # seconds between two looks at whether this process keeps the conduit
RECONNECTED = 60  # such looks between two at whether Twitch has the shards that are connected here

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What outlives connections, and is there for each of them."""

    adapter: Adapter  # that speaks in the rooms that a connection opens
    bot: Bot
    ring: KeyRing
    authority: TwitchAuthority
    logins: tuple[str, ...]  # of the channels to be in; empty: all whose broadcasters are connected
    conduit: bool
    shards: ConduitShards  # of the conduit, that are connected here
    tell: Callable[[str], None]  # the operator
    chats: dict[str, Chat]  # by channel
    router: DeliveryRouter
    refused_keys: RefusedKeys
    share: Callable[[], float]  # of the points of a key that this process has, from 0 to 1


class TwitchSession:
    """A bot account in its chats, for as long as one connection lasts.

    `refused` is told that the bot's key is no longer any good, or the program's own: nothing goes on without
    them. `replaced` is told that another account was connected as the bot, and `operator` what only the
    operator can put right.
    """

    def __init__(
        self,
        around: Surroundings,
        bot_key: Key,
        *,
        on_refusal: Callable[[TwitchSession, Failure], None],
        on_replacement: Callable[[TwitchSession], None],
        on_operator: Callable[[TwitchSession, Failure], None],
    ) -> None:
        self._around, self._bot, self._chats = around, around.bot, around.chats
        self.bot_key, self._on_refusal, self._on_replacement = bot_key, on_refusal, on_replacement
        self._on_operator = on_operator
        make = partial(ConduitBot, shards=around.shards) if around.conduit else WebsocketBot
        self._client: ConduitBot | WebsocketBot = make(
            authority=around.authority,
            bot_id=bot_key.user_id,
            components=self._components,
            on_refusal=self._refuse,
        )
        self._client.api.points.share = around.share
        self._checks = Periodic(self._bot.watch, CHECK_INTERVAL, self._check)
        self._rounds = 0
        self._is_subscribed = False
        self._unheard = UnheardChats(around.ring.path)
        self._keys: dict[str, Key] = {}  # of broadcasters whose keys are good, by their ids
        self._channels: dict[str, str] = {}  # id of the broadcaster -> login
        self.watchdog: Watchdog | None = None
        self.services = ChannelServices(
            api=self._client.api, bot=self._bot, ring=around.ring, chats=self._chats
        )
        self._polls: list[ChatterPoll | StreamPoll] = []
        self._key_changes = KeyChanges(around.ring, self._bot.watch, self._take_change)
        self._missed: set[str] = set()  # broadcasters of whose streams something may have been missed
        self._stream_alarm: Alarm | None = None
        self._noting: set[asyncio.Task[None]] = set()

    # To arrive, and to leave

    async def enter(self) -> None:
        """Sign in and open the rooms, so that the bot can speak.

        Nothing is heard yet but by a conduit, whose subscriptions stand: a line waits until its room is open,
        and its answer until `connect`.

        Raises:
            Failure: the operator must put something right.
            HTTPException: Twitch refuses, or cannot be reached.
        """
        around, keys = self._around, self._around.ring.broadcasters
        around.refused_keys.start(self._adopt)
        self._keys = await sign_in(self._client.api, self.bot_key, keys)
        self._channels = await find(self._client, around.logins, keys)
        advise(len(self._channels), conduit=around.conduit, tell=around.tell)
        await self._client.log_in()
        await enter(self._bot, around.adapter, self._channels, self.bot_key.user_id, self._chats)
        await around.router.load(self._chats.values())  # before a stake could be taken that nobody reads of
        around.router.sender.connect(self._client, self.bot_key.user_id, lambda: WRITE in self._rights())
        if self.conduit is not None:
            self.conduit.open_held()

    async def subscribe(self) -> None:
        """Ask for all events, and begin what runs beside them.

        Raises:
            Failure: the bot may not read chat at all.
        """
        await self._recall_unheard(self._chats.values())  # before the first subscription says otherwise
        if self._around.shards.is_shared:
            self._checks.start()  # one of the processes that share the conduit asks for all of them
        else:
            self.watchdog = self._watchdog()
            await self.watchdog.start()
        self._is_subscribed = True
        await look(self._client, self._bot, self._chats.values())
        # What ends the connection cancels this, which takes effect at the next wait: here at the latest, so
        # that nothing is begun below which the operator would be told of, and which would only have to stop.
        await asyncio.sleep(0)
        self._polls = [
            ChatterPoll(
                client=self._client,
                bot_key=self.bot_key,
                may_ask=lambda: CHATTERS in self._rights(),
                bot=self._bot,
                chats=self._chats.values(),
            ),
            StreamPoll(client=self._client, bot=self._bot, chats=self._chats, streams=self._told_streams),
        ]
        for poll in self._polls:
            poll.start()
        self.services.start(self._keys)
        # Last, for a key that is taken up asks the watchdog and the services for what it allows.
        self._key_changes.start([self.bot_key, *self._around.ring.broadcasters])
        self._around.tell(
            f"Twitch is connected: {self.bot_key.login} plays in {', '.join(self._channels.values())}."
        )

    async def leave(self) -> None:
        """Stop all that asks Twitch, and close the connection last.

        In another order what still runs would ask by a closed client, and log that Twitch fails. A key that
        is being taken up would put back a shop that was taken away before. What the sockets bring while they
        close is heard, and its answers wait for the next connection.
        """
        self._around.refused_keys.stop()
        self._checks.stop()
        if self._stream_alarm is not None:
            self._stream_alarm.cancel()
        if self.watchdog is not None:
            self.watchdog.stop()
        for poll in self._polls:
            poll.stop()
        await self._key_changes.stop()
        self.services.stop()
        await self._client.close()

    @property
    def conduit(self) -> ConduitBot | None:
        """What has the shards of the conduit; None: events come by sockets of accounts."""
        return self._client if isinstance(self._client, ConduitBot) else None

    def _told_streams(self) -> Collection[str]:
        """List the broadcasters of whose streams events tell, as far as they were asked for here."""
        return () if self.watchdog is None else self.watchdog.streams()

    async def _check(self) -> None:
        """Ask for all subscriptions, and let the conduit grow, where that is dealt to this process."""
        shards, conduit = self._around.shards, self.conduit
        if conduit is None:
            return
        self._rounds += 1
        try:
            await conduit.grow()
            if shards.keeps and self.watchdog is None:
                self.watchdog = self._watchdog()
                await self.watchdog.start()
            elif not shards.keeps:
                self._stop_watchdog()
                if self._rounds % RECONNECTED == 0:
                    await conduit.reconnect()
        except (HTTPException, NotConnected) as error:
            log.warning("what is subscribed to cannot be looked at", reason=str(error))
            self._stop_watchdog()
        except Failure as failure:
            self._stop_watchdog()
            self._checks.stop()
            self._on_operator(self, failure)

    def _stop_watchdog(self) -> None:
        if self.watchdog is not None:
            self.watchdog.stop()
            self.watchdog = None

    async def departed(self, accounts: Sequence[Account]) -> Collection[Account] | None:
        """Return which accounts Twitch does not have any more; None where it does not say.

        Twitch leaves those out that were deleted or suspended: one request asks for up to 100 users, see
        https://dev.twitch.tv/docs/api/reference/#get-users.
        """
        try:
            users = await self._client.fetch_users(
                ids=[each.key for each in accounts], token_for=self._client.bot_id
            )
        except HTTPException as error:
            log.warning("Twitch did not say whose accounts are gone", status=error.status)
            return None
        present = {each.id for each in users}
        return [each for each in accounts if each.key not in present]

    def _components(self) -> list[commands.Component]:
        """Make what hears each kind of event."""
        bot, chats = self._bot, self._chats
        router, bot_id = self._around.router, self.bot_key.user_id
        return [
            ChatComponent(bot=bot, chats=chats, bot_id=bot_id, on_shown=router.sender.note_shown),
            WhisperComponent(bot=bot, chats=chats, on_whisper=router.answer),
            StreamComponent(bot=bot, chats=chats),
            SupportComponent(bot=bot, chats=chats),
            AnnouncementComponent(bot_id=bot_id, on_announced=router.sender.note_shown),
            RedemptionComponent(bot=bot, chats=chats),
            RevocationComponent(on_ended=self._mend),
        ]

    def _watchdog(self) -> Watchdog:
        channels = list(self._channels)
        return Watchdog(
            client=self._client,
            watch=self._bot.watch,
            subscriptions=wishes(self.bot_key, self._keys, channels, conduit=self._around.conduit),
            logins={**self._channels, self.bot_key.user_id: self.bot_key.login},
            barred=self._bar,
            regained=self._regain,
        )

    def _rights(self) -> Collection[str]:
        """Give the scopes of the bot's key, which may be another one by now."""
        return self._client.api.rights(self.bot_key.user_id)

    # What Twitch tells of its events

    def _mend(self, slot: Slot) -> None:
        if self.watchdog is not None:
            self.watchdog.mend([slot])

    def _bar(self, broadcaster: str, reason: str) -> None:
        """Take nothing that is bought in a chat which Twitch refuses to tell of, and remember it."""
        chat = self._chats.get(channel_of(broadcaster))
        if chat is None or bool(reason) == chat.unheard:
            return
        chat.unheard = bool(reason)
        noting = asyncio.create_task(self._unheard.record(chat, reason))
        self._noting.add(noting)  # the loop itself keeps no task alive
        noting.add_done_callback(self._noting.discard)
        if reason:
            self._around.tell(f"Twitch: the chat of {chat.login} is not heard: {reason}.")

    async def _recall_unheard(self, chats: Collection[Chat]) -> None:
        unheard = await asyncio.to_thread(self._unheard.load)
        for chat in chats:
            if chat.broadcaster in unheard:
                chat.unheard = True

    def _regain(self, broadcaster: str) -> None:
        """Look whether a stream is on of which Twitch did not tell for a while.

        It is looked at a little later, for after a fault many streams come back: one request is for a
        hundred of them.
        """
        if not self._missed:
            self._stream_alarm = self._bot.watch.ring(RELOOK, self._look_again)
        self._missed.add(broadcaster)

    async def _look_again(self) -> None:
        chats = [chat for chat in self._chats.values() if chat.broadcaster in self._missed]
        self._missed.clear()
        await look(self._client, self._bot, chats)

    # Keys that are refused, and others that come

    def _refuse(self, account: str | None, failure: Failure) -> None:
        """Without the bot's key nothing goes on; without a broadcaster's, its chat does."""
        if account is not None:
            self._around.refused_keys.add(account)
        if account in {None, self.bot_key.user_id}:
            self._on_refusal(self, failure)
        else:
            log.error(str(failure))
            self._around.refused_keys.look_soon()

    async def _take_change(self, key: Key) -> None:
        """Use the key of an account that was connected, and be in its chat from now on.

        Raises:
            SQLAlchemyError, OSError: its room cannot be opened now.
        """
        if "bot" in key.purposes and key.user_id != self.bot_key.user_id:
            self._around.tell(f"Twitch: {key.login} is the bot from now on.")
            self._on_replacement(self)
            return
        joins = "broadcaster" in key.purposes and channel_of(key.user_id) not in self._chats
        joins = joins and not self._around.logins
        if joins:
            await self._join(key)
        self._client.api.adopt(key)
        if await valid(self._client.api, key):
            self._adopt(key)
        elif joins and self.watchdog is not None:  # its chat needs only the bot's key
            alone = wishes(bot_of(self._around.ring), {}, [key.user_id], conduit=self._around.conduit)
            self.watchdog.allow(key.user_id, key.login, alone)

    async def _join(self, key: Key) -> None:
        """Open the room of a channel, before anything is heard of it."""
        channel, around = channel_of(key.user_id), self._around
        try:
            await enter(
                self._bot, around.adapter, {key.user_id: key.login}, self.bot_key.user_id, self._chats
            )
        except BaseException:
            # A chat without its room is heard and can never answer, and `_take_change` would not join again.
            if not self._bot.has(channel):
                self._chats.pop(channel, None)
            raise
        chat = self._chats[channel]
        self._channels[key.user_id] = key.login
        await around.router.load([chat])
        await self._recall_unheard([chat])
        await look(self._client, self._bot, [chat])
        advise(len(self._chats), conduit=around.conduit, tell=around.tell)
        around.tell(f"Twitch: the bot plays in {key.login} from now on.")

    def _adopt(self, key: Key) -> None:
        """Use a key from now on, and ask for what it allows of its own channel."""
        if not self._is_subscribed:  # nothing was asked for yet; the key is looked at again
            return
        self._client.api.adopt(key)
        chat = self._chats.get(channel_of(key.user_id))
        is_here = "broadcaster" in key.purposes and chat is not None
        is_bot = key.user_id == self.bot_key.user_id
        if is_here:
            self._keys[key.user_id] = key
        if (is_here or is_bot) and self.watchdog is not None:
            self.watchdog.allow(key.user_id, key.login, self._wishes(key))
        if is_here:
            self.services.sell(key)
        keys = self._broadcasters() | {key.user_id: key}
        for each in self._chats.values() if is_bot else [chat] if chat is not None else []:
            self.services.serve(each, keys.get(each.broadcaster))
        self._around.refused_keys.forget(key)
        log.info("a new key was taken up", account=key.login)

    def _wishes(self, key: Key) -> list[WantedSubscription]:
        """List what to subscribe to with the key of a broadcaster; the bot's own hears all chats, too."""
        channels, keys = [key.user_id], {key.user_id: key}
        if key.user_id == self.bot_key.user_id:
            channels = [each.broadcaster for each in self._chats.values()]
            keys |= self._broadcasters()
        return wishes(bot_of(self._around.ring), keys, channels, conduit=self._around.conduit)

    def _broadcasters(self) -> dict[str, Key]:
        return {each.user_id: each for each in self._around.ring.broadcasters}


def advise(channels: int, *, conduit: bool, tell: Callable[[str], None]) -> None:
    """Tell the operator where there are more channels than sockets can hear."""
    if channels > MOST and not conduit:
        log.warning(too_many(channels))
        tell(f"Twitch: {too_many(channels)}")
