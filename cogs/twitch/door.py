"""The door to Twitch: what is said and happens there reaches the house, and its answers reach Twitch."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.kernel.say import Message, Say
from chatbot.keys.asking import Unreachable
from chatbot.speech.safe import twitch_line
from cogs.twitch.bot import ConduitBot, WebsocketBot
from cogs.twitch.channels import MANNER, ChatterPoll, bot_of, enter, find, look, sign_in
from cogs.twitch.components import (
    ChatComponent,
    RevocationComponent,
    RoomQueues,
    StreamComponent,
    SupportComponent,
    WhisperComponent,
)
from cogs.twitch.sender import ChatSender
from cogs.twitch.subscriptions import Watchdog, wishes

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from twitchio.ext import commands

    from chatbot.bot.house import House
    from chatbot.keys.ring import KeyRing
    from chatbot.ledger.people import Account
    from chatbot.rooms.room import Delivery
    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.channels import Chat
    from cogs.twitch.sender import Pause

LEAVING = 3.0  # seconds
PATIENCE = 30.0  # seconds that a line waits for a connection that was lost

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
        self._logins, self._conduit, self._pause, self._tell = tuple(channels), conduit, pause, tell
        self.chats: dict[str, Chat] = {}  # by channel
        self.watchdog: Watchdog | None = None
        self._poll: ChatterPoll | None = None
        self.ready = False  # everything was asked for
        self._queues = RoomQueues(house)
        self._bot = ""
        self._sender: ChatSender | None = None
        self._present = asyncio.Event()  # there is a sender, or there will be none
        self._failure: Failure | None = None
        self._ended = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[object]] = set()
        self._stopped = self._leaving = False

    @property
    def connected(self) -> bool:
        return self.ready

    async def run(self) -> None:
        """Serve until stopped or cancelled.

        Raises:
            Failure: the operator must put something right.
            Unreachable: Twitch is in trouble.
        """
        self._failure, self._stopped, self._leaving = None, False, False
        self._ended.clear()
        self._present.clear()
        self._serving = asyncio.create_task(self._serve())
        try:
            await asyncio.shield(self._serving)
        except asyncio.CancelledError:
            await self._end()
            if not self._stopped:
                raise
        except Failure as failure:
            self._failure = failure
        except HTTPException as error:
            if self._failure is None:
                raise Unreachable(str(error)) from None  # our own words: see the API
        if self._failure is not None:
            self._present.set()  # nobody is to wait for what does not come back
            raise self._failure

    async def stop(self) -> None:
        """Leave at once; a line that is on its way is lost, and logged. One that comes later waits."""
        self._stopped = True
        if self._sender is not None:
            for task in self._sending:
                task.cancel()
        await self._end()

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
        if self._serving is None:
            return
        if not self._leaving:
            self._serving.cancel()
        await asyncio.wait({self._serving}, timeout=LEAVING)
        if self._serving.done() and not self._serving.cancelled():
            self._serving.exception()  # whoever stops it is not interested in why it ended

    async def _serve(self) -> None:
        bot = bot_of(self._ring)
        self._bot = bot.user_id
        kind = ConduitBot if self._conduit else WebsocketBot
        client = kind(
            authority=self._authority, bot=self._bot, components=self._components, refused=self._refuse
        )
        try:
            await self._arrive(client)
            await self._ended.wait()
        finally:
            await self._leave(client)

    def _components(self) -> list[commands.Component]:
        """Make what hears each kind of event, for one connection."""
        return [
            ChatComponent(queues=self._queues, chats=self.chats, watch=self._house.watch, bot=self._bot),
            WhisperComponent(queues=self._queues, house=self._house, whispered=self._answer),
            StreamComponent(queues=self._queues),
            SupportComponent(queues=self._queues),
            RevocationComponent(),
        ]

    async def _arrive(self, client: WebsocketBot | ConduitBot) -> None:
        bot, keys = bot_of(self._ring), self._ring.broadcasters
        good = await sign_in(client.api, bot, keys)
        if self._failure is not None:
            return
        channels = await find(client, self._logins, keys)
        await self._log_in(client)
        await enter(self._house, self, channels, self._bot, self.chats)
        self._queues.start(self.chats)
        self._sender = ChatSender(client=client, bot=self._bot, watch=self._house.watch, pause=self._pause)
        self._present.set()
        logins = {**channels, bot.user_id: bot.login}
        self.watchdog = Watchdog(
            client=client,
            watch=self._house.watch,
            wanted=wishes(bot, good, list(channels)),
            logins=logins,
        )
        await self.watchdog.start()
        await look(client, self._house, self.chats.values())
        self._poll = ChatterPoll(client=client, bot=bot, house=self._house, chats=self.chats.values())
        self._poll.start()
        self.ready = True
        self._tell(f"Twitch is connected: {bot.login} plays in {', '.join(channels.values())}.")

    async def _log_in(self, client: WebsocketBot | ConduitBot) -> None:
        if isinstance(client, ConduitBot) and len(await client.fetch_conduits()) > 1:
            raise Failure(
                "Twitch has more than one conduit for this client id, and none can be chosen; "
                "delete them, or set CHATBOT_TWITCH_CONDUIT to false."
            )
        await client.log_in()

    async def _leave(self, client: WebsocketBot | ConduitBot) -> None:
        self._leaving, self._sender, self.ready = True, None, False
        self._present.clear()
        if self.watchdog is not None:
            self.watchdog.stop()
        if self._poll is not None:
            self._poll.stop()
        await self._queues.stop()
        await client.close()

    def _refuse(self, account: str | None, failure: Failure) -> None:
        """Without the bot's key nothing goes on; without a broadcaster's, its chat does."""
        if account in {None, self._bot}:
            self._failure = failure
            self._ended.set()
        else:
            log.error(str(failure))

    # Speaking

    async def _say(self, delivery: Delivery) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._present.wait()
        chat, sender, text = self.chats.get(delivery.channel), self._sender, twitch_line(delivery.text)
        if chat is None or sender is None:
            log.warning("a line was lost, for Twitch is not connected", channel=delivery.channel)
        elif delivery.to is None:
            chat.settle(self._house.watch.now())
            await sender.speak(chat, text)
        elif not await sender.whisper(delivery.to.key, text):
            self._decline(chat, delivery.to, barred=sender.knows(delivery.to.key))

    def _go(self, speaking: Coroutine[object, None, object]) -> asyncio.Task[object]:
        task = asyncio.create_task(speaking)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return task

    def _answer(self, user: str, playing: bool) -> None:
        """Remember a whisperer, and tell who plays nowhere what to do."""
        if self._sender is None:
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
