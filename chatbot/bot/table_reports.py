"""Reports what has happened at tables, after it was written: steps, ends and voids, and what follows them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.lobby import MOVED
from chatbot.kernel.say import Arguments, Message, Quote, Say, names
from chatbot.ledger.vouchers import VoucherState
from chatbot.rooms.channel import Privacy
from chatbot.tables.narration import in_time
from chatbot.tables.seating import has_secrets

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from chatbot.bot.pauses import Pauses
    from chatbot.community.open_seats import OpenSeats
    from chatbot.community.seasons import Calendar
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.journal import Journal
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.exchange import Exchange
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.tables.background import Background
    from chatbot.tables.events.publisher import Publisher
    from chatbot.tables.fairness import Fairness
    from chatbot.tables.house_fill import HouseFill
    from chatbot.tables.narration import Narrated

LINGER = 60.0  # seconds for which a finished table is shown, in games in which a room has several tables

log = structlog.get_logger(__name__)


class TableReports:
    """Reports what tables do to chats, the page and the season.

    `look(room)` is called when a table of a room has changed.
    """

    def __init__(
        self,
        *,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        journal: Journal,
        fairness: Fairness,
        calendar: Calendar,
        pauses: Pauses,
        outbox: Outbox,
        watch: Watch,
        background: Background,
        events: Publisher,
        house_fill: HouseFill,
        look: Callable[[Room], None],
        open_seats: OpenSeats,
    ) -> None:
        self._open_seats = open_seats
        self._kits, self._ledger, self._journal, self._fairness = kits, ledger, journal, fairness
        self._calendar, self._pauses, self._outbox, self._watch = calendar, pauses, outbox, watch
        self._background, self._events, self._look = background, events, look
        self._house_fill = house_fill

    async def publish_step(
        self, table: Table, narrated: Narrated, exchange: Exchange | None, opens: bool
    ) -> None:
        """Publish a step that was written; `exchange` is that of its line, if any.

        `opens` says whether it is the first of its table. Failures here cannot undo the step.
        """
        self._events.stands(table)
        says = in_time(table, narrated.says)
        if opens and self._open_seats.address:
            says = (*says, *self._where_hands_are(table))
        self.publish_narrated(table, replace(narrated, says=tuple(says)), exchange)
        if not MOVED.isdisjoint(map(type, narrated.events)):
            await follow_up(table, self._tell_terms(table, exchange))
        if exchange is not None:
            exchange.end()
        self._look(table.room)
        if opens:
            await follow_up(table, self._fairness.opened(table))
        if table.over:
            await follow_up(table, self._handle_end(table))
            self._events.settled(table.room, table.id, table.kit.name)

    def _where_hands_are(self, table: Table) -> Iterable[Say]:
        """Tell once a table where hands can be held that a chat cannot show to one person alone."""
        confides = all(each.manner.private is Privacy.ALL for each in table.room.channels)
        if not confides and has_secrets(table):
            message = Message("seat-hand-here", {"address": self._open_seats.address})
            yield table.says(Say(message, follows=True, event="HandHere"))

    async def _tell_terms(self, table: Table, exchange: Exchange | None) -> None:
        """Tell who is alone at a table if it would be for honour then."""
        terms = await self._house_fill.terms(table)
        if terms is not None:
            self._outbox.say(table.room, [table.says(terms)], exchange)

    def publish_narrated(self, table: Table, narrated: Narrated, exchange: Exchange | None = None) -> None:
        """Tell what was narrated of a step, and let house players comment on it."""
        says: Iterable[Say] = narrated.says
        if table.over:
            says = [replace(say, ends=say.to is None) for say in says]
        try:
            self._outbox.say(table.room, says, exchange, chosen=True)
        except Exception:
            log.exception("a step could not be told", table=table.id)
        for event in narrated.events:
            self._background.comment(table, event, exchange)

    async def _handle_end(self, table: Table) -> None:
        room, kit = table.room, table.kit
        seconds = table.game.rest(table.state)
        if seconds:
            self._pauses.begin(room, kit, seconds)
        self._clear_later(table)
        await self.follow_end(table)

    def _clear_later(self, table: Table) -> None:
        if not table.kit.seating.shared:
            self._watch.ring(LINGER, partial(self._clear, table))

    async def _clear(self, table: Table) -> None:
        """Remove a table that is over; the only table of a room stays until the next one."""
        if table.room.tables.get(table.spot) is table:
            del table.room.tables[table.spot]
            self._events.cleared(table)

    async def follow_end(self, table: Table) -> None:
        """Tell the seed of a table that is over, and count it for the season and the titles."""
        room, kit = table.room, table.kit
        await follow_up(table, self._fairness.ended(room, table.id))
        if kit.rules.was_played(table.state):
            says = await self._calendar.count(table)
            self._outbox.say(room, [replace(say, game=kit.name) for say in says])
        await self._journal.told(table.id)

    async def publish_void(self, table: Table) -> None:
        """Publish that a table of this process was voided."""
        self._clear_later(table)
        self._events.stands(table)
        kept_vouchers = sum(each.state is VoucherState.KEPT for each in table.vouchers.values())
        players = () if table.kit.seating.shared else table.players()
        await self.announce_void(table.room, table.id, table.kit.name, kept_vouchers, players)
        self._look(table.room)

    async def announce_void(
        self, room: Room, table: str, game: str, kept_vouchers: int = 0, whose: Sequence[Seat] = ()
    ) -> None:
        """Announce that a table was voided, at which so many stakes were paid with points that stay spent.

        `whose` are the players of one of several tables.
        """
        title = Message(f"game-{game}") if game in self._kits else Message("game-gone")
        who = await self._voided_by(room, table)
        of = Message("table-void-whose", {"who": names(whose)}) if whose else Message("nothing")
        by: Arguments = {} if who is None else {"who": Quote(who)}
        had_stakes = await self._had_stakes(table)
        stakes = Message("table-void-stakes", {"spent": kept_vouchers}) if had_stakes else Message("nothing")
        args: Arguments = {"game": title, "whose": of, "stakes": stakes, **by}
        message = Message("table-void" if who is None else "table-void-by", args)
        self._outbox.say(room, [Say(message, game=game, event="Voided", table=table)])
        try:
            await self._fairness.ended(room, table)
            await self._journal.told(table)
        except Exception:
            log.exception("a seed could not be told", table=table)
        self._events.voided(room, table, game)

    async def _voided_by(self, room: Room, table: str) -> str | None:
        """Return the name of the moderator who voided a table; None: nobody did, or it is unknown."""
        try:
            return await self._journal.caller_off(room.id, table)
        except (SQLAlchemyError, OSError):
            log.exception("who called a table off cannot be told", table=table)
            return None

    async def _had_stakes(self, table: str) -> bool:
        """Return whether stakes of a voided table were returned, or it is unknown: some are for honour."""
        try:
            return bool(await self._ledger.moved(f"void:{table}"))
        except (SQLAlchemyError, OSError):
            log.exception("what was returned of a table cannot be told", table=table)
            return True


async def follow_up(table: Table, work: Awaitable[None]) -> None:
    """Do what follows a step that was written already, which a failure here cannot undo."""
    try:
        await work
    except Exception:
        log.exception("a table could not be followed up", table=table.id)
