"""Answers the lines of a room in their order, and writes what they decide, of many lines in one commit.

Nothing is sent before its commit. A line that cannot be decided together with others, or whose common commit
fails, is answered with a commit of its own. What a line means is decided by `LineDecision`.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.command import BotCommand
from chatbot.bot.line_decision import LOOK_AGAIN
from chatbot.bot.pending_line import PendingLine
from chatbot.kernel.say import Message
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Exhausted, LostAnswer
from chatbot.ledger.store.engines import reason
from chatbot.ledger.store.writes import Contradiction
from chatbot.rooms.batch import MOST_ATTEMPTS, Batch, carry_out
from chatbot.rooms.line import SIGN
from chatbot.rooms.table_protocol import BrokenGame

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from chatbot.bot.hints import NewcomerHints
    from chatbot.bot.line_decision import LineDecision
    from chatbot.bot.routing import Routing
    from chatbot.bot.shutdown import Shutdown
    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.line import Line
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.rooms.table_protocol import Table
    from chatbot.tracing import LineTracer

CROWD = 10  # lines with a common commit after which the next ones gather

log = structlog.get_logger(__name__)


class Dispatcher:
    """Answers lines; one serves all rooms, which do not wait for each other."""

    def __init__(
        self,
        *,
        decision: LineDecision,
        store: Store,
        ledger: Ledger,
        members: CommunityMembers,
        rooms: Rooms,
        settings_changes: SettingsChanges,
        hints: NewcomerHints,
        routing: Routing,
        receipts: ReceiptLimits,
        closing: Shutdown,
    ) -> None:
        self._decision, self._closing = decision, closing
        self.observe: Callable[[Sequence[PendingLine]], object] | None = None  # told of lines once committed
        self.tracer: LineTracer | None = None  # None: nothing is traced
        self._store, self._ledger, self._members, self._rooms = store, ledger, members, rooms
        self._people, self._settings_changes = members.people, settings_changes
        self._hints, self._routing, self._receipts = hints, routing, receipts

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
                elif not here or (room.elsewhere and room.shared):
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
        """Let a line wait in the room that its channel has joined, or for the process that runs its room."""
        if not self._rooms.inbox(pending.line.channel).put(pending):
            pending.refuse()

    async def _meet(self, room: Room, lines: Collection[PendingLine]) -> None:
        """Look up the speakers; one who cannot be looked up now is looked up with their next line."""
        may_probe = self._decision.may_probe
        speakers = [each.line.account for each in lines if may_probe or not each.is_talk]
        try:
            if speakers:
                await self._people.certain()
            await self._people.meet(speakers)
        except (SQLAlchemyError, OSError) as error:
            log.warning("who speaks cannot be looked up", lines=len(lines), error=reason(error))
        for each in lines:
            line = self._decision.with_sender(room, each)
            self._members.meet(line.home, line.name)

    async def _greet(self, room: Room, waiting: Iterable[PendingLine]) -> None:
        """Greet the newcomers among those whose lines stand alone, in one commit before them.

        Whoever cannot be greeted so is greeted before their line.
        """
        new = [
            self._decision.with_sender(room, pending)
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
        line = self._decision.with_sender(room, pending)
        if pending.is_talk or self._members.is_known(room, line) or self._rooms.at(line.channel) is not room:
            return False
        asks = self._settings_changes.is_stale(room) or self._members.must_ask(room, line)
        return not asks and self._decision.stands_alone(room, pending)

    async def _answer(self, room: Room, waiting: deque[PendingLine], attempt: int = 1) -> None:
        """Answer the first waiting lines in one unit of work, and remove them.

        What the database contradicts, or where one of several lines fails, is answered line by line.
        """
        batch, taken = Batch(self._ledger.unit(wary=attempt > 1)), list[PendingLine]()
        tracer = self.tracer
        began = decided = 0 if tracer is None else tracer.now()
        try:
            await self._decide_first(room, waiting, batch, taken)
            if tracer is not None:
                decided = tracer.now()
            await batch.commit()
        except Exception as error:  # noqa: BLE001  (it is reported, or occurs again with a single line)
            await batch.take_back(error)
            taken = taken or [waiting.popleft()]  # what they need could not even be read
            await self._recover(room, batch, taken, error, attempt)
            return
        for pending in taken:
            pending.answered = True
        if self.observe is not None:
            self.observe(taken)
        if tracer is not None:
            tracer.committed([each.line.id for each in taken], began, decided)
        if len(taken) >= CROWD:
            room.inbox.gather()
        await batch.tell()

    async def _decide_first(
        self, room: Room, waiting: deque[PendingLine], batch: Batch, taken: list[PendingLine]
    ) -> None:
        """Decide the first waiting lines as far as they can be decided together, and move them to `taken`."""
        if self._decision.stands_alone(room, waiting[0]):
            taken.append(waiting.popleft())
            await self._decision.decide(room, taken[0], batch, alone=True)
            return
        await self._prefetch(room, batch, waiting)
        async with self._receipts.prefetched(room, self._joining(room, waiting)):
            while waiting:
                pending = waiting[0]
                if batch.full or self._rooms.at(pending.line.channel) is not room:
                    break
                if taken and (self._closing.refusing or self._needs_own_unit(room, pending)):
                    break
                taken.append(waiting.popleft())
                await self._decision.decide(room, pending, batch, alone=False)

    def _needs_own_unit(self, room: Room, pending: PendingLine) -> bool:
        """Whether a line cannot follow others in their unit, or would make them wait."""
        alone = self._decision.stands_alone(room, pending)
        return alone or (pending.route is not None and pending.route.is_slow)

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
        """Tell the sender of a command that it is not known whether it counted."""
        pending.answered = True
        if pending.line.text.startswith(SIGN):
            line = self._decision.spoken(room, pending)
            self._decision.refuse(room, line, pending.exchange, Message(LOOK_AGAIN))
        pending.exchange.end()

    async def _prefetch(self, room: Room, batch: Batch, waiting: Sequence[PendingLine]) -> None:
        """Read all data that the lines will need in a few queries."""
        lines = [self._decision.with_sender(room, pending) for pending in waiting]
        commands = [each for each in lines if each.text.startswith(SIGN)]
        new = [each for each in lines if not self._members.is_noted(room, each)]
        if not commands and not new:
            return
        gifts = [self._members.welcome(room, each.home) for each in new]
        tables = [table for table in room.tables.values() if not table.over]
        games = {table.kit.name for table in tables}
        route = waiting[0].route
        if route is not None and route.target is not None and not isinstance(route.target, BotCommand):
            games.add(route.target[0].name)  # which it may open
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
        return [self._decision.with_sender(room, each).seat for each in commands]

    async def _fail(self, room: Room, pending: PendingLine, error: Exception) -> None:
        """Refuse a line that could not be answered, if it is a command.

        That of a room which another process runs by now goes there, for nothing of it was written.
        """
        if room.elsewhere and room.shared:
            self._pass_on(pending)
            return
        line, exchange = self._decision.spoken(room, pending), pending.exchange
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
            self._decision.refuse(room, line, exchange, message)
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
