"""What is still to be had after some cards, as far as the turn, the K left and the cards needed tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.highshow.solver.known import Cost, Floats
from chatbot.games.highshow.solver.learning import Learning

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.terms import Terms

LEVELS = 9  # values of K for which there are tables, where it matters for what a rejection costs


class RemainingWorth:
    """The tables of `learning`, between which is interpolated where the level of K matters."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._cost = Cost.of(terms)
        shares = np.linspace(0, 1, 1 if self._cost.seen else LEVELS)
        # Where K is low its level matters most: there a rejection may pay that costs its value.
        self._levels = 1 + (terms.highest_start - 1) * shares**2
        self._tables = dict[int, Learning]()

    @property
    def horizon(self) -> int:
        return self._table(0).horizon

    def columns(self, turn: int) -> Floats:
        return self._table(0).columns(turn)

    def look(self, turn: int, lowest: Floats, starts: Floats) -> Floats:
        """Give rows of what is still to be had after `turn` cards, for the lowest K left and how many are."""
        found = self._relative(turn, lowest + (starts - 1) / 2, starts)
        return found + lowest[:, None] * self.columns(turn)

    def _relative(self, turn: int, middle: Floats, starts: Floats) -> Floats:
        if len(self._levels) == 1:
            return self._table(0).look(turn, starts)
        before = np.clip(np.searchsorted(self._levels, middle) - 1, 0, LEVELS - 2)
        low, high = self._levels[before], self._levels[before + 1]
        shares = ((middle - low) / (high - low))[:, None]
        found = np.empty((len(starts), len(self.columns(turn))))
        for each in np.unique(before):
            here = before == each
            lower, upper = (self._table(int(each) + step).look(turn, starts[here]) for step in (0, 1))
            found[here] = (1 - shares[here]) * lower + shares[here] * upper
        return found

    def _table(self, level: int) -> Learning:
        if level not in self._tables:
            self._tables[level] = Learning(self._terms, self._cost, float(self._levels[level]))
        return self._tables[level]
