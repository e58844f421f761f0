"""Who runs what on a database, as `chatbot status` prints it."""

from __future__ import annotations

from dataclasses import asdict
from json import dumps
from typing import TYPE_CHECKING

from chatbot.ledger.store.process_status import Status, read_process_status
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator


async def read_status(url: str) -> Status:
    """Read who runs what.

    Raises:
        StoreError: the database does not exist, or has another version.
    """
    store = await Store.look(url)
    try:
        async with store.reading() as connection:
            return await read_process_status(connection)
    finally:
        await store.close()


def in_words(status: Status) -> Iterator[str]:
    """Say who runs what, a line for each process."""
    if not status.processes:
        yield "No process runs the bot on this database."
    for each in status.processes:
        life = f"sign of life {each.seconds_silent:.1f} s ago" if each.is_alive else "no sign of life"
        leaves = ", is leaving" if each.leaves else ""
        duties = f"; does {', '.join(each.duties)}" if each.duties else ""
        partitions = f", {each.partitions} partitions" if each.partitions else ""
        yield f"{each.label}: {life}{leaves}; has the leases of {each.homes} communities{partitions}{duties}."
    if status.free:
        yield f"Nobody does {len(status.free)} of what is dealt out: {', '.join(status.free)}."


def as_json(status: Status) -> str:
    """Return the same as JSON."""
    return dumps(asdict(status), indent=2)
