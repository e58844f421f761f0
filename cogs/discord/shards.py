"""A client of the library whose shards come and go one by one, while the others stay connected.

The library launches a fixed set of shards, one after the other, and reconnects one at a time: a shard that
waits for its turn to begin a session, which may take minutes, would hold up all others, and one that another
process takes over could only leave with all of them. A client for each shard would have a tree of commands,
a table of buttons and rate limits of its own. So this one is the library's, with a loop of its own around
its shards. It uses two private names of `AutoShardedClient`, which a test holds against the version that is
installed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import shard as library_shard
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.shard import EventItem, EventType, Shard

from chatbot.runtime.session_budget import SessionsExhausted
from cogs.discord.errors import PASSING, worded
from cogs.discord.lines import shard_of
from cogs.discord.reconnecting import ReconnectPauses
from cogs.discord.session_starts import read_limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine

    from cogs.platform import SessionStarts

AHEAD = 2.0  # seconds before a session may be begun at which its connection is opened
LAUNCH_TIMEOUT = 60.0  # seconds for a connection, with what is left to wait for its session
LEAVING = 1.0  # seconds for a shard to say goodbye
LONGEST_PAUSE = 50.0  # seconds between two looks at whether sessions may be begun again

log = structlog.get_logger(__name__)


class SessionSocket(DiscordWebSocket):
    """A connection that is closed where its session does not begin.

    Who does not wait for that any more has no other hold of it, and its heartbeats would keep it open.
    """

    async def identify(self) -> None:
        """Begin a session, once that is allowed."""
        try:
            await super().identify()
        except BaseException:
            await self.close()
            raise


def close_without_session() -> None:
    """Let the library use `SessionSocket`; it takes the class from its module, and from nowhere else."""
    library_shard.DiscordWebSocket = SessionSocket  # type: ignore[misc]


class ShardedBot(commands.AutoShardedBot):
    """Connects the shards that it is to `hold`; None: all of them.

    `shard_count` None is that Discord says how many there are. `on_exhausted` hears of a shard for which no
    session may be begun for some seconds. Of a shard that `is_silent` the interactions are left to another
    process, which hears it as well: Discord takes one first answer to each. No session is begun of one that
    `is_left`: another process begins it.
    """

    def __init__(
        self,
        *,
        shards: Collection[int] | None,
        shard_count: int | None,
        starts: SessionStarts,
        on_exhausted: Callable[[int, float], None],
        is_silent: Callable[[int], bool],
        is_left: Callable[[int], bool],
        **options: Any,  # the library's own
    ) -> None:
        super().__init__(shard_count=shard_count, **options)
        self._starts, self._on_exhausted = starts, on_exhausted
        self._is_silent, self._is_left = is_silent, is_left
        self._held = None if shards is None else {*shards}
        self._work: dict[int, asyncio.Task[None]] = {}  # shards that are being connected
        self._sessions = asyncio.Semaphore()
        self._leaving: set[asyncio.Task[None]] = set()
        self._greeted: set[int] = set()  # shards whose sessions have begun
        self._parse_interaction = self._connection.parsers["INTERACTION_CREATE"]
        self._connection.parsers["INTERACTION_CREATE"] = self._take_interaction

    @property
    def held(self) -> Collection[int]:
        """The shards that are connected, or are to be."""
        return range(self.shard_count or 0) if self._held is None else self._held

    def hold(self, shards: Collection[int]) -> None:
        """Connect these shards from now on, and leave the others."""
        gone = {*self.held} - {*shards}
        self._held = {*shards}
        for each in gone:
            self._drop(each)
        if self._launched is not None and not self.is_closed():
            self._launch_missing()

    def is_hearing(self, shard: int) -> bool:
        """Whether a shard tells of everything that happens in its servers."""
        if shard not in self._greeted:
            return False
        return not any(each.unavailable for each in self.guilds if each.shard_id == shard)

    # The library's

    _launched: dict[int, Shard] | None = None  # its own table of connected shards, once there are any

    async def launch_shards(self) -> None:
        """Begin to connect what is held, each shard beside the others."""
        if self.is_closed():
            return
        shards, _, limits = await self.http.get_bot_gateway()
        session_limits = read_limits(shards, limits)
        await self._starts.learn(session_limits)
        if self.shard_count is None:
            self.shard_count = session_limits.shards
        self._connection.shard_count = self.shard_count
        self._connection.shard_ids = range(self.shard_count)
        self._sessions = asyncio.Semaphore(session_limits.concurrency)
        self._launched = self.__dict__["_AutoShardedClient__shards"]
        self._launch_missing()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep the shards connected, each beside the others; as the library's own, one fails for all.

        Raises:
            PrivilegedIntentsRequired, ConnectionClosed: Discord does not take them.
        """
        self._reconnect = reconnect
        await self.launch_shards()
        events = self._events
        while not self.is_closed():
            item = await events.get()
            if item.type == EventType.clean_close:
                return
            if item.shard is None or item.shard.id not in self.held:
                continue  # what becomes of it is nothing to the others
            if item.type in {EventType.close, EventType.terminate}:
                await self.close()
                if isinstance(item.error, Exception):
                    raise item.error
                return
            if item.type == EventType.reconnect:
                self._do(item.shard.id, item.shard.reconnect())
            elif isinstance(item.error, discord.gateway.ReconnectWebSocket):
                self._do(item.shard.id, item.shard.reidentify(item.error))

    async def close(self) -> None:
        """Leave all shards."""
        for task in (*self._work.values(), *self._leaving):
            task.cancel()
        await super().close()

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Take note of sessions before anybody else hears of them; `Any`: as the library has it."""
        if event_name == "shard_connect":
            self._greeted.add(args[0])
        super().dispatch(event_name, *args, **kwargs)

    @property
    def _events(self) -> asyncio.PriorityQueue[EventItem]:
        queue: asyncio.PriorityQueue[EventItem] = self.__dict__["_AutoShardedClient__queue"]
        return queue

    def _launch_missing(self) -> None:
        for each in sorted({*self.held} - (self._launched or {}).keys() - self._work.keys()):
            self._do(each, self._launch(each))

    def _do(self, shard: int, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._work[shard] = task

        def done(_: object) -> None:
            if self._work.get(shard) is task:
                del self._work[shard]

        task.add_done_callback(done)

    def _keep(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _launch(self, shard: int) -> None:
        """Connect a shard, however often that must be tried."""
        pauses = ReconnectPauses()
        while self._launched is not None:
            try:
                # As many at a time as the gateway takes, and the others later: a session that is reserved is
                # begun, and another process may be to have the shard by then.
                async with self._sessions:
                    # It does not wait for a session for ever: it is connected shortly before that begins.
                    await asyncio.sleep(await self._starts.wait(shard) - AHEAD)
                    if self._is_left(shard):
                        return
                    connecting = SessionSocket.from_client(self, initial=True, shard_id=shard)
                    socket = await asyncio.wait_for(connecting, LAUNCH_TIMEOUT)
            except SessionsExhausted as error:
                self._on_exhausted(shard, error.seconds)
                await asyncio.sleep(min(error.seconds, LONGEST_PAUSE))
            except discord.PrivilegedIntentsRequired:
                raise
            except PASSING as error:
                told = {"shard": shard, "reason": worded(error)}
                log.warning("a shard cannot connect to Discord, and tries again", **told)
                await asyncio.sleep(pauses.delay())
            else:
                self._launched[shard] = launched = Shard(socket, self, self._events.put_nowait)
                launched.launch()
                return

    def _drop(self, shard: int) -> None:
        """Leave a shard, and forget its servers; it may be connected anew before that is done."""
        work, launched = self._work.pop(shard, None), (self._launched or {}).pop(shard, None)
        if work is not None:
            work.cancel()
        self._greeted.discard(shard)
        self._forget(shard)
        if launched is not None:
            self._keep(self._close_shard(shard, launched))

    async def _close_shard(self, shard: int, launched: Shard) -> None:
        try:
            await asyncio.wait_for(launched.close(), LEAVING)
        except PASSING as error:
            log.warning("a shard was left without a goodbye", shard=shard, reason=worded(error))
        if shard not in self.held:
            self._forget(shard)  # what it has told meanwhile

    def _forget(self, shard: int) -> None:
        for guild in [each for each in self.guilds if each.shard_id == shard]:
            self._connection._remove_guild(guild)  # noqa: SLF001  (nothing public forgets a server)

    def _take_interaction(self, event: Any) -> None:
        """Hear of an interaction, unless another process answers it; `Any`: JSON of Discord."""
        if not self._is_silent(shard_of(int(event.get("guild_id") or 0), self.shard_count or 1)):
            self._parse_interaction(event)
