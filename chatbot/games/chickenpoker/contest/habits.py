"""What a player may be in the habit of doing: each habit forecasts its next cards, and learns from each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chatbot.games.chickenpoker.contest.assignment import Floats, Places

_FADE = 0.9  # of what was learned, each time something is learned about the same


@dataclass(slots=True, eq=False)
class RoundScene:
    """What a player saw when it chose."""

    number: int  # of the round, from 0
    held: NDArray[np.bool_]  # whether it holds the cards 1..n
    last: int  # its own card of the previous round; 0: it is the first
    others: int  # the highest of the other cards of the previous round
    before: Places  # what we played in the previous game, round by round; zeros: it is the first

    @property
    def cards(self) -> int:
        return len(self.held)

    def even(self, rounds: int) -> Floats:
        """Forecast every card it holds with the same probability."""
        return np.tile(self.held / self.held.sum(), (rounds, 1))


class Habit(Protocol):
    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        """How likely it shows each card in each of the next rounds, (rounds, n); only cards that it holds."""

    def learn(self, scene: RoundScene, card: int) -> None: ...


class ByRound:
    """Plays the same cards in the same rounds, game after game; a small `memory` is that of the last game."""

    def __init__(self, cards: int, memory: float) -> None:
        self._seen = np.zeros((cards, cards))
        self._memory = memory

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        return _among(scene, self._seen[scene.number : scene.number + rounds])

    def learn(self, scene: RoundScene, card: int) -> None:
        self._seen[scene.number] *= self._memory
        self._seen[scene.number, card - 1] += 1


class StepHabit:
    """Goes on by the same step, wrapping within 1..n, wherever it starts."""

    def __init__(self, cards: int) -> None:
        self._steps = np.zeros(cards)
        self._starts = np.zeros(cards)

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        step = int(self._steps.argmax())
        first = np.roll(self._steps, scene.last - 1) if scene.last else self._starts
        found = np.zeros((rounds, scene.cards))
        found[0] = first
        sure = self._steps[step] / self._steps.sum() if self._steps.any() else 0.0
        if first.any():
            later = np.arange(1, rounds)
            found[later, (int(first.argmax()) + later * step) % scene.cards] = sure
        return _among(scene, found, of=1.0)

    def learn(self, scene: RoundScene, card: int) -> None:
        seen, place = (self._steps, card - scene.last) if scene.last else (self._starts, card - 1)
        seen *= _FADE
        seen[place % scene.cards] += 1


class ByRank:
    """Plays the highest it holds, or the lowest, or the third from either end, and so on."""

    def __init__(self, cards: int, from_top: bool) -> None:
        self._ranks = np.zeros(cards)
        self._from_top = from_top

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        hand = list(self._hand(scene))
        found = np.zeros((rounds, scene.cards))
        found[0, hand] = self._ranks[: len(hand)]
        rank = int(self._ranks.argmax())
        sure = self._ranks[rank] / self._ranks.sum() if self._ranks.any() else 0.0
        for number in range(rounds):
            card = hand.pop(min(rank, len(hand) - 1))
            if number:
                found[number, card] = sure
        return _among(scene, found, of=1.0)

    def learn(self, scene: RoundScene, card: int) -> None:
        self._ranks *= _FADE
        self._ranks[int(np.flatnonzero(self._hand(scene) == card - 1)[0])] += 1

    def _hand(self, scene: RoundScene) -> Places:
        hand = np.flatnonzero(scene.held)
        return hand[::-1] if self._from_top else hand


class ReplyHabit:
    """Answers the highest of the others' last cards with one that is so much higher or lower."""

    def __init__(self, cards: int) -> None:
        self._differences = np.zeros(2 * cards + 1)

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        found = np.zeros((rounds, scene.cards))
        if scene.others:
            found[0] = self._differences[np.arange(1, scene.cards + 1) - scene.others + scene.cards]
        return _among(scene, found)

    def learn(self, scene: RoundScene, card: int) -> None:
        if scene.others:
            self._differences *= _FADE
            self._differences[card - scene.others + scene.cards] += 1


class Counter:
    """Expects us to play as in the previous game, and plays so much higher or lower."""

    def __init__(self, cards: int) -> None:
        self._differences = np.zeros(2 * cards + 1)

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        ours = scene.before[scene.number : scene.number + rounds, None]
        places = np.arange(1, scene.cards + 1) - ours + scene.cards
        return _among(scene, np.where(ours > 0, self._differences[places], 0.0))

    def learn(self, scene: RoundScene, card: int) -> None:
        ours = int(scene.before[scene.number])
        if ours:
            self._differences *= _FADE
            self._differences[card - ours + scene.cards] += 1


def every(cards: int) -> tuple[Habit, ...]:
    return (
        ByRound(cards, 0.95),
        ByRound(cards, 0.2),
        StepHabit(cards),
        ByRank(cards, from_top=True),
        ByRank(cards, from_top=False),
        ReplyHabit(cards),
        Counter(cards),
    )


def _among(scene: RoundScene, seen: Floats, of: float = 0.0) -> Floats:
    """Make probabilities of what was seen: only cards that it holds, and each of them a little.

    `of`: the rows after the first are probabilities already, whose rest is spread evenly.
    """
    even = scene.held / scene.held.sum()
    kept = seen * scene.held
    if of:
        kept[1:] += (of - kept[1:].sum(axis=1, keepdims=True)) * even
    kept[: 1 if of else None] += even
    found: Floats = kept / kept.sum(axis=1, keepdims=True)
    return found
