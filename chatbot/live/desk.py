"""The desk: wallets and questions. `!credits`, `!top`, `!give`, `!season`, `!help`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.kernel.amounts import read_amount, read_whole
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import Kind, Option, called
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.live.asked import Asked, Service, game_option, too_few, usage
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, Posting, Short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.kit import Kit
    from chatbot.live.guests import Guests
    from chatbot.live.room import Room
    from chatbot.live.season import Calendar
    from chatbot.live.watch import Watch
    from chatbot.wallets.ledger import Ledger

TOP, MOST_TOP = 5, 20  # members listed


def _amounts(_: Room, given: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    return ("10", "50", "100", "25%", "half", "all")


_COUNT = Option("count", Kind.WHOLE, least=1, most=MOST_TOP)
_GIFT = (
    Option("member", Kind.MEMBER, required=True),
    Option("amount", Kind.AMOUNT, required=True, suggest=_amounts),
)


class Desk:
    """Answers what any member may ask."""

    def __init__(
        self, kits: Mapping[str, Kit], ledger: Ledger, guests: Guests, calendar: Calendar, watch: Watch
    ) -> None:
        self._kits, self._ledger, self._guests = kits, ledger, guests
        self._calendar, self._watch = calendar, watch
        self.services = (
            Service(
                "credits", self._credits, "[@name]", options=(Option("member", Kind.MEMBER),), reads=True
            ),
            Service("top", self._top, "[1-20]", options=(_COUNT,), reads=True),
            Service("give", self._give, "@name AMOUNT", options=_GIFT),
            Service("season", self._season, "[GAME]", options=(game_option(kits),), reads=True),
        )

    async def purse(self, room: Room, seat: Seat) -> int:
        wallet = accounts.wallet(room.community, seat)
        return (await self._ledger.balances([wallet]))[wallet]

    async def _credits(self, asked: Asked) -> Sequence[Say]:
        name = " ".join(asked.words)
        seat = await self._guests.find(asked, name) if name else asked.line.seat
        balance = Credits(await self.purse(asked.room, seat))
        return [asked.answer(Message("credits-of", {"who": Name(seat), "balance": balance}))]

    async def _top(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("top", "[1-20]")
        count = read_whole(asked.words[0], 1, MOST_TOP) if asked.words else TOP
        community = asked.room.community
        rows = await self._ledger.top(community, count)
        await self._guests.learn(community, [seat for seat, _ in rows])
        places = [
            1 + sum(other > held for _, other in rows) for _, held in rows
        ]  # equals share the better one
        listing = Listing(tuple(_row(place, *row) for place, row in zip(places, rows, strict=True)))
        says = [asked.answer(Message("top", {"rows": listing}))]
        if asked.line.seat not in {seat for seat, _ in rows}:
            says.append(asked.answer(await self._own_place(asked)))
        return says

    async def _own_place(self, asked: Asked) -> Message:
        place = await self._ledger.place(asked.room.community, asked.line.seat)
        row = _row(place, asked.line.seat, await self.purse(asked.room, asked.line.seat))
        return Message("top-own", {"row": row})

    async def _give(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) < 2:
            raise usage("give", "@name AMOUNT")
        room, giver, name = asked.room, asked.line.seat, " ".join(asked.words[:-1])
        taker = await self._guests.find(asked, name)
        if taker == giver:
            raise Refusal(Message("give-yourself"))
        amount = read_amount(asked.words[-1], await self.purse(room, giver))
        if not await self._move(asked, taker, amount):
            return []  # the same line again: what it gave was told then
        args: Arguments = {"who": Name(giver), "taker": Name(taker), "amount": Credits(amount)}
        told = asked.answer(Message("given", args))
        # What was whispered is told to the one whom it makes richer too.
        return [told, replace(told, to=taker, answers="")] if told.to else [told]

    async def _move(self, asked: Asked, taker: Seat, amount: int) -> bool:
        """Give the credits; False: this very line has given them before."""
        community, giver = asked.room.community, asked.line.seat
        source, target = (accounts.wallet(community, seat) for seat in (giver, taker))
        entry = Entry(source, target, amount, "gift")
        posting = f"give:{community}:{asked.line.id}"
        try:
            return await self._ledger.post(Posting(posting, community, self._watch.date(), giver, (entry,)))
        except Short as short:
            raise Refusal(too_few(short.balance)) from None

    async def _season(self, asked: Asked) -> Sequence[Say]:
        asked_about = called(self._kits, asked.words[0]) if asked.words else None
        seasonal = [kit for kit in self._kits.values() if not asked.words or kit is asked_about]
        says = []
        for kit in seasonal:
            says += [asked.answer(each) for each in await self._calendar.describe(asked.room, kit)]
        if not says:
            raise Refusal(Message("no-season", {"text": Quote(" ".join(asked.words))}))
        return says


def _row(place: int, seat: Seat, balance: int) -> Message:
    return Message("top-row", {"place": place, "who": Name(seat), "balance": Credits(balance)})
