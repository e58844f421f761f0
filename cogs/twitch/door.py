"""The door to Twitch: what is said and happens there reaches the house, and its answers reach Twitch."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.kernel.say import Message, Say
from chatbot.keys.asking import Declined, Unreachable
from chatbot.keys.ring import KeyFileFailure
from chatbot.runtime.limits import remember
from chatbot.settings.room import Announcements
from chatbot.speech.safe import twitch_line
from cogs.twitch.authority import KeyOfAnother, KeyRefused
from cogs.twitch.bot import ConduitBot, WebsocketBot
from cogs.twitch.channels import (
    CHATTERS,
    MANNER,
    ChatterPoll,
    NobodyConnected,
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
    RoomQueues,
    StreamComponent,
    SupportComponent,
    WhisperComponent,
)
from cogs.twitch.key_changes import KeyChanges
from cogs.twitch.limits import MOST, too_many
from cogs.twitch.lines import PLATFORM, channel_of
from cogs.twitch.muted import ANNOUNCEMENTS, PREDICTIONS, MutedChats, RefusedChats, UnheardChats
from cogs.twitch.predictions import ChannelPredictions
from cogs.twitch.redemptions import MUTED, RedemptionComponent, RedemptionSettler
from cogs.twitch.rewards import RewardShop
from cogs.twitch.sender import WHISPERERS, ChatSender
from cogs.twitch.subscriptions.wanted import ANNOUNCE, POINTS, PREDICT, WRITE, wishes
from cogs.twitch.subscriptions.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence

    from twitchio.ext import commands

    from chatbot.bot.house import House
    from chatbot.keys.ring import Key, KeyRing
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery
    from chatbot.runtime.clock import Alarm
    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.channels import Chat
    from cogs.twitch.sender import Colour, Pause
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

LEAVING = 3.0  # seconds
RELOOK = 2.0  # seconds before another look for a key in place of a refused one, and before one at streams
PROBE = 10.0  # seconds between two tries to speak in a chat where the bot could not
WARNED = 3600.0  # seconds in which somebody is whispered to once about such a chat
COLOURS: Mapping[Announcements, Colour] = {
    Announcements.PRIMARY: "primary",
    Announcements.BLUE: "blue",
    Announcements.GREEN: "green",
    Announcements.ORANGE: "orange",
    Announcements.PURPLE: "purple",
}
UNWELL = 500  # the least status of what is not refused, but failed
PATIENCE = 30.0  # seconds that a line waits for a connection that was lost
MENDED_BY_KEYS = KeyRefused, KeyOfAnother, NobodyConnected, KeyFileFailure
"""What is over once there are other keys on the disk."""

log = structlog.get_logger(__name__)


class TwitchDoor:
    """One bot account in any number of chats. It may be run again when it has ended."""

    name = "Twitch"
    manner = MANNER

    def __init__(
        self,
        house: House,
        ring: KeyRing,
        authority: TwitchAuthority,
        channels: Sequence[str] = (),
        *,
        conduit: bool = False,
        pause: Pause = asyncio.sleep,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Tell the operator by `tell` when it is there."""
        self._house, self._ring, self._authority = house, ring, authority
        self._logins, self._conduit, self._tell = tuple(channels), conduit, tell
        self.chats: dict[str, Chat] = {}  # by channel
        self.watchdog: Watchdog | None = None
        self._polls: list[ChatterPoll | StreamPoll] = []
        self.settler: RedemptionSettler | None = None
        self.predictions: dict[str, ChannelPredictions] = {}  # by channel
        self.ready = False  # everything was asked for
        self._queues = RoomQueues(house)
        self._muted, self._unheard = MutedChats(ring.path), UnheardChats(ring.path)
        self._bot = ""
        self._client: WebsocketBot | ConduitBot | None = None
        self._refused: dict[str, str] = {}  # account -> the token that was refused
        self._keys_alarm: Alarm | None = None
        self._key_changes: KeyChanges | None = None
        self._missed: set[str] = set()  # broadcasters of whose streams something may have been missed
        self._sender = ChatSender(
            watch=house.watch,
            pause=pause,
            muted=self._mute,
            refused=partial(self._note_refusal, ANNOUNCEMENTS),
        )
        self._present = asyncio.Event()  # there is a connection to speak by, or there will be none
        self._failure: Failure | None = None
        self._ended = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[object]] = set()
        self._stopped = self._leaving = self._ending = False

    @property
    def connected(self) -> bool:
        return self.ready

    async def run(self) -> None:
        """Serve until stopped or cancelled.

        Raises:
            Failure: the operator must put something right.
            Unreachable: Twitch is in trouble.
            Declined: Twitch refuses, but may not for ever.
        """
        self._failure, self._stopped, self._leaving, self._ending = None, False, False, False
        self._ended.clear()
        self._present.clear()
        self._serving = asyncio.create_task(self._serve())
        try:
            await asyncio.shield(self._serving)
        except asyncio.CancelledError:
            await self._end()
            if not self._stopped:
                raise
            return
        except Failure as failure:
            self._failure = failure
        except HTTPException as error:
            if self._failure is None:
                kind = Unreachable if error.status >= UNWELL else Declined
                raise kind(str(error)) from None  # our own words: see the API
        if self._failure is not None and not self._stopped:
            self._present.set()  # nobody is to wait for what does not come back
            raise self._failure

    async def stop(self) -> None:
        """Leave at once; a line that is on its way is lost, and logged. One that comes later waits."""
        self._stopped = True
        if self._sender.connected:
            for task in self._sending:
                task.cancel()
        await self._end()

    def hush(self) -> dict[str, int]:
        """Give up what waits; return how many commands of each channel those are."""
        return self._queues.clear()

    async def send(self, delivery: Delivery) -> None:
        """Say something, and see to it until Twitch has it or will not have it."""
        task = self._go(self._say(delivery))
        await asyncio.wait({task})
        if task.cancelled():
            log.warning("a line was lost, for the bot is stopping", channel=delivery.channel)
        else:
            task.result()

    # Being there

    async def _end(self) -> None:
        """Leave, and let whoever is leaving already do so in order."""
        self._ending = True
        if self._serving is None:
            return
        if not self._leaving:
            self._serving.cancel()
        await asyncio.wait({self._serving}, timeout=LEAVING)
        if self._serving.done() and not self._serving.cancelled():
            self._serving.exception()  # whoever stops it is not interested in why it ended

    async def _serve(self) -> None:
        """Serve; where a key is missing or was refused, again with the next one that is on the disk.

        Where another account becomes the bot, it goes on with that.
        """
        while True:
            try:
                bot = bot_of(self._ring)
                await self._serve_with(bot)
            except (NobodyConnected, KeyFileFailure) as missing:
                self._failure, expected = missing, self._somebody
            else:
                expected = self._other_than(bot)
            if self._ending:
                return
            self._leaving = False
            if self._failure is not None:
                if not isinstance(self._failure, MENDED_BY_KEYS):
                    return
                await self._wait_for_key(expected)
            self._ended.clear()
            self._present.clear()

    async def _wait_for_key(self, expected: Callable[[], bool]) -> None:
        log.error(str(self._failure))
        self._tell(f"Twitch: {self._failure}")
        self._present.set()  # nobody is to wait for what comes back so late
        await self._written(expected)
        self._failure = None

    async def _serve_with(self, bot: Key) -> None:
        if self._bot not in {"", bot.user_id}:
            for chat in self.chats.values():
                chat.serve_another(bot.user_id, self._house.watch.now())
        self._bot = bot.user_id
        self._refused.clear()
        kind = ConduitBot if self._conduit else WebsocketBot
        client = kind(
            authority=self._authority, bot=self._bot, components=self._components, refused=self._refuse
        )
        self._client = client
        try:
            await self._arrive(client)
            await self._ended.wait()
        except HTTPException:
            if self._failure is None:
                raise
        finally:
            await self._leave(client)

    def _other_than(self, bot: Key) -> Callable[[], bool]:
        """Tell whether `chatbot connect twitch --bot` has been run again."""
        refused = {bot.access, self._refused.pop(bot.user_id, "")}

        def another() -> bool:
            key = self._ring.bot
            return key is not None and key.access not in refused

        return another

    def _somebody(self) -> bool:
        """Whether there are a bot and a channel now."""
        return self._ring.bot is not None and bool(self._logins or self._ring.broadcasters)

    async def _written(self, expected: Callable[[], bool]) -> None:
        """Wait until something is in the file of keys."""
        found = asyncio.Event()

        def there() -> bool:
            try:
                return expected()
            except Failure:  # the file is damaged, or cannot be read for the moment
                return False

        async def look() -> None:
            if await asyncio.to_thread(there):
                found.set()
            elif not self._stopped:
                self._keys_alarm = self._house.watch.ring(RELOOK, look)

        self._keys_alarm = self._house.watch.ring(RELOOK, look)
        try:
            await found.wait()
        finally:
            self._keys_alarm.cancel()

    def _components(self) -> list[commands.Component]:
        """Make what hears each kind of event, for one connection."""
        return [
            ChatComponent(
                queues=self._queues,
                chats=self.chats,
                watch=self._house.watch,
                bot=self._bot,
                shown=self._sender.note_shown,
            ),
            WhisperComponent(queues=self._queues, house=self._house, whispered=self._answer),
            StreamComponent(queues=self._queues),
            SupportComponent(queues=self._queues),
            AnnouncementComponent(bot=self._bot, announced=self._sender.note_shown),
            RedemptionComponent(queues=self._queues, chats=self.chats),
            RevocationComponent(ended=self._ended_by_twitch),
        ]

    async def departed(
        self,
        channels: Collection[str],  # noqa: ARG002  (everybody can write in every chat)
        accounts: Sequence[Account],
    ) -> Collection[Account] | None:
        """Return which accounts Twitch does not have any more; None: it cannot be asked now.

        Twitch leaves those out that were deleted or suspended: one request asks for up to 100 users, see
        https://dev.twitch.tv/docs/api/reference/#get-users.
        """
        if self._client is None:
            return None
        try:
            found = await self._client.fetch_users(
                ids=[each.key for each in accounts], token_for=self._client.bot_id
            )
        except HTTPException as error:
            log.warning("Twitch did not say whose accounts are gone", status=error.status)
            return None
        present = {each.id for each in found}
        return [each for each in accounts if each.key not in present]

    async def _arrive(self, client: WebsocketBot | ConduitBot) -> None:
        bot, keys = bot_of(self._ring), self._ring.broadcasters
        good = await sign_in(client.api, bot, keys)
        if self._failure is not None:
            return
        channels = await find(client, self._logins, keys)
        self._count(len(channels))
        await client.log_in()
        await enter(self._house, self, channels, self._bot, self.chats)
        for broadcaster in await asyncio.to_thread(self._muted.load):
            if chat := self.chats.get(channel_of(broadcaster)):
                chat.muted = True
        self._queues.start(self.chats)
        self._sender.connect(client, self._bot, lambda: WRITE in client.api.rights(bot.user_id))
        self._present.set()
        logins = {**channels, bot.user_id: bot.login}
        self.watchdog = Watchdog(
            client=client,
            watch=self._house.watch,
            wanted=wishes(bot, good, list(channels), conduit=self._conduit),
            logins=logins,
            barred=self._bar,
            regained=self._regain,
        )
        for broadcaster in await asyncio.to_thread(self._unheard.load):
            if chat := self.chats.get(channel_of(broadcaster)):
                chat.unheard = True
        await self.watchdog.start()
        await look(client, self._house, self.chats.values())
        self._polls = [
            ChatterPoll(
                client=client,
                bot=bot,
                allowed=lambda: CHATTERS in client.api.rights(bot.user_id),
                house=self._house,
                chats=self.chats.values(),
            ),
            StreamPoll(client=client, house=self._house, chats=self.chats, told=self.watchdog.streams),
        ]
        for poll in self._polls:
            poll.start()
        self._take_points(client, good)
        for chat in self.chats.values():
            self._serve_chat(client, chat, good.get(chat.broadcaster))
        self._key_changes = KeyChanges(self._ring, self._house.watch, self._connected)
        self._key_changes.start([bot, *keys])
        self.ready = True
        self._tell(f"Twitch is connected: {bot.login} plays in {', '.join(channels.values())}.")

    def _take_points(self, client: WebsocketBot | ConduitBot, keys: Mapping[str, Key]) -> None:
        """Settle channel points of the broadcasters whose keys allow it."""
        allowed = {each for each, key in keys.items() if POINTS in key.scopes}
        here = frozenset(each for each in allowed if channel_of(each) in self.chats)
        for each in here:
            self._house.shops[channel_of(each)] = RewardShop(client.api, keys[each])
        self.settler = RedemptionSettler(api=client.api, house=self._house, broadcasters=here)
        self.settler.start()

    def _serve_chat(self, client: WebsocketBot | ConduitBot, chat: Chat, key: Key | None) -> None:
        """Let viewers bet and results be announced, as far as the keys of broadcaster and bot allow it."""
        announces = ANNOUNCE in bot_of(self._ring).scopes
        predicts = key is not None and PREDICT in key.scopes
        chat.channel.manner = replace(chat.channel.manner, predicts=predicts, announces=announces)
        chat.retry_keys()
        former = self.predictions.pop(chat.channel.id, None)
        if former is not None:
            former.stop()
        if predicts:
            refused = partial(self._note_refusal, PREDICTIONS)
            made = ChannelPredictions(api=client.api, house=self._house, chat=chat, refused=refused)
            self.predictions[chat.channel.id] = made
            made.start()

    async def _note_refusal(self, what: str, chat: Chat, reason: str) -> None:
        """Remember for `chatbot doctor` why Twitch refuses something in a chat; "" where it does not."""
        refused = RefusedChats(self._ring.path, what)
        await asyncio.to_thread(refused.note, chat.broadcaster, chat.login, reason)

    def _count(self, channels: int) -> None:
        """Tell the operator where there are more channels than sockets can hear."""
        if channels > MOST and not self._conduit:
            log.warning(too_many(channels))
            self._tell(f"Twitch: {too_many(channels)}")

    def _ended_by_twitch(self, slot: Slot) -> None:
        if self.watchdog is not None:
            self.watchdog.mend([slot])

    def _regain(self, broadcaster: str) -> None:
        """Look whether a stream is on of which Twitch did not tell for a while, together with others."""
        if not self._missed:
            self._house.watch.ring(RELOOK, self._look_again)
        self._missed.add(broadcaster)

    async def _look_again(self) -> None:
        chats = [chat for chat in self.chats.values() if chat.broadcaster in self._missed]
        self._missed.clear()
        if self._client is not None:
            await look(self._client, self._house, chats)

    async def _leave(self, client: WebsocketBot | ConduitBot) -> None:
        self._leaving, self.ready = True, False
        self._sender.disconnect()
        self._present.clear()
        self._client = None
        if self._keys_alarm is not None:
            self._keys_alarm.cancel()
        if self.watchdog is not None:
            self.watchdog.stop()
        for poll in self._polls:
            poll.stop()
        if self.settler is not None:
            self.settler.stop()
        if self._key_changes is not None:
            await self._key_changes.stop()
            self._key_changes = None
        for channel in self.chats:
            self._house.shops.pop(channel, None)
        for each in self.predictions.values():
            each.stop()
        await self._queues.stop()
        await client.close()

    def _refuse(self, account: str | None, failure: Failure) -> None:
        """Without the bot's key nothing goes on; without a broadcaster's, its chat does."""
        if account is not None:
            self._refused[account] = self._written_token(account)
        if account in {None, self._bot}:
            self._failure = failure
            self._ended.set()
        else:
            log.error(str(failure))
            self._relook()

    def _written_token(self, account: str) -> str:
        """Give an account's token that is on the disk; "" where none can be read."""
        try:
            key = self._ring.get(account)
        except KeyFileFailure:
            return ""
        return "" if key is None else key.access

    def _relook(self) -> None:
        """Look in `RELOOK` seconds whether a broadcaster's refused key has been replaced."""
        if self._keys_alarm is not None:
            self._keys_alarm.cancel()
        self._keys_alarm = self._house.watch.ring(RELOOK, self._take_up)

    async def _take_up(self) -> None:
        """Use the new keys of broadcasters whose former ones were refused."""
        with suppress(Failure):  # of the file, of which `KeyChanges` tells; it is looked at again
            self._take_up_from(await asyncio.to_thread(self._ring.load))
        if self._refused and not self._leaving:
            self._relook()

    def _take_up_from(self, written: Sequence[Key]) -> None:
        keys = {key.user_id: key for key in written}
        for account, refused in list(self._refused.items()):
            key = keys.get(account)
            if key is None or key.access == refused or self._client is None or self.watchdog is None:
                continue
            self._adopt(key, self._client, self.watchdog)

    async def _connected(self, key: Key) -> None:
        """Use the key of an account that was connected, and be in its chat from now on.

        Raises:
            SQLAlchemyError, OSError: its room cannot be opened now.
        """
        client, watchdog = self._client, self.watchdog
        if client is None or watchdog is None:
            return
        if "bot" in key.purposes and key.user_id != self._bot:
            self._tell(f"Twitch: {key.login} is the bot from now on.")
            self._ended.set()
            return
        joins = "broadcaster" in key.purposes and channel_of(key.user_id) not in self.chats
        if joins and not self._logins:
            await self._join(client, key)
        client.api.adopt(key)
        if await valid(client.api, key):
            self._adopt(key, client, watchdog)
        elif joins and not self._logins:  # its chat needs only the bot's key
            alone = wishes(bot_of(self._ring), {}, [key.user_id], conduit=self._conduit)
            watchdog.allow(key.user_id, key.login, alone)

    async def _join(self, client: WebsocketBot | ConduitBot, key: Key) -> None:
        """Open the room of a channel, before anything is heard of it."""
        channel = channel_of(key.user_id)
        try:
            await enter(self._house, self, {key.user_id: key.login}, self._bot, self.chats)
        except BaseException:
            if not self._house.has(channel):
                self.chats.pop(channel, None)
            raise
        chat = self.chats[channel]
        chat.muted = key.user_id in await asyncio.to_thread(self._muted.load)
        chat.unheard = key.user_id in await asyncio.to_thread(self._unheard.load)
        self._queues.serve(channel)
        await look(client, self._house, [chat])
        self._count(len(self.chats))
        self._tell(f"Twitch: the bot plays in {key.login} from now on.")

    def _adopt(self, key: Key, client: WebsocketBot | ConduitBot, watchdog: Watchdog) -> None:
        """Use a key from now on, and ask for what it allows of its own channel."""
        client.api.adopt(key)
        chat = self.chats.get(channel_of(key.user_id))
        streams = "broadcaster" in key.purposes and chat is not None
        if streams or key.user_id == self._bot:
            watchdog.allow(key.user_id, key.login, self._wishes(key))
        if streams:
            if self.settler is not None:
                self.settler.serve(key.user_id, allowed=POINTS in key.scopes)
            self._house.shops.pop(channel_of(key.user_id), None)
            if POINTS in key.scopes:
                self._house.shops[channel_of(key.user_id)] = RewardShop(client.api, key)
        keys = {each.user_id: each for each in self._ring.broadcasters} | {key.user_id: key}
        for each in self.chats.values() if key.user_id == self._bot else [chat] if chat is not None else []:
            self._serve_chat(client, each, keys.get(each.broadcaster))
        if self._refused.get(key.user_id) != key.access:
            self._refused.pop(key.user_id, None)
        log.info("a new key was taken up", account=key.login)

    def _wishes(self, key: Key) -> list[WantedSubscription]:
        """List what to subscribe to with the key of a broadcaster; the bot's own hears all chats, too."""
        channels = [key.user_id]
        keys = {key.user_id: key}
        if key.user_id == self._bot:
            channels = [each.broadcaster for each in self.chats.values()]
            keys |= {each.user_id: each for each in self._ring.broadcasters}
        return wishes(bot_of(self._ring), keys, channels, conduit=self._conduit)

    # Speaking

    async def _say(self, delivery: Delivery) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._present.wait()
        chat, sender, text = self.chats.get(delivery.channel), self._sender, twitch_line(delivery.text)
        if chat is None or not sender.connected:
            log.warning("a line was lost, for Twitch is not connected", channel=delivery.channel)
        elif delivery.to is None:
            chat.settle(self._house.watch.now())
            if not await self._announce(chat, sender, delivery, text):
                await sender.speak(chat, text, patient=any(_is_end(say) for say in delivery.says))
        elif chat.muted and any(say.message.id == MUTED for say in delivery.says):
            await self._explain(chat, sender, delivery.to, text)
        elif not await sender.whisper(delivery.to.key, text):
            self._decline(chat, delivery.to, barred=sender.knows(delivery.to.key))

    async def _announce(self, chat: Chat, sender: ChatSender, delivery: Delivery, text: str) -> bool:
        """Announce how a table came out, where the room wants it and the bot may."""
        colour = self._house.rooms.at(chat.channel.id).habits.announcements
        ends = any(say.ends for say in delivery.says)
        if not ends or chat.muted or not chat.channel.manner.announces or colour is Announcements.OFF:
            return False
        return await sender.announce(chat, text, COLOURS[colour])

    async def _mute(self, chat: Chat, reason: str) -> None:
        """Take no stakes where the bot cannot speak, also after a restart, until it can again."""
        if bool(reason) != chat.muted or reason:
            news, chat.muted = bool(reason) and not chat.muted, bool(reason)
            await asyncio.to_thread(self._muted.note, chat.broadcaster, chat.login, reason)
            if news:
                await self._tell_openers(chat)

    async def _tell_openers(self, chat: Chat) -> None:
        """Whisper to who has opened the tables of a chat that nobody reads there how they go on."""
        sender, room = self._sender, self._house.rooms.at(chat.channel.id)
        openers = {next(iter(table.players()), None) for table in room.tables.values() if not table.over}
        for seat in openers - {None}:
            account = None if seat is None else self._house.people.known_as(seat, PLATFORM)
            now = self._house.watch.now()
            if account is None or now < chat.warned.get(account.key, -WARNED) + WARNED:
                continue
            remember(chat.warned, account.key, now, WHISPERERS)
            text = self._house.outbox.text(Message("twitch-muted-table"), room=room)
            await sender.whisper(account.key, twitch_line(text), first=True)

    def _bar(self, broadcaster: str, reason: str) -> None:
        """Take nothing that is bought in a chat which Twitch refuses to tell of, and remember it."""
        chat = self.chats.get(channel_of(broadcaster))
        if chat is None or bool(reason) == chat.unheard:
            return
        chat.unheard = bool(reason)
        self._go(asyncio.to_thread(self._unheard.note, broadcaster, chat.login, reason))
        if reason:
            self._tell(f"Twitch: the chat of {chat.login} is not heard: {reason}.")

    async def _explain(self, chat: Chat, sender: ChatSender, account: Account, text: str) -> None:
        """Say why no stake was taken: in the chat if that goes again, and else in a whisper."""
        now = self._house.watch.now()
        if chat.news("the bot could not speak", now, PROBE) and await sender.speak(chat, text):
            return
        if now >= chat.warned.get(account.key, -WARNED) + WARNED:
            remember(chat.warned, account.key, now, WHISPERERS)
            await sender.whisper(account.key, text, first=True)

    def _go(self, speaking: Coroutine[object, None, object]) -> asyncio.Task[object]:
        task = asyncio.create_task(speaking)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return task

    def _answer(self, user: str, playing: bool) -> None:
        """Remember a whisperer, and tell who plays nowhere what to do.

        A conduit brings whispers before the bot can speak: then the next one is answered.
        """
        if not self._sender.connected:
            return
        first = self._sender.heard(user)
        if first and not playing:  # two programs that answer every whisper would never end
            self._go(self._sender.whisper(user, self._house.outbox.text(Message("twitch-nowhere"))))

    def _decline(self, chat: Chat, account: Account, *, barred: bool) -> None:
        """Tell somebody in the chat why they get no whisper; what was to be whispered stays untold."""
        why = "twitch-whisper-barred" if barred else "twitch-whisper-first"
        room = self._house.rooms.at(chat.channel.id)
        seat = self._house.members.seat(account)
        self._house.outbox.say(room, [Say(Message(why), to=seat, event="Refusal")])


def _is_end(say: Say) -> bool:
    """Whether a line tells how a table came out, or that it was called off: that holds later too."""
    return say.ends or (say.event == "Voided" and say.game is not None)
