"""Makes a process one of several that share a database: what each of them connects and serves is dealt.

It is imported where `CHATBOT_NATS_URL` is set alone.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, cast

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.cluster.carrier import Carrier
from chatbot.cluster.cluster import Cluster, identity
from chatbot.cluster.partitions import PAGE, UPKEEP, hearing
from chatbot.cluster.services import Service, ShardedService
from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.ledger.store.duties import Condition, shard
from chatbot.ledger.store.engines import reason
from chatbot.ledger.store.gateways import Gateways
from chatbot.metrics import troubles
from chatbot.runtime.limits import PROBE
from chatbot.runtime.session_budget import SessionsExhausted
from chatbot.web.carrying.cluster_directory import ClusterDirectory
from chatbot.web.carrying.cluster_pages import ClusterPages
from chatbot.web.port_taking import PortTaking
from cogs.discord import lines as discord
from cogs.local.adapter import PLATFORM as LOCAL
from cogs.platform import Budgeted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping

    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch
    from chatbot.runtime.session_budget import SessionLimits
    from chatbot.supervisor import Supervisor
    from chatbot.web.crowd import Crowd
    from chatbot.web.principals import Platforms
    from cogs.local.adapter import LocalChat
    from cogs.platform import KeptPlatform, Platform, ShardedPlatform

DISCORD = "Discord"
CONNECTING = 4.0  # seconds that another process may take to connect, beside what it has to wait for

log = structlog.get_logger(__name__)


def _bound(community: str, shards: Mapping[str, int]) -> str | None:
    """Return with what the home of a community is dealt, given the numbers of shards.

    That of the local page is where the page is. That of a server of Discord is where its shard of the gateway
    is: boards and buttons are drawn from the tables in memory.
    """
    if community == LOCAL:
        return PAGE
    guild, platform = discord.guild_of(community), hearing(DISCORD)
    if guild is None or not shards.get(platform):
        return None if guild is None else platform
    return shard(platform, discord.shard_of(guild, shards[platform]))


def _condition(bot: Bot, store: Store, cluster: Cluster) -> Condition:
    """Return what this process says of itself to who looks at all of them."""
    waiting = bot.rooms.load.waiting + cluster.forwarding.waiting
    return Condition(tuple(troubles(bot, store, cluster)), waiting)


class SharedStarts:
    """The sessions of a platform that all processes begin together."""

    def __init__(self, gateways: Gateways, platform: str, *, grows: bool) -> None:
        self._gateways, self._platform, self._grows = gateways, platform, grows

    async def learn(self, limits: SessionLimits) -> None:
        """Take over what the platform says; there may be more shards from now on, as all will learn."""
        try:
            if self._grows:
                await self._gateways.agree(self._platform, limits.shards)
            await self._gateways.learn(self._platform, limits)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            log.warning("what a platform says of its sessions is not known to others", why=reason(error))

    async def wait(self, shard_number: int) -> float:
        return await self._known(self._gateways.wait(self._platform, [shard_number]))

    async def reserve(self, shard_number: int, after: float) -> float:
        return await self._known(self._gateways.reserve(self._platform, shard_number, after))

    async def _known(self, asking: Awaitable[float]) -> float:
        try:
            return await asking
        except SQLAlchemyError as error:
            raise ConnectionError(f"the database does not answer ({reason(error)})") from None


class DealtShards:
    """The shards of a platform that are dealt to this process, which is connected while it has some."""

    def __init__(
        self, platform: ShardedPlatform, cluster: Cluster, supervisor: Supervisor, gateways: Gateways
    ) -> None:
        self._platform, self._cluster, self._supervisor = platform, cluster, supervisor
        self._gateways, self._held, self._changing = gateways, set[int](), asyncio.Lock()

    def service(self) -> ShardedService:
        """Return what a process does for these shards."""
        return ShardedService(self._shard, self._patience, everywhere=self._platform.hears_everything)

    def _shard(self, number: int) -> Service:
        platform = self._platform
        return Service(
            partial(self._begin, number),
            partial(self._end, number),
            partial(platform.is_hearing, number),
            lambda channel, community: platform.hears(channel, community, number),
            platform.open,
            partial(platform.lead, number),
            partial(platform.follow, number),
        )

    async def _begin(self, number: int) -> None:
        async with self._changing:
            is_first = not self._held
            self._held.add(number)
            self._platform.connect(number, self._count)
            if is_first and not self._platform.hears_everything:
                await self._supervisor.put(self._platform)

    async def _end(self, number: int) -> None:
        async with self._changing:
            self._held.discard(number)
            await self._platform.disconnect(number, self._count)
            if not self._held and not self._platform.hears_everything:
                await self._supervisor.drop(self._platform.name)

    @property
    def _count(self) -> int:
        return self._cluster.duties.shards.get(hearing(self._platform.name), 1)

    async def _patience(self, numbers: Collection[int]) -> float:
        try:
            return CONNECTING + await self._gateways.wait(self._platform.name.lower(), numbers)
        except SessionsExhausted:
            return 0.0  # nobody can connect it today


class SharedPlatforms:
    """Keeps platforms connected in the process to which they, or shards of them, are dealt."""

    def __init__(self, cluster: Cluster, supervisor: Supervisor) -> None:
        self._cluster, self._supervisor = cluster, supervisor
        self._gateways = Gateways(cluster.store)
        self._sharded: dict[str, ShardedPlatform] = {}
        self._troubles: dict[str, str] = {}  # why nothing is known of the shards of a platform

    async def put(self, platform: Platform) -> None:
        """Keep a platform connected while it is dealt to this process, in place of one of its name."""
        if isinstance(platform, Budgeted):
            platform.share_of_budget = partial(self._cluster.duties.share_of, hearing(platform.name))
        if getattr(platform, "is_sharded", False):
            sharded = cast("ShardedPlatform", platform)
            await self._put_sharded(sharded)
            return

        async def begin() -> None:
            await self._supervisor.put(platform)

        async def end() -> None:
            await self._supervisor.drop(platform.name)

        service = Service(begin, end, lambda: platform.connected)
        await self._cluster.serve(hearing(platform.name), service)

    async def _put_sharded(self, platform: ShardedPlatform) -> None:
        self._sharded[platform.name] = platform
        duty, duties = hearing(platform.name), self._cluster.duties
        starts = SharedStarts(self._gateways, platform.name.lower(), grows=platform.fixed_shards is None)
        platform.share(starts, lambda: duties.shards.get(duty, 0))
        await self._serve_shards(platform)
        if platform.hears_everything:
            await self._supervisor.put(platform)
            kept = cast("KeptPlatform", platform)
            service = Service(kept.begin_keeping, kept.end_keeping, lambda: kept.keeps)
            await self._cluster.serve(duty, service)

    def trouble(self, name: str) -> str:
        """Return why a platform is not connected here; empty: it is, or nothing is known."""
        return self._troubles.get(name) or self._supervisor.trouble(name)

    def _others(self, duty: str) -> int:
        """Return how many other processes can hear a platform."""
        me = self._cluster.store.leases.process
        return sum(each.id != me and each.can(duty) for each in self._cluster.duties.members)

    async def _serve_shards(self, platform: ShardedPlatform) -> None:
        """Agree on the number of shards, as soon as that can be known, and connect what is dealt here."""
        if self._sharded.get(platform.name) is not platform:
            return  # another one is in its place
        key = platform.name.lower()
        try:
            agreed = await self._gateways.shards(key)
            if not agreed or platform.fixed_shards not in {None, agreed} or platform.hears_everything:
                number = await platform.recommended_shards()
                if platform.hears_everything:
                    number = max(number, 1 + self._others(hearing(platform.name)))
                await self._gateways.agree(key, number, exactly=platform.fixed_shards is not None)
            held = DealtShards(platform, self._cluster, self._supervisor, self._gateways)
            await self._cluster.serve_shards(hearing(platform.name), held.service())
        except Failure as failure:
            self._troubles[platform.name] = str(failure)
            log.critical(str(failure))
        except (Unreachable, SQLAlchemyError, OSError, TimeoutError) as error:
            self._troubles[platform.name] = (
                f"{platform.name} does not say how many shards there are ({error})."
            )
            self._cluster.bot.watch.ring(PROBE, partial(self._serve_shards, platform))
        else:
            self._troubles.pop(platform.name, None)


class Shared:
    """One of several processes: the one that this program is."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @classmethod
    async def make(cls, nats_url: str, store: Store, bot: Bot, watch: Watch) -> Shared:
        """Make it, of which nothing is connected yet.

        Raises:
            SQLAlchemyError, OSError: the database does not answer.
        """
        carrier = Carrier(nats_url, await identity(store), store.leases.process)
        cluster = Cluster(store=store, bot=bot, carrier=carrier, watch=watch, services={}, bound=_bound)
        cluster.duties.condition = partial(_condition, bot, store, cluster)
        return cls(cluster)

    def keeper(self, supervisor: Supervisor) -> SharedPlatforms:
        """Return what keeps platforms connected where they are dealt to."""
        return SharedPlatforms(self._cluster, supervisor)

    @property
    def cluster(self) -> Cluster:
        """The cluster, for who watches it."""
        return self._cluster

    def does_upkeep(self) -> bool:
        """Whether this process does what is done once for all of them."""
        return self._cluster.does(UPKEEP)

    def announce_doubt(self, communities: frozenset[str], halted: bool) -> None:
        """Stop the games of communities in all processes, or all games."""
        self._cluster.changes.tell_doubt(communities, halted=halted)

    async def leave(self) -> None:
        """Give everything to the other processes."""
        await self._cluster.leave()

    @asynccontextmanager
    async def joined(self, tell: Callable[[str], None]) -> AsyncIterator[None]:
        """Take part, until everything else has ended; `tell` shows a sentence to the operator.

        Raises:
            Failure: NATS does not answer.
        """
        try:
            await self._cluster.join()
            number = len(self._cluster.duties.members)
            tell(f"Rabble shares its database among processes: {number} with this one. Ctrl-C stops it.")
            yield
        finally:
            await self._cluster.close()

    def directory(self, platforms: Platforms) -> ClusterDirectory:
        """Return the platforms of this process with the channels that others hear."""
        return ClusterDirectory(platforms, self._cluster.names)

    def pages(self) -> ClusterPages:
        """Return what the web server of this process has of the others."""
        return ClusterPages(self._cluster)

    @asynccontextmanager
    async def page(
        self,
        chat: LocalChat,
        crowd: Crowd,
        listen: Callable[[], Awaitable[object]] | None,
        tell: Callable[[str], None],
    ) -> AsyncIterator[None]:
        """Run the local chat while it is dealt to this process, and listen as soon as the address is free.

        None: this process does neither, and leaves them to others.
        """
        if listen is None:
            yield
            return
        await self._cluster.serve(PAGE, Service(chat.open, partial(crowd.resize, 0)))

        def explain(failure: Failure) -> str:
            if self._cluster.entrance.is_served_on_this_machine:
                return (
                    "Another process of this bot serves the page on this machine: this one does the rest, "
                    "and serves it when that one has ended."
                )
            return f"{failure} It is tried again until it is free."

        taking = PortTaking(listen, self._cluster.bot.watch, tell, explain)
        await taking.start()
        try:
            yield
        finally:
            taking.stop()
            await self._cluster.entrance.close()
