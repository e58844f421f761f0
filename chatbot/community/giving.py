"""Gifts between members, with limits that keep many accounts from supplying one: `!give`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from chatbot.community.members import Unknown
from chatbot.kernel.amounts import amount_first, read_amount, require_whole_groups
from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Moved, Posting, Short
from chatbot.ledger.limits import GIFT, GiftLimits, GivingLimitReached, ReceivingLimitReached, give
from chatbot.rooms.languages import currency_names
from chatbot.rooms.request import NOTICE, BotCommand, Request, too_few, usage
from chatbot.rooms.settings.lists import barred
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.community.receipts import ReceiptLimits
    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.members import Presence
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

GIVE = "@name AMOUNT"


def amounts(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    """Suggest amounts for `!give` and `!take`."""
    return ("10", "50", "100", "25%", "half", "all")


_OPTIONS = (
    Option("member", Kind.MEMBER, required=True),
    Option("amount", Kind.AMOUNT, required=True, suggest=amounts),
)


class Giving:
    """Answers `!give`; a gift is made in full or refused, never reduced to what a limit leaves."""

    def __init__(
        self,
        ledger: Ledger,
        members: CommunityMembers,
        presence: Presence,
        receipts: ReceiptLimits,
        watch: Watch,
    ) -> None:
        self._ledger, self._members, self._presence, self._watch = ledger, members, presence, watch
        self._receipts = receipts
        self.services = (BotCommand("give", self._give, GIVE, options=_OPTIONS, bare=True),)

    async def _give(self, request: Request) -> Sequence[Say]:
        if len(request.words) < 2:
            raise usage("give", GIVE)
        words = _amount_last(request)
        giver = self._members.people.root(request.line.seat)
        taker = await self._find_taker(replace(request, words=words))
        self._require_valid_taker(request, giver, taker)
        await self._require_age(request, giver)
        amount = await self._move_amount(request, words[-1], giver, taker)
        if not amount:
            return []  # the line was delivered again, and was answered the first time
        args: Arguments = {"who": Name(giver), "taker": Name(taker), "amount": Credits(amount)}
        answer = request.answer(Message("given", args))
        # If the answer is private, the recipient gets it too.
        return [answer, replace(answer, to=taker, event=NOTICE)] if answer.to else [answer]

    async def _find_taker(self, request: Request) -> Seat:
        """Find who is given to; an invalid amount is refused before they are looked up."""
        *name, amount = request.words
        if amount.strip("0"):
            read_amount(amount, 0)
        try:
            found = await self._members.find(request, " ".join(name))
        except Unknown:
            for place in range(1, len(name)):  # that is more likely than a name with a number
                require_whole_groups(request.words[place:])
            raise
        read_amount(amount, 0)
        return found

    def _require_valid_taker(self, request: Request, giver: Seat, taker: Seat) -> None:
        if self._members.people.root(taker) == giver:
            raise Refusal(Message("give-yourself"))
        if barred(request.room, taker, self._members.people.ever(taker), self._members.name(taker)):
            raise Refusal(Message("give-excluded", {"who": Name(taker)}))

    async def _require_age(self, request: Request, giver: Seat) -> None:
        hours = TERMS.of(request.room).give_age
        if not hours:
            return
        now = self._watch.date()
        united = self._members.people.united(request.room.community)
        seats = self._members.linked_accounts.seats(giver)
        known = await self._presence.everywhere(united, seats)
        since = min((each.first_at for each in known), default=now)
        wait = timedelta(hours=hours) - (now - since)
        if wait > timedelta():
            left = lasting(ceil(wait.total_seconds()))
            raise Refusal(Message("give-too-new", {"hours": hours, "wait": left}))

    async def _move_amount(self, request: Request, text: str, giver: Seat, taker: Seat) -> int:
        """Move the requested amount and return it; 0 if this line was executed before."""
        wallet = purses.wallet(request.room.community, giver)
        while True:
            held = await self._ledger.balance(wallet)
            amount = read_amount(text, held)
            _require_allowed(request.room, held, amount)
            try:
                return amount if await self._move(request, giver, taker, amount, held) else 0
            except Moved:
                continue  # the balance has changed since it was read: the amount may be a share of it

    async def _move(self, request: Request, giver: Seat, taker: Seat, amount: int, held: int) -> bool:
        community = request.room.community
        source, target = (purses.wallet(community, seat) for seat in (giver, taker))
        entry = Entry(source, target, amount, GIFT)
        name = f"give:{community}:{request.line.id}"
        gift = Posting(name, community, self._watch.date(), giver, (entry,), expects={source: held})
        try:
            async with self._receipts.receiving(taker, [community]):
                return await give(self._ledger, gift, self._limits(request.room, gift, giver, taker))
        except Short as short:
            raise Refusal(too_few(short.balance)) from None
        except GivingLimitReached as error:
            raise self._limit_reached(
                "give-daily", taker, TERMS.of(request.room).give_daily, error.left
            ) from None
        except ReceivingLimitReached as error:
            raise self._limit_reached(
                "give-taken", taker, TERMS.of(request.room).taken_daily, error.left
            ) from None

    def _limits(self, room: Room, gift: Posting, giver: Seat, taker: Seat) -> GiftLimits:
        day, terms, receipts, people = midnight(gift.at), TERMS.of(room), self._receipts, self._members.people
        return GiftLimits(
            givers=people.wallets(room.community, giver),
            takers=people.wallets(room.community, taker),
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


def _amount_last(request: Request) -> tuple[str, ...]:
    """Return the words of a gift without the name of credits behind its amount."""
    names, words = currency_names(request.room), request.words
    for place in range(1, len(words)):
        amount, rest = amount_first(words[place:], names)
        if not rest:
            return (*words[:place], amount)
    return words


def _require_allowed(room: Room, held: int, amount: int) -> None:
    """Check an amount against the most of one gift, and that it leaves the starting credits.

    Raises:
        Refusal: the amount is too large.
    """
    terms = TERMS.of(room)
    if terms.give_most and amount > terms.give_most:
        raise Refusal(Message("give-most", {"most": Credits(terms.give_most)}))
    if terms.give_start or amount > held:  # the ledger refuses an amount above the balance
        return
    spare = max(held - terms.start, 0)
    if amount > spare:
        args: Arguments = {"start": Credits(terms.start), "left": Credits(spare), "spare": spare}
        raise Refusal(Message("give-start", args))
