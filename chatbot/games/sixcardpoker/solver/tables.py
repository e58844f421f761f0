"""Every arrangement against every other, and how often they meet, in arrays for solver and arena."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.sixcardpoker.rules.cards import COPIES, FACES, Arrangement, arrangements, types

Places: TypeAlias = NDArray[np.intp]
Counts: TypeAlias = NDArray[np.int64]
Results: TypeAlias = NDArray[np.int8]

_CHOICES = np.array([[comb(left, taken) for taken in range(COPIES + 1)] for left in range(COPIES + 1)])


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """All 760 arrangements, by their types, and what is known of every two of them.

    Results are 1 where the arrangement of the row wins, 0 for a draw and -1; they are there for
    arrangements too that cannot meet, as the deck has not so many cards.
    """

    arrangements: tuple[Arrangement, ...]
    owners: Places  # of each arrangement: the place of its type in `types()`
    hands: Results  # High, Middle and Low, each with a row and a column for each arrangement
    rounds: Results
    deals: Counts  # that give one player the type of the row, and the other that of the column
    meetings: Counts  # the same for arrangements: how many deals let the two meet


@cache
def tables() -> Tables:
    """Make them; it takes some ten milliseconds."""
    listed = tuple(each for held in types() for each in arrangements(held))
    sizes = [len(arrangements(held)) for held in types()]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    hands = _against_each_other(_ranks(listed))
    rounds = np.sign(hands.sum(axis=0, dtype=np.int8))
    deals = _deals()
    made = Tables(listed, owners, hands, rounds, deals, deals[np.ix_(owners, owners)])
    for each in (made.owners, made.hands, made.rounds, made.deals, made.meetings):
        each.flags.writeable = False  # everybody reads the same ones
    return made


def _ranks(listed: tuple[Arrangement, ...]) -> NDArray[np.int8]:
    """Give a number to each hand, a row for each of the three: the larger wins."""
    high, middle, low = (np.array(hands, dtype=np.int8) for hands in zip(*listed, strict=True))
    paired = middle[:, 0] == middle[:, 1]
    most = len(FACES) + 1
    ranked = (paired * most + middle[:, 0]) * most + middle[:, 1]
    return np.stack([high.sum(axis=1, dtype=np.int8), ranked.astype(np.int8), low[:, 0]])


def _against_each_other(ranks: NDArray[np.int8]) -> Results:
    results: Results = np.sign(ranks[:, :, None] - ranks[:, None, :])
    return results


def _deals() -> Counts:
    held = np.array([[cards.count(face) for face in FACES] for cards in types()])
    left = COPIES - held
    own = _CHOICES[COPIES, held].prod(axis=1)
    other = _CHOICES[left[:, None, :], held[None, :, :]].prod(axis=2)
    counts: Counts = own[:, None] * other
    return counts
