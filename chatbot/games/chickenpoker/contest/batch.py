"""Plays many games between players who need not look at each other, all at once.

`random`, `linear` and `nash` know their cards of a whole game in advance: `nash` draws evenly, which is its
equilibrium (see `equilibrium`). So the games of a session are arrays, and only the rounds have to be scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.chickenpoker.rules.showdown import player_id
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.chickenpoker.contest.session import StepPlayer
    from chatbot.games.chickenpoker.solver.solver import Integers

Cards: TypeAlias = NDArray[np.signedinteger]

_CELLS = 1 << 19  # cards that are in memory at a time, unless a single game has more


@dataclass(frozen=True, slots=True, eq=False)
class GameBatch:
    """Some games in a row; the arrays' last two axes are games and rounds."""

    first: int  # of the games, from 0
    shown: Cards  # (players, games, rounds): the card of each, place by place; its type holds their sums
    wins: NDArray[np.bool_]  # the same shape: who won

    @property
    def points(self) -> Integers:
        """Return what each scored in each game: (games, players)."""
        sums = np.add.reduce(self.shown, dtype=self.shown.dtype)
        return np.stack([(sums * each).sum(axis=1, dtype=np.int64) for each in self.wins], axis=1)


def play(styles: Sequence[StepPlayer | None], cards: int, games: int, word: str) -> Iterator[GameBatch]:
    """Play a session; None draws evenly. The word stands for all luck."""
    generator = np.random.Generator(np.random.PCG64(Rng.of(word).bits(128)))
    at_a_time = max(1, _CELLS // (cards * len(styles)))
    kind = np.min_scalar_type(-(cards * len(styles)) - 1)  # small numbers are quick, and these hold any sum
    for first in range(0, games, at_a_time):
        some = min(at_a_time, games - first)
        orders = np.stack([_orders(each, cards, some, generator).astype(kind) for each in styles])
        yield GameBatch(first, orders, wins(orders, first))


def wins(orders: Cards, first: int) -> NDArray[np.bool_]:
    """Return who wins each round of games, of which the first has this number; shapes as in `GameBatch`.

    It is the rule of `showdown.winner`, where ids rotate as `showdown.player_id` says.
    """
    winners = np.empty(orders.shape, dtype=np.bool_)
    players = len(orders)
    for start in range(min(players, orders.shape[1])):
        # Games whose ids stand alike are scored together, in the order of the ids.
        by_id = sorted(range(players), key=lambda place: player_id(place, first + start, players))
        _score(
            [orders[place, start::players] for place in by_id], [winners[p, start::players] for p in by_id]
        )
    return winners


def _score(by_id: Sequence[Cards], winners: Sequence[NDArray[np.bool_]]) -> None:
    highest = by_id[0]
    for each in by_id[1:]:
        highest = np.maximum(highest, each)
    tied = [each == highest for each in by_id]
    number = highest % np.add.reduce([each.astype(highest.dtype) for each in tied])
    before = np.zeros_like(highest)
    for each, winner in zip(tied, winners, strict=True):
        np.logical_and(each, before == number, out=winner)
        before += each


def _orders(style: StepPlayer | None, cards: int, games: int, generator: np.random.Generator) -> Cards:
    """Return the cards of one player in the order in which it plays them: (games, rounds)."""
    order = range(1, cards + 1) if style is None else style.order(cards)
    orders = np.tile(np.array(order, dtype=np.min_scalar_type(-cards - 1)), (games, 1))
    return generator.permuted(orders, axis=1, out=orders) if style is None else orders
