"""Decides by which way a line of the bot reaches its reader: said, announced, or whispered.

Who was warned is known to the process that hears the chat: another one may warn once more.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.say import Message, Say
from chatbot.runtime.limits import remember
from chatbot.settings.room import Announcements
from chatbot.speech.safe import twitch_line
from cogs.twitch.connection import SendPolicy
from cogs.twitch.lines import PLATFORM
from cogs.twitch.muted import ANNOUNCEMENTS, MutedChats, RefusedChats
from cogs.twitch.redemptions import MUTED
from cogs.twitch.sender import WHISPERERS, ChatSender

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Mapping
    from pathlib import Path

    from chatbot.bot.bot import Bot
    from chatbot.ledger.people import Account
    from chatbot.rooms.channel import Delivery
    from cogs.platform import Reported
    from cogs.twitch.channels import Chat
    from cogs.twitch.sender import AnnouncementColour, Pause

PATIENCE = 30.0  # seconds that a line waits for a connection that was lost
PROBE = 10.0  # seconds between two tries to speak in a chat where the bot could not
WARNED = 3600.0  # seconds in which somebody is whispered to once about such a chat
COLOURS: Mapping[Announcements, AnnouncementColour] = {
    Announcements.PRIMARY: "primary",
    Announcements.BLUE: "blue",
    Announcements.GREEN: "green",
    Announcements.ORANGE: "orange",
    Announcements.PURPLE: "purple",
}

log = structlog.get_logger(__name__)


class DeliveryRouter:
    """Routes lines while connections come and go; `set_policy` tells it what becomes of them.

    Where the bot cannot speak in a chat, it notes that for `chatbot doctor`, and whispers what must be known.
    """

    def __init__(
        self,
        *,
        bot: Bot,
        chats: Mapping[str, Chat],
        keys: Path,
        pause: Pause,
        reported: Reported = lambda *_: None,
    ) -> None:
        """`keys` is the file of keys, beside which is noted what Twitch refuses."""
        self._bot, self._chats = bot, chats
        self._muted, self._unannounced = MutedChats(keys), RefusedChats(keys, ANNOUNCEMENTS)
        self._policy = SendPolicy.WAIT
        self._decided = asyncio.Event()  # set unless lines wait
        self._sending: set[asyncio.Task[object]] = set()
        self.sender = ChatSender(
            watch=bot.watch,
            pause=pause,
            record_mute=self._note_muted,
            record_refusal=self._unannounced.record,
            reported=reported,
        )

    def set_policy(self, policy: SendPolicy) -> None:
        """Do so with lines from now on, those that wait already included."""
        self._policy = policy
        if policy is SendPolicy.WAIT:
            self._decided.clear()
        else:
            self._decided.set()

    async def load(self, chats: Collection[Chat]) -> None:
        """Recall in which of these chats the bot could not speak before it was started again."""
        muted = await asyncio.to_thread(self._muted.load)
        for chat in chats:
            if chat.broadcaster in muted:
                chat.muted = True

    async def send(self, delivery: Delivery) -> None:
        """Say something, and see to it until Twitch has it or will not have it.

        It is a task of its own, so that `cancel` ends it without cancelling whoever waits for it here.
        """
        task = self._go(self._say(delivery))
        await asyncio.wait({task})
        if task.cancelled():
            log.warning("a line was lost, for the bot is stopping", channel=delivery.channel)
        else:
            task.result()

    def cancel(self) -> None:
        """Give up what is on its way to Twitch; what waits for a connection goes on waiting."""
        if self._policy is SendPolicy.SEND:
            for task in self._sending:
                task.cancel()

    def answer(self, user: str, playing: bool) -> None:
        """Remember a whisperer, and tell who plays nowhere what to do.

        A conduit brings whispers before the bot can speak: then the next one is answered.
        """
        if self._policy is not SendPolicy.SEND:
            return
        first = self.sender.note_whisper(user)
        if first and not playing:  # two programs that answer every whisper would never end
            self._go(self.sender.whisper(user, self._bot.outbox.text(Message("twitch-nowhere"))))

    def _go(self, speaking: Coroutine[object, None, object]) -> asyncio.Task[object]:
        task = asyncio.create_task(speaking)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return task

    async def _say(self, delivery: Delivery) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._decided.wait()
        chat, text = self._chats.get(delivery.channel), twitch_line(delivery.text)
        if chat is None or self._policy is not SendPolicy.SEND:
            log.warning("a line was lost, for Twitch is not connected", channel=delivery.channel)
        elif delivery.to is None:
            chat.settle(self._bot.watch.now())
            if not await self._announce(chat, delivery, text):
                await self.sender.speak(chat, text, patient=any(_is_end(say) for say in delivery.says))
        elif chat.muted and any(say.message.id == MUTED for say in delivery.says):
            await self._explain(chat, delivery.to, text)
        elif not await self.sender.whisper(delivery.to.key, text):
            self._decline(chat, delivery.to, barred=self.sender.knows(delivery.to.key))

    async def _announce(self, chat: Chat, delivery: Delivery, text: str) -> bool:
        """Announce how a table came out, where the room wants it and the bot may."""
        colour = self._bot.rooms.at(chat.channel.id).habits.announcements
        ends = any(say.ends for say in delivery.says)
        if not ends or chat.muted or not chat.channel.manner.announces or colour is Announcements.OFF:
            return False
        return await self.sender.announce(chat, text, COLOURS[colour])

    async def _explain(self, chat: Chat, account: Account, text: str) -> None:
        """Say why no stake was taken: in the chat if that goes again, and else in a whisper.

        The chat is tried first, for nothing else finds out that the bot may speak again: it says nothing
        where it is muted, as no stake is taken there.
        """
        now = self._bot.watch.now()
        if chat.news("the bot could not speak", now, PROBE) and await self.sender.speak(chat, text):
            return
        await self._warn(chat, account, text, now)

    def _decline(self, chat: Chat, account: Account, *, barred: bool) -> None:
        """Tell somebody in the chat why they get no whisper; what was to be whispered stays untold."""
        why = "twitch-whisper-barred" if barred else "twitch-whisper-first"
        room = self._bot.rooms.at(chat.channel.id)
        seat = self._bot.members.seat(account)
        self._bot.outbox.say(room, [Say(Message(why), to=seat, event="Refusal")])

    async def _note_muted(self, chat: Chat, reason: str) -> None:
        """Take no stakes where the bot cannot speak, also after a restart, until it can again."""
        if bool(reason) != chat.muted or reason:
            news, chat.muted = bool(reason) and not chat.muted, bool(reason)
            await self._muted.record(chat, reason)
            if news:
                await self._tell_openers(chat)

    async def _tell_openers(self, chat: Chat) -> None:
        """Whisper to who has opened the tables of a chat that nobody reads there how they go on."""
        room = self._bot.rooms.at(chat.channel.id)
        openers = {next(iter(table.players()), None) for table in room.tables.values() if not table.over}
        for seat in openers - {None}:
            account = None if seat is None else self._bot.people.known_as(seat, PLATFORM)
            if account is not None:
                text = self._bot.outbox.text(Message("twitch-muted-table"), room=room)
                await self._warn(chat, account, twitch_line(text), self._bot.watch.now())

    async def _warn(self, chat: Chat, account: Account, text: str, now: float) -> None:
        """Whisper to somebody about a chat where the bot cannot speak, once in a while.

        They may never have whispered to the bot: Twitch lets it write first to few people a day.
        """
        if now >= chat.warned.get(account.key, -WARNED) + WARNED:
            remember(chat.warned, account.key, now, WHISPERERS)  # before it is sent: else two could be
            await self.sender.whisper(account.key, text, first=True)


def _is_end(say: Say) -> bool:
    """Whether a line tells how a table came out, or that it was called off: that holds later too."""
    return say.ends or (say.event == "Voided" and say.game is not None)
