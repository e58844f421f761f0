"""What keeping and rejecting bring in decks too large to be worked out exactly.

The turn, the range of K and the number still needed have a worth (`Learning`) that forgets which cards
have gone. To it is added what difference these cards make to somebody who is told K now (`settled_worth`).
Nothing is drawn by lot: the same question has the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from chatbot.games.highshow.solver.remaining import (
    Cost,
    Floats,
    RemainingWorth,
    Unseen,
    narrowed,
    typical,
    unseen,
)
from chatbot.kernel.contest import unheard
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from chatbot.games.highshow.rules.terms import Terms
    from chatbot.kernel.contest import OnProgress

    Advise = Callable[[Sequence[int], int, int], tuple[float, float]]

STEPS = 4000  # of the games that `value` plays: cards that have a price
OPENING = 0.06  # so many steps more for each card of the deck: the first ones, when K can be anything
FEWEST_GAMES, MOST_GAMES = 5, 400
PILOTS = 2  # games played first, to see how many cards come in a game
METHOD = (
    "half way between what good play earns in {games} shuffles and the most that they show any play to earn; "
    "the error is half the distance between these, and the luck of {games} shuffles with 95% confidence"
)


class Estimate:
    """The expected further profit in any situation of a game on these terms."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._cost = Cost.of(terms)
        self.worth = RemainingWorth(terms)

    def advise(self, before: Sequence[int], card: int, needed: int) -> tuple[float, float]:
        """Return the expected further profit of keeping the card shown, and of seeing another."""
        cards = {*before, card}
        lowest, starts = narrowed(self._terms, cards)
        fixed, each = self._cost.line(lowest + (starts - 1) / 2, len(cards))
        keep, another = map(float, self._further(cards, lowest, starts, needed))
        return card + keep, another - fixed - each * card

    def _further(self, cards: Collection[int], lowest: int, starts: int, needed: int) -> Floats:
        """Return what comes after these cards if one less is needed, and if as many are."""
        turn, numbers = len(cards), np.array([needed - 1.0, needed])
        row = unseen(self._terms, cards, lowest, starts)
        actual = Unseen.of(self._cost, lowest, starts, turn, row).bests(numbers)
        if starts == 1 or turn > self.worth.horizon:
            return actual
        evenly = typical(self._terms, turn, lowest, starts)
        usual = Unseen.of(self._cost, lowest, starts, turn, evenly).bests(numbers)
        level = self.worth.look(turn, np.array([float(lowest)]), np.array([float(starts)]))[0]
        place = needed - self._terms.keep - 1  # from the end: the last column is for all M
        worth: Floats = level[[place - 1, place]] + actual - usual
        return worth


def value(terms: Terms, progress: OnProgress = unheard) -> tuple[float, float, str]:
    """Return the value of best play, within which error it lies, and how that was found.

    Takes at most about five seconds. The shuffles are always the same ones.
    """
    estimate = Estimate(terms)
    games = affordable(terms, estimate.advise)
    interval = bounds(terms, estimate.advise, games, "value", progress, estimate.worth)
    return interval.middle, interval.error, METHOD.format(games=games)


def affordable(terms: Terms, advise: Advise) -> int:
    """Return how many games about so many `STEPS` are; one pilot is enough where the fewest are too many."""
    cards, games = 0, MOST_GAMES
    for deck in shuffles(terms, PILOTS, "pilots"):
        cards += len(rejections(terms, advise, deck))
        steps = min(PRICED * cards / PILOTS + MORE_PRICED, terms.cards) + OPENING * terms.cards
        games = min(max(int(STEPS / steps), FEWEST_GAMES), MOST_GAMES)
        if games == FEWEST_GAMES:
            break
    return games


# Between what bounds the value of best play lies, found by playing shuffles.
#
# From below: the mean profit of one policy. From above: the mean over shuffles of what somebody would make
# who knows the whole shuffle, but pays for what this tells. The price of a card is by how much it raises
# an approximate worth of the situation against its mean over all the cards that might have come: for play
# that knows no more than it has seen the prices are 0 in the mean, whatever the approximation is worth, so
# no policy can do better than this (Brown, Smith and Sun, "Information relaxations and duality in stochastic
# dynamic programs", Operations Research 58 (2010)). The policy pays the same prices, which takes nearly all
# the luck out of its mean.


PRICED, MORE_PRICED = 1.5, 40  # times the cards that the policy has seen, and cards, before cards are free
MOST_STARTS = 4  # values of K at which to weigh which cards have gone
MOST_WORK = 60_000  # values of K × cards left × numbers needed, beyond which that is not weighed


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of independent values and its standard error."""

    amount: float
    error: float

    @classmethod
    def of(cls, values: Floats) -> Mean:
        """Return the mean of values, and its standard error."""
        return cls(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a policy earns, what none can exceed, and how far apart these are on the same shuffles."""

    games: int
    policy: Mean
    best: Mean
    gap: Mean

    @property
    def middle(self) -> float:
        """The middle between what the policy earns and what none can exceed."""
        return (self.policy.amount + self.best.amount) / 2

    @property
    def error(self) -> float:
        """Half the gap, and as many standard errors of either end as hold 95 of 100 means.

        Two of them in many games, more in few: as Student's distribution is wider.
        """
        errors = 2 * float(((self.games - 1) / max(self.games - 3, 1)) ** 0.5)
        return max(self.gap.amount, 0.0) / 2 + errors * max(self.policy.error, self.best.error)


