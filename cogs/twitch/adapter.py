"""The adapter of Twitch: runs one connection after another, as the states of `connection.py` say.

It decides nothing by itself. Whatever happens is an event; the table says which state follows, and that what
is to be done, and what becomes of lines that are to be said.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.kernel.say import Message
from chatbot.keys.asking import Declined, Unreachable
from chatbot.keys.ring import KeyFileFailure
from cogs.twitch.authority import KeyOfAnother, KeyRefused
from cogs.twitch.channels import MANNER, NobodyConnected, bot_of
from cogs.twitch.conduit import SHARDS, ConduitShards
from cogs.twitch.connection import (
    ACTIVITIES,
    SEND_POLICIES,
    Activity,
    ConnectionEvent,
    ConnectionState,
    after,
)
from cogs.twitch.delivery_router import DeliveryRouter
from cogs.twitch.key_replacement import RefusedKeys
from cogs.twitch.lines import community_of
from cogs.twitch.redemptions import MUTED
from cogs.twitch.session import Surroundings, TwitchSession

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.keys.ring import Key, KeyRing
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery
    from cogs.platform import Reported, SessionStarts
    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.channels import Chat
    from cogs.twitch.conduit import ConduitBot
    from cogs.twitch.sender import Pause

LEAVING_TIMEOUT = 3.0  # seconds after which `stop` waits no more: the program must be gone after five
SERVER_ERROR = 500  # the least status of what is not refused, but failed
MISSING = NobodyConnected, KeyFileFailure
REFUSED = KeyRefused, KeyOfAnother
"""With `MISSING`, what is over once there are other keys on the disk."""

log = structlog.get_logger(__name__)


class TwitchAdapter:
    """One bot account in any number of chats. It may be run again when it has ended."""

    name = "Twitch"
    manner = MANNER

    def __init__(
        self,
        bot: Bot,
        ring: KeyRing,
        authority: TwitchAuthority,
        channels: Sequence[str] = (),
        *,
        conduit: bool = False,
        pause: Pause = asyncio.sleep,
        tell: Callable[[str], None] = lambda _: None,
        reported: Reported = lambda *_: None,
    ) -> None:
        """Tell the operator by `tell` when it is there; `reported` is told what becomes of messages."""
        self._bot, self._ring, self._tell = bot, ring, tell
        self.share_of_budget: Callable[[], float] = lambda: 1.0  # the points of a key
        self.chats: dict[str, Chat] = {}  # by channel
        self.router = DeliveryRouter(
            bot=bot, chats=self.chats, keys=ring.path, pause=pause, reported=reported
        )
        self._refused_keys = RefusedKeys(ring, bot.watch)
        self.shards = ConduitShards()
        self._is_conduit = conduit
        self._surroundings = Surroundings(
            adapter=self,
            bot=bot,
            ring=ring,
            authority=authority,
            logins=tuple(channels),
            conduit=conduit,
            shards=self.shards,
            tell=tell,
            chats=self.chats,
            router=self.router,
            refused_keys=self._refused_keys,
            share=self._share_of_budget,
        )
        self.state = ConnectionState.IDLE
        self._reason: Exception | None = None  # why it leaves, waits or has failed; None where it was told to
        self._bot_key: Key | None = None  # of the newest connection
        self.session: TwitchSession | None = None
        self._serving: asyncio.Task[None] | None = None
        self._activity: asyncio.Task[None] | None = None  # the one that an event may interrupt

    def _share_of_budget(self) -> float:
        return self.share_of_budget()

    @property
    def connected(self) -> bool:
        return self.state is ConnectionState.READY

    async def run(self) -> None:
        """Serve until stopped or cancelled.

        Raises:
            Failure: the operator must put something right.
            Unreachable: Twitch is in trouble.
            Declined: Twitch refuses, but may not for ever.
        """
        if self._serving is not None and not self._serving.done():  # a cancelled run may still be leaving
            await asyncio.wait({self._serving})
        self._reason = None
        self._apply(ConnectionEvent.RUN)
        self._serving = asyncio.create_task(self._serve())
        try:
            # Who cancels this must not cancel that: it would interrupt a leave that is under way, and nobody
            # would then close the client.
            await asyncio.shield(self._serving)
        except asyncio.CancelledError:
            await self._end()
            raise
        if isinstance(self._reason, HTTPException):
            kind = Unreachable if self._reason.status >= SERVER_ERROR else Declined
            raise kind(str(self._reason)) from None  # our own words: see the API
        if self._reason is not None:
            raise self._reason

    async def stop(self) -> None:
        """Leave at once; a line that is on its way is lost, and logged. One that comes later waits."""
        self.router.cancel()
        await self._end()

    async def send(self, delivery: Delivery) -> None:
        """Say something, and see to it until Twitch has it or will not have it."""
        await self.router.send(delivery)

    # Shards of the conduit, of which other processes have some

    hears_everything = True
    fixed_shards = None

    @property
    def is_sharded(self) -> bool:
        return self._is_conduit

    async def recommended_shards(self) -> int:
        """Return how many shards a conduit has at least."""
        return SHARDS

    def share(self, starts: SessionStarts, count: Callable[[], int]) -> None:  # noqa: ARG002  (as the protocol)
        """Share the conduit with other processes, which have agreed on so many shards."""
        self.shards.share(count)

    def connect(self, shard: int, count: int) -> None:  # noqa: ARG002  (it may grow)
        """Connect a shard from now on, or when there is a connection to Twitch."""
        if self.shards.held is not None:
            self.shards.held.add(shard)
            self.shards.left.discard(shard)
        if self._conduit is not None:
            self._conduit.open_shard(shard)

    async def disconnect(self, shard: int, count: int) -> None:  # noqa: ARG002
        """Leave a shard, while the others stay connected."""
        if self.shards.held is not None:
            self.shards.held.discard(shard)
            self.shards.left.discard(shard)
        if self._conduit is not None:
            await self._conduit.close_shard(shard)

    def is_hearing(self, shard: int) -> bool:
        """Whether Twitch sends events by a shard, and these are listened to."""
        return self.connected and self._conduit is not None and self._conduit.is_hearing(shard)

    def hears(self, channel: str, community: str, shard: int) -> bool:  # noqa: ARG002  (as the protocol)
        """Return True: an event of any chat may come by any shard."""
        return True

    async def open(self, channel: str, community: str) -> None:
        """Do nothing: the rooms of all chats are open."""

    def lead(self, shard: int) -> None:
        """Take note that a shard is heard here alone."""
        self.shards.left.discard(shard)

    def follow(self, shard: int) -> None:
        """Do not connect a shard again that another process connects next."""
        self.shards.left.add(shard)

    async def begin_keeping(self) -> None:
        """Ask for all subscriptions, and let the conduit grow, from now on."""
        self.shards.keeps = True

    async def end_keeping(self) -> None:
        """Leave that to another process."""
        self.shards.keeps = False

    @property
    def keeps(self) -> bool:
        """Whether this process has asked for all subscriptions."""
        return self.connected and self.session is not None and self.session.watchdog is not None

    @property
    def _conduit(self) -> ConduitBot | None:
        return None if self.session is None else self.session.conduit

    # What other processes have heard

    def barred(self, channel: str) -> Message | None:
        """Return why no stake is taken in a chat, as the bot cannot speak there."""
        chat = self.chats.get(channel)
        return Message(MUTED) if chat is not None and chat.muted else None

    def note_echo(self, channel: str, text: str, *, moderator: bool) -> None:
        """Take note that a line of the bot was shown in a chat, and whether it is a moderator there."""
        chat = self.chats.get(channel)
        if chat is not None:
            self.router.sender.note_shown(channel, text)
            chat.stand(moderator, self._bot.watch.now())

    def community(self, channel: str) -> str | None:
        chat = self.chats.get(channel)
        return None if chat is None else community_of(chat.broadcaster)

    def title(self, channel: str) -> str:
        chat = self.chats.get(channel)
        return channel if chat is None else chat.login

    async def departed(
        self,
        channels: Collection[str],  # noqa: ARG002  (everybody can write in every chat)
        accounts: Sequence[Account],
    ) -> Collection[Account] | None:
        """Return which accounts Twitch does not have any more; None: it cannot be asked now."""
        if self.session is None or ACTIVITIES[self.state] is not Activity.STAY:
            return None
        return await self.session.departed(accounts)

    def _apply(self, event: ConnectionEvent) -> bool:
        """Go over to the state that follows an event, and return whether it is another one.

        An activity that is over is cancelled, but for leaving, which takes its time and ends by itself.
        """
        previous, self.state = self.state, after(self.state, event)
        self.router.set_policy(SEND_POLICIES[self.state])
        if self._activity is not None and ACTIVITIES[self.state] is not ACTIVITIES[previous]:
            self._activity.cancel()
        return self.state is not previous

    def _apply_because(self, event: ConnectionEvent, reason: Exception) -> None:
        """Go over to the state that follows, and keep why, unless it leaves for a better reason already."""
        if self._apply(event):
            self._reason = reason
        elif event is ConnectionEvent.LOST and not isinstance(reason, HTTPException):
            log.error("Twitch could not be left in order", exc_info=reason)

    def _apply_failure(self, failure: Failure) -> None:
        mendable = isinstance(failure, (*MISSING, *REFUSED))
        event = ConnectionEvent.KEY_NEEDED if mendable else ConnectionEvent.OPERATOR_NEEDED
        self._apply_because(event, failure)

    async def _end(self) -> None:
        """Leave, and wait for that no longer than a program that ends may."""
        self._apply(ConnectionEvent.STOPPED)
        self._reason = None
        if self._serving is not None:
            await asyncio.wait({self._serving}, timeout=LEAVING_TIMEOUT)

    async def _serve(self) -> None:
        """Do what the state says, until it is one in which nothing is to be done."""
        while (activity := ACTIVITIES[self.state]) is not Activity.NOTHING:
            if activity is Activity.STAY:
                await self._do(activity, self._stay())
            elif activity is Activity.AWAIT_KEY:
                await self._do(activity, self._await_key())
            else:
                await self._leave()

    async def _do(self, kind: Activity, activity: Coroutine[object, object, None]) -> None:
        """Do something until an event interrupts it, or it fails."""
        self._activity = task = asyncio.create_task(activity)
        await asyncio.wait({task})
        self._activity = None
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Failure):
            self._apply_failure(error)
        elif isinstance(error, HTTPException) and ACTIVITIES[self.state] is not kind:
            return  # it has failed by what interrupted it, as where the key of its request was refused
        elif isinstance(error, Exception):
            self._apply_because(ConnectionEvent.LOST, error)

    async def _stay(self) -> None:
        """Connect, and be there until that is cancelled.

        Where another account is the bot than before, the chats forget what Twitch has let that one do.
        """
        bot_key = bot_of(self._ring)
        if self._bot_key is not None and self._bot_key.user_id != bot_key.user_id:
            for chat in self.chats.values():
                chat.serve_another(bot_key.user_id, self._bot.watch.now())
        self._bot_key = bot_key
        self.session = session = TwitchSession(
            self._surroundings,
            bot_key,
            on_refusal=self._hear_refusal,
            on_replacement=self._hear_replacement,
            on_operator=self._hear_refusal,
        )
        await session.enter()
        self._apply(ConnectionEvent.CONNECTED)
        await session.subscribe()
        self._apply(ConnectionEvent.SUBSCRIBED)
        await asyncio.Event().wait()

    def _hear_refusal(self, session: TwitchSession, failure: Failure) -> None:
        # A request that a closed connection has begun may end later, and says nothing about the next one.
        if session is self.session:
            self._apply_failure(failure)

    def _hear_replacement(self, session: TwitchSession) -> None:
        if session is self.session:
            self._apply(ConnectionEvent.BOT_REPLACED)

    async def _leave(self) -> None:
        if self.session is not None:
            try:
                await self.session.leave()
            except Exception as error:  # noqa: BLE001  (`run` raises it)
                self._apply_because(ConnectionEvent.LOST, error)
            self.session = None
        self._apply(ConnectionEvent.LEFT)

    async def _await_key(self) -> None:
        """Tell the operator which key is missing or refused, and wait until there is another."""
        log.error(str(self._reason))
        self._tell(f"Twitch: {self._reason}")
        if isinstance(self._reason, MISSING):
            await self._refused_keys.await_accounts(broadcasters=not self._surroundings.logins)
        else:
            await self._refused_keys.await_bot(self._bot_key)
        self._reason = None
        self._apply(ConnectionEvent.KEY_FOUND)
