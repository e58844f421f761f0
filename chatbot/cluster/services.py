"""What a process does for its duties beside running rooms: it hears platforms, and runs the local chat.

A platform is heard a while longer than its duty is held: until another process has told that it hears it. So
no line is lost that a socket of either receives; what both receive has one id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.ledger.store.duties import HEARING, number_of, platform_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.cluster.carrier import Carrier
    from chatbot.ledger.store.duties import Duties
    from chatbot.rooms.channel import Channel

HANDOVER = 2.0  # seconds for which a process that ends still hears what it has, until another one does
LONGEST_HANDOVER = 20.0  # seconds, where the platform lets the other process connect only later
LONGEST_MOVE = 600.0  # seconds for which a process that goes on hears what another one is to take over
TELL_HEARING = 0.1  # seconds between two looks at whether a platform is connected
LOOK_AGAIN = 0.05  # seconds

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Service:
    """What a process does while it has a duty other than a partition of the homes.

    `is_ready` says whether it does it by now, such as whether a platform is connected; `lead` is called once
    that was told to all others, and `follow` when it is given up, before another process is ready. `hears`
    says whether it hears a channel of its platform, given the community in which the channel is by itself;
    and `claim` hears a channel from now on that another process has heard.
    """

    begin: Callable[[], Awaitable[object]]
    end: Callable[[], Awaitable[object]]
    is_ready: Callable[[], bool] = lambda: True
    hears: Callable[[str, str], bool] = lambda _, __: True
    claim: Callable[[str, str], Awaitable[object]] | None = None
    lead: Callable[[], object] = lambda: None
    follow: Callable[[], object] = lambda: None


async def _at_once(_: Collection[int]) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class ShardedService:
    """A platform that is heard by shards, each of which is dealt to a process.

    `shard` returns what a process does for one of these; `patience` in how many seconds another process may
    connect some of them. If it is `everywhere`, every process hears all channels, whichever shards it has.
    """

    shard: Callable[[int], Service]
    patience: Callable[[Collection[int]], Awaitable[float]] = _at_once
    everywhere: bool = False


class DealtServices:
    """The services of a process, which begin and end as their duties are dealt.

    `take_back` is called with a shard that is heard here, for channels that were heard here before; and
    `leave` with a duty whose channels are heard here no more.
    """

    def __init__(
        self,
        services: Mapping[str, Service],
        duties: Duties,
        carrier: Carrier,
        process: int,
        take_back: Callable[[str], None],
        leave: Callable[[str], None],
    ) -> None:
        self._services, self._duties, self._carrier, self._process = {**services}, duties, carrier, process
        self._take_back, self._leave = take_back, leave
        self._sharded: dict[str, ShardedService] = {}  # by the duties of platforms
        self._unready: set[str] = set()  # that are begun and not ready yet
        self._lingering: dict[str, asyncio.Task[None]] = {}  # duties that were given up, and are still done
        self._taken_over: set[str] = set()  # of these, what another process hears by now
        self._led: set[str] = set()  # duties that are done here, as all others were told

    async def serve(self, duty: str, service: Service) -> Awaitable[object] | None:
        """Be able to do a duty from now on, in the place of what did it before; return what begins it.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        previous, self._services[duty] = self._services.get(duty), service
        if previous is None:
            await self._duties.add(duty)
        elif duty in self._duties.held:
            await previous.end()
            self._unready.add(duty)
            return service.begin()
        return None

    async def serve_shards(self, platform: str, service: ShardedService) -> list[Awaitable[object]]:
        """Be able to hear shards of a platform, as `serve` does; all have agreed on their number.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        previous, self._sharded[platform] = self._sharded.get(platform), service
        if previous is None:
            await self._duties.add_shards(platform, grows=service.everywhere)
            return []
        held = {each: number for each in self._duties.held if (number := _shard(each, platform)) is not None}
        for number in held.values():
            await previous.shard(number).end()
        self._unready |= held.keys()
        return [service.shard(number).begin() for number in held.values()]

    def begin(self, names: Collection[str]) -> Iterator[Awaitable[object]]:
        """Yield what begins the services of duties that were taken."""
        for name in names:
            service = self._service(name)
            if service is None:
                continue
            if number_of(name) is None:
                self._take_back(name)
            self._unready.add(name)
            lingering = self._lingering.pop(name, None)
            if lingering is not None:
                lingering.cancel()  # nobody else has taken it, and it was not ended yet
            if lingering is None or number_of(name) is not None:
                yield service.begin()

    async def end(self, names: Collection[str]) -> None:
        """End the services of duties at once."""
        for name in names:
            service, lingering = self._service(name), self._lingering.pop(name, None)
            if lingering is not None and lingering is not asyncio.current_task():
                lingering.cancel()
            if service is None:
                continue
            self._unready.discard(name)
            self._led.discard(name)
            try:
                await service.end()
            except Exception:
                log.exception("a duty could not be ended in order", duty=name)
            self._leave(name)

    def linger(self, names: Collection[str]) -> None:
        """End the services of duties once another process has taken them over."""
        for name in names:
            service = self._service(name)
            if service is not None:
                self._taken_over.discard(name)
                self._unready.discard(name)
                self._led.discard(name)
                service.follow()
                self._lingering[name] = asyncio.ensure_future(self._linger(name))

    async def finish(self) -> None:
        """Wait until others have taken everything over, as long as that may take; what none can do ends."""
        others = [each for each in self._duties.members if each.id != self._process and each.share]
        await self.end([name for name in self._lingering if not any(each.can(name) for each in others)])
        tasks = {*self._lingering.values()}
        if tasks:
            await asyncio.wait(tasks, timeout=await self._patience())
            await self.end([*self._lingering])

    async def tell_ready(self) -> None:
        """Tell who hears a platform: a process that has given it up listens until another one does."""
        for name in [*self._unready]:
            service = self._service(name)
            if service is not None and service.is_ready():
                self._unready.discard(name)
                service.lead()
                self._led.add(name)
                if number_of(name) is not None:
                    self._take_back(name)
                await self._carrier.announce({"hears": name, "from": self._process})

    def note_hearer(self, name: str) -> None:
        """Take note that another process hears what a duty is of."""
        self._taken_over.add(name)

    def is_heard_by(self, duty: str, channel: Channel, community: str) -> bool:
        """Whether who has a duty hears a channel, which others do not."""
        service = self._service(duty)
        if service is None or platform_of(duty) != f"{HEARING}{channel.platform}":
            return False
        return not self.is_everywhere(channel) and service.hears(channel.id, community)

    def claims(self, channel: Channel, community: str) -> Iterator[Awaitable[object]]:
        """Yield what hears a channel from now on that another process has heard, if this one is to."""
        for name in self._led:
            service = self._service(name)
            if service is not None and service.claim and self.is_heard_by(name, channel, community):
                yield service.claim(channel.id, community)

    def is_everywhere(self, channel: Channel) -> bool:
        """Whether all processes that can hear the platform of a channel hear it."""
        sharded = self._sharded.get(f"{HEARING}{channel.platform}")
        return sharded is not None and sharded.everywhere

    async def _linger(self, name: str) -> None:
        await until(lambda: name in self._taken_over, LONGEST_MOVE)
        await self.end([name])

    async def _patience(self) -> float:
        """Return the seconds in which others may take over what lingers."""
        patience = HANDOVER
        for platform, sharded in self._sharded.items():
            numbers = [each for name in self._lingering if (each := _shard(name, platform)) is not None]
            if numbers:
                with suppress(SQLAlchemyError, OSError):
                    patience = max(patience, HANDOVER + await sharded.patience(numbers))
        return min(patience, LONGEST_HANDOVER)

    def _service(self, name: str) -> Service | None:
        sharded, number = self._sharded.get(platform_of(name)), number_of(name)
        return self._services.get(name) if sharded is None or number is None else sharded.shard(number)


async def until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait until something holds, or so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110  (what is waited for has no event of its own)
                await asyncio.sleep(LOOK_AGAIN)


def _shard(duty: str, platform: str) -> int | None:
    return number_of(duty) if platform_of(duty) == platform else None
