"""`adaptive`: learns the habits of its opponents within a session, and plays the best answer to them.

What is left of a game is a table: the expected points of each card it holds in each round to come, against
what the opponents are forecast to show. The best way to spread its cards over the rounds is an
assignment. Where no habit is in sight all ways score the same, and it draws evenly, which nobody
can foretell. Against whoever draws evenly themselves, nothing can be gained or lost: see `equilibrium`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.chickenpoker.contest.session import Start
    from chatbot.kernel.fair import Rng

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


_HORIZON = 60  # rounds that are planned at a time
_WORTHWHILE = 0.02  # of the points at stake in these rounds; less is not worth being foretold
_CHANGED = 0.02  # of the highest card: a plan is kept while no prospect in it has changed by more


@dataclass(slots=True, eq=False)
class AdaptivePlan:
    """A card for each round to come, and the prospects for which it was made."""

    cards: list[int]  # round by round
    hand: Places
    gains: Floats  # (rounds, cards of the hand)
    passed: int = 0  # rounds

    def holds(self, hand: Places, gains: Floats, tolerance: float) -> bool:
        """Return whether the prospects are still what they were."""
        old = self.gains[self.passed :][:, np.isin(self.hand, hand)]
        return old.shape == gains.shape and bool(np.abs(centred(old) - gains).max() <= tolerance)


class Adaptive:
    """A player of sessions that learns what each opponent is in the habit of doing."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._start: Start | None = None
        self._opponents: dict[int, Opponent] = {}  # by how much their ids are above ours, which never changes
        self._absent: set[int] = set()  # who has forfeited this game
        self._hand: list[int] = []
        self._played_cards: list[int] = []
        self._plan: AdaptivePlan | None = None

    def begin(self, start: Start) -> None:
        before = np.array(self._played_cards + [0] * (start.cards - len(self._played_cards)), dtype=np.int64)
        if self._start is None or (start.cards, start.players) != (self._start.cards, self._start.players):
            before = np.zeros(start.cards, dtype=np.int64)
            self._opponents = {offset: Opponent(start.cards) for offset in range(1, len(start.players))}
        for offset, opponent in self._opponents.items():
            opponent.begin(before, learn=offset not in self._absent)
        self._start, self._plan, self._absent = start, None, set()
        self._hand, self._played_cards = list(range(1, start.cards + 1)), []

    def choose(self, last_cards: Mapping[int, int]) -> int:
        self._see(last_cards)
        card = self._next_card(last_cards)
        self.play(card)
        return card

    def foresee(self, last_cards: Mapping[int, int]) -> list[int]:
        """Return what it has planned from this round on, or nothing if it will draw; `play` follows."""
        self._see(last_cards)
        card = self._planned_card()
        return [] if card is None or self._plan is None else [card, *self._plan.cards[self._plan.passed :]]

    def play(self, card: int) -> None:
        """Take note that it plays this card."""
        self._hand.remove(card)
        self._played_cards.append(card)

    def leave(self) -> None:
        """Take note that a game ends: what is left of its hand it has played."""
        self._played_cards += self._hand
        self._hand = []

    def forfeited(self) -> None:
        """Do nothing: `begin` resets what belongs to a game."""

    def _next_card(self, last_cards: Mapping[int, int]) -> int:  # noqa: ARG002  (who plays better looks at it)
        card = self._planned_card()
        return self._rng.choice(self._hand) if card is None else card

    def _see(self, last_cards: Mapping[int, int]) -> None:
        """Learn from the previous round."""
        if not last_cards:
            return
        by_offset = {self._offset(player): card for player, card in last_cards.items()}
        self._absent = self._opponents.keys() - by_offset.keys()
        for offset, card in by_offset.items():
            if offset:
                others = max(other for each, other in by_offset.items() if each != offset)
                self._opponents[offset].see(card, others)

    def _planned_card(self) -> int | None:
        """Return the next card of the best plan, or none if no plan is worth it."""
        rounds, hand = min(len(self._hand), _HORIZON), np.array(self._hand, dtype=np.int64)
        gains = centred(prospects(hand, *self._forecasts(rounds)))
        plan = self._plan
        if plan is None or not plan.holds(hand, gains, _CHANGED * int(hand[-1])):
            plan = self._make_plan(hand, gains)
        self._plan = plan
        if plan is None:
            return None
        plan.passed += 1
        return plan.cards[plan.passed - 1]

    def _make_plan(self, hand: Places, gains: Floats) -> AdaptivePlan | None:
        """Make a plan, if it is worth it; `gains` are what is scored beyond drawing evenly."""
        least = _WORTHWHILE * len(gains) * float(hand.mean()) * (len(self._opponents) + 1)
        if len(gains) == 1 or gains.max(axis=1).sum() < least:
            return None
        places = assign(gains)
        if gains[np.arange(len(gains)), places].sum() < least:
            return None
        return AdaptivePlan([int(card) for card in hand[places]], hand, gains)

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


