"""Strike faults in a row, each soon after the last one is over: a pause for one must not delay the next.

What strikes, and when, is drawn from a seed.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

from benchmarks import fault_discord, fault_twitch
from benchmarks.fault_discord import DISCORD
from benchmarks.fault_rows import BOUND, Row
from benchmarks.fault_twitch import CONDUIT, SOCKETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.fault_rows import Step

SEED = 1
ADAPTERS = SOCKETS, CONDUIT, DISCORD
COUNT, LENGTH = 3, 6  # sequences at each adapter, and faults in each
SOON = 5.0  # seconds after an answer within which the next fault strikes

F = TypeVar("F")


def name_of(number: int) -> str:
    """Name a sequence; the first is 1."""
    return f"sequence {number} of {LENGTH} faults, each within {SOON:g} s of the last: the slowest"


async def strike(adapter: str, number: int, seed: int = SEED) -> list[Step]:
    """Strike the faults of a sequence at an adapter."""
    random = Random(f"{seed} {adapter} {number}")
    if adapter == DISCORD:
        return await fault_discord.in_a_row(_draw(random, fault_discord.REPEATED))
    return await fault_twitch.in_a_row(_draw(random, fault_twitch.REPEATED), conduit=adapter == CONDUIT)


def row(adapter: str, number: int, steps: Sequence[Step]) -> Row:
    """Give the slowest of a sequence; the seconds in which nobody can know of a fault are not counted."""
    slowest = max(steps, key=lambda each: each.late)
    return Row(adapter, name_of(number), None if slowest.seconds is None else slowest.late, BOUND)


def _draw(random: Random, faults: Sequence[F]) -> list[tuple[F, float]]:
    """Draw faults, each with the seconds before it."""
    return [(random.choice(faults), random.uniform(0.0, SOON)) for _ in range(LENGTH)]
