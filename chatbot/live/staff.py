"""The staff: everybody of the house's own who answers commands, wired once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from chatbot.kernel.game import Role
from chatbot.kernel.kit import Kit
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.changes import SEASON, Changes
from chatbot.ledger.imports import Placeholders
from chatbot.ledger.limits import Takings
from chatbot.ledger.links import Links
from chatbot.ledger.rooms import KnownRoom, KnownRooms, Preferences
from chatbot.ledger.store.store import Store
from chatbot.ledger.unions import Unions
from chatbot.live.asked import first_word, other_words
from chatbot.live.earning.earnings import EARNINGS
from chatbot.live.earning.lists import EXCLUDED, REGULARS, standing
from chatbot.live.earning.naming import Naming
from chatbot.live.earning.payroll import Payroll
from chatbot.live.fairness import Fairness
from chatbot.live.guests import Guests
from chatbot.live.guide import Guide
from chatbot.live.habits import HABITS
from chatbot.live.keeping.access import Access
from chatbot.live.keeping.aliases import Aliases
from chatbot.live.keeping.clerk import Clerk
from chatbot.live.keeping.guard import Guard
from chatbot.live.keeping.office import Office
from chatbot.live.keeping.openings import offered, openings
from chatbot.live.linking.bridging import Bridges
from chatbot.live.linking.registry import Registry
from chatbot.live.odds import Bookmaker
from chatbot.live.outbox import Outbox
from chatbot.live.purses.counters import Counters
from chatbot.live.purses.desk import Desk
from chatbot.live.purses.heirs import Heirs
from chatbot.live.purses.terms import TERMS
from chatbot.live.rooms import Rooms
from chatbot.live.seasons.calendar import Calendar
from chatbot.live.seasons.closing import WORD, SeasonCloser
from chatbot.live.seasons.deadlines import Deadlines
from chatbot.live.study import Study
from chatbot.live.watch import Watch
from chatbot.live.wording.manual import Manual
from chatbot.live.wording.prompts import Prompts
from chatbot.settings.groups import Groups, of_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.live.asked import Found, Service
    from chatbot.live.room import Line, Room


class Answering(Protocol):
    """Somebody who answers commands."""

    @property
    def services(self) -> Sequence[Service]: ...


@dataclass(frozen=True, slots=True)
class Shared:
    """What the whole staff works with."""

    kits: Mapping[str, Kit]
    store: Store
    ledger: Ledger
    guests: Guests
    calendar: Calendar
    fairness: Fairness
    rooms: Rooms
    outbox: Outbox
    watch: Watch
    study: Study


class Staff:
    def __init__(self, shared: Shared) -> None:
        """Each needs who comes before; what is settled only behind them is asked for when somebody speaks."""
        kits, store, ledger, guests = shared.kits, shared.store, shared.ledger, shared.guests
        rooms, outbox, watch = shared.rooms, shared.outbox, shared.watch
        self._known, self._watch = KnownRooms(store), watch
        self.groups = _groups(kits)
        self.clerk = self._clerk(shared)
        self.access = Access(lambda: self.guide, self.clerk, watch)
        self.office = self._office(shared)
        self.bridges = Bridges(Unions(store), guests.people, rooms, outbox, watch, self.clerk)
        self.desk = Desk(kits, ledger, guests, shared.calendar, watch)
        self.heirs = Heirs(Placeholders(store, guests.people), watch)
        self.payroll = Payroll(store, ledger, guests, rooms, outbox, watch, self._holder)
        self.deadlines = Deadlines(kits, shared.calendar, outbox, watch)
        services = [service for each in self._answering(shared) for service in each.services]
        self.guide = Guide(kits, services, self.groups)
        self.aliases = Aliases(self.guide)
        self.groups.add(openings(kits), self.aliases.group, self.access.permissions, self.access.cooldowns)
        self.prompts = Prompts(store, ledger, outbox, watch, self._offered)

    def _clerk(self, shared: Shared) -> Clerk:
        store, held_by = shared.store, shared.guests.people.community
        clerk = Clerk(self.groups, Changes(store), Preferences(store), shared.rooms, shared.watch, held_by)
        clerk.watchers.append(Guard(self.groups, shared.outbox, shared.watch).heed)
        return clerk

    def _office(self, shared: Shared) -> Office:
        working = self.clerk, shared.ledger, shared.guests, shared.outbox, shared.watch
        office = Office(shared.kits, *working, self.access)
        self.groups.add(office.texts.group)
        return office

    def _answering(self, shared: Shared) -> Iterator[Answering]:
        """Go through all who answer commands, in the order in which they are listed."""
        kits, store, guests, watch = shared.kits, shared.store, shared.guests, shared.watch
        yield Registry(Links(store, guests.people), guests, shared.rooms, watch)
        yield self.bridges
        yield self.desk
        yield Counters(kits, store, shared.ledger, self.clerk, guests, shared.outbox, watch)
        yield shared.fairness
        yield self.office
        yield self._season_closer(shared)
        yield self.payroll
        yield Naming(self.clerk, guests)
        yield Bookmaker(kits, shared.calendar, Takings(store), watch, shared.study)
        words = shared.outbox.words.ids
        yield Manual(lambda: self.guide, self.groups, words, self._least, self._stands_for)

    def _season_closer(self, shared: Shared) -> SeasonCloser:
        confirmations = self.office.confirmations
        closer = SeasonCloser(shared.kits, shared.calendar, confirmations, self._least_to_end)
        self.office.undoing.reversals[SEASON] = closer.take_back
        return closer

    def _least_to_end(self, room: Room) -> Role:
        return self.access.least(room, WORD)

    def _least(self, room: Room, word: str) -> Role:
        return self.access.least(room, word)

    def _stands_for(self, room: Room, word: str) -> str | None:
        return self.aliases.group.of(room).get(word)

    def _offered(self, room: Room, line: Line) -> dict[str, str]:
        """List the words that somebody may use now, the commonest first, each with the one it is known by."""
        usable = list(self.usable(room, standing(room, line)))
        first = {first_word(each): first_word(each) for each in usable}
        own = {word: word for word in self.aliases.group.of(room)}
        others = {word: first_word(each) for each in usable for word in other_words(each)}
        return first | own | {word: known for word, known in others.items() if word not in first}

    def usable(self, room: Room, role: Role) -> Iterator[Found]:
        """List the commands for a role: those of games, then those that most members have."""
        played = [kit for kit in self.guide.kits.values() if offered(room, kit) or room.playing(kit.name)]
        services = sorted(self.guide.services, key=lambda each: list(Role).index(each.least))
        there: list[Found] = [*((kit, each) for kit in played for each in kit.commands), *services]
        return (each for each in there if role.covers(self._least(room, first_word(each))))

    async def open(self, room: Room) -> None:
        """Take over what was chosen in a room, and note that there is such a one."""
        await self._known.note(KnownRoom(room.id, room.community), self._watch.date())
        await self.clerk.load(room)

    def _holder(self, community: str) -> str:
        return self.bridges.holder(community)

    def must_write(self, room: Room, line: Line) -> bool:
        """Whether what somebody says may have to be written or read about before it is answered."""
        return self.clerk.doubts(room) or self.heirs.may_wait(line)

    async def heard(self, room: Room, line: Line) -> None:
        """Take note of whatever somebody says, command or not."""
        await self.clerk.look_again(room)
        await self.heirs.heard(line)
        await self.payroll.heard(room, line)

    async def close(self) -> None:
        """Write down what is only in memory."""
        await self.payroll.close()


def _groups(kits: Mapping[str, Kit]) -> Groups:
    own = HABITS, TERMS, EARNINGS, REGULARS, EXCLUDED
    return Groups([*own, *(of_game(kit) for kit in kits.values())])
