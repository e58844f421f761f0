"""Rankings of members, and their careers in games: `!top`, `!rank`, `!career`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from chatbot.bot.arguments import KnownMember, Lookup, Suggested, TypedWords, WordType
from chatbot.bot.command import command
from chatbot.community.departures import MOST_ASKED
from chatbot.community.ranks import last_rows, marked, placings, shared_places
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import find_kit
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote, Say
from chatbot.kernel.settings import Whole
from chatbot.ledger.books import purses
from chatbot.rooms.request import Request, usage
from chatbot.rooms.settings.lists import barred, regular
from chatbot.settings.community import TERMS
from chatbot.speech import titles

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from chatbot.community.departures import Departures
    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.members import Presence, Visits
    from chatbot.ledger.rankings import Rankings
    from chatbot.ledger.seasons import Seasons
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

TOP, MOST_TOP = 5, 20  # members that are listed by default, and at most
CAREER = "career"
"""The topic of a kit that describes a member's career in its game."""

CREDITS, WATCHED, LAST_SEASON = "credits", "watched", "season"
"""What `!top` can rank by, besides what was won at a game."""

RANKINGS = f"{CREDITS} | {WATCHED} | {LAST_SEASON} | GAME"
RECENT_DAYS = 30
"""Days of which the winnings at a game are ranked; a table is in no archive before it is older."""


MOST_LOOKS = 3
"""How often a ranking is read again to leave out who is gone: up to `MOST_ASKED` persons are each time."""

