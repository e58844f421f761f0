"""A simulated crowd: marked viewers who type what the house's own strategies would play."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chatbot.kernel.game import Role, Seat
from chatbot.web.local import CROWD, Viewer
from chatbot.web.names import invented

if TYPE_CHECKING:
    from chatbot.kernel.fair import Rng
    from chatbot.live.room import Room
    from chatbot.live.table import Table
    from chatbot.live.watch import Callback
    from chatbot.web.local import LocalChat

MOST = 200  # simulated viewers
SUGGESTED = 50  # names for people
HURRY = 0.6  # of a phase: by then they have all made up their minds
LONGEST_THOUGHT = 10.0  # seconds
BORED = 45.0  # seconds between looks whether anything is being played
KEEN = 0.85  # of them play at all when asked


class Crowd:
    """They walk the road of everybody else: a line of chat, nothing more."""

    def __init__(self, chat: LocalChat, rng: Rng) -> None:
        self.viewers: tuple[Viewer, ...] = ()
        self._chat, self._rng = chat, rng
        self._waiting = False  # for the next look
        self._sizing = asyncio.Lock()  # two pages may want different crowds at once
        self._asked: set[tuple[str, str, Seat]] = set()  # table, phase, who: each decides once
        self._names = invented(MOST + SUGGESTED, rng)
        chat.house.listeners.append(self._look)

    async def resize(self, count: int) -> None:
        """Bring or send away viewers until there are so many; the same ones come back first."""
        async with self._sizing:
            await self._resize(count)
        self._look(self._chat.room)
        if count and not self._waiting:
            self._wait()

    async def _resize(self, count: int) -> None:
        arriving = self._names[len(self.viewers) : count]
        self.viewers = self.viewers[:count]
        for name in arriving:
            viewer = Viewer(Seat(f"{CROWD}:{name.lower()}"), name, Role.VIEWER)
            await self._chat.enter(viewer)
            self.viewers += (viewer,)

    def suggestions(self) -> list[str]:
        """Invent names for people, other than the crowd's."""
        return self._names[MOST:]

    def _wait(self) -> None:
        self._waiting = True
        self._chat.house.watch.ring(BORED, self._start)

    async def _start(self) -> None:
        """Open a game if for a while nobody has: so nobody waits alone for the next payday."""
        self._waiting = False
        if not self.viewers:
            return
        house, room = self._chat.house, self._chat.room
        busy = {name for name, table in room.tables.items() if not table.over}
        idle = [
            kit for name, kit in house.kits.items() if name not in busy and not house.rests.left(room, name)
        ]
        if idle:
            bored, kit = self._rng.choice(self.viewers), self._rng.choice(idle)
            await self._chat.say(bored, f"!{kit.word}", private=False)
        self._wait()

    def _look(self, room: Room) -> None:
        """See whether a table waits for answers, and let each viewer think about it."""
        running = {table.id for table in room.tables.values() if not table.over}
        self._asked = {key for key in self._asked if key[0] in running}
        for table in room.tables.values():
            if table.clock is not None:
                self._ask(table, table.clock.phase, table.clock.seconds)

    def _ask(self, table: Table, phase: str, seconds: float) -> None:
        for viewer in self.viewers:
            key = (table.id, phase, viewer.seat)
            if key not in self._asked:
                self._asked.add(key)
                thought = min(seconds * HURRY, LONGEST_THOUGHT) * self._rng.below(1000) / 1000
                self._chat.house.watch.ring(thought, self._answer(table, phase, viewer))

    def _answer(self, table: Table, phase: str, viewer: Viewer) -> Callback:
        async def play() -> None:
            gone = viewer not in self.viewers
            if not gone and table.clock is not None and table.clock.phase == phase and self._rng.chance(KEEN):
                await self._play(table, viewer)

        return play

    async def _play(self, table: Table, viewer: Viewer) -> None:
        purse = await self._chat.house.desk.purse(self._chat.room, viewer.seat)
        menu = table.menu(viewer.seat, purse)
        strategy = next(iter(table.kit.strategies.values()))
        action = strategy(table.view(viewer.seat, purse), menu, self._rng) if menu else None
        if action is not None:
            line = table.kit.line(action)
            secret = self._chat.house.guide.secret(line)
            await self._chat.say(viewer, line, private=secret)
