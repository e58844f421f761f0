"""Ranks of many hands at once, as arrays: a million a second and more.

It is the ranking of `chatbot.kernel.cards`, by the same tables.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.kernel.cards import DECK, SUIT_COUNT, WEIGHTS, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.pokermarket.market import Hand

Ranks: TypeAlias = NDArray[np.int16]
Cards: TypeAlias = NDArray[np.integer]


def ranks(hands: Cards) -> Ranks:
    """Rank hands of five cards, of shape (…, 5): 0 is the worst, and 7461 the best."""
    weights, suits, plain, suited = _tables()
    keys = weights[hands[..., 0]]
    flush = suits[hands[..., 0]]
    for place in range(1, hands.shape[-1]):
        keys = keys + weights[hands[..., place]]
        flush = flush & suits[hands[..., place]]
    return np.where(flush != 0, suited[keys], plain[keys])


def gains(hands: Sequence[Hand]) -> NDArray[np.int16]:
    """Say by how much each hand's rank rises with each of its cards replaced by each other card.

    The result has shape (n, n) for the n cards of all hands, hand by hand: row c and column d are for the
    hand that holds c, which gives c for d. So a swap of c and d gains its proposer [c, d] and the partner
    [d, c]. Where one hand holds both there is no swap, and nothing is gained.
    """
    held = np.array(hands, dtype=np.int64)
    size = held.shape[1]
    cards = held.reshape(-1)
    changed = np.repeat(held, size, axis=0)[:, None, :].repeat(len(cards), axis=1)  # (n, n, 5)
    rows = np.arange(len(cards))
    changed[rows, :, rows % size] = cards
    found = ranks(changed) - np.repeat(ranks(held), size)[:, None]
    seats = rows // size
    found[seats[:, None] == seats[None, :]] = 0
    return found.astype(np.int16)


@cache
def _tables() -> tuple[NDArray[np.int32], NDArray[np.int8], Ranks, Ranks]:
    """Give weights and suits by card, a suit being a bit, and both tables of ranks by key."""
    weights = np.array([WEIGHTS[card // SUIT_COUNT] for card in DECK], dtype=np.int32)
    suits = np.array([1 << card % SUIT_COUNT for card in DECK], dtype=np.int8)
    plain, suited = (np.array(each, dtype=np.int16) for each in tables())
    return weights, suits, plain, suited
