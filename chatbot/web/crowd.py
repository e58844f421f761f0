"""Simulate a crowd: viewers, marked as such, who type the actions that strategies of the games choose."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.house_seats import of_house
from chatbot.ledger.people import Account
from chatbot.rooms.availability import reason_closed
from chatbot.runtime.periodic import Periodic
from chatbot.web.showing import owned
from cogs.local.adapter import CHANNEL, CROWD, Viewer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.fair import Rng
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.people import People
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Callback
    from cogs.local.adapter import LocalChat

_FIRST = (
    "Amber", "Brisk", "Clever", "Dusty", "Eager", "Foxy", "Gentle", "Hasty", "Icy", "Jolly",
    "Keen", "Lucky", "Merry", "Nimble", "Odd", "Plucky", "Quiet", "Rusty", "Sly", "Tipsy",
)  # fmt: skip
_LAST = (
    "Badger", "Cobra", "Dingo", "Egret", "Falcon", "Gecko", "Heron", "Ibis", "Jackal", "Koala",
    "Lynx", "Magpie", "Newt", "Otter", "Panda", "Quokka", "Raven", "Stoat", "Tapir", "Weasel",
)  # fmt: skip

MAX_CROWD = 200  # simulated viewers
SUGGESTIONS = 50  # names that people are offered
LATEST_ANSWER = 0.6  # share of a phase after which all have answered, which leaves the rest of it to people
MAX_DELAY = 10.0  # seconds until a viewer answers
TOGETHER = 2.0  # the same where several are asked at once, so that no person waits for them
MIN_SOLO_DELAY = 0.4  # share of the longest delay, so that single cards do not fill the chat
OPENING_INTERVAL = 45.0  # seconds between checks whether anything is being played
PARTICIPATION = 0.85  # probability that a viewer joins a shared table
MAX_SOLO_TABLES = 2  # tables of single viewers at once: the lines of more would bury those of people
SOLO_OPENING = 0.5  # probability that a check at which one more may be opened opens it


def invented_names(count: int, rng: Rng) -> list[str]:
    """Draw up to 400 different names."""
    return rng.sample([first + last for first in _FIRST for last in _LAST], count)


class Crowd:
    """Simulated viewers; like everybody else they act only by lines of chat."""

    def __init__(self, chat: LocalChat, rng: Rng) -> None:
        self.viewers: tuple[Viewer, ...] = ()
        self._chat, self._rng = chat, rng
        self._openings = Periodic(chat.bot.watch, OPENING_INTERVAL, self._open_games)  # while there are any
        self._resizing = asyncio.Lock()  # two pages may request different sizes at once
        self._scheduled: set[tuple[str, str, Seat]] = set()  # table id, phase, seat: each viewer answers once
        self._names = invented_names(MAX_CROWD + SUGGESTIONS, rng)
        chat.bot.events.attend(CHANNEL, lambda _: self._schedule_answers())

    async def resize(self, count: int) -> None:
        """Add or remove viewers until there are `count` (at most `MAX_CROWD`), always the same first."""
        async with self._resizing:
            await self._resize(count)
        self._schedule_answers()
        if count:
            self._openings.start()

    async def _resize(self, count: int) -> None:
        arriving = self._names[len(self.viewers) : count]
        leaving, self.viewers = self.viewers[count:], self.viewers[:count]
        await self._chat.dismiss(leaving)
        for name in arriving:
            viewer = await self._chat.viewer(Account(CROWD, name.lower()), name, Role.VIEWER)
            await self._chat.enter(viewer)
            self.viewers += (viewer,)

    def suggestions(self) -> list[str]:
        """Return names for people, none of which the crowd uses."""
        return self._names[MAX_CROWD:]

    async def _open_games(self) -> None:
        """Open a game if none is being played, so that people always find one to join."""
        if not self.viewers:
            self._openings.stop()
            return
        shared_kits, solo_kits = self._idle()
        if shared_kits:
            await self._open(self._rng.choice(shared_kits), self.viewers)
        if solo_kits and self._rng.chance(SOLO_OPENING):
            await self._open(self._rng.choice(solo_kits), self._idle_viewers())

    async def _open(self, kit: AnyKit, viewers: Sequence[Viewer]) -> None:
        if viewers:
            await self._chat.say(self._rng.choice(viewers), f"!{kit.word}", private=False)

    def _idle(self) -> tuple[list[AnyKit], list[AnyKit]]:
        """List the games that could be opened now: those that all viewers share, and those played apart.

        Only one shared game is played at a time. Of the others there are at most `MAX_SOLO_TABLES` at once,
        and none is opened while people play at a shared table.
        """
        bot, room = self._chat.bot, self._chat.room
        free = [kit for kit in bot.kits.values() if reason_closed(room, kit) is None]
        free_kits = [kit for kit in free if not bot.parts.pauses.left(room, kit.name)]
        busy = any(table.kit.seating.shared for table in self._open_tables())
        shared_kits = [] if busy else [kit for kit in free_kits if kit.seating.shared]
        has_people = any(_has_people(bot.people, table) for table in self._open_tables())
        if has_people or len(self._solo_viewers()) >= MAX_SOLO_TABLES:
            return shared_kits, []
        return shared_kits, [kit for kit in free_kits if not kit.seating.shared and _may_open(room, kit)]

    def _open_tables(self) -> list[Table]:
        return [table for table in self._chat.room.tables.values() if not table.over]

    def _solo_viewers(self) -> list[Viewer]:
        """List the viewers who play at a table of their own."""
        tables = [table for table in self._open_tables() if not table.kit.seating.shared]
        return [each for each in self.viewers if any(owned(table, [each.seat]) for table in tables)]

    def _idle_viewers(self) -> list[Viewer]:
        busy = self._solo_viewers()
        return [each for each in self.viewers if each not in busy]

    def _schedule_answers(self) -> None:
        """Schedule an answer of each viewer to every table that waits for answers."""
        room = self._chat.room
        open_ids = {table.id for table in room.tables.values() if not table.over}
        self._scheduled = {key for key in self._scheduled if key[0] in open_ids}
        for table in room.tables.values():
            if table.clock is not None:
                # A delay in proportion to a hidden clock would reveal it.
                seconds = MAX_DELAY if table.clock.hidden else table.clock.seconds
                longest = min(seconds * LATEST_ANSWER, TOGETHER if _asks_several(table) else MAX_DELAY)
                self._schedule(table, table.clock.phase, longest)

    def _schedule(self, table: Table, phase: str, longest: float) -> None:
        for viewer in self.viewers:
            key = (table.id, phase, viewer.seat)
            if key not in self._scheduled and owned(table, [viewer.seat]):
                self._scheduled.add(key)
                delay = self._delay(longest, solo=not table.kit.seating.shared)
                self._chat.bot.watch.ring(delay, self._answer(table, phase, viewer))

    def _delay(self, longest: float, *, solo: bool) -> float:
        """Draw the seconds until a viewer answers, from a uniform distribution up to the longest."""
        shortest = longest * MIN_SOLO_DELAY if solo else 0.0
        return shortest + (longest - shortest) * self._rng.below(1000) / 1000

    def _answer(self, table: Table, phase: str, viewer: Viewer) -> Callback:
        async def play() -> None:
            has_left = viewer not in self.viewers
            may_answer = not has_left and table.clock is not None and table.clock.phase == phase
            # Whoever plays at a table always answers; of those who could join a shared one some only watch.
            plays = not table.kit.seating.shared or viewer.seat in table.players()
            if may_answer and (plays or self._rng.chance(PARTICIPATION)):
                await self._play(table, viewer)

        return play

    async def _play(self, table: Table, viewer: Viewer) -> None:
        purse = await self._chat.bot.balances.purse(self._chat.room, viewer.seat)
        menu = table.menu(viewer.seat, purse)
        strategy = next(iter(table.kit.programs.strategies.values()))
        action = strategy(table.view(viewer.seat, purse), menu, self._rng) if menu else None
        if action is not None:
            line = table.kit.chat.line(action)
            secret = self._chat.bot.secret(self._chat.room, viewer.seat, line)
            await self._chat.say(viewer, line, private=secret)


def _asks_several(table: Table) -> bool:
    """Whether several people of a shared table are to act in its present phase, each in secret."""
    awaited = table.kit.seating.awaited(table.state) if table.kit.seating.shared else None
    return awaited is not None and len(awaited) > 1


def _has_people(accounts: People, table: Table) -> bool:
    """Whether anybody but simulated viewers and house players plays at a shared table."""
    places = table.kit.display.board(table.view(None)).places
    people = (
        each for each in places if accounts.known_as(each.seat, CROWD) is None and not of_house(each.seat)
    )
    return table.kit.seating.shared and any(people)


def _may_open(room: Room, kit: AnyKit) -> bool:
    """Whether viewers may open a game that is played apart, and another table is left for people then."""
    game = room.rules(kit)
    room_left = not kit.seating.shared and len(room.playing(kit.name)) + 1 < kit.seating.most_tables(game)
    return room_left and Role.VIEWER.covers(game.starters)
