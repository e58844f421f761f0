"""The bot itself: its rooms, what it consists of, and all that platforms call.

It accepts lines and events of channels. What answers them is left to the `Dispatcher`, opening and stopping
rooms to the `RoomControl`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.command import BotCommand
from chatbot.bot.pending_line import PendingLine
from chatbot.bot.redemption_desk import RedemptionDesk
from chatbot.bot.wiring import BotParts
from chatbot.rooms.exchange import Exchange, Replies
from chatbot.rooms.line import SIGN, Line, is_command
from chatbot.rooms.room import Room, hides
from chatbot.settings.community import TERMS
from chatbot.tables.fairness import Sources
from chatbot.tables.steps import behind, suggested

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from chatbot.bot.elsewhere import Elsewhere
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Say
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.channel import Delivery
    from chatbot.rooms.exchange import Later, Shows
    from chatbot.rooms.inbox import Inbox
    from chatbot.rooms.line import Occasion
    from chatbot.rooms.registry import Whereabouts
    from chatbot.runtime.clock import Watch
    from chatbot.speech.words import Words
    from chatbot.tracing import LineTracer

log = structlog.get_logger(__name__)


class Bot:
    """The bot: all rooms, tables and commands, and the methods that platforms call."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        store: Store,
        words: Words,
        watch: Watch,
        sources: Sources | None = None,
    ) -> None:
        self.parts = parts = BotParts(kits, store, words, watch, sources or Sources())
        self.kits, self.watch = parts.kits, watch
        self.people, self.members, self.ledger = parts.people, parts.members, parts.ledger
        self.rooms, self.outbox, self.events = parts.rooms, parts.outbox, parts.publisher.feeds
        self.command_index, self.balances, self.control = parts.command_index, parts.balances, parts.control
        self.heard = 0  # lines, since the start
        self.tracer: LineTracer | None = None  # None: nothing is traced
        self._deduplication, self._flood_limit = parts.deduplication, parts.flood_limit
        self._shielded, self._closing = parts.rooms.load.tasks, parts.shutdown
        self.redemptions = RedemptionDesk(
            ledger=parts.ledger,
            rooms=parts.rooms,
            routing=parts.routing,
            watch=watch,
            admits=self._is_admitted,
            serve=parts.dispatcher.serve,
            pass_on=self.pass_on,
        )

    def trace(self, tracer: LineTracer) -> None:
        """Trace the commands that are heard from now on."""
        self.tracer = self.parts.dispatcher.tracer = tracer

    def share(self, elsewhere: Elsewhere) -> None:
        """Share the rooms that are opened from now on with other processes on the same database."""
        self.control.elsewhere = self.redemptions.elsewhere = elsewhere

    async def open(self, room: Room) -> Room:
        """Open a room as `RoomControl.open` does."""
        return await self.control.open(room)

    @property
    def is_closing(self) -> bool:
        """Whether no line is accepted any more, because the bot is stopping."""
        return self._closing.begun

    def has(self, channel: str) -> bool:
        """Whether a channel that this process hears belongs to an open room."""
        return self.rooms.has(channel) and self.rooms.hears(channel)

    async def whereabouts(self, account: Account) -> str | None:
        """Return the channel in which a member plays, or else spoke last, to which a whisper is assigned.

        It may be one of a room that another process runs.
        """
        own = self.whereabouts_here(account)
        if self.control.elsewhere is not None and (own is None or not own.plays):
            return await self.control.elsewhere.whereabouts(account, own)
        return None if own is None else own.channel.id

    def whereabouts_here(self, account: Account) -> Whereabouts | None:
        """Return the same, as far as this process knows."""
        if not self.people.met(account):
            return None
        seats = self.members.linked_accounts.seats(self.people.home(account))
        return self.rooms.whereabouts(seats, account.platform)

    async def seat(self, room: Room, account: Account) -> Seat:
        """Return the seat as which an account acts in a room; one that never plays if the lookup fails."""
        with suppress(SQLAlchemyError, OSError):
            await self.people.meet([account])
        return self.members.linked_accounts.at(room, account)

    async def hear(self, line: Line, later: Later | None = None, shows: Shows | None = None) -> Replies:
        """Accept a line, once, and return the replies to it. A command is always answered, if by a refusal.

        Messages to the whole room are sent separately. Replies that are computed later, or come when this
        call was cancelled, are passed to `later`, or else sent as the messages to the room are. Those that
        the platform does not show, according to `shows`, are left out.
        """
        exchange = Exchange(later or self.pass_on, shows=shows)
        if not self._admit(self.rooms.at(line.channel), line, exchange):
            return Replies(taken=False)
        try:
            await exchange.ended()
        except asyncio.CancelledError:
            exchange.leave()
            raise
        return exchange.close()

    async def ask(self, line: Line) -> tuple[Say, ...] | None:
        """Accept a line that was said on a page, and return its answers once all that follows is done.

        None: it is not accepted, as by `hear`, and may be said again unless it was heard before. What
        concerns the whole room is sent to its chats as well.
        """
        exchange = Exchange(self.pass_on, apart=False, gathers=True)
        was_heard = self._deduplication.knows(line.id)
        if self._admit(self.rooms.at(line.channel), line, exchange):
            await exchange.finished()
            await exchange.complete()  # such as odds, which are computed beside everything else
            if exchange.taken:
                return tuple(exchange.gathered)
        if not was_heard:
            self._deduplication.forget(line.id)
        return None

    async def converse(self, line: Line) -> bool:
        """Accept a line whose answers are sent as ordinary messages of its channel, in their order.

        Return whether it was accepted.
        """
        exchange = Exchange(self.pass_on, apart=False)
        if not self._admit(self.rooms.at(line.channel), line, exchange):
            return False
        await exchange.finished()
        return exchange.taken

    def post(self, line: Line, exchange: Exchange | None = None) -> bool:
        """Accept a line as `converse` does, for who does not wait for its answers; they may go elsewhere.

        It keeps its place among the lines of its channel, also while the room is not open yet. Return whether
        it is accepted.
        """
        room = self.rooms.at(line.channel) if self.has(line.channel) else None
        return self._admit(room, line, exchange or Exchange(self.pass_on, apart=False))

    def accept(self, line: Line, exchange: Exchange) -> bool:
        """Accept a line that another process has heard for a room that is run here, once.

        Its flood limits were applied there. Return whether it is accepted.
        """
        room = self.rooms.at(line.channel)
        if room.elsewhere or self._closing.begun or not self._deduplication.fresh(line.id, line.sent):
            return False
        return room.inbox.put(PendingLine(line, exchange, self.watch.now(), is_talk=not is_command(line)))

    def unhear(self, line: Line) -> None:
        """Let a line be accepted again, because it is passed to another process and may come back."""
        self._deduplication.forget(line.id)

    def enqueue(self, channel: str, work: Callable[[], Awaitable[None]]) -> bool:
        """Run work, such as for an event, after the lines of a channel that came before it.

        Return False if too much waits there. An error is logged.
        """
        inbox = self.rooms.inbox(channel)
        accepted = inbox.enqueue(work)
        if inbox.refused:
            self._report_refused(channel, inbox)
        return accepted

    def abandon(self, channel: str) -> list[Line]:
        """Give up what waits for a room that cannot be opened now, and return the lines of it."""
        pending_lines = [each for each in self.rooms.abandon(channel) if isinstance(each, PendingLine)]
        for each in pending_lines:
            each.refuse()
        return [each.line for each in pending_lines]

    def pass_on(self, delivery: Delivery) -> None:
        """Send a reply as an ordinary message of its channel."""
        room = self.rooms.at(delivery.channel)
        channel = next(each for each in room.channels if each.id == delivery.channel)
        self.outbox.sender.put(room, channel, delivery, answer=True)

    async def notice(self, occasion: Occasion) -> None:
        """Accept an event of a channel, once."""
        room = self.rooms.at(occasion.channel)
        if room.elsewhere:
            if self.control.elsewhere is not None and self._deduplication.fresh(occasion.id, occasion.sent):
                await self._shielded.finish(self.control.elsewhere.carry_occasion(room, occasion))
            return
        try:
            await self._shielded.finish(self.parts.channel_events.take(room, occasion))
        except (SQLAlchemyError, OSError):
            log.exception("an occasion could not be noted", room=room.id, occasion=occasion.id)

    async def watching(self, channel: str, people: Mapping[Account, str]) -> None:
        """Note who is in a channel, with display names, as its platform reports every few minutes."""
        room = self.rooms.at(channel)
        if not room.elsewhere:
            await self._shielded.finish(self.parts.earning.watching(room, people))
        elif self.control.elsewhere is not None:
            await self.control.elsewhere.carry_presence(room, channel, people)

    def suggest(self, channel: str, word: str, option: str, values: Mapping[str, str]) -> Sequence[str]:
        """Return suggested values for an option of a command, given the other options."""
        return self.command_index.suggest(self.rooms.at(channel), word, option, values)

    def choices(self, channel: str, account: Account, word: str, number: int | None) -> dict[str, str]:
        """Return the words that an account can choose now for a part of a command, with their labels.

        They are for whoever plays by this account alone. None: for all that follows the command.
        """
        room, game_command = self.rooms.at(channel), self.command_index.command(word)
        seat = self.members.linked_accounts.at(room, account)
        table = room.place(game_command[0], seat) if game_command is not None else None
        if game_command is None or table is None:
            return {}
        purse = TERMS.of(room).start
        if number is None:
            labels = behind(table, seat, purse, game_command[1])
        else:
            labels = suggested(table, seat, purse, word, number)
        return {each: self.outbox.text(label, room=room) for each, label in labels.items()}

    def secret(self, room: Room, seat: Seat, text: str, table: str | None = None) -> bool:
        """Whether a line should be sent to the bot alone, at a table or else at the seat's own."""
        command_text = self.parts.aliases.written_out(room, text)
        word, words = self.command_index.split(command_text.removeprefix(SIGN))
        any_command = self.command_index.answering(room, seat, word, words)
        if any_command is None or isinstance(any_command, BotCommand):
            return False
        kit, command = any_command
        target = room.place(kit, seat) if table is None else room.table(table)
        return command.secret or (target is not None and target.kit is kit and hides(target))

    async def hurry(self, room: Room, table_id: str) -> None:
        """End the present phase of a table now, after all that house players do in it."""
        table = room.table(table_id)
        if table is not None:
            await self._shielded.finish(self.parts.routing.hurry(room, table))

    async def conclude(self) -> None:
        """Answer what waits for a moment, and tell the rooms of the rest, before platforms are left."""
        await self._closing.conclude(self._shielded)

    async def close(self) -> None:
        """Wait for lines that are being answered, start no long computation, and end all subscriptions."""
        self.parts.background.close()
        await self.settle()
        await self.parts.earning.close()
        self.events.close()

    async def settle(self) -> None:
        """Wait until the accepted lines are answered, and it is written who spoke."""
        await self._shielded.settle()
        await self.members.settle()

    def _admit(self, room: Room | None, line: Line, exchange: Exchange) -> bool:
        """Put a line into the queue of its room, which may not be open yet; False: it is not accepted."""
        if not self._is_admitted(room, line):
            return False
        pending_line = PendingLine(line, exchange, self.watch.now(), is_talk=not is_command(line))
        inbox = self.rooms.inbox(line.channel) if room is None else room.inbox
        if self.tracer is not None and not pending_line.is_talk:
            self.tracer.hear(line, exchange)
        accepted = inbox.put(pending_line)
        if self.tracer is not None and not accepted:
            self.tracer.ended(line.id)
        if inbox.refused:
            self._report_refused(line.channel, inbox)
        return accepted

    def _is_admitted(self, room: Room | None, line: Line) -> bool:
        """Whether a line is heard now, and for the first time."""
        is_left = room is not None and room.elsewhere and self.control.elsewhere is None
        if is_left or not self._deduplication.fresh(line.id, line.sent):
            return False
        self.heard += 1
        if self._closing.begun:
            if room is not None:
                self._closing.skip(room, line)
            return False
        return not line.text.startswith(SIGN) or self._flood_limit.admits(line.channel, line.account)

    def _report_refused(self, channel: str, inbox: Inbox) -> None:
        """Tell the operator now and then how many lines a full queue has refused."""
        lines = inbox.report(self.watch.now())
        if lines:
            log.warning("a chat is faster than its room: lines were dropped", channel=channel, lines=lines)
