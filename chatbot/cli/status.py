"""Who runs what on a database, as `chatbot status` prints it."""

from __future__ import annotations

from dataclasses import asdict
from json import dumps
from typing import TYPE_CHECKING

from chatbot.ledger.store.engines import address
from chatbot.ledger.store.file_lock import DatabaseInUse, FileLock
from chatbot.ledger.store.process_status import Status, read_process_status
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator


async def read_status(url: str) -> Status:
    """Read who runs what.

    Raises:
        StoreError: the database does not exist, has another version, or its lock cannot be looked at.
    """
    store = await Store.look(url)
    try:
        if not _is_used(url):
            return Status((), ())
        async with store.reading() as connection:
            return await read_process_status(connection)
    finally:
        await store.close()


def _is_used(url: str) -> bool:
    """Whether somebody may run the bot on a database: of a file that is known by its lock alone."""
    where = address(url)
    if not where.drivername.startswith("sqlite"):
        return True
    lock = FileLock(where)
    try:
        lock.claim()
    except DatabaseInUse:
        return True
    lock.release()
    return False


def in_words(status: Status) -> Iterator[str]:
    """Say who runs what, a line for each process."""
    if not status.processes:
        yield "No process runs the bot on this database."
    for each in status.processes:
        life = f"sign of life {each.seconds_silent:.1f} s ago" if each.is_alive else "no sign of life"
        leaves = ", is leaving" if each.leaves else ""
        duties = f"; does {', '.join(each.duties)}" if each.duties else ""
        partitions = f", {each.partitions} partitions" if each.partitions else ""
        duties += f"; lines that wait: {each.waiting}" if each.waiting else ""
        yield f"{each.label}: {life}{leaves}; leases of communities: {each.homes}{partitions}{duties}."
        for trouble in each.troubles:
            yield f"{each.label} cannot do its part: {trouble}."
    if status.free:
        yield f"Nobody does {len(status.free)} of what is dealt out: {', '.join(status.free)}."


def as_json(status: Status) -> str:
    """Return the same as JSON."""
    return dumps(asdict(status), indent=2)
