"""Rankings of members by balance, and their careers in games: `!top`, `!rank`, `!career`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.amounts import read_whole
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import Kind, Option, Remembrance
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say
from chatbot.ledger.books import purses
from chatbot.ledger.people import Account
from chatbot.rooms.request import Request, Service, usage
from chatbot.settings.lists import EXCLUDED, barred, bots, regular
from chatbot.settings.room import rules_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.members import Members, Presence, Visits
    from chatbot.rooms.room import Room

TOP, MOST_TOP = 5, 20  # members that are listed by default, and at most
CAREER = "career"
"""The topic of a kit that describes a member's career in its game."""

_MEMBER = (Option("member", Kind.MEMBER),)
_COUNT = (Option("count", Kind.WHOLE, least=1, most=MOST_TOP),)


class Ranks:
    """Answers `!top`, `!rank` and `!career`; rankings leave out members who are excluded."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        members: CommunityMembers,
        stored: Members,
        presence: Presence,
    ) -> None:
        self._kits, self._ledger, self._members = kits, ledger, members
        self._stored, self._presence = stored, presence
        self.services = (
            Service("top", self._top, "[1-20]", options=_COUNT, reads=True),
            Service("rank", self._rank, "[@name]", options=_MEMBER, reads=True),
            Service("career", self._career, "[@name]", options=_MEMBER, reads=True),
        )

    async def _top(self, request: Request) -> Sequence[Say]:
        if len(request.words) > 1:
            raise usage("top", "[1-20]")
        count = read_whole(request.words[0], 1, MOST_TOP) if request.words else TOP
        community, without = request.room.community, await self._excluded(request.room)
        rows = await self._ledger.top(community, count, without=without)
        await self._members.learn(community, [seat for seat, _ in rows])
        # Members with equal balances share the better place.
        places = [1 + sum(other > held for _, other in rows) for _, held in rows]
        listing = Listing(tuple(_row(place, *row) for place, row in zip(places, rows, strict=True)))
        says = [request.answer(Message("top", {"rows": listing}))]
        sender = self._members.people.root(request.line.seat)
        if sender not in {seat for seat, _ in rows} and sender not in without:
            place = await self._ledger.place(community, sender, without)
            row = _row(place, sender, await self._balance(request.room, sender))
            says.append(request.answer(Message("top-own", {"row": row})))
        return says

    async def _rank(self, request: Request) -> Sequence[Say]:
        seat, community = await self._subject(request), request.room.community
        if barred(request.room, seat, self._members.people.ever(seat), self._members.name(seat)):
            raise Refusal(Message("rank-none", {"who": Name(seat)}))
        without, balance = await self._excluded(request.room), await self._balance(request.room, seat)
        above = await self._ledger.above(community, balance, without)
        args: Arguments = {
            "who": Name(seat),
            "place": await self._ledger.place(community, seat, without),
            "members": await self._ledger.ranked(community, without),
            "balance": Credits(balance),
            "gap": _gap(above, balance),
        }
        details = tuple(self._details(request.room, seat, await self._presence.of(community, seat)))
        return [request.answer(Message("rank", {**args, "details": Listing(details, separator=" ")}))]

    def _details(self, room: Room, seat: Seat, known: Visits | None) -> Iterator[Message]:
        if known is not None:
            hours, minutes = divmod(known.minutes, 60)
            seen: Arguments = {"hours": hours, "minutes": minutes, "messages": known.messages}
            yield Message("rank-presence", seen)
        accounts = self._members.people.accounts(seat)
        yield Message("rank-regular" if regular(room, accounts) else "rank-no-regular")

    async def _career(self, request: Request) -> Sequence[Say]:
        room, seat = request.room, await self._subject(request)
        balance = await self._balance(room, seat)
        kits = [kit for kit in self._kits.values() if CAREER in kit.topics]
        says = [each for kit in kits for each in await self._describe(request, kit, seat, balance)]
        if not says:
            raise Refusal(Message("career-none"))
        return says

    async def _describe(self, request: Request, kit: AnyKit, seat: Seat, balance: int) -> list[Say]:
        room = request.room
        bodies = await self._ledger.records(room.id, kit.name, [seat])
        record = kit.codec.load(bodies[seat]) if seat in bodies else None
        messages = kit.topics[CAREER](rules_of(room, kit), Remembrance(seat, balance, record))
        return [request.answer(each) for each in messages]

    async def _subject(self, request: Request) -> Seat:
        """Return the root of the member that a request names, or else of its sender."""
        name = " ".join(request.words)
        seat = await self._members.find(request, name) if name else request.line.seat
        return self._members.people.root(seat)

    async def _balance(self, room: Room, seat: Seat) -> int:
        wallet = purses.wallet(room.community, seat)
        return await self._ledger.balance(wallet)

    async def _excluded(self, room: Room) -> Collection[Seat]:
        """Return the seats that are excluded: those that moderators have named, and known bots.

        A moderator can let a known bot in. If one seat of a person is excluded, all are.
        """
        known, people = await self._stored.called(room.community, bots()), self._members.people
        named = [Account.read(each) for each in EXCLUDED.of(room)]
        await people.meet(named)
        await people.learn(known)
        names = {**dict.fromkeys(map(people.home, named), ""), **known}
        found = [seat for seat, name in names.items() if barred(room, seat, people.ever(seat), name)]
        return {each for seat in found for each in people.everyone(seat)}


def _row(place: int, seat: Seat, balance: int) -> Message:
    return Message("top-row", {"place": place, "who": Name(seat), "balance": Credits(balance)})


def _gap(above: int | None, balance: int) -> Message:
    if above is None:
        return Message("nothing")
    return Message("rank-gap", {"gap": Credits(above - balance)})
