"""The library's bot whose events come by the shards of a conduit, all of them or those that are dealt to it.

A conduit is of the application, so several processes have one: the subscriptions are its own, and each event
comes by one shard, whichever Twitch chooses. Each shard is a connection of one process. It is taken over by
telling Twitch of another connection; until then events come by the former one.

A conduit is never shrunk while shards of it are connected: Twitch would end their connections, whosever they
are. https://dev.twitch.tv/docs/eventsub/handling-conduit-events/
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.kernel.game import Failure
from chatbot.runtime.limits import PROBE, Backoff
from cogs.twitch.api import UNREACHABLE, Trouble
from cogs.twitch.bot import TwitchBot
from cogs.twitch.eventsub import NotConnected, Socket

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from twitchio.ext import commands
    from twitchio.models.eventsub_ import EventsubSubscription

    from cogs.twitch.authority import TwitchAuthority
    from cogs.twitch.subscriptions.wanted import Slot, WantedSubscription

SHARDS = 2  # of a new conduit: what one does not take is given to the other
MOST_SHARDS = 20  # of a conduit that one process has for itself: each is a connection
AT_ONCE = 10  # connections that are opened together
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds between two tries to open a shard that Twitch refuses
STEADY = 5.0  # seconds after which a shard that is lost is opened again at once, if it brought nothing too

log = structlog.get_logger(__name__)


class ConduitShards:
    """The shards that a process connects, which outlive its connections; None: all, and it is alone.

    `keeps` is whether it makes the conduit, and lets it grow to as many shards as all processes `want`.
    """

    def __init__(self) -> None:
        self.held: set[int] | None = None
        self.left: set[int] = set()  # of these, that another process connects next
        self.keeps = True
        self.want: Callable[[], int] = lambda: SHARDS

    def share(self, want: Callable[[], int]) -> None:
        """Share the conduit with other processes."""
        self.held, self.keeps, self.want = set(), False, want

    @property
    def is_shared(self) -> bool:
        """Whether other processes have shards of the conduit."""
        return self.held is not None


class ConduitBot(TwitchBot):
    """The shards of a conduit; the program subscribes with its own key."""

    def __init__(
        self,
        *,
        authority: TwitchAuthority,
        bot_id: str,
        components: Callable[[], Iterable[commands.Component]],
        on_refusal: Callable[[str | None, Failure], None],
        shards: ConduitShards | None = None,
    ) -> None:
        super().__init__(authority=authority, bot_id=bot_id, components=components, on_refusal=on_refusal)
        self._own = shards or ConduitShards()
        self._conduit, self._count = "", 0  # how many shards it has
        self._opens = False  # whether shards are opened that are dealt here
        self._shards: dict[str, Socket] = {}
        self._coming: set[str] = set()  # shards that are being opened
        self._backoff = Backoff[str](FIRST_PAUSE, PROBE)  # of shards that bring nothing
        self._refusals = Backoff[str](FIRST_PAUSE, LONGEST_PAUSE)  # of shards that Twitch does not take
        self._came: dict[str, float] = {}  # shard -> when it was opened again, by the clock of the loop

    @property
    def sockets(self) -> list[Socket]:
        return list(self._shards.values())

    async def log_in(self) -> None:
        """Open all shards of the conduit, which is made where there is none; shared ones open later."""
        await super().log_in()
        if self._own.is_shared:
            return
        shards = [str(each) for each in range(await self._find_conduit())]
        for first in range(0, len(shards), AT_ONCE):
            await self._open(shards[first : first + AT_ONCE])

    def open_held(self) -> None:
        """Connect the shards that are dealt here, now that there are rooms for what they bring.

        It is not done before: events come by a shard as soon as Twitch is told of its connection, and what is
        of no chat that is known here would be lost, which another process would have heard.
        """
        self._opens = True
        for each in self._own.held or ():
            self.open_shard(each)

    def open_shard(self, shard: int) -> None:
        """Connect a shard that is dealt here, beside everything else, however often that must be tried."""
        if self._opens and str(shard) not in self._shards:
            self._come_back(str(shard))

    async def close_shard(self, shard: int) -> None:
        """Leave a shard; Twitch has been told of another connection, or finds out that this one is gone."""
        socket = self._shards.pop(str(shard), None)
        if socket is not None:
            await socket.close()

    def is_hearing(self, shard: int) -> bool:
        """Whether Twitch sends events by a shard."""
        socket = self._shards.get(str(shard))
        return socket is not None and bool(socket.session) and str(shard) not in self._coming

    async def grow(self) -> None:
        """Let the conduit, which is made where there is none, have as many shards as all processes want.

        Raises:
            Failure: there are several conduits.
            HTTPException: Twitch does not.
        """
        if self._own.keeps and self._count < self._own.want():
            await self._find_conduit()

    async def reconnect(self) -> None:
        """Compare the shards with what Twitch has: what is subscribed to stands without them.

        A conduit that somebody has deleted is made again, by the process that keeps it.

        Raises:
            NotConnected: it is not there yet.
        """
        if not self._conduit:
            return
        try:
            shards = {each.id: each async for each in self.api.get_conduit_shards(self._conduit)}
        except HTTPException as error:
            if error.status != 404:
                return
            self._count = 0  # until whoever keeps it has made it again
            await self._find_conduit(makes=self._own.keeps)
            shards = {}
        for shard, socket in list(self._shards.items()):
            there = shards.get(shard)
            here = None if there is None else (there.raw["status"], there.session_id)
            if here != ("enabled", socket.session):
                self._come_back(shard)

    async def ask(self, subscription: WantedSubscription) -> bool:
        return await self._subscribe(subscription, {"method": "conduit", "conduit_id": self._conduit})

    async def standing(self, account: str) -> list[EventsubSubscription]:  # noqa: ARG002  (one for all)
        answer = await self.fetch_eventsub_subscriptions(conduit_id=self._conduit)
        return [each async for each in answer.subscriptions]

    def owns(self, subscription: EventsubSubscription) -> bool:  # noqa: ARG002
        return True  # whichever shard is there gets it; the shards come back by themselves

    async def drop(self, subscription: EventsubSubscription, account: str) -> None:  # noqa: ARG002
        await self.delete_eventsub_subscription(subscription.id)

    def forget(self, slot: Slot) -> None:
        """Do nothing: a conduit has room."""

    async def _find_conduit(self, *, makes: bool = True) -> int:
        """Find or make the conduit, and count its shards; of too many, the others are given back.

        Of those who need one at a time, one alone may make it: Twitch would make another for each.

        Raises:
            Failure: there are several.
            NotConnected: there is none, and another process makes it.
        """
        conduits = (await self.api.get_conduits())["data"]
        if len(conduits) > 1:
            raise Failure(
                "Twitch has more than one conduit for this client id, and none can be chosen; "
                "delete them, or set CHATBOT_TWITCH_CONDUIT to false."
            )
        if not conduits and not makes:
            raise NotConnected("there is no conduit yet")
        if not conduits:
            conduits = (await self.api.create_conduit(max(SHARDS, self._own.want())))["data"]
        self._conduit, count = conduits[0]["id"], conduits[0]["shard_count"]
        if self._own.is_shared:
            wanted = max(count, self._own.want())
        else:
            wanted = MOST_SHARDS if count > MOST_SHARDS and not await self._is_connected() else count
        if wanted != count and makes:
            count = (await self.api.update_conduits(self._conduit, wanted))["data"][0]["shard_count"]
        self._count = count
        return count

    async def _is_connected(self) -> bool:
        """Whether a shard of the conduit is connected, by whichever program."""
        return any(
            [each.raw["status"] == "enabled" async for each in self.api.get_conduit_shards(self._conduit)]
        )

    async def _open(self, shards: Collection[str]) -> None:
        """Open shards anew.

        Raises:
            NotConnected: there is no connection.
            HTTPException: Twitch does not take them.
        """
        came = await asyncio.gather(*(self._connect() for _ in shards), return_exceptions=True)
        sockets = [each for each in came if isinstance(each, Socket)]
        if len(sockets) < len(came):
            await asyncio.gather(*(each.close() for each in sockets))
            raise NotConnected("a shard of the conduit cannot be opened")
        try:
            await self._assign(dict(zip(shards, sockets, strict=True)))
        except BaseException:
            await asyncio.gather(*(each.close() for each in sockets))
            raise
        # The old ones are closed only now: until Twitch has taken the new ones, events come by them.
        old_sockets = [self._shards[each] for each in shards if each in self._shards]
        self._shards.update(zip(shards, sockets, strict=True))
        for each in old_sockets:
            self._go(each.close())
        for shard, socket in zip(shards, sockets, strict=True):
            if not socket.session:  # it has ended before it was known
                self._come_back(shard)

    async def _assign(self, sockets: Mapping[str, Socket]) -> None:
        """Tell Twitch which connection each shard is."""
        answer = await self.api.update_conduit_shards(
            self._conduit,
            shards=[
                {"id": shard, "transport": {"method": "websocket", "session_id": each.session}}
                for shard, each in sockets.items()
            ],
        )
        if answer.get("errors"):
            raise NotConnected("Twitch does not take a shard of the conduit")

    def _note_lost(self, socket: Socket) -> None:
        for shard, each in self._shards.items():
            if each is socket:
                self._come_back(shard)

    def _note_moved(self, socket: Socket, previous: str) -> None:
        if socket.session != previous:
            for shard, each in self._shards.items():
                if each is socket:
                    self._come_back(shard)

    def _come_back(self, shard: str) -> None:
        if shard not in self._coming and not self._left and not self._is_left(shard):
            self._coming.add(shard)
            self._go(self._again(shard))

    def _is_left(self, shard: str) -> bool:
        """Whether a shard is of another process by now, or soon."""
        held = self._own.held
        return held is not None and (int(shard) not in held or int(shard) in self._own.left)

    async def _again(self, shard: str) -> None:
        """Open a shard, at once and then more rarely, until it is there, or another process has it."""
        told = await self._rest(shard)
        while not self._is_left(shard):
            try:
                if int(shard) >= self._count:
                    await self._find_conduit(makes=False)
                socket = self._shards.get(shard)
                if socket is not None and socket.session:
                    await self._assign({shard: socket})
                else:
                    await self._open([shard])
                    self._came[shard] = asyncio.get_running_loop().time()
                    self.on_return()
            except (NotConnected, HTTPException) as error:
                if not told and self._conduit:
                    log.warning("a shard of the conduit is lost", shard=shard, reason=str(error))
                told = True
                await self._wait_longer(shard, error)
            else:
                self._refusals.forget(shard)
                break
        self._coming.discard(shard)
        if shard in self._shards and not self._shards[shard].session:
            self._come_back(shard)

    async def _rest(self, shard: str) -> bool:
        """Wait where a shard is lost again before it has brought anything, and tell whether that was so.

        Each opening takes one of the program's points, of which speech needs some. What has come by a shard
        shows that the last fault is over, so that the next one is another.
        """
        lasted = asyncio.get_running_loop().time() - self._came.get(shard, -STEADY)
        socket = self._shards.get(shard)
        if socket is None or socket.session or socket.heard or lasted >= STEADY:
            self._backoff.forget(shard)
            return False
        log.warning("a shard of the conduit is lost as soon as it is there", shard=shard)
        await self._wait_longer(shard)
        return True

    async def _wait_longer(self, shard: str, error: NotConnected | HTTPException | None = None) -> None:
        """Wait before the next try; for as long as Twitch wants, where it has refused the last one."""
        refused = isinstance(error, HTTPException) and error.status != UNREACHABLE
        pause = (self._refusals if refused else self._backoff).wait(shard)
        await asyncio.sleep(max(pause, error.wait if isinstance(error, Trouble) else 0.0))
