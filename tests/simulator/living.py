"""Holds what the living program remembers against the books."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from chatbot.kernel.fair import walked
from chatbot.tables.replay import Unreplayable, reread
from tests.simulator.world import LINKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chatbot.rooms.table_protocol import Table
    from chatbot.tables.replay import Replay
    from tests.simulator.books import Books
    from tests.simulator.world import World


GRACE = 11.0  # seconds in which a table whose opening was in doubt must be found: twice `table.RETRY_DELAY`


class Orphanage:
    """Keeps since when tables that are open in the books have been in nobody's hands."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, float]] = {}  # which start of the program, and when on its watch

    def breaches(self, world: World, books: Books) -> Iterator[str]:
        """Tell which have been for too long; an outage gives time."""
        playing = {table.id for table in world.tables if not table.over}
        alone = {each.id for each in books.tables.values() if each.state == "open"} - playing
        now = (world.starts, world.watch.now())
        kept = {table: since for table, since in self._since.items() if since[0] == world.starts}
        self._since = {table: now if world.disk.outage else kept.get(table, now) for table in sorted(alone)}
        for table, (_, since) in self._since.items():
            if now[1] - since > GRACE:
                yield f"table {table} is open, but nobody plays it"


def breaches(world: World, books: Books) -> Iterator[str]:
    """Tell where tables in memory are not what the books have, once nothing is under way."""
    for table in world.tables:
        yield from _of_table(table, books)
        if not table.over:
            yield from _seated_twice(table, books)


def _seated_twice(table: Table, books: Books) -> Iterator[str]:
    """Tell who has two seats, of two accounts that are one person."""
    seats = Counter(books.root(seat) for seat in table.seated)
    yield from (f"{who} sits {times} times at table {table.id}" for who, times in seats.items() if times > 1)


def _of_table(table: Table, books: Books) -> Iterator[str]:
    written = books.tables.get(table.id)
    if written is None:
        yield f"table {table.id} stands in its room, but not in the books"
        return
    last = books.turns[table.id][-1]
    if table.over and written.state == "open":
        yield f"table {table.id} is over, but open in the books"
    if table.over or table.doubtful:
        return
    if written.state != "open":
        yield f"table {table.id} is {written.state} in the books, but goes on"
    if table.turn != last:
        yield f"table {table.id} is at turn {table.turn}, but its journal at {last}"
    if table.clock is None or table.deadline is None:
        yield f"table {table.id} goes on without a clock"


def guessable(world: World, seeds: Iterable[str]) -> Iterator[str]:
    """Tell which tables stand whose seed anybody can work out of the seeds that were told."""
    known = {walked(bytes.fromhex(each), steps) for each in seeds for steps in range(LINKS)}
    for table in world.tables:
        if not table.over and table.seed in known:
            yield f"the seed of table {table.id} can be known while it stands"


async def misremembered(world: World) -> list[str]:
    """Play each standing table again from the books; tell where it comes out otherwise."""
    found = []
    for table in [each for each in world.tables if not each.over and not each.doubtful]:
        try:
            again = await reread(world.bot.parts.journal, table.id, {table.kit.name: table.kit})
        except Unreplayable as error:
            found.append(f"table {table.id} cannot be played again: {error}")
            continue
        if again is not None:
            found += _differences(table, again[1])
    return found


def _differences(table: Table, again: Replay) -> Iterator[str]:
    for what, here, there in (
        ("state", table.state, again.state),
        ("clock", table.clock, again.clock),
        ("company", table.seated, again.seated),
        ("lines", table.lines, again.ids),
    ):
        if here != there:
            yield f"table {table.id}: its {what} is {here}, but by its journal {there}"


def lost(world: World, before: Books, after: Books) -> Iterator[str]:
    """Tell which tables that stood before a restart neither go on nor have given everything back."""
    standing = {table.id: table for table in world.tables}
    for each in before.tables.values():
        if each.state != "open" or after.tables[each.id].state == "void":
            continue
        table = standing.get(each.id)
        if table is None or table.over:
            yield f"table {each.id} stood before the restart, and is nowhere now"
        elif table.deadline is not None and table.clock is not None:
            left = table.deadline - world.watch.now()
            if not 0 < left <= max(table.clock.seconds, 15):
                yield f"table {each.id} goes on for {left} of {table.clock.seconds} seconds"
