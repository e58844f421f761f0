"""The rooms that are dealt to this process: they are taken up, answer what is carried for them, and are left.

A room is taken up when its duty is dealt to this process: its lease is taken, and its tables are resumed from
their journals. What was carried for it meanwhile is brought by the stream. When the duty is given up, nothing
is decided for the room any more, then its lease is given back, and then the duty: so the next owner waits for
nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.cluster.carrier import UNDERSTOOD_LATER, Away
from chatbot.cluster.forwarding import CarriedExchange
from chatbot.cluster.remote_chat import RemoteChat
from chatbot.ledger.store.engines import reason
from chatbot.ledger.store.leases import NotOwner
from chatbot.rooms.channel import Channel
from chatbot.rooms.room import Room
from chatbot.runtime.limits import remember
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from chatbot.bot.bot import Bot
    from chatbot.cluster.carrier import Carried, Carrier
    from chatbot.kernel.say import Message
    from chatbot.ledger.store.duties import Duties
    from chatbot.ledger.store.leases import Leases
    from chatbot.rooms.channel import Delivery
    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.line import Line

CHECK_INTERVAL = 1.0  # seconds between two looks at what could not be taken up, or left, before
VERIFY_INTERVAL = 5.0  # seconds between two looks at whether what is carried still comes here
MOST_DELIVERED = 20_000  # lines of which it is remembered whether their answers have arrived
NOT_YET = 0.5  # seconds until a line is brought again whose room is not taken up yet
ACKNOWLEDGING = 1.0  # seconds for which a process that gives rooms up waits until its answers have arrived
ANSWER_TRIES = 4  # to give an answer to the process that waits for it; then the line's channel gets it

log = structlog.get_logger(__name__)


@runtime_checkable
class EchoedAdapter(Protocol):
    """An adapter by which several processes speak in one channel, and hear it."""

    def note_echo(self, channel: str, text: str, *, moderator: bool) -> None:
        """Take note that a line of the bot was shown, and whether it is a moderator there."""

    def barred(self, channel: str) -> Message | None:
        """Return why no stake is taken in a channel; None: the bot can speak there."""


class Owning:
    """Takes rooms up and leaves them, as their duties are dealt.

    `partition` returns the duty with which a community is dealt, `remote` makes the adapter of a channel that
    a process hears, and `seek` asks all processes for the rooms of these ids that they hear.
    """

    def __init__(
        self,
        bot: Bot,
        leases: Leases,
        duties: Duties,
        carrier: Carrier,
        partition: Callable[[str], str],
        remote: Callable[[int], RemoteChat],
        seek: Callable[[Collection[str]], object],
    ) -> None:
        self._bot, self._leases, self._duties, self._carrier = bot, leases, duties, carrier
        self._partition, self.remote, self._seek = partition, remote, seek
        self._leaving: set[str] = set()  # duties that are being given up
        # Lines that were carried here and are not acknowledged yet, with the processes that may wait for
        # their answers: of two that have carried one the first may have ended, and copies come in any order.
        # And those of before, with whether their answers have arrived.
        self._working: dict[str, list[int]] = {}
        self._delivered: OrderedDict[str, bool] = OrderedDict()
        self._events: set[str] = set()  # what else was carried here and is not acknowledged yet
        self._order = asyncio.Lock()  # rooms are taken up, or left, one duty after the other
        self._checks = Periodic(bot.watch, CHECK_INTERVAL, self._check)
        self._verifications = Periodic(bot.watch, VERIFY_INTERVAL, self._verify)
        self._answers: set[asyncio.Task[None]] = set()
        self._complaint = ""
        self._work: defaultdict[str, int] = defaultdict(int)  # lines since the last look, by duty
        self.answered = 0  # lines that were carried here, since the start

    def start(self) -> None:
        """Stop rooms whose leases are lost, and try again what could not be done."""
        self._leases.when_lost = self._lose
        self._checks.start()
        self._verifications.start()

    def troubles(self) -> list[str]:
        """Return why what is dealt to this process is not done now."""
        troubles = [f"what is dealt to it cannot be taken up ({self._complaint})"] if self._complaint else []
        missing = sum(self.owns(each) and not self._carrier.takes(each) for each in self._duties.held)
        if missing:
            troubles.append(f"what is carried for {missing} of its duties does not arrive")
        return troubles

    def owns(self, duty: str) -> bool:
        """Whether the rooms of a duty are run here."""
        return duty in self._duties.held and duty not in self._leaving

    async def begin(self, names: Collection[str]) -> None:
        """Take up the rooms of duties that were dealt to this process."""
        self._leaving -= {*names}
        await self._check()
        await self._seek_standing()

    async def end(self, names: Collection[str]) -> None:
        """Leave the rooms of duties that are to be given up."""
        self._leaving |= {*names}  # until they are dealt to this process again
        async with self._order:
            for each in names:
                await self._carrier.leave(each)
            rooms = [each for each in self._rooms() if self._duty(each) in self._leaving]
            await self._bot.control.withdraw(rooms)
            communities = [each for each in self._leases.held if self._partition(each) in self._leaving]
            if communities:
                await self._leases.give_back_all(communities)
        # What was answered is acknowledged before the next owner is brought it again, which could only tell
        # that it counted. It takes a moment, but on a machine that is busy.
        if self._answers:
            await asyncio.wait(self._answers, timeout=ACKNOWLEDGING)

    async def drop(self, names: Collection[str]) -> None:
        """Leave the rooms of duties that another process has already."""
        await self.end(names)

    async def bring(self, duty: str, carried: Carried) -> None:
        """Answer what was carried for a room of a duty; it is acknowledged once it is committed."""
        if not self.owns(duty):
            return  # whoever does is brought it
        value = carried.value
        partition = self._partition(value["room"][1])
        if partition != duty:
            await self._carry_on(carried, partition)
            return
        self._work[duty] += 1
        try:
            room = await self._room(value["room"], value["from"])
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self._complain(reason(error))
            room = None
        if room is None or room.elsewhere:
            await carried.later(NOT_YET)
        elif "line" in value:
            await self._bring_line(carried, value)
        else:
            await self._bring_event(room, carried, value)

    async def _carry_on(self, carried: Carried, partition: str) -> None:
        """Carry on what came by the partition that was its room's before, such as before a union."""
        try:
            # By another id: the stream has its own already.
            await self._carrier.carry(
                partition, f"{carried.id}@{partition}", carried.value, carried.parent, carried.needs
            )
        except Away:
            await carried.later(NOT_YET)
        else:
            await carried.done()

    async def _bring_line(self, carried: Carried, value: Mapping[str, Any]) -> None:
        line, process = _barred(self._bot.rooms.at(value["room"][2]), value["line"]), value["from"]
        if line.id in self._working:
            if process not in self._working[line.id]:
                self._working[line.id].append(process)
            await carried.working()
            return
        if line.id in self._delivered:
            self._start(
                self._answer(carried, line.id, process, _empty(line), again=not self._delivered[line.id])
            )
            return
        try:
            # Its former owner may have committed it, and ended before it was acknowledged. This is asked
            # before it is noted as worked on, or it would be held back for good if nothing can be read now.
            is_known = carried.again and await self._bot.parts.deduplication.known(line.id)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self._complain(reason(error))
            await carried.later(NOT_YET)
            return
        self._working[line.id] = [process]
        log.debug("a line was brought here", line=line.id, process=process)
        if self._bot.tracer is not None:
            self._bot.tracer.bring(line.id, carried.parent)
        exchange = CarriedExchange(
            partial(self._pass_on_later, line.id),
            apart=value["apart"],
            gathers=value["gathers"],
            on_end=None if value["gathers"] else partial(self._ended, carried),
        )
        exchange.line = line
        if is_known:
            self._start(self._answer(carried, line.id, process, exchange, again=True))
        elif self._bot.accept(line, exchange):
            if value["gathers"]:
                self._start(self._gather(carried, exchange))
        elif self._bot.rooms.at(line.channel).elsewhere:
            self._working.pop(line.id, None)  # it is left to the next owner
        else:
            exchange.taken = False
            self._start(self._answer(carried, line.id, process, exchange))

    async def _gather(self, carried: Carried, exchange: CarriedExchange) -> None:
        await exchange.finished()
        await exchange.complete()
        self._ended(carried, exchange)

    def _ended(self, carried: Carried, exchange: Exchange) -> None:
        line = exchange.line
        if line is None:
            return
        room = self._bot.rooms.at(line.channel)
        if not exchange.taken and (room.elsewhere or self._bot.is_closing):
            self._working.pop(line.id, None)  # nothing was decided: the next owner answers it
            return
        self.answered += 1
        self._start(self._answer(carried, line.id, 0, exchange))

    async def _answer(
        self, carried: Carried, line: str, process: int, exchange: Exchange, *, again: bool = False
    ) -> None:
        """Give the answers to a process, or to those that are noted to wait, and acknowledge the line.

        The first that has waited gets them, and others are told that the line is answered.
        In this order: if this process ends between the two, the line is brought again, and known by its id.
        What was acted on before, and answered to a process that has ended, is told `again`.
        """
        log.debug("a line is answered", line=line, process=process, taken=exchange.taken)
        replies = exchange.close()
        value = {
            "answer": line,
            "deliveries": replies.deliveries,
            "says": tuple(exchange.gathered),
            "taken": exchange.taken,
            "more": replies.more,
            "again": again,
        }
        waiting, told = self._working.get(line, [process]), list[int]()
        is_delivered = await self._tell_waiting(waiting, told, value)
        if not is_delivered:
            for each in replies.deliveries:
                self._bot.pass_on(each)
        await carried.done()
        if self._bot.tracer is not None:
            self._bot.tracer.ended(line)
        self._working.pop(line, None)
        remember(self._delivered, line, is_delivered or bool(replies.deliveries), MOST_DELIVERED)
        # Who came to wait for it meanwhile; what nobody has got was said in the chat.
        late = {**value, "deliveries": (), "says": (), "again": not is_delivered}
        await self._tell_waiting(waiting, told, late)

    async def _tell_waiting(self, waiting: list[int], told: list[int], value: Mapping[str, object]) -> bool:
        """Tell the processes of a growing list that are not `told` yet an answer; return whether one has it.

        The others are told that the line is answered.
        """
        is_delivered = False
        while others := [each for each in waiting if each not in told]:
            told.append(others[-1])
            shown = {**value, "deliveries": (), "says": (), "again": False} if is_delivered else value
            # One that does not answer is not waited for while another one may wait.
            has_waited = await self._tell(others[-1], shown, lambda: all(each in told for each in waiting))
            is_delivered = is_delivered or has_waited
        return is_delivered

    def _pass_on_later(self, line: str, delivery: Delivery) -> None:
        process = self._working.get(line, [0])[-1]

        async def pass_on() -> None:
            if not await self._tell(process, {"later": line, "delivery": delivery}):
                self._bot.pass_on(delivery)

        self._start(pass_on())

    async def _tell(self, process: int, value: object, waits: Callable[[], bool] = lambda: True) -> bool:
        """Tell a process something, while it `waits` for it; return whether it has taken it."""
        for _ in range(ANSWER_TRIES):
            try:
                return bool(await self._carrier.ask(process, value))
            except Away:
                if not waits() or process not in {each.id for each in self._duties.members}:
                    return False
                await asyncio.sleep(NOT_YET)
        return False

    async def _bring_event(self, room: Room, carried: Carried, value: Mapping[str, Any]) -> None:
        if carried.id in self._events:
            # Not to be acknowledged by this one: of what is being decided the parts say that it is theirs.
            await carried.working()
            return
        self._events.add(carried.id)

        async def work() -> None:
            try:
                if not await self._take_event(room, value):
                    await carried.later(UNDERSTOOD_LATER)
                elif not room.elsewhere:
                    await carried.done()
            finally:
                self._events.discard(carried.id)

        self._start(work())

    async def _take_event(self, room: Room, value: Mapping[str, Any]) -> bool:
        """Take what is no line; return whether it is committed, or nothing is to be."""
        match value:
            case {"echo": text, "moderator": moderator, "channel": channel}:
                self._note_echo(room, channel, text, moderator=moderator)
            case {"occasion": occasion}:
                return room.elsewhere or await self._bot.parts.channel_events.take(room, occasion)
            case {"present": people, "channel": channel}:
                await self._bot.watching(channel, people)
            case {"redeem": line}:
                await self._bot.redemptions.redeem(_barred(room, line))
            case {"withdraw": voucher, "channel": channel}:
                await self._bot.redemptions.withdraw(voucher, channel)
            case _:  # it waits for a process that knows what that is
                log.warning("what was carried is of a kind that is not known, and waits", room=room.id)
                return False
        return True

    def _note_echo(self, room: Room, channel: str, text: str, *, moderator: bool) -> None:
        """Tell the adapter by which the bot speaks here what another process has heard of that."""
        for each in room.channels:
            if each.id == channel and each.heard and isinstance(each.adapter, EchoedAdapter):
                each.adapter.note_echo(channel, text, moderator=moderator)

    async def open_remote(self, room: str, community: str, channel: Channel, process: int) -> Room:
        """Return the room of a channel that another process hears, which is opened if necessary."""
        rooms = self._bot.rooms
        if rooms.has(channel.id):
            present = rooms.at(channel.id)
            for each in present.channels:
                if each.id == channel.id and isinstance(each.adapter, RemoteChat):
                    each.adapter.process, each.manner = process, channel.manner
            return present
        channel.adapter, channel.heard = self.remote(process), False
        return await self._bot.open(Room(room, community, (channel,)))

    async def _room(self, address: tuple[str, str, str, str], process: int) -> Room | None:
        """Return the room of a channel; None: it cannot be opened yet, as its hearer does not answer."""
        room, community, channel, platform = address
        if self._bot.rooms.has(channel):
            return self._bot.rooms.at(channel)
        try:
            manner = await self._carrier.ask(process, {"manner": channel})
        except Away:
            manner = None
        if manner is None:
            self._seek([room])
            return None
        adapter = self.remote(process)
        return await self.open_remote(room, community, Channel(channel, platform, adapter, manner), process)

    async def _check(self) -> None:
        """Take up what is ours and not taken up, and leave what is not ours."""
        async with self._order:
            try:
                await self._take_up()
                await self._leave_others()
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                self._complain(reason(error))
            else:
                self._complaint = ""
        self._measure()

    async def _verify(self) -> None:
        """Notice what another process has taken that did not know yet what is ours."""
        with suppress(Away):
            await self._carrier.verify()

    async def _take_up(self) -> None:
        rooms = [each for each in self._rooms() if each.elsewhere and self.owns(self._duty(each))]
        if rooms:
            taken = await self._bot.control.take_up(rooms)
            if taken:
                log.info("rooms are taken up", rooms=len(taken))
        # Not of partitions alone: homes are dealt with the gateway of Discord, and with the page.
        for name in sorted(self._duties.held):
            # Not by a process that was stopped, or is cut off from the database: others may have its duties
            # by now, and would be brought nothing any more.
            if self._leases.is_current and self.owns(name) and not self._carrier.takes(name):
                await self._carrier.take(name, partial(self.bring, name))

    async def _leave_others(self) -> None:
        """Leave rooms whose duty is another one than before, such as of a community that was united."""
        rooms = [
            each
            for each in self._rooms()
            if not each.elsewhere
            and not self.owns(self._duty(each))
            and self._duty(each) not in self._leaving
        ]
        if rooms:
            await self._bot.control.withdraw(rooms)
        # Also of a community that was united with another one's, and whose only room has joined one there.
        communities = [
            each
            for each in self._leases.held
            if not self.owns(self._partition(each)) and self._partition(each) not in self._leaving
        ]
        if communities:
            await self._leases.give_back_all(communities)

    async def _seek_standing(self) -> None:
        """Ask for the rooms that have open tables, and are not open here: their clocks must run."""
        try:
            standing = await self._bot.control.standing()
        except (SQLAlchemyError, OSError) as error:
            self._complain(reason(error))
            return
        missing = [each for each in standing if each not in self._bot.rooms]
        if missing:
            self._seek(missing)

    def _measure(self) -> None:
        """Note how much work each duty is: a line a second counts ten."""
        loads = dict(self._duties.loads)
        for name in self._duties.held:
            loads[name] = round(loads.get(name, 0) * 0.9 + self._work[name])
        self._work.clear()
        self._duties.loads = loads

    def note_work(self, room: Room, lines: int) -> None:
        """Count lines that are heard and answered here."""
        self._work[self._duty(room)] += lines

    def _lose(self) -> None:
        """Stop at once what is not ours any more; tables are frozen in a moment."""
        rooms = [
            each for each in self._rooms() if not each.elsewhere and each.community not in self._leases.held
        ]
        for each in rooms:
            each.elsewhere = True
        if rooms:
            log.critical("the leases of rooms are lost", rooms=len(rooms))
            self._bot.watch.ring(0.0, partial(self._bot.control.withdraw, rooms))

    def _complain(self, why: str) -> None:
        if why != self._complaint:
            log.warning("what is dealt to this process cannot be taken up yet", why=why)
        self._complaint = why

    def _duty(self, room: Room) -> str:
        return self._partition(room.community)

    def _rooms(self) -> list[Room]:
        return [each for each in self._bot.rooms.values() if each.shared]

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(_logged(work))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)


def _barred(room: Room, line: Line) -> Line:
    """Return a line with why no stake is taken, if this process, which speaks in its channel, knows why."""
    for each in room.channels:
        if each.id == line.channel and each.heard and isinstance(each.adapter, EchoedAdapter):
            return replace(line, barred=line.barred or each.adapter.barred(line.channel))
    return line


def _empty(line: Line) -> Exchange:
    """Return the exchange of a line that has no answer any more, as it was answered before."""
    exchange = CarriedExchange(lambda _: None)
    exchange.line = line
    return exchange


async def _logged(work: Any) -> None:
    try:
        await work
    except NotOwner:
        pass  # it is brought to the next owner
    except Exception:
        log.exception("what was carried here could not be answered")
