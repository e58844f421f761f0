"""The rooms to open as soon as Discord is connected: tables stand there, whose clocks must run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord
from sqlalchemy.exc import SQLAlchemyError

from cogs.discord.errors import PASSING
from cogs.discord.lines import PREFIX, community_of, number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogs.discord.adapter import DiscordAdapter
    from cogs.discord.errors import Complaints

# Seconds until rooms that could not be opened are tried again: each asks the database and Discord.
RETRY = 30.0


class StandingRooms:
    """Opens the rooms in which tables stand, of the shards that are connected here."""

    def __init__(self, adapter: DiscordAdapter, complaints: Complaints) -> None:
        self._adapter, self._complaints = adapter, complaints

    async def open(self) -> None:
        """Open the rooms in which tables stand; what the bot may not see any more is left alone."""
        try:
            standing = await self._adapter.bot.control.standing()
        except Exception as error:  # noqa: BLE001  (a database that does not answer may do so later)
            self._complaints.tell(PREFIX, "standing tables could not be listed", error)
            self._adapter.bot.watch.ring(RETRY, self.open)
            return
        channels = await self._held_channels([each for each in standing if each.startswith(PREFIX)])
        # Together, so that what all of them need is read together.
        opened = await asyncio.gather(
            *(self._open(each) for each in channels if not self._adapter.bot.has(each))
        )
        if not all(opened):
            self._adapter.bot.watch.ring(RETRY, self.open)

    async def _held_channels(self, channels: Sequence[str]) -> list[str]:
        """Return those of these channels that may be heard here; of some it is not known."""
        if self._adapter.shards.held is None:
            return [*channels]
        try:
            rooms = await self._adapter.bot.parts.known_rooms.known()
        except (SQLAlchemyError, OSError) as error:
            self._complaints.tell(PREFIX, "rooms could not be looked up", error)
            return []
        others = {each.room for each in rooms if not self._adapter.shards.is_held(each.community)}
        return [each for each in channels if each not in others]

    async def _open(self, channel: str) -> bool:
        """Open a room that stands from before; True also where there is nothing to open it for."""
        client = self._adapter.client
        if client is None:
            return True
        try:
            number = number_of(channel)
            target = client.get_channel(number) or await client.fetch_channel(number)
        except discord.NotFound as error:
            self._complaints.tell(channel, "a table stands in a channel that was deleted", error)
            return await self._open_deleted(channel)
        except (discord.Forbidden, discord.InvalidData, ValueError) as error:
            self._complaints.tell(channel, "a table stands in a channel that the bot does not see", error)
            return True
        except PASSING as error:
            self._complaints.tell(channel, "a channel could not be looked up", error)
            return False
        guild: discord.Guild | None = getattr(target, "guild", None)
        if guild is None or not self._adapter.shards.is_held(community_of(guild.id)):
            return True
        return await self._adapter.open(channel, community_of(guild.id))

    async def _open_deleted(self, channel: str) -> bool:
        """Open the room of a channel that is gone, where its tables are played to their end by the clock.

        Else what was staked there would never come back. False: it is to be tried again.
        """
        try:
            rooms = await self._adapter.bot.parts.known_rooms.known()
        except (SQLAlchemyError, OSError) as error:
            self._complaints.tell(channel, "a room could not be looked up", error)
            return False
        community = next((each.community for each in rooms if each.room == channel), None)
        return community is None or await self._adapter.open(channel, community)
