"""What the bot says once to a server that has invited it: what it can do, and a button that begins."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord
from discord.ext import commands
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Credits, Message
from chatbot.settings.community import TERMS
from chatbot.speech.words import Words
from cogs.discord import buttons
from cogs.discord.errors import PASSING
from cogs.discord.lines import channel_of
from cogs.discord.translation import language_for

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from cogs.discord.errors import Complaints


class GreetingCog(commands.Cog):
    """Greets a server once, also if the bot is thrown out and invited again."""

    def __init__(self, *, bot: Bot, complaints: Complaints) -> None:
        self._bot, self._complaints = bot, complaints
        self._greeting = asyncio.Lock()

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Hear that the bot was invited; servers that it is in when it connects are no news."""
        channel = writable(guild)
        if channel is None:
            return
        place = f"discord-greeting:{guild.id}"
        try:
            async with self._greeting:
                if await self._bot.parts.greetings.done(place):
                    return
                await self._bot.parts.greetings.note(place)  # before it is sent: rather never than twice
        except (SQLAlchemyError, OSError) as error:
            self._complaints.tell(channel_of(channel.id), "a greeting could not be noted", error)
            return
        await self._greet(channel, language_for(guild.preferred_locale.value))

    async def _greet(self, channel: discord.TextChannel, language: str | None) -> None:
        words = Words(language) if language is not None else self._bot.outbox.words
        kit = next((each for each in self._bot.kits.values() if each.featured), None)
        kit = kit or next(iter(self._bot.kits.values()))
        start = Credits(TERMS.unset.value.start)
        welcome = Message("discord-welcome", {"word": kit.word, "start": start})
        text = "\n\n".join(words.text(each, str) for each in (welcome, Message("discord-welcome-moderators")))
        view = buttons.opener(self._bot, kit, "discord-start", words=words)
        try:
            await channel.send(text, view=view if view is not None else discord.utils.MISSING)
        except PASSING as error:
            self._complaints.tell(channel_of(channel.id), "a server could not be greeted", error)


def writable(guild: discord.Guild) -> discord.TextChannel | None:
    """Find where to greet: the channel for system messages, or else the first one where the bot may write."""
    channels = [guild.system_channel, *guild.text_channels]
    return next((each for each in channels if each is not None and _may_write(each)), None)


def _may_write(channel: discord.TextChannel) -> bool:
    permissions = channel.permissions_for(channel.guild.me)
    return permissions.view_channel and permissions.send_messages
