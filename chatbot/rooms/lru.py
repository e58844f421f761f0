"""Bounds what is remembered by key: the newest so many stay, whatever comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections import OrderedDict

K = TypeVar("K")
V = TypeVar("V")


def remember(known: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Put a value at the newest end, and forget the oldest ones beyond so many."""
    known[key] = value
    known.move_to_end(key)
    while len(known) > most:
        known.popitem(last=False)
