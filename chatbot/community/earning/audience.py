"""Watching: finds who is present, by a platform's list or by their lines, and pays for it.

Both are checked every few minutes. Time is divided into slots of the calendar. A member who was seen in one
slot and again in the next has watched for that long, and is paid for it once, even if the clock was changed.

Who was seen is in the memory of the process that runs the community's rooms. After another one has taken them
over, the slot in which that happened is not paid; none is paid twice, as each is part of the payment's id.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.community.earning.payments import WATCH, Due
from chatbot.community.earning.settings import EARNINGS, SHIPPED
from chatbot.kernel.game import Seat
from chatbot.ledger.members import Sighting
from chatbot.rooms.settings.lists import all_roles
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from chatbot.community.earning.payments import Payments
    from chatbot.community.members import CommunityMembers, LinkedAccounts
    from chatbot.kernel.game import Role
    from chatbot.ledger.members import Members, Presence
    from chatbot.ledger.people import Account
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

MOST_UNWRITTEN = 20_000  # members whose presence waits to be written, while the database does not answer
CHECK_INTERVAL = 120.0  # seconds between two checks of who is present
LONGEST_GAP = 2 * CHECK_INTERVAL  # seconds between two sightings that count as one stay
REMEMBERED = 20_000  # persons, with the slots in which they were seen
PRESENT = 600.0  # seconds since their last line in which somebody counts as present
MOST_LISTS = 1_000  # rooms of which it is remembered who was listed last

log = structlog.get_logger(__name__)


class Attendance:
    """Counts the messages and minutes of members in memory, and writes them together."""

    def __init__(self, presence: Presence, linked_accounts: LinkedAccounts, watch: Watch) -> None:
        self._presence, self._linked_accounts, self._watch = presence, linked_accounts, watch
        self._sightings: dict[tuple[str, Seat], Sighting] = {}

    def spoke(self, room: Room, line: Line) -> None:
        """Count a message, and keep the roles of its sender until the next one.

        A private message does not change them, for platforms send it without badges. Whoever only enters the
        local page says nothing.
        """
        sighting = self._sighting(room, line.seat)
        roles = sighting.roles if line.private else line.roles
        self._keep(replace(sighting, messages=sighting.messages + bool(line.text), roles=roles))

    def watched(self, room: Room, seat: Seat, minutes: int) -> None:
        """Add minutes of watching."""
        sighting = self._sighting(room, seat)
        self._keep(replace(sighting, minutes=sighting.minutes + minutes))

    async def roles(self, room: Room, seats: Collection[Seat]) -> dict[Seat, frozenset[Role]]:
        """Return the roles with which members were seen last, and that of regulars."""
        presences = await self._presence.several(room.community, seats)
        roles_by_seat = {}
        for seat in seats:
            sighting = self._sightings.get((room.community, seat))
            roles = None if sighting is None else sighting.roles
            if roles is None:
                roles = presences[seat].roles if seat in presences else frozenset()
            roles_by_seat[seat] = all_roles(room, self._linked_accounts.people.accounts(seat), roles)
        return roles_by_seat

    async def flush(self) -> None:
        """Write what was counted; if that fails, it is kept for the next time."""
        sightings, self._sightings = self._sightings, {}
        try:
            await self._presence.add([*sightings.values()])
        except (SQLAlchemyError, OSError):
            log.exception("who was here could not be written down", members=len(sightings))
            for each in sightings.values():
                self._restore(each)

    def _sighting(self, room: Room, seat: Seat) -> Sighting:
        new = Sighting(room.community, seat, self._watch.date())
        return self._sightings.get((room.community, seat), new)

    def _keep(self, sighting: Sighting) -> None:
        key = sighting.community, sighting.seat
        if key in self._sightings or len(self._sightings) < MOST_UNWRITTEN:
            self._sightings[key] = sighting

    def _restore(self, sighting: Sighting) -> None:
        """Add a sighting that could not be written to what was counted meanwhile."""
        later = self._sightings.get((sighting.community, sighting.seat))
        if later is not None:
            minutes, messages = sighting.minutes + later.minutes, sighting.messages + later.messages
            roles = sighting.roles if later.roles is None else later.roles
            sighting = replace(sighting, minutes=minutes, messages=messages, roles=roles)
        self._keep(sighting)


@dataclass(frozen=True, slots=True)
class _Viewer:
    """A member who was seen in a slot, and the minutes since they were last seen."""

    seat: Seat
    name: str
    slot: int
    minutes: int


class Audience:
    """Pays members for each slot in which they stayed."""

    def __init__(
        self,
        payments: Payments,
        attendance: Attendance,
        members: CommunityMembers,
        member_store: Members,
        watch: Watch,
    ) -> None:
        self._payments, self._attendance, self._watch = payments, attendance, watch
        self._members, self._member_store = members, member_store
        # By community and root: the time of the watch up to which the minutes are counted.
        self._counted_until: OrderedDict[tuple[str, Seat], float] = OrderedDict()
        # By community and person, who is paid once, for accounts that have parted too: the last slot.
        self._slots: OrderedDict[tuple[str, Seat], int] = OrderedDict()
        # The last slot of the length that ships for which somebody was paid.
        self._usual: OrderedDict[tuple[str, Seat], int] = OrderedDict()
        self._last_checks: dict[str, float] = {}  # room -> the time of its last check, on the watch
        self._introduced: OrderedDict[tuple[str, Seat], None] = OrderedDict()
        # By room: when the platform listed who is present last, on the watch, and who that was.
        self._listed: OrderedDict[str, tuple[float, tuple[Seat, ...]]] = OrderedDict()

    async def process_list(self, room: Room, account_names: Mapping[Account, str], *, live: bool) -> None:
        """Process a platform's list of the accounts that are present, with their names."""
        people = self._members.people
        await people.settle(account_names)
        without_mark = self._members.without_mark
        names = {
            people.ties.root(people.home(account)): without_mark(name)
            for account, name in account_names.items()
        }
        remember(self._listed, room.id, (self._watch.now(), tuple(names)), MOST_LISTS)
        slot, minutes = self._slot(room), LONGEST_GAP / 60
        viewers = [
            _Viewer(seat, names[seat], slot, self._minutes_since_seen(room, seat, minutes))
            for seat in self._active(room, names)
        ]
        await self._see(room, viewers, live=live)

    def present(self, room: Room) -> list[Seat]:
        """Return who is present: those who spoke lately, the last first, and whom the platform lists."""
        now = self._watch.now()
        spoke = room.active(now - PRESENT)[::-1]
        listed_at, listed = self._listed.get(room.id, (now, ()))
        return list(dict.fromkeys([*spoke, *(listed if now <= listed_at + LONGEST_GAP else ())]))

    async def process_active(self, room: Room, *, live: bool) -> None:
        """Process the members who have talked since the last check as present."""
        now, minutes = self._watch.now(), 2 * EARNINGS.of(room).watch_minutes
        since, self._last_checks[room.id] = self._last_checks.get(room.id, now - CHECK_INTERVAL), now
        viewers = [
            _Viewer(
                seat,
                self._members.name(seat),
                self._slot(room, now - room.spoke[seat]),
                self._minutes_since_seen(room, seat, minutes),
            )
            for seat in room.active(since)
        ]
        await self._see(room, viewers, live=live)

    async def _see(self, room: Room, people: Sequence[_Viewer], *, live: bool) -> None:
        earnings = EARNINGS.of(room)
        rate = earnings.watch if live else earnings.watch_offline
        for each in people:
            if live and each.minutes:
                self._attendance.watched(room, each.seat, each.minutes)
        viewers = [each for each in people if self._stayed(room, each)]
        earning = [each for each in viewers if self._payments.earns(room, each.seat, each.name)]
        if rate and earning:
            await self._pay(room, earning, live=live)

    def _active(self, room: Room, people: Mapping[Seat, str]) -> list[Seat]:
        """Return those who have talked within the minutes of the setting `watch_active`."""
        silence = 60.0 * EARNINGS.of(room).watch_active
        if not silence:
            return list(people)
        active = set(room.active(self._watch.now() - silence))
        return [each for each in people if each in active]

    def _minutes_since_seen(self, room: Room, seat: Seat, longest: float) -> int:
        """Return the minutes since a member was last seen; 0 if they are more than `longest`."""
        counted_until = self._counted_until.get(self._watcher(room, seat))
        minutes = 0 if counted_until is None else round((self._watch.now() - counted_until) / 60)
        return minutes if minutes <= longest else 0

    def _stayed(self, room: Room, viewer: _Viewer) -> bool:
        """Return whether a member is seen for the first time in this slot, and was seen in the one before."""
        self._count(room, viewer)
        key = self._payments.community(room), self._payments.person(viewer.seat)
        last_slot = self._slots.get(key)
        remember(self._slots, key, viewer.slot, REMEMBERED)
        return last_slot == viewer.slot - 1

    def _count(self, room: Room, viewer: _Viewer) -> None:
        """Note up to when the minutes of a member are counted."""
        at = now = self._watch.now()
        key = self._watcher(room, viewer.seat)
        counted_until = self._counted_until.get(key)
        if counted_until is not None and (viewer.minutes or now < counted_until + 60):
            # Seen by a list and by a line, or in two rooms: what is less than a minute is counted later.
            at = counted_until + 60 * viewer.minutes
        remember(self._counted_until, key, at, REMEMBERED)

    async def _pay(self, room: Room, people: Sequence[_Viewer], *, live: bool) -> None:
        await self._introduce(room, {each.seat: each.name for each in people})
        roles = await self._attendance.roles(room, [each.seat for each in people])
        dues = []
        for each in people:
            earnings = await self._payments.earnings(room, each.seat)
            credits_ = earnings.share(earnings.watch if live else earnings.watch_offline, roles[each.seat])
            shipped = self._shipped(room, each) if live else 0
            dues.append(Due(each.seat, credits_, shipped, WATCH, str(each.slot), each.name))
        await self._payments.pay_now(room, dues)

    def _shipped(self, room: Room, viewer: _Viewer) -> int:
        """Return what the settings that ship would have paid: nothing twice in a slot of theirs."""
        minutes = EARNINGS.of(room).watch_minutes
        if minutes >= SHIPPED.watch_minutes:
            return SHIPPED.watch * (minutes // SHIPPED.watch_minutes)
        key = self._payments.community(room), self._payments.person(viewer.seat)
        usual, last = viewer.slot * minutes // SHIPPED.watch_minutes, self._usual.get(key)
        remember(self._usual, key, usual, REMEMBERED)
        return SHIPPED.watch if last != usual else 0

    async def _introduce(self, room: Room, people: Mapping[Seat, str]) -> None:
        """Store the members who have never sent a line."""
        new = {
            seat: await self._own_name(seat, name)
            for seat, name in people.items()
            if (room.community, seat) not in self._introduced
        }
        if new:
            await self._member_store.introduce(room.community, new, self._watch.date())
        for seat in new:
            remember(self._introduced, (room.community, seat), None, REMEMBERED)

    async def _own_name(self, seat: Seat, listed_name: str) -> str:
        """Return the name of a member, who may be listed by that of a linked account."""
        last = await self._member_store.last_name(seat) if self._members.people.ties.seats(seat) else None
        return last or listed_name

    def _watcher(self, room: Room, seat: Seat) -> tuple[str, Seat]:
        return self._payments.community(room), self._members.people.ties.root(seat)

    def _slot(self, room: Room, ago: float = 0.0) -> int:
        """Return the number of the slot `ago` seconds before now."""
        length = 60 * EARNINGS.of(room).watch_minutes
        return int((self._watch.date().timestamp() - ago) // length)
