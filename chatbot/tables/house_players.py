"""House players: automatic players that join tables which members have opened, and act there by strategies.

Their random decisions are derived from the secret of the table, separately from the draws of its turns, so
nobody can predict them.

Their actions are played like those of a line: the rules decide on them and the journal records them, so a
restart, a replay and a check of a table need no special case.

Each has a wallet. Before it joins a table where it stakes something its balance is set to what a new member
has (or the least that the table takes), by a transfer from or to the house. So none of them becomes richer
than the members, and none is without credits. Lobbies with a stake are filled by `house_fill.py`.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.codec import canonical
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.house_seats import HOUSE, Roster, house_name, of_house, roster_of
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Moved, Posting, instalments
from chatbot.rooms.batch import carry_out
from chatbot.rooms.room import Room
from chatbot.rooms.table_protocol import BrokenGame, Cause, Table
from chatbot.settings.community import TERMS
from chatbot.tables.phase_timer import LONGEST_THOUGHT, RETRY_DELAY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.runtime.clock import Watch

# Fractions of the time that a phase has left
JOIN_BETWEEN = (0.25, 0.75)  # they join one after the other in this interval
FILL_AT = 0.85  # those who only fill up a table join here, when it is clear that too few members do
# Not at once, as only a program would, and not last, so that nobody waits for them. It is a fraction of the
# time that a phase has left, or of `LONGEST_THOUGHT`, the shorter one.
ANSWER_BETWEEN = (0.2, 0.7)
# Seconds that are assumed for a phase whose end is hidden: when they act would tell it.
HIDDEN_TIME_LEFT = 20.0

_PURPOSE = "rabble-house-player-v1"
_NUMBER = re.compile(r"-[0-9]+$")
_SHARE_STEPS = 1 << 20  # resolution of a random fraction

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class HousePhase:
    """One phase of a table, in which house players may join and act."""

    room: Room
    table: Table
    name: str  # of the phase
    roster: Roster
    declined: set[str] = field(default_factory=set)  # strategies that do not join in this phase

    @property
    def lasts(self) -> bool:
        """Whether the phase still lasts; a stopped table has no clock."""
        clock = self.table.clock
        return clock is not None and clock.phase == self.name

    @property
    def players(self) -> list[Seat]:
        """The players that the public view shows."""
        return [each.seat for each in self.table.kit.display.board(self.table.view(None)).places]

    @property
    def house_seats(self) -> list[Seat]:
        """The house players among the players."""
        return [seat for seat in self.players if of_house(seat)]

    @property
    def stakes(self) -> bool:
        """Whether they stake credits here.

        Where people can win of others, what a player of the house stakes is theirs for the asking: two who
        help each other beat it. There they play for honour, and for a stake as `HouseFill` says.
        """
        return not self.table.kit.money.between_players or self.roster.stakes

    @property
    def vacancies(self) -> int:
        """How many house players should join now; none if no member plays."""
        if not self.stakes and self.table.kit.money.buy_in(self.table.state):
            return 0
        count = len(self.house_seats)
        people = len(self.players) - count
        target = max(self.roster.players, self.roster.fills - people) if people else 0
        return target - count

    @property
    def most(self) -> int:
        """The most house players that this table may have."""
        return max(self.roster.players, self.roster.fills)

    @property
    def allowance(self) -> int:
        """The credits that each house player brings to the table."""
        return max(
            TERMS.of(self.room).start, self.roster.least, self.table.kit.money.buy_in(self.table.state)
        )

    @property
    def left(self) -> float:
        """How many seconds the phase has left; assumed if that is hidden, so that it is not revealed."""
        if self.table.clock is not None and self.table.clock.hidden:
            return HIDDEN_TIME_LEFT
        deadline = self.table.deadline
        return 0.0 if deadline is None else max(deadline - self.table.watch.now(), 0.0)

    def candidates(self) -> Iterator[Seat]:
        """Yield the seats that may join, in a random order; a strategy that occurs twice is numbered."""
        counts: Counter[str] = Counter()
        for name in house_rng(self.table).shuffled(self.roster.strategies) * self.most:
            counts[name] += 1
            seat = Seat(f"{HOUSE}:{name}" if counts[name] == 1 else f"{HOUSE}:{name}-{counts[name]}")
            if name not in self.declined and seat not in self.house_seats:
                yield seat

    def arrivals(self) -> list[float]:
        """Draw when they join, in seconds from now; those who only fill up the table join late."""
        count, rng = len(self.house_seats), self.rng("arrivals")
        early, (first, last) = max(self.roster.players - count, 0), JOIN_BETWEEN
        shares = [first + (last - first) * (each + _share(rng)) / early for each in range(early)]
        shares += [FILL_AT] * (self.most - count - early)
        return [self.left * share for share in shares]

    def answer_delay(self, seat: Seat) -> float:
        """Draw in how many seconds a house player at this table acts."""
        first, last = ANSWER_BETWEEN
        time = min(self.left, LONGEST_THOUGHT)
        return time * (first + (last - first) * _share(self.rng("thought", seat)))

    def rng(self, *about: str) -> Rng:
        """Return the random generator of one decision in this phase."""
        return house_rng(self.table, self.name, *about)


def strategy_of(seat: Seat) -> str:
    """Return the strategy of a house player: of `house:kelly-2`, `kelly`."""
    return _NUMBER.sub("", house_name(seat))


def house_rng(table: Table, *about: str) -> Rng:
    """Return the random generator of a decision of the house, apart from the draws of turns."""
    return Rng(hmac.digest(table.seed, canonical([_PURPOSE, *about]).encode(), "sha256"))


def _share(rng: Rng) -> float:
    return rng.below(_SHARE_STEPS) / _SHARE_STEPS


class HousePlayers:
    """Schedules the actions of house players whenever a table of a room has changed."""

    def __init__(self, ledger: Ledger, watch: Watch) -> None:
        self._ledger, self._watch = ledger, watch
        self._phases: dict[str, set[tuple[str, str]]] = {}  # tables and phases by room: each is handled once

    def look(self, room: Room) -> None:
        """Schedule actions for the phases that are new, including those of tables after a restart."""
        tables = room.tables.values()
        phases = {(each.id, each.clock.phase): each for each in tables if each.clock is not None}
        new_phases = phases.keys() - self._phases.get(room.id, set())
        self._phases[room.id] = set(phases)
        # Sorted, because a set has another order in each process, and alarms of one moment ring in the order
        # of setting.
        for key in sorted(new_phases):
            table = phases[key]
            phase = HousePhase(room, table, key[1], roster_of(table.game))
            if phase.roster.strategies and phase.most:
                self._schedule(phase)

    async def hurry(self, room: Room, table: Table) -> None:
        """Do at once what house players would have done until the end of a table's present phase."""
        if table.clock is None:
            return
        phase = HousePhase(room, table, table.clock.phase, roster_of(table.game))
        try:
            for _ in range(phase.most if phase.roster.strategies else 0):
                await self._add_player(phase)
            for seat in phase.house_seats:
                await self._choose(phase, seat, phase.name)
        except (SQLAlchemyError, OSError):
            log.warning("players of the house cannot be hurried", table=table.id)

    def _schedule(self, phase: HousePhase) -> None:
        for seat in phase.house_seats:
            self._expect_answer(phase, seat)
        self._schedule_joins(phase, [self._watch.now() + each for each in phase.arrivals()])

    def _schedule_joins(self, phase: HousePhase, arrivals: Sequence[float]) -> None:
        """Schedule the next to join; `arrivals` are times of the watch."""
        if arrivals:
            seconds = max(arrivals[0] - self._watch.now(), 0.0)
            self._ring(phase, seconds, partial(self._join_next, phase, arrivals[1:]))

    def _ring(self, phase: HousePhase, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        async def wake() -> None:
            if not phase.lasts:
                return
            try:
                await work()
            except (SQLAlchemyError, OSError):
                log.warning("a player of the house waits for the database", table=phase.table.id)
                self._ring(phase, RETRY_DELAY, work)

        self._watch.ring(seconds, wake)

    # Joining

    async def _join_next(self, phase: HousePhase, later: Sequence[float]) -> None:
        await self._add_player(phase)
        self._schedule_joins(phase, later)

    async def _add_player(self, phase: HousePhase) -> None:
        """Have one more house player join, if one is missing and a strategy chooses to."""
        for seat in phase.candidates():
            if phase.vacancies < 1 or not phase.lasts or await self._join(phase, seat):
                break
            phase.declined.add(strategy_of(seat))

    async def _join(self, phase: HousePhase, seat: Seat) -> bool:
        """Have a strategy decide whether to join; one that does not is seated, like a spectator."""
        table = phase.table
        if strategy_of(seat) not in table.kit.programs.strategies or not table.menu(seat, phase.allowance):
            return False
        if phase.stakes:
            await self._set_balance(phase, seat)
        sits = await table.sit([seat])
        if sits:
            await self._play(phase, seat, sits, "sit")
        await self._choose(phase, seat, "join")
        joined = seat in phase.house_seats
        if joined:  # a game may ask for more in the same phase
            self._expect_answer(phase, seat)
        return joined

    async def _set_balance(self, phase: HousePhase, seat: Seat) -> None:
        """Set the balance of a house player to what it brings to a table."""
        room, table = phase.room, phase.table
        wallet, house = purses.wallet(room.community, seat), purses.house(room.community)
        allowance = phase.allowance
        while (balance := await self._purse(phase, seat)) != allowance:
            source, target = (house, wallet) if balance < allowance else (wallet, house)
            entries = tuple(instalments(source, target, abs(allowance - balance), "allowance"))
            name, now = f"allowance:{table.id}:{seat}", self._watch.date()
            try:
                await self._ledger.post(Posting(name, room.community, now, seat, entries, {wallet: balance}))
            except Moved:
                continue  # it plays at another table too
            return

    async def _purse(self, phase: HousePhase, seat: Seat) -> int:
        wallet = purses.wallet(phase.room.community, seat)
        return await self._ledger.balance(wallet)

    # Acting

    def _expect_answer(self, phase: HousePhase, seat: Seat) -> None:
        answer = partial(self._choose, phase, seat, phase.name)
        self._ring(phase, phase.answer_delay(seat), answer)

    async def _choose(self, phase: HousePhase, seat: Seat, what: str) -> None:
        """Have a house player choose from its menu, if there is anything to choose."""
        table, strategy = phase.table, phase.table.kit.programs.strategies.get(strategy_of(seat))
        purse = await self._purse(phase, seat) if phase.stakes else phase.allowance
        menu = table.menu(seat, purse)
        if not menu or strategy is None or not phase.lasts:
            return
        action = strategy(table.view(seat, purse), menu, phase.rng(what, seat))
        if action is not None:
            await self._play(phase, seat, [action], what)

    async def _play(self, phase: HousePhase, seat: Seat, actions: Sequence[object], what: str) -> None:
        """Play actions under an id made of their purpose, so that a restart does not repeat them."""
        table = phase.table
        try:
            cause = Cause("", seat, f"seat:{table.id}:{seat}:{what}")
            await carry_out(self._ledger, partial(table.play, actions=actions, cause=cause))
        except Refusal as refusal:
            log.info("a player of the house was refused", table=table.id, reason=refusal.message.id)
        except BrokenGame:
            log.warning("a table was broken by a player of the house", table=table.id, seat=seat)
            await table.void()
