"""What keeping and rejecting bring in decks too large to be worked out exactly.

The turn, the range of K and the number still needed have a worth (`learning`) that forgets which cards
have gone. To it is added what difference these cards make to somebody who is told K now (`known`).
Nothing is drawn by lot: the same question has the same answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.highshow.solver.bound import bounds
from chatbot.games.highshow.solver.known import Cost, Floats
from chatbot.games.highshow.solver.unseen import Unseen, narrowed, typical, unseen
from chatbot.games.highshow.solver.worth import RemainingWorth

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.games.highshow.rules.terms import Terms

SHUFFLED = 8000  # cards, of the games that `value` plays
FEWEST_GAMES, MOST_GAMES = 24, 400
METHOD = (
    "half way between what good play earns in {games} shuffles and the most that they show any play to earn; "
    "the error is half the distance between these and two standard errors"
)


class Estimate:
    """The expected further profit in any situation of a game on these terms."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._cost = Cost.of(terms)
        self._worth = RemainingWorth(terms)

    def advise(self, seen: Sequence[int], shown: int, needed: int) -> tuple[float, float]:
        """Give the expected further profit of keeping the card shown, and of seeing another."""
        cards = {*seen, shown}
        lowest, starts = narrowed(self._terms, cards)
        fixed, each = self._cost.line(lowest + (starts - 1) / 2, len(cards))
        keep, another = map(float, self._further(cards, lowest, starts, needed))
        return shown + keep, another - fixed - each * shown

    def _further(self, cards: Collection[int], lowest: int, starts: int, needed: int) -> Floats:
        """Give what comes after these cards if one less is needed, and if as many are."""
        turn, wanted = len(cards), np.array([needed - 1.0, needed])
        row = unseen(self._terms, cards, lowest, starts)
        actual = Unseen.of(self._cost, lowest, starts, turn, row).bests(wanted)
        if starts == 1 or turn > self._worth.horizon:
            return actual
        evenly = typical(self._terms, turn, lowest, starts)
        usual = Unseen.of(self._cost, lowest, starts, turn, evenly).bests(wanted)
        level = self._worth.look(turn, np.array([float(lowest)]), np.array([float(starts)]))[0]
        place = needed - self._terms.keep - 1  # from the end: the last column is for all M
        found: Floats = level[[place - 1, place]] + actual - usual
        return found


def value(terms: Terms) -> tuple[float, float, str]:
    """Give the value of best play, within which error it lies, and how that was found.

    Takes about twenty seconds for N = 1000, and five for N = 100. The shuffles are always the same ones.
    """
    games = min(max(SHUFFLED // terms.cards, FEWEST_GAMES), MOST_GAMES)
    found = bounds(terms, Estimate(terms).advise, games, "value")
    return found.middle, found.error, METHOD.format(games=games)
