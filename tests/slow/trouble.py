"""What befalls a database: a full disk, a lock that somebody else holds, an answer that is lost."""

from __future__ import annotations

import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from sqlalchemy import event, text

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store import writes
from chatbot.ledger.store.store import Store
from chatbot.ledger.store.writes import run
from tests.bot.stage import Stage
from tests.generous import let_give
from tests.ledger.samples import everything

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

LOBBY, GETAWAY, SUSPENSE = 60, 30, 6  # seconds
AGAIN = 5  # seconds until a clock that could not be written tries again
TRY_AGAIN = "That did not work just now and nothing has changed; please try again."
CREW = [f"member{number}" for number in range(12)]

_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Stage]:
    """Open a house; its books must be sound in the end, whatever happened."""
    store = await Store.open(url)
    try:
        stage = await Stage(store).open()
        let_give(stage.room)
        yield stage
        assert await breaches(store) == []
    finally:
        await store.close()


def url_of(file: Path) -> str:
    return f"sqlite:///{file.as_posix()}"


async def changes(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row but those that say who was heard, for that is true of a refused line too."""
    found = await everything(store)
    del found["heard"], found["member"]
    return found


async def limit(store: Store, pages: int) -> None:
    """Let the database have no more than so many pages: a full disk that every system has."""

    async def work(connection: Any) -> None:
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    await store.write(work)


async def in_front_of_the_bank(stage: Stage) -> None:
    """Play a heist until all that is left is its outcome, which takes more than a page to write down."""
    for each in CREW:
        await stage.say(each, "!heist 20")
    await stage.turn(LOBBY)
    await stage.turn(GETAWAY)
    assert stage.table.clock is not None
    assert stage.table.clock.phase == "storming"


async def filled(stage: Stage) -> None:
    """Let somebody give until the disk is full, and see that what is refused then has not happened."""
    for number in range(2000):  # by turns, for of one member too many lines at once are a flood
        giver, taker = CREW[number % len(CREW)], CREW[(number + 1) % len(CREW)]
        before = await changes(stage.store)
        if TRY_AGAIN in "".join(await stage.say(giver, f"!give @{taker} 1")):
            assert await changes(stage.store) == before
            return
    raise AssertionError("the disk is never full")


async def waits_for_space(stage: Stage, make_space: Callable[[], Any]) -> None:
    """See that neither chat nor clock can write on a full disk, and that both go on when there is space."""
    before = await changes(stage.store)
    assert await stage.turn(SUSPENSE) == []
    assert TRY_AGAIN in (await stage.say(CREW[2], f"!give @{CREW[1]} 1"))[0]
    assert await changes(stage.store) == before
    await make_space()
    assert "gives" in (await stage.say(CREW[2], f"!give @{CREW[1]} 1"))[0]
    assert any(line.startswith("Results: ") for line in await stage.turn(AGAIN))
    assert await stage.pot() == 0


@contextmanager
def held(file: Path) -> Iterator[Callable[[], None]]:
    """Let another process hold the write lock; what is given lets go of it."""
    command = [sys.executable, "-c", _HOLD, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process.stdin.close
        finally:
            process.stdin.close()


@contextmanager
def answers_lost(store: Store, table: str) -> Iterator[None]:
    """Lose the answer to a commit that has written to that table, and be deaf to questions from then on."""
    engine, reading, written = store._writer.sync_engine, store.reading, False
    queue = store._write_queue
    transact = queue._transact

    def look(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:
        nonlocal written
        written |= statement.startswith(f"INSERT INTO {table} ")

    def running(database: Any, statement: str, *rows: Any) -> Any:  # in one call, on SQLite
        look(None, None, statement)
        return run(database, statement, *rows)

    async def lose(jobs: Any) -> Any:
        answers = await transact(jobs)
        if written:
            store.reading = deaf  # type: ignore[method-assign]
            raise ConnectionResetError("the answer is lost")
        return answers

    def deaf() -> Any:
        raise ConnectionRefusedError("nobody answers")

    event.listen(engine, "before_cursor_execute", look)
    queue._transact = lose  # type: ignore[method-assign]
    try:
        with patch.object(writes, "run", running):
            yield
    finally:
        event.remove(engine, "before_cursor_execute", look)
        queue._transact = transact  # type: ignore[method-assign]
        store.reading = reading  # type: ignore[method-assign]
