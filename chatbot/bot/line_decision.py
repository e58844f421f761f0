"""Decides one line of a room within a batch: what it asks for, whether it may, and what is said to it.

Nothing is sent before the batch is committed. When a line is decided, with which others, and what becomes of
one that fails, is left to the `Dispatcher`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.bot.command import BotCommand
from chatbot.bot.pending_line import Route
from chatbot.bot.routing import seat_speaker, seating, topic_of
from chatbot.kernel.game import Refusal
from chatbot.kernel.lobby import START
from chatbot.kernel.say import Message, Say
from chatbot.rooms.batch import carry_out
from chatbot.rooms.line import SIGN
from chatbot.rooms.request import Request, quoted_as_typed

if TYPE_CHECKING:
    from chatbot.bot.access import Access
    from chatbot.bot.command_index import Aliases, CommandIndex
    from chatbot.bot.deduplication import Deduplication
    from chatbot.bot.hints import NewcomerHints
    from chatbot.bot.line_listeners import LineListeners
    from chatbot.bot.pending_line import PendingLine
    from chatbot.bot.routing import Routing
    from chatbot.community.confirmations import Confirmations
    from chatbot.community.members import CommunityMembers
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.commands import Command
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

PROBE_INTERVAL = 10.0  # seconds after which a line that is no command tries a failing database again
LONGEST_WAIT = 10.0  # seconds after which a command that still waits is refused, as its sender has given up
LOOK_AGAIN = "look-again"  # id of the message that it is not known whether a command was played


class LineDecision:
    """Decides lines, each by itself; one serves all rooms."""

    def __init__(
        self,
        *,
        store: Store,
        ledger: Ledger,
        members: CommunityMembers,
        line_listeners: LineListeners,
        command_index: CommandIndex,
        aliases: Aliases,
        access: Access,
        confirmations: Confirmations,
        hints: NewcomerHints,
        routing: Routing,
        deduplication: Deduplication,
        outbox: Outbox,
        watch: Watch,
    ) -> None:
        self._store, self._ledger, self._members = store, ledger, members
        self._people = members.people
        self._line_listeners = line_listeners
        self._command_index, self._aliases, self._access = command_index, aliases, access
        self._confirmations, self._hints, self._routing = confirmations, hints, routing
        self._deduplication, self._outbox, self._watch = deduplication, outbox, watch
        self._probed = 0.0  # when a line that is no command last used the database, on the watch

    @property
    def may_probe(self) -> bool:
        """Whether lines that are no command may use the database now, which may be failing."""
        return self._store.well or self._watch.now() >= self._probed + PROBE_INTERVAL

    def with_sender(self, room: Room, pending: PendingLine) -> Line:
        """Return the line with its speaker, which is kept with it, as it is asked for at each step."""
        if pending.version == self._people.version:
            return pending.line
        pending.line = line = self._members.linked_accounts.with_sender(room, pending.line)
        # Of a person with several seats the one that sits at a table speaks, which may change at any step.
        pending.version = self._people.version if len(line.linked_accounts) == 1 else -1
        return line

    def spoken(self, room: Room, pending: PendingLine) -> Line:
        """Return the line with its speaker, and note that in its exchange."""
        pending.exchange.line = line = self.with_sender(room, pending)
        self._outbox.selector.note(room, line)
        return line

    def stands_alone(self, room: Room, pending: PendingLine) -> bool:
        """Whether a line is decided by itself, and not with those around it.

        These are commands that are no move in a game, and lines that need other reads or writes first.
        """
        line = self.with_sender(room, pending)
        if (
            self._line_listeners.must_write(room, line)
            or not self._store.well
            or self._members.must_ask(room, line)
        ):
            return True
        if pending.is_talk:
            return False
        pending.route = route = self._find_route(room, line)
        if route.target is None or isinstance(route.target, BotCommand):
            return True
        kit, command = route.target
        if line.voucher is not None or room.stopped or room.lost or topic_of(kit, command, route.words):
            return True
        # A late command is still accepted while its table is open.
        return self._watch.now() - pending.came > LONGEST_WAIT and not room.playing(kit.name)

    def _find_route(self, room: Room, line: Line) -> Route:
        """Find what answers a command."""
        line = self._aliases.resolve(room, line)
        word, words = self._command_index.split(line.text.removeprefix(SIGN))
        invitation = None if words else self._command_index.invitation(room, line.seat, word)
        if invitation is not None:
            return Route(line, invitation[1].word, (word,), invitation)
        starting = None if words else self._command_index.starting(room, line.seat, word)
        if starting is not None:
            return Route(line, starting[1].word, (START,), starting)
        return Route(line, word, words, self._command_index.answering(room, line.seat, word, words))

    async def decide(self, room: Room, pending: PendingLine, batch: Batch, *, alone: bool) -> None:
        """Decide a line; if it raises, the batch cannot be committed."""
        line = self.spoken(room, pending)
        try:
            await self._hear(batch, room, line, pending, alone=alone)
        except Refusal as refusal:
            if line.text.startswith(SIGN):
                batch.then(partial(self.refuse, room, line, pending.exchange, refusal.message))
        batch.then(pending.exchange.end)

    async def _hear(self, batch: Batch, room: Room, line: Line, pending: PendingLine, *, alone: bool) -> None:
        now = self._watch.now()
        if not pending.is_talk and alone and now - pending.came > LONGEST_WAIT:
            raise Refusal(Message("try-again"))
        if self._people.met(line.account):
            room.note_active(line.seat, now)
            if room.is_missed(line.seat):
                batch.then(partial(room.welcome_back, line.seat))
        if pending.is_talk and not self.may_probe:
            return  # otherwise all lines, and the commands behind them, would wait for the database
        self._probed = now
        if alone:
            # Before it, for it may be about what they are given by it.
            if not self._members.is_noted(room, line):
                await carry_out(self._ledger, partial(self._members.greet, room=room, line=line))
            await self._line_listeners.heard(room, line)
        else:
            await self._members.greet(batch, room, line)
            batch.then(partial(self._line_listeners.talked, room, line))  # the others have nothing to do
        seat = partial(seat_speaker, room=room, line=line, linked_accounts=self._members.linked_accounts)
        if pending.is_talk:
            await seat(batch)
            return
        route = pending.route or self._find_route(room, line)
        request = Request(room, route.line, route.words, batch, pending.exchange)
        if route.target is not None and not isinstance(route.target, BotCommand):
            await self._play_and_seat(batch, request, *route.target)
            return
        if any(True for _ in seating(room, line, self._members.linked_accounts)):
            await carry_out(self._ledger, seat)  # first, as the command may call off the very table
        await self._run(batch, request, route.word, route.target)

    async def _play_and_seat(self, batch: Batch, request: Request, kit: AnyKit, command: Command) -> None:
        """Play a move, which seats the speaker at its table in the same step, and seat them elsewhere.

        A posting of its own for the seat would cost a crowd that joins as much as the move itself.
        """
        seat = partial(seat_speaker, batch, request.room, request.line, self._members.linked_accounts)
        try:
            await self._play(batch, request, kit, command)
        except Refusal:
            await seat()
            raise
        await seat()

    async def _play(self, batch: Batch, request: Request, kit: AnyKit, command: Command) -> None:
        """Play a move in a game, or answer a question about it."""
        room, line, exchange = request.room, request.line, request.exchange
        topic = topic_of(kit, command, request.words)
        if not topic and line.manner is not None and line.is_by_operator:
            raise Refusal(Message("operator-plays-not"))
        if not topic and not await self._first(batch, line):
            return
        use = self._access.admit(request, (kit, command))
        if topic:
            says = await self._routing.explain(request, kit, topic)
            batch.then(partial(self._outbox.say, room, says, exchange))
            batch.undo(self._access.passed(use))
            return
        if room.stopped:
            raise Refusal(Message(room.stopped))
        batch.full = batch.full or command.slow
        await self._routing.play(request, kit, command)
        batch.undo(self._access.passed(use))
        if command is kit.chat.commands[0]:
            await self._hints.joined(batch, room, line, kit)

    async def _run(self, batch: Batch, request: Request, word: str, command: BotCommand | None) -> None:
        """Run a command of the bot."""
        room, line = request.room, request.line
        if command is None:
            says = self._hints.mistyped(room, line, word)
        elif command.reads or await self._first(batch, line):
            use = self._access.admit(request, command)
            says = await self._confirmations.answering(request, command.word, command.answer)
            batch.undo(self._access.passed(use))
        else:
            return
        batch.then(partial(self._outbox.say, room, says, request.exchange))

    async def _first(self, batch: Batch, line: Line) -> bool:
        """Whether a line was not acted on before; that it is now is written with the batch."""
        batch.then(self._deduplication.sweep)
        return await batch.unit.first(line.id, self._watch.date())

    def refuse(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        """Answer a command by why nothing was done; what was paid for it outside of chat comes back."""
        secret = line.private or line.barred is not None
        if line.voucher is not None and line.barred is None and message.id != LOOK_AGAIN:
            message = Message("voucher-returned", {"why": message})
        refusal = Say(quoted_as_typed(line, message), line.seat, secret=secret, event="Refusal")
        self._outbox.say(room, [refusal], exchange)
