"""What the best reply to each strategy of the house returns in a market of two.

Two players have 2 points and 1, so the better hand gets two thirds of the pot: 4/3 of a stake, and the other
2/3. What a reply returns is hence 2/3 and 2/3 of its chance to end with the better hand.

**Who never lets its place become worse** returns exactly 1 in any number of rounds. Dealt the better hand, it
ends with it. Dealt the worse one, it ends with that if the other declines and passes, and no reply can do
better than end with the better hand. So the deal decides, and as seats and hands are drawn evenly, each of
the two is ahead in half of the deals. (Of equal hands the later turn is better: there is no third case.)

- `passive` changes nothing.
- `greedy` proposes and accepts only what leaves its place as good, by its rule.
- `search` and `broker` act only where `Outlook.worth` becomes greater: half of what stands at once, half of
  what they foresee, a hand counting less than half a point. Ahead, what they foresee stays ahead, for they
  foresee `greedy`'s answers and proposals of their own. Falling behind costs half of a point at once, which
  the other halves cannot make up: their hands gain less than a quarter each. Among more players a place is
  worth as much but more can come of it, so this is a theorem of two.

`never_behind` holds this against what they do, for a proof can be of another program than the one that plays.

`random` answers by tossing a coin. For ten cards all 252 ways to hold them, in both seats, are worked through
backwards: what the reply proposes, and whether it accepts. Only the ten cards are drawn, and what they are
worth without any trade is 1/2 in each case, so their luck is not in the figure.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.pokermarket.contest.contestants import ACCEPT, CONTESTANTS, PASS, Situation
from chatbot.games.pokermarket.contest.evaluation import ranks
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.states import Done
from chatbot.kernel.cards import DECK, HAND
from chatbot.kernel.contest import Learner
from chatbot.kernel.fair import Rng
from chatbot.kernel.returns import BestReply, exactly, searched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.pokermarket.contest.contestants import TurnChoice

Numbers: TypeAlias = NDArray[np.float64]

LENGTHS = range(1, 6)
NEVER_BEHIND = ("greedy", "search", "broker", "passive")
PLAYERS = 2
BEHIND, AHEAD = Fraction(2, 3), Fraction(4, 3)  # of a stake: a third of the pot, and two
TESTED = 200
"""Deals in which each strategy is held against the theorem.

