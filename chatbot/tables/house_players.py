"""Players of the house: they join tables that people have opened, and answer there like anybody.

All that chance decides here comes from the table's own secret, apart from the draws of its turns.

They walk the road of a line without its words: what they do is judged by the rules and written into the
journal, so a restart, a replay and a check of a table need to know nothing of them. What they decide comes
from the table's own secret, so nobody can foresee it.

Each has a wallet, but no fortune: it comes to a table with what a newcomer has (or the least that it takes),
lent by the house, and what it has over from the table before goes back. So none of them outgrows the
people, and none has to stay away.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.codec import canonical
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import HOUSE, Roster, called_there, of_house
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Moved, Posting, instalments
from chatbot.rooms.room import Room
from chatbot.settings.community import TERMS
from chatbot.tables.draft import Cause
from chatbot.tables.table import PATIENCE, BrokenGame, Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.clock import Watch

# Shares of what a phase has left
COMING = (0.25, 0.75)  # between these they join, one after the other
FILLING = 0.85  # by then it is plain that too few people come
ANSWERING = (0.2, 0.7)
UNKNOWN = 20.0  # seconds that a phase is taken to have left where nobody may know

_PURPOSE = "rabble-house-player-v1"
_NUMBER = re.compile(r"-[0-9]+$")
_FINE = 1 << 20  # steps that a moment is drawn from


@dataclass(eq=False)
class Sitting:
    room: Room
    table: Table
    phase: str
    roster: Roster
    declined: set[str] = field(default_factory=set)  # strategies that stay out this time

    @property
    def on(self) -> bool:
        """Whether the phase still lasts; the clock of a table that was stopped does not run."""
        clock = self.table.clock
        return clock is not None and clock.phase == self.phase

    @property
    def players(self) -> list[Seat]:
        """List who plays, as everybody can see."""
        return [each.seat for each in self.table.kit.board(self.table.view(None)).places]

    @property
    def joined(self) -> list[Seat]:
        return [seat for seat in self.players if of_house(seat)]

    @property
    def missing(self) -> int:
        """Count those who should come now; without people there is nobody to play with."""
        joined = len(self.joined)
        people = len(self.players) - joined
        wanted = max(self.roster.players, self.roster.fills - people) if people else 0
        return wanted - joined

    @property
    def most(self) -> int:
        """How many could ever be wanted at this table."""
        return max(self.roster.players, self.roster.fills)

    @property
    def allowance(self) -> int:
        """What each of them comes to the table with."""
        return max(TERMS.of(self.room).start, self.roster.least, self.table.kit.entry(self.table.state))

    @property
    def left(self) -> float:
        """How many seconds the phase has left; of a hidden one their moves must tell nothing."""
        if self.table.clock is not None and self.table.clock.hidden:
            return UNKNOWN
        deadline = self.table.deadline
        return 0.0 if deadline is None else max(deadline - self.table.watch.now(), 0.0)

    def candidates(self) -> Iterator[Seat]:
        """List who may come, in an order that the table draws; a name that is needed twice is numbered."""
        seen: Counter[str] = Counter()
        for name in _luck(self.table).shuffled(self.roster.strategies) * self.most:
            seen[name] += 1
            seat = Seat(f"{HOUSE}:{name}" if seen[name] == 1 else f"{HOUSE}:{name}-{seen[name]}")
            if name not in self.declined and seat not in self.joined:
                yield seat

    def arrivals(self) -> list[float]:
        """Draw when they come, in seconds from now; those who only fill up come late."""
        joined, rng = len(self.joined), self.luck("arrivals")
        early, (first, last) = max(self.roster.players - joined, 0), COMING
        shares = [first + (last - first) * (each + _share(rng)) / early for each in range(early)]
        shares += [FILLING] * (self.most - joined - early)
        return [self.left * share for share in shares]

    def thought(self, seat: Seat) -> float:
        """Draw in how many seconds a player who sits here answers."""
        first, last = ANSWERING
        return self.left * (first + (last - first) * _share(self.luck("thought", seat)))

    def luck(self, *about: str) -> Rng:
        """Make the stream of one decision in this phase."""
        return _luck(self.table, self.phase, *about)


def strategy_of(seat: Seat) -> str:
    """Tell how a seat of the house plays: `house:kelly-2` as `kelly` does."""
    return _NUMBER.sub("", called_there(seat))


def _luck(table: Table, *about: str) -> Rng:
    return Rng(hmac.digest(table.seed, canonical([_PURPOSE, *about]).encode(), "sha256"))


def _share(rng: Rng) -> float:
    return rng.below(_FINE) / _FINE


log = structlog.get_logger(__name__)


class HousePlayers:
    """Looks at a room whenever one of its tables has changed."""

    def __init__(self, ledger: Ledger, watch: Watch) -> None:
        self._ledger, self._watch = ledger, watch
        self._seen: dict[str, set[tuple[str, str]]] = {}  # phases by room: each is taken up once

    def look(self, room: Room) -> None:
        """Take up the phases that are new, also those in which a restart found its tables."""
        tables = room.tables.values()
        phases = {(each.id, each.clock.phase): each for each in tables if each.clock is not None}
        fresh = phases.keys() - self._seen.get(room.id, set())
        self._seen[room.id] = set(phases)
        for key in sorted(fresh):
            table = phases[key]
            sitting = Sitting(room, table, key[1], table.kit.roster(table.game))
            if sitting.roster.strategies and sitting.most:
                self._take_up(sitting)

    def _take_up(self, sitting: Sitting) -> None:
        for seat in sitting.joined:
            self._expect_answer(sitting, seat)
        self._await(sitting, [self._watch.now() + each for each in sitting.arrivals()])

    def _await(self, sitting: Sitting, arrivals: Sequence[float]) -> None:
        """Wait for the next to come; `arrivals` are on the watch."""
        if arrivals:
            seconds = max(arrivals[0] - self._watch.now(), 0.0)
            self._ring(sitting, seconds, partial(self._come, sitting, arrivals[1:]))

    def _ring(self, sitting: Sitting, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        async def wake() -> None:
            if not sitting.on:
                return
            try:
                await work()
            except (SQLAlchemyError, OSError):
                log.warning("a player of the house waits for the database", table=sitting.table.id)
                self._ring(sitting, PATIENCE, work)

        self._watch.ring(seconds, wake)

    async def hurry(self, room: Room, table: Table) -> None:
        """Let them do at once what they would have done until the end of a table's present phase."""
        if table.clock is None:
            return
        sitting = Sitting(room, table, table.clock.phase, table.kit.roster(table.game))
        try:
            for _ in range(sitting.most if sitting.roster.strategies else 0):
                await self._bring(sitting)
            for seat in sitting.joined:
                await self._choose(sitting, seat, sitting.phase)
        except (SQLAlchemyError, OSError):
            log.warning("players of the house cannot be hurried", table=table.id)

    # Coming

    async def _come(self, sitting: Sitting, later: Sequence[float]) -> None:
        await self._bring(sitting)
        self._await(sitting, later)

    async def _bring(self, sitting: Sitting) -> None:
        """Let one more join, if one is missing and one wants to; the next one comes after that."""
        for seat in sitting.candidates():
            if sitting.missing < 1 or not sitting.on or await self._join(sitting, seat):
                break
            sitting.declined.add(strategy_of(seat))

    async def _join(self, sitting: Sitting, seat: Seat) -> bool:
        """Ask one to join, if one can; whoever stays out sits all the same, like people who look on."""
        table = sitting.table
        if strategy_of(seat) not in table.kit.strategies or not table.menu(seat, sitting.allowance):
            return False
        await self._lend(sitting, seat)
        sits = await table.sit([seat])
        if sits:
            await self._play(sitting, seat, sits, "sit")
        await self._choose(sitting, seat, "join")
        joined = seat in sitting.joined
        if joined:  # a game may want to know more in the same phase
            self._expect_answer(sitting, seat)
        return joined

    async def _lend(self, sitting: Sitting, seat: Seat) -> None:
        """Bring a purse to what one comes to a table with."""
        room, table = sitting.room, sitting.table
        wallet, house = purses.wallet(room.community, seat), purses.house(room.community)
        wanted = sitting.allowance
        while (held := await self._purse(sitting, seat)) != wanted:
            source, target = (house, wallet) if held < wanted else (wallet, house)
            entries = tuple(instalments(source, target, abs(wanted - held), "allowance"))
            name, now = f"allowance:{table.id}:{seat}", self._watch.date()
            try:
                await self._ledger.post(Posting(name, room.community, now, seat, entries, {wallet: held}))
            except Moved:
                continue  # it plays at another table too
            return

    async def _purse(self, sitting: Sitting, seat: Seat) -> int:
        wallet = purses.wallet(sitting.room.community, seat)
        return await self._ledger.balance(wallet)

    # Answering

    def _expect_answer(self, sitting: Sitting, seat: Seat) -> None:
        answer = partial(self._choose, sitting, seat, sitting.phase)
        self._ring(sitting, sitting.thought(seat), answer)

    async def _choose(self, sitting: Sitting, seat: Seat, what: str) -> None:
        """Let one choose from its menu, if there is anything to choose."""
        table, strategy = sitting.table, sitting.table.kit.strategies.get(strategy_of(seat))
        purse = await self._purse(sitting, seat)
        menu = table.menu(seat, purse)
        if not menu or strategy is None or not sitting.on:
            return
        action = strategy(table.view(seat, purse), menu, sitting.luck(what, seat))
        if action is not None:
            await self._play(sitting, seat, [action], what)

    async def _play(self, sitting: Sitting, seat: Seat, actions: Sequence[Any], what: str) -> None:
        """Play under an id that says what it is, so that no restart makes it happen twice."""
        table = sitting.table
        try:
            await table.play(actions, Cause("", seat, f"seat:{table.id}:{seat}:{what}"))
        except Refusal as refusal:
            log.info("a player of the house was refused", table=table.id, reason=refusal.message.id)
        except BrokenGame:
            log.warning("a table was broken by a player of the house", table=table.id, seat=seat)
