"""The house runs all tables: it hears lines, finds the game or the desk that answers, and tells what happens.

Rooms do not wait for each other. Within a room lines are answered in the order in which they came.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import Remembrance, Request
from chatbot.kernel.say import Message, Say, Talk
from chatbot.live.asked import Asked
from chatbot.live.choices import adopt, game_of
from chatbot.live.desk import Desk
from chatbot.live.draft import Cause
from chatbot.live.guests import Guests
from chatbot.live.guide import Guide
from chatbot.live.keeper import Keeper
from chatbot.live.kept import Kept
from chatbot.live.outbox import Outbox
from chatbot.live.season import Calendar
from chatbot.live.table import BrokenGame, Table
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.members import Members
from chatbot.wallets.preferences import Preferences
from chatbot.wallets.seasons import Seasons

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.kit import Command, Kit
    from chatbot.live.room import Line, Room
    from chatbot.live.watch import Watch
    from chatbot.live.words import Words
    from chatbot.wallets.store import Store

PREFIX = "!"
REMEMBERED = 10_000  # lines, by id: what a platform delivers twice comes soon after
LONGEST_LINE = 500  # characters; what is longer is talk, not a command

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a house gets what nobody may guess or repeat."""

    seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)  # the secret of a table's luck
    table_id: Callable[[], str] = lambda: secrets.token_hex(5)


