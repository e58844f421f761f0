"""Python's garbage collector, which by default looks through all objects of the program again and again.

Half of the objects that the program keeps are those of its modules: code, texts and settings, none of which
is ever garbage. With Python's defaults the collector takes a fifth of the processor time of a busy chat, and
stops everybody for a tenth of a second at a time.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

THRESHOLDS = 10_000, 5, 10
"""More objects than before since the last collection, of about a megabyte; collections of the young until
one of the next generation; and the same for all objects. Python's are 700, 10 and 10.

Each statement of SQLAlchemy refers to itself, and dies only in a collection. With 20 in place of 5, 80,000
objects of them, 17 megabytes, waited for one after 20,000 lines.
"""

AT_START = 100_000, 20, 10
"""The same for a start and for commands that end, of about ten megabytes."""


def relax() -> None:
    """Collect seldom from now on: otherwise a start spends an eighth of its time on what it imports."""
    gc.set_threshold(*AT_START)


@contextmanager
def sparing() -> Iterator[None]:
    """Leave out what exists now, and collect the rest less often, while the context is open."""
    usual, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        if not frozen:  # else somebody else has left objects out, which stay so
            gc.unfreeze()
