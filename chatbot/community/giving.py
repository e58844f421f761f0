"""Gifts between members, with limits that keep many accounts from supplying one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import read_amount
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Arguments, Credits, Message, Name
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import GIFT, Entry, Posting, Short
from chatbot.ledger.limits import GiftLimits, GivingLimitReached, ReceivingLimitReached, give
from chatbot.ledger.receipts import received
from chatbot.rooms.request import too_few
from chatbot.rooms.settings.lists import barred
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.ledger.members import Presence
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch


@dataclass(frozen=True, slots=True)
class Shower:
    """A gift to many: what each of the takers got, and how many may receive no more today."""

    share: int
    takers: tuple[Seat, ...]
    full: int


class Giving:
    """Makes gifts; each is made in full or refused, never reduced to what a limit leaves."""

    def __init__(
        self,
        members: CommunityMembers,
        presence: Presence,
        receipts: ReceiptLimits,
        watch: Watch,
    ) -> None:
        self._members, self._presence, self._watch = members, presence, watch
        self._receipts = receipts

    async def give(self, request: Request, giver: Seat, taker: Seat, text: str) -> int:
        """Move an amount between members and return it; 0 if this line has done so before.

        Raises:
            Refusal: the gift is not allowed, or the amount is wrong.
        """
        self._require_valid_taker(request.room, giver, taker)
        await self._require_age(request.room, giver)
        return await self._move_amount(request, text, giver, taker)

    async def shower(self, request: Request, giver: Seat, takers: Sequence[Seat], text: str) -> Shower | None:
        """Share an amount equally among members, each as a gift; None if this line has done so before.

        Who may not receive so much today is left out, and their share stays with the giver.

        Raises:
            Refusal: the gift is not allowed, the amount is wrong, or nobody gets anything of it.
        """
        await self._require_age(request.room, giver)
        wallet = purses.wallet(request.room.community, giver)
        balance = await request.batch.unit.balance(wallet)
        share = read_amount(text, balance) // len(takers)
        if not share:
            raise Refusal(Message("rain-too-little", {"count": len(takers)}))
        _require_allowed(request.room, balance, share * len(takers))
        async with self._receipts.receiving(takers, [request.room.community]):
            able = await self._able(request, takers, share)
            if not able:
                raise Refusal(Message("rain-nobody"))
            written = await self._share(request, giver, able, share, balance)
        return Shower(share, tuple(able), len(takers) - len(able)) if written else None

    async def _able(self, request: Request, takers: Sequence[Seat], share: int) -> list[Seat]:
        """Return those who may still receive a share today."""
        room, most = request.room, TERMS.of(request.room).taken_daily
        if not most:
            return list(takers)
        ties, day = self._members.people.ties, midnight(self._watch.date())
        wallets = [ties.wallets(room.community, each) for each in takers]
        until = day + timedelta(days=1)

        async def read(connection: AsyncConnection) -> list[int]:
            return await received(connection, wallets, day, until, self._receipts.reasons)

        sums = await request.batch.unit.read_steady({each for some in wallets for each in some}, read)
        return [
            taker
            for taker, got in zip(takers, sums, strict=True)
            if got + self._receipts.promised(room, taker) + share <= most
        ]

    async def _share(
        self, request: Request, giver: Seat, takers: Sequence[Seat], share: int, balance: int
    ) -> bool:
        room, community = request.room, request.room.community
        source = purses.wallet(community, giver)
        entries = tuple(Entry(source, purses.wallet(community, each), share, GIFT) for each in takers)
        name, at = f"give:{community}:{request.line.id}", self._watch.date()
        gift = Posting(name, community, at, giver, entries, expects={source: balance})
        # What each of the others may receive is checked already.
        limits = replace(self._limits(room, gift, giver, takers[0]), takers=(), taken=0)
        try:
            written = await give(request.batch.unit, gift, limits)
            await request.batch.commit()
        except Short as short:
            raise Refusal(too_few(short.balance)) from None
        except GivingLimitReached as error:
            most = TERMS.of(room).give_daily
            raise self._limit_reached("give-daily", takers[0], most, error.left) from None
        return written

    def _require_valid_taker(self, room: Room, giver: Seat, taker: Seat) -> None:
        if self._members.people.ties.root(taker) == giver:
            raise Refusal(Message("give-yourself"))
        if barred(room, taker, self._members.people.ever(taker), self._members.name(taker)):
            raise Refusal(Message("give-excluded", {"who": Name(taker)}))

    async def _require_age(self, room: Room, giver: Seat) -> None:
        hours = TERMS.of(room).give_age
        if not hours:
            return
        now = self._watch.date()
        communities = self._members.people.ties.united(room.community)
        seats = self._members.linked_accounts.seats(giver)
        presences = await self._presence.everywhere(communities, seats)
        since = min((each.first_at for each in presences), default=now)
        wait = timedelta(hours=hours) - (now - since)
        if wait > timedelta():
            left = lasting(ceil(wait.total_seconds()))
            raise Refusal(Message("give-too-new", {"hours": hours, "wait": left}))

    async def _move_amount(self, request: Request, text: str, giver: Seat, taker: Seat) -> int:
        """Move the requested amount and return it; 0 if this line was executed before."""
        room = request.room
        wallet = purses.wallet(room.community, giver)
        # As the unit knows it, which is contradicted if it has changed: the amount may be a share of it.
        balance = await request.batch.unit.balance(wallet)
        amount = read_amount(text, balance)
        _require_allowed(room, balance, amount)
        return amount if await self._move(request, giver, taker, amount, balance) else 0

    async def _move(self, request: Request, giver: Seat, taker: Seat, amount: int, balance: int) -> bool:
        room, community = request.room, request.room.community
        source, target = (purses.wallet(community, seat) for seat in (giver, taker))
        entry = Entry(source, target, amount, GIFT)
        name = f"give:{community}:{request.line.id}"
        gift = Posting(name, community, self._watch.date(), giver, (entry,), expects={source: balance})
        try:
            async with self._receipts.receiving([taker], [community]):
                limits = self._limits(room, gift, giver, taker)
                written = await give(request.batch.unit, gift, limits)
                await request.batch.commit()  # before somebody else is checked who receives something
        except Short as short:
            raise Refusal(too_few(short.balance)) from None
        except GivingLimitReached as error:
            raise self._limit_reached("give-daily", taker, TERMS.of(room).give_daily, error.left) from None
        except ReceivingLimitReached as error:
            raise self._limit_reached("give-taken", taker, TERMS.of(room).taken_daily, error.left) from None
        return written

    def _limits(self, room: Room, gift: Posting, giver: Seat, taker: Seat) -> GiftLimits:
        day, terms, receipts, people = midnight(gift.at), TERMS.of(room), self._receipts, self._members.people
        return GiftLimits(
            givers=people.ties.wallets(room.community, giver),
            takers=people.ties.wallets(room.community, taker),
            given=terms.give_daily,
            taken=terms.taken_daily,
            since=day,
            until=day + timedelta(days=1),
            reasons=receipts.reasons,
            promised=receipts.promised(room, taker),
        )

    def _limit_reached(self, reason: str, taker: Seat, most: int, left: int) -> Refusal:
        now = self._watch.date()
        tomorrow = midnight(now) + timedelta(days=1)
        wait = lasting(ceil((tomorrow - now).total_seconds()))
        args: Arguments = {"most": Credits(most), "left": Credits(left), "wait": wait}
        return Refusal(Message(reason, {**args, "who": Name(taker)} if reason == "give-taken" else args))


def _require_allowed(room: Room, balance: int, amount: int) -> None:
    """Check an amount against the most of one gift, and that it leaves the starting credits.

    Raises:
        Refusal: the amount is too large.
    """
    terms = TERMS.of(room)
    if terms.give_most and amount > terms.give_most:
        raise Refusal(Message("give-most", {"most": Credits(terms.give_most)}))
    if terms.give_start or amount > balance:  # the ledger refuses an amount above the balance
        return
    spare = max(balance - terms.start, 0)
    if amount > spare:
        args: Arguments = {"start": Credits(terms.start), "left": Credits(spare), "spare": spare}
        raise Refusal(Message("give-start", args))
