"""Answers the lines of a room in their order, and writes what they decide, of many lines in one commit.

Nothing is sent before its commit. A line that cannot be decided together with others, or whose common commit
fails, is answered with a commit of its own.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.command import BotCommand, Found
from chatbot.bot.routing import seat_speaker, seating, topic_of
from chatbot.kernel.game import Refusal
from chatbot.kernel.lobby import START
from chatbot.kernel.say import Message, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Exhausted, LostAnswer
from chatbot.ledger.store.engines import reason
from chatbot.ledger.store.writes import Contradiction
from chatbot.rooms.batch import MOST_ATTEMPTS, Batch, carry_out
from chatbot.rooms.exchange import Exchange
from chatbot.rooms.line import SIGN, Line
from chatbot.rooms.request import Request, quoted_as_typed
from chatbot.rooms.table import BrokenGame

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from chatbot.bot.access import Access
    from chatbot.bot.admission import Deduplication
    from chatbot.bot.command_index import Aliases, CommandIndex
    from chatbot.bot.hints import NewcomerHints
    from chatbot.bot.line_listeners import LineListeners
    from chatbot.bot.routing import Routing
    from chatbot.bot.shutdown import Shutdown
    from chatbot.community.confirmations import Confirmations
    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.commands import Command
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.rooms.table import Table
    from chatbot.runtime.clock import Watch

PROBE_INTERVAL = 10.0  # seconds after which a line that is no command tries a failing database again
CROWD = 10  # lines with a common commit after which the next ones gather
LONGEST_WAIT = 10.0  # seconds after which a command that still waits is refused, as its sender has given up
LOOK_AGAIN = "look-again"  # id of the message that it is not known whether a command was played

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Route:
    """A command after aliases were resolved: its word, the other words, and what answers it."""

    line: Line
    word: str
    words: tuple[str, ...]
    found: Found | None


@dataclass(eq=False, slots=True)
class PendingLine:
    """A line that waits to be answered; `came` is when it arrived, in seconds of the watch."""

    line: Line
    exchange: Exchange
    came: float
    is_talk: bool  # whether it needs no answer
    answered: bool = False
    route: _Route | None = None
    version: int = -1  # `People.version` when the speaker was filled in; negative: not in a way that lasts

    def refuse(self) -> None:
        """Leave it without an answer, as if it had not been accepted, if it has none yet."""
        if self.answered:
            self.exchange.finish()
        else:
            self.answered = True
            self.exchange.refuse()

    def fail(self, error: Exception) -> None:
        """Leave it without an answer, because of an error of the program, if it has none yet."""
        self.exchange.finish(None if self.answered else error)
        self.answered = True


class Dispatcher:
    """Answers lines; one serves all rooms, which do not wait for each other."""

    def __init__(
        self,
        *,
        store: Store,
        ledger: Ledger,
        members: CommunityMembers,
        rooms: Rooms,
        settings_changes: SettingsChanges,
        line_listeners: LineListeners,
        command_index: CommandIndex,
        aliases: Aliases,
        access: Access,
        confirmations: Confirmations,
        hints: NewcomerHints,
        routing: Routing,
        receipts: ReceiptLimits,
        deduplication: Deduplication,
        outbox: Outbox,
        watch: Watch,
        closing: Shutdown,
    ) -> None:
        self._closing = closing
        self._store, self._ledger, self._members, self._rooms = store, ledger, members, rooms
        self._settings_changes, self._line_listeners = settings_changes, line_listeners
        self._command_index, self._aliases, self._access = command_index, aliases, access
        self._confirmations, self._hints = confirmations, hints
        self._routing, self._receipts = routing, receipts
        self._deduplication, self._outbox, self._watch = deduplication, outbox, watch
        self._people = members.people
        self._probed = 0.0  # when a line that is no command last used the database, on the watch

    async def serve(self, room: Room, lines: Sequence[PendingLine]) -> None:
        """Answer lines of a room, which may have got another one while they waited."""
        await self._serve(room, deque(lines))
        for pending in lines:
            if pending.answered:
                pending.exchange.finish()

    async def _serve(self, room: Room, waiting: deque[PendingLine]) -> None:
        """Answer lines, as many as possible with a common commit."""
        if self._closing.refusing:
            self._skip(room, waiting)
            return
        await self._meet(room, waiting)
        async with room.order:
            await self._greet(room, waiting)
            while waiting:
                here = self._rooms.at(waiting[0].line.channel) is room
                if self._closing.refusing:
                    self._skip(room, waiting)
                elif not here:
                    self._pass_on(waiting.popleft())
                else:
                    await self._answer(room, waiting)

    def _skip(self, room: Room, waiting: deque[PendingLine]) -> None:
        """Leave lines without an answer, because the bot is stopping."""
        while waiting:
            pending = waiting.popleft()
            self._closing.skip(room, pending.line)
            pending.refuse()

    def _pass_on(self, pending: PendingLine) -> None:
        """Let a line wait in the room that its channel has joined."""
        if not self._rooms.inbox(pending.line.channel).put(pending):
            pending.refuse()

    async def _meet(self, room: Room, lines: Collection[PendingLine]) -> None:
        """Look up the speakers; one who cannot be looked up now is looked up with their next line."""
        probing = self._store.well or self._watch.now() >= self._probed + PROBE_INTERVAL
        wanted = [each.line.account for each in lines if probing or not each.is_talk]
        try:
            if wanted:
                await self._people.certain()
            await self._people.meet(wanted)
        except (SQLAlchemyError, OSError) as error:
            log.warning("who speaks cannot be looked up", lines=len(lines), error=reason(error))
        for each in lines:
            line = self._with_sender(room, each)
            self._members.meet(line.home, line.name)

    async def _greet(self, room: Room, waiting: Iterable[PendingLine]) -> None:
        """Greet the newcomers among those whose lines stand alone, in one commit before them.

        Whoever cannot be greeted so is greeted before their line.
        """
        new = [
            self._with_sender(room, pending)
            for pending in waiting
            if self._store.well and self._is_new(room, pending)
        ]
        if new:
            with suppress(Exception):  # it occurs again, and is reported, with the line
                await carry_out(self._ledger, partial(self._greet_all, room=room, lines=new))

    async def _greet_all(self, batch: Batch, room: Room, lines: Sequence[Line]) -> None:
        gifts = [gift for each in lines if (gift := self._members.welcome(room, each.home)) is not None]
        purses_ = [name for gift in gifts for name in gift.purses()]
        await batch.unit.expect(purses_, postings=[gift.id for gift in gifts])
        for each in lines:
            await self._members.greet(batch, room, each)

    def _is_new(self, room: Room, pending: PendingLine) -> bool:
        """Whether a line is the command of a newcomer, and stands alone."""
        line = self._with_sender(room, pending)
        if pending.is_talk or self._members.is_known(room, line) or self._rooms.at(line.channel) is not room:
            return False
        asks = self._settings_changes.is_stale(room) or self._members.must_ask(room, line)
        return not asks and self._stands_alone(room, pending)

    def _stands_alone(self, room: Room, pending: PendingLine) -> bool:
        """Whether a line is decided by itself, and not with those around it.

        These are commands that are no move in a game, and lines that need other reads or writes first.
        """
        line = self._with_sender(room, pending)
        if (
            self._line_listeners.must_write(room, line)
            or not self._store.well
            or self._members.must_ask(room, line)
        ):
            return True
        if pending.is_talk:
            return False
        pending.route = route = self._route(room, line)
        if route.found is None or isinstance(route.found, BotCommand):
            return True
        kit, command = route.found
        if line.voucher is not None or room.stopped or room.lost or topic_of(kit, command, route.words):
            return True
        # A late command is still accepted while its table is open.
        return self._watch.now() - pending.came > LONGEST_WAIT and not room.playing(kit.name)

    def _route(self, room: Room, line: Line) -> _Route:
        """Find what answers a command."""
        line = self._aliases.resolve(room, line)
        word, words = self._command_index.split(line.text.removeprefix(SIGN))
        invitation = None if words else self._command_index.invitation(room, line.seat, word)
        if invitation is not None:
            return _Route(line, invitation[1].word, (word,), invitation)
        starting = None if words else self._command_index.starting(room, line.seat, word)
        if starting is not None:
            return _Route(line, starting[1].word, (START,), starting)
        return _Route(line, word, words, self._command_index.answering(room, line.seat, word, words))

    async def _answer(self, room: Room, waiting: deque[PendingLine], attempt: int = 1) -> None:
        """Answer the first waiting lines in one unit of work, and remove them.

        What the database contradicts, or where one of several lines fails, is answered line by line.
        """
        batch, taken = Batch(self._ledger.unit(wary=attempt > 1)), list[PendingLine]()
        try:
            await self._decide_first(room, waiting, batch, taken)
            await batch.commit()
        except Exception as error:  # noqa: BLE001  (it is reported, or occurs again with a single line)
            await batch.take_back(error)
            taken = taken or [waiting.popleft()]  # what they need could not even be read
            await self._recover(room, batch, taken, error, attempt)
            return
        for pending in taken:
            pending.answered = True
        if len(taken) >= CROWD:
            room.inbox.gather()
        await batch.tell()

    async def _decide_first(
        self, room: Room, waiting: deque[PendingLine], batch: Batch, taken: list[PendingLine]
    ) -> None:
        """Decide the first waiting lines as far as they can be decided together, and move them to `taken`."""
        alone = self._stands_alone(room, waiting[0])
        if alone:
            taken.append(waiting.popleft())
            await self._decide(room, taken[0], batch, alone=True)
            return
        await self._prefetch(room, batch, waiting)
        async with self._receipts.prefetched(room, self._joining(room, waiting)):
            while waiting:
                pending = waiting[0]
                here = self._rooms.at(pending.line.channel) is room
                late = batch.full or (taken and self._closing.refusing)
                if late or not here or (taken and (self._stands_alone(room, pending) or _is_slow(pending))):
                    break
                taken.append(waiting.popleft())
                await self._decide(room, pending, batch, alone=False)

    async def _recover(
        self, room: Room, batch: Batch, taken: list[PendingLine], error: Exception, attempt: int
    ) -> None:
        """Deal with lines of which nothing was written, or it is not known whether anything was."""
        if isinstance(error, LostAnswer):
            log.warning(
                "what was committed is not known", room=room.id, lines=len(taken), reason=reason(error)
            )
            self._routing.look_again(room)
            for pending in taken:
                self._doubt(room, pending)
            return
        contradicted = isinstance(error, Contradiction) and not batch.wrote
        if contradicted:
            room.lost = True  # what is known of its tables and chains may be wrong, too
            self._people.forget_new(each.line.account for each in taken)
            await self._meet(room, taken)
        if len(taken) == 1 and (not contradicted or attempt >= MOST_ATTEMPTS):
            await self._fail(room, taken[0], error)
            return
        log.debug("lines are answered one by one", room=room.id, lines=len(taken), reason=repr(error))
        for pending in taken:
            await self._answer(room, deque([pending]), attempt + contradicted)

    def _doubt(self, room: Room, pending: PendingLine) -> None:
        pending.answered = True
        if pending.line.text.startswith(SIGN):
            self._refuse(room, self._spoken(room, pending), pending.exchange, Message(LOOK_AGAIN))
        pending.exchange.end()

    async def _prefetch(self, room: Room, batch: Batch, waiting: Sequence[PendingLine]) -> None:
        """Read all data that the lines will need in a few queries."""
        lines = [self._with_sender(room, pending) for pending in waiting]
        commands = [each for each in lines if each.text.startswith(SIGN)]
        new = [each for each in lines if not self._members.is_noted(room, each)]
        if not commands and not new:
            return
        gifts = [self._members.welcome(room, each.home) for each in new]
        tables = [table for table in room.tables.values() if not table.over]
        games = {table.kit.name for table in tables}
        route = waiting[0].route
        if route is not None and route.found is not None and not isinstance(route.found, BotCommand):
            games.add(route.found[0].name)  # which it may open
        await batch.unit.expect(
            [
                *(purses.wallet(room.community, each.seat) for each in commands),
                *(table.pot for table in tables),
                *(name for gift in gifts if gift is not None for name in gift.purses()),
            ],
            [table.id for table in tables],
            [gift.id for gift in gifts if gift is not None],
            self._hints.expected(room, [each.seat for each in commands], games),
            records=[
                (room.id, table.kit.name, each.seat)
                for table in tables
                for each in commands
                if each.seat not in table.seated
            ],
        )

    def _joining(self, room: Room, waiting: Sequence[PendingLine]) -> list[Seat]:
        """Return who may be about to join a table where players win credits of each other, if several may."""
        if len(waiting) < 2 or all(
            table.over or not table.kit.money.between_players for table in room.tables.values()
        ):
            return []
        commands = (pending for pending in waiting if pending.line.text.startswith(SIGN))
        return [self._with_sender(room, each).seat for each in commands]

    async def _decide(self, room: Room, pending: PendingLine, batch: Batch, *, alone: bool) -> None:
        """Decide a line; if it raises, the batch cannot be committed."""
        line = self._spoken(room, pending)
        try:
            await self._hear(batch, room, line, pending, alone=alone)
        except Refusal as refusal:
            if line.text.startswith(SIGN):
                batch.then(partial(self._refuse_later, room, line, pending.exchange, refusal.message))
        batch.then(partial(self._end, pending.exchange))

    async def _fail(self, room: Room, pending: PendingLine, error: Exception) -> None:
        """Refuse a line that could not be answered, if it is a command."""
        line, exchange = self._spoken(room, pending), pending.exchange
        pending.answered = True
        message: Message | None = Message("try-again")
        if isinstance(error, Exhausted):
            message = Message("mint-exhausted")
        elif isinstance(error, BrokenGame):
            log.warning("a table was broken by a line", room=room.id, line=line.id, reason=str(error))
            if await self._void(room, error.table):
                message = None  # which the room is told
        else:
            log.error("a line could not be answered", room=room.id, line=line.id, exc_info=error)
        if message is not None and line.text.startswith(SIGN):
            self._refuse(room, line, exchange, message)
        exchange.end()

    async def _void(self, room: Room, table: Table) -> bool:
        """Void a broken table; return whether it stood in the room."""
        stood = table in room.tables.values()
        if not stood:
            room.lost = True  # its secret may have been used already, so the next id is another
        try:
            await table.void()
        except (SQLAlchemyError, OSError):
            log.exception("a broken table could not be voided", table=table.id)
        return stood

    def _with_sender(self, room: Room, pending: PendingLine) -> Line:
        """Return the line with its speaker, which is kept with it, as it is asked for at each step."""
        if pending.version == self._people.version:
            return pending.line
        pending.line = line = self._members.linked_accounts.with_sender(room, pending.line)
        # Of a person with several seats the one that sits at a table speaks, which may change at any step.
        pending.version = self._people.version if len(line.linked_accounts) == 1 else -1
        return line

    def _spoken(self, room: Room, pending: PendingLine) -> Line:
        """Return the line with its speaker, and note that in its exchange."""
        pending.exchange.line = line = self._with_sender(room, pending)
        self._outbox.selector.note(room, line)
        return line

    async def _hear(self, batch: Batch, room: Room, line: Line, pending: PendingLine, *, alone: bool) -> None:
        command, now = not pending.is_talk, self._watch.now()
        if command and alone and now - pending.came > LONGEST_WAIT:
            raise Refusal(Message("try-again"))
        if self._people.met(line.account):
            room.note_active(line.seat, now)
            if room.is_missed(line.seat):
                batch.then(partial(room.welcome_back, line.seat))
        if not command and not self._store.well and now < self._probed + PROBE_INTERVAL:
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
        if not command:
            await seat(batch)
            return
        route = pending.route or self._route(room, line)
        request = Request(room, route.line, route.words, batch, pending.exchange)
        if route.found is not None and not isinstance(route.found, BotCommand):
            await self._play_and_seat(batch, request, *route.found)
            return
        if any(True for _ in seating(room, line, self._members.linked_accounts)):
            await carry_out(self._ledger, seat)  # first, as the command may call off the very table
        await self._run(batch, request, route.word, route.found)

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
        if not topic and not await self._first(batch, line):
            return
        use = self._access.admit(request, (kit, command))
        if topic:
            says = await self._routing.explain(request, kit, topic)
            batch.then(partial(self._say, room, says, exchange))
            batch.undo(self._access.passed(use))
            return
        if room.stopped:
            raise Refusal(Message(room.stopped))
        batch.full = batch.full or command.slow
        await self._routing.play(request, kit, command)
        batch.undo(self._access.passed(use))
        if command is kit.chat.commands[0]:
            await self._hints.joined(batch, room, line, kit)

    async def _run(self, batch: Batch, request: Request, word: str, found: BotCommand | None) -> None:
        """Run a command of the bot."""
        room, line = request.room, request.line
        if found is None:
            says = self._hints.mistyped(room, line, word)
        elif found.reads or await self._first(batch, line):
            use = self._access.admit(request, found)
            says = await self._confirmations.answering(request, found.word, found.answer)
            batch.undo(self._access.passed(use))
        else:
            return
        batch.then(partial(self._say, room, says, request.exchange))

    async def _first(self, batch: Batch, line: Line) -> bool:
        """Whether a line was not acted on before; that it is now is written with the batch."""
        batch.then(self._deduplication.sweep)
        return await batch.unit.first(line.id, self._watch.date())

    async def _say(self, room: Room, says: Sequence[Say], exchange: Exchange | None) -> None:
        self._outbox.say(room, says, exchange)

    def _refuse(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        secret = line.private or line.barred is not None
        if line.voucher is not None and line.barred is None and message.id != LOOK_AGAIN:
            message = Message("voucher-returned", {"why": message})
        refusal = Say(quoted_as_typed(line, message), line.seat, secret=secret, event="Refusal")
        self._outbox.say(room, [refusal], exchange)

    async def _end(self, exchange: Exchange) -> None:
        exchange.end()

    async def _refuse_later(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        self._refuse(room, line, exchange, message)


def _is_slow(pending: PendingLine) -> bool:
    found = None if pending.route is None else pending.route.found
    return found is not None and not isinstance(found, BotCommand) and found[1].slow
