"""A database as a file, and what its copies hold."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import backup
from chatbot.ledger.store.store import Store

from .samples import ALICE, AT, grant, row, wallet

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

NAMED_AT = "20260102-030405"  # AT, as it is written in names
LATER = AT + timedelta(hours=1)
NAMED_LATER = "20260102-040405"
NOW = AT.replace(microsecond=0)  # names know no less than a second
HOURS, DAYS = timedelta(hours=1), timedelta(days=1)


@cache
def empty() -> bytes:
    """Make a database that is up to date only once; it takes most of a test's time."""
    with TemporaryDirectory() as place:
        asyncio.run(grant_to_alice(Path(place) / "empty.db", 0))
        return (Path(place) / "empty.db").read_bytes()


def put(database: Path, amount: int) -> None:
    """Grant it to Alice, and close the database."""
    if not database.exists():
        database.write_bytes(empty())
    asyncio.run(grant_to_alice(database, amount))


async def grant_to_alice(database: Path, amount: int) -> None:
    store = await Store.open(url(database))
    if amount:
        assert await Ledger(store).post(grant(ALICE, amount))
    await store.close()


def unclosed(database: Path, origin: Path) -> None:
    """Make a database as a crash leaves it: Alice has 12, of which the log alone knows 7."""
    put(origin, 5)
    database.parent.mkdir(exist_ok=True)

    async def crash() -> None:
        store = await Store.open(url(origin))
        assert await Ledger(store).post(grant(ALICE, 7))
        for each in ("", "-wal"):
            shutil.copyfile(f"{origin}{each}", f"{database}{each}")
        await store.close()

    asyncio.run(crash())


def url(database: Path) -> str:
    return f"sqlite:///{database}"


def asked(database: Path, question: str, *values: object) -> object:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(question, values).fetchone()[0]


def held(database: Path) -> object:
    """Look up what Alice has."""
    return asked(database, f"SELECT balance FROM purse WHERE id = {row(wallet(ALICE))}")  # noqa: S608


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if not each.name.endswith("-owner"))


def contents(folder: Path) -> dict[Path, bytes]:
    return {each: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def fill_the_disk(monkeypatch: pytest.MonkeyPatch, full: Callable[[Path], bool]) -> None:
    """Let no copy into a file of these names be completed: SQLite leaves half of one and says why."""

    class Crowded(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
            if sql.startswith("VACUUM INTO") and full(Path(parameters[0])):
                Path(parameters[0]).write_bytes(b"half")
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return super().execute(sql, parameters)

    def connected(file: Path, patience: float = 0) -> sqlite3.Connection:
        return sqlite3.connect(file, timeout=patience, isolation_level=None, factory=Crowded)

    monkeypatch.setattr(backup, "connected", connected)
