"""A simulated crowd: marked viewers who type what the house's own strategies would play."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.kit import of_house
from chatbot.ledger.people import Account
from chatbot.settings.availability import reason_closed
from chatbot.settings.room import rules_of
from chatbot.web.showing import owned
from cogs.local.door import CHANNEL, CROWD, Viewer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.fair import Rng
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.people import People
    from chatbot.rooms.clock import Callback
    from chatbot.rooms.room import Room
    from chatbot.tables.table import Table
    from cogs.local.door import LocalChat

_FIRST = (
    "Amber", "Brisk", "Clever", "Dusty", "Eager", "Foxy", "Gentle", "Hasty", "Icy", "Jolly",
    "Keen", "Lucky", "Merry", "Nimble", "Odd", "Plucky", "Quiet", "Rusty", "Sly", "Tipsy",
)  # fmt: skip
_LAST = (
    "Badger", "Cobra", "Dingo", "Egret", "Falcon", "Gecko", "Heron", "Ibis", "Jackal", "Koala",
    "Lynx", "Magpie", "Newt", "Otter", "Panda", "Quokka", "Raven", "Stoat", "Tapir", "Weasel",
)  # fmt: skip

MOST = 200  # simulated viewers
SUGGESTED = 50  # names for people
HURRY = 0.6  # of a phase: by then they have all made up their minds
LONGEST_THOUGHT = 10.0  # seconds
LEAST_ALONE = 0.4  # of the longest thought, so that the chat is not full of single cards
BORED = 45.0  # seconds between looks whether anything is being played
KEEN = 0.85  # of them play at all when asked
APART = 2  # of them at most play at tables of their own at once
EAGER = 0.5  # of the looks at which one more might, one does


def invented(count: int, rng: Rng) -> list[str]:
    """Invent up to 400 different names."""
    return rng.sample([first + last for first in _FIRST for last in _LAST], count)


class Crowd:
    """They walk the road of everybody else: a line of chat, nothing more."""

    def __init__(self, chat: LocalChat, rng: Rng) -> None:
        self.viewers: tuple[Viewer, ...] = ()
        self._chat, self._rng = chat, rng
        self._waiting = False  # for the next look
        self._sizing = asyncio.Lock()  # two pages may want different crowds at once
        self._asked: set[tuple[str, str, Seat]] = set()  # table, phase, who: each decides once
        self._names = invented(MOST + SUGGESTED, rng)
        chat.house.events.attend(CHANNEL, lambda _: self._look())

    async def resize(self, count: int) -> None:
        """Bring or send away viewers until there are so many; the same ones come back first."""
        async with self._sizing:
            await self._resize(count)
        self._look()
        if count and not self._waiting:
            self._wait()

    async def _resize(self, count: int) -> None:
        arriving = self._names[len(self.viewers) : count]
        self.viewers = self.viewers[:count]
        for name in arriving:
            viewer = await self._chat.viewer(Account(CROWD, name.lower()), name, Role.VIEWER)
            await self._chat.enter(viewer)
            self.viewers += (viewer,)

    def suggestions(self) -> list[str]:
        """Invent names for people, other than the crowd's."""
        return self._names[MOST:]

    # Opening games

    def _wait(self) -> None:
        self._waiting = True
        self._chat.house.watch.ring(BORED, self._start)

    async def _start(self) -> None:
        """Open a game if for a while nobody has: so nobody waits alone for the next payday."""
        self._waiting = False
        if not self.viewers:
            return
        shared, apart = self._idle()
        if shared:
            await self._open(self._rng.choice(shared), self.viewers)
        if apart and self._rng.chance(EAGER):
            await self._open(self._rng.choice(apart), self._free())
        self._wait()

    async def _open(self, kit: AnyKit, viewers: Sequence[Viewer]) -> None:
        if viewers:
            await self._chat.say(self._rng.choice(viewers), f"!{kit.word}", private=False)

    def _idle(self) -> tuple[list[AnyKit], list[AnyKit]]:
        """List what could be opened now: games that all share, and games of one's own.

        All share one game at a time. Of the others there are only some at once, and none begins while people
        play together.
        """
        house, room = self._chat.house, self._chat.room
        free = [kit for kit in house.kits.values() if reason_closed(room, kit) is None]
        rested = [kit for kit in free if not house.pauses.left(room, kit.name)]
        busy = any(table.kit.apart is None for table in self._running())
        shared = [] if busy else [kit for kit in rested if kit.apart is None]
        if any(_for_people(house.people, table) for table in self._running()) or len(self._apart()) >= APART:
            return shared, []
        return shared, [kit for kit in rested if kit.apart is not None and _open_to_more(room, kit)]

    def _running(self) -> list[Table]:
        return [table for table in self._chat.room.tables.values() if not table.over]

    def _apart(self) -> list[Viewer]:
        """List who plays at a table of their own."""
        tables = [table for table in self._running() if table.kit.apart is not None]
        return [each for each in self.viewers if any(owned(table, [each.seat]) for table in tables)]

    def _free(self) -> list[Viewer]:
        busy = self._apart()
        return [each for each in self.viewers if each not in busy]

    # Playing

    def _look(self) -> None:
        """See whether a table waits for answers, and let each viewer think about it."""
        room = self._chat.room
        running = {table.id for table in room.tables.values() if not table.over}
        self._asked = {key for key in self._asked if key[0] in running}
        for table in room.tables.values():
            if table.clock is not None:
                seconds = LONGEST_THOUGHT if table.clock.hidden else table.clock.seconds
                self._ask(table, table.clock.phase, seconds)

    def _ask(self, table: Table, phase: str, seconds: float) -> None:
        for viewer in self.viewers:
            key = (table.id, phase, viewer.seat)
            if key not in self._asked and owned(table, [viewer.seat]):
                self._asked.add(key)
                thought = self._thought(seconds, alone=table.kit.apart is not None)
                self._chat.house.watch.ring(thought, self._answer(table, phase, viewer))

    def _thought(self, seconds: float, *, alone: bool) -> float:
        """Draw how long somebody thinks; who plays alone takes some time over every card."""
        longest = min(seconds * HURRY, LONGEST_THOUGHT)
        shortest = longest * LEAST_ALONE if alone else 0.0
        return shortest + (longest - shortest) * self._rng.below(1000) / 1000

    def _answer(self, table: Table, phase: str, viewer: Viewer) -> Callback:
        async def play() -> None:
            gone = viewer not in self.viewers
            asked = not gone and table.clock is not None and table.clock.phase == phase
            # Who plays alone has come to play; of those who look on, some always do no more than that.
            if asked and (table.kit.apart is not None or self._rng.chance(KEEN)):
                await self._play(table, viewer)

        return play

    async def _play(self, table: Table, viewer: Viewer) -> None:
        purse = await self._chat.house.balances.purse(self._chat.room, viewer.seat)
        menu = table.menu(viewer.seat, purse)
        strategy = next(iter(table.kit.strategies.values()))
        action = strategy(table.view(viewer.seat, purse), menu, self._rng) if menu else None
        if action is not None:
            line = table.kit.line(action)
            secret = self._chat.house.secret(self._chat.room, viewer.seat, line)
            await self._chat.say(viewer, line, private=secret)


def _for_people(known: People, table: Table) -> bool:
    """Whether a person plays at a table that all share."""
    places = table.kit.board(table.view(None)).places
    people = (each for each in places if known.known_as(each.seat, CROWD) is None and not of_house(each.seat))
    return table.kit.apart is None and any(people)


def _open_to_more(room: Room, kit: AnyKit) -> bool:
    """Whether any viewer may open a game that is played apart, and a place is left for people then."""
    game = rules_of(room, kit)
    room_left = kit.apart is not None and len(room.playing(kit.name)) + 1 < kit.apart.most(game)
    return room_left and Role.VIEWER.covers(game.starters)
