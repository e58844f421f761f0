"""Who runs what on a database: processes, signs of life, rooms and duties."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from chatbot.ledger.store import schema
from chatbot.ledger.store.duties import Condition, read_sharers
from chatbot.ledger.store.leases import LEASE

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

SHOWN = 600.0  # seconds for which a process is shown that gives no sign of life, and has given nothing up
HOME = "home-"  # what the duties of partitions of homes begin with


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """A process that has rooms, or a share of what is dealt out."""

    label: str
    seconds_silent: float  # since its last sign of life
    homes: int  # communities whose leases it has
    partitions: int  # of the homes, that are dealt to it
    duties: tuple[str, ...]  # the others
    leaves: bool  # whether it takes part, and takes nothing more
    troubles: tuple[str, ...] = ()  # why it cannot do its part, as it said last
    waiting: int = 0  # lines that it has heard and not answered, as it said last

    @property
    def is_alive(self) -> bool:
        """Whether its lease has not run out."""
        return self.seconds_silent < LEASE


@dataclass(frozen=True, slots=True)
class Status:
    """The processes of a database, and what nobody does."""

    processes: tuple[ProcessStatus, ...]
    free: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether somebody shows signs of life, and nobody complains, and everything dealt out is done."""
        alive = [each for each in self.processes if each.is_alive]
        return bool(alive) and not self.free and not any(each.troubles for each in alive if not each.leaves)


async def read_process_status(connection: AsyncConnection) -> Status:
    """Return who runs what; a file has one process, whose lock of the file is all that is known of it."""
    home, duty = schema.home.c, schema.duty.c
    counts = await connection.execute(select(home.owner, func.count()).group_by(home.owner))
    homes = {owner: number for owner, number in counts}  # noqa: C416
    dealt = [(name, owner) for name, owner in await connection.execute(select(duty.name, duty.owner))]
    if (
        connection.dialect.name == "sqlite"
    ):  # the lock of the file is the lease, and its owner shows no other sign of life
        labels = await connection.execute(select(schema.process.c.id, schema.process.c.label))
        owners = (ProcessStatus(label, 0.0, homes.get(process, 0), 0, (), False) for process, label in labels)
        return Status(tuple(owners), ())
    sharers = await read_sharers(connection)
    partitions = Counter(owner for name, owner in dealt if name.startswith(HOME))
    others: defaultdict[int, list[str]] = defaultdict(list)
    for name, owner in sorted(dealt):
        if owner is not None and not name.startswith(HOME):
            others[owner].append(name)
    processes = tuple(
        ProcessStatus(
            each.label,
            each.age / 1000,
            homes.get(each.id, 0),
            partitions[each.id],
            tuple(others[each.id]),
            not each.share and partitions[each.id] > 0,
            *Condition.of(each.condition),
        )
        for each in sharers
        if homes.get(each.id) or each.age < (SHOWN if each.share else LEASE) * 1000
    )
    alive = {each.id for each in sharers if each.age < LEASE * 1000}
    return Status(processes, tuple(sorted(name for name, owner in dealt if owner not in alive)))