def bounds(
    terms: Terms,
    advise: Advise,
    games: int,
    word: str,
    progress: OnProgress = unheard,
    worth: RemainingWorth | None = None,
) -> Bounds:
    """Play so many shuffles, drawn from the stream that the word stands for; `worth` if it is known."""
    toll, pairs = Toll(terms, worth), list[tuple[float, float]]()
    for deck in shuffles(terms, games, word):
        progress(len(pairs), games)
        pairs.append(both(terms, toll, advise, deck))
    policy, best = np.array(pairs, dtype=np.float64).T
    return Bounds(games, Mean.of(policy), Mean.of(best), Mean.of(best - policy))


def shuffles(terms: Terms, games: int, word: str) -> Iterator[list[int]]:
    """Draw K and an order of its cards, over and over.

    K is drawn from as many parts of its range in turn as there are games: each is as likely as by plain
    draws, and means come out nearer than their standard errors say.
    """
    rng, most = Rng.of(word), terms.highest_start
    for game in range(games):
        lowest = 1 + (game * most + rng.below(most)) // games
        yield rng.shuffled(range(lowest, lowest + terms.cards))


def both(terms: Terms, toll: Toll, advise: Advise, deck: list[int]) -> tuple[float, float]:
    """Return the profit of the policy and of foresight on this shuffle, both after what they pay.

    The cards long after those that the policy has seen are free: prices need only be 0 in the mean, and
    whether there is one is known before the card comes.
    """
    rejected = rejections(terms, advise, deck)
    count = min(int(PRICED * len(rejected)) + MORE_PRICED, len(deck))
    steps = [toll.step(deck[:turn], card) for turn, card in enumerate(deck[:count])]
    steps += toll.free(deck, count)
    return policy_profit(terms, deck, rejected, steps), foresight_profit(terms, deck, steps)


def rejections(terms: Terms, advise: Advise, deck: list[int]) -> list[bool]:
    """Return of each card until the last one is kept whether the policy rejects it."""
    needed, flags = terms.keep, list[bool]()
    for turn, card in enumerate(deck):
        if not needed:
            break
        forced = terms.cards - turn == needed
        flags.append(not forced and not is_kept(advise(deck[:turn], card, needed)))
        needed -= not flags[-1]
    return flags


def policy_profit(terms: Terms, deck: list[int], rejected: list[bool], steps: list[BoundStep]) -> float:
    needed, profit = terms.keep, 0.0
    for card, refused, step in zip(deck, rejected, steps, strict=False):
        profit -= float(step.prices[needed])
        profit += -step.rejection if refused else card
        needed -= not refused
    return profit


def is_kept(advice: tuple[float, float]) -> bool:
    """Return whether keeping is no worse than another card."""
    keep, another = advice
    return keep >= another


def foresight_profit(terms: Terms, deck: list[int], steps: list[BoundStep]) -> float:
    """Work back from the last card which cards are best kept; `worth` has a place for each number needed."""
    worth = np.full(terms.keep + 1, -np.inf)
    worth[0] = 0
    for card, step in zip(reversed(deck), reversed(steps), strict=True):
        choice = worth - step.rejection
        choice[1:] = np.maximum(choice[1:], card + worth[:-1])
        worth = choice - step.prices
        worth[0] = 0
    return float(worth[-1])


@dataclass(frozen=True, slots=True)
class BoundStep:
    """A card as it comes."""

    rejection: float  # its expected cost, given the cards up to it
    prices: Floats  # of knowing that it would come, for 0..M cards needed


