"""A room: it holds tables and settings, and has one or more channels."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import AnyGame, Seat
from chatbot.rooms.channel import Channel
from chatbot.rooms.inbox import Inbox
from chatbot.rooms.table_protocol import Table
from chatbot.runtime.limits import remember
from chatbot.settings.fields import Selection, of_game
from chatbot.settings.room import HABITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chatbot.kernel.kit import AnyKit
    from chatbot.settings.room import RoomSettings

LONGEST_ACTIVE = 86_400.0  # seconds for which a member's last activity is stored
MOST_ACTIVE = 20_000  # members of a room whose last activity is stored, the latest
MOST_AWAY = 1000  # players of a room who are known to be silent, or away, the latest


@dataclass(eq=False)
class Room:
    """An open room, with its tables and settings.

    `community` is the one whose wallets its members use, a word without a colon. `holder` is the one whose
    settings apply to them: another one while the two communities are united.
    """

    id: str
    community: str
    channels: tuple[Channel, ...]
    holder: str = ""  # empty: the community itself
    # By the name of the group. `Any`: each group has settings of its own type.
    chosen: dict[str, Selection[Any]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)  # by their spots, see `Kit.spot`
    rested: dict[str, float] = field(default_factory=dict)  # when each game may be opened again, on the watch
    tellings: dict[str, int] = field(default_factory=dict)  # the last of several texts, of lines of no table
    # When each member was last active, on the watch.
    spoke: OrderedDict[Seat, float] = field(default_factory=OrderedDict)
    # Who let a turn pass, and who has left, until they are heard again: for them tables wait less, or not.
    silent: OrderedDict[Seat, None] = field(default_factory=OrderedDict)
    away: OrderedDict[Seat, None] = field(default_factory=OrderedDict)
    live: bool | None = None  # whether its stream is on; None: unknown
    lost: bool = False  # whether the database may have a table that is not in memory
    inbox: Inbox = field(default_factory=Inbox)  # lines and ends of phases, in the order of their arrival
    elsewhere: bool = False  # its lines are not taken: another process runs it, or it cannot be opened yet
    shared: bool = (
        False  # whether lines that come while it is elsewhere are passed to the process that runs it
    )
    stopped: str = ""  # id of the message that says why no game is played now; empty: games are played
    order: asyncio.Lock = field(default_factory=asyncio.Lock)  # held by what changes the room as a whole

    def __post_init__(self) -> None:
        if ":" in self.community:  # nobody in it could be paid
            raise ValueError(f"a community is a word without a colon, not {self.community!r}")

    @property
    def habits(self) -> RoomSettings:
        """The general settings of the room."""
        return HABITS.of(self)

    def playing(self, game: str) -> list[Table]:
        """Return the tables of a game that are not over."""
        return [table for table in self.tables.values() if table.kit.name == game and not table.over]

    def place(self, kit: AnyKit, seat: Seat) -> Table | None:
        """Return the table that a seat's commands are for: where it plays, or else where it is invited.

        If there is no such table, return the last one at the seat's own spot, which is over, or None.
        """
        at_spot = self.tables.get(kit.spot(seat))
        if kit.seating.shared or (at_spot is not None and not at_spot.over):
            return at_spot
        tables = self.playing(kit.name)
        plays = (table for table in tables if seat in kit.seating.guests(table.state))
        invited = (table for table in tables if seat in kit.seating.invited(table.state))
        return next(plays, None) or next(invited, at_spot)

    def playing_at(self, kit: AnyKit, seat: Seat) -> Table | None:
        """Return the table at which a seat plays a game; an invitation alone does not count."""
        table = self.place(kit, seat)
        if table is None or table.over or seat in kit.seating.invited(table.state):
            return None
        return table

    def table(self, table_id: str) -> Table | None:
        """Return the table of an id."""
        return next((table for table in self.tables.values() if table.id == table_id), None)

    def rules(self, kit: AnyKit) -> AnyGame:
        """Return the rules for the next table of a game."""
        selection = self.chosen.get(kit.name)
        rules: AnyGame = of_game(kit).unset.value if selection is None else selection.value
        return rules

    def settings(self, group: str) -> Mapping[str, object]:
        """Return the settings of a group that were changed, as they are stored."""
        return self.chosen[group].choices if group in self.chosen else {}

    def note_active(self, seat: Seat, now: float) -> None:
        """Note that a member is active."""
        remember(self.spoke, seat, now, MOST_ACTIVE)

    @property
    def patience(self) -> float:
        """For how many seconds the turn of a silent player lasts: the slowest of the room's chats counts."""
        return max(each.manner.patience for each in self.channels)

    @property
    def first_lobby(self) -> int:
        """Return the most seconds of the first lobby that a member opens; 0: it is as long as any other."""
        return min(each.manner.first_lobby for each in self.channels)

    def note_silent(self, seats: Iterable[Seat]) -> None:
        """Note who let a turn pass."""
        for seat in seats:
            remember(self.silent, seat, None, MOST_AWAY)

    async def note_away(self, seats: Iterable[Seat]) -> None:
        """Note who has left: no table waits for them, until they are heard."""
        for seat in seats:
            remember(self.away, seat, None, MOST_AWAY)
        await self._pace_tables()

    def is_missed(self, seat: Seat) -> bool:
        """Whether tables wait less for a member than for others."""
        return seat in self.silent or seat in self.away

    async def welcome_back(self, seat: Seat) -> None:
        """Let tables wait again for a member who was silent, or away."""
        self.silent.pop(seat, None)
        self.away.pop(seat, None)
        await self._pace_tables()

    async def _pace_tables(self) -> None:
        for table in list(self.tables.values()):
            await table.pace()

    def active(self, since: float) -> list[Seat]:
        """Return the members who were active since a time of the watch, and drop expired entries."""
        while self.spoke and next(iter(self.spoke.values())) < since - LONGEST_ACTIVE:
            self.spoke.popitem(last=False)
        return [seat for seat, at in self.spoke.items() if at >= since]


def hides(table: Table) -> bool:
    """Whether the moves that are possible at a table now must be shown to their player alone."""
    return not table.over and bool(table.kit.seating.private(table.state))
