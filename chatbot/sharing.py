"""Makes a process one of several that share a database: what each of them connects and serves is dealt.

It is imported where `CHATBOT_NATS_URL` is set alone.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from chatbot.cluster.carrier import Carrier
from chatbot.cluster.cluster import Cluster, identity
from chatbot.cluster.partitions import PAGE, UPKEEP, hearing
from chatbot.cluster.services import Service
from cogs.discord import lines as discord
from cogs.local.adapter import PLATFORM as LOCAL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from contextlib import AbstractAsyncContextManager

    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import Watch
    from chatbot.supervisor import Supervisor
    from cogs.platform import Platform

DISCORD = "Discord"


def _bound(community: str, _: Mapping[str, int]) -> str | None:
    """Return with what the home of a community is dealt.

    That of the local page is where the page is. Those of servers of Discord are where the gateway is: boards
    and buttons are drawn from the tables in memory.
    """
    if community == LOCAL:
        return PAGE
    return hearing(DISCORD) if discord.is_community(community) else None


class SharedPlatforms:
    """Keeps platforms connected in the process to which they are dealt."""

    def __init__(self, cluster: Cluster, supervisor: Supervisor) -> None:
        self._cluster, self._supervisor = cluster, supervisor

    async def put(self, platform: Platform) -> None:
        """Keep a platform connected while it is dealt to this process, in place of one of its name."""

        async def begin() -> None:
            await self._supervisor.put(platform)

        async def end() -> None:
            await self._supervisor.drop(platform.name)

        service = Service(begin, end, lambda: platform.connected)
        await self._cluster.serve(hearing(platform.name), service)

    def trouble(self, name: str) -> str:
        """Return why a platform is not connected here; empty: it is, or nothing is known."""
        return self._supervisor.trouble(name)


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
        return cls(Cluster(store=store, bot=bot, carrier=carrier, watch=watch, services={}, bound=_bound))

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

    @asynccontextmanager
    async def page(self, page: Callable[[], AbstractAsyncContextManager[object]]) -> AsyncIterator[None]:
        """Serve a page while it is dealt to this process; `page` serves it as long as it is entered."""
        stack = AsyncExitStack()

        async def begin() -> None:
            await stack.enter_async_context(page())
            await self._cluster.entrance.tell()

        async def end() -> None:
            await stack.aclose()
            self._cluster.entrance.close()

        await self._cluster.serve(PAGE, Service(begin, end))
        try:
            yield
        finally:
            await stack.aclose()
