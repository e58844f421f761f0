"""Gives each of some rounds a card of its own, so that all of them together gain the most."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


def assigned(gains: Floats) -> Places:
    """Give each row a column of its own such that the sum of the gains is the largest.

    `gains` has the shape (rows, columns), with no more rows than columns. It is the Hungarian method by
    shortest augmenting paths (Jonker and Volgenant 1987); rows² · columns steps, each a piece of an array.
    """
    rows, columns = gains.shape
    costs = np.zeros((rows, columns + 1))
    costs[:, 1:] = gains.max() - gains
    by_row, by_column = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(
        columns + 1, dtype=np.int64
    )  # of each column, a row from 1; column 0 is where a path starts
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(costs, by_row, by_column, owner)
    found = np.zeros(rows, dtype=np.int64)
    taken = np.flatnonzero(owner[1:])
    found[owner[1:][taken] - 1] = taken
    return found


def _augment(costs: Floats, by_row: Floats, by_column: Floats, owner: Places) -> None:
    """Find the shortest way from the row of column 0 to a column that nobody owns, and shift along it."""
    least = np.full(len(owner), np.inf)
    came_from = np.zeros(len(owner), dtype=np.int64)
    open_ = np.ones(len(owner), dtype=np.bool_)
    column = 0
    while owner[column]:
        open_[column] = False
        row = owner[column]
        slack = costs[row - 1] - by_row[row] - by_column
        better = open_ & (slack < least)
        least[better], came_from[better] = slack[better], column
        following = int(np.where(open_, least, np.inf).argmin())
        step = least[following]
        closed = ~open_
        by_row[owner[closed]] += step
        by_column[closed] -= step
        least[open_] -= step
        column = following
    while column:
        owner[column] = owner[came_from[column]]
        column = int(came_from[column])
