"""Where the bot may write in Discord: by its permissions as the library knows them, and by what was refused.

See https://discord.com/developers/docs/topics/permissions: a thread takes another permission than a channel.

What was refused is known to the process that speaks in the channel; another one is refused once by itself.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

import discord

from chatbot.kernel.say import Message
from chatbot.runtime.limits import remember
from cogs.discord.lines import channel_of, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from discord.abc import MessageableChannel

# Seconds in which nothing is staked after a refusal, unless a message is taken before: whoever stakes where
# nobody can be told of the end would lose credits unseen. Not for good: no event tells of every such change.
REFUSED = 600.0
# Seconds in which the permissions of a channel are not worked out again for each line of a crowd.
CURRENT = 1.0
# Seconds after a refusal in which no other message is tried: 10,000 refusals in ten minutes bar the address
# from all of Discord
# (https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans).
SILENT = 30.0
REMEMBERED = 10_000  # channels
NO_RIGHT = {50001, 50013}  # Discord's codes: the bot does not see the channel, or may not do this there
MESSAGE = "discord-may-not-write"


class WritingRights:
    """Knows of each channel whether the bot may write there, and if not, what it lacks.

    `note` is told of a channel by its id and name when that changes, with the permission that is missing now.
    """

    def __init__(self, note: Callable[[str, str, Message | None], None] = lambda *_: None) -> None:
        self._note = note
        self._refused: OrderedDict[str, float] = OrderedDict()  # when a message was refused, by channel
        self._quiet: OrderedDict[str, float] = OrderedDict()  # until when nothing is tried, by channel
        # What is missing, by channel, and until when that is current.
        self._current: OrderedDict[str, tuple[float, Message | None]] = OrderedDict()
        self._barred: OrderedDict[str, Message | None] = OrderedDict()  # what is missing; None: not known yet

    def note_refused(self, channel: str, error: discord.HTTPException) -> None:
        """Remember that Discord has refused a message, and whether that was for want of a permission."""
        now = asyncio.get_running_loop().time()
        self._current.pop(channel, None)
        remember(self._quiet, channel, now + SILENT, REMEMBERED)
        if error.code in NO_RIGHT:
            remember(self._refused, channel, now, REMEMBERED)

    def note_taken(self, channel: str) -> None:
        """Remember that Discord has taken a message."""
        self.forget([channel])
        self._note_change(channel, "", None)

    def forget(self, channels: Iterable[str]) -> None:
        """Try again where messages were refused, for Discord tells that permissions have changed."""
        for each in channels:
            self._current.pop(each, None)
            self._refused.pop(each, None)
            self._quiet.pop(each, None)

    def quiet(self, channel: str) -> bool:
        """Whether nothing is to be tried in a channel: many refusals bar the bot from all of Discord."""
        return asyncio.get_running_loop().time() < self._quiet.get(channel, 0.0)

    def look_again(self, client: discord.Client, barred: Iterable[str]) -> None:
        """Look at channels where the bot could not write before; one that is gone is forgotten."""
        for each in barred:
            remember(self._barred, each, None, REMEMBERED)
            channel = client.get_channel(number_of(each))
            if isinstance(channel, discord.abc.GuildChannel):
                self._note_change(each, name_of(channel), self._of_channel(channel))
            else:
                self._note_change(each, "", None)

    def silent(self, channel: MessageableChannel) -> bool:
        """Whether no answer to a message is worth a try: a permission is missing, or one was just refused."""
        at = self._refused.get(channel_of(channel.id))
        if at is not None and asyncio.get_running_loop().time() <= at + SILENT:
            return True
        return at is None and self.of_message(channel) is not None

    def of_message(self, channel: MessageableChannel) -> Message | None:
        """Say why the bot cannot answer in the channel of a message; None: as far as is known it can."""
        name, now = channel_of(channel.id), asyncio.get_running_loop().time()
        until, obstacle = self._current.get(name, (now, None))
        if now >= until:
            obstacle = self._of_channel(channel)
            remember(self._current, name, (now + CURRENT, obstacle), REMEMBERED)
            self._note_change(name, name_of(channel), obstacle)
        return obstacle

    def _of_channel(self, channel: MessageableChannel | discord.abc.GuildChannel) -> Message | None:
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            try:
                permissions = channel.permissions_for(channel.guild.me)
            except discord.ClientException:  # a thread of a channel that is not known
                return self._remembered(channel.id, thread=True)
            thread = isinstance(channel, discord.Thread)
            return self._lacking(permissions, thread=thread) or self._remembered(channel.id, thread=thread)
        return self._remembered(channel.id, thread=False)

    def of_interaction(self, interaction: discord.Interaction) -> Message | None:
        """Say why the bot cannot write where an interaction comes from, as Discord itself tells with it."""
        thread = isinstance(interaction.channel, discord.Thread)
        lacking = self._lacking(interaction.app_permissions, thread=thread)
        obstacle = lacking or self._remembered(interaction.channel_id or 0, thread=thread)
        if interaction.guild_id is not None:
            self._note_change(channel_of(interaction.channel_id or 0), name_of(interaction.channel), obstacle)
        return obstacle

    def _note_change(self, channel: str, name: str, obstacle: Message | None) -> None:
        """Tell of what has changed in a channel."""
        if obstacle is None and channel in self._barred:
            del self._barred[channel]
            self._note(channel, name, None)
        elif obstacle is not None and self._barred.get(channel) != obstacle:
            remember(self._barred, channel, obstacle, REMEMBERED)
            permission = obstacle.args["permission"]
            self._note(channel, name, permission if isinstance(permission, Message) else obstacle)

    def _lacking(self, permissions: discord.Permissions, *, thread: bool) -> Message | None:
        if not permissions.view_channel:
            return _obstacle("view")
        if thread:
            return None if permissions.send_messages_in_threads else _obstacle("threads")
        return None if permissions.send_messages else _obstacle("send")

    def _remembered(self, channel: int, *, thread: bool) -> Message | None:
        at = self._refused.get(channel_of(channel))
        if at is None or asyncio.get_running_loop().time() > at + REFUSED:
            return None
        return _obstacle("threads" if thread else "send")


def name_of(channel: object) -> str:
    """Name a channel and its server for the operator."""
    name, guild = getattr(channel, "name", None), getattr(channel, "guild", None)
    return f"#{name} of {guild.name}" if name and guild is not None else str(name or "unknown")


def _obstacle(permission: str) -> Message:
    """Name a permission as Discord's settings do."""
    return Message(MESSAGE, {"permission": Message(f"discord-permission-{permission}")})