def centred(points: Floats) -> Floats:
    """Compare each card's points in a round with its mean over the rounds, which it has if drawn evenly."""
    centred: Floats = points - points.mean(axis=0)
    return centred


# What one opponent will show: a mix of its possible habits, each weighted by how well it has foretold.
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
        hand = np.flatnonzero(self._scene.held)
        if learn and len(hand) == 1:  # the last round is not told, but nothing else is left
            self.see(int(hand[0]) + 1, 0)
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
        mix = even * self._weights[0]
        for weight, habit in zip(self._weights[1:], self._habits, strict=True):
            if weight > _LIGHT:
                mix += weight * ((1 - _DOUBT) * habit.forecast(scene, rounds) + _DOUBT * even)
        probabilities: Floats = mix / mix.sum(axis=1, keepdims=True)
        return probabilities

    def _weigh(self, scene: RoundScene, card: int) -> None:
        """Let the habits that foretold this card gain weight (Herbster and Warmuth 1998)."""
        if scene.held.sum() == 1:
            return
        even = 1 / scene.held.sum()
        forecasts = [habit.forecast(scene, 1)[0, card - 1] for habit in self._habits]
        likelihoods = np.array([even, *((1 - _DOUBT) * each + _DOUBT * even for each in forecasts)])
        weights = self._weights * likelihoods
        self._weights = (1 - _RENEWED) * weights / weights.sum() + _RENEWED * self._first

    def _opening(self, before: Places) -> RoundScene:
        return RoundScene(0, np.ones(self._cards, dtype=np.bool_), 0, 0, before)


# What a player may be in the habit of doing: each habit forecasts its next cards, and learns from each.
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
        """The highest card, n."""
        return len(self.held)

    def even(self, rounds: int) -> Floats:
        """Forecast every card it holds with the same probability."""
        return np.tile(self.held / self.held.sum(), (rounds, 1))


class Habit(Protocol):
    """A way to play that an opponent may have, and what has been learned of it."""

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        """How likely it shows each card in each of the next rounds, (rounds, n); only cards that it holds."""

    def learn(self, scene: RoundScene, card: int) -> None: ...


class ByRound:
    """Plays the same cards in the same rounds, game after game; a small `memory` is that of the last game."""

    def __init__(self, cards: int, memory: float) -> None:
        self._counts = np.zeros((cards, cards))
        self._memory = memory

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        return _among(scene, self._counts[scene.number : scene.number + rounds])

    def learn(self, scene: RoundScene, card: int) -> None:
        self._counts[scene.number] *= self._memory
        self._counts[scene.number, card - 1] += 1


class StepHabit:
    """Goes on by the same step, wrapping within 1..n, wherever it starts."""

    def __init__(self, cards: int) -> None:
        self._steps = np.zeros(cards)
        self._starts = np.zeros(cards)

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        step = int(self._steps.argmax())
        first = np.roll(self._steps, scene.last - 1) if scene.last else self._starts
        weights = np.zeros((rounds, scene.cards))
        weights[0] = first
        sure = self._steps[step] / self._steps.sum() if self._steps.any() else 0.0
        if first.any():
            later = np.arange(1, rounds)
            weights[later, (int(first.argmax()) + later * step) % scene.cards] = sure
        return _among(scene, weights, of=1.0)

    def learn(self, scene: RoundScene, card: int) -> None:
        counts, place = (self._steps, card - scene.last) if scene.last else (self._starts, card - 1)
        counts *= _FADE
        counts[place % scene.cards] += 1


