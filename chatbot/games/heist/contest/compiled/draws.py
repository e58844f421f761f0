"""The draws of `Luck` in compiled code: the same doubles of the same PCG64, and the same orders of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chatbot.games.heist.contest.compiled.arrays import (
    BUCKETS,
    COUNTS,
    KEYS,
    ORDER,
    PLACES,
    SLOT_NUMBERS,
    SLOT_PLACES,
    SORTED,
)

if TYPE_CHECKING:
    from chatbot.games.heist.contest.compiled.arrays import Doubles, Numbers, Stream

FEW = 1 << 10  # as in `luck.py`
U0, U1, U11, U32, U58, U63, U64 = (np.uint64(each) for each in (0, 1, 11, 32, 58, 63, 64))
LOW = np.uint64(0xFFFFFFFF)
MULTIPLIER_HIGH, MULTIPLIER_LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)
DOUBLE = 2.0**-53


def uniform(stream: Stream) -> float:
    """Draw a double from 0 (included) to 1, as NumPy's PCG64 does (O'Neill, 2014: PCG-XSL-RR 128/64)."""
    high, low = stream[0], stream[1]
    product = low * MULTIPLIER_LOW
    new_low = product + stream[3]
    carry = U1 if new_low < product else U0
    new_high = high_product(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH + stream[2]
    new_high += carry
    stream[0], stream[1] = new_high, new_low
    mixed = new_high ^ new_low
    turn = new_high >> U58
    mixed = (mixed >> turn) | (mixed << ((U64 - turn) & U63))
    return float((mixed >> U11) * DOUBLE)


def high_product(one: Any, other: Any) -> Any:  # Any: np.uint64, whose type mypy would make int
    """Return the upper 64 bits of a product of two numbers of 64."""
    one_high, one_low, other_high, other_low = one >> U32, one & LOW, other >> U32, other & LOW
    middle = one_high * other_low + (one_low * other_low >> U32)
    second = one_low * other_high + (middle & LOW)
    return one_high * other_high + (middle >> U32) + (second >> U32)


def chance_of(stream: Stream, probability: float) -> bool:
    return uniform(stream) < probability


def below(stream: Stream, limit: int) -> int:
    return int(uniform(stream) * limit)


def come(stream: Stream, rabble: int, draws: Doubles, work: Numbers) -> int:
    """Draw who of the rabble comes, as `Luck.comers` does, into `PLACES`; return how many."""
    for place in range(rabble + 1):
        draws[place] = uniform(stream)
    door, count = draws[rabble], 0
    if rabble > FEW:
        for place in range(rabble):
            if draws[place] < door:
                work[KEYS, count] = place
                draws[count] = draws[place]
                count += 1
        merge_sort(draws, count, work, PLACES)
        for turn in range(count):
            work[PLACES, turn] = work[KEYS, work[PLACES, turn]]
        return count
    bits = draws.view(np.int64)
    door_key = bits[rabble] & -FEW
    for place in range(rabble):
        key = bits[place] & -FEW | place
        if key < door_key:
            work[KEYS, count] = key
            draws[count] = draws[place]
            count += 1
    sort(draws, count, 1 / door if count > 0 else 0.0, work, PLACES)
    return count


def shuffle(stream: Stream, count: int, draws: Doubles, work: Numbers) -> None:
    """Draw an order, as `Luck.order` does, into `ORDER`."""
    for place in range(count):
        draws[place] = uniform(stream)
    if count > FEW:
        merge_sort(draws, count, work, ORDER)
        return
    bits = draws.view(np.int64)
    for place in range(count):
        work[KEYS, place] = bits[place] & -FEW | place
    sort(draws, count, 1.0, work, ORDER)


def sort(draws: Doubles, count: int, scale: float, work: Numbers, row: int) -> None:
    """Write places in the order in which their keys rise into a row.

    The doubles of the keys, times the scale, are uniform on 0..1: so buckets bring nearly all keys to their
    places, and few are left to be moved.
    """
    keys, sorted_keys, counts = work[KEYS], work[SORTED], work[COUNTS]
    counts[: BUCKETS + 1] = 0
    for place in range(count):
        counts[min(int(draws[place] * scale * BUCKETS), BUCKETS - 1) + 1] += 1
    for bucket in range(1, BUCKETS):
        counts[bucket] += counts[bucket - 1]
    for place in range(count):
        bucket = min(int(draws[place] * scale * BUCKETS), BUCKETS - 1)
        sorted_keys[counts[bucket]] = keys[place]
        counts[bucket] += 1
    for place in range(1, count):
        key, at = sorted_keys[place], place
        while at > 0 and sorted_keys[at - 1] > key:
            sorted_keys[at] = sorted_keys[at - 1]
            at -= 1
        sorted_keys[at] = key
    for place in range(count):
        work[row, place] = sorted_keys[place] & (FEW - 1)


def merge_sort(draws: Doubles, count: int, work: Numbers, row: int) -> None:
    """Write places in the order in which their doubles rise into a row; equals stand by place.

    NumPy's own sorts allocate memory, which compiled code that is loaded by itself cannot.
    """
    rising, merged = work[row], work[SORTED]
    for place in range(count):
        rising[place] = place
    size = 1
    while size < count:
        for start in range(0, count, 2 * size):
            middle, end = min(start + size, count), min(start + 2 * size, count)
            left, right = start, middle
            for at in range(start, end):
                if right >= end or (left < middle and draws[rising[left]] <= draws[rising[right]]):
                    merged[at] = rising[left]
                    left += 1
                else:
                    merged[at] = rising[right]
                    right += 1
        for at in range(count):
            rising[at] = merged[at]
        size *= 2


def slots(stream: Stream, newcomers: int, others: int, work: Numbers) -> None:
    """Draw where contestants stand among others, as `Luck.slots` does, into the two rows of slots."""
    count = newcomers + others
    place_of, places, numbers = work[KEYS], work[SLOT_PLACES], work[SLOT_NUMBERS]
    for newcomer in range(newcomers):
        place_of[newcomer] = below(stream, count)
    for newcomer in range(newcomers):
        place = place_of[newcomer]
        while is_taken(place_of, newcomer, place):
            place = below(stream, count)
        place_of[newcomer] = place
        at = newcomer
        while at > 0 and places[at - 1] > place:
            places[at], numbers[at] = places[at - 1], numbers[at - 1]
            at -= 1
        places[at], numbers[at] = place, newcomer


def is_taken(places: Numbers, count: int, place: int) -> bool:
    for at in range(count):  # noqa: SIM110  (generators cannot be compiled)
        if places[at] == place:
            return True
    return False