RankedSeat: TypeAlias = "tuple[Seat, int]"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best of a ranking, who of them is gone, and the seats that are left out."""

    rows: Sequence[RankedSeat]
    gone: Collection[Seat]
    without: Collection[Seat]


@dataclass(frozen=True, slots=True)
class RankingName(WordType):
    """What to rank by: one of the words above, or the name of the game, as it is in `kits`."""

    def shown(self, name: str) -> str:  # noqa: ARG002
        return RANKINGS

    async def read(self, lookup: Lookup, request: Request, words: TypedWords) -> str:  # noqa: ARG002
        word = words[0].lower()
        kit = find_kit(lookup.kits, word) or find_kit(lookup.kits, word.removesuffix("s"))
        if kit is None and word not in {CREDITS, WATCHED, LAST_SEASON}:
            raise usage("top", f"[{RANKINGS}] [1-{MOST_TOP}]")
        return word if kit is None else kit.name


class Ranks:
    """Answers `!top`, `!rank` and `!career`.

    Rankings leave out members who are excluded. Who is gone is marked, or left out where `skip_gone` is set.
    """

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        ledger: Ledger,
        members: CommunityMembers,
        departures: Departures,
        presence: Presence,
        rankings: Rankings,
        seasons: Seasons,
        watch: Watch,
    ) -> None:
        self._kits, self._ledger, self._members = kits, ledger, members
        self._departures = departures
        self._presence, self._rankings = presence, rankings
        self._seasons, self._watch = seasons, watch

    def _suggestions(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return [CREDITS, WATCHED, LAST_SEASON, *(kit.word for kit in self._kits.values())]

    @command("top", reads=True)
    async def top(
        self,
        request: Request,
        ranking: Annotated[str, RankingName(), Suggested(_suggestions)] = CREDITS,
        count: Annotated[Whole, Field(ge=1, le=MOST_TOP)] = TOP,
    ) -> Sequence[Say]:
        if ranking == CREDITS:
            return await self._richest(request, count)
        if ranking == WATCHED:
            messages = [await self._longest(request.room, count)]
        elif ranking == LAST_SEASON:
            messages = await self._last_seasons(request.room, count)
        else:
            messages = [await self._luckiest(request.room, self._kits[ranking], count)]
        return [request.answer(each) for each in messages]

    async def best(self, room: Room, ranking: str, count: int, hidden: Collection[Seat] = ()) -> Ranking:
        """Return the best by credits, by minutes that they watched, or by what they won at a game.

        Who is `hidden` is left out, too.
        """
        communities = self._members.people.ties.united(room.community)
        since = self._watch.date() - timedelta(days=RECENT_DAYS)

        async def read(most: int, without: Collection[Seat]) -> Sequence[RankedSeat]:
            if ranking == CREDITS:
                return await self._ledger.top(room.community, most, without=without)
            if ranking == WATCHED:
                return await self._rankings.watchers(communities, most, without)
            return await self._rankings.winners(room.id, ranking, since, most, without)

        return await self._best(room, read, count, hidden)

    async def _longest(self, room: Room, count: int) -> Message:
        return await self._list(room, "top-watched", await self.best(room, WATCHED, count), _watched_row)

    async def _luckiest(self, room: Room, kit: AnyKit, count: int) -> Message:
        args: Arguments = {"game": Message(f"game-{kit.name}"), "days": RECENT_DAYS}
        return await self._list(room, "top-won", await self.best(room, kit.name, count), _row, args)

    async def _last_seasons(self, room: Room, count: int) -> list[Message]:
        """Word the leaderboards of the seasons that ended last, with the names and places of that day."""
        without, messages = await self._members.excluded(room), []
        for kit in self._kits.values():
            places = await self._seasons.last(room.id, kit.name)
            rows = await last_rows(self._departures, room, placings(places), without)
            if rows:
                args: Arguments = {"game": Message(f"game-{kit.name}"), "number": places[0].number}
                messages.append(Message("top-season", {**args, "rows": Listing(rows[:count], most=count)}))
        return messages or [Message("top-none")]

    async def _best(
        self,
        room: Room,
        read: Callable[[int, Collection[Seat]], Awaitable[Sequence[RankedSeat]]],
        count: int,
        hidden: Collection[Seat],
    ) -> Ranking:
        """Return the best of a ranking, which `read(most, without)` reads, and who of them is gone."""
        without = {*await self._members.excluded(room), *hidden}
        if not TERMS.of(room).skip_gone:
            rows = await read(count, without)
            return Ranking(rows, await self._departures.find_gone(room, [seat for seat, _ in rows]), without)
        rows = []
        for _ in range(MOST_LOOKS):
            without = {*without, *self._departures.known_gone(room)}
            read_rows = await read(MOST_ASKED, without)
            gone_seats = await self._departures.find_gone(room, [seat for seat, _ in read_rows])
            rows = [each for each in read_rows if each[0] not in gone_seats]
            if len(rows) >= count or len(read_rows) < MOST_ASKED:
                break
        return Ranking(rows[:count], (), {*without, *self._departures.known_gone(room)})

    async def _list(
        self,
        room: Room,
        message: str,
        ranking: Ranking,
        row: Callable[[int, Seat, int], Message],
        args: Arguments | None = None,
    ) -> Message:
        rows = ranking.rows
        if not rows:
            return Message("top-none")
        await self._members.learn(room.community, [seat for seat, _ in rows])
        places = shared_places([number for _, number in rows])
        worded = tuple(
            marked(row(place, seat, number), gone=seat in ranking.gone)
            for place, (seat, number) in zip(places, rows, strict=True)
        )
        return Message(message, {**(args or {}), "rows": Listing(worded, most=len(worded))})

    async def _richest(self, request: Request, count: int) -> Sequence[Say]:
        community = request.room.community
        ranking = await self.best(request.room, CREDITS, count)
        says = [request.answer(await self._list(request.room, "top", ranking, _row))]
        sender = self._members.people.ties.root(request.line.seat)
        if sender not in {seat for seat, _ in ranking.rows} and sender not in ranking.without:
            place = await self._ledger.place(community, sender, ranking.without)
            row = _row(place, sender, await self._balance(request.room, sender))
            says.append(request.answer(Message("top-own", {"row": row})))
        return says

    @command("rank", reads=True)
    async def rank(self, request: Request, member: KnownMember | None = None) -> Sequence[Say]:
        seat, community = self._subject(request, member), request.room.community
        if barred(request.room, seat, self._members.people.ever(seat), self._members.name(seat)):
            raise Refusal(Message("rank-none", {"who": Name(seat)}))
        without, balance = await self._members.excluded(request.room), await self._balance(request.room, seat)
        gone_seats = await self._departures.find_gone(request.room, [seat])
        if TERMS.of(request.room).skip_gone:
            without = {*without, *self._departures.known_gone(request.room)}
        above = await self._ledger.above(community, balance, without)
        place = await self._ledger.place(community, seat, without)
        args: Arguments = {
            "who": Name(seat),
            "place": place,
            "members": max(await self._ledger.ranked(community, without), place),  # who has no wallet is last
            "balance": Credits(balance),
            "gap": _gap(above, balance),
        }
        visits = await self._visits(request.room, seat)
        details = [*_titles(request.room, balance), *self._details(request.room, seat, visits)]
        if gone_seats:
            details.append(Message("rank-gone"))
        return [request.answer(Message("rank", {**args, "details": Listing(tuple(details), separator=" ")}))]

    async def _visits(self, room: Room, seat: Seat) -> list[Visits]:
        """Return the presence of a person by all linked accounts, in all united communities."""
        seats = self._members.linked_accounts.seats(seat)
        communities = self._members.people.ties.united(room.community)
        return await self._presence.everywhere(communities, seats)

    def _details(self, room: Room, seat: Seat, visits: Sequence[Visits]) -> Iterator[Message]:
        if visits:
            hours, minutes = divmod(sum(each.minutes for each in visits), 60)
            messages = sum(each.messages for each in visits)
            args: Arguments = {"hours": hours, "minutes": minutes, "messages": messages}
            yield Message("rank-presence", args)
        accounts = self._members.people.accounts(seat)
        yield Message("rank-regular" if regular(room, accounts) else "rank-no-regular")

    @command("career", reads=True)
    async def career(self, request: Request, member: KnownMember | None = None) -> Sequence[Say]:
        room, seat = request.room, self._subject(request, member)
        balance = await self._balance(room, seat)
        kits = [kit for kit in self._kits.values() if CAREER in kit.chat.topics]
        says = [each for kit in kits for each in await self._describe(request, kit, seat, balance)]
        if not says:
            raise Refusal(Message("career-none"))
        return says

    async def _describe(self, request: Request, kit: AnyKit, seat: Seat, balance: int) -> list[Say]:
        room = request.room
        bodies = await self._ledger.records(room.id, kit.name, [seat])
        record = kit.codec.load(bodies[seat]) if seat in bodies else None
        messages = kit.chat.topics[CAREER](room.rules(kit), TopicRequest(seat, balance, record))
        return [request.answer(each) for each in messages]

    def _subject(self, request: Request, member: Seat | None) -> Seat:
        """Return the root of the member that a request names, or else of its sender."""
        return self._members.people.ties.root(member or request.line.seat)

    async def _balance(self, room: Room, seat: Seat) -> int:
        wallet = purses.wallet(room.community, seat)
        return await self._ledger.balance(wallet)


def _row(place: int, seat: Seat, balance: int) -> Message:
    return Message("top-row", {"place": place, "who": Name(seat), "balance": Credits(balance)})


def _watched_row(place: int, seat: Seat, minutes: int) -> Message:
    hours, rest = divmod(minutes, 60)
    args: Arguments = {"place": place, "who": Name(seat), "hours": hours, "minutes": rest}
    return Message("top-watched-row", args)


def _titles(room: Room, balance: int) -> Iterator[Message]:
    """Word the title that a balance gives here, and the next one."""
    title, following = titles.find(TERMS.of(room).ranks, balance)
    if title is not None:
        yield Message("rank-title", {"title": Quote(title.name)})
    if following is not None:
        args: Arguments = {"title": Quote(following.name), "amount": Credits(following.credits)}
        yield Message("rank-next-title", args)


def _gap(above: int | None, balance: int) -> Message:
    if above is None:
        return Message("nothing")
    return Message("rank-gap", {"gap": Credits(above - balance)})
