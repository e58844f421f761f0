"""Who did better than whom, game by game: sums of whole numbers are all that ratings need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.arena.engine.bout import MatchResult


@dataclass(frozen=True, slots=True)
class Record:
    """Games won, drawn and lost; where several play in one, it counts against each of the others."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Record) -> Record:
        return Record(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength; see `ratings`."""

    points: float
    error: float  # standard error, around the mean of all players


@dataclass(slots=True)
class EncounterTable:
    """All matches of the same players, who stand in ascending order."""

    players: tuple[int, ...]
    matches: int = 0
    games: int = 0
    ahead: list[list[int]] = field(default_factory=list)  # games in which one did better than another
    products: list[list[int]] = field(default_factory=list)  # of two players' results of a match, added up

    def __post_init__(self) -> None:
        self.ahead = [[0] * len(self.players) for _ in self.players]
        self.products = [[0] * len(self.players) for _ in self.players]

    def add(self, games: int, ahead: Sequence[Sequence[int]]) -> None:
        """Count a match, whose rows are in the order of the players.

        A player's result of it is how many more games it won than it lost, against all the others.
        """
        results = [sum(row) - sum(each[place] for each in ahead) for place, row in enumerate(ahead)]
        self.matches += 1
        self.games += games
        for place, row in enumerate(ahead):
            for other, won in enumerate(row):
                self.ahead[place][other] += won
                self.products[place][other] += results[place] * results[other]

    def record(self, place: int) -> Record:
        """Tell what one of the players has come to."""
        won, lost = sum(self.ahead[place]), sum(row[place] for row in self.ahead)
        return Record(won, self.games * (len(self.players) - 1) - won - lost, lost)


class Encounters:
    """Keeps a table for whoever has played together: few, unless people are drawn for each match."""

    def __init__(self) -> None:
        self._tables: dict[tuple[int, ...], EncounterTable] = {}

    @property
    def tables(self) -> Sequence[EncounterTable]:
        return [self._tables[players] for players in sorted(self._tables)]

    def records(self) -> Mapping[int, Record]:
        """Tell what each player has come to who has been compared."""
        found: dict[int, Record] = {}
        for table in self.tables:
            for place, player in enumerate(table.players):
                found[player] = found.get(player, Record()) + table.record(place)
        return found

    def add(self, result: MatchResult) -> None:
        """Count a match, if its games compare players."""
        if not result.ahead:
            return
        seats = result.match.seats
        order = sorted(range(len(seats)), key=lambda seat: seats[seat])
        players = tuple(seats[seat] for seat in order)
        table = self._tables.setdefault(players, EncounterTable(players))
        table.add(result.games, [[result.ahead[seat][other] for other in order] for seat in order])
