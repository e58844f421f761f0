"""`champion`: plays as `adaptive`, and foresees what an `adaptive` opponent has planned.

What can be won, and from whom. Nobody wins anything from an opponent who draws evenly, which `random` and
`nash` do, neither points nor games: their cards meet ours in an order that is even whatever we do
(`equilibrium`). Against everybody else a habit can be learned, as `adaptive` does. Against an `adaptive`
there is more: it is told no more than we are, so what it knows can be worked out, and where it has a
plan, that follows from what it knows without any luck. As long as such an opponent has no plan it draws
evenly, and meanwhile any habit of ours costs nothing. So the champion plays the same order in each game, in
which `adaptive` sees a habit, and answers the plan that comes of it with the best cards against that.

Whoever plays another card than the one foreseen is no `adaptive`: from then on this plays as one does, and
shows no habit. Tables of more than two it leaves to `adaptive`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.chickenpoker.contest.adaptive import Adaptive, assign, centred, prospects
from chatbot.games.chickenpoker.contest.session import Start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.contest.adaptive import Floats
    from chatbot.kernel.fair import Rng


class Champion(Adaptive):
    """A player of sessions that learns what its opponents do, and what one who learns makes of that."""

    def __init__(self, rng: Rng) -> None:
        super().__init__(rng)
        self._mirror = Mirror(rng)

    def begin(self, start: Start) -> None:
        super().begin(start)
        self._mirror.begin(start)

    def _next_card(self, last_cards: Mapping[int, int]) -> int:
        their_cards = self._mirror.foresee(last_cards)
        if their_cards:
            return self._reply(their_cards)
        card = self._planned_card()
        if card is not None:
            return card
        self._plan = None
        return self._hand[0] if self._mirror.believed else self._rng.choice(self._hand)

    def _reply(self, their_cards: Sequence[int]) -> int:
        """Return the next of the best cards against these."""
        assert self._start is not None  # noqa: S101
        hand, rounds = np.array(self._hand, dtype=np.int64), len(their_cards)
        shows = np.zeros((rounds, self._start.cards))
        shows[np.arange(rounds), np.array(their_cards) - 1] = 1
        ours_is_lower = self._start.player == 1
        gains: Floats = prospects(hand, *(([], [shows]) if ours_is_lower else ([shows], [])))
        return int(hand[assign(centred(gains))[0]])


class Mirror:
    """What an `adaptive` in the place of the only opponent would be about to do."""

    def __init__(self, rng: Rng) -> None:
        self._as_adaptive = Adaptive(rng)
        self._foreseen_card: int | None = None
        self._other = 0  # id of the opponent in this game
        self.believed = True  # nobody has played another card than the one foreseen

    def begin(self, start: Start) -> None:
        self.believed = self.believed and len(start.players) == 2
        if self.believed:
            self._as_adaptive.leave()
            self._other = sum(start.players) - start.player
            self._as_adaptive.begin(Start(self._other, start.cards, start.players))
            self._foreseen_card = None

    def foresee(self, last_cards: Mapping[int, int]) -> Sequence[int]:
        """Return the cards that it has planned for the rounds to come; none if it draws."""
        if self.believed and last_cards:
            self._compare(last_cards)
        if not self.believed:
            return ()
        plan = self._as_adaptive.foresee(last_cards)
        self._foreseen_card = plan[0] if plan else None
        return plan

    def _compare(self, last_cards: Mapping[int, int]) -> None:
        card = last_cards.get(self._other)
        self.believed = card is not None and self._foreseen_card in {None, card}
        if card is not None:
            self._as_adaptive.play(card)
