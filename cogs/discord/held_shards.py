"""Which shards of the gateway this process connects, and what is known of them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from cogs.discord.lines import guild_of, shard_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from cogs.discord.client import DiscordClient


class HeldShards:
    """The shards of one process; `fixed` is how many the operator says that there are, None: Discord says.

    A process that runs alone holds all of them. Of several each holds some, and `count` is what they have
    agreed on.
    """

    def __init__(self, fixed: int | None) -> None:
        self.fixed = self.count = fixed
        self.held: frozenset[int] | None = None  # None: all
        self.led: set[int] = set()  # of those of several processes, whose interactions are answered here
        self.left: set[int] = set()  # that another process connects next
        self._ready: set[int] = set()
        self._arrivals: defaultdict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self._guilds: dict[str, int] = {}  # the servers of channels whose rooms were opened here

    def hold(self, shards: Collection[int], count: int) -> None:
        """Hold these shards, of so many."""
        self.held, self.count = frozenset(shards), count
        self.led &= self.held
        self.left &= self.held
        for each in self._ready - self.held:
            self._leave(each)

    def is_silent(self, shard: int) -> bool:
        """Whether another process answers interactions in the servers of a shard."""
        return self.held is not None and shard not in self.led

    def arrive(self, shard: int) -> None:
        """Take note that all servers of a shard are known."""
        self._ready.add(shard)
        self._arrivals[shard].set()

    def lose_all(self) -> None:
        """Take note that the connection is gone."""
        for each in [*self._ready]:
            self._leave(each)

    def are_ready(self, client: DiscordClient | None) -> bool:
        """Whether everything that is held is there."""
        return client is not None and bool(self._ready) and self._ready >= {*client.held}

    def note_channel(self, channel: str, community: str) -> None:
        """Remember of which server a channel is."""
        guild = guild_of(community)
        if guild is not None:
            self._guilds[channel] = guild

    def shard_of(self, channel: str) -> int | None:
        """Return the shard that hears a channel; None: it is not known here."""
        guild = self._guilds.get(channel)
        return None if guild is None or self.count is None else shard_of(guild, self.count)

    def is_held(self, community: str) -> bool:
        """Whether the server of a community is heard here, or it is none of Discord."""
        guild = guild_of(community)
        if guild is None or self.held is None or self.count is None:
            return True
        return shard_of(guild, self.count) in self.held

    async def arrived(self, channel: str, connected: asyncio.Event) -> None:
        """Wait until a channel can be written to; one of which no shard is known, until anything is there."""
        shard = self.shard_of(channel)
        waiting = connected if shard is None else self._arrivals[shard]
        await waiting.wait()

    def _leave(self, shard: int) -> None:
        self._ready.discard(shard)
        self._arrivals[shard].clear()
