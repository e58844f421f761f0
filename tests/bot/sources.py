"""Where the houses of tests get what nobody may guess: the same each time, and quickly made."""

from __future__ import annotations

from itertools import count

from chatbot.tables.fairness import Sources
from tests.ledger.samples import readable

KEY = b"the key that all tests seal with"
LINKS = 1000  # of a chain
SEED = b"seed"  # of all luck


def sources_of(run: str, seed: bytes = SEED) -> Sources:
    """Name tables a-table-1, a-table-2 and so on in a run that is called a."""
    seeds, tables = count(), count(1)
    table_id = lambda: f"{run}-table-{next(tables)}"  # noqa: E731
    return Sources(KEY, lambda: b"%s %d" % (seed, next(seeds)), table_id, LINKS, readable)
