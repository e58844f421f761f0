"""Who stands where: `!top`, `!rank`, and what games say of somebody: `!career`."""

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

TOP, MOST_TOP = 5, 20  # members listed
CAREER = "career"
"""The topic under which a game tells of one member's career in it."""

_MEMBER = (Option("member", Kind.MEMBER),)
_COUNT = (Option("count", Kind.WHOLE, least=1, most=MOST_TOP),)


class Ranks:
    """Whoever is excluded is in no ranking, and takes nobody's place."""

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

    async def _top(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("top", "[1-20]")
        count = read_whole(asked.words[0], 1, MOST_TOP) if asked.words else TOP
        community, without = asked.room.community, await self._outside(asked.room)
        rows = await self._ledger.top(community, count, without=without)
        await self._members.learn(community, [seat for seat, _ in rows])
        places = [
            1 + sum(other > held for _, other in rows) for _, held in rows
        ]  # equals share the better one
        listing = Listing(tuple(_row(place, *row) for place, row in zip(places, rows, strict=True)))
        says = [asked.answer(Message("top", {"rows": listing}))]
        own = self._members.people.root(asked.line.seat)
        if own not in {seat for seat, _ in rows} and own not in without:
            place = await self._ledger.place(community, own, without)
            row = _row(place, own, await self._purse(asked.room, own))
            says.append(asked.answer(Message("top-own", {"row": row})))
        return says

    async def _rank(self, asked: Request) -> Sequence[Say]:
        seat, community = await self._whose(asked), asked.room.community
        if barred(asked.room, seat, self._members.people.ever(seat), self._members.name(seat)):
            raise Refusal(Message("rank-none", {"who": Name(seat)}))
        without, balance = await self._outside(asked.room), await self._purse(asked.room, seat)
        above = await self._ledger.above(community, balance, without)
        args: Arguments = {
            "who": Name(seat),
            "place": await self._ledger.place(community, seat, without),
            "members": await self._ledger.ranked(community, without),
            "balance": Credits(balance),
            "gap": _gap(above, balance),
        }
        details = tuple(self._details(asked.room, seat, await self._presence.of(community, seat)))
        told = Message("rank", {**args, "details": Listing(details, separator=" ")})
        return [asked.answer(told)]

    def _details(self, room: Room, seat: Seat, known: Visits | None) -> Iterator[Message]:
        if known is not None:
            hours, minutes = divmod(known.minutes, 60)
            seen: Arguments = {"hours": hours, "minutes": minutes, "messages": known.messages}
            yield Message("rank-presence", seen)
        own = self._members.people.accounts(seat)
        yield Message("rank-regular" if regular(room, own) else "rank-no-regular")

    async def _career(self, asked: Request) -> Sequence[Say]:
        room, seat = asked.room, await self._whose(asked)
        purse = await self._purse(room, seat)
        kits = [kit for kit in self._kits.values() if CAREER in kit.topics]
        says = [each for kit in kits for each in await self._told(asked, kit, seat, purse)]
        if not says:
            raise Refusal(Message("career-none"))
        return says

    async def _told(self, asked: Request, kit: AnyKit, seat: Seat, purse: int) -> list[Say]:
        room = asked.room
        bodies = await self._ledger.records(room.id, kit.name, [seat])
        record = kit.codec.load(bodies[seat]) if seat in bodies else None
        game = rules_of(room, kit)
        told = kit.topics[CAREER](game, Remembrance(seat, purse, record))
        return [asked.answer(each) for each in told]

    async def _whose(self, asked: Request) -> Seat:
        """Find whom a question is about: who asks it, unless somebody is named."""
        name = " ".join(asked.words)
        seat = await self._members.find(asked, name) if name else asked.line.seat
        return self._members.people.root(seat)

    async def _purse(self, room: Room, seat: Seat) -> int:
        wallet = purses.wallet(room.community, seat)
        return await self._ledger.balance(wallet)

    async def _outside(self, room: Room) -> Collection[Seat]:
        """List who is excluded: whom moderators have named, and known bots unless they were let in.

        All seats of one person are out together.
        """
        known, people = await self._stored.called(room.community, bots()), self._members.people
        named = [Account.read(each) for each in EXCLUDED.of(room)]
        await people.meet(named)
        await people.learn(known)
        names = {**dict.fromkeys(map(people.home, named), ""), **known}
        out = [seat for seat, name in names.items() if barred(room, seat, people.ever(seat), name)]
        return {each for seat in out for each in people.everyone(seat)}


def _row(place: int, seat: Seat, balance: int) -> Message:
    return Message("top-row", {"place": place, "who": Name(seat), "balance": Credits(balance)})


def _gap(above: int | None, balance: int) -> Message:
    if above is None:
        return Message("nothing")
    return Message("rank-gap", {"gap": Credits(above - balance)})
