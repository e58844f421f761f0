"""Opens tables, takes up those that a crash cut off, and follows up their ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Listing, Message, Name, Quote, Say, Talk
from chatbot.ledger.chains import Secret
from chatbot.rooms.room import hides
from chatbot.settings.availability import require_open
from chatbot.settings.room import rules_of
from chatbot.tables.replay import Reopened, SecretLost, Unreplayable, replay, reread
from chatbot.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.community.seasons import Calendar
    from chatbot.kernel.game import AnyGame, Role, Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.journal import Journal, TableRecord
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.background import Background
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.replies import Exchange
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.events.publisher import Publisher
    from chatbot.tables.fairness import Fairness
    from chatbot.tables.replay import Replay

LEAST_LEFT = 15.0  # seconds that a phase has at least after a restart, so that nobody loses a turn to it
LINGER = 60.0  # seconds for which the end of a table is shown where each plays at an own one

log = structlog.get_logger(__name__)


class Pauses:
    def __init__(self, kits: Mapping[str, AnyKit], outbox: Outbox, watch: Watch, events: Publisher) -> None:
        self._kits, self._outbox, self._watch, self._events = kits, outbox, watch, events

    def left(self, room: Room, game: str) -> float:
        """Tell the seconds until a game may be opened again."""
        return max(room.rested.get(game, 0.0) - self._watch.now(), 0.0)

    def begin(self, room: Room, kit: AnyKit, seconds: float) -> None:
        until = room.rested[kit.name] = self._watch.now() + seconds
        self._watch.ring(seconds, lambda: self._ring(room, kit, until))

    async def wake(self, room: Room, game: str) -> None:
        """End a rest now."""
        if game in self._kits and self.left(room, game):
            room.rested.pop(game)
            self._tell(room, self._kits[game])

    async def _ring(self, room: Room, kit: AnyKit, until: float) -> None:
        """Say that a rest is over, unless somebody ended it before, or another one has begun.

        It is known by its end, and not by the time: where a clock is coarse, an alarm rings a little early.
        """
        if room.rested.get(kit.name) == until:
            room.rested.pop(kit.name)
            self._tell(room, kit)

    def _tell(self, room: Room, kit: AnyKit) -> None:
        message = Message("rested", {"word": f"!{kit.word}", "game": Message(f"game-{kit.name}")})
        self._outbox.say(room, [Say(message, talk=Talk.NORMAL, game=kit.name, event="Rested")])
        self._events.rested(room, kit.name)


class Lifecycle:
    """`look(room)` is called when a table of a room has changed."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        journal: Journal,
        fairness: Fairness,
        calendar: Calendar,
        pauses: Pauses,
        outbox: Outbox,
        watch: Watch,
        background: Background,
        members: CommunityMembers,
        events: Publisher,
        look: Callable[[Room], None],
    ) -> None:
        self._kits, self._ledger, self._journal, self._fairness = kits, ledger, journal, fairness
        self._calendar, self._pauses, self._outbox, self._watch = calendar, pauses, outbox, watch
        self._background, self._members, self._events, self._look = background, members, events, look

    # Opening

    async def lay(self, room: Room, kit: AnyKit, seat: Seat, role: Role, *, opens: bool) -> Table:
        """Prepare a table that exists as soon as its first action is accepted.

        Raises:
            Refusal: there are no games now, this one rests or is played often enough, or this is not
                the word or the one to open it.
        """
        require_open(room, kit)
        rest = self._pauses.left(room, kit.name)
        if rest:
            raise Refusal(Message("cooldown", {"seconds": ceil(rest), "word": f"!{kit.word}"}))
        if not opens:
            raise Refusal(Message("no-table", {"game": Message(f"game-{kit.name}"), "word": f"!{kit.word}"}))
        game = rules_of(room, kit)
        if not role.covers(game.starters):
            raise Refusal(Message("starters-only", {"role": Message(f"role-{game.starters.value}")}))
        if kit.apart is not None and len(room.playing(kit.name)) >= kit.apart.most(game):
            raise Refusal(Message("tables-full", {"most": kit.apart.most(game), "word": f"!{kit.word}"}))
        name, secret = await self._fairness.coming(room)
        return self._table(room, kit, game, name, secret, kit.spot(seat))

    def company(self, room: Room, table: Table, seat: Seat) -> Sequence[Seat]:
        """Who sits down when a table opens: the house's own, the active, and who opened it.

        Of one person with several accounts, linked or parted since, only one: who opened it, or the root.
        """
        minutes, people = table.kit.hosted.audience(table.game), self._members.people
        active = room.active(self._watch.now() - 60 * minutes) if minutes else []
        company: list[Seat] = []
        taken = set(people.everyone(seat))
        for each in map(people.root, active):
            if each not in taken:
                company.append(each)
                taken.update(people.everyone(each))
        return [*table.kit.hosted.residents, *company, seat]

    def _table(
        self, room: Room, kit: AnyKit, game: AnyGame, table_id: str, secret: Secret, spot: str
    ) -> Table:
        return Table(
            id=table_id,
            kit=kit,
            game=game,
            room=room,
            secret=secret,
            ledger=self._ledger,
            journal=self._journal,
            watch=self._watch,
            spot=spot,
            told=self._told,
            broken=self._broken,
        )

    # After a restart

    async def take_up(self, room: Room) -> None:
        """Go on with the tables that stand in a room, and with the rests that its games keep.

        Nothing is written but the end of a table that cannot be replayed, whose stakes go back, and the
        chain that the next ones take their secrets from.
        """
        await self._take_up_tables(room)
        for table, game in await self._journal.untold(room.id):
            await self._tell_end(room, table, game)
        for kit in self._kits.values():
            if kit.rests and not room.playing(kit.name):
                await self._remember_rest(room, kit)

    async def find_lost(self, room: Room) -> None:
        """Look for a table whose opening was written, though the answer to it was lost."""
        if room.lost:
            await self._take_up_tables(room)
            room.lost = False

    async def _take_up_tables(self, room: Room) -> None:
        lost, void = await self._fairness.load(room), list[Message]()
        here = {table.id for table in room.tables.values()}
        for table, game in await self._journal.open_in(room.id):
            if table in here:
                continue
            try:
                found = await reread(self._journal, table, self._kits)
            except Reopened as error:
                # Its winners are paid: to give the stakes back as well would pay twice.
                log.critical("a table is left alone", table=table, game=game, reason=str(error))
                continue
            except SecretLost as error:
                await self._void(table, game, str(error))
                await self._journal.told(table)
                void.append(Message(f"game-{game}"))
                continue
            except Unreplayable as error:
                await self._call_off(room, table, game, str(error))
                continue
            present = None if found is None else room.tables.get(found[1].spot)
            if found is not None and (present is None or present.over):
                await self._resume(room, *found)
            else:
                await self._call_off(room, table, game, "another table stands in its place already")
        if lost or void:
            await self._fairness.begin_anew(room, void)
        await self._fairness.provide(room)

    async def _call_off(self, room: Room, table: str, game: str, reason: str) -> None:
        await self._void(table, game, reason)
        await self._say_void(room, table, game)

    async def _void(self, table: str, game: str, reason: str) -> None:
        log.warning("a table that was cut off is void", table=table, game=game, reason=reason)
        await self._ledger.void(table, self._watch.date(), self._fairness.seed(table))

    async def _resume(self, room: Room, story: TableRecord, replayed: Replay) -> None:
        await self._members.learn(room.community, replayed.seated | replayed.invited)
        table = self._table(room, replayed.kit, replayed.game, story.id, _secret(story), replayed.spot)
        table.resume(replayed, LEAST_LEFT)
        room.tables[table.spot] = table
        self._events.stands(table)
        told = self._resumed(table, replayed.first)
        self._outbox.say(room, [table.says(replace(each, event="Resumed")) for each in told])
        await _follow_up(table, self._fairness.opened(table))

    def _resumed(self, table: Table, first: Seat | None) -> Iterator[Say]:
        """Say that a table goes on; at one that stands apart, to each who plays there what they can do."""
        kit = table.kit
        hidden = table.clock is not None and table.clock.hidden
        left = 0 if table.deadline is None else ceil(table.deadline - self._watch.now())
        game = Message(f"game-{kit.name}")
        resumed = Message("table-resumed", {"game": game, "seconds": left})
        if hidden:
            resumed = Message("table-resumed-hidden", {"game": game})
        if kit.apart is None or first is None or hides(table):
            yield Say(resumed)
        if kit.apart is None or first is None:
            return
        for seat in (first, *kit.guests(table.state), *kit.invited(table.state)):
            note = kit.board(table.view(seat)).note
            told = Listing((resumed, note) if note else (resumed,), separator=" ")
            if hides(table):
                yield Say(Message("word", {"word": told}), seat, secret=True)
            else:
                yield Say(Message("addressed", {"who": Name(seat), "text": told}))

    async def _tell_end(self, room: Room, table_id: str, game: str) -> None:
        """Tell an end that was written just before a crash."""
        try:
            found = await reread(self._journal, table_id, self._kits)
        except Unreplayable as error:
            log.warning("an end cannot be told", table=table_id, game=game, reason=str(error))
            await self._journal.told(table_id)
            return
        if found is None:
            await self._say_void(room, table_id, game)
            return
        story, replayed = found
        await self._members.learn(room.community, replayed.seated | replayed.invited)
        table = self._table(room, replayed.kit, replayed.game, table_id, _secret(story), replayed.spot)
        table.resume(replayed, 0.0)
        self._tell_events(table, replayed.since_turn(replayed.turn - len(story.steps[-1].turns)))
        await _follow_up(table, self._follow_end(table))
        self._events.settled(room, table_id, game)

    async def _remember_rest(self, room: Room, kit: AnyKit) -> None:
        """Keep what is left of the rest after the last table; a calendar that was set back adds nothing."""
        try:
            story = await self._journal.last_settled(room.id, kit.name)
            if story is None or story.closed_at is None:
                return
            replayed = await asyncio.to_thread(replay, kit, story)
        except (Unreplayable, ValueError) as error:
            log.warning("a rest is not remembered", room=room.id, game=kit.name, reason=str(error))
            return
        gone = max((self._watch.date() - story.closed_at).total_seconds(), 0.0)
        left = replayed.game.rest(replayed.state) - gone
        if left > 0:
            self._pauses.begin(room, kit, left)

    # What happens at a table

    async def _told(
        self, table: Table, events: tuple[object, ...], exchange: Exchange | None, opens: bool
    ) -> None:
        """Tell a step that is written already, with the line that it came from, if any, and whether it opens.

        Nothing that goes wrong here can undo it.
        """
        self._events.stands(table)
        self._tell_events(table, events, exchange)
        if exchange is not None:
            exchange.end()
        self._look(table.room)
        if opens:
            await _follow_up(table, self._fairness.opened(table))
        if table.over:
            await _follow_up(table, self._ended(table))
            self._events.settled(table.room, table.id, table.kit.name)

    def _tell_events(
        self, table: Table, events: tuple[object, ...], exchange: Exchange | None = None
    ) -> None:
        for event in events:
            try:
                told = [table.says(say) for say in table.kit.tell(event)]
                self._outbox.say(table.room, told, exchange)
            except Exception:
                log.exception("an event could not be told", table=table.id, happened=repr(event))
            self._background.ponder(table, event, exchange)

    async def _ended(self, table: Table) -> None:
        room, kit = table.room, table.kit
        rest = table.game.rest(table.state)
        if rest:
            self._pauses.begin(room, kit, rest)
        self._clear_later(table)
        await self._follow_end(table)

    def _clear_later(self, table: Table) -> None:
        if table.kit.apart is not None:
            self._watch.ring(LINGER, partial(self._clear, table))

    async def _clear(self, table: Table) -> None:
        """Take away a table that is over; one that all share is there until the next."""
        if table.room.tables.get(table.spot) is table:
            del table.room.tables[table.spot]
            self._events.cleared(table)

    async def _follow_end(self, table: Table) -> None:
        room, kit = table.room, table.kit
        await _follow_up(table, self._fairness.ended(room, table.id))
        if kit.counts(table.state):
            says = await self._calendar.count(table)
            self._outbox.say(room, [replace(say, game=kit.name) for say in says])
        await self._journal.told(table.id)

    async def _broken(self, table: Table) -> None:
        self._clear_later(table)
        self._events.stands(table)
        await self._say_void(table.room, table.id, table.kit.name)
        self._look(table.room)

    async def _say_void(self, room: Room, table: str, game: str) -> None:
        title = Message(f"game-{game}") if game in self._kits else Message("game-gone")
        who = await self._caller_off(room, table)
        by: Arguments = {} if who is None else {"who": Quote(who)}
        told = Message("table-void" if who is None else "table-void-by", {"game": title, **by})
        self._outbox.say(room, [Say(told, game=game, event="Voided", table=table)])
        try:
            await self._fairness.ended(room, table)
            await self._journal.told(table)
        except Exception:
            log.exception("a seed could not be told", table=table)
        self._events.voided(room, table, game)

    async def _caller_off(self, room: Room, table: str) -> str | None:
        try:
            return await self._journal.caller_off(room.id, table)
        except (SQLAlchemyError, OSError):
            log.exception("who called a table off cannot be told", table=table)
            return None


def _secret(story: TableRecord) -> Secret:
    """Give the secret of a story that was played again, so it has one."""
    return Secret(story.chain or "", story.link or 0, story.seed or b"")


async def _follow_up(table: Table, work: Awaitable[None]) -> None:
    try:
        await work
    except Exception:
        log.exception("a table could not be followed up", table=table.id)
