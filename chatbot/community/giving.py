"""What members give each other, and the limits that keep many accounts from feeding one. `!give`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import read_amount
from chatbot.kernel.game import Refusal
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Moved, Posting, Short
from chatbot.ledger.limits import GIFT, GiftLimits, TooGenerous, TooRich, give
from chatbot.rooms.request import NOTICE, Request, Service, too_few, usage
from chatbot.settings.community import TERMS
from chatbot.settings.lists import barred
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.members import Presence
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room

GIVE = "@name AMOUNT"


def amounts(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return ("10", "50", "100", "25%", "half", "all")


_OPTIONS = (
    Option("member", Kind.MEMBER, required=True),
    Option("amount", Kind.AMOUNT, required=True, suggest=amounts),
)


class Giving:
    """A gift is given whole or refused, with what is left: never cut down to fit."""

    def __init__(self, ledger: Ledger, members: CommunityMembers, presence: Presence, watch: Watch) -> None:
        self._ledger, self._members, self._presence, self._watch = ledger, members, presence, watch
        self.services = (Service("give", self._give, GIVE, options=_OPTIONS),)

    async def _give(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) < 2:
            raise usage("give", GIVE)
        read_amount(asked.words[-1], 0)  # what is no amount at all is told before a name is looked for
        giver = self._members.people.root(asked.line.seat)
        taker = await self._members.find(asked, " ".join(asked.words[:-1]))
        self._require_two(asked, giver, taker)
        await self._require_age(asked, giver)
        amount = await self._move_decided(asked, giver, taker)
        if not amount:
            return []  # the same line again: what it gave was told then
        args: Arguments = {"who": Name(giver), "taker": Name(taker), "amount": Credits(amount)}
        told = asked.answer(Message("given", args))
        # What was whispered is told to the one whom it makes richer too.
        return [told, replace(told, to=taker, event=NOTICE)] if told.to else [told]

    def _require_two(self, asked: Request, giver: Seat, taker: Seat) -> None:
        if self._members.people.root(taker) == giver:
            raise Refusal(Message("give-yourself"))
        if barred(asked.room, taker, self._members.people.ever(taker), self._members.name(taker)):
            raise Refusal(Message("give-excluded", {"who": Name(taker)}))

    async def _require_age(self, asked: Request, giver: Seat) -> None:
        hours = TERMS.of(asked.room).give_age
        if not hours:
            return
        now = self._watch.date()
        known = await self._presence.of(asked.room.community, giver)
        wait = timedelta(hours=hours) - (now - known.first_at if known else timedelta())
        if wait > timedelta():
            left = lasting(ceil(wait.total_seconds()))
            raise Refusal(Message("give-too-new", {"hours": hours, "wait": left}))

    async def _move_decided(self, asked: Request, giver: Seat, taker: Seat) -> int:
        """Give what was meant of the purse that there is; 0: this very line has given it before."""
        wallet = purses.wallet(asked.room.community, giver)
        while True:
            held = await self._ledger.balance(wallet)
            amount = read_amount(asked.words[-1], held)
            _require_allowed(asked.room, held, amount)
            try:
                return amount if await self._move(asked, giver, taker, amount, held) else 0
            except Moved:
                continue  # the purse has changed since: what was meant is looked at again

    async def _move(self, asked: Request, giver: Seat, taker: Seat, amount: int, held: int) -> bool:
        community = asked.room.community
        source, target = (purses.wallet(community, seat) for seat in (giver, taker))
        entry = Entry(source, target, amount, GIFT)
        name = f"give:{community}:{asked.line.id}"
        gift = Posting(name, community, self._watch.date(), giver, (entry,), expects={source: held})
        try:
            return await give(self._ledger, gift, self._bounds(asked.room, gift, giver, taker))
        except Short as short:
            raise Refusal(too_few(short.balance)) from None
        except TooGenerous as beyond:
            raise self._spent("give-daily", taker, TERMS.of(asked.room).give_daily, beyond.left) from None
        except TooRich as beyond:
            raise self._spent("give-taken", taker, TERMS.of(asked.room).taken_daily, beyond.left) from None

    def _bounds(self, room: Room, gift: Posting, giver: Seat, taker: Seat) -> GiftLimits:
        day = midnight(gift.at)
        terms = TERMS.of(room)
        givers, takers = self._wallets(room, giver), self._wallets(room, taker)
        return GiftLimits(givers, takers, terms.give_daily, terms.taken_daily, day, day + timedelta(days=1))

    def _wallets(self, room: Room, seat: Seat) -> list[Purse]:
        """Name all wallets of one person, in whatever room of a union they give or get."""
        people = self._members.people
        own, united = people.everyone(seat), people.united(room.community)
        return [purses.wallet(community, each) for community in united for each in own]

    def _spent(self, why: str, taker: Seat, most: int, left: int) -> Refusal:
        now = self._watch.date()
        tomorrow = midnight(now) + timedelta(days=1)
        wait = lasting(ceil((tomorrow - now).total_seconds()))
        args: Arguments = {"most": Credits(most), "left": Credits(left), "wait": wait}
        return Refusal(Message(why, {**args, "who": Name(taker)} if why == "give-taken" else args))


def _require_allowed(room: Room, held: int, amount: int) -> None:
    """Let pass what one gift may be, and what does not come out of what everybody starts with."""
    terms = TERMS.of(room)
    if terms.give_most and amount > terms.give_most:
        raise Refusal(Message("give-most", {"most": Credits(terms.give_most)}))
    if terms.give_start or amount > held:  # of what is not there the ledger tells
        return
    spare = max(held - terms.start, 0)
    if amount > spare:
        args: Arguments = {"start": Credits(terms.start), "left": Credits(spare), "spare": spare}
        raise Refusal(Message("give-start", args))
