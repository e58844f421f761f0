"""`adaptive`: learns the habits of its opponents within a session, and plays the best answer to them.

What is left of a game is a table: the expected points of each card it holds in each round to come, against
what the opponents are forecast to show. The best way to spread its cards over the rounds is an
assignment. Where no habit is in sight all ways score the same, and it draws evenly, which nobody
can foretell. Against whoever draws evenly themselves, nothing can be gained or lost: see `equilibrium`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.chickenpoker.contest.assignment import Floats, Places, assigned
from chatbot.games.chickenpoker.contest.forecast import Opponent
from chatbot.games.chickenpoker.contest.prospects import prospects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.games.chickenpoker.contest.session import Start
    from chatbot.kernel.fair import Rng

_HORIZON = 60  # rounds that are planned at a time
_WORTHWHILE = 0.02  # of the points at stake in these rounds; less is not worth being foretold
_CHANGED = 0.02  # of the highest card: a plan is kept while no prospect in it has changed by more


@dataclass(slots=True, eq=False)
class Plan:
    """A card for each round to come, and the prospects for which it was made."""

    cards: list[int]  # round by round
    hand: Places
    gains: Floats  # (rounds, cards of the hand)
    passed: int = 0  # rounds

    def holds(self, hand: Places, gains: Floats, tolerance: float) -> bool:
        """Say whether the prospects are still what they were."""
        old = self.gains[self.passed :][:, np.isin(self.hand, hand)]
        return old.shape == gains.shape and bool(np.abs(_centred(old) - gains).max() <= tolerance)


class Adaptive:
    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._start: Start | None = None
        self._opponents: dict[int, Opponent] = {}  # by how much their ids are above ours, which never changes
        self._absent: set[int] = set()  # who has forfeited this game
        self._hand: list[int] = []
        self._played: list[int] = []
        self._plan: Plan | None = None

    def begin(self, start: Start) -> None:
        before = np.array(self._played + [0] * (start.cards - len(self._played)), dtype=np.int64)
        if self._start is None or (start.cards, start.players) != (self._start.cards, self._start.players):
            before = np.zeros(start.cards, dtype=np.int64)
            self._opponents = {offset: Opponent(start.cards) for offset in range(1, len(start.players))}
        for offset, opponent in self._opponents.items():
            opponent.begin(before, learn=offset not in self._absent)
        self._start, self._plan, self._absent = start, None, set()
        self._hand, self._played = list(range(1, start.cards + 1)), []

    def choose(self, shown: Mapping[int, int]) -> int:
        self._see(shown)
        card = self._planned()
        if card is None:
            self._plan, card = None, self._rng.choice(self._hand)
        self._hand.remove(card)
        self._played.append(card)
        return card

    def forfeited(self) -> None:
        """Nothing is left to do: it begins afresh with each game."""

    def _see(self, shown: Mapping[int, int]) -> None:
        """Learn from the previous round."""
        if not shown:
            return
        by_offset = {self._offset(player): card for player, card in shown.items()}
        self._absent = self._opponents.keys() - by_offset.keys()
        for offset, card in by_offset.items():
            if offset:
                others = max(other for each, other in by_offset.items() if each != offset)
                self._opponents[offset].see(card, others)

    def _planned(self) -> int | None:
        """Give the next card of the best plan, or none if no plan is worth it."""
        rounds, hand = min(len(self._hand), _HORIZON), np.array(self._hand, dtype=np.int64)
        gains = _centred(prospects(hand, *self._forecasts(rounds)))
        plan = self._plan
        if plan is None or not plan.holds(hand, gains, _CHANGED * int(hand[-1])):
            plan = self._made(hand, gains)
        self._plan = plan
        if plan is None:
            return None
        plan.passed += 1
        return plan.cards[plan.passed - 1]

    def _made(self, hand: Places, gains: Floats) -> Plan | None:
        """Make a plan, if it is worth it; `gains` are what is scored beyond drawing evenly."""
        least = _WORTHWHILE * len(gains) * float(hand.mean()) * (len(self._opponents) + 1)
        if len(gains) == 1 or gains.max(axis=1).sum() < least:
            return None
        places = assigned(gains)
        if gains[np.arange(len(gains)), places].sum() < least:
            return None
        return Plan([int(card) for card in hand[places]], hand, gains)

    def _forecasts(self, rounds: int) -> tuple[list[Floats], list[Floats]]:
        """Forecast the opponents who are still in: those with lower ids than ours, and the others."""
        assert self._start is not None  # noqa: S101
        lower: list[Floats] = []
        higher: list[Floats] = []
        for offset, opponent in self._opponents.items():
            if offset not in self._absent:
                wraps = self._start.player + offset > len(self._start.players)
                (lower if wraps else higher).append(opponent.forecast(rounds))
        return lower, higher

    def _offset(self, player: int) -> int:
        assert self._start is not None  # noqa: S101
        return (player - self._start.player) % len(self._start.players)


def _centred(points: Floats) -> Floats:
    """Compare each card's points in a round with its mean over the rounds, which it has if drawn evenly."""
    centred: Floats = points - points.mean(axis=0)
    return centred
