"""Pays what members have earned, each item once, even if an event is repeated or the program restarts.

With the first payment of a day (UTC) a person pays the upkeep of that day, once, wherever they earn.

What is paid beyond what the settings that ship would have paid is an entry of its own in the same posting,
so that the books tell how much it was. Upkeep that is not taken is paid by the mint, for the same reason.

The id of a payment names what was earned and the person, not the seat: accounts that were ever linked are
paid once together. That includes payments from before the link, or before the union of two communities.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog

from chatbot.community.earning.settings import EARNINGS, SHIPPED
from chatbot.kernel.game import Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Exhausted, Posting, more
from chatbot.rooms.batch import carry_out
from chatbot.rooms.settings.lists import barred
from chatbot.runtime.limits import remember
from chatbot.speech.spans import midnight

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from chatbot.community.earning.settings import Earnings
    from chatbot.community.members import CommunityMembers
    from chatbot.community.minting.policy import MintPolicy
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.incomes import Incomes
    from chatbot.ledger.minted import Minted
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

WATCH, TALK, RAID = "watch", "talk", "raid"
FOLLOW, SUBSCRIBE, CHEER, CLAIM = "follow", "subscribe", "cheer", "claim"
UPKEEP = "upkeep"
MOST_ATTEMPTS = 5  # to take upkeep from a wallet that changes meanwhile
REMEMBERED = 20_000  # persons, with the last day for which they have paid upkeep
DAY = timedelta(days=1)
DAILY_LIMITED = WATCH, TALK, RAID  # limited together per day, for they can be repeated all day

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Due:
    """Credits that a member has earned.

    `mark` identifies what is paid once: to each person, or to only one if it is `shared`. What has a
    `channel` is paid once there, whatever community the channel belongs to and whichever accounts are linked
    with the seat `home` that earned it. `shipped` credits would have been paid with the settings that ship.
    """

    seat: Seat
    credits: int
    shipped: int
    why: str
    mark: str = ""
    name: str = ""
    shared: bool = False
    channel: str = ""
    home: Seat | None = None


class Payments:
    """Posts payments; those that are limited, one batch of a community after the other."""

    def __init__(
        self,
        ledger: Ledger,
        incomes: Incomes,
        minted: Minted,
        members: CommunityMembers,
        watch: Watch,
        holder: Callable[[str], str],
        on_upkeep: Callable[[Room, Seat, int], None],
        policy: MintPolicy,
    ) -> None:
        """`holder` returns the community that holds the wallets of another.

        `on_upkeep(room, seat, credits)` is called after upkeep was taken.
        """
        self._ledger, self._incomes, self._minted, self._watch = ledger, incomes, minted, watch
        self._members, self._people, self._holder = members, members.people, holder
        self._on_upkeep, self._policy = on_upkeep, policy
        self._upkeep_days: OrderedDict[tuple[str, Seat], str] = OrderedDict()  # last day that was paid for
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by community

    def earns(self, room: Room, seat: Seat, name: str = "") -> bool:
        """Return whether a member earns: no account that was ever linked to theirs is excluded."""
        display_name = name or self._members.name(seat)
        return not barred(room, seat, self._people.ever(seat), display_name)

    async def earnings(self, room: Room, seat: Seat) -> Earnings:
        """Return the settings by which a person earns now, which are others after a raise of their own."""
        return await self._policy.earnings(room, seat)

    def person(self, seat: Seat) -> Seat:
        """Return the seat that stands for a person in the ids of payments."""
        return self._people.ties.person(seat)

    def community(self, room: Room) -> str:
        """Return the community that holds the wallets into which a room pays."""
        return self._holder(room.community)

    async def pay_now(self, room: Room, dues: Sequence[Due]) -> None:
        """Pay as `pay` does, in a transaction of its own."""
        await carry_out(self._ledger, partial(self.pay, room=room, dues=dues))

    async def pay(self, batch: Batch, room: Room, dues: Sequence[Due]) -> Counter[str]:
        """Pay what was not paid before, and take the upkeep of the day; return the credits paid now, by seat.

        Raises:
            Exhausted: the mint has too few credits for a claim.
            SQLAlchemyError, OSError: the database cannot be read.
        """
        credits_by_seat = await self._pay(batch, room, dues)
        for seat in [each for each, credits_ in credits_by_seat.items() if credits_]:
            await self._take_upkeep(batch, room, Seat(seat))
        return credits_by_seat

    async def _pay(self, batch: Batch, room: Room, dues: Sequence[Due]) -> Counter[str]:
        earned_dues = [each for each in dues if each.credits > 0 and self.earns(room, each.seat, each.name)]
        if EARNINGS.of(room) != SHIPPED:
            earned_dues = [await self._without_own_raise(room, each) for each in earned_dues]
            earned_dues = [each for each in earned_dues if each.credits]
        limited = any(each.why in DAILY_LIMITED for each in earned_dues)
        others = {each: self._others(room, each) for each in earned_dues}
        if not limited and not any(others.values()):
            return await self._post(batch, room, earned_dues)
        await batch.enter(self._locks[self.community(room)])  # until it is written, which the next one counts
        ids = {each for some in others.values() for each in some}
        paid_ids = await self._incomes.made(ids) if ids else set[str]()
        unpaid_dues = [each for each in earned_dues if paid_ids.isdisjoint(others[each])]
        return await self._post(
            batch, room, await self._limited(room, unpaid_dues) if limited else unpaid_dues
        )

    async def has_earned(self, room: Room, seat: Seat, why: str, start: datetime, end: datetime) -> bool:
        """Return whether a person was paid for a reason from `start` on and before `end`."""
        wallets = self._people.ties.wallets(room.community, seat)
        return any((await self._incomes.between(start, end, wallets, [why, more(why)])).values())

    async def shipped(self, room: Room, seat: Seat, why: str, start: datetime, end: datetime) -> int:
        """Return what a person was paid for a reason in a time, without what was beyond what ships."""
        wallets = self._people.ties.wallets(room.community, seat)
        return sum((await self._incomes.between(start, end, wallets, [why])).values())

    async def _without_own_raise(self, room: Room, due: Due) -> Due:
        """Reduce to what ships what somebody earns on the day of a raise of theirs."""
        has_raised = await self._policy.has_raised(room, due.seat)
        return replace(due, credits=min(due.credits, due.shipped)) if has_raised else due

    async def _take_upkeep(self, batch: Batch, room: Room, seat: Seat) -> None:
        """Take the upkeep of today, unless this person has paid it.

        The mint pays what is less than the upkeep that ships.
        """
        day, key = f"{self._watch.date():%Y-%m-%d}", (self.community(room), self.person(seat))
        last_day = self._upkeep_days.get(key)
        if not (EARNINGS.of(room).upkeep or SHIPPED.upkeep) or last_day == day:
            return
        community, name = self.community(room), f"{UPKEEP}:{key[0]}:{key[1]}:{day}"
        wallet, house = purses.wallet(community, self._people.ties.root(seat)), purses.house(community)
        balance = await batch.unit.balance(wallet)
        upkeep = (await self.earnings(room, seat)).upkeep_of(balance)
        waived = SHIPPED.upkeep_of(balance) - upkeep
        entries = [Entry(wallet, house, upkeep, UPKEEP)] if upkeep else []
        if waived > 0:
            entries.append(Entry(purses.mint(community), house, waived, more(UPKEEP)))
        taken = False
        if entries:
            await batch.unit.expect(postings=[name])
            with suppress(Exhausted):  # the mint can pay nothing for it
                taken = await batch.unit.post(
                    Posting(name, community, self._watch.date(), seat, tuple(entries))
                )
        remember(self._upkeep_days, key, day, REMEMBERED)
        batch.undo(partial(self._upkeep_days.pop, key, None))
        if taken and upkeep:
            batch.then(partial(self._on_upkeep, room, seat, upkeep))

    async def _post(self, batch: Batch, room: Room, dues: Sequence[Due]) -> Counter[str]:
        credits_by_seat: Counter[str] = Counter()
        postings = [self._posting(room, each) for each in dues]
        await batch.unit.expect(
            {purse for each in postings for purse in each.purses()}, postings=[each.id for each in postings]
        )
        for due, posting in zip(dues, postings, strict=True):
            try:
                credits_by_seat[due.seat] += due.credits if await batch.unit.post(posting) else 0
            except Exhausted:
                if due.why == CLAIM:
                    raise
                # No member waits for this payment, and their line must not fail.
        return credits_by_seat

    def _posting(self, room: Room, due: Due) -> Posting:
        community, person = self.community(room), self.person(due.seat)
        wallet = purses.wallet(community, self._people.ties.root(due.seat))
        mint, usual = purses.mint(community), min(due.credits, due.shipped)
        parts = {due.why: usual, more(due.why): due.credits - usual}
        entries = tuple(Entry(mint, wallet, each, why) for why, each in parts.items() if each)
        return Posting(self._id(room, due), community, self._watch.date(), person, entries)

    def _id(self, room: Room, due: Due) -> str:
        if due.shared:
            return f"{due.why}:{due.mark}"
        if due.channel:
            return _payment_id(due, _without_colons(due.channel), due.home or due.seat)
        return _payment_id(due, self.community(room), self.person(due.seat))

    def _others(self, room: Room, due: Due) -> set[str]:
        """Return the other ids with which the same may have been paid to the same person."""
        if due.shared:
            return set()
        places = [_without_colons(due.channel)] if due.channel else self._people.ties.united(room.community)
        seats = {due.home or due.seat, *self._people.ties.everyone(due.seat)}
        return {_payment_id(due, place, seat) for place in places for seat in seats} - {self._id(room, due)}

    async def _limited(self, room: Room, dues: Sequence[Due]) -> list[Due]:
        """Reduce each to what its person may still earn today, and leave out those with nothing left.

        What is above the limit that ships is beyond what ships.
        """
        limited_seats = {each.seat for each in dues if each.why in DAILY_LIMITED}
        wallets = {each: self._people.ties.wallets(room.community, each) for each in limited_seats}
        today, everything = midnight(self._watch.date()), {each for some in wallets.values() for each in some}
        sums = await self._minted.incomes(everything, DAILY_LIMITED, today, today + DAY)
        got = {
            self.person(seat): (sum(sums[each][0] for each in some), sum(sums[each][1] for each in some))
            for seat, some in wallets.items()
        }
        limited_dues = []
        for due in dues:
            if due.why in DAILY_LIMITED:
                person, most = self.person(due.seat), (await self.earnings(room, due.seat)).daily_most
                had, more_had = got[person]
                left = max(0, most - had - more_had) if most else due.credits
                shipped = min(due.shipped, max(0, SHIPPED.daily_most - had))
                due = replace(due, credits=min(due.credits, left), shipped=shipped)  # noqa: PLW2901
                usual = min(due.credits, shipped)
                got[person] = had + usual, more_had + due.credits - usual
            limited_dues.append(due)
        return [each for each in limited_dues if each.credits]


def _payment_id(due: Due, place: str, seat: Seat) -> str:
    return ":".join(filter(None, (due.why, place, seat, due.mark)))


def _without_colons(channel: str) -> str:
    """Return a channel's id without colons, for it may otherwise equal the seat of the streamer."""
    return channel.replace(":", "-")
