"""Measure how many members per second can join one heist, when all of a raid type `!heist` at the same time.

Each line is passed to the house as by a platform adapter, and counts when it is answered: its stake is on
disk then. Known members have spoken before; new ones are first granted the credits of a newcomer.
`--vs COMMIT` measures another commit with the same script, in turns with this one.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import structlog
from rich.console import Console
from rich.table import Table
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.rows import Measure
from chatbot.games import kits
from chatbot.kernel.game import Role, Seat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from benchmarks.rows import Row
    from chatbot.bot.bot import Bot
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.channel import Channel, Delivery, Manner
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import LoopWatch
    from chatbot.speech.words import Words


def imported(*names: str) -> Any:  # `Any`: what another commit has is not known here
    """Import what has the first of several dotted names: the present one, then those of older commits.

    Raises:
        ImportError: this commit has nothing by any of these names.
    """
    for name in names:
        module, _, attribute = name.rpartition(".")
        try:
            return getattr(importlib.import_module(module), attribute)
        except (ModuleNotFoundError, AttributeError):
            continue
    raise ImportError(f"nothing is called {' or '.join(names)} here")


if not TYPE_CHECKING:
    Bot = imported("chatbot.bot.bot.Bot", "chatbot.bot.house.House", "chatbot.live.house.House")
    Store = imported("chatbot.ledger.store.store.Store", "chatbot.wallets.store.Store")
    LoopWatch = imported(
        "chatbot.runtime.clock.LoopWatch", "chatbot.rooms.clock.LoopWatch", "chatbot.live.watch.LoopWatch"
    )
    Channel = imported(
        "chatbot.rooms.channel.Channel", "chatbot.rooms.room.Channel", "chatbot.live.room.Channel"
    )
    Delivery = imported(
        "chatbot.rooms.channel.Delivery", "chatbot.rooms.room.Delivery", "chatbot.live.room.Delivery"
    )
    Line = imported("chatbot.rooms.line.Line", "chatbot.rooms.room.Line", "chatbot.live.room.Line")
    Manner = imported("chatbot.rooms.channel.Manner", "chatbot.rooms.room.Manner", "chatbot.live.room.Manner")
    Room = imported("chatbot.rooms.room.Room", "chatbot.live.room.Room")
    Words = imported("chatbot.speech.words.Words", "chatbot.live.wording.words.Words")

SERVER = "postgresql://postgres@127.0.0.1:5432"
PEOPLE, ROUNDS = 500, 3
ROOT = Path(__file__).parent.parent
BEFORE = "282944a"
"""The commit that is compared with: the last one that answered lines one by one."""


@dataclass(frozen=True, slots=True)
class Raid:
    """The result of one raid."""

    database: str
    members: str  # known or new
    people: int
    inside: int  # people who joined the heist
    seconds: float
    cpu: float  # seconds of CPU time
    transactions: int

    @property
    def rate(self) -> float:
        """People who joined per second."""
        return self.inside / self.seconds

    @property
    def cost(self) -> float:
        """Milliseconds of CPU time for each of the people."""
        return 1000 * self.cpu / self.people


BY_RAID = {
    (database, members): (
        Measure(f"a raid of {members} members on one heist, {database}: people in a second", f"at {BEFORE}"),
        Measure(
            f"a raid of {members} members on one heist, {database}: ms of processor time each", f"at {BEFORE}"
        ),
    )
    for members in ("known", "new")
    for database in ("SQLite", "PostgreSQL")
}
MEASURES = tuple(each for measures in BY_RAID.values() for each in measures)


class Silent:
    """A platform that discards all messages."""

    async def send(self, delivery: Delivery) -> None:
        """Discard a message."""


def speaker(key: str) -> Any:  # the type of `Line.account`, which differs between commits
    """Return what identifies the sender of a line: an account, or a seat in older commits."""
    try:
        return importlib.import_module("chatbot.ledger.people").Account("raid", key)
    except ModuleNotFoundError:
        return Seat(f"raid:{key}")


def chat() -> Channel:
    """Make the channel of the raid."""
    # Channels of older commits have no platform, so the type of `Channel` is only known at run time.
    of_platform: Any = ("raid",) if "platform" in Channel.__annotations__ else ()
    make: Any = Channel
    channel: Channel = make("raid:chat", *of_platform, Silent(), Manner())
    return channel


def log_to_stderr() -> None:
    """Write the log to stderr, because the figures are written to stdout."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))


async def raided(store: Store, database: str, people: int, *, known: bool) -> Raid:
    """Let `people` join one heist at once."""
    watch = LoopWatch()
    bot = Bot(kits(), store, Words("en"), watch)
    room = await bot.open(Room("raid:room", "raid", (chat(),)))

    def line(number: int, words: str, who: int) -> Line:
        return Line(f"raid:{number}", "raid:chat", speaker(str(who)), f"viewer{who}", Role.VIEWER, words)

    batch = 500  # fewer lines than the flood limit of a room, which is not what is measured
    for first in range(0, people if known else 1, batch):
        some = range(first, min(first + batch, people if known else 1))
        await asyncio.gather(*(bot.hear(line(each, "hello", each)) for each in some))
    await bot.hear(line(2 * people, "!heist 69", people))
    transactions_before, cpu, began = store.written, time.process_time(), time.perf_counter()
    lines = [line(3 * people + each, "!heist 69", each) for each in range(people)]
    for first in range(0, people, batch):
        await asyncio.gather(*(bot.hear(each) for each in lines[first : first + batch]))
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
    heist = room.tables["heist"]
    kit: Any = heist.kit  # in older commits it makes boards itself
    board = getattr(kit, "display", kit).board(heist.view(None))
    inside = len(board.places) - 1
    await bot.settle()
    await watch.stop(0.0)
    kind = "known" if known else "new"
    return Raid(database, kind, people, inside, seconds, cpu_seconds, store.written - transactions_before)


