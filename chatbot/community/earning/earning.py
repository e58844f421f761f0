"""Earning: pays members for watching, for talking, and for what they do for a channel.

What was counted since the last payment is in the memory of the process that runs the community's rooms. Who
takes them over counts from the start, so somebody may be paid a little later, and nobody twice: payments have
ids.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.community.earning.audience import CHECK_INTERVAL, Attendance, Audience
from chatbot.community.earning.payments import CHEER, FOLLOW, RAID, SUBSCRIBE, TALK, Due, Payments
from chatbot.community.earning.settings import BITS, EARNINGS, SHIPPED
from chatbot.kernel.say import Credits, Message, Name, Say, Talk
from chatbot.ledger.incomes import Incomes
from chatbot.ledger.members import Members, Presence
from chatbot.ledger.minted import Minted
from chatbot.rooms.line import Happening
from chatbot.rooms.settings.lists import all_roles
from chatbot.runtime.limits import remember
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.community.earning.settings import Earnings
    from chatbot.community.members import CommunityMembers
    from chatbot.community.minting.policy import MintPolicy
    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Role, Seat
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.line import Line, Occasion
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

COMMAND = "!"  # the first character of a command
REMEMBERED = 20_000  # persons, with the messages that they are not paid for yet

_WHY = {
    Happening.FOLLOW: FOLLOW,
    Happening.SUBSCRIBE: SUBSCRIBE,
    Happening.CHEER: CHEER,
    Happening.RAID: RAID,
}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Talk:
    at: float  # on the watch, of the last message that counted
    text: str  # of that message, normalized
    count: int  # messages since the last payment


@dataclass(frozen=True, slots=True)
class _Usual:
    """What the settings that ship would have counted: `due` are payments that were not made yet."""

    talk: _Talk
    due: int = 0


class Chatter:
    """Pays for every so many messages that differ from the one before and are not too close together."""

    def __init__(self, payments: Payments, watch: Watch) -> None:
        self._payments, self._watch = payments, watch
        self._talk: OrderedDict[tuple[str, Seat], _Talk] = OrderedDict()
        self._usual: OrderedDict[tuple[str, Seat], _Usual] = OrderedDict()

    async def heard(self, room: Room, line: Line, *, live: bool) -> None:
        """Count a message, and pay if enough were counted."""
        key, person = self._payments.community(room), self._payments.person(line.seat)
        earnings = await self._payments.earnings(room, line.seat)
        if live:
            self._count_usual((key, person), line)
        rate, talk = earnings.talk if live else earnings.talk_offline, self._talk.get((key, person))
        if not rate or not self._counts(line, talk, earnings.talk_gap):
            return
        count = 1 if talk is None else talk.count + 1
        self._remember((key, person), line, count)
        if count < earnings.talk_messages:
            return
        roles = all_roles(room, line.accounts, line.roles)
        usual = self._usual.get((key, person)) if live else None
        shipped = SHIPPED.share(SHIPPED.talk, roles, usual.due) if usual else 0
        due = Due(line.seat, earnings.share(rate, roles), shipped, TALK, line.id, line.name)
        await self._payments.pay_now(room, [due])
        if usual:
            remember(self._usual, (key, person), _Usual(usual.talk), REMEMBERED)
        self._remember((key, person), line, 0)

    def _remember(self, key: tuple[str, Seat], line: Line, count: int) -> None:
        remember(self._talk, key, _Talk(self._watch.now(), _normalized(line), count), REMEMBERED)

    def _count_usual(self, key: tuple[str, Seat], line: Line) -> None:
        """Count a message as the settings that ship do."""
        usual = self._usual.get(key)
        if not self._counts(line, usual.talk if usual else None, SHIPPED.talk_gap):
            return
        count, dues = (usual.talk.count, usual.due) if usual else (0, 0)
        more, rest = divmod(count + 1, SHIPPED.talk_messages)
        talk = _Talk(self._watch.now(), _normalized(line), rest)
        remember(self._usual, key, _Usual(talk, dues + more), REMEMBERED)

    def _counts(self, line: Line, talk: _Talk | None, gap: int) -> bool:
        return talk is None or (self._watch.now() >= talk.at + gap and _normalized(line) != talk.text)


class Earning:
    """Pays members; a payment for a line that fails is logged, and the line is handled all the same."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        members: CommunityMembers,
        rooms: Rooms,
        outbox: Outbox,
        watch: Watch,
        holder: Callable[[str], str],
        policy: MintPolicy,
    ) -> None:
        self._members, self._rooms, self._outbox, self._watch = members, rooms, outbox, watch
        self.presence = Presence(store)
        self.payments = Payments(
            ledger, Incomes(store), Minted(store), members, watch, holder, self._report_upkeep, policy
        )
        self.attendance = Attendance(self.presence, members.linked_accounts, watch)
        self.audience = Audience(self.payments, self.attendance, members, Members(store), watch)
        self._chatter = Chatter(self.payments, watch)
        self._checks = Periodic(watch, CHECK_INTERVAL, self._check)

    def live(self, room: Room) -> bool:
        """Return whether a stream of the room's community is on, in this room or another."""
        community = self.payments.community(room)
        return any(each.live for each in self._rooms.values() if self.payments.community(each) == community)

    async def heard(self, room: Room, line: Line) -> None:
        """Count a line, and pay for it if it is time."""
        self.attendance.spoke(room, line)
        self._checks.start()
        if not is_talk(line):
            return
        try:
            await self._chatter.heard(room, line, live=self.live(room))
        except (SQLAlchemyError, OSError):
            log.exception("talk could not be paid", room=room.id, line=line.id)

    async def watching(self, room: Room, people: Mapping[Account, str]) -> None:
        """Process a platform's list of the accounts that are present, with their names."""
        self._checks.start()
        try:
            await self.audience.process_list(room, people, live=self.live(room))
        except (SQLAlchemyError, OSError):
            log.exception("watching could not be paid", room=room.id, people=len(people))

    async def reward(self, batch: Batch, room: Room, occasion: Occasion) -> Sequence[Say]:
        """Pay for what a member did for the channel; return the message of thanks.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        seat = occasion.seat
        if occasion.kind not in _WHY or seat is None:
            return []
        await self._members.recognize(room.community, seat, occasion.home or seat, occasion.name)
        earnings = await self.payments.earnings(room, seat)
        due = _due(earnings, occasion, seat, (await self.attendance.roles(room, [seat]))[seat])
        credits_by_seat = await self.payments.pay(batch, room, [due])
        if not credits_by_seat[seat]:
            return []
        args: Arguments = {"who": Name(seat), "credits": Credits(credits_by_seat[seat])}
        return [Say(Message(f"earned-{due.why}", args), talk=Talk.NORMAL, event="Earned")]

    async def close(self) -> None:
        """Write what is only in memory."""
        self._checks.stop()
        await self.attendance.flush()

    def _report_upkeep(self, room: Room, seat: Seat, credits_: int) -> None:
        """Tell a member in private what upkeep was taken from their wallet."""
        earnings = EARNINGS.of(room)
        args: Arguments = {
            "credits": Credits(credits_),
            "percent": earnings.upkeep,
            "above": Credits(earnings.upkeep_above),
        }
        self._outbox.say(
            room, [Say(Message("upkeep-taken", args), to=seat, secret=True, event="UpkeepTaken")]
        )

    async def _check(self) -> None:
        # Who speaks while this waits for the database starts it again, so it cannot be stopped at the end.
        self._checks.stop()
        for room in [each for each in self._rooms.values() if not each.elsewhere]:
            if room.active(self._watch.now() - 60.0 * EARNINGS.of(room).watch_minutes):
                self._checks.start()
                await self._pay_active(room)
        await self.attendance.flush()

    async def _pay_active(self, room: Room) -> None:
        try:
            await self.audience.process_active(room, live=self.live(room))
        except (SQLAlchemyError, OSError):
            log.exception("watching could not be paid", room=room.id)


def is_talk(line: Line) -> bool:
    """Return whether a line is a public message and not a command."""
    return bool(line.text) and not line.private and not line.text.startswith(COMMAND)


def _normalized(line: Line) -> str:
    return " ".join(line.text.casefold().split())


def _due(earnings: Earnings, occasion: Occasion, seat: Seat, roles: frozenset[Role]) -> Due:
    why = _WHY[occasion.kind]
    amount, shipped = (_amount(each, occasion, roles) for each in (earnings, SHIPPED))
    if why == FOLLOW:  # paid once, however often somebody follows again
        channel, home = occasion.channel, occasion.home
        return Due(seat, amount, shipped, why, name=occasion.name, channel=channel, home=home)
    return Due(seat, amount, shipped, why, occasion.id, occasion.name, shared=True)


def _amount(earnings: Earnings, occasion: Occasion, roles: frozenset[Role]) -> int:
    match occasion.kind:
        case Happening.FOLLOW:
            return earnings.share(earnings.follow, roles)
        case Happening.SUBSCRIBE:
            return earnings.share(earnings.subscribe, roles)
        case Happening.CHEER:
            return earnings.share(earnings.cheer, roles, occasion.amount, BITS)
        case _:
            return earnings.raided(roles, occasion.amount)
