"""The staff: everybody of the house's own who answers commands, wired once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.live.earning.earnings import EARNINGS
from chatbot.live.earning.lists import EXCLUDED, REGULARS
from chatbot.live.earning.naming import Naming
from chatbot.live.earning.payroll import Payroll
from chatbot.live.guide import Guide
from chatbot.live.habits import HABITS
from chatbot.live.keeping.aliases import Aliases
from chatbot.live.keeping.clerk import Clerk
from chatbot.live.keeping.groups import Groups, OfGame
from chatbot.live.keeping.guard import Guard
from chatbot.live.keeping.licence import offered
from chatbot.live.keeping.office import Office
from chatbot.live.keeping.openings import Openings
from chatbot.live.keeping.porter import Porter, standing
from chatbot.live.linking.bridging import Bridges
from chatbot.live.linking.registry import Registry
from chatbot.live.odds import Bookmaker
from chatbot.live.purses.counters import Counters
from chatbot.live.purses.desk import Desk
from chatbot.live.purses.heirs import Heirs
from chatbot.live.purses.terms import TERMS
from chatbot.live.seasons.closing import WORD, SeasonCloser
from chatbot.live.seasons.deadlines import Deadlines
from chatbot.live.wording.manual import Manual
from chatbot.live.wording.prompts import Prompts
from chatbot.wallets.changes import SEASON, Changes
from chatbot.wallets.known_rooms import KnownRoom, KnownRooms
from chatbot.wallets.links import Links
from chatbot.wallets.placeholders import Placeholders
from chatbot.wallets.preferences import Preferences
from chatbot.wallets.takings import Takings
from chatbot.wallets.unions import Unions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.kernel.game import Role
    from chatbot.kernel.kit import Kit
    from chatbot.live.guests import Guests
    from chatbot.live.notary import Notary
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Line, Occasion, Room
    from chatbot.live.rooms import Rooms
    from chatbot.live.seasons.calendar import Calendar
    from chatbot.live.study import Study
    from chatbot.live.watch import Watch
    from chatbot.wallets.ledger import Ledger
    from chatbot.wallets.store import Store


class Staff:
    def __init__(
        self,
        kits: Mapping[str, Kit],
        store: Store,
        ledger: Ledger,
        guests: Guests,
        calendar: Calendar,
        notary: Notary,
        rooms: Rooms,
        outbox: Outbox,
        watch: Watch,
        study: Study,
    ) -> None:
        self._known, self._watch = KnownRooms(store), watch
        own = HABITS, TERMS, EARNINGS, REGULARS, EXCLUDED
        self.groups = groups = Groups([*own, *(OfGame(kit) for kit in kits.values())])
        held_by = guests.identities.community
        self.clerk = Clerk(groups, Changes(store), Preferences(store), rooms, watch, held_by)
        self.desk = Desk(kits, ledger, guests, calendar, watch)
        self.office = office = Office(kits, self.clerk, ledger, guests, outbox, watch, lambda: self.porter)
        groups.add(office.texts.group)
        self.heirs = Heirs(Placeholders(store), guests.identities, watch)
        self.payroll = Payroll(store, ledger, guests, rooms, outbox, watch, self._holder)
        closer = SeasonCloser(kits, calendar, office.confirmations, self._least_to_end)
        office.undoing.reversals[SEASON] = closer.take_back
        self.deadlines = Deadlines(kits, calendar, outbox, watch)
        self.clerk.watchers.append(Guard(groups, outbox, watch).heed)
        self.bridges = Bridges(Unions(store), guests.identities, rooms, outbox, watch, self.clerk)
        manual = Manual(lambda: self.guide, groups, outbox.words.ids, self._least, self._stands_for)
        answering = (
            Registry(Links(store, guests.identities), guests, watch),
            self.bridges,
            self.desk,
            Counters(kits, store, ledger, self.clerk, guests, outbox, watch),
            notary,
            office,
            closer,
            self.payroll,
            Naming(self.clerk, guests),
            Bookmaker(kits, calendar, Takings(store), watch, study),
            manual,
        )
        self.guide = Guide(kits, [service for each in answering for service in each.services], groups)
        self.openings, self.aliases = Openings(kits), Aliases(self.guide)
        for group in (self.openings.group, self.aliases.group):
            groups.add(group)
        self.porter = Porter(self.guide, groups, watch)
        self.prompts = Prompts(store, ledger, outbox, watch, self._offered)

    def _least_to_end(self, room: Room) -> Role:
        return self.porter.permits.least(room, WORD)

    def _least(self, room: Room, word: str) -> Role:
        return self.porter.permits.least(room, word)

    def _stands_for(self, room: Room, word: str) -> str | None:
        return self.aliases.group.of(room).get(word)

    def _offered(self, room: Room, line: Line) -> Iterator[str]:
        """List the words that somebody may use now, and those that stand for them."""
        role = standing(room, line)
        yield from self.aliases.group.of(room)
        for kit in self.guide.kits.values():
            if offered(room, kit):
                yield from (word for each in kit.commands for word in (each.word, *each.aliases))
        for each in self.guide.services:
            if role.covers(self._least(room, each.word)):
                yield from (each.word, *each.aliases)

    async def open(self, room: Room) -> None:
        """Take over what was chosen in a room, and note that there is such a one."""
        await self._known.note(KnownRoom(room.id, room.community), self._watch.date())
        await self.clerk.load(room)

    def _holder(self, community: str) -> str:
        return self.bridges.holder(community)

    async def heard(self, room: Room, line: Line) -> None:
        """Take note of whatever somebody says, command or not."""
        await self.clerk.look_again(room)
        await self.heirs.heard(room, line)
        await self.payroll.heard(room, line)

    async def noticed(self, room: Room, occasion: Occasion) -> None:
        """Take note of what happens besides talk."""
        await self.payroll.noticed(room, occasion)

    async def close(self) -> None:
        """Write down what is only in memory."""
        await self.payroll.close()
