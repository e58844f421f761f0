"""Python's garbage collector, which looks through all objects again and again, and the heap of the C library.

Half of the objects that the program keeps are those of its modules: code, texts and settings, none of which
is ever garbage. With Python's defaults the collector takes a fifth of the processor time of a busy chat, and
stops everybody for a tenth of a second at a time.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

THRESHOLDS = 5000, 5, 10
"""More objects than before since the last collection, of half a megabyte; collections of the young until
one of the next generation; and the same for all objects. Python's are 700, 10 and 10.

Each statement of SQLAlchemy refers to itself, and dies only in a collection. With 20 in place of 5, 80,000
objects of them, 17 megabytes, waited for one after 20,000 lines.
"""

AT_START = 100_000, 20, 10
"""The same for a start and for commands that end, of about ten megabytes."""


# Parameters of `mallopt` of the C library of most Linux systems, from its <malloc.h>.
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
ARENAS = 1
"""Heaps of that library. By default each thread that talks to the database or paints has one of its own, of 5
to 10 megabytes, most of it empty; one lock more is nothing beside Python's own."""

LARGE = 256 * 1024
"""Bytes from which on a block is given back to the system when it is freed. By default that becomes more with
each larger block that is freed, and a picture then leaves a hole in the heap."""


def relax() -> None:
    """Collect seldom from now on: otherwise a start spends an eighth of its time on what it imports."""
    gc.set_threshold(*AT_START)


@contextmanager
def importing() -> Iterator[None]:
    """Collect nothing while modules are imported, and leave what they consist of out of later collections.

    Of 180,000 objects 2,000 are garbage then, a few hundred kilobytes: to look for them took 0.07 s of a
    start in two collections, and 0.12 s in the one of `sparing`.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


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


def use_one_heap() -> None:
    """Let all threads share a heap, and freed blocks that are large go back to the system.

    Other C libraries, as those of macOS and Windows, have no such function, and are left as they are.
    """
    with suppress(AttributeError, OSError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_ARENA_MAX, ARENAS)
        mallopt(M_MMAP_THRESHOLD, LARGE)
