"""One round of Chicken Poker for two as a matrix game, in whole numbers: nothing is ever rounded."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.chickenpoker.solver.equilibrium import margin

Whole: TypeAlias = NDArray[np.int64]


def margins(cards: int) -> Whole:
    """Give the margin of every card against every other: a row for each card of the lower id, from 1 on."""
    each = range(1, cards + 1)
    return np.array([[margin(lower, higher) for higher in each] for lower in each], dtype=np.int64)


def even_values(games: Whole) -> Whole:
    """Solve games in which it is optimal to play all rows, and all columns, equally often.

    `games` has the shape (…, m, m): what the player of the rows gets; the values have the shape (…). It is
    optimal where all rows and all columns have the same sum s: whoever mixes evenly then gets s/m
    whatever the other does, and as both can have it so, s/m is the value.

    Raises:
        ArithmeticError: some game is not of this kind, or its value is not a whole number.
    """
    values: Whole = games[..., 0, :].sum(axis=-1) // games.shape[-1]
    sums = (values * games.shape[-1])[..., None]
    if (games.sum(axis=-1) != sums).any() or (games.sum(axis=-2) != sums).any():
        raise ArithmeticError("an even mix does not equalise one of these games")
    return values
