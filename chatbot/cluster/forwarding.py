"""Lines that are heard here for rooms of other processes: they are carried there, and the answers come back.

The stream keeps the order of what is carried one after the other, so lines of a room are carried by the
worker of its inbox, which carries no more of it until these are kept. While NATS is away they wait there, in
a queue that is bounded; whoever typed a command is told once that it takes a moment.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog

from chatbot.cluster.carrier import Away
from chatbot.kernel.say import Message, Say
from chatbot.rooms.channel import Delivery
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.line import Line, is_command
from chatbot.runtime.limits import remember
from chatbot.runtime.periodic import Periodic
from chatbot.runtime.trace_ids import parent_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.bot.pending_line import PendingLine
    from chatbot.cluster.carrier import Carrier
    from chatbot.rooms.room import Room

RETRY = 0.5  # seconds until lines are carried again that could not be
LONGEST_WAIT = 60.0  # seconds for which an answer is waited for
MOST_WAITING = 20_000  # lines whose answers are waited for
MOMENT = "cluster-moment"
"""The message to who typed a command while it cannot be carried."""
AGAIN = "cluster-again"
"""The message to whoever typed a command that was acted on, and whose answer was lost with its owner."""

log = structlog.get_logger(__name__)


class CarriedExchange(Exchange):
    """The exchange of a line that another process has heard, in the process that answers it."""

    __slots__ = ()


@dataclass(slots=True)
class _Waiting:
    """A line whose answer is waited for, since a time of the watch."""

    line: Line
    exchange: Exchange
    since: float
    closed: bool = False


class LineForwarding:
    """Carries what is heard here, and gives answers to whoever waits for them.

    `partition` returns the duty with which a room is dealt.
    """

    def __init__(self, bot: Bot, carrier: Carrier, process: int, partition: Callable[[Room], str]) -> None:
        self._bot, self._carrier, self._process, self._partition = bot, carrier, process, partition
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()
        self._told: dict[str, None] = {}  # channels that were told that it takes a moment
        self._sweeps = Periodic(bot.watch, 5.0, self._sweep)
        self.closing = False
        self.carried = 0  # lines, since the start

    @property
    def waiting(self) -> int:
        """How many lines have no answer yet."""
        return sum(not each.closed for each in self._waiting.values())

    def start(self) -> None:
        """Refuse from now on what was not answered in `LONGEST_WAIT` seconds."""
        self._sweeps.start()

    async def carry(self, room: Room, lines: Sequence[PendingLine]) -> None:
        """Carry lines in order; returns when they are kept, or refused after `LONGEST_WAIT` seconds."""
        own = [each for each in lines if not isinstance(each.exchange, CarriedExchange)]
        for each in lines:
            # It may come back, if this process is to run the room again before it is answered.
            self._bot.unhear(each.line)
            if isinstance(each.exchange, CarriedExchange):
                each.exchange.refuse()  # the stream still has it
        for each in own:
            entry = _Waiting(each.line, each.exchange, self._bot.watch.now())
            remember(self._waiting, each.line.id, entry, MOST_WAITING)
        values = [(each.line.id, self._value(room, each)) for each in own]
        if not await self._keep(room, values, own):
            for each in own:
                self._waiting.pop(each.line.id, None)
                each.refuse()

    async def _keep(
        self, room: Room, values: Sequence[tuple[str, Mapping[str, object]]], lines: Sequence[PendingLine]
    ) -> bool:
        loop, partition = asyncio.get_running_loop(), self._partition(room)
        until = loop.time() + LONGEST_WAIT
        while True:
            attempts = [self._carry(partition, line, value) for line, value in values]
            answers = await asyncio.gather(*attempts, return_exceptions=True)
            values = [value for value, answer in zip(values, answers, strict=True) if answer is not None]
            if not values:
                self.carried += len(lines)
                for channel in {each.line.channel for each in lines}:
                    self._told.pop(channel, None)
                return True
            if loop.time() >= until or self.closing:
                log.warning("lines could not be carried", room=room.id, lines=len(values))
                return False
            await self._tell_moment(room, lines)
            await asyncio.sleep(RETRY)
            if not room.elsewhere:  # it has become ours meanwhile
                for each in lines:
                    self._waiting.pop(each.line.id, None)
                    room.inbox.put(each)
                return True
            partition = self._partition(room)

    async def _carry(self, partition: str, line: str, value: Mapping[str, object]) -> None:
        log.debug("a line is carried", line=line, partition=partition)
        traced = None if self._bot.tracer is None else self._bot.tracer.carry(line)
        if traced is None:
            await self._carry_by(partition, line, value, parent_of(line))
            return
        span, parent = traced
        try:
            await self._carry_by(partition, line, value, parent)
        finally:
            span.end()

    async def _carry_by(self, partition: str, line: str, value: Mapping[str, object], parent: str) -> None:
        if not await self._carrier.carry(partition, line, value, parent):
            # Another process has carried it, which may have ended before it got the answer: the owner learns
            # that this one waits for it, too. It says whether there is one to be had.
            await self._carrier.carry(partition, f"{line}#{self._process}", value, parent)

    async def carry_value(self, room: Room, key: str, value: Mapping[str, object]) -> None:
        """Carry something else than a line, known by a unique key.

        Raises:
            Away: it is not kept.
        """
        await self._carrier.carry(self._partition(room), key, {**value, "from": self._process})

    async def answer(self, value: Mapping[str, Any]) -> bool:
        """Take the answers to a line; return whether somebody waited for them."""
        entry = self._waiting.get(value["answer"])
        if entry is None:
            return False
        if entry.closed:  # it was answered twice: the first answer counts
            return True
        entry.closed = True
        exchange = entry.exchange
        exchange.line = exchange.line or entry.line
        for delivery in value["deliveries"]:
            if any(exchange.shows(say) for say in delivery.says):
                exchange.say(delivery)
        exchange.gathered.extend(value["says"])
        if value["again"]:
            self._say_again(entry)
        if value["more"]:
            exchange.expect_more()
        if value["taken"]:
            exchange.finish()
        else:
            exchange.refuse()
        if not value["more"]:
            self._waiting.pop(value["answer"], None)
        return True

    async def later(self, value: Mapping[str, Any]) -> bool:
        """Take an answer that was computed after the others."""
        entry = self._waiting.get(value["later"])
        if entry is None:
            self._bot.pass_on(value["delivery"])
        else:
            entry.exchange.say(value["delivery"])
            entry.exchange.expect_less()
        return True

    def _value(self, room: Room, pending: PendingLine) -> Mapping[str, object]:
        channel = next(each for each in room.channels if each.id == pending.line.channel)
        return {
            "line": pending.line,
            "room": (room.id, room.community, channel.id, channel.platform),
            "apart": pending.exchange.apart,
            "gathers": pending.exchange.gathers,
            "from": self._process,
        }

    async def _tell_moment(self, room: Room, lines: Sequence[PendingLine]) -> None:
        """Tell each channel once that commands take a moment; its queue is in the process that runs it."""
        for each in lines:
            channel = next((one for one in room.channels if one.id == each.line.channel), None)
            if each.is_talk or channel is None or channel.id in self._told:
                continue
            self._told[channel.id] = None
            message = Message(MOMENT)
            text = self._bot.outbox.text(message, channel.manner.dress, room)
            try:
                await channel.adapter.send(Delivery(channel.id, text, None, (Say(message, event="Waiting"),)))
            except Exception:
                log.exception("a room could not be told that it takes a moment", channel=channel.id)

    def _say_again(self, entry: _Waiting) -> None:
        if not is_command(entry.line):
            return
        room = self._bot.rooms.at(entry.line.channel)
        seat = entry.line.seat or None
        self._bot.outbox.say(room, [Say(Message(AGAIN), seat, event="Refusal")], entry.exchange)

    async def _sweep(self) -> None:
        late = self._bot.watch.now() - LONGEST_WAIT
        while self._waiting and (first := next(iter(self._waiting.values()))).since < late:
            self._waiting.popitem(last=False)
            if not first.closed:
                log.warning("a line was not answered by the process that runs its room", line=first.line.id)
                first.exchange.refuse()


async def quietly(work: Any) -> bool:
    """Do something with the carrier; return whether that worked."""
    try:
        await work
    except (Away, OSError):
        return False
    return True
