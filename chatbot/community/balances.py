"""What somebody has, and how far a season is. `!credits`, `!season`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.kit import Kind, Option, called
from chatbot.kernel.say import Credits, Message, Name, Quote, Say
from chatbot.ledger.books import purses
from chatbot.rooms.request import Request, Service, game_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.community.seasons.calendar import Calendar
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room


class Balances:
    """Answers what any member may ask."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        guests: CommunityMembers,
        calendar: Calendar,
        watch: Watch,
    ) -> None:
        self._kits, self._ledger, self._guests = kits, ledger, guests
        self._calendar, self._watch = calendar, watch
        self.services = (
            Service(
                "credits", self._credits, "[@name]", options=(Option("member", Kind.MEMBER),), reads=True
            ),
            Service("season", self._season, "[GAME]", options=(game_option(kits),), reads=True),
        )

    async def purse(self, room: Room, seat: Seat) -> int:
        wallet = purses.wallet(room.community, seat)
        return await self._ledger.balance(wallet)

    async def _credits(self, asked: Request) -> Sequence[Say]:
        name = " ".join(asked.words)
        seat = await self._guests.find(asked, name) if name else asked.line.seat
        balance = Credits(await self.purse(asked.room, seat))
        return [asked.answer(Message("credits-of", {"who": Name(seat), "balance": balance}))]

    async def _season(self, asked: Request) -> Sequence[Say]:
        asked_about = called(self._kits, asked.words[0]) if asked.words else None
        seasonal = [kit for kit in self._kits.values() if not asked.words or kit is asked_about]
        says = []
        for kit in seasonal:
            says += [asked.answer(each) for each in await self._calendar.describe(asked.room, kit)]
        if not says:
            raise Refusal(Message("no-season", {"text": Quote(" ".join(asked.words))}))
        return says
