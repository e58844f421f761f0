"""What is written in Discord: each message is a line for the house, and is answered by replies to it.

A line waits for its turn in the lane of its channel, without the library's objects and task for its message.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from chatbot.kernel.say import Message
from chatbot.rooms.channel import Delivery
from chatbot.rooms.line import SIGN, Line
from chatbot.runtime.lane import Lane, Load
from chatbot.runtime.shielded import ShieldedWork
from cogs.discord.answers import Heard
from cogs.discord.lines import account_of, channel_of, community_of, home, spoken

if TYPE_CHECKING:
    from chatbot.ledger.people import Account
    from cogs.discord.adapter import DiscordAdapter
    from cogs.discord.answers import Answers
    from cogs.discord.errors import Complaints, Requests
    from cogs.discord.rights import WritingRights


@dataclass(frozen=True, slots=True)
class _Written:
    """A line of a server, and what is needed to answer it; `heard` is None for talk."""

    line: Line
    guild: int
    heard: Heard | None
    at: float  # when it came, by the clock of the loop


class MessageCog(commands.Cog):
    """Brings messages to the house in the order in which Discord has told them.

    The library starts a task for each, in that order, and none waits for anything before its line is with the
    house or in the lane of its channel. A task that serves a lane ends when nothing waits there any more.
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
        self._client, self._adapter, self._house = client, adapter, adapter.house
        self._answers, self._requests, self._rights = answers, requests, rights
        self._complaints = complaints
        self._lanes: dict[str, Lane[_Written]] = {}  # by channel
        self._served: set[str] = set()  # channels where something waits
        self._load, self._serving = Load(), ShieldedWork()

    async def cog_load(self) -> None:
        """Take the place of the library's parser, which would have a second task for each message."""
        self._client.event(self.on_message)

    def clear(self) -> dict[str, int]:
        """Give up all that waits; return how many commands of each channel those are."""
        return {
            channel: sum(not _is_talk(each) for each in lane.clear()) for channel, lane in self._lanes.items()
        }

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
        line = replace(spoken(message, channel, self._me), came=self._house.watch.now())
        if not self._house.has(channel) and not self._known(line.text):
            return  # a room costs something: it is opened for its first command
        barred = self._rights.of_message(message.channel) if line.text.startswith(SIGN) else None
        line = line if barred is None else replace(line, barred=barred)
        heard = None
        if line.text.startswith(SIGN):
            silent = barred is not None and self._rights.silent(message.channel)
            heard = self._answers.hear(message, channel, barred=silent)
        await self._pass_on(_Written(line, guild.id, heard, asyncio.get_running_loop().time()))

    async def _pass_on(self, written: _Written) -> None:
        """Bring a line to the bot, at once if nothing waits: else buttons and slash commands pass it."""
        channel = written.line.channel
        lane = self._lanes.setdefault(channel, Lane(channel, _is_talk, self._load))
        if channel not in self._served and lane.free and self._house.has(channel):
            # Without a task: with one, a slash command that comes right after the message would be heard
            # before it.
            with lane.passing():
                await self._bring(written)
            return
        lane.put(written)
        if channel not in self._served:
            self._served.add(channel)
            self._serving.start(self._serve(lane))

    async def _serve(self, lane: Lane[_Written]) -> None:
        """Bring what waits to the house, until nothing does; no line waits for the one before it."""
        while lane.waiting:
            written = await lane.take()
            line = written.line
            if await self._adapter.open(line.channel, community_of(written.guild), written.at):
                await lane.hand_over(self._bring(written))
            else:
                await self._turn_away(line)
            lane.report(self._house.watch)
        self._served.discard(lane.channel)

    async def _bring(self, written: _Written) -> None:
        try:
            if written.heard is None:
                await self._house.converse(written.line)
            else:
                await self._answer(written.line, written.heard)
        except Exception as error:  # noqa: BLE001  (a line that fails must not stop those behind it)
            self._complaints.tell(written.line.channel, "a message could not be heard", error)

    async def _turn_away(self, line: Line) -> None:
        """Refuse a line whose room cannot be opened now."""
        self._house.members.meet(self._house.members.seat(line.account), line.name)
        refusal = Delivery(line.channel, self._house.outbox.text(Message("try-again")), line.account, ())
        await self._requests.run(self._answers.bring(refusal))

    async def _hear_alone(self, message: discord.Message) -> None:
        channel = self._house.whereabouts(account_of(message.author.id))
        line = spoken(message, channel or "", self._me)
        if not line.text.startswith(SIGN):
            return
        if channel is None or self._adapter.room(channel) is None:
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
            self._house.command_index.bot_command(word) is not None
            or self._house.command_index.command(word) is not None
        )


def _is_talk(written: _Written) -> bool:
    return written.heard is None