class Toll:
    """What it is worth to know the next card, for any number of cards needed."""

    def __init__(self, terms: Terms, worth: RemainingWorth | None = None) -> None:
        self._terms = terms
        self._cost = Cost.of(terms)
        self._worth = RemainingWorth(terms) if worth is None else worth

    def step(self, before: Sequence[int], card: int) -> BoundStep:
        turn = len(before)
        lowest, starts = narrowed(self._terms, (*before, card))
        means, changes = self._mean(before)
        row, first, count = (np.array([each], dtype=np.float64) for each in (card, lowest, starts))
        worth = self._worth_of(turn, row, first, count, changes.without(card))[0]
        prices = np.zeros(self._terms.keep + 1)
        prices[-len(worth) :] = worth - means
        return BoundStep(float(self._cost.of_one(lowest + (starts - 1) / 2, turn + 1, card)), prices)

    def free(self, deck: Sequence[int], first: int) -> Iterator[BoundStep]:
        """Yield the steps of the cards from that turn on, without a price."""
        prices = np.zeros(self._terms.keep + 1)
        least, most = min(deck[: first + 1]), max(deck[: first + 1])
        for turn, card in enumerate(deck[first:], first):
            least, most = min(least, card), max(most, card)
            lowest, starts = narrowed(self._terms, (least, most))
            cost = self._cost.of_one(lowest + (starts - 1) / 2, turn + 1, card)
            yield BoundStep(float(cost), prices)

    def _mean(self, before: Sequence[int]) -> tuple[Floats, Gone]:
        """Return the mean worth over the cards that may come, and what each would change."""
        cards, most, turn = self._terms.cards, self._terms.highest_start, len(before)
        if not before:
            return self._ends(0, np.arange(1.0, most + cards), 1, most, 0.0), Gone()
        lowest, starts = narrowed(self._terms, before)
        row = unseen(self._terms, before, lowest, starts)
        low, common, high = np.split(row, (starts - 1, len(row) - starts + 1))
        changes = self._changes(turn, row, common, lowest, starts)
        ends = self._ends(turn, np.concatenate((low, high)), lowest, starts, changes.mean)
        if len(changes.cards):
            first, count = (
                np.array([each], dtype=np.float64) for each in (lowest, starts)
            )  # for all of them
            inside = self._worth_of(turn, common, first, count, changes.rows).sum(axis=0)
        else:
            inside = self._common(turn, common, lowest, starts)
        return ends + inside / (cards - turn), changes

    def _changes(self, turn: int, row: Floats, common: Floats, lowest: int, starts: int) -> Gone:
        """Weigh which cards have gone, where that does not take too long."""
        needed = self._worth.columns(turn + 1)
        left = self._terms.cards - turn
        if not len(common) or left < 2 or min(starts, MOST_STARTS) * left * len(needed) > MOST_WORK:
            return Gone()
        actual = Unseen.of(self._cost, lowest, starts, turn + 1, row, MOST_STARTS)
        if starts == 1:
            usual = self._worth.look(turn + 1, np.array([float(lowest)]), np.array([1.0]))[0]
        else:
            evenly = typical(self._terms, turn + 1, lowest, starts)
            usual = Unseen.of(self._cost, lowest, starts, turn + 1, evenly, MOST_STARTS).bests(needed)
        return Gone(common, actual.without(common, needed) - usual)

    def _ends(self, turn: int, row: Floats, lowest: int, starts: int, change: Floats | float) -> Floats:
        """Return the part in the mean of cards that only some decks have: they narrow K."""
        first = np.maximum(lowest, row - self._terms.cards + 1)
        count = np.minimum(lowest + starts - 1, row) - first + 1
        chances = count / (starts * (self._terms.cards - turn))
        mean: Floats = np.dot(chances, self._worth_of(turn, row, first, count, change))
        return mean

    def _common(self, turn: int, row: Floats, lowest: int, starts: int) -> Floats:
        """Sum over the cards that every deck has, if only the range of K that they lead to counts."""
        first, count = np.array([float(lowest)]), np.array([float(starts)])
        keep, another = (rows[0] for rows in self._choices(turn, first, count, 0.0))
        fixed, each = self._cost.line(lowest + (starts - 1) / 2, turn + 1)
        rejections = np.searchsorted(row, (another - keep - fixed) / (1 + each))
        sums = np.concatenate(([0.0], np.cumsum(row)))
        gains = sums[-1] - sums[rejections] + (len(row) - rejections) * keep
        costs = rejections * fixed + each * sums[rejections]
        total: Floats = gains + rejections * np.where(rejections > 0, another, 0) - costs
        return total

    def _worth_of(
        self, turn: int, row: Floats, lowest: Floats, starts: Floats, change: Floats | float
    ) -> Floats:
        """Return a row for each card that may come and leaves so many K from `lowest` on.

        Where all leave the same, that is given once.
        """
        keep, another = self._choices(turn, lowest, starts, change)
        costs = self._cost.of_one(lowest + (starts - 1) / 2, turn + 1, row)
        worth: Floats = np.maximum(row[:, None] + keep, another - np.broadcast_to(costs, row.shape)[:, None])
        return worth

    def _choices(
        self, turn: int, lowest: Floats, starts: Floats, change: Floats | float
    ) -> tuple[Floats, Floats]:
        """Return what follows when the next card is kept or not; columns are 1..M cards needed, or fewer."""
        later = self._worth.look(turn + 1, lowest, starts) + change
        keep, another = later[:, :-1], later[:, 1:].copy()
        another[:, self._worth.columns(turn + 1)[1:] >= self._terms.cards - turn] = -np.inf
        return keep, another


@dataclass(frozen=True, slots=True)
class Gone:
    """What a worth changes by with the cards that have gone, for each next card: nothing if not weighed."""

    cards: Floats = field(default_factory=lambda: np.empty(0))  # that every deck has, in order
    rows: Floats = field(default_factory=lambda: np.zeros((1, 1)))  # for each, by cards needed then

    @property
    def mean(self) -> Floats:
        return np.asarray(self.rows.mean(axis=0), dtype=np.float64)

    def without(self, card: int) -> Floats:
        """Return the row of that card; a card that narrows K has the mean of the others."""
        place = int(np.searchsorted(self.cards, card))
        if place < len(self.cards) and self.cards[place] == card:
            return np.asarray(self.rows[place], dtype=np.float64)
        return self.mean
