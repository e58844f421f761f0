"""The bot itself: it hears lines, finds the game or the command that answers, and tells what happens.

Rooms do not wait for each other. Within a room lines are answered in the order in which they came, and what
those ask of the books that wait together is committed together. Nothing is said before its commit.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.admission import Deduplication, FloodLimit
from chatbot.bot.channel_events import ChannelEvents
from chatbot.bot.services import Services, Shared
from chatbot.community.members import CommunityMembers
from chatbot.community.seasons import Calendar
from chatbot.games import refused
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Exhausted, LostAnswer
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.chains import Chains, Sealer
from chatbot.ledger.deduplication import Again, HeardLines
from chatbot.ledger.members import Members
from chatbot.ledger.people import People
from chatbot.ledger.seasons import Seasons
from chatbot.rooms.background import Background, ShieldedWork
from chatbot.rooms.inbox import Alone, Batch
from chatbot.rooms.replies import Exchange, Replies
from chatbot.rooms.request import Found, Request, Service
from chatbot.rooms.room import Line, Rooms, hides
from chatbot.settings.community import TERMS
from chatbot.speech.outbox import Outbox, Reach
from chatbot.tables.events.publisher import Publisher
from chatbot.tables.fairness import Fairness, Sources
from chatbot.tables.house_players import HousePlayers
from chatbot.tables.lifecycle import Lifecycle, Pauses
from chatbot.tables.routing import Routing, seat_speaker, topic_of
from chatbot.tables.steps import suggested
from chatbot.tables.table import BrokenGame

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit, Command
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.replies import Later
    from chatbot.rooms.room import Delivery, Occasion, Room
    from chatbot.speech.words import Words

PREFIX = "!"
LONGEST_LINE = 500  # characters; what is longer is talk, not a command
PROBE = 10.0  # seconds after which somebody's talk tries a failing database again
STALE = 10.0  # seconds after which a command that still waits is given up: its speaker has

HELD, DOUBTED = "games-held", "games-stopped"  # the messages that say why nothing is played

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Route:
    """A command as it is meant: its word, the others, and what answers it."""

    line: Line
    word: str
    words: tuple[str, ...]
    found: Found | None


@dataclass(eq=False, slots=True)
class _Heard:
    """A line that waits, since it came, on the watch, and the exchange that it begins."""

    line: Line
    exchange: Exchange
    came: float
    answered: bool = False
    route: _Route | None = None


class House:
    """Everything that is live, wired once."""

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
        sources = sources or Sources()
        chains = Chains(store, Sealer(sources.key), sources.seed, sources.links)
        self.ledger, self._journal = Ledger(store), Journal(store, chains.seed)
        self.people = People(store, sources.seat)
        self.members = CommunityMembers(self.ledger, Members(store), watch, words, self.people)
        self._players = HousePlayers(self.ledger, watch)
        self.outbox = Outbox(words, watch, self.members.name, Reach(self.people))
        self.rooms = Rooms()
        self.events = Publisher(self.outbox, self.members.name, self.rooms, watch)
        self.pauses = Pauses(kits, self.outbox, watch, self.events)
        self._calendar = calendar = Calendar(self.ledger, Seasons(store), self.members, watch)
        self._fairness = fairness = Fairness(kits, self._journal, self.outbox, chains, sources.table_id)
        self._background = background = Background(self.outbox, watch)
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
            )
        )
        self.command_index, self.balances = services.command_index, services.balances
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
        self._probed = 0.0  # when talk last asked the database for something
        self._deduplication, self._flood_limit = Deduplication(HeardLines(store), watch), FloodLimit(watch)
        self.channel_events = ChannelEvents(
            self._deduplication, self.members, self.outbox, watch, services.earning.reward
        )
        self.halted = False  # the database is in doubt: there is talk, but no game
        self.doubted: frozenset[str] = frozenset()  # communities whose books do not add up: the same there
        self.held = False  # the books are being checked: the same, until that is done

    async def open(self, room: Room) -> Room:
        """Open a room: its choices count, and its tables go on, before the first line is heard in it.

        Gives the room that its channel is in: another's, where moderators have bridged the two.
        """
        await self.people.load()
        return await self.services.bridges.open(room, self._open)

    async def _open(self, room: Room) -> None:
        await self._store.claim(room.id)
        await self.services.open(room)
        room.stopped = self._reason(room)
        if self.held:
            self.rooms.open(room)  # at once: what holds the games looks for all that are open
            return
        if room.stopped:
            self._say_stopped(room)
        else:
            await self._lifecycle.take_up(room)
        self.rooms.open(room)
        self._begin(room)

    def _begin(self, room: Room) -> None:
        self.services.deadlines.watch_over(room)
        self._players.look(room)

    def has(self, channel: str) -> bool:
        """Whether a channel's room is open."""
        return self.rooms.has(channel)

    async def standing(self) -> list[str]:
        """List the rooms in which tables stand, open or not, or other chats are; each door knows its own."""
        return list(dict.fromkeys((*await self._journal.standing(), *await self.services.bridges.rooms())))

    def whereabouts(self, account: Account) -> str | None:
        """Find the channel in which somebody sits at a table, or else spoke last: a whisper belongs there."""
        if not self.people.met(account):
            return None
        seats = self.members.linked_accounts.seats(self.people.home(account))
        channel = self.rooms.whereabouts(seats, account.platform)
        return None if channel is None else channel.id

    async def seat(self, room: Room, account: Account) -> Seat:
        """Give the seat as which an account acts in a room; nobody's, while it cannot be looked up."""
        with suppress(SQLAlchemyError, OSError):
            await self.people.meet([account])
        return self.members.linked_accounts.at(room, account)

    async def hear(self, line: Line, later: Later | None = None) -> Replies:
        """Take a line in, once, and answer it where it was said. A command is answered, if only by a refusal.

        What concerns all in the room is said there beside; what is to be thought about first, or comes when
        this call was cancelled, is given to `later`, or else said as what concerns all is.
        """
        exchange = Exchange(later or self.pass_on)
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
        """Hear a line where an answer is a message like any other: it goes out among all that is said there.

        False: it was not taken in.
        """
        taking = self._admit(line, Exchange(self.pass_on, apart=False))
        if taking is not None:
            await asyncio.shield(taking)
        return taking is not None

    def _admit(self, line: Line, exchange: Exchange) -> asyncio.Task[None] | None:
        """Begin to answer a line; None: it is not to be answered."""
        room = self.rooms.at(line.channel)
        if room.elsewhere or not self._deduplication.fresh(line.id):
            return None
        if not self._flood_limit.admits(room, line.account, command=line.text.startswith(PREFIX)):
            return None
        return self._shielded.start(self._take(room, line, exchange))

    def pass_on(self, delivery: Delivery) -> None:
        """Let a reply go out among all else that is said in its channel."""
        room = self.rooms.at(delivery.channel)
        channel = next(each for each in room.channels if each.id == delivery.channel)
        self.outbox.sender.put(room, channel, delivery)

    async def notice(self, occasion: Occasion) -> None:
        """Take in what happened besides talk, once."""
        room = self.rooms.at(occasion.channel)
        if room.elsewhere:
            return
        try:
            await self._shielded.finish(self.channel_events.take(room, occasion))
        except (SQLAlchemyError, OSError):
            log.exception("an occasion could not be noted", room=room.id, occasion=occasion.id)

    async def watching(self, channel: str, people: Mapping[Account, str]) -> None:
        """Take in who is in a channel, with their names, as its platform tells every few minutes."""
        room = self.rooms.at(channel)
        if not room.elsewhere:
            await self._shielded.finish(self.services.earning.watching(room, people))

    def suggest(self, channel: str, word: str, option: str, given: Mapping[str, str]) -> Sequence[str]:
        """List values for an option of a command, fit for what was given for the others."""
        return self.command_index.suggest(self.rooms.at(channel), word, option, given)

    def parts(self, channel: str, account: Account, word: str, number: int) -> dict[str, str]:
        """List what somebody can choose now for a part of a command, with what it is called."""
        room, found = self.rooms.at(channel), self.command_index.command(word)
        seat = self.members.linked_accounts.at(room, account)
        table = room.place(found[0], seat) if found is not None else None
        if table is None:
            return {}
        known = suggested(table, seat, TERMS.of(room).start, word, number)
        return {each: self.outbox.text(label, room=room) for each, label in known.items()}

    def secret(self, room: Room, seat: Seat, text: str, table: str | None = None) -> bool:
        """Whether what somebody is about to say, at that table or theirs, is best said to the bot alone."""
        said = self.services.aliases.written_out(room, text)
        word, words = self.command_index.split(said.removeprefix(PREFIX))
        found = self.command_index.answering(room, seat, word, words)
        if found is None or isinstance(found, Service):
            return False
        kit, command = found
        meant = room.place(kit, seat) if table is None else room.table(table)
        return command.secret or (meant is not None and meant.kit is kit and hides(meant))

    def hold(self) -> None:
        """Let no game begin or go on until `release`, in rooms that are still to be opened."""
        self.held = True

    async def release(self) -> None:
        """Let games begin, and go on with the tables of the rooms that were opened meanwhile."""
        if not self.held:
            return
        ready = set[str]()
        while waiting := [room for room in self.rooms.values() if room.id not in ready]:
            for room in waiting:
                ready.add(room.id)
                if room.stopped == HELD:
                    await self._take_up(room)
        self.held = False  # not before: a new table would stand where one is to go on
        for room in self.rooms.values():
            if room.stopped == HELD:
                room.stopped = ""
                self.events.resumed(room)
            self._begin(room)

    async def _take_up(self, room: Room) -> None:
        async with room.order:
            try:
                await self._lifecycle.take_up(room)
            except Exception:
                log.exception("the tables of a room could not be taken up", room=room.id)
                room.lost = True  # the next command looks for them again

    async def halt(self) -> None:
        """Stop all games where they stand, for good; chat and wallets go on."""
        self.halted = True
        await self.stop([room for room in self.rooms.values() if room.stopped != DOUBTED], DOUBTED)

    async def doubt(self, communities: Collection[str]) -> None:
        """Stop the games of these communities; those that were doubted before and are not now go on."""
        self.doubted = frozenset(communities)
        rooms = list(self.rooms.values())
        doubted = [room for room in rooms if self._reason(room) == DOUBTED and room.stopped != DOUBTED]
        await self.stop(doubted, DOUBTED)
        for room in rooms:
            if room.stopped == DOUBTED and self._reason(room) != DOUBTED:
                await self.resume(room)

    async def stop(self, rooms: Sequence[Room], reason: str) -> None:
        """Stop the games of some rooms where they stand, and say why by a message of this name.

        When it returns, nothing that was under way there before goes on.
        """
        for room in rooms:
            room.stopped = reason
            for table in room.tables.values():
                table.freeze()
            self._say_stopped(room)
            self.events.halted(room)
            self._players.look(room)
        for room in rooms:
            async with room.order:  # a command under way may have opened one more
                for table in room.tables.values():
                    table.freeze()
                    await table.finished()

    async def resume(self, room: Room) -> None:
        """Let the games of a room that was stopped go on where their journals end.

        Whatever is kept in memory of it is read again: another process may have run it meanwhile.
        """
        await self._fairness.load(room)
        await self.people.load()
        await self.services.settings_changes.load(room)
        room.stopped = self._reason(room)
        if room.stopped:
            return
        for spot, table in list(room.tables.items()):
            if table.frozen and not table.over:
                del room.tables[spot]
        await self._take_up(room)
        self._begin(room)
        self.events.resumed(room)

    def _reason(self, room: Room) -> str:
        """Name the message that says why nothing is played in a room; empty: it may be."""
        if self.halted or room.community in self.doubted:
            return DOUBTED
        return HELD if self.held else ""

    def _say_stopped(self, room: Room) -> None:
        self.outbox.say(room, [Say(Message(room.stopped), event="Halted")])

    async def close(self) -> None:
        """Wait for lines that are being answered, but begin nothing that takes long."""
        self._background.close()
        await self.settle()
        await self.services.close()
        self.events.close()

    async def settle(self) -> None:
        """Wait for lines that are being answered."""
        await self._shielded.settle()

    async def _take(self, room: Room, line: Line, exchange: Exchange) -> None:
        heard = _Heard(line, exchange, self.watch.now() if line.came is None else line.came)
        try:
            while not heard.answered:  # again where its chat has gone over to another room while it waited
                here = self.rooms.at(line.channel)
                await here.inbox.together(self._serve, (here, heard))
        finally:
            self._flood_limit.leave(room)

    async def _serve(self, asked: Sequence[tuple[Room, _Heard]]) -> None:
        """Answer lines of one room, as many together as can be."""
        room, waiting = asked[0][0], deque(heard for _, heard in asked)
        await self._meet([heard.line for heard in waiting])
        async with room.order:
            while waiting:
                here = self.rooms.at(waiting[0].line.channel) is room
                if not here:
                    waiting.popleft()
                elif self._goes_alone(room, waiting[0]):
                    await self._answer(room, waiting.popleft())
                else:
                    await self._answer_together(room, waiting)

    async def _meet(self, lines: Sequence[Line]) -> None:
        """Look up who speaks; who cannot be looked up now is met again when they next speak."""
        probing = self._store.well or self.watch.now() >= self._probed + PROBE
        wanted = [each.account for each in lines if probing or _commands(each)]
        try:
            if wanted:
                await self.people.certain()
            await self.people.meet(wanted)
        except (SQLAlchemyError, OSError) as error:
            log.warning("who speaks cannot be looked up", lines=len(lines), error=str(error))
        for each in lines:
            self.members.meet(self.members.seat(each.account), each.name)

    def _goes_alone(self, room: Room, heard: _Heard) -> bool:
        """Whether a line cannot be answered in one commit with others.

        So are commands that are no move in a game, and whatever has to be read or written about first.
        """
        line = self.members.linked_accounts.spoken(room, heard.line)
        if self.services.must_write(room, line) or not self._store.well or self.members.must_ask(room, line):
            return True
        if not _commands(line):
            return False
        heard.route = route = self._route(room, line)
        if route.found is None or isinstance(route.found, Service):
            return True
        kit, command = route.found
        if room.stopped or room.lost or topic_of(kit, command, route.words):
            return True
        # Whoever comes late to a table is not too late while it stands.
        return self.watch.now() - heard.came > STALE and not room.playing(kit.name)

    def _begins_anew(self, room: Room, heard: _Heard) -> bool:
        """Whether the lines before this one must not wait for what it asks for."""
        return self._goes_alone(room, heard) or _is_slow(heard)

    def _route(self, room: Room, line: Line) -> _Route:
        """Find what answers a command."""
        meant = self.services.aliases.meant(room, line)
        word, words = self.command_index.split(meant.text.removeprefix(PREFIX))
        return _Route(meant, word, words, self.command_index.answering(room, meant.seat, word, words))

    async def _answer_together(self, room: Room, waiting: deque[_Heard]) -> None:
        """Answer the first lines in one commit, and take them away; the first of them can be so."""
        batch, taken = Batch(UnitOfWork(self._store, self.ledger)), 0
        try:
            await self._foresee(room, batch, waiting)
            for heard in waiting:
                here = self.rooms.at(heard.line.channel) is room
                if batch.full or not here or (taken and self._begins_anew(room, heard)):
                    break
                await self._decide(room, heard, batch)
                taken += 1
        except Exception as error:  # noqa: BLE001  (whatever it is, it is met again, and told, when it is alone)
            log.debug("lines are answered one by one", room=room.id, lines=len(waiting), reason=repr(error))
            await batch.take_back()
            await self._answer_each(room, waiting, taken + 1)
        else:
            await self._commit(room, batch, waiting, taken)

    async def _commit(self, room: Room, batch: Batch, waiting: deque[_Heard], taken: int) -> None:
        try:
            await batch.commit()
        except LostAnswer as error:
            log.warning("what was committed is not known", room=room.id, lines=taken, reason=str(error))
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
        await batch.tell()

    def _doubt(self, room: Room, heard: _Heard) -> None:
        heard.answered = True
        if heard.line.text.startswith(PREFIX):
            self._refuse(room, self._spoken(room, heard), heard.exchange, Message("look-again"))

    async def _answer_each(self, room: Room, waiting: deque[_Heard], count: int) -> None:
        for _ in range(count):
            await self._answer(room, waiting.popleft())

    async def _foresee(self, room: Room, batch: Batch, waiting: Sequence[_Heard]) -> None:
        """Read together what the lines will ask for."""
        lines = [self.members.linked_accounts.spoken(room, heard.line) for heard in waiting]
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
            [*(f"line:{each.id}" for each in commands), *(gift.id for gift in gifts if gift is not None)],
            [each.id for each in commands],
            self.services.hints.expected(room, [each.seat for each in commands], games),
        )
        for table in tables:
            seats = [each.seat for each in commands if each.seat not in table.seated]
            await batch.unit.records(room.id, table.kit.name, seats)

    async def _decide(self, room: Room, heard: _Heard, batch: Batch) -> None:
        """Answer a line in a batch; whatever it raises says that the batch comes to nothing."""
        line = self._spoken(room, heard)
        try:
            await self._hear(room, line, heard, batch)
        except Refusal as refusal:
            if line.text.startswith(PREFIX):
                batch.then(partial(self._refuse_later, room, line, heard.exchange, refusal.message))
        batch.then(partial(self._end, heard.exchange))

    async def _answer(self, room: Room, heard: _Heard) -> None:
        """Answer a line by itself, whatever it is and whatever becomes of it."""
        line, exchange = self._spoken(room, heard), heard.exchange
        heard.answered = True
        try:
            await self._hear(room, line, heard)
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
                self._refuse(room, line, exchange, Message("look-again" if doubtful else "try-again"))

    def _spoken(self, room: Room, heard: _Heard) -> Line:
        """Find out who speaks, which counts for the answers too."""
        heard.exchange.line = line = self.members.linked_accounts.spoken(room, heard.line)
        self.outbox.reach.note(room, line)
        return line

    async def hurry(self, room: Room, table_id: str) -> None:
        """Let the present phase of a table run out now, with all that the house's own do in it."""
        table = room.table(table_id)
        if table is not None:
            await self._shielded.finish(self._routing.hurry(room, table))

    # A line

    async def _hear(self, room: Room, line: Line, heard: _Heard, batch: Batch | None = None) -> None:
        command, now = _commands(line), self.watch.now()
        if command and batch is None and now - heard.came > STALE:
            raise Refusal(Message("try-again"))
        if self.people.met(line.account):
            room.spoke[line.seat] = now
        if not command and not self._store.well and now < self._probed + PROBE:
            return  # each talker would wait for the database, and commands behind them all
        self._probed = now
        if batch is None:
            await self.members.greet(room, line)
            await self.services.heard(room, line)
        else:
            await self.members.greet_with(batch, room, line)
            batch.then(partial(self.services.earning.heard, room, line))  # the rest of it waits for no batch
        await seat_speaker(room, line, self.members.linked_accounts, batch)
        if command:
            route = heard.route or self._route(room, line)
            if batch is None:
                await self._obey(room, route, heard.exchange)
            else:
                await self._obey_with(batch, room, route, heard.exchange)

    async def _obey_with(self, batch: Batch, room: Room, route: _Route, exchange: Exchange) -> None:
        """Make a move in a game, as a part of what is committed together."""
        line, words, found = route.line, route.words, route.found
        if found is None or isinstance(found, Service):
            raise Alone
        if not await self._deduplication.first_with(batch, line.id):
            return
        kit, command = found
        use = self.services.access.admit(Request(room, line, tuple(words)), found)
        batch.full = batch.full or command.slow
        await self._routing.play(room, kit, command, line, words, exchange, batch)
        batch.undo(self.services.access.passed(use))
        await self.services.hints.played(room, line, kit, batch)

    async def _obey(self, room: Room, route: _Route, exchange: Exchange) -> None:
        line, found = route.line, route.found
        asked = Request(room, line, route.words, exchange)
        if found is None:
            self.outbox.say(room, self.services.hints.mistyped(room, line, route.word), exchange)
        elif isinstance(found, Service) and found.reads:
            self.outbox.say(room, await self._act(asked, found), exchange)
        elif not await self._deduplication.knows(line.id):
            with suppress(Again):
                async with self._deduplication.noting(line.id):
                    says = await self._act(asked, found)
                self.outbox.say(room, says, exchange)
        exchange.end()

    async def _act(self, asked: Request, found: Found) -> Sequence[Say]:
        """Do what a command asks for; give what a service answers."""
        use = self.services.access.admit(asked, found)
        says: Sequence[Say] = ()
        if isinstance(found, Service):
            says = await found.answer(asked)
        else:
            await self._play(asked, *found)
            await self.services.hints.played(asked.room, asked.line, found[0])
        self.services.access.passed(use)
        return says

    async def _play(self, asked: Request, kit: AnyKit, command: Command) -> None:
        room, line, exchange = asked.room, asked.line, asked.exchange
        topic = topic_of(kit, command, asked.words)
        if topic:
            self.outbox.say(room, await self._routing.explain(room, kit, topic, line), exchange)
            return
        if room.stopped:
            raise Refusal(Message(room.stopped))
        await self._routing.play(room, kit, command, line, asked.words, exchange)

    def _refuse(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        refusal = Say(message, line.seat, secret=line.private, event="Refusal")
        self.outbox.say(room, [refusal], exchange)

    async def _end(self, exchange: Exchange) -> None:
        exchange.end()

    async def _refuse_later(self, room: Room, line: Line, exchange: Exchange, message: Message) -> None:
        self._refuse(room, line, exchange, message)


def _is_slow(heard: _Heard) -> bool:
    found = None if heard.route is None else heard.route.found
    return found is not None and not isinstance(found, Service) and found[1].slow


def _commands(line: Line) -> bool:
    return line.text.startswith(PREFIX) and len(line.text) <= LONGEST_LINE
