"""The picture on the message of a table: drawn beside everything else, and sent only where it has changed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import discord

from cogs.discord.lines import channel_of, shortened

if TYPE_CHECKING:
    from chatbot.pictures.raid import ResultScene
    from chatbot.pictures.scene import Scene
    from cogs.discord.errors import Complaints

NAME = "table.png"
ADDRESS = f"attachment://{NAME}"
DESCRIPTION = 1000  # characters for those who cannot see it: Discord takes 1024


@dataclass(frozen=True, slots=True)
class Hanging:
    """What a message is to carry: `files` instead of those that it has; None: it keeps them."""

    files: list[discord.File] | None
    shows: bool  # whether there is a picture then


class Pictures:
    """What hangs on the message of one table, as far as is known.

    A picture is drawn beside everything else, and sent only where it has changed.
    """

    def __init__(self, client: discord.Client, channel: int, complaints: Complaints, *, bare: bool) -> None:
        """Begin with a message yet to be posted, and thus `bare`, or with one that may have a picture."""
        self._client, self._channel, self._complaints = client, channel, complaints
        self._refused = False
        self._hung: Scene | ResultScene | None = None
        self._known = bare
        self._next: Scene | ResultScene | None = None

    @property
    def allowed(self) -> bool:
        """Whether the bot may attach files there, as far as it knows."""
        channel = self._client.get_channel(self._channel)
        if self._refused or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return False
        try:
            return channel.permissions_for(channel.guild.me).attach_files
        except discord.ClientException:  # a thread of a channel that it does not see
            return False

    def refuse(self) -> bool:
        """Do without pictures from now on; whether there might have been one."""
        might, self._refused = not self._refused and self._next is not None, True
        return might

    def clear(self) -> None:
        """Begin with a new message."""
        self._hung, self._known = None, True

    async def hang(self, scene: Scene | ResultScene | None, words: str) -> Hanging:
        """Say what the message is to carry; `words` are for those who cannot see it."""
        self._next = scene
        if self._known and scene == self._hung:
            return Hanging(None, scene is not None)
        self._known = False  # until it is `hung`, which a lost answer leaves open
        file = await self._draw(scene, words) if scene is not None else None
        return Hanging([] if file is None else [file], file is not None)

    def hung(self) -> None:
        """Remember that the message carries what it was to carry."""
        self._hung, self._known = self._next, True

    async def _draw(self, scene: Scene | ResultScene, words: str) -> discord.File | None:
        try:
            picture = await asyncio.to_thread(_png, scene)
        except (ImportError, OSError) as error:
            self._complaints.tell(channel_of(self._channel), "a table could not be drawn", error)
            self._refused, self._next = True, None
            return None
        return discord.File(BytesIO(picture), NAME, description=shortened(words, DESCRIPTION))


def _png(scene: Scene | ResultScene) -> bytes:
    from chatbot.pictures.painting import png  # noqa: PLC0415  (Pillow is loaded when there is something to draw)

    return png(scene)
