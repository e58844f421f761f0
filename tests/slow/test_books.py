"""Eyes that miss what is wrong prove nothing: each check finds what it looks for, in a real house's file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.slow.books import breaches
from tests.slow.pages import promises
from tests.slow.trouble import AGAIN, CREW, GETAWAY, LOBBY, SUSPENSE, opened, url_of

if TYPE_CHECKING:
    from pathlib import Path

DOCTORED = {
    "community town sums to": "UPDATE purse SET balance = balance + 1 WHERE kind = 'house'",
    "and not its transfers": "UPDATE purse SET balance = balance + 1 WHERE kind = 'person'",
    "is at -": "UPDATE purse SET balance = -1 WHERE kind = 'person'",
    "is settled with 5 in its pot": "UPDATE purse SET balance = 5 WHERE owner = 'a-table-1'",
    "and net stakes of 40": (
        "UPDATE purse SET balance = 5 WHERE owner IN (SELECT id FROM game_table WHERE state = 'open')"
    ),
    "which is open, was emptied 1 times": "UPDATE game_table SET state = 'open', closed_at = NULL",
    "is settled, with 1 voids": "UPDATE game_table SET state = 'settled', closed_at = 1",
    "owes wallet:town:test:member0 a stake of": "DELETE FROM transfer WHERE why = 'refund'",
    "was paid 2 times": (
        "INSERT INTO transfer (posting, number, community, table_id, source, target, credits, why, actor,"
        " created_at) SELECT posting, number + 99, community, table_id, source, target, credits, why, actor,"
        " created_at FROM transfer WHERE why = 'payday'"
    ),
    "turns up to": "DELETE FROM journal WHERE turn = 2",
    "in steps of": "DELETE FROM step WHERE turn = 1",
    "transfers are there, up to": "DELETE FROM transfer WHERE number = 1",
    "refers to a row that is not there": "DELETE FROM posting",
    "was acted on, but not noted": "DELETE FROM heard",
}


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """Lend books with a table that is settled, one that is void, and one that is open."""
    file = tmp_path / "rabble.db"
    async with opened(url_of(file)) as stage:
        for member in CREW[:2]:
            await stage.say(member, "!heist 20")
        await stage.turn(LOBBY + GETAWAY + SUSPENSE + AGAIN)
        for number in range(2):
            await stage.bot.parts.pauses.wake(stage.room, "heist")
            for member in CREW[:2]:
                await stage.say(member, "!heist 20")
            if number == 0:
                await stage.table.void()
    return file


def looked_at(database: Path, *doctoring: str) -> str:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(_unguarded(connection))
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in doctoring:
            connection.execute(statement)
        return "\\n".join(breaches(connection))


def _unguarded(connection: sqlite3.Connection) -> str:
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return "".join(f"DROP TRIGGER {name};" for (name,) in triggers)


def test_sound_books_have_no_breach(database: Path) -> None:
    assert looked_at(database) == ""


@pytest.mark.parametrize("sentence", DOCTORED)
def test_doctored_books_have_one(database: Path, sentence: str) -> None:
    assert sentence in looked_at(database, DOCTORED[sentence])


@pytest.mark.parametrize(
    ("text", "to", "promised"),
    [
        (
            "m3 is planning a bank heist and stakes 1,005 credits. Who’s in? !heist and an amount",
            None,
            ("stake", "local:m3", 1005),
        ),
        ("You are in with 1 credit.", "local:m4", ("stake", "local:m4", 1)),
        ("m1 gives m2 7 credits.", None, ("gift", "local:m1 local:m2", 7)),
        (
            "You will double-cross the others. You can still change it.",
            "local:m5",
            ("answer", "local:m5", "doublecross"),
        ),
    ],
)
def test_an_acknowledgement_is_a_promise(text: str, to: str | None, promised: tuple[object, ...]) -> None:
    seats = {f"m{number}": f"local:m{number}" for number in range(6)}
    assert list(promises(text, to, seats)) == [promised]
