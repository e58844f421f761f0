"""Who is who: greets members when they are first heard, knows their names and accounts, and finds them."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import HOUSE, called_there, of_house
from chatbot.kernel.say import Message, Quote
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Exhausted, Posting
from chatbot.ledger.members import welcome
from chatbot.ledger.store.write_queue import unaccompanied
from chatbot.rooms.limits import remember
from chatbot.settings.community import TERMS
from chatbot.speech.safe import honest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.members import Members
    from chatbot.ledger.people import Account, Newcomer, People
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.inbox import Batch
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Line, Occasion, Room
    from chatbot.speech.words import Words
    from chatbot.tables.table import Table


class LinkedAccounts:
    def __init__(self, people: People) -> None:
        self.people = people
        self._joining: list[tuple[set[Seat], set[Seat]]] = []  # who is being made one with whom
        self._arriving: list[set[Seat]] = []  # who sits, or is sitting down, at one table

    def seats(self, seat: Seat) -> list[Seat]:
        """List all who are one with somebody, who comes first."""
        root = self.people.root(seat)
        return list(dict.fromkeys((seat, root, *self.people.seats(root))))

    def present(self, room: Room, seat: Seat) -> Seat:
        """Give the seat as which somebody acts in a room: a table that stands knows them by their former."""
        seats = self.seats(seat)
        if len(seats) == 1:
            return seat
        taken = [each for each in seats if sits(room, each)]
        return taken[0] if taken else self.people.root(seat)

    def at(self, room: Room, account: Account) -> Seat:
        """Give the seat as which an account acts in a room; one that was not met is seated nowhere."""
        if not self.people.met(account):
            return stranger(account)
        return self.present(room, self.people.home(account))

    def spoken(self, room: Room, line: Line) -> Line:
        """Tell of a line who its speaker is."""
        if not self.people.met(line.account):
            unknown = stranger(line.account)
            return replace(line, seat=unknown, home=unknown, linked_accounts=frozenset({unknown}))
        home = self.people.home(line.account)
        if not self.people.tied(home):
            return replace(
                line, seat=home, home=home, linked_accounts=frozenset({home}), accounts=(line.account,)
            )
        linked_accounts, accounts = frozenset(self.seats(home)), tuple(self.people.accounts(home))
        return replace(
            line, seat=self.present(room, home), home=home, linked_accounts=linked_accounts, accounts=accounts
        )

    @contextmanager
    def seating(self, table: Table, seats: Collection[Seat]) -> Iterator[None]:
        """Let some sit down at a table: no two of one person, nor of who becomes one at this moment.

        What is in memory of links counts, unless the answer to one was lost: then nobody new sits down.

        Raises:
            Refusal: two would be.
        """
        there = table.seated.union(seats)
        fresh = there - table.seated
        crossed = any(not (there.isdisjoint(one) or there.isdisjoint(other)) for one, other in self._joining)
        if fresh and (crossed or self.people.doubted or any(self._doubled(each, there) for each in fresh)):
            raise Refusal(Message("try-again"))
        self._arriving.append(there)
        try:
            yield
        finally:
            self._arriving = [each for each in self._arriving if each is not there]

    @contextmanager
    def joining(self, one: Seat, other: Seat, rooms: Iterable[Room]) -> Iterator[None]:
        """Make two persons one, who sit at no table together, and sit down at none meanwhile.

        Raises:
            Refusal: they do, or may do so without our knowing.
        """
        sides = set(self.seats(one)), set(self.seats(other))
        standing, unknown = list(self._arriving), False
        for room in rooms:
            unknown = unknown or room.lost
            for table in (each for each in room.tables.values() if not each.over):
                standing.append(table.seated)
                unknown = unknown or table.doubtful
        if any(not (there.isdisjoint(sides[0]) or there.isdisjoint(sides[1])) for there in standing):
            raise Refusal(Message("link-seated"))
        if unknown:
            raise Refusal(Message("try-again"))
        self._joining.append(sides)
        try:
            yield
        finally:
            self._joining = [each for each in self._joining if each is not sides]

    def _doubled(self, seat: Seat, there: Collection[Seat]) -> bool:
        """Whether somebody is there as another seat too."""
        return self.people.tied(seat) and any(each in there for each in self.seats(seat) if each != seat)

    def happened(self, occasion: Occasion) -> Occasion:
        """Tell of an occasion whose it is."""
        if occasion.account is None:
            return occasion
        home = self.people.home(occasion.account)
        return replace(occasion, seat=self.people.root(home), home=home)


def stranger(account: Account) -> Seat:
    """Give a seat for an account while it cannot be looked up: nobody ever sits so."""
    return Seat(f"unknown:{account}")


def sits(room: Room, seat: Seat) -> bool:
    """Whether somebody plays in a room."""
    return any(seat in table.seated for table in room.tables.values() if not table.over)


NOTED = 60.0  # seconds for which it need not be written again that somebody was seen
MOST_WORDS = 4  # of a name that is looked for among others
REMEMBERED = 50_000  # names, and members noted, in memory; others are asked of the database again


class Unknown(Refusal):
    """Nobody of that name has been here."""

    def __init__(self, name: str) -> None:
        super().__init__(Message("member-unknown", {"name": Quote(name)}))


class CommunityMembers:
    """Members are known by their seat; a name is only ever shown, or looked up to find a seat.

    Players of the house are no members: their names come with a mark, which no other name can have.
    """

    def __init__(self, ledger: Ledger, stored: Members, watch: Watch, words: Words, people: People) -> None:
        self._ledger, self._stored, self._watch, self._words = ledger, stored, watch, words
        self.people, self.linked_accounts = people, LinkedAccounts(people)
        self._mark = self._marked("").strip()
        self._names: OrderedDict[Seat, str] = OrderedDict()
        self._noted: OrderedDict[tuple[str, Seat], tuple[str, float]] = OrderedDict()

    def name(self, seat: Seat) -> str:
        """Give the display name, or the bare id of somebody never heard."""
        if of_house(seat):
            return self._marked(self._unmarked(seat))
        known = self._names.get(seat) or self._names.get(self.people.root(seat))
        return known or next((each.key for each in self.people.accounts(seat)), seat)

    def seat(self, account: Account) -> Seat:
        """Give whom an account leads to, or who stands for it while that was not looked up."""
        return self.people.home(account) if self.people.met(account) else stranger(account)

    def meet(self, seat: Seat, name: str) -> None:
        """Remember a display name."""
        remember(self._names, seat, self.honest(name), REMEMBERED)

    def honest(self, name: str) -> str:
        """Give a name without what would make it pass for a player of the house."""
        return honest(name, self._mark)

    def is_noted(self, room: Room, line: Line) -> bool:
        """Whether nothing need be written of who speaks."""
        name, noted = self._noted.get((room.community, line.home), ("", 0.0))
        return name == line.name and self._watch.now() < noted + NOTED

    def must_ask(self, room: Room, line: Line) -> bool:
        """Whether more must be looked up of a speaker: who it is, or, when new, whose purse it is."""
        if not self.people.met(line.account):
            return True
        return self.people.linked(line.home) and (room.community, line.home) not in self._noted

    async def greet_with(self, batch: Batch, room: Room, line: Line) -> None:
        """Greet as `greet` does, as a part of what is committed together.

        Raises:
            Unsettled: it is not possible so.
        """
        if self.is_noted(room, line):
            return
        key, now, date = (room.community, line.home), self._watch.now(), self._watch.date()
        if key not in self._noted:
            gift = self.welcome(room, line.home)
            if gift is not None:
                await batch.unit.post(gift)
        newcomer = self.people.newcomer(line.account)
        if newcomer is not None:
            batch.unit.meet(newcomer)
            batch.then(partial(self._met, newcomer))
        batch.unit.note(room.community, line.home, line.name, date)
        remember(self._noted, key, (line.name, now), REMEMBERED)
        batch.undo(partial(self._noted.pop, key, None))

    async def greet(self, room: Room, line: Line) -> None:
        """Note that a member is here; who is new to the community gets its starting credits, once ever."""
        seat = line.home
        if self.is_noted(room, line):
            return
        await self.people.settle([line.account])
        if self.people.home(line.account) != seat:  # another process has met them at this moment
            raise Refusal(Message("try-again"))
        key, now = (room.community, seat), self._watch.now()
        name, _ = self._noted.get(key, ("", 0.0))
        if not name:
            await self._welcome(room, seat)
        await self._stored.note(room.community, seat, line.name, self._watch.date())
        if not name and self.people.linked(seat):
            await self._know(room.community, self.people.root(seat), line.name)
        remember(self._noted, key, (line.name, now), REMEMBERED)

    async def learn(self, community: str, seats: Collection[Seat]) -> None:
        """Make sure that the names of these members are known."""
        wanted = {each for seat in seats for each in (seat, self.people.root(seat))}
        unknown = [seat for seat in wanted if seat not in self._names]
        if unknown:
            for seat, name in (await self._stored.names(community, unknown)).items():
                self.meet(seat, name)
        await self.people.learn(seats)

    async def find(self, asked: Request, text: str) -> Seat:
        """Find a member whom the platform says was mentioned, or else by `@name` or `name`.

        Raises:
            Refusal: there is none of that name, or more than one.
        """
        community, name = asked.room.community, text.removeprefix("@")
        mentioned = _mentioned(asked.line.named, name)
        if mentioned is not None and mentioned.platform == HOUSE:
            raise Refusal(Message("member-bot", {"name": Quote(asked.line.named[mentioned])}))
        if mentioned is not None:
            known = await self._introduce(community, mentioned, asked.line.named[mentioned])
            return self.linked_accounts.present(asked.room, known)
        bearers = await self._stored.find(community, name)
        seats = list(dict.fromkeys(self.linked_accounts.present(asked.room, each) for each in bearers))
        if not seats:
            raise Unknown(name)
        if len(seats) > 1:
            raise Refusal(Message("member-ambiguous", {"name": Quote(name)}))
        await self.learn(community, seats)
        return seats[0]

    async def mentioned(
        self, asked: Request, seated: Collection[Seat] = ()
    ) -> tuple[tuple[str, ...], dict[str, Seat]]:
        """Find those whom words such as `@bob` name; words that are one name together become one.

        Of several with one name it is who is `seated` at the table; players of the house may be called there
        without their mark.

        Raises:
            Refusal: there is none of that name, or more than one.
        """
        rest, words, found = asked.words, list[str](), dict[str, Seat]()
        while rest:
            count = 1
            if rest[0].startswith("@"):
                present = self._present(rest, seated)
                count, seat = present or await self._find_first(asked, rest)
                found[" ".join(rest[:count])] = seat
            words.append(" ".join(rest[:count]))
            rest = rest[count:]
        return tuple(words), found

    def _present(self, words: Sequence[str], seated: Collection[Seat]) -> tuple[int, Seat] | None:
        """Find who of those at a table is named by the first words, as many of them as name somebody."""
        calls = [(self._unmarked(seat), seat) for seat in seated if of_house(seat)]
        names = calls + [(self.name(seat), seat) for seat in seated]
        for count in range(len(words[:MOST_WORDS]), 0, -1):
            called = " ".join(words[:count]).removeprefix("@").casefold()
            found = [seat for name, seat in names if name.casefold() == called]
            if found and len(set(found)) == 1:
                return count, found[0]
        return None

    async def _find_first(self, asked: Request, words: Sequence[str]) -> tuple[int, Seat]:
        """Find whom the first words name, as few of them as name anybody."""
        for count in range(1, len(words[:MOST_WORDS]) + 1):
            with suppress(Unknown):
                return count, await self.find(asked, " ".join(words[:count]))
        raise Unknown(words[0].removeprefix("@"))

    @staticmethod
    def _unmarked(seat: Seat) -> str:
        """Name a player of the house without its mark."""
        return called_there(seat).capitalize().replace("-", " ")

    def _marked(self, name: str) -> str:
        return self._words.text(Message("house-player", {"name": name}), str)

    async def _introduce(self, community: str, account: Account, name: str) -> Seat:
        """Make a member of somebody who was mentioned, and may never have spoken."""
        with unaccompanied():  # it is not what the line that mentions them is about
            await self.people.settle([account])
            seat = self.people.home(account)
            self.meet(seat, name)
            await self._stored.note(community, seat, name, self._watch.date())
        return seat

    async def _met(self, newcomer: Newcomer) -> None:
        self.people.written([newcomer])

    async def _know(self, community: str, seat: Seat, name: str) -> None:
        """Let a root be known here by its name, or else by that of the seat that speaks for it."""
        if not await self._stored.names(community, [seat]):
            await self._stored.note(community, seat, self._names.get(seat, name), self._watch.date())
        await self.learn(community, [seat])

    async def _welcome(self, room: Room, seat: Seat) -> None:
        gift = self.welcome(room, seat)
        if gift is not None:
            with suppress(Exhausted):  # who comes so late can play for what others give
                await self._ledger.post(gift)

    def welcome(self, room: Room, seat: Seat) -> Posting | None:
        """Make the posting that gives a new member what they start with, if anything."""
        if not TERMS.of(room).start:
            return None
        community, person = self.people.community(room.community), self.people.person(seat)
        wallet, mint = purses.wallet(community, seat), purses.mint(community)
        gift = Entry(mint, wallet, TERMS.of(room).start, "welcome")
        return Posting(welcome(community, person), community, self._watch.date(), seat, (gift,))


def _mentioned(named: Mapping[Account, str], text: str) -> Account | None:
    return next((account for account in named if str(account) == text), None)
