"""What follows from the journal of a ladder so far: who is on it, what is to be played, and the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.engine.ratings import EncounterTable, Rating, Record, StrengthFit, fit
from arena.ladder.entrants import LadderEntrant
from arena.ladder.journal import LadderDuel, LadderRoster, LadderRound, LadderTerms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from arena.ladder.journal import LadderRecord


@dataclass(frozen=True, slots=True)
class LadderPoint:
    """The ratings after a round, by the keys of those who have played."""

    duels: int  # played until then
    ratings: Mapping[str, Rating]


class LadderBook:
    """The state of a ladder, record by record."""

    def __init__(self, records: Iterable[LadderRecord] = ()) -> None:
        self.terms: LadderTerms | None = None
        self.entrants: dict[str, LadderEntrant] = {}  # by key, in the order in which they came
        self.roster: LadderRoster | None = None
        self.duels: list[LadderDuel] = []
        self.meetings: Counter[frozenset[str]] = Counter()
        self.duel_counts: Counter[str] = Counter()  # duels by key
        self.rounds = 0
        self._pending: list[tuple[str, str]] = []
        self._tables: dict[tuple[int, int], EncounterTable] = {}
        self._curve: list[LadderPoint] = []
        for record in records:
            self.take(record)

    def take(self, record: LadderRecord) -> None:
        """Add a record."""
        match record:
            case LadderTerms():
                self.terms = record
            case LadderEntrant():
                self.entrants[record.key] = record
            case LadderRoster():
                self.roster, self._pending = record, []
            case LadderRound():
                self._curve = list(self.curve())
                self.rounds += 1
                self._pending = list(record.pairs)
            case LadderDuel():
                self._count(record)

    @property
    def active(self) -> Sequence[str]:
        """The keys of those who play."""
        return self.roster.active if self.roster is not None else ()

    @property
    def former(self) -> Sequence[str]:
        """The keys of those who have played and do not any more, such as former versions of a program."""
        return [key for key in self.entrants if key not in self.active and self.duel_counts[key]]

    def pending(self) -> Sequence[LadderDuel]:
        """Return the duels of the round that are still to be played, without results.

        The first seat alternates between two players from meeting to meeting.
        """
        meetings, duels = self.meetings.copy(), []
        for number, pair in enumerate(self._pending, len(self.duels) + 1):
            first, second = sorted(pair)
            meeting = meetings[frozenset(pair)]
            meetings[frozenset(pair)] += 1
            players = (second, first) if meeting % 2 else (first, second)
            duels.append(LadderDuel(number, players, meeting, 0, ("", ""), 0))
        return duels

    def fitted(self) -> StrengthFit:
        """Fit the strengths of all who are on the ladder or have been; players are places in `entrants`."""
        keys = list(self.entrants)
        others = [keys.index(key) for key in (*self.active, *self.former)]
        return fit(list(self._tables.values()), dict(enumerate(keys)), others)

    def ratings(self) -> Mapping[str, Rating]:
        """Return the ratings of all who are on the ladder or have been, by key."""
        keys = list(self.entrants)
        return {keys[player]: rating for player, rating in self.fitted().ratings().items()}

    def records(self) -> Mapping[str, Record]:
        """Return the duels won, drawn and lost, by key."""
        records = dict.fromkeys(self.entrants, Record())
        for duel in self.duels:
            for place, key in enumerate(duel.players):
                records[key] += record_of(duel, place)
        return records

    def between(self) -> Mapping[tuple[str, str], Record]:
        """Return the record of each player against each other whom it met."""
        records: dict[tuple[str, str], Record] = {}
        for duel in self.duels:
            for place, pair in enumerate((duel.players, duel.players[::-1])):
                records[pair] = records.get(pair, Record()) + record_of(duel, place)
        return records

    def curve(self) -> Iterator[LadderPoint]:
        """Yield the ratings after each round, and those after the duels of the present one."""
        yield from self._curve
        if len(self.duels) > (self._curve[-1].duels if self._curve else 0):
            ratings = {key: each for key, each in self.ratings().items() if self.duel_counts[key]}
            yield LadderPoint(len(self.duels), ratings)

    def _count(self, duel: LadderDuel) -> None:
        self.duels.append(duel)
        self.meetings[frozenset(duel.players)] += 1
        self.duel_counts.update(duel.players)
        self._pending = self._pending[1:]
        self._add_to_table(duel)

    def _add_to_table(self, duel: LadderDuel) -> None:
        """Count a duel as a game of two; duels are independent, so all of two players are one match."""
        keys = list(self.entrants)
        first, second = (keys.index(each) for each in duel.players)
        pair = (min(first, second), max(first, second))
        table = self._tables.setdefault(pair, EncounterTable(pair, matches=1))
        table.games += 1
        if duel.result:
            winner = first if duel.result > 0 else second
            place = pair.index(winner)
            table.ahead[place][1 - place] += 1


def record_of(duel: LadderDuel, place: int) -> Record:
    """Return a duel as the record of the player at one of its places, 0 or 1."""
    own = duel.result if place == 0 else -duel.result
    return Record(int(own > 0), int(own == 0), int(own < 0))
