"""The thread of a table: begun from its message, found again by that message, archived when it is over.

A thread that is begun from a message has the id of the message
(https://discord.com/developers/docs/resources/channel#start-thread-from-message), and who has begun it may
archive it (https://discord.com/developers/docs/topics/threads#editing-deleting-threads).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from chatbot.kernel.say import Message
from cogs.discord.errors import PASSING, patience
from cogs.discord.lines import channel_of, shortened
from cogs.discord.rights import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.rooms.table_protocol import Table
    from cogs.discord.errors import Complaints

LONGEST_NAME = 100
NO_THREADS_HERE = "discord-no-threads-here"  # the message for channels that are no text channels
SILENCE: Final = 1440  # minutes without a message after which Discord archives a thread itself
BEGUN = 160004  # Discord's code: the message has a thread already
TRIES = 3  # to begin it, one with each change of the table
LOBBY = "lobby"  # the phase of a table before it is played


def lasts(table: Table) -> bool:
    """Whether a table is being played that takes many turns; a lobby belongs where everybody sees it."""
    return table.kit.chat.many_turns and table.clock is not None and table.clock.phase.split()[0] != LOBBY


def lacking(channel: object) -> Message | None:
    """Say why the bot cannot begin threads in a channel; None: as far as is known it can."""
    if not isinstance(channel, discord.TextChannel):
        return Message(NO_THREADS_HERE)
    permissions = missing_permissions(channel)
    return Message("discord-no-threads", {"permission": permissions[0]}) if permissions else None


def missing_permissions(channel: discord.TextChannel) -> list[Message]:
    """Name the permissions that the bot lacks in a channel for threads, as Discord's settings do."""
    own = channel.permissions_for(channel.guild.me)
    permissions = {
        "begin-threads": own.create_public_threads,
        "threads": own.send_messages_in_threads,
    }
    return [Message(f"discord-permission-{each}") for each, granted in permissions.items() if not granted]


class ThreadRights:
    """Notices in which channels threads are wanted where the bot may not begin any.

    `note` is told of a channel by its id and name when that changes, with what is missing; nothing: it may.
    """

    def __init__(self, note: Callable[[str, str, Sequence[Message]], None]) -> None:
        self._note = note
        self._obstacles: dict[str, list[Message]] = {}  # by channel

    def look(self, channel: str, target: object, *, wanted: bool) -> None:
        """Look at a channel, and tell of it if something has changed."""
        obstacles: list[Message] = []
        if wanted and isinstance(target, discord.TextChannel):
            obstacles = missing_permissions(target)
        elif wanted and target is not None:
            obstacles = [Message(NO_THREADS_HERE)]
        if obstacles != self._obstacles.get(channel, []):
            self._obstacles[channel] = obstacles
            self._note(channel, name_of(target), obstacles)

    def __contains__(self, channel: str) -> bool:
        """Whether threads are wanted in a channel and something is missing there, as far as is known."""
        return bool(self._obstacles.get(channel))

    def recall(self, channel: str) -> None:
        """Take note that this was told before, so that it is told when it does not hold any more."""
        self._obstacles.setdefault(channel, [Message("discord-no-threads")])


class TableThread:
    """The thread of one table; without the permissions for it there is none."""

    def __init__(self, client: discord.Client, channel: int, complaints: Complaints) -> None:
        self._client, self._channel, self._complaints = client, channel, complaints
        self.number: int | None = None
        self._failures = 0

    def find(self, message: discord.Message) -> None:
        """Go on with the thread that the message of a table had before a restart."""
        if message.flags.has_thread:
            self.number = message.id

    def lose(self) -> None:
        """Do without a thread from now on: somebody has deleted it."""
        self.number, self._failures = None, TRIES

    async def begin(self, message: int, name: str) -> None:
        """Begin the thread at the message of the table, unless it has one or may have none."""
        if self.number is not None or self._failures >= TRIES or self._lacking():
            return
        try:
            await self._client.http.start_thread_with_message(
                self._channel,
                message,
                name=shortened(name, LONGEST_NAME),
                auto_archive_duration=SILENCE,
            )
        except PASSING as error:
            if not (isinstance(error, discord.HTTPException) and error.code == BEGUN):
                self._failures += TRIES if patience(error) is None else 1
                self._complaints.tell(channel_of(self._channel), "a thread could not be begun", error)
                return
        self.number = message

    def _lacking(self) -> bool:
        return lacking(self._client.get_channel(self._channel)) is not None

    async def end(self) -> None:
        """Archive the thread; if that fails, Discord does it after a while of silence."""
        number, self.number = self.number, None
        if number is None:
            return
        try:
            await self._client.http.edit_channel(number, archived=True)
        except PASSING as error:
            self._complaints.tell(channel_of(self._channel), "a thread could not be archived", error)
