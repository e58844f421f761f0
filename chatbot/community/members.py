"""Members of communities: greets new ones, and looks up their names, accounts and seats."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.house_seats import HOUSE, display_name, of_house
from chatbot.kernel.say import Message, Quote
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Exhausted, Posting, more
from chatbot.ledger.changes import OPERATOR
from chatbot.ledger.members import WELCOME, welcome
from chatbot.ledger.store.engines import reason
from chatbot.rooms.request import as_typed
from chatbot.rooms.settings.lists import barred, bots, named_excluded
from chatbot.runtime.limits import remember
from chatbot.runtime.shielded import ShieldedWork
from chatbot.settings.community import TERMS
from chatbot.speech.safe import honest
from chatbot.speech.words import house_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.imports.placeholders import Placeholders
    from chatbot.ledger.members import Members
    from chatbot.ledger.people import Account, People
    from chatbot.ledger.store.statements import ColumnValues
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.line import Line, Occasion
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch

NOTE_INTERVAL = 60.0  # seconds in which it is written only once that a member was seen
MOST_WORDS = 4  # words of a name that is searched for in a line
REMEMBERED = 20_000  # entries of each cache in memory; others are read from the database again

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Arrival:
    """The seats at a table, and those that are being added; a copy of all would cost time in a crowd."""

    seated: Collection[Seat]
    new: frozenset[Seat] = frozenset()

    def meets(self, seats: Iterable[Seat]) -> bool:
        """Return whether one of some seats is at the table, or on its way there."""
        return any(each in self.new or each in self.seated for each in seats)


class LinkedAccounts:
    """Finds the seats of persons with several accounts, and keeps a person from sitting twice at a table."""

    def __init__(self, people: People) -> None:
        self.people = people
        # The seats of the two persons of each link that is being written.
        self._joining: list[tuple[set[Seat], set[Seat]]] = []
        # The tables to which seats are being added, with those.
        self._arriving: list[_Arrival] = []

    def seats(self, seat: Seat) -> list[Seat]:
        """Return all seats of the person who has `seat`, which comes first."""
        root = self.people.ties.root(seat)
        return list(dict.fromkeys((seat, root, *self.people.ties.seats(root))))

    def present(self, room: Room, seat: Seat) -> Seat:
        """Return the seat with which a person acts in a room.

        That is the one that sits at an open table, which may have been opened before the accounts were
        linked, or else the root.
        """
        seats = self.seats(seat)
        if len(seats) == 1:
            return seat
        seats_at_tables = [each for each in seats if sits(room, each)]
        return seats_at_tables[0] if seats_at_tables else self.people.ties.root(seat)

    def at(self, room: Room, account: Account) -> Seat:
        """Return the seat with which an account acts in a room, or a placeholder if it is not loaded."""
        if not self.people.met(account):
            return placeholder(account)
        return self.present(room, self.people.home(account))

    def with_sender(self, room: Room, line: Line) -> Line:
        """Return a line with the seat, home and accounts of its sender filled in."""
        if line.manner is not None and line.is_by_operator:
            return replace(line, seat=OPERATOR, home=OPERATOR, linked_accounts=frozenset({OPERATOR}))
        if not self.people.met(line.account):
            unknown = placeholder(line.account)
            return replace(line, seat=unknown, home=unknown, linked_accounts=frozenset({unknown}))
        home = self.people.home(line.account)
        if not self.people.ties.tied(home):
            if line.seat == line.home == home and line.accounts == (line.account,):
                return line  # they are filled in
            return replace(
                line, seat=home, home=home, linked_accounts=frozenset({home}), accounts=(line.account,)
            )
        linked_accounts, accounts = frozenset(self.seats(home)), tuple(self.people.accounts(home))
        return replace(
            line, seat=self.present(room, home), home=home, linked_accounts=linked_accounts, accounts=accounts
        )

    @contextmanager
    def seating(self, table: Table, seats: Collection[Seat]) -> Iterator[None]:
        """Return a context in which `seats` may sit down at a table.

        Links in memory decide. If it is unknown whether a link was committed, no new seat is let in.

        Raises:
            Refusal: two seats would belong to one person, or to two that are being linked.
        """
        arrival = _Arrival(table.seated, frozenset(each for each in seats if each not in table.seated))
        joining = any(arrival.meets(one) and arrival.meets(other) for one, other in self._joining)
        if arrival.new and (
            joining
            or self.people.doubted
            or any(self._is_seated_twice(each, arrival) for each in arrival.new)
        ):
            raise Refusal(Message("try-again"))
        self._arriving.append(arrival)
        try:
            yield
        finally:
            self._arriving = [each for each in self._arriving if each is not arrival]

    @contextmanager
    def joining(self, one: Seat, other: Seat, rooms: Iterable[Room]) -> Iterator[None]:
        """Return a context in which two persons may be linked; they cannot sit down together in it.

        Raises:
            Refusal: they sit at one table, or the state of a table is uncertain.
        """
        sides = set(self.seats(one)), set(self.seats(other))
        occupied, uncertain = list(self._arriving), False
        for room in rooms:
            uncertain = uncertain or room.lost
            for table in (each for each in room.tables.values() if not each.over):
                occupied.append(_Arrival(table.seated))
                uncertain = uncertain or table.doubtful
        if any(each.meets(sides[0]) and each.meets(sides[1]) for each in occupied):
            raise Refusal(Message("link-seated"))
        if uncertain:
            raise Refusal(Message("try-again"))
        self._joining.append(sides)
        try:
            yield
        finally:
            self._joining = [each for each in self._joining if each is not sides]

    def with_member(self, occasion: Occasion) -> Occasion:
        """Return an occasion with the seat and home of its account filled in."""
        if occasion.account is None:
            return occasion
        home = self.people.home(occasion.account)
        return replace(occasion, seat=self.people.ties.root(home), home=home)

    def _is_seated_twice(self, seat: Seat, arrival: _Arrival) -> bool:
        """Return whether another seat of the same person is at the table, or on its way there."""
        return self.people.ties.tied(seat) and arrival.meets(
            each for each in self.seats(seat) if each != seat
        )


def placeholder(account: Account) -> Seat:
    """Return the seat of an account that cannot be looked up now; it never sits at a table."""
    return Seat(f"unknown:{account}")


def sits(room: Room, seat: Seat) -> bool:
    """Return whether a seat plays at an open table of a room."""
    return any(seat in table.seated for table in room.tables.values() if not table.over)


class Unknown(Refusal):
    """No member of the community has the given name."""

    def __init__(self, name: str) -> None:
        super().__init__(Message("member-unknown", {"name": Quote(name)}))


class CommunityMembers:
    """Finds the members of communities; a seat identifies a member, and a name is for display and search.

    Players of the house are not members: their names have a mark, which no member's name can have.
    """

    def __init__(
        self, ledger: Ledger, member_store: Members, placeholders: Placeholders, watch: Watch, people: People
    ) -> None:
        self._ledger, self._member_store, self._watch = ledger, member_store, watch
        self._placeholders = placeholders
        self.people, self.linked_accounts = people, LinkedAccounts(people)
        self._names: OrderedDict[Seat, str] = OrderedDict()
        self._notes: OrderedDict[tuple[str, Seat], tuple[str, float]] = OrderedDict()
        self._writing = ShieldedWork()

    def name(self, seat: Seat) -> str:
        """Return the display name of a seat, or the id of its account if no name is known.

        A player of the house has no mark here, for that is in the language of a room.
        """
        if of_house(seat):
            return display_name(seat)
        name = self._names.get(seat) or self._names.get(self.people.ties.root(seat))
        return name or next((each.key for each in self.people.accounts(seat)), seat)

    def seat(self, account: Account) -> Seat:
        """Return the seat of an account, or a placeholder if it is not loaded."""
        return self.people.home(account) if self.people.met(account) else placeholder(account)

    def meet(self, seat: Seat, name: str) -> None:
        """Cache the display name of a seat."""
        remember(self._names, seat, self.without_mark(name), REMEMBERED)

    async def recognize(self, community: str, seat: Seat, home: Seat, name: str) -> None:
        """Cache the display name of the person `home`, and that of `seat`, whose purse they use.

        The latter keeps a name of its own, if it has one.
        """
        self.meet(home, name)
        await self.learn(community, [seat])
        if seat not in self._names:
            self.meet(seat, name)

    def without_mark(self, name: str) -> str:
        """Remove from a name what would let it pass for that of a player of the house."""
        return _without_marks(name)

    async def settle(self) -> None:
        """Wait until it is written who was seen again."""
        await self._writing.settle()

    def is_known(self, room: Room, line: Line) -> bool:
        """Return whether the sender of a line was greeted under this name since the start."""
        name, _ = self._notes.get((room.community, line.home), ("", 0.0))
        return name == line.name

    def is_noted(self, room: Room, line: Line) -> bool:
        """Return whether nothing is to be written of the sender of a line, who was noted recently.

        The operator is no member, and never noted.
        """
        if line.manner is not None and line.is_by_operator:
            return True
        name, noted_at = self._notes.get((room.community, line.home), ("", 0.0))
        return name == line.name and self._watch.now() < noted_at + NOTE_INTERVAL

    def must_ask(self, room: Room, line: Line) -> bool:
        """Return whether the database must be read for a sender: the seat, or the root of a new member."""
        if line.manner is not None and line.is_by_operator:
            return False
        if not self.people.met(line.account):
            return True
        return self.people.ties.linked(line.home) and (room.community, line.home) not in self._notes

    async def greet(self, batch: Batch, room: Room, line: Line) -> None:
        """Note that a member was seen; one who is new to the community gets its starting credits, once.

        For a known member who was seen again under the same name alone no transaction is made before the
        answer.

        Raises:
            Refusal: another process has just created the person of the sender, so that the seat is another.
        """
        if self.is_noted(room, line):
            return
        await self.people.meet([line.account])
        if self.people.home(line.account) != line.home:  # the account could not be looked up before
            raise Refusal(Message("try-again"))
        key, now, date = (room.community, line.home), self._watch.now(), self._watch.date()
        name, _ = note = self._notes.get(key, ("", 0.0))
        if not name:
            await self._welcome(batch, room, line)
        again = name == line.name
        batch.unit.additions.note(room.community, line.home, line.name, date, again=again)
        if again:
            batch.then(partial(self._write_left, batch.unit, key))
        remember(self._notes, key, (line.name, now), REMEMBERED)
        batch.undo(partial(self._notes.__setitem__, key, note) if name else partial(self._notes.pop, key))

    def welcome(self, room: Room, seat: Seat) -> Posting | None:
        """Return the posting that gives a new member the starting credits; None if there are none."""
        if not TERMS.of(room).start:
            return None
        community, person = self.people.ties.community(room.community), self.people.ties.person(seat)
        wallet, mint = purses.wallet(community, seat), purses.mint(community)
        start = TERMS.of(room).start
        usual = min(start, TERMS.unset.value.start)
        parts = {WELCOME: usual, more(WELCOME): start - usual}
        gifts = tuple(Entry(mint, wallet, each, why) for why, each in parts.items() if each)
        return Posting(welcome(community, person), community, self._watch.date(), seat, gifts)

    async def learn(self, community: str, seats: Collection[Seat]) -> None:
        """Load the names of members that are not in memory."""
        own_and_roots = {each for seat in seats for each in (seat, self.people.ties.root(seat))}
        unknown = [seat for seat in own_and_roots if seat not in self._names]
        if unknown:
            for seat, name in (await self._member_store.names(community, unknown)).items():
                self.meet(seat, name)
        await self.people.learn(seats)

    async def known_in(self, communities: Collection[str], seats: Collection[Seat]) -> set[str]:
        """Return those of some communities in which one of these seats was ever seen."""
        return await self._member_store.known_in(communities, seats)

    async def excluded(self, room: Room) -> Collection[Seat]:
        """Return the seats that no ranking has: those that moderators have named, and known bots.

        A moderator can let a known bot in. If one seat of a person is excluded, all are.
        """
        bot_names, people = await self._member_store.called(room.community, bots()), self.people
        accounts = named_excluded(room)
        await people.meet(accounts)
        await people.learn(bot_names)
        names = {**dict.fromkeys(map(people.home, accounts), ""), **bot_names}
        barred_seats = [seat for seat, name in names.items() if barred(room, seat, people.ever(seat), name)]
        return {each for seat in barred_seats for each in people.ties.everyone(seat)}

    async def find(self, request: Request, text: str) -> Seat:
        """Find a member by a mention that the platform has resolved, or else by `@name` or `name`.

        A name may itself begin with "@"; somebody whose name is without it comes first.

        Raises:
            Unknown: no member has that name.
            Refusal: several members have it, or it is the mention of a player of the house.
        """
        community, name = request.room.community, text.removeprefix("@")
        account = _mentioned(request.line.named, name)
        if account is not None and account.platform == HOUSE:
            raise Refusal(Message("member-bot", {"name": Quote(request.line.named[account])}))
        if account is not None:
            mention = request.line.named[account]
            home = await self._introduce(community, account, mention)
            seat = self.linked_accounts.present(request.room, home)
            await self.recognize(community, seat, home, mention)
            return seat
        matches = await self._member_store.find(community, name)
        if not matches and name != text:
            matches = await self._member_store.find(community, text)
        seats = list(dict.fromkeys(self.linked_accounts.present(request.room, each) for each in matches))
        if not seats:
            raise Unknown(as_typed(request.line, text).removeprefix("@"))
        if len(seats) > 1:
            raise Refusal(Message("member-ambiguous", {"name": Quote(name)}))
        await self.learn(community, seats)
        return seats[0]

    async def find_wallet(self, request: Request, text: str) -> Seat:
        """Find a member as `find` does, or else whose balance waits for a name.

        Raises:
            Unknown: there is neither.
            Refusal: several have that name.
        """
        try:
            return await self.find(request, text)
        except Unknown:
            login = text.removeprefix("@").casefold()
            holder = self.people.ties.community(request.room.community)
            seats = await self._placeholders.named(holder, login)
            if not seats:
                raise
        if len(seats) > 1:
            raise Refusal(Message("member-ambiguous", {"name": Quote(login)}))
        self.meet(seats[0], login)
        return seats[0]

    async def mentioned(
        self, request: Request, seated: Collection[Seat] = ()
    ) -> tuple[tuple[str, ...], dict[str, Seat]]:
        """Find the members that words such as `@bob` name; return the words, and the seats by word.

        Several words that form one name are joined. Members in `seated` are preferred; among them, players
        of the house may be named without their mark.

        Raises:
            Refusal: no member has that name, or several have.
        """
        rest, words, seats_by_word = request.words, list[str](), dict[str, Seat]()
        while rest:
            count = 1
            if rest[0].startswith("@"):
                present = self._present(rest, seated)
                count, seat = present or await self._find_first(request, rest)
                seats_by_word[" ".join(rest[:count])] = seat
            words.append(" ".join(rest[:count]))
            rest = rest[count:]
        return tuple(words), seats_by_word

    def _present(self, words: Sequence[str], seated: Collection[Seat]) -> tuple[int, Seat] | None:
        """Find the seat at a table that the longest possible sequence of first words names."""
        for count in range(len(words[:MOST_WORDS]), 0, -1):
            typed = " ".join(words[:count])
            for name in (typed.removeprefix("@"), typed):  # a name may itself begin with "@"
                house, person = self.without_mark(name).casefold(), name.casefold()
                matches = {
                    seat
                    for seat in seated
                    if self.name(seat).casefold() == (house if of_house(seat) else person)
                }
                if len(matches) == 1:
                    return count, matches.pop()
        return None

    async def _find_first(self, request: Request, words: Sequence[str]) -> tuple[int, Seat]:
        """Find the member that the shortest possible sequence of first words names."""
        for count in range(1, len(words[:MOST_WORDS]) + 1):
            with suppress(Unknown):
                return count, await self.find(request, " ".join(words[:count]))
        raise Unknown(as_typed(request.line, words[0]).removeprefix("@"))

    async def _introduce(self, community: str, account: Account, name: str) -> Seat:
        """Create the member of a mentioned account, which may never have sent a line."""
        await self.people.settle([account])
        seat = self.people.home(account)
        self.meet(seat, name)
        await self._member_store.note(community, seat, name, self._watch.date())
        return seat

    def _write_left(self, unit: UnitOfWork, key: tuple[str, Seat]) -> None:
        """Write later that a known member was seen again, if it was not written with anything else."""
        rows = unit.additions.take_seen()
        if rows:
            self._writing.start(self._note_again(rows, key))

    async def _note_again(self, rows: Sequence[ColumnValues], key: tuple[str, Seat]) -> None:
        """Write that known members were seen again; if that fails, the next line tries again."""
        try:
            await self._member_store.write(rows)
        except (SQLAlchemyError, OSError) as error:
            self._notes.pop(key, None)
            log.warning("it is not noted that a member was seen", reason=reason(error))

    async def _welcome(self, batch: Batch, room: Room, line: Line) -> None:
        """Make a person of an account that was never seen, and give the starting credits, once."""
        gift = self.welcome(room, line.home)
        if gift is not None:
            await batch.unit.expect(gift.purses(), postings=[gift.id])
            with suppress(Exhausted):  # the mint is empty; the member can still play with gifts of others
                await batch.unit.post(gift)
        newcomer = self.people.newcomer(line.account)
        if newcomer is not None:
            batch.unit.additions.meet(newcomer)
            batch.then(partial(self.people.written, [newcomer]))
        if self.people.ties.linked(line.home):
            await self._know(batch, room.community, self.people.ties.root(line.home), line.name)

    async def _know(self, batch: Batch, community: str, seat: Seat, name: str) -> None:
        """Store the name of a root in a community: its own, or else that of the linked seat that was seen."""
        if not await self._member_store.names(community, [seat]):
            own = self._names.get(seat) or await self._member_store.last_name(seat)
            batch.unit.additions.note(community, seat, own or name, self._watch.date())
            self.meet(seat, own or name)
        await self.learn(community, [seat])


def _mentioned(names: Mapping[Account, str], text: str) -> Account | None:
    return next((account for account in names if str(account) == text), None)


@lru_cache(maxsize=REMEMBERED)
def _without_marks(name: str) -> str:
    """Remove the marks of all languages; the name of a member comes with each line."""
    for mark in house_marks():
        name = honest(name, mark)
    return name