class House:
    """Everything that is live, wired once."""

    def __init__(
        self,
        kits: Mapping[str, Kit],
        store: Store,
        words: Words,
        watch: Watch,
        sources: Sources | None = None,
    ) -> None:
        self.kits, self.watch = kits, watch
        self._sources = sources or Sources()
        self.ledger = Ledger(store)
        self.guests = Guests(self.ledger, Members(store), watch)
        self.outbox = Outbox(words, watch, self.guests.name)
        self._preferences = Preferences(store)
        self._calendar = Calendar(self.ledger, Seasons(store), self.guests, watch)
        self.desk = Desk(kits, self.ledger, self.guests, self._calendar, watch)
        self.guide = Guide(kits, (*self.desk.services, *Keeper(kits, self._preferences).services))
        self._kept = Kept()
        self._heard: OrderedDict[str, None] = OrderedDict()  # ids of the newest lines
        self.rooms: dict[str, Room] = {}
        self._channels: dict[str, Room] = {}
        self.listeners: list[Callable[[Room], None]] = []  # called when a table of a room has changed

    async def open(self, room: Room) -> None:
        """Open a room: what it has chosen counts, and stakes of tables that a crash cut off go back."""
        adopt(room, self.kits, await self._preferences.load(room.id))
        self.rooms[room.id] = room
        self._channels.update({channel.id: room for channel in room.channels})
        for left in await self.ledger.open_tables():
            if left.room == room.id:
                await self._clear(room, left.id, left.game)

    async def hear(self, line: Line) -> None:
        """Take a line in, once. A command is answered, if only by one sentence that says what is wrong."""
        if line.id in self._heard:
            return
        self._heard[line.id] = None
        while len(self._heard) > REMEMBERED:
            self._heard.popitem(last=False)
        await self._kept.finish(self._take(line))

    async def settle(self) -> None:
        """Wait for lines that are being answered."""
        await self._kept.settle()

    async def _take(self, line: Line) -> None:
        room = self._channels[line.channel]
        async with room.order:
            try:
                await self._hear(room, line)
            except Refusal as refusal:
                self._refuse(room, line, refusal.message)
            except BrokenGame:
                log.warning("a table was broken by a line", room=room.id, line=line.id)
            except Exception:
                log.exception("a line could not be answered", room=room.id, line=line.id)
                if line.text.startswith(PREFIX):
                    self._refuse(room, line, Message("try-again"))

    async def hurry(self, room: Room, table_id: str) -> None:
        """Let the present phase of a table run out now."""
        for table in list(room.tables.values()):
            if table.id == table_id:
                await self._kept.finish(table.hurry())

    def rest(self, room: Room, game: str) -> float:
        """Tell the seconds until a game may be opened again."""
        return max(room.rested.get(game, 0.0) - self.watch.now(), 0.0)

    async def wake(self, room: Room, game: str) -> None:
        """End the rest of a game now."""
        if game in self.kits and self.rest(room, game):
            room.rested.pop(game)
            await self._rested(room, self.kits[game])

    # A line

    async def _hear(self, room: Room, line: Line) -> None:
        await self.guests.greet(room, line)
        room.spoke[line.seat] = self.watch.now()
        await self._seat_speaker(room, line)
        if not line.text.startswith(PREFIX) or len(line.text) > LONGEST_LINE:
            return
        word, words = self.guide.split(line.text.removeprefix(PREFIX))
        service, command = self.guide.service(word), self.guide.command(word)
        if service is not None:
            self.guide.check(service, line.role)
            says = await service.answer(Asked(room, line, tuple(words)))
            self.outbox.say(room, says)
        elif command is not None:
            await self._play(room, *command, line, words)

    async def _play(self, room: Room, kit: Kit, command: Command, line: Line, words: tuple[str, ...]) -> None:
        topic = words[0].lower() if len(words) == 1 and command.word == kit.word else ""
        if topic in kit.topics:
            await self._explain(room, kit, topic, line)
            return
        purse = await self.desk.purse(room, line.seat)
        table = room.tables.get(kit.name)
        if table is not None and table.over:
            await table.finished()  # a season that ends with it must not miss what is staked next
        present = table is not None and not table.over
        if table is None or table.over:
            table = self._lay(room, kit, command, line)
        action = command.read(table.game, Request(line.seat, purse, words))
        company = [line.seat] if present else self._company(room, table, line.seat)
        sits = await table.sit(company)
        await table.play([*sits, action], Cause(line.id, line.seat))

    async def _explain(self, room: Room, kit: Kit, topic: str, line: Line) -> None:
        game, purse = game_of(kit, room.settings(kit.name)), await self.desk.purse(room, line.seat)
        bodies = await self.ledger.records(room.id, kit.name, [line.seat])
        record = kit.codec.load(bodies[line.seat]) if line.seat in bodies else None
        asked = Asked(room, line, (topic,))
        remembered = Remembrance(line.seat, purse, record)
        self.outbox.say(room, [asked.answer(each) for each in kit.topics[topic](game, remembered)])

    async def _seat_speaker(self, room: Room, line: Line) -> None:
        """Whoever speaks while a table stands sits at it too, where the game is for the active."""
        for table in list(room.tables.values()):
            if not table.over and table.kit.audience(table.game) and line.seat not in table.seated:
                with suppress(Refusal):  # it has ended since; nobody asked for anything
                    await table.play(await table.sit([line.seat]), Cause(line.id, line.seat))

    def _refuse(self, room: Room, line: Line, message: Message) -> None:
        self.outbox.say(room, [Say(message, to=line.seat, secret=line.private, event="Refusal")])

    # Tables

    def _lay(self, room: Room, kit: Kit, command: Command, line: Line) -> Table:
        """Prepare a table that exists as soon as its first action is accepted."""
        rest = self.rest(room, kit.name)
        if rest:
            raise Refusal(Message("cooldown", {"seconds": ceil(rest), "word": f"!{kit.word}"}))
        if not command.opens:
            raise Refusal(Message("no-table", {"word": f"!{kit.word}"}))
        game = game_of(kit, room.settings(kit.name))
        if not line.role.covers(game.starters):
            raise Refusal(Message("starters-only", {"role": Message(f"role-{game.starters.value}")}))
        return Table(
            id=self._sources.table_id(),
            kit=kit,
            game=game,
            room=room,
            seed=self._sources.seed(),
            ledger=self.ledger,
            watch=self.watch,
            told=self._told,
            broken=self._broken,
        )

    def _company(self, room: Room, table: Table, seat: Seat) -> Sequence[Seat]:
        """Who sits down when a table opens: the house's own, the active, and who opened it."""
        minutes = table.kit.audience(table.game)
        active = room.active(self.watch.now() - 60 * minutes) if minutes else []
        return [*table.kit.residents, *active, seat]

    async def _told(self, table: Table, events: tuple[object, ...]) -> None:
        """Tell a step that is written already: nothing that goes wrong here can undo it."""
        table.room.tables[table.kit.name] = table
        for event in events:
            try:
                self.outbox.say(table.room, table.kit.tell(event))
            except Exception:
                log.exception("an event could not be told", table=table.id, happened=repr(event))
        if table.over:
            await self._end(table)
        self._changed(table.room)

    async def _end(self, table: Table) -> None:
        try:
            await self._ended(table)
        except Exception:
            log.exception("the end of a table could not be followed up", table=table.id)

    async def _ended(self, table: Table) -> None:
        room, kit = table.room, table.kit
        rest = table.game.rest(table.state)
        if rest:
            room.rested[kit.name] = self.watch.now() + rest
            self.watch.ring(rest, lambda: self._rest_over(room, kit))
        if kit.counts(table.state):
            self.outbox.say(room, await self._calendar.count(table))

    async def _rest_over(self, room: Room, kit: Kit) -> None:
        """Say that a rest is over, unless somebody ended it before, or another one has begun."""
        if kit.name in room.rested and not self.rest(room, kit.name):
            room.rested.pop(kit.name)
            await self._rested(room, kit)

    async def _rested(self, room: Room, kit: Kit) -> None:
        message = Message("rested", {"word": f"!{kit.word}", "game": Message(f"game-{kit.name}")})
        self.outbox.say(room, [Say(message, talk=Talk.NORMAL, game=kit.name, event="Rested")])
        self._changed(room)

    async def _broken(self, table: Table) -> None:
        self._say_void(table.room, table.kit.name)
        self._changed(table.room)

    async def _clear(self, room: Room, table_id: str, game: str) -> None:
        refunds = await self.ledger.void(table_id, self.watch.date())
        log.warning("a table that was cut off is void", table=table_id, game=game, refunds=len(refunds))
        self._say_void(room, game)

    def _say_void(self, room: Room, game: str) -> None:
        title = Message(f"game-{game}") if game in self.kits else Message("game-gone")
        self.outbox.say(room, [Say(Message("table-void", {"game": title}), game=game, event="Voided")])

    def _changed(self, room: Room) -> None:
        for listener in self.listeners:
            listener(room)
