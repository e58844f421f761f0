"""A power cut loses a suffix of what was on its way to the disk, and nothing that was acknowledged.

Built from copies of the two files as they are in the middle of a run: what had not been synced yet may be
missing or torn. That the program waits for the sync is looked at with strace, where there is one.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.store.store import Store
from tests.ledger.samples import ALICE, MINT, posting, wallet
from tests.slow.books import WAL, breaches

POSTINGS = 60  # few enough that SQLite does not checkpoint in between, which it does at 1000 pages
CUTS, TEARS, CHECKPOINTS = 300, 100, 30
HEADER, FRAME_HEADER, PAGE, SECTOR = 32, 24, 4096, 512  # bytes: sqlite.org/fileformat2.html#walformat
FRAME = FRAME_HEADER + PAGE


@dataclass(frozen=True)
class Run:
    """A database and its log as they were when the last posting had been acknowledged."""

    folder: Path
    database: bytes
    log: bytes
    acknowledged: list[int]
    """The log's length in bytes when each posting had been."""

    def least(self, whole: int) -> int:
        """Tell how many postings must survive if so many bytes of the log do."""
        return sum(length <= whole for length in self.acknowledged)

    def recovered(self, log: bytes, database: bytes | None = None) -> int:
        """Open what a power cut has left; tell how many postings are there, the first ones and sound."""
        file = self.folder / "cut.db"
        for each in self.folder.glob("cut.db*"):
            each.unlink()
        file.write_bytes(self.database if database is None else database)
        Path(f"{file}{WAL}").write_bytes(log)
        with closing(sqlite3.connect(file)) as connection:
            assert breaches(connection) == []
            found = [name for (name,) in connection.execute("SELECT id FROM posting ORDER BY id")]
        assert found == [_name(number) for number in range(len(found))]
        return len(found)


def _name(number: int) -> str:
    return f"posting-{number:04}"


@pytest.fixture
async def run(tmp_path: Path) -> Run:
    file, log = tmp_path / "rabble.db", tmp_path / f"rabble.db{WAL}"
    url = f"sqlite:///{file.as_posix()}"
    await (await Store.open(url)).close()  # the schema is in the database, not in its log
    store, acknowledged = await Store.open(url), []
    for number in range(POSTINGS):
        pay = Entry(MINT, wallet(ALICE), number + 1, "payday")
        assert await Ledger(store).post(posting(pay, name=_name(number)))
        acknowledged.append(log.stat().st_size)
    (folder := tmp_path / "cut").mkdir()
    run = Run(folder, file.read_bytes(), log.read_bytes(), acknowledged)
    await store.close()
    return run


def test_a_log_that_is_cut_off_anywhere_keeps_all_that_came_before(run: Run) -> None:
    rng = Random("cuts")
    cuts = sorted([0, len(run.log), *(rng.randrange(len(run.log)) for _ in range(CUTS))])
    survived = [run.recovered(run.log[:cut]) for cut in cuts]
    assert survived == [run.least(cut) for cut in cuts]
    assert survived == sorted(survived)
    assert (survived[0], survived[-1]) == (0, POSTINGS)


def test_last_pages_that_are_torn_cost_nothing_that_came_before_them(run: Run) -> None:
    rng = Random("tears")
    for _ in range(TEARS):
        log = bytearray(run.log[: rng.choice(run.acknowledged)])
        torn = _tear(log, rng)
        assert run.least(torn) <= run.recovered(bytes(log)) <= run.least(len(log))


def _tear(log: bytearray, rng: Random) -> int:
    """Let sectors of the last pages be as they never were, or as others are; tell the first such byte."""
    first = len(log)
    for _ in range(rng.randint(1, 4)):
        frame = HEADER + FRAME * max((len(log) - HEADER) // FRAME - rng.randint(1, 4), 0)
        start = frame + SECTOR * rng.randrange(FRAME // SECTOR)
        end = min(start + SECTOR * rng.randint(1, 4), len(log))
        old = rng.randrange(max(start - SECTOR, 1))
        garbage = rng.randbytes(end - start), bytes(end - start), bytes(log[old : old + end - start])
        log[start:end] = rng.choice(garbage).ljust(end - start, b"\0")
        first = min(first, start)
    return first


def test_a_checkpoint_that_is_cut_off_costs_nothing(run: Run) -> None:
    """The log is synced before the first page goes to its place, and stays until all are synced there."""
    rng, before = Random("checkpoints"), run.database
    after = _checkpointed(run)
    pages = range(0, len(after), PAGE)
    for _ in range(CHECKPOINTS):
        written = {page: rng.random() < 0.5 for page in pages}
        mixed = b"".join((after if written[page] else before)[page : page + PAGE] for page in pages)
        assert run.recovered(run.log, mixed) == POSTINGS


def _checkpointed(run: Run) -> bytes:
    file = run.folder / "checkpointed.db"
    file.write_bytes(run.database)
    Path(f"{file}{WAL}").write_bytes(run.log)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


POST_ONCE = """
import asyncio, sys
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store.store import Store
from tests.ledger.samples import ALICE, grant
async def main():
    store = await Store.open(sys.argv[1])
    await Ledger(store).post(grant(ALICE, 100))
    print("acknowledged", flush=True)
    await store.close()
asyncio.run(main())
"""


def test_what_is_acknowledged_has_been_synced_before(tmp_path: Path) -> None:
    """Otherwise a power cut could take a stake back that somebody was told of."""
    calls = _traced(tmp_path, POST_ONCE, f"sqlite:///{tmp_path / 'rabble.db'}")
    told = next(number for number, call in enumerate(calls) if '"acknowledged' in call)
    log = [(number, call) for number, call in enumerate(calls[:told]) if WAL in call]
    last_write = max(number for number, call in log if call.startswith(("pwrite", "write")))
    syncs = [number for number, call in log if call.startswith(("fsync", "fdatasync"))]
    assert any(last_write < number < told for number in syncs), calls[last_write : told + 1]


def _traced(folder: Path, program: str, url: str) -> list[str]:
    """Run a program under strace; give its writes and syncs in the order in which they were done."""
    strace, trace = shutil.which("strace"), folder / "trace"
    if strace is None:
        pytest.skip("there is no strace here")
    what = "trace=write,pwrite64,pwritev,fsync,fdatasync"
    command = [strace, "-f", "-y", "-e", what, "-o", str(trace), sys.executable, "-c", program, url]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=root)
    if not trace.exists() or "PTRACE" in done.stderr:
        pytest.skip(f"strace may not look at processes here: {done.stderr}")
    assert "acknowledged" in done.stdout, done.stderr
    return _done(trace.read_text(errors="replace").splitlines())


def _done(lines: list[str]) -> list[str]:
    """Put calls that another thread interrupted together, where they end."""
    begun: dict[str, str] = {}
    calls = []
    for line in lines:
        thread, _, call = line.partition(" ")
        call = call.strip()
        if call.endswith("<unfinished ...>"):
            begun[thread] = call.removesuffix("<unfinished ...>")
        elif resumed := re.match(r"<\.\.\. \w+ resumed>", call):
            calls.append(begun.pop(thread) + call[resumed.end() :])
        else:
            calls.append(call)
    return calls
