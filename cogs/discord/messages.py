"""What is written in Discord: each message is a line for the bot, and is answered by replies to it.

A line waits for its turn in the queue of its room, without the library's objects and task for its message.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from chatbot.kernel.say import Message
from chatbot.rooms.channel import Delivery
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.line import SIGN, Line
from chatbot.runtime.shielded import ShieldedWork
from cogs.discord.lines import account_of, channel_of, community_of, home, message_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.ledger.people import Account
    from cogs.discord.adapter import DiscordAdapter
    from cogs.discord.answers import Answers, Incoming
    from cogs.discord.errors import Complaints, Requests
    from cogs.discord.rights import WritingRights


class MessageCog(commands.Cog):
    """Brings messages to the bot in the order in which Discord has told them.

    The library starts a task for each, in that order, and none waits for anything before its line is in the
    queue of its room, from where buttons and slash commands that come later do not pass it.
    """

    def __init__(
        self,
        *,
        client: discord.Client,
        adapter: DiscordAdapter,
        answers: Answers,
        requests: Requests,
        complaints: Complaints,
        rights: WritingRights,
    ) -> None:
        self._client, self._adapter, self._bot = client, adapter, adapter.bot
        self._answers, self._requests, self._rights = answers, requests, rights
        self._complaints = complaints
        self._opening: set[str] = set()  # channels whose rooms are being opened
        self._work = ShieldedWork()

    async def cog_load(self) -> None:
        """Take the place of the library's parser, which would have a second task for each message."""
        self._client.event(self.on_message)

    async def on_message(self, message: discord.Message) -> None:
        """Hear a message, as the library tells of it."""
        await self.hear(message)

    async def hear(self, message: discord.Message) -> None:
        """Take in what somebody wrote; bots, webhooks and what Discord itself writes are nobody."""
        ordinary = message.type in {discord.MessageType.default, discord.MessageType.reply}
        if message.author.bot or message.webhook_id is not None or not ordinary:
            return
        if message.guild is None and message.channel.type is discord.ChannelType.private:
            await self._hear_alone(message)
        elif message.guild is not None:
            self._hear(message, message.guild)

    @property
    def _me(self) -> int:
        return self._client.user.id if self._client.user else 0

    def _hear(self, message: discord.Message, guild: discord.Guild) -> None:
        channel = channel_of(home(self._client, message.channel, message.channel.id))
        line = message_line(message, channel, self._me)
        if not self._bot.has(channel):
            if not self._is_command(line.text):
                return  # a room costs something: it is opened for its first command
            self._open(channel, guild.id)
        if not line.text.startswith(SIGN):
            self._bot.post(line)
            return
        barred = self._rights.of_message(message.channel)
        line = line if barred is None else replace(line, barred=barred)
        silent = barred is not None and self._rights.silent(message.channel)
        self._post(line, self._answers.hear(message, channel, barred=silent))

    def _open(self, channel: str, guild: int) -> None:
        """Begin to open a room; until it is open, the bot keeps the lines of its channel."""
        if channel not in self._opening:
            self._opening.add(channel)
            self._work.start(self._open_room(channel, guild))

    async def _open_room(self, channel: str, guild: int) -> None:
        opened = await self._adapter.open(channel, community_of(guild))
        self._opening.discard(channel)
        for line in [] if opened else self._bot.abandon(channel):
            await self._turn_away(line)

    async def _turn_away(self, line: Line) -> None:
        """Refuse a line whose room cannot be opened now."""
        self._bot.members.meet(self._bot.members.seat(line.account), line.name)
        refusal = Delivery(line.channel, self._bot.outbox.text(Message("try-again")), line.account, ())
        await self._requests.run(self._answers.bring(refusal))

    async def _hear_alone(self, message: discord.Message) -> None:
        channel = await self._bot.whereabouts(account_of(message.author.id))
        line = message_line(message, channel or "", self._me)
        if not line.text.startswith(SIGN):
            return
        if channel is None or not self._bot.rooms.has(channel):
            text = self._bot.outbox.text(Message("discord-nowhere"))
            await self._requests.run(self._answers.write(line.account, text))
            return
        self._post(line, self._answers.hear(message, channel))

    def _post(self, line: Line, incoming: Incoming) -> None:
        """Answer a message by what the bot says to it, and what it says later."""
        alone = incoming.alone or incoming.barred  # by a message to them alone, whatever it is
        shows = None if alone else partial(self._answers.shows, line.channel)
        reply = partial(self._reply, incoming, line.account)
        on_end = partial(self._reply_all, line.channel, reply)
        self._bot.post(line, Exchange(reply, shows=shows, on_end=on_end))

    def _reply_all(
        self, channel: str, reply: Callable[[Delivery], asyncio.Task[object] | None], exchange: Exchange
    ) -> None:
        """Bring the replies to a line, one after the other."""
        if exchange.error is not None:
            self._complaints.tell(channel, "a message could not be heard", exchange.error)
        deliveries = exchange.close().deliveries
        if len(deliveries) == 1:
            reply(deliveries[0])
        elif deliveries:
            self._work.start(self._reply_in_turn(reply, deliveries))

    async def _reply_in_turn(
        self, reply: Callable[[Delivery], asyncio.Task[object] | None], deliveries: Sequence[Delivery]
    ) -> None:
        for each in deliveries:
            if (replying := reply(each)) is not None:
                await asyncio.wait([replying])

    def _reply(self, incoming: Incoming, author: Account, delivery: Delivery) -> asyncio.Task[object] | None:
        """Begin to answer somebody; what everybody reads goes with all else that is said there."""
        if incoming.barred and delivery.to is None:
            return self._requests.start(self._answers.tell_barred(author, delivery.text))
        if delivery.to is not None:
            return self._requests.start(self._answers.reply(incoming, delivery, delivery.to))
        if incoming.place != delivery.channel and all(each.table is None for each in delivery.says):
            return self._requests.start(self._answers.say_at(incoming.place, delivery))
        self._bot.pass_on(delivery)
        return None

    def _is_command(self, text: str) -> bool:
        """Whether a line is a command that somebody answers."""
        if not text.startswith(SIGN):
            return False
        word, _ = self._bot.command_index.split(text.removeprefix(SIGN))
        return (
            self._bot.command_index.bot_command(word) is not None
            or self._bot.command_index.command(word) is not None
        )
