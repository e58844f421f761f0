"""The lifecycle of tables: opening them, and resuming them and their cooldowns after a restart."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

import structlog

from chatbot.bot.table_reports import follow_up
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Listing, Message, Name, Say
from chatbot.ledger.books.posting import Closed
from chatbot.ledger.chains import Secret
from chatbot.rooms.availability import require_open
from chatbot.rooms.request import at_least
from chatbot.rooms.room import hides
from chatbot.rooms.table_protocol import BrokenGame
from chatbot.tables.events.table_picture import TablePicture
from chatbot.tables.narration import told_again
from chatbot.tables.replay import Reopened, SecretLost, Unreplayable, replay, reread, reread_all
from chatbot.tables.table import GameTable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence

    from chatbot.bot.pauses import Pauses
    from chatbot.bot.table_reports import TableReports
    from chatbot.community.members import CommunityMembers
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import AnyGame, Role, Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.journal import Journal, TableRecord
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.vouchers import HeldVoucher
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.tables.events.publisher import Publisher
    from chatbot.tables.fairness import Fairness
    from chatbot.tables.house_fill import HouseFill
    from chatbot.tables.replay import Replay

LEAST_LEFT = 15.0  # least seconds that a phase lasts after a restart, so that nobody misses a turn

log = structlog.get_logger(__name__)


class Lifecycle:
    """Opens tables, and resumes them after a restart; each gets `admit` and `keeps_open`."""

    def __init__(
        self,
        *,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        journal: Journal,
        fairness: Fairness,
        pauses: Pauses,
        outbox: Outbox,
        watch: Watch,
        members: CommunityMembers,
        events: Publisher,
        reports: TableReports,
        admit: Callable[[Table, Seat, object], Awaitable[None]],
        house_fill: HouseFill,
        keeps_open: Callable[[Table], Awaitable[bool]],
    ) -> None:
        self._kits, self._ledger, self._journal, self._fairness = kits, ledger, journal, fairness
        self._pauses, self._outbox, self._watch = pauses, outbox, watch
        self._members, self._events, self._reports = members, events, reports
        self._admit, self._house_fill, self._keeps_open = admit, house_fill, keeps_open

    # Opening

    async def prepare(
        self, room: Room, kit: AnyKit, seat: Seat, role: Role, *, opens: bool, first: bool = False
    ) -> GameTable:
        """Return a new table, which is added to the room when its first action is accepted.

        `opens` says whether the command can open a table, and `first` whether its lobby is to be that of
        who opens the game for the first time.

        Raises:
            Refusal: the game is off, in its cooldown, or has as many tables as it may; or the command or
                the role cannot open one.
        """
        require_open(room, kit)
        left = self._pauses.left(room, kit.name)
        if left:
            raise Refusal(Message("cooldown", {"seconds": ceil(left), "word": f"!{kit.word}"}))
        if not opens:
            raise Refusal(Message("no-table", {"game": Message(f"game-{kit.name}"), "word": f"!{kit.word}"}))
        game = room.rules(kit)
        if not role.covers(game.starters):
            raise Refusal(Message("starters-only", {"role": at_least(game.starters)}))
        if not kit.seating.shared and len(room.playing(kit.name)) >= kit.seating.most_tables(game):
            raise Refusal(
                Message("tables-full", {"most": kit.seating.most_tables(game), "word": f"!{kit.word}"})
            )
        if first:
            game = kit.seating.hastened(game, room.first_lobby)
        table_id, secret = await self._fairness.coming(room)
        return self._table(room, kit, game, table_id, secret, kit.spot(seat))

    def initial_seats(self, room: Room, table: Table, seat: Seat) -> Sequence[Seat]:
        """Return who is seated when a table opens: residents of the game, active members, and who opened it.

        A person with several accounts, linked now or in the past, has one seat: the one that opened the
        table, or else that of the root account.
        """
        minutes, people = table.kit.seating.audience(table.game), self._members.people
        active = room.active(self._watch.now() - 60 * minutes) if minutes else []
        members: list[Seat] = []
        linked_seats = set(people.ties.everyone(seat))
        for each in map(people.ties.root, active):
            if each not in linked_seats:
                members.append(each)
                linked_seats.update(people.ties.everyone(each))
        return [*table.kit.seating.residents, *members, seat]

    def _table(
        self, room: Room, kit: AnyKit, game: AnyGame, table_id: str, secret: Secret, spot: str
    ) -> GameTable:
        return GameTable(
            id=table_id,
            kit=kit,
            game=game,
            room=room,
            secret=secret,
            ledger=self._ledger,
            journal=self._journal,
            watch=self._watch,
            spot=spot,
            on_step=self._reports.publish_step,
            on_void=self._reports.publish_void,
            on_paced=self._events.stands,
            admit=self._admit,
            fill=self._house_fill.fill,
            keeps_open=self._keeps_open,
        )

    # After a restart

    async def resume(self, room: Room) -> None:
        """Resume the open tables of a room and the cooldowns of its games.

        The only writes are the end of a table that cannot be replayed, whose stakes are returned, and a new
        chain for the secrets of the next tables.
        """
        await self._resume_tables(room)
        for table, game in await self._journal.untold(room.id):
            await self._publish_end(room, table, game)
        for kit in self._kits.values():
            if kit.rules.has_cooldown and not room.playing(kit.name):
                await self._resume_cooldown(room, kit)

    async def foreshow(self, room: Room) -> None:
        """Publish the open tables of a room that is not open yet, as they were left: no clock runs."""
        await self._fairness.load(room)
        tables = [table for table, _ in await self._journal.open_in(room.id)]
        replay_results = await reread_all(self._journal, tables, self._kits)
        # What cannot be replayed is dealt with when the room is opened.
        replays = {table: each[1] for table, each in replay_results.items() if isinstance(each, tuple)}
        await self._learn(room, replays.values())
        self._events.foreshow(room, {each.spot: _as_left(table, each) for table, each in replays.items()})

    async def find_lost(self, room: Room) -> None:
        """Look for a table whose opening was written, although the answer of the commit was lost.

        Those whose steps may have been written so, or by others, read their journals.
        """
        if room.lost:
            for table in list(room.tables.values()):
                async with table.lock:
                    with suppress(Closed, BrokenGame):  # whoever plays at it is told
                        await table.catch_up()
            await self._resume_tables(room)
            room.lost = False

    async def _resume_tables(self, room: Room) -> None:
        secrets_lost, void = await self._fairness.load(room), list[Message]()
        here = {table.id for table in room.tables.values()}
        open_tables = {
            table: game for table, game in await self._journal.open_in(room.id) if table not in here
        }
        replay_results = await reread_all(self._journal, open_tables, self._kits)
        await self._learn(room, [each[1] for each in replay_results.values() if isinstance(each, tuple)])
        vouchers = await self._ledger.vouchers.staked_at(open_tables) if open_tables else {}
        for table, game in open_tables.items():
            match replay_results[table]:
                case Reopened() as error:
                    # Its winners were paid: to return the stakes as well would pay twice.
                    log.critical("a table is left alone", table=table, game=game, reason=str(error))
                case SecretLost() as error:
                    await self._void(table, game, str(error))
                    await self._journal.told(table)
                    void.append(Message(f"game-{game}"))
                case Unreplayable() as error:
                    await self._void_and_publish(room, table, game, str(error))
                case (table_record, replayed) if _is_free(room, replayed.spot):
                    await self._resume_table(room, table_record, replayed, vouchers[table])
                case _:
                    reason = "another table stands in its place already"
                    await self._void_and_publish(room, table, game, reason)
        if secrets_lost or void:
            await self._fairness.begin_anew(room, void)
        await self._fairness.provide(room)

    async def _void_and_publish(self, room: Room, table: str, game: str, reason: str) -> None:
        await self._void(table, game, reason)
        await self._reports.announce_void(room, table, game)

    async def _void(self, table: str, game: str, reason: str) -> None:
        log.warning("a table that was cut off is void", table=table, game=game, reason=reason)
        await self._ledger.void(table, self._watch.date(), self._fairness.seed(table))

    async def _resume_table(
        self, room: Room, table_record: TableRecord, replayed: Replay, vouchers: dict[Seat, HeldVoucher]
    ) -> None:
        secret = _secret(table_record)
        table = self._table(room, replayed.kit, replayed.game, table_record.id, secret, replayed.spot)
        table.vouchers = vouchers
        table.resume(replayed, LEAST_LEFT)
        await table.timer.pace()  # as before the restart
        room.tables[table.spot] = table
        self._events.stands(table)
        says = self._announce_resumption(table, replayed.first)
        self._outbox.say(room, [table.says(replace(each, event="Resumed")) for each in says])
        await follow_up(table, self._fairness.opened(table))

    async def _learn(self, room: Room, replays: Iterable[Replay]) -> None:
        """Load the names of all who play, or are invited to."""
        seats = {seat for each in replays for seat in each.seated | each.invited}
        if seats:
            await self._members.learn(room.community, seats)

    def _announce_resumption(self, table: Table, first: Seat | None) -> Iterator[Say]:
        """Announce that a table goes on; in games with several tables, tell each player what they can do."""
        kit = table.kit
        is_hidden = table.clock is not None and table.clock.hidden
        left = 0 if table.deadline is None else ceil(table.deadline - self._watch.now())
        game = Message(f"game-{kit.name}")
        message = Message("table-resumed", {"game": game, "seconds": left})
        if is_hidden:
            message = Message("table-resumed-hidden", {"game": game})
        if kit.seating.shared or first is None or hides(table):
            yield Say(message)
        if kit.seating.shared or first is None:
            return
        for seat in (first, *kit.seating.guests(table.state), *kit.seating.invited(table.state)):
            note = kit.display.board(table.view(seat)).note
            text = Listing((message, note) if note else (message,), separator=" ")
            if hides(table):
                yield Say(Message("word", {"word": text}), seat, secret=True)
            else:
                yield Say(Message("addressed", {"who": Name(seat), "text": text}))

    async def _publish_end(self, room: Room, table_id: str, game: str) -> None:
        """Publish an end that was written, but not published, before a crash."""
        try:
            record_and_replay = await reread(self._journal, table_id, self._kits)
        except Unreplayable as error:
            log.warning("an end cannot be told", table=table_id, game=game, reason=str(error))
            await self._journal.told(table_id)
            return
        if record_and_replay is None:
            await self._reports.announce_void(room, table_id, game)
            return
        table_record, replayed = record_and_replay
        await self._members.learn(room.community, replayed.seated | replayed.invited)
        table = self._table(room, replayed.kit, replayed.game, table_id, _secret(table_record), replayed.spot)
        table.resume(replayed, 0.0)
        last = len(table_record.steps[-1].turns)
        self._reports.publish_narrated(table, told_again(table, replayed, replayed.turn - last))
        await follow_up(table, self._reports.follow_end(table))
        self._events.settled(room, table_id, game)

    async def _resume_cooldown(self, room: Room, kit: AnyKit) -> None:
        """Resume the cooldown after the last table; if the system clock was set back, it is not longer."""
        try:
            table_record = await self._journal.last_settled(room.id, kit.name)
            if table_record is None or table_record.closed_at is None:
                return
            replayed = await asyncio.to_thread(replay, kit, table_record)
        except (Unreplayable, ValueError) as error:
            log.warning("a rest is not remembered", room=room.id, game=kit.name, reason=str(error))
            return
        elapsed = max((self._watch.date() - table_record.closed_at).total_seconds(), 0.0)
        left = replayed.game.rest(replayed.state) - elapsed
        if left > 0:
            self._pauses.begin(room, kit, left)


def _is_free(room: Room, spot: str) -> bool:
    """Whether no table is played at a spot of a room."""
    present = room.tables.get(spot)
    return present is None or present.over


def _secret(table_record: TableRecord) -> Secret:
    """Return the secret of a table that was replayed, which therefore has one."""
    return Secret(table_record.chain or "", table_record.link or 0, table_record.seed or b"")


def _as_left(table: str, replayed: Replay) -> TablePicture:
    """Return the picture of a table that is not resumed yet."""
    over = replayed.clock is None
    return TablePicture(table, replayed.kit, replayed.game, replayed.state, replayed.clock, None, None, over)
