"""What one opponent will show: a mix of its possible habits, each weighted by how well it has foretold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.chickenpoker.contest.habits import RoundScene, every

if TYPE_CHECKING:
    from chatbot.games.chickenpoker.contest.assignment import Floats, Places

_EVEN = 0.5  # weight of having no habit at all before anything was seen
_DOUBT = 0.02  # share of every forecast that is spread evenly, so that no surprise refutes a habit for good
_RENEWED = 0.005  # share of all weights that starts again with each card: players change
_LIGHT = 0.001  # weight of a habit that is not worth working out round by round


class Opponent:
    """One other player over the games of a session."""

    def __init__(self, cards: int) -> None:
        self._cards = cards
        self._habits = every(cards)
        habits = len(self._habits)
        self._first = np.array([_EVEN, *[(1 - _EVEN) / habits] * habits])
        self._weights = self._first.copy()
        self._scene = self._opening(np.zeros(cards, dtype=np.int64))

    def begin(self, before: Places, *, learn: bool) -> None:
        """Take note that a game begins; `before` is what we played in the previous one.

        `learn`: it stayed to the end of that.
        """
        held = np.flatnonzero(self._scene.held)
        if learn and len(held) == 1:  # the last round is not told, but nothing else is left
            self.see(int(held[0]) + 1, 0)
        self._scene = self._opening(before)

    def see(self, card: int, others: int) -> None:
        """Learn what it showed, and the highest card of all others in that round."""
        scene = self._scene
        if not scene.held[card - 1]:
            return
        self._weigh(scene, card)
        for habit in self._habits:
            habit.learn(scene, card)
        held = scene.held.copy()
        held[card - 1] = False
        self._scene = RoundScene(scene.number + 1, held, card, others, scene.before)

    def forecast(self, rounds: int) -> Floats:
        """How likely it shows each of the cards 1..n in each of the next rounds: (rounds, n)."""
        scene, even = self._scene, self._scene.even(rounds)
        found = even * self._weights[0]
        for weight, habit in zip(self._weights[1:], self._habits, strict=True):
            if weight > _LIGHT:
                found += weight * ((1 - _DOUBT) * habit.forecast(scene, rounds) + _DOUBT * even)
        summed: Floats = found / found.sum(axis=1, keepdims=True)
        return summed

    def _weigh(self, scene: RoundScene, card: int) -> None:
        """Let the habits that foretold this card gain weight (Herbster and Warmuth 1998)."""
        if scene.held.sum() == 1:
            return
        even = 1 / scene.held.sum()
        told = [habit.forecast(scene, 1)[0, card - 1] for habit in self._habits]
        likely = np.array([even, *((1 - _DOUBT) * each + _DOUBT * even for each in told)])
        weights = self._weights * likely
        self._weights = (1 - _RENEWED) * weights / weights.sum() + _RENEWED * self._first

    def _opening(self, before: Places) -> RoundScene:
        return RoundScene(0, np.ones(self._cards, dtype=np.bool_), 0, 0, before)
