"""What is written in Discord: each message is a line for the house, and is answered by replies to it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from chatbot.kernel.say import Message
from chatbot.rooms.room import SIGN, Delivery
from cogs.discord.lines import account_of, channel_of, community_of, home, spoken

if TYPE_CHECKING:
    from chatbot.ledger.people import Account
    from chatbot.rooms.room import Line
    from cogs.discord.answers import Answers, Heard
    from cogs.discord.door import DiscordDoor
    from cogs.discord.errors import Requests
    from cogs.discord.rights import WritingRights


class MessageCog(commands.Cog):
    """Brings messages to the house in the order in which Discord has told them.

    The library starts a task for each, in that order, and a task waits for nothing before its line is with
    the house but for its room to be opened, for which all of them wait in order.
    """

    def __init__(
        self,
        *,
        client: discord.Client,
        door: DiscordDoor,
        answers: Answers,
        requests: Requests,
        rights: WritingRights,
    ) -> None:
        self._client, self._door, self._house = client, door, door.house
        self._answers, self._requests, self._rights = answers, requests, rights

    async def cog_load(self) -> None:
        """Take the place of the library's parser, which would have a second task for each message."""
        self._client.event(self.on_message)

    async def on_message(self, message: discord.Message) -> None:
        """Hear a message, as the library tells of it."""
        await self.hear(message)

    async def hear(self, message: discord.Message) -> None:
        """Take in what somebody wrote; bots, webhooks and what Discord itself writes are nobody."""
        written = message.type in {discord.MessageType.default, discord.MessageType.reply}
        if message.author.bot or message.webhook_id is not None or not written:
            return
        if message.guild is None and message.channel.type is discord.ChannelType.private:
            await self._hear_alone(message)
        elif message.guild is not None:
            await self._hear(message, message.guild)

    @property
    def _me(self) -> int:
        return self._client.user.id if self._client.user else 0

    async def _hear(self, message: discord.Message, guild: discord.Guild) -> None:
        channel = channel_of(home(self._client, message.channel, message.channel.id))
        line = spoken(message, channel, self._me)
        if not self._house.has(channel) and not self._known(line.text):
            return  # a room costs something: it is opened for its first command
        barred = self._rights.of_message(message.channel) if line.text.startswith(SIGN) else None
        line = line if barred is None else replace(line, barred=barred)
        heard = None
        if line.text.startswith(SIGN):
            silent = barred is not None and self._rights.silent(message.channel)
            heard = self._answers.hear(message, channel, barred=silent)
        if await self._door.open(channel, community_of(guild.id)):
            await (self._house.converse(line) if heard is None else self._answer(line, heard))
        else:
            self._house.members.meet(self._house.members.seat(line.account), line.name)
            refusal = Delivery(channel, self._house.outbox.text(Message("try-again")), line.account, ())
            await self._requests.run(self._answers.bring(refusal))

    async def _hear_alone(self, message: discord.Message) -> None:
        channel = self._house.whereabouts(account_of(message.author.id))
        line = spoken(message, channel or "", self._me)
        if not line.text.startswith(SIGN):
            return
        if channel is None or self._door.room(channel) is None:
            text = self._house.outbox.text(Message("discord-nowhere"))
            await self._requests.run(self._answers.write(line.account, text))
            return
        await self._answer(line, self._answers.hear(message, channel))

    async def _answer(self, line: Line, heard: Heard) -> None:
        """Answer a message by what the house says to it, and what it says later."""
        told = heard.alone or heard.barred  # by a message to them alone, whatever it is
        shows = None if told else partial(self._answers.shows, line.channel)
        replies = await self._house.hear(line, lambda later: self._reply(heard, later, line.account), shows)
        for delivery in replies.deliveries:
            if (reply := self._reply(heard, delivery, line.account)) is not None:
                await asyncio.wait([reply])

    def _reply(self, heard: Heard, delivery: Delivery, author: Account) -> asyncio.Task[object] | None:
        """Begin to answer somebody; what everybody reads goes with all else that is said there."""
        if heard.barred and delivery.to is None:
            return self._requests.start(self._answers.tell_barred(author, delivery.text))
        if delivery.to is not None:
            return self._requests.start(self._answers.reply(heard, delivery, delivery.to))
        if heard.place != delivery.channel and all(each.table is None for each in delivery.says):
            return self._requests.start(self._answers.say_at(heard.place, delivery))
        self._house.pass_on(delivery)
        return None

    def _known(self, text: str) -> bool:
        """Whether a line is a command that somebody answers."""
        if not text.startswith(SIGN):
            return False
        word, _ = self._house.command_index.split(text.removeprefix(SIGN))
        return (
            self._house.command_index.service(word) is not None
            or self._house.command_index.command(word) is not None
        )