@asynccontextmanager
async def databases(folder: Path) -> AsyncIterator[dict[str, str]]:
    """Create an empty database of each kind, and yield their URLs; PostgreSQL only if a server answers."""
    name = f"rabble_raid_{uuid.uuid4().hex}"
    urls = {"SQLite": f"sqlite:///{(folder / f'{name}.db').as_posix()}"}
    try:
        server = create_async_engine(
            f"{SERVER.replace(':', '+asyncpg:', 1)}/postgres", isolation_level="AUTOCOMMIT"
        )
    except ImportError:  # the extra `postgres` is not installed
        yield urls
        return
    try:
        with suppress(OSError):  # no server answers
            async with server.connect() as connection:
                await connection.execute(text(f"CREATE DATABASE {name}"))
            urls["PostgreSQL"] = f"{SERVER}/{name}"
        yield urls
        if "PostgreSQL" in urls:
            async with server.connect() as connection:
                await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        await server.dispose()


async def raids(people: int) -> list[Raid]:
    """Raid once with known and with new members, on each database."""
    runs = []
    for known in (True, False):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            async with databases(Path(folder)) as urls:
                for database, url in urls.items():
                    store = await Store.open(url)
                    try:
                        runs.append(await raided(store, database, people, known=known))
                    finally:
                        await store.close()
    return runs


def rows(*, quick: bool) -> Iterator[Row]:
    from benchmarks.road import Absent, tree_at  # noqa: PLC0415  (it may be missing in another commit, which runs this file)

    people, rounds = (40, 1) if quick else (PEOPLE, ROUNDS)
    ours: list[list[Raid]] = []
    theirs: list[list[Raid]] = []
    try:
        with tree_at(BEFORE) as tree:
            for _ in range(rounds):
                ours.append(raid_tree(ROOT, people))
                theirs.append(raid_tree(tree, people))
    except Absent as absent:
        yield from (each.lacking(str(absent)) for each in MEASURES)
        return
    for (database, members), measures in BY_RAID.items():
        mine, before = (_of(each, database, members) for each in (ours, theirs))
        if not mine:
            yield from (each.lacking("no server of PostgreSQL answers") for each in measures)
            continue
        yield measures[0].row(median(each.rate for each in mine), median(each.rate for each in before))
        yield measures[1].row(median(each.cost for each in mine), median(each.cost for each in before))


def _of(runs: Iterable[Iterable[Raid]], database: str, members: str) -> list[Raid]:
    return [raid for run in runs for raid in run if (raid.database, raid.members) == (database, members)]


def raid_tree(root: Path, people: int) -> list[Raid]:
    """Raid the program in a working tree, in a process of its own."""
    command = [sys.executable, __file__, "--people", str(people), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if process.returncode:
        raise SystemExit(f"The raid on {root} failed: {process.stderr.strip().splitlines()[-1]}")
    return [Raid(**each) for each in json.loads(process.stdout)]


def as_table(ours: list[list[Raid]], theirs: list[list[Raid]]) -> Table:
    table = Table(title="A raid on one room: people who join a heist a second")
    for heading in (
        "database",
        "members",
        "inside",
        "a second",
        "CPU ms each",
        "transactions",
        "before",
        "ratio",
    ):
        table.add_column(heading, justify="left" if heading in {"database", "members"} else "right")
    for number, first in enumerate(ours[0]):
        runs = [each[number] for each in ours]
        rate, cpu = median(each.rate for each in runs), median(each.cost for each in runs)
        before = median(each[number].rate for each in theirs) if theirs else 0.0
        table.add_row(
            first.database,
            first.members,
            f"{min(each.inside for each in runs)} of {first.people}",
            f"{rate:,.0f}",
            f"{cpu:.2f}",
            f"{median(each.transactions for each in runs):.0f}",
            f"{before:,.0f}" if before else "",
            f"{rate / before:.1f}" if before else "",
        )
    return table


def main() -> None:
    log_to_stderr()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.raid", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--vs", metavar="COMMIT", help="measure another commit too, in turns")
    parser.add_argument("--json", action="store_true", help="one round, as JSON")
    arguments = parser.parse_args()
    if arguments.json:
        print(json.dumps([asdict(each) for each in asyncio.run(raids(arguments.people))]))
        return
    ours, theirs = [], []
    if arguments.vs:
        from benchmarks.road import tree_at  # noqa: PLC0415  (as above)

        with tree_at(arguments.vs) as other:
            for _ in range(arguments.rounds):
                ours.append(raid_tree(ROOT, arguments.people))
                theirs.append(raid_tree(other, arguments.people))
    else:
        ours = [raid_tree(ROOT, arguments.people) for _ in range(arguments.rounds)]
    Console().print(as_table(ours, theirs))


if __name__ == "__main__":
    main()
