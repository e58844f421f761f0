"""The bot itself: it accepts lines, finds the game or the command that answers, and sends the results.

Rooms do not wait for each other. Within a room lines are answered in the order in which they arrived, and the
writes of lines that wait at the same time are committed together. Nothing is sent before its commit.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.admission import Deduplication, FloodLimit
from chatbot.bot.channel_events import ChannelEvents
from chatbot.bot.services import Services, Shared
from chatbot.community.members import CommunityMembers
from chatbot.community.receipts import ReceiptLimits
from chatbot.community.seasons import Calendar
from chatbot.games import refused
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.keys.overlay_keys import OverlayKeys
from chatbot.ledger.books import purses
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Exhausted, LostAnswer
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.chains import Chains, Sealer
from chatbot.ledger.deduplication import AlreadyAccepted, HeardLines
from chatbot.ledger.greetings import Greetings
from chatbot.ledger.members import Members
from chatbot.ledger.people import People
from chatbot.ledger.predictions import Predictions
from chatbot.ledger.seasons import Seasons
from chatbot.ledger.store.engines import reason
from chatbot.ledger.vouchers import Rewards, VoucherState
from chatbot.rooms.inbox import Batch, NotBatchable
from chatbot.rooms.replies import Exchange, Replies
from chatbot.rooms.request import Found, Request, Service, quoted_as_typed
from chatbot.rooms.room import Line, Room, Rooms, hides
from chatbot.rooms.shielded import ShieldedWork
from chatbot.settings.community import TERMS
from chatbot.settings.fields import THEME
from chatbot.settings.room import LANGUAGE
from chatbot.speech.outbox import ChannelSelector, Outbox
from chatbot.tables.background import Background
from chatbot.tables.events.publisher import Publisher
from chatbot.tables.fairness import Fairness, Sources
from chatbot.tables.forecasts import Forecasts
from chatbot.tables.house_players import HousePlayers
from chatbot.tables.lifecycle import Lifecycle, Pauses
from chatbot.tables.routing import Routing, seat_speaker, seating_id, topic_of
from chatbot.tables.steps import behind, suggested
from chatbot.tables.table import BrokenGame

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit, Command
    from chatbot.ledger.changes import Change
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.ledger.vouchers import Voucher
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.replies import Later, Shows
    from chatbot.rooms.room import Delivery, Occasion
    from chatbot.speech.words import Words

PREFIX = "!"
LONGEST_LINE = 500  # characters; a longer line is no command
PROBE_INTERVAL = 10.0  # seconds after which a line that is no command tries a failing database again
FORESHOWN = 300.0  # seconds in which a platform connects, or is not part of this program
CROWD = 10  # lines with a common commit after which the next ones gather
LONGEST_WAIT = 10.0  # seconds after which a command that still waits is refused, as its sender has given up

LOOK_AGAIN = "look-again"  # id of the message that it is not known whether a command was played
HELD, DOUBTED = "games-held", "games-stopped"  # ids of the messages that say why no game is played

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Route:
    """A command after aliases were resolved: its word, the other words, and what answers it."""

    line: Line
    word: str
    words: tuple[str, ...]
    found: Found | None


@dataclass(eq=False, slots=True)
class _PendingLine:
    """A line that waits to be answered; `came` is when it arrived, in seconds of the watch."""

    line: Line
    exchange: Exchange
    came: float
    answered: bool = False
    route: _Route | None = None


class House:
    """The bot: all rooms, tables and commands, and the methods that platforms call."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        store: Store,
        words: Words,
        watch: Watch,
        sources: Sources | None = None,
    ) -> None:
        for each in refused():
            log.error(each.sentence)
        self.kits, self.watch, self._store = kits, watch, store
        self.greetings = Greetings(store)
        sources = sources or Sources()
        chains = Chains(store, Sealer(sources.key), sources.seed, sources.links)
        self.ledger, self._journal = Ledger(store), Journal(store, chains.seed)
        self.people = People(store, sources.seat)
        self.members = CommunityMembers(self.ledger, Members(store), watch, self.people)
        self._players = HousePlayers(self.ledger, watch)
        self.outbox = Outbox(words, watch, self.members.name, ChannelSelector(self.people))
        self.rooms = Rooms()
        self.overlay_keys = OverlayKeys(store, sources.key)
        self.rewards, self.predictions = Rewards(store), Predictions(store)
        self.events = Publisher(self.outbox, self.rooms, watch)
        self.forecasts = Forecasts(kits, self._journal, self.rooms, self.outbox, watch)
        self.pauses = Pauses(kits, self.outbox, watch, self.events)
        self._calendar = calendar = Calendar(self.ledger, Seasons(store), self.members, watch)
        self._fairness = fairness = Fairness(kits, self._journal, self.outbox, chains, sources.table_id)
        self._background = background = Background(self.outbox, watch)
        self._receipts = receipts = ReceiptLimits(
            kits=kits, store=store, people=self.people, rooms=self.rooms, watch=watch
        )
        self._lifecycle = Lifecycle(
            kits=kits,
            ledger=self.ledger,
            journal=self._journal,
            fairness=fairness,
            calendar=calendar,
            pauses=self.pauses,
            outbox=self.outbox,
            watch=watch,
            background=background,
            members=self.members,
            events=self.events,
            look=self._players.look,
            admit=receipts.require,
        )
        self.services = services = Services(
            Shared(
                kits=kits,
                store=store,
                ledger=self.ledger,
                members=self.members,
                calendar=calendar,
                fairness=fairness,
                rooms=self.rooms,
                outbox=self.outbox,
                watch=watch,
                background=background,
                receipts=receipts,
                overlay_keys=self.overlay_keys,
            )
        )
        services.settings_changes.listeners.append(self._heed_changes)
        self.command_index, self.balances = services.command_index, services.balances
        self.shops = services.rewards.shops
        self._routing = Routing(
            lifecycle=self._lifecycle,
            fairness=fairness,
            balances=self.balances,
            ledger=self.ledger,
            members=self.members,
            players=self._players,
            background=background,
            watch=watch,
        )
        self._shielded = ShieldedWork()
        self._probed = 0.0  # when a line that is no command last used the database, on the watch
        self._deduplication, self._flood_limit = Deduplication(HeardLines(store), watch), FloodLimit(watch)
        self.channel_events = ChannelEvents(
            self._deduplication, self.members, self.outbox, watch, services.earning.reward
        )
        self._deciding: set[str] = set()  # ids of vouchers of which it is being decided what they buy
        self.halted = False  # the database is in doubt: no games are played, other commands work
        self.doubted: frozenset[str] = frozenset()  # communities whose ledger is inconsistent: no games there
        self.held = False  # no games until `release`, because the ledger is being checked

    async def open(self, room: Room) -> Room:
        """Open a room: load its settings and resume its tables, before the first line is accepted.

        Return the room that its channel is in, which is another one if moderators have bridged the two.
        """
        await self.people.load()
        return await self.services.bridges.open(room, self._open)

    def has(self, channel: str) -> bool:
        """Whether a channel belongs to an open room."""
        return self.rooms.has(channel)

    async def standing(self) -> list[str]:
        """Return the ids of the rooms to open at the start, of all platforms.

        These have open tables, ends of tables that were not published, or channels of other platforms.
        """
        return list(dict.fromkeys((*await self._journal.standing(), *await self.services.bridges.rooms())))

    async def foreshow(self) -> None:
        """Publish the open tables of all rooms as they were left, before their platforms are connected.

        Those of rooms that are not open after `FORESHOWN` are cleared.
        """
        await self.people.load()
        standing = {*await self._journal.standing()}
        for known in await self.services.known():
            if known.room in standing:
                room = Room(known.room, known.community, ())
                await self.services.bridges.before_opening(room, self._foreshow)
                self.watch.ring(FORESHOWN, partial(self._forget, room.id))

    async def _foreshow(self, room: Room) -> None:
        await self.services.settings_changes.load(room)
        await self._lifecycle.foreshow(room)

    async def _forget(self, room: str) -> None:
        self.events.forget(room)

    def whereabouts(self, account: Account) -> str | None:
        """Return the channel in which a member plays, or else spoke last, to which a whisper is assigned."""
        if not self.people.met(account):
            return None
        seats = self.members.linked_accounts.seats(self.people.home(account))
        channel = self.rooms.whereabouts(seats, account.platform)
        return None if channel is None else channel.id

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
        taking = self._admit(line, exchange)
        if taking is None:
            return Replies(taken=False)
        taking.add_done_callback(lambda _: exchange.end())
        try:
            await exchange.ended()
        except asyncio.CancelledError:
            exchange.leave()
            raise
        if taking.done():
            taking.result()
        return exchange.close()

    async def converse(self, line: Line) -> bool:
        """Accept a line whose answers are sent as ordinary messages of its channel, in their order.

        Return whether it was accepted.
        """
        taking = self._admit(line, Exchange(self.pass_on, apart=False))
        if taking is not None:
            await asyncio.shield(taking)
        return taking is not None

    async def redeem(self, line: Line) -> None:
        """Play a line whose stake a platform was paid for, once; if it is refused, it is given back there.

        When it returns, it is decided which of the two, or about to be, unless the database fails: then the
        platform brings it again.
        """
        voucher, room = line.voucher, self.rooms.at(line.channel)
        if voucher is None or room.elsewhere or voucher.id in self._deciding:
            return
        with self._decided(voucher):
            if not await self.ledger.vouchers.known([voucher.id]):
                await self.converse(line)
                await self.ledger.vouchers.refuse(voucher, room.community, self.watch.date())

    async def decline(self, voucher: Voucher, channel: str) -> None:
        """Give a stake back that was never played, unless it is being played now."""
        if voucher.id not in self._deciding:
            with self._decided(voucher):
                community = self.rooms.at(channel).community
                await self.ledger.vouchers.refuse(voucher, community, self.watch.date())

    async def withdraw(self, voucher: str, channel: str) -> None:
        """Return a stake in a lobby whose platform has given back what it was paid for it."""
        room = self.rooms.at(channel)
        if not room.elsewhere:
            await room.inbox.alone(partial(self._withdraw, room, voucher))

    async def _withdraw(self, room: Room, voucher: str) -> None:
        for table in list(room.tables.values()):
            seat = next((seat for seat, held in table.vouchers.items() if held.voucher.id == voucher), None)
            if seat is not None and table.vouchers[seat].state is VoucherState.OPEN and not table.over:
                await self._routing.leave(table, seat, f"withdrawal:{voucher}")

    @contextmanager
    def _decided(self, voucher: Voucher) -> Iterator[None]:
        """Let nothing else decide what becomes of a voucher meanwhile."""
        self._deciding.add(voucher.id)
        try:
            yield
        finally:
            self._deciding.discard(voucher.id)

    def pass_on(self, delivery: Delivery) -> None:
        """Send a reply as an ordinary message of its channel."""
        room = self.rooms.at(delivery.channel)
        channel = next(each for each in room.channels if each.id == delivery.channel)
        self.outbox.sender.put(room, channel, delivery, answer=True)

    async def notice(self, occasion: Occasion) -> None:
        """Accept an event of a channel, once."""
        room = self.rooms.at(occasion.channel)
        if room.elsewhere:
            return
        try:
            await self._shielded.finish(self.channel_events.take(room, occasion))
        except (SQLAlchemyError, OSError):
            log.exception("an occasion could not be noted", room=room.id, occasion=occasion.id)

    async def watching(self, channel: str, people: Mapping[Account, str]) -> None:
        """Note who is in a channel, with display names, as its platform reports every few minutes."""
        room = self.rooms.at(channel)
        if not room.elsewhere:
            await self._shielded.finish(self.services.earning.watching(room, people))

    def suggest(self, channel: str, word: str, option: str, given: Mapping[str, str]) -> Sequence[str]:
        """Return suggested values for an option of a command, given the other options."""
        return self.command_index.suggest(self.rooms.at(channel), word, option, given)

    def parts(self, channel: str, account: Account, word: str, number: int | None) -> dict[str, str]:
        """Return the words that an account can choose now for a part of a command, with their labels.

        They are for whoever plays by this account alone. None: for all that stands behind the command.
        """
        room, found = self.rooms.at(channel), self.command_index.command(word)
        seat = self.members.linked_accounts.at(room, account)
        table = room.place(found[0], seat) if found is not None else None
        if found is None or table is None:
            return {}
        purse = TERMS.of(room).start
        if number is None:
            known = behind(table, seat, purse, found[1])
        else:
            known = suggested(table, seat, purse, word, number)
        return {each: self.outbox.text(label, room=room) for each, label in known.items()}

    def secret(self, room: Room, seat: Seat, text: str, table: str | None = None) -> bool:
        """Whether a line should be sent to the bot alone, at a table or else at the seat's own."""
        resolved = self.services.aliases.written_out(room, text)
        word, words = self.command_index.split(resolved.removeprefix(PREFIX))
        found = self.command_index.answering(room, seat, word, words)
        if found is None or isinstance(found, Service):
            return False
        kit, command = found
        target = room.place(kit, seat) if table is None else room.table(table)
        return command.secret or (target is not None and target.kit is kit and hides(target))

    async def hurry(self, room: Room, table_id: str) -> None:
        """End the present phase of a table now, after all that house players do in it."""
        table = room.table(table_id)
        if table is not None:
            await self._shielded.finish(self._routing.hurry(room, table))

    def hold(self) -> None:
        """Suspend the games of rooms that are opened from now on, until `release`."""
        self.held = True

    async def release(self) -> None:
        """End `hold`: resume the tables of the rooms that were opened meanwhile."""
        if not self.held:
            return
        while waiting := [room for room in self.rooms.values() if room.stopped == HELD]:
            for room in waiting:
                async with room.order:  # else a line could take the spot of a table that is resumed
                    if room.stopped != HELD:
                        continue
                    room.stopped = ""  # a season may end with a table whose end is only told now
                    try:
                        await self._resume_tables(room)
                    except asyncio.CancelledError:  # the program ends
                        room.stopped = HELD
                        raise
                self._start(room)
                self.events.resumed(room)
        self.held = False

    async def halt(self) -> None:
        """Freeze all games permanently; other commands go on."""
        self.halted = True
        await self.stop([room for room in self.rooms.values() if room.stopped != DOUBTED], DOUBTED)

    async def doubt(self, communities: Collection[str]) -> None:
        """Freeze the games of these communities, and resume those of others that were in doubt."""
        self.doubted = frozenset(communities)
        rooms = list(self.rooms.values())
        doubted = [room for room in rooms if self._reason(room) == DOUBTED and room.stopped != DOUBTED]
        await self.stop(doubted, DOUBTED)
        for room in rooms:
            if room.stopped == DOUBTED and self._reason(room) != DOUBTED:
                await self.resume(room)

    async def stop(self, rooms: Sequence[Room], reason: str) -> None:
        """Freeze the games of rooms, and announce the reason, which is the id of a message.

        When it returns, no action that had started before is still running.
        """
        for room in rooms:
            room.stopped = reason
            for table in room.tables.values():
                table.freeze()
            self._say_stopped(room)
            self.events.halted(room)
            self._players.look(room)
        for room in rooms:
            async with room.order:  # a command that was running may have opened another table
                for table in list(room.tables.values()):
                    table.freeze()
                    await table.finished()

    async def resume(self, room: Room) -> None:
        """Resume the games of a room that was stopped, from the end of their journals.

        All data of the room in memory is read again, as another process may have run the room meanwhile.
        """
        async with room.order:  # else a line that waits could take the spot of a table that is resumed
            await self._fairness.load(room)
            await self.people.load()
            await self.services.settings_changes.load(room)
            room.stopped = self._reason(room)
            if room.stopped:
                return
            for spot, table in list(room.tables.items()):
                if table.frozen and not table.over:
                    del room.tables[spot]
            await self._resume_tables(room)
        self._start(room)
        self.events.resumed(room)

    async def close(self) -> None:
        """Wait for lines that are being answered, start no long computation, and end all subscriptions."""
        self._background.close()
        await self.settle()
        await self.services.close()
        self.events.close()

    async def settle(self) -> None:
        """Wait until the accepted lines are answered, and it is written who spoke."""
        await self._shielded.settle()
        await self.members.settle()

    async def _open(self, room: Room) -> None:
        await self._store.claim(room.id)
        await self.services.open(room)
        room.stopped = self._reason(room)
        if self.held:
            self.rooms.open(room)  # before its tables are resumed: `release` does that for all open rooms
            return
        if room.stopped:
            self._say_stopped(room)
        else:
            await self._lifecycle.resume(room)
        self.rooms.open(room)
        self._start(room)

    def _start(self, room: Room) -> None:
        self.services.deadlines.add(room)
        self._players.look(room)

    def _admit(self, line: Line, exchange: Exchange) -> asyncio.Task[None] | None:
        """Start to answer a line and return the task; None: the line is not accepted."""
        room = self.rooms.at(line.channel)
        if room.elsewhere or not self._deduplication.fresh(line.id, line.sent):
            return None
        if not self._flood_limit.admits(room, line.account, command=line.text.startswith(PREFIX)):
            return None
        return self._shielded.start(self._take(room, line, exchange))

    async def _resume_tables(self, room: Room) -> None:
        try:
            await self._lifecycle.resume(room)
        except Exception:
            log.exception("the tables of a room could not be taken up", room=room.id)
            self._routing.look_again(room)

    def _reason(self, room: Room) -> str:
        """Return the id of the message that says why no game is played in a room; empty: games are played."""
        if self.halted or room.community in self.doubted:
            return DOUBTED
        return HELD if self.held else ""

    def _heed_changes(self, room: Room, changes: Sequence[Change]) -> None:
        """Have a room drawn anew in other words."""
        if any(each.key in {LANGUAGE, THEME} for each in changes):
            self.events.reworded(room)

    def _say_stopped(self, room: Room) -> None:
        self.outbox.say(room, [Say(Message(room.stopped), event="Halted")])

    async def _take(self, room: Room, line: Line, exchange: Exchange) -> None:
        pending = _PendingLine(line, exchange, self.watch.now() if line.came is None else line.came)
        try:
            while not pending.answered:  # repeated if its channel has moved to another room meanwhile
                here = self.rooms.at(line.channel)
                await here.inbox.together(self._serve, (here, pending))
        finally:
            self._flood_limit.leave(room)

    async def _serve(self, items: Sequence[tuple[Room, _PendingLine]]) -> None:
        """Answer lines of one room, as many as possible with a common commit."""
        room, waiting = items[0][0], deque(pending for _, pending in items)
        await self._meet([pending.line for pending in waiting])
        async with room.order:
            await self._greet(room, waiting)
            while waiting:
                here = self.rooms.at(waiting[0].line.channel) is room
                if not here:
                    waiting.popleft()
                elif self._needs_own_commit(room, waiting[0]):
                    await self._answer(room, waiting.popleft())
                else:
                    await self._answer_together(room, waiting)

    async def _meet(self, lines: Sequence[Line]) -> None:
        """Look up the speakers; one who cannot be looked up now is looked up with their next line."""
        probing = self._store.well or self.watch.now() >= self._probed + PROBE_INTERVAL
        wanted = [each.account for each in lines if probing or _commands(each)]
        try:
            if wanted:
                await self.people.certain()
            await self.people.meet(wanted)
        except (SQLAlchemyError, OSError) as error:
            log.warning("who speaks cannot be looked up", lines=len(lines), error=reason(error))
        for each in lines:
            self.members.meet(self.members.seat(each.account), each.name)

    async def _greet(self, room: Room, waiting: Iterable[_PendingLine]) -> None:
        """Greet the newcomers among those whose lines need commits of their own, in one commit before them.

        Whoever cannot be greeted so is greeted with their line, as are all others.
        """
        new = [
            self._with_sender(room, pending)
            for pending in waiting
            if self._store.well and self._is_new(room, pending)
        ]
        if not new:
            return
        batch = Batch(UnitOfWork(self._store, self.ledger))
        try:
            gifts = [gift for each in new if (gift := self.members.welcome(room, each.home)) is not None]
            purses = [name for gift in gifts for name in gift.purses()]
            await batch.unit.expect(purses, postings=[gift.id for gift in gifts])
            for each in new:
                await self.members.greet_with(batch, room, each)
            await batch.commit()
        except Exception as error:  # noqa: BLE001  (it occurs again, and is reported, with the line)
            log.debug("newcomers are greeted one by one", room=room.id, lines=len(new), reason=repr(error))
            await batch.take_back()
        else:
            await batch.tell()

    def _is_new(self, room: Room, pending: _PendingLine) -> bool:
        """Whether a line is the command of a newcomer, and is not answered together with others."""
        line = self._with_sender(room, pending)
        if not _commands(line) or self.rooms.at(line.channel) is not room:
            return False
        asks = self.services.settings_changes.is_stale(room) or self.members.must_ask(room, line)
        return not asks and not self.members.is_known(room, line) and self._needs_own_commit(room, pending)

    def _needs_own_commit(self, room: Room, pending: _PendingLine) -> bool:
        """Whether a line cannot be answered in one commit with others.

        These are commands that are no move in a game, and lines that need other reads or writes first.
        """
        line = self._with_sender(room, pending)
        if self.services.must_write(room, line) or not self._store.well or self.members.must_ask(room, line):
            return True
        if not _commands(line):
            return False
        pending.route = route = self._route(room, line)
        if route.found is None or isinstance(route.found, Service):
            return True
        kit, command = route.found
        if line.voucher is not None or room.stopped or room.lost or topic_of(kit, command, route.words):
            return True
        # A late command is still accepted while its table is open.
        return self.watch.now() - pending.came > LONGEST_WAIT and not room.playing(kit.name)

    def _ends_batch(self, room: Room, pending: _PendingLine) -> bool:
        """Whether a batch must be committed before this line, as it cannot be added or takes long."""
        return self._needs_own_commit(room, pending) or _is_slow(pending)

    def _route(self, room: Room, line: Line) -> _Route:
        """Find what answers a command."""
        line = self.services.aliases.resolve(room, line)
        word, words = self.command_index.split(line.text.removeprefix(PREFIX))
        invitation = None if words else self.command_index.invitation(room, line.seat, word)
        if invitation is not None:
            return _Route(line, invitation[1].word, (word,), invitation)
        return _Route(line, word, words, self.command_index.answering(room, line.seat, word, words))

    async def _answer_together(self, room: Room, waiting: deque[_PendingLine]) -> None:
        """Answer the first waiting lines in one commit and remove them; the first one must be batchable."""
        batch, taken = Batch(UnitOfWork(self._store, self.ledger)), 0
        try:
            await self._prefetch(room, batch, waiting)
            async with self._receipts.prefetched(room, self._joining(room, waiting)):
                for pending in waiting:
                    here = self.rooms.at(pending.line.channel) is room
                    if batch.full or not here or (taken and self._ends_batch(room, pending)):
                        break
                    await self._decide(room, pending, batch)
                    taken += 1
        except Exception as error:  # noqa: BLE001  (it occurs again, and is reported, when the line is answered alone)
            log.debug("lines are answered one by one", room=room.id, lines=len(waiting), reason=repr(error))
            await batch.take_back()
            await self._answer_each(room, waiting, taken + 1)
        else:
            await self._commit(room, batch, waiting, taken)

    async def _commit(self, room: Room, batch: Batch, waiting: deque[_PendingLine], taken: int) -> None:
        try:
            await batch.commit()
        except LostAnswer as error:
            log.warning("what was committed is not known", room=room.id, lines=taken, reason=reason(error))
            await batch.doubt()
            self._routing.look_again(room)
            for _ in range(taken):
                self._doubt(room, waiting.popleft())
            return
        except Exception as error:  # noqa: BLE001
            log.debug("lines are answered one by one", room=room.id, lines=taken, reason=repr(error))
            await batch.take_back()
            await self._answer_each(room, waiting, taken)
            return
        for _ in range(taken):
            waiting.popleft().answered = True
        if taken >= CROWD:
            room.inbox.gather()
        await batch.tell()

    def _doubt(self, room: Room, pending: _PendingLine) -> None:
        pending.answered = True
        if pending.line.text.startswith(PREFIX):
            self._refuse(room, self._spoken(room, pending), pending.exchange, Message(LOOK_AGAIN))

    async def _answer_each(self, room: Room, waiting: deque[_PendingLine], count: int) -> None:
        for _ in range(count):
            await self._answer(room, waiting.popleft())

    async def _prefetch(self, room: Room, batch: Batch, waiting: Sequence[_PendingLine]) -> None:
        """Read all data that the lines will need in a few queries."""
        lines = [self._with_sender(room, pending) for pending in waiting]
        commands = [each for each in lines if each.text.startswith(PREFIX)]
        new = [each for each in lines if not self.members.is_noted(room, each)]
        if not commands and not new:
            return
        gifts = [self.members.welcome(room, each.home) for each in new]
        tables = [table for table in room.tables.values() if not table.over]
        games = {table.kit.name for table in tables}
        route = waiting[0].route
        if route is not None and route.found is not None and not isinstance(route.found, Service):
            games.add(route.found[0].name)  # which it may open
        await batch.unit.expect(
            [
                *(purses.wallet(room.community, each.seat) for each in commands),
                *(table.pot for table in tables),
                *(name for gift in gifts if gift is not None for name in gift.purses()),
            ],
            [table.id for table in tables],
            [
                *(f"line:{each.id}" for each in commands),
                *(gift.id for gift in gifts if gift is not None),
                *(
                    seating_id(table, each.seat)
                    for table in tables
                    if table.kit.hosted.audience(table.game)
                    for each in lines
                    if each.seat not in table.seated
                ),
            ],
            [each.id for each in commands],
            self.services.hints.expected(room, [each.seat for each in commands], games),
        )
        for table in tables:
            seats = [each.seat for each in commands if each.seat not in table.seated]
            await batch.unit.records(room.id, table.kit.name, seats)

    def _joining(self, room: Room, waiting: Sequence[_PendingLine]) -> list[Seat]:
        """Return who may be about to join a table where players win credits of each other, if several may."""
        if len(waiting) < 2 or all(table.over or not table.kit.takers for table in room.tables.values()):
            return []
        commands = (pending for pending in waiting if pending.line.text.startswith(PREFIX))
        return [self._with_sender(room, each).seat for each in commands]

    async def _decide(self, room: Room, pending: _PendingLine, batch: Batch) -> None:
        """Answer a line in a batch; if it raises, the batch cannot be committed."""
        line = self._spoken(room, pending)
        try:
            await self._hear(room, line, pending, batch)
        except Refusal as refusal:
            if line.text.startswith(PREFIX):
                batch.then(partial(self._refuse_later, room, line, pending.exchange, refusal.message))
        batch.then(partial(self._end, pending.exchange))

    async def _answer(self, room: Room, pending: _PendingLine) -> None:
        """Answer a line with a commit of its own; log failures, and refuse the command then."""
        line, exchange = self._spoken(room, pending), pending.exchange
        pending.answered = True
        try:
            await self._hear(room, line, pending)
        except Refusal as refusal:
            if line.text.startswith(PREFIX):
                self._refuse(room, line, exchange, refusal.message)
        except Exhausted:
            if line.text.startswith(PREFIX):
                self._refuse(room, line, exchange, Message("mint-exhausted"))
        except BrokenGame:
            log.warning("a table was broken by a line", room=room.id, line=line.id)
        except Exception as error:
            log.exception("a line could not be answered", room=room.id, line=line.id)
            if line.text.startswith(PREFIX):
                doubtful = isinstance(error, LostAnswer)
                self._refuse(room, line, exchange, Message(LOOK_AGAIN if doubtful else "try-again"))

    def _with_sender(self, room: Room, pending: _PendingLine) -> Line:
        """Return the line with its speaker, which is kept with it, as it is asked for at each step."""
        pending.line = line = self.members.linked_accounts.with_sender(room, pending.line)
        return line

    def _spoken(self, room: Room, pending: _PendingLine) -> Line:
        """Return the line with its speaker, and note that in its exchange."""
        pending.exchange.line = line = self._with_sender(room, pending)
        self.outbox.selector.note(room, line)
        return line

    # A line

    async def _hear(self, room: Room, line: Line, pending: _PendingLine, batch: Batch | None = None) -> None:
        command, now = _commands(line), self.watch.now()
        if command and batch is None and now - pending.came > LONGEST_WAIT:
            raise Refusal(Message("try-again"))
        if self.people.met(line.account):
            room.spoke[line.seat] = now
        if not command and not self._store.well and now < self._probed + PROBE_INTERVAL:
            return  # otherwise all lines, and the commands behind them, would wait for the database
        self._probed = now
        if batch is None:
            await self.members.greet(room, line)
            await self.services.heard(room, line)
        else:
            await self.members.greet_with(batch, room, line)
            batch.then(partial(self.services.earning.heard, room, line))  # the others have nothing to do
        if batch is not None and command:
            await self._play_and_seat(batch, room, pending.route or self._route(room, line), pending.exchange)
            return
        await seat_speaker(room, line, self.members.linked_accounts, batch)
        if command:
            await self._run(room, pending.route or self._route(room, line), pending.exchange)

    async def _play_and_seat(self, batch: Batch, room: Room, route: _Route, exchange: Exchange) -> None:
        """Play a move, which seats the speaker at its table in the same step, and seat them elsewhere.

        A posting of its own for the seat would cost a crowd that joins as much as the move itself.
        """
        linked_accounts = self.members.linked_accounts
        try:
            await self._play_in_batch(batch, room, route, exchange)
        except Refusal:
            await seat_speaker(room, route.line, linked_accounts, batch)
            raise
        await seat_speaker(room, route.line, linked_accounts, batch)

    async def _play_in_batch(self, batch: Batch, room: Room, route: _Route, exchange: Exchange) -> None:
        """Play a move in a game as a part of a batch."""
        line, words, found = route.line, route.words, route.found
        if found is None or isinstance(found, Service):
            raise NotBatchable
        if not await self._deduplication.first_with(batch, line.id):
            return
        kit, command = found
        use = self.services.access.admit(Request(room, line, tuple(words)), found)
        batch.full = batch.full or command.slow
        await self._routing.play(room, kit, command, line, words, exchange, batch)
        batch.undo(self.services.access.passed(use))
        if command is kit.commands[0]:
            await self.services.hints.joined(room, line, kit, batch)

    async def _run(self, room: Room, route: _Route, exchange: Exchange) -> None:
        line, found = route.line, route.found
        request = Request(room, line, route.words, exchange)
        if found is None:
            self.outbox.say(room, self.services.hints.mistyped(room, line, route.word), exchange)
        elif isinstance(found, Service) and found.reads:
            self.outbox.say(room, await self._act(request, found), exchange)
        elif not await self._deduplication.knows(line.id):
            with suppress(AlreadyAccepted):
                async with self._deduplication.noting(line.id):
                    says = await self._act(request, found)
                self.outbox.say(room, says, exchange)
        exchange.end()

    async def _act(self, request: Request, found: Found) -> Sequence[Say]:
        """Run a command, and return what a service answers."""
        use = self.services.access.admit(request, found)
        says: Sequence[Say] = ()
        if isinstance(found, Service):
            says = await found.answer(request)
        else:
            await self._play(request, *found)
            if found[1] is found[0].commands[0]:
                await self.services.hints.joined(request.room, request.line, found[0])
        self.services.access.passed(use)
        return says

    async def _play(self, request: Request, kit: AnyKit, command: Command) -> None:
        room, line, exchange = request.room, request.line, request.exchange
        topic = topic_of(kit, command, request.words)
        if topic:
            self.outbox.say(room, await self._routing.explain(room, kit, topic, line), exchange)
            return
        if room.stopped:
            raise Refusal(Message(room.stopped))
        await self._routing.play(room, kit, command, line, request.words, exchange)

    def _refuse(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        secret = line.private or line.barred is not None
        if line.voucher is not None and line.barred is None and message.id != LOOK_AGAIN:
            message = Message("voucher-returned", {"why": message})
        refusal = Say(quoted_as_typed(line, message), line.seat, secret=secret, event="Refusal")
        self.outbox.say(room, [refusal], exchange)

    async def _end(self, exchange: Exchange) -> None:
        exchange.end()

    async def _refuse_later(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        self._refuse(room, line, exchange, message)


def _is_slow(pending: _PendingLine) -> bool:
    found = None if pending.route is None else pending.route.found
    return found is not None and not isinstance(found, Service) and found[1].slow


def _commands(line: Line) -> bool:
    return line.text.startswith(PREFIX) and len(line.text) <= LONGEST_LINE