So many notice a `search` to which a hand is worth three points; forty do not.
"""
DRAWN = 6000  # sets of ten cards
BATCH = 250  # sets that are worked through at once: some 13 MB an array
SEED = "returns of poker market"


def figures() -> Iterator[tuple[str, int, BestReply]]:
    """Work out all strategies at all lengths that a chat can choose.

    Raises:
        ArithmeticError: a strategy lets its place become worse, of which it is proved that it does not.
    """
    for name in NEVER_BEHIND:
        if not never_behind(name, TESTED):
            raise ArithmeticError(f"{name} lets its place become worse, so its return is not known")
        yield from ((name, rounds, exactly((BEHIND + AHEAD) / 2, "ahead")) for rounds in LENGTHS)
    yield from (("random", rounds, each) for rounds, each in zip(LENGTHS, to_random(DRAWN), strict=True))


# Strategies that never let their place become worse.


def never_behind(name: str, deals: int) -> bool:
    """Whether a strategy keeps its place, whatever is proposed to it and whatever it proposes itself.

    It is asked about every possible trade in each turn of so many deals of the longest game, in both seats,
    while the other does anything.
    """
    rng = Rng.of(f"{SEED}: {name}")
    return all(_keeps_its_place(name, own, rng) for _ in range(deals) for own in range(PLAYERS))


def _keeps_its_place(name: str, own: int, rng: Rng) -> bool:
    """Play a deal out, in which the other proposes anything, and tosses a coin for its answers."""
    cards = rng.sample(DECK, PLAYERS * HAND)
    market = Market((tuple(cards[:HAND]), tuple(cards[HAND:])), max(LENGTHS))
    history: tuple[Done, ...] = ()
    while not market.over:
        swaps = market.swaps(market.seat)
        if market.seat == own:
            choice = _ask(name, Situation(0, own, (0, 1), market, None, history), rng)
            accepted = [each for each in (choice,) if isinstance(each, Swap)]
        else:
            choice = rng.choice([PASS, *swaps])
            accepted = [each for each in swaps if _accepts(name, own, market, each, history, rng)]
        if any(market.swapped(each).points[own] < market.points[own] for each in accepted):
            return False
        agreed = choice in accepted and (market.seat != own or rng.chance(0.5))
        market, history = _after(market, choice, agreed, history)
    return True


def _accepts(name: str, own: int, market: Market, swap: Swap, history: tuple[Done, ...], rng: Rng) -> bool:
    return _ask(name, Situation(0, own, (0, 1), market, swap, history), rng) == ACCEPT


def _ask(name: str, situation: Situation, rng: Rng) -> TurnChoice:
    """Ask a strategy as a chat does: who learns knows this deal only."""
    contestant = CONTESTANTS[name]
    strategy = contestant.make() if isinstance(contestant, Learner) else contestant
    choice: TurnChoice = strategy(situation, (), rng)
    return choice


def _after(
    market: Market, choice: TurnChoice, accepted: bool, history: tuple[Done, ...]
) -> tuple[Market, tuple[Done, ...]]:
    swap = choice if isinstance(choice, Swap) else None
    market_after = market.swapped(swap) if swap is not None and accepted else market
    return market_after.next(), (*history, Done(market, swap, accepted))


# The reply to `random`.


def to_random(count: int) -> Sequence[BestReply]:
    """Work out the best reply to `random` at each length, over so many sets of ten cards."""
    rng = Rng.of(f"{SEED}: random")
    cards = np.array([rng.sample(DECK, PLAYERS * HAND) for _ in range(count)])
    chances = np.concatenate([chances_to_lead(each) for each in np.array_split(cards, -(-count // BATCH))])
    returns = float(BEHIND) + float(AHEAD - BEHIND) * chances
    errors = returns.std(axis=0, ddof=1) / sqrt(count)
    return [searched(mean, error, "deals") for mean, error in zip(returns.mean(axis=0), errors, strict=True)]


def chances_to_lead(cards: NDArray[np.integer]) -> Numbers:
    """Return how likely the best reply to `random` ends ahead: a row for each ten cards, a column a length.

    It is the mean over all ways to hold these cards, and both seats.
    """
    each = [chances(cards, seat).mean(axis=-1).T for seat in range(PLAYERS)]
    mean: Numbers = np.mean(each, axis=0)
    return mean


def chances(cards: NDArray[np.integer], seat: int) -> Numbers:
    """Return how likely the best reply in a seat ends ahead: by lengths, ten cards, and its five of them.

    It goes backwards from the last turn, which is the second seat's.
    """
    splits, others, trades = _splits()
    own, other = ranks(cards[:, splits]), ranks(cards[:, others])
    values = ((own > other) | ((own == other) & (seat == PLAYERS - 1))).astype(np.float64)
    led = []
    for _ in LENGTHS:
        for turn in reversed(range(PLAYERS)):
            after = values[:, trades]
            values = _proposal_values(values, after) if turn == seat else _answer_values(values, after)
        led.append(values)
    return np.stack(led)


def _proposal_values(values: Numbers, after: Numbers) -> Numbers:
    """Propose what is best, or pass; half of all proposals are accepted."""
    best: Numbers = np.maximum(values, (values + after.max(axis=-1)) / 2)
    return best


def _answer_values(values: Numbers, after: Numbers) -> Numbers:
    """Accept what is better of what `random` proposes: each trade as likely, and as likely none."""
    accepted = np.maximum(after, values[..., None])
    mean: Numbers = (values + accepted.sum(axis=-1)) / (after.shape[-1] + 1)
    return mean


def _splits() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of the own cards and of the other's in each split of ten, and where trades lead."""
    every = range(PLAYERS * HAND)
    splits = list(combinations(every, HAND))
    others = [tuple(each for each in every if each not in own) for own in splits]
    place = {frozenset(own): number for number, own in enumerate(splits)}
    trades = [
        [place[frozenset(own) - {give} | {take}] for give in own for take in other]
        for own, other in zip(splits, others, strict=True)
    ]
    return np.array(splits), np.array(others), np.array(trades)
