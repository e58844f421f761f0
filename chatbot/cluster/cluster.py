"""A process of a cluster: it shares the rooms of one database with others, and what is heard for them.

PostgreSQL decides who does what (`Duties`) and what is written (`Leases`); NATS only carries. So the loss of
NATS stops no room whose chat is heard where it is run, and two processes that disagree for a moment about
who runs a room cannot both write for it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from chatbot.cluster.carrier import Away, Carrier
from chatbot.cluster.channel_names import ChannelNames
from chatbot.cluster.forwarding import LineForwarding
from chatbot.cluster.owning import Owning
from chatbot.cluster.page_streams import PageStreams
from chatbot.cluster.partitions import HOMES, UPKEEP, partition_of
from chatbot.cluster.remote_chat import RemoteChat
from chatbot.cluster.remote_entrance import RemoteEntrance
from chatbot.cluster.room_owners import RoomOwners
from chatbot.cluster.services import TELL_HEARING, DealtServices, until
from chatbot.cluster.shared_changes import SharedChanges
from chatbot.cluster.whereabouts import WhereaboutsSearch
from chatbot.ledger.store.duties import HEARING, Duties
from chatbot.ledger.store.engines import reason
from chatbot.rooms.channel import Adapter, Channel
from chatbot.runtime.limits import remember
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.bot.pending_line import PendingLine
    from chatbot.cluster.services import Service, ShardedService
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line, Occasion
    from chatbot.rooms.registry import Whereabouts
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

HANDOVER = (
    2.0  # seconds for which a platform is still heard that was given up, until another process hears it
)
LONGEST_HANDOVER = 20.0  # seconds, where the platform lets the other process connect only later
ANSWERING = 1.0  # seconds for which it then waits for answers to what it has carried
MOST_SAID = 10_000  # numbers of texts that are remembered, so that none is said twice

# Of the server and the database in it: processes that spell its address differently have the same.
_IDENTITY = text(
    "SELECT (SELECT system_identifier FROM pg_control_system()) || '-' || oid "
    "FROM pg_database WHERE datname = current_database()"
)

log = structlog.get_logger(__name__)


async def identity(store: Store) -> str:
    """Return the name of the cluster of a database on PostgreSQL, in which all of its processes are."""
    async with store.reading() as connection:
        return str((await connection.execute(_IDENTITY)).scalar_one())


class Cluster:
    """One of several processes: the one that this program is.

    `services` are what it can do beside running rooms, by their duties; what is missing is left to others.
    `bound` returns the duty with which a community is dealt that belongs to a service, given the numbers of
    shards by the duties of their platforms; None: its home is dealt by itself.
    """

    def __init__(
        self,
        *,
        store: Store,
        bot: Bot,
        carrier: Carrier,
        watch: Watch,
        services: Mapping[str, Service],
        bound: Callable[[str, Mapping[str, int]], str | None] = lambda _, __: None,
    ) -> None:
        self.bot, self.carrier, self.store = bot, carrier, store
        self._bound, self._watch = bound, watch
        self._process = store.leases.process
        self.duties = Duties(
            store,
            {*HOMES, *services, UPKEEP},
            watch,
            begin=self._begin,
            end=self._end,
            drop=self._drop,
            gave=self._tell_given,
        )
        self.services = DealtServices(
            services, self.duties, carrier, self._process, self._take_back, self._leave_channels
        )
        self.forwarding = LineForwarding(bot, carrier, self._process, self._duty_of)
        self.entrance = RemoteEntrance(bot, carrier, self._process, lambda: self.duties.members, self._start)
        self.changes = SharedChanges(bot, carrier, self._process, self._start)
        self.names = ChannelNames()
        self._numbers, self._said = count(1), OrderedDict[str, None]()
        self._was_heard: dict[str, Adapter] = {}  # the adapters of channels that others hear now
        self._tasks: set[asyncio.Task[None]] = set()
        self._looks_ready = Periodic(watch, TELL_HEARING, self.services.tell_ready)
        self._leaving = False
        self.owning = Owning(
            bot, store.leases, self.duties, carrier, self._partition, self._remote, self._seek
        )

        self._search = WhereaboutsSearch(bot, carrier, self._process, self.duties, self.owning)
        self.streams = PageStreams(carrier, self._process, watch)
        self.owners = RoomOwners(bot, self._process, self.duties, self._partition, self.is_here, self._seek)

    # Joining and leaving

    async def join(self) -> None:
        """Take part: take up rooms that are dealt to this process, and pass on what it hears for others.

        Raises:
            Failure: NATS does not answer.
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        self.bot.share(self)
        self.bot.rooms.opening.append(self._note_opened)
        await self.carrier.open(self._asked, self._announced)
        await self.entrance.start()
        self.owning.start()
        self.forwarding.start()
        self.changes.start()
        self.streams.start()
        self._looks_ready.start()
        await self.duties.join()
        await self.carrier.announce({"deal": self._process})

    async def serve(self, duty: str, service: Service) -> None:
        """Be able to do a duty from now on, in the place of what did it before.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        beginning = await self.services.serve(duty, service)
        if beginning is not None:
            self._start(beginning)

    async def serve_shards(self, platform: str, service: ShardedService) -> None:
        """Be able to hear shards of a platform, as `serve` does; `platform` is the duty of hearing it.

        Raises:
            SQLAlchemyError, OSError, TimeoutError: the database does not answer.
        """
        for beginning in await self.services.serve_shards(platform, service):
            self._start(beginning)

    async def leave(self) -> None:
        """Give everything to others at once; what is heard here is passed on until another one hears it."""
        self._leaving = True
        heard = {each for each in self.duties.held if each.startswith(HEARING)}
        try:
            await self.duties.leave(heard)
            await self._end(heard)
            await self.duties.give(heard)
        except (SQLAlchemyError, OSError) as error:  # then they are taken over by the clock
            log.warning("what is dealt to this process could not be given up", why=reason(error))
            await self.services.end(heard)
        await self.services.finish()
        await until(lambda: not self.forwarding.waiting, ANSWERING)
        self.forwarding.closing = True

    async def close(self) -> None:
        """Leave the carrier; nothing is passed on any more."""
        self.forwarding.closing = True
        self.changes.stop()
        self._looks_ready.stop()
        self.entrance.stop()
        await self.streams.close()
        await self.duties.close()
        await self.carrier.close()

    def figures(self) -> Mapping[str, float]:
        """Return the figures of this process for who watches it, by the names of `chatbot.metrics`."""
        alive = {each.id for each in self.duties.members}
        silence = max((each.age for each in self.duties.members), default=0)  # milliseconds
        return {
            "rabble_cluster_processes": len(alive),
            "rabble_cluster_silence_seconds": silence / 1000,
            "rabble_cluster_duties": len(self.duties.held),
            "rabble_cluster_duties_free": sum(each.owner not in alive for each in self.duties.dealt),
            "rabble_cluster_carried_total": self.forwarding.carried,
            "rabble_cluster_brought_total": self.owning.answered,
            "rabble_cluster_unanswered": self.forwarding.waiting,
            "rabble_cluster_pages_carried": self.streams.opened,
            "rabble_cluster_pages_answered": self.streams.accepted,
            "rabble_cluster_carrier_connected": float(self.carrier.connected),
        }

    def troubles(self) -> Sequence[str]:
        """Return why this process cannot do its part now."""
        reasons = [] if self.carrier.connected else ["NATS is not connected"]
        if self._leaving:
            return [*reasons, "it gives its rooms to others"]
        return [*reasons, *self.duties.troubles(), *self.owning.troubles()]

    def does(self, duty: str) -> bool:
        """Whether a duty is dealt to this process."""
        return duty in self.duties.held

    # What other processes are to the bot

    def is_here(self, community: str) -> bool:
        """Whether this process is to run the rooms of a community."""
        return self.owning.owns(self._partition(community))

    async def whereabouts(self, account: Account, own: Whereabouts | None) -> str | None:
        """Return where a member plays, or else spoke last, in the rooms of all processes."""
        return await self._search.find(account, own)

    async def carry(self, room: Room, lines: Sequence[PendingLine]) -> None:
        """Pass lines to the process that runs a room."""
        await self.forwarding.carry(room, lines)

    async def carry_occasion(self, room: Room, occasion: Occasion) -> None:
        """Pass an event of a channel on; what cannot be passed now is lost, and logged."""
        value = {"occasion": occasion, "room": self._address(room, occasion.channel)}
        try:
            await self.forwarding.carry_value(room, occasion.id, value)
        except Away as error:
            log.warning("an occasion could not be carried", occasion=occasion.id, why=str(error))

    async def carry_presence(self, room: Room, channel: str, people: Mapping[Account, str]) -> None:
        """Pass on who is in a channel; in some minutes it is reported again."""
        key = f"present-{channel}-{self._process}-{next(self._numbers)}"
        value = {"present": dict(people), "channel": channel, "room": self._address(room, channel)}
        with suppress(Away):
            await self.forwarding.carry_value(room, key, value)

    async def carry_echo(self, room: Room, channel: str, text: str, *, moderator: bool) -> None:
        """Pass on what the bot was seen to say; the next line of it says the same of its role."""
        key = f"echo-{channel}-{self._process}-{next(self._numbers)}"
        value = {"echo": text, "moderator": moderator, "channel": channel}
        with suppress(Away):
            address = {"room": self._address(room, channel)}
            await self.forwarding.carry_value(room, key, {**value, **address})

    async def carry_redemption(self, room: Room, line: Line) -> None:
        """Pass a line on that a platform was paid for.

        Raises:
            Away: it cannot be passed now.
        """
        value = {"redeem": line, "room": self._address(room, line.channel)}
        await self.forwarding.carry_value(room, f"redeem-{line.id}", value)

    async def carry_withdrawal(self, room: Room, voucher: str, channel: str) -> None:
        """Pass on that a platform has given a stake back.

        Raises:
            Away: it cannot be passed now.
        """
        value = {"withdraw": voucher, "channel": channel, "room": self._address(room, channel)}
        await self.forwarding.carry_value(room, f"withdraw-{voucher}", value)

    def _address(self, room: Room, channel: str) -> tuple[str, str, str, str]:
        platform = next(each.platform for each in room.channels if each.id == channel)
        return room.id, room.community, channel, platform

    def _partition(self, community: str) -> str:
        home = self.bot.parts.bridges.holder(community)
        return self._bound(home, self.duties.shards) or partition_of(home)

    def _duty_of(self, room: Room) -> str:
        return self._partition(room.community)

    # What is dealt

    async def _begin(self, names: Collection[str]) -> None:
        for task in self.services.begin(names):
            # Beside everything else: a platform takes seconds to connect, and rooms must not wait for it.
            self._start(task)
        await self.owning.begin(names)

    async def _end(self, names: Collection[str]) -> None:
        """Leave the rooms of duties that are to be given up; platforms are heard a while longer."""
        await self.owning.end(names)
        heard = {each for each in names if each.startswith(HEARING)}
        await self.services.end({*names} - heard)
        self.services.linger(heard)

    async def _drop(self, names: Collection[str]) -> None:
        await self.owning.drop(names)
        await self.services.end(names)

    async def _tell_given(self, _: Collection[str]) -> None:
        await self.carrier.announce({"deal": self._process})

    # What processes tell each other

    async def _asked(self, value: Mapping[str, Any]) -> object:
        """Answer what another process asks of this one alone."""
        answering: dict[str, Callable[[Mapping[str, Any]], Awaitable[object]]] = {
            "answer": self.forwarding.answer,
            "later": self.forwarding.later,
            "page": self.entrance.answer,
            "streams": self.streams.answer,
        }
        for kind, answer in answering.items():
            if kind in value:
                return await answer(value)
        if "say" in value:
            return await self._say(value["say"], value["number"])
        if "heard" in value:
            await self._note_heard(value)
        elif "at" in value:
            self._search.take(value)
        elif "manner" in value:
            channel = self._channel(value["manner"])
            return channel.manner if channel is not None and channel.heard else None
        else:
            raise ValueError("that kind of question is not known")
        return True

    async def _announced(self, value: Mapping[str, Any]) -> None:
        """Take what a process tells all others."""
        if value.get("from") == self._process:
            return
        if "deal" in value:
            self._start(self._look())
        elif "hears" in value:
            self.services.note_hearer(value["hears"])
        elif "page" in value:
            self.entrance.note(value)
        elif "seek-page" in value:
            await self.entrance.tell()
        elif "page-closed" in value:
            self.entrance.forget(value)
        else:
            await self._announced_of_rooms(value)

    async def _announced_of_rooms(self, value: Mapping[str, Any]) -> None:
        """Take what is told, or asked, of who is where, and of who hears what."""
        if "seek" in value:
            await self._answer_seek(value)
        elif "where" in value:
            self._start(self._search.answer(value))
        elif "heard" in value:
            await self._note_heard(value)
        else:
            self._start(self.changes.take(value))

    async def _look(self) -> None:
        if not self._leaving:
            with suppress(SQLAlchemyError, OSError, TimeoutError):
                await self.duties.look()

    async def _say(self, delivery: Any, number: str) -> bool:
        """Say something in a channel that is heard here; False: it is not."""
        channel = self._channel(delivery.channel)
        if channel is None or not channel.heard:
            return False
        if number not in self._said:
            remember(self._said, number, None, MOST_SAID)
            await channel.adapter.send(delivery)
        return True

    def _channel(self, channel: str) -> Channel | None:
        if not self.bot.rooms.has(channel):
            return None
        return next((each for each in self.bot.rooms.at(channel).channels if each.id == channel), None)

    # Who hears what

    def _remote(self, process: int) -> RemoteChat:
        return RemoteChat(
            self.carrier, process, lambda: f"{self._process}-{next(self._numbers)}", self._seek_channel
        )

    def _seek(self, rooms: Collection[str]) -> None:
        self._start(self.carrier.announce({"seek": tuple(rooms), "from": self._process}))

    def _seek_channel(self, name: str) -> Adapter | None:
        """Return the adapter of a channel that is heard here by now; None: others are asked."""
        channel = self._channel(name)
        if channel is not None and channel.heard:
            return channel.adapter
        if channel is not None:
            self._seek([self.bot.rooms.at(name).id])
        return None

    async def _answer_seek(self, value: Mapping[str, Any]) -> None:
        """Tell who asks which channels of rooms are heard here."""
        for room_id in value["seek"]:
            room = self.bot.rooms.get(room_id)
            for channel in room.channels if room is not None else ():
                if channel.heard and room is not None:
                    self._start(self._tell_heard(value["from"], room, channel))

    async def _tell_heard(self, process: int, room: Room, channel: Channel) -> None:
        with suppress(Away):
            await self.carrier.ask(process, self._heard(room, channel))

    def _heard(self, room: Room, channel: Channel) -> Mapping[str, object]:
        address = self._address(room, channel.id)
        value = {"heard": address, "manner": channel.manner, "from": self._process}
        return {**value, "names": self.names.describe(channel.id)}

    def _note_opened(self, room: Room) -> None:
        """Tell all others that channels are heard here, such as when another process heard them before."""
        for channel in room.channels:
            if channel.heard and room.shared:
                self._start(self.carrier.announce(self._heard(room, channel)))
            elif room.shared:
                self._claim(room, channel)
                if not self.names.knows(channel.id):
                    self._seek([room.id])

    async def _note_heard(self, value: Mapping[str, Any]) -> None:
        """Note that another process hears a channel; open its room if that is to be run here."""
        room, community, name, platform = value["heard"]
        if value.get("names") is not None:
            self.names.note(name, value["names"])
        channel = self._channel(name)
        if channel is not None:
            if channel.heard and (self.services.is_everywhere(channel) or self._is_to_hear(channel)):
                return  # who heard it before may tell so late
            if channel.heard:
                self._leave_channel(channel, value["from"])
            elif isinstance(channel.adapter, RemoteChat):
                channel.adapter.process = value["from"]
            channel.manner = value["manner"]
        elif self.is_here(community):
            remote = Channel(name, platform, self._remote(value["from"]), value["manner"], heard=False)
            await self.owning.open_remote(room, community, remote, value["from"])

    def _is_to_hear(self, channel: Channel) -> bool:
        """Whether a duty of this process is to hear a channel that it hears, and so of no other one."""
        origin = self._origin(self.bot.rooms.at(channel.id), channel)
        heard = [each for each in self.duties.held if each.startswith(HEARING)]
        return any(self.services.is_heard_by(each, channel, origin) for each in heard)

    def _leave_channel(self, channel: Channel, process: int) -> None:
        self._was_heard[channel.id] = channel.adapter
        channel.adapter, channel.heard = self._remote(process), False

    def _leave_channels(self, duty: str) -> None:
        """Hear the channels of a platform no more; it is asked who does when something is said there."""
        for room, channel in self._channels():
            if channel.heard and self.services.is_heard_by(duty, channel, self._origin(room, channel)):
                self._leave_channel(channel, 0)

    def _take_back(self, duty: str) -> None:
        """Hear the channels of a platform that another process has heard before."""
        for room, channel in [*self._channels()]:
            if channel.heard or not self.services.is_heard_by(duty, channel, self._origin(room, channel)):
                continue
            if channel.id in self._was_heard:
                channel.adapter, channel.heard = self._was_heard.pop(channel.id), True
                self._note_opened(room)
            else:
                self._claim(room, channel)

    def _claim(self, room: Room, channel: Channel) -> None:
        for claiming in self.services.claims(channel, self._origin(room, channel)):
            self._start(claiming)

    def _origin(self, room: Room, channel: Channel) -> str:
        """Return the community in which a channel is by itself, whatever room it has joined."""
        return self.bot.parts.bridges.origin(channel.id) or room.community

    def _channels(self) -> Iterator[tuple[Room, Channel]]:
        return ((room, channel) for room in self.bot.rooms.values() for channel in room.channels)

    def _start(self, work: Awaitable[object]) -> None:
        task = asyncio.ensure_future(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _logged(work: Awaitable[object]) -> None:
    try:
        await work
    except Exception:
        log.exception("what is shared with other processes failed")
