"""Ranks of many hands at once, as arrays: a million a second and more.

It is the ranking of `chatbot.kernel.cards`, by the same tables.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.kernel.cards import DECK, SUIT_COUNT, WEIGHTS, tables

HandRanks: TypeAlias = NDArray[np.int16]
Cards: TypeAlias = NDArray[np.integer]


def ranks(hands: Cards) -> HandRanks:
    """Rank hands of five cards, of shape (…, 5): 0 is the worst, and 7461 the best."""
    weights, suits, plain, suited = _tables()
    keys = weights[hands[..., 0]]
    flush = suits[hands[..., 0]]
    for place in range(1, hands.shape[-1]):
        keys = keys + weights[hands[..., place]]
        flush = flush & suits[hands[..., place]]
    return np.where(flush != 0, suited[keys], plain[keys])


@cache
def _tables() -> tuple[NDArray[np.int32], NDArray[np.int8], HandRanks, HandRanks]:
    """Return weights and suits by card, a suit being a bit, and both tables of ranks by key."""
    weights = np.array([WEIGHTS[card // SUIT_COUNT] for card in DECK], dtype=np.int32)
    suits = np.array([1 << card % SUIT_COUNT for card in DECK], dtype=np.int8)
    plain, suited = (np.array(each, dtype=np.int16) for each in tables())
    return weights, suits, plain, suited
