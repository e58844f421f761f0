"""The end of an evening: every table ends, one more restart changes nothing, every proof holds.

So it does when all tables are in the archive.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.ledger.archive.archive import Archive, faults
from chatbot.ledger.audit.checks import breaches as audited
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.store import schema
from chatbot.tables.proof import Hashes, check, hashes
from tests.simulator.breach import Breach
from tests.simulator.world import known_kits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.store.store import Store
    from tests.simulator.books import Books
    from tests.simulator.evening import Evening
    from tests.simulator.memory import Told

AGE = 90 * 86_400.0  # seconds after which tables go into the archive
PATIENCE = 1200.0  # seconds in which every table must end: the longest lobby, and what was being retried


async def finish(evening: Evening) -> None:
    """Let everything end and be proven.

    Raises:
        Breach: something does not.
    """
    await _end_tables(evening)
    await evening.world.kill()
    evening.world.boot(0.0)
    await evening.recover()
    books, _ = evening.reader.read()
    evening.demand(_unfinished(books))
    await _prove(evening, books)
    await _archive(evening)
    await _prove(evening, books)
    await evening.world.stop()


async def _end_tables(evening: Evening) -> None:
    evening.trace.append("the end")
    evening.world.disk.outage = False
    for pipe in evening.town.pipes.values():
        pipe.broken = 0
    await evening.do(evening.world.watch.turn(PATIENCE))
    evening.check()
    for table in evening.world.tables:
        if not table.over:
            raise Breach(f"table {table.id} does not end")


def _unfinished(books: Books) -> Iterator[str]:
    totals: Counter[str] = Counter()
    for account in books.accounts:
        if account.kind == "pot" and account.balance:
            yield f"{account.id} holds {account.balance} in the end"
        if account.kind != "pot":
            totals[account.community] += account.balance
    yield from (f"{name}: wallets, house and mint are {left}" for name, left in totals.items() if left)
    yield from (
        f"table {each.id} is open in the end" for each in books.tables.values() if each.state == "open"
    )


async def _archive(evening: Evening) -> None:
    """Let 90 days pass and put every table into the archive: no purse holds another number for it.

    What ended before the calendar was set back by years is left out, as in a running program.
    """
    store, place, count = evening.world.store, None, 0
    evening.world.watch.set_calendar(AGE)
    before, held = evening.world.watch.date(), await _held(store)
    due = await Archive(store).waiting(before)
    while (done := await Archive(store).portion(before, place)).last is not None:
        evening.demand(f"not archived: {each}" for each in done.faults)
        count, place = count + done.tables, done.last
    if count != due:
        raise Breach(f"{count} of {due} tables are archived")
    if await _held(store) != held:
        raise Breach("a purse holds another number since its tables are archived")
    evening.demand(await audited(store))
    evening.demand(each.sentence for each in await faults(store))


async def _held(store: Store) -> dict[int, int]:
    """Tell what each purse holds."""
    async with store.reading() as connection:
        rows = await connection.execute(select(schema.purse.c.id, schema.purse.c.balance))
        return {row: balance for row, balance in rows if balance}


async def _prove(evening: Evening, books: Books) -> None:
    for table in books.tables:
        story = await Journal(evening.world.store).of(table)
        if story is None:
            raise Breach(f"table {table} has no story")
        claimed = _claimed(evening.memory.told, table, hashes(story))
        for finding in check(story, claimed, known_kits()):
            if not finding.holds:
                raise Breach(f"table {table}: {finding.sentence}")


def _claimed(told: Told, table: str, made: Hashes) -> Hashes:
    """Take what the chat was told; where nobody heard it, for it was lost in a crash, what is made now."""
    return Hashes(
        told.heads.get(table, made.head),
        told.terms.get(table, made.terms),
        told.records.get(table, made.record),
    )
