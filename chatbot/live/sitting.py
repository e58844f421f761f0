"""One phase of a table as players of the house meet it: who of them is missing, who may come, and when.

All that chance decides here comes from the table's own secret, apart from the draws of its turns.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.kernel.codec import canonical
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.kernel.kit import HOUSE, Roster, called_there, of_house
from chatbot.live.purses.terms import TERMS
from chatbot.live.room import Room
from chatbot.live.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shares of what a phase has left
COMING = (0.25, 0.75)  # between these they join, one after the other
FILLING = 0.85  # by then it is plain that too few people come
ANSWERING = (0.2, 0.7)

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
        """How many seconds the phase has left."""
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