class ByRank:
    """Plays the highest it holds, or the lowest, or the third from either end, and so on."""

    def __init__(self, cards: int, from_top: bool) -> None:
        self._ranks = np.zeros(cards)
        self._from_top = from_top

    def forecast(self, scene: RoundScene, rounds: int) -> Floats:
        hand = list(self._hand(scene))
        weights = np.zeros((rounds, scene.cards))
        weights[0, hand] = self._ranks[: len(hand)]
        rank = int(self._ranks.argmax())
        sure = self._ranks[rank] / self._ranks.sum() if self._ranks.any() else 0.0
        for number in range(rounds):
            card = hand.pop(min(rank, len(hand) - 1))
            if number:
                weights[number, card] = sure
        return _among(scene, weights, of=1.0)

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
        weights = np.zeros((rounds, scene.cards))
        if scene.others:
            weights[0] = self._differences[np.arange(1, scene.cards + 1) - scene.others + scene.cards]
        return _among(scene, weights)

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
    """Return all habits that are looked for, with nothing learned yet, for the cards 1..n."""
    return (
        ByRound(cards, 0.95),
        ByRound(cards, 0.2),
        StepHabit(cards),
        ByRank(cards, from_top=True),
        ByRank(cards, from_top=False),
        ReplyHabit(cards),
        Counter(cards),
    )


def _among(scene: RoundScene, weights: Floats, of: float = 0.0) -> Floats:
    """Make probabilities of what was seen: only cards that it holds, and each of them a little.

    `of`: the rows after the first are probabilities already, whose rest is spread evenly.
    """
    even = scene.held / scene.held.sum()
    held_weights = weights * scene.held
    if of:
        held_weights[1:] += (of - held_weights[1:].sum(axis=1, keepdims=True)) * even
    held_weights[: 1 if of else None] += even
    probabilities: Floats = held_weights / held_weights.sum(axis=1, keepdims=True)
    return probabilities


# What each card would score in each of the rounds to come, if the others play as is forecast.


def prospects(hand: Places, lower: Sequence[Floats], higher: Sequence[Floats]) -> Floats:
    """Return the expected points of each card of the hand in each round: (rounds, cards).

    `lower` and `higher` are the forecasts of the players with lower and with higher ids than the own: how
    likely each shows each of the cards 1..n in each round, (rounds, n); they are taken as independent.
    """
    below, above = _ties(hand, lower), _ties(hand, higher)
    points: Floats = np.zeros((1, len(hand)))
    for before, (chance, card_sum) in enumerate(below):
        for after, (other_chance, other_card_sum) in enumerate(above):
            wins = hand % (before + after + 1) == before  # the rule of `showdown.winner`
            worth = chance * other_chance * hand + card_sum * other_chance + chance * other_card_sum
            points = points + np.where(wins, worth, 0.0)  # it may grow to more rounds
    return points


def _ties(hand: Places, forecasts: Sequence[Floats]) -> list[tuple[Floats, Floats]]:
    """Count those who show the same card as ours while none of them shows a higher one.

    For 0, 1, 2 … such players: how likely that is, and that times what they all show.
    """
    rounds = len(forecasts[0]) if forecasts else 1
    by_count = [(np.ones((rounds, len(hand))), np.zeros((rounds, len(hand))))]
    for forecast in forecasts:
        equal, under, card_sum = _one(hand, forecast)
        following = [(chance * under, points * under + chance * card_sum) for chance, points in by_count]
        following.append((np.zeros_like(equal), np.zeros_like(equal)))
        for ties, (chance, points) in enumerate(by_count, 1):
            before = following[ties]
            following[ties] = (before[0] + chance * equal, before[1] + points * equal + chance * equal * hand)
        by_count = following
    return by_count


def _one(hand: Places, forecast: Floats) -> tuple[Floats, Floats, Floats]:
    """How likely one player shows the same card as ours, a lower one, and what that shows on average."""
    values = np.arange(1, forecast.shape[1] + 1)
    up_to, points = forecast.cumsum(axis=1), (forecast * values).cumsum(axis=1)
    equal = forecast[:, hand - 1]
    return equal, up_to[:, hand - 1] - equal, points[:, hand - 1] - equal * hand


# Gives each of some rounds a card of its own, so that all of them together gain the most.


def assign(gains: Floats) -> Places:
    """Assign each row a column of its own such that the sum of the gains is the largest.

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
    places = np.zeros(rows, dtype=np.int64)
    used_columns = np.flatnonzero(owner[1:])
    places[owner[1:][used_columns] - 1] = used_columns
    return places


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
