"""The standings of a ladder: its players in order, with what is known of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.engine.ratings import Rating, Record
from arena.ladder.entrants import LadderEntrant

if TYPE_CHECKING:
    from arena.ladder.book import LadderBook


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A player of a ladder."""

    rank: int | None  # None: it does not play any more
    entrant: LadderEntrant
    rating: Rating
    record: Record
    failures: Mapping[str, int]  # by kind


@dataclass(frozen=True, slots=True)
class LadderStandings:
    """The players in the order of their ratings, the best first."""

    active: Sequence[LadderPlace]
    former: Sequence[LadderPlace]


def standings(book: LadderBook) -> LadderStandings:
    """Return the standings; equal ratings are in the order of names, and have ranks of their own."""
    return LadderStandings(_places(book, book.active, ranked=True), _places(book, book.former, ranked=False))


def _places(book: LadderBook, keys: Sequence[str], *, ranked: bool) -> Sequence[LadderPlace]:
    ratings, records, failures = book.ratings(), book.records(), _failures(book)
    order = sorted(keys, key=lambda key: (-round(ratings[key].points, 6), book.entrants[key].name, key))
    return [
        LadderPlace(rank if ranked else None, book.entrants[key], ratings[key], records[key], failures[key])
        for rank, key in enumerate(order, 1)
    ]


def _failures(book: LadderBook) -> Mapping[str, Counter[str]]:
    failures = {key: Counter[str]() for key in book.entrants}
    for duel in book.duels:
        for key, failed in zip(duel.players, duel.failures, strict=True):
            failures[key].update(failed)
    return failures
