"""Copies of a database in use: each is one moment of it, and nothing but whole databases are copied."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chatbot.cli import entry
from chatbot.kernel.game import Failure
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import backup
from chatbot.ledger.store.store import Store, StoreError
from tests.ledger.copied import (
    LATER,
    NAMED_AT,
    asked,
    fill_the_disk,
    grant_to_alice,
    held,
    names,
    put,
    url,
)

from .samples import ALICE, AT, BOB, gift, grant


@pytest.mark.slow
async def test_every_copy_of_a_busy_database_is_sound_and_of_one_moment(
    database: Path, folder: Path, tmp_path: Path
) -> None:
    store = await Store.open(url(database))
    ledger = Ledger(store)
    assert await ledger.post(grant(ALICE, 1000))
    made: list[Path] = []

    async def write() -> None:
        while len(made) < 5:
            assert await ledger.post(gift(ALICE, BOB, 1))
            assert await ledger.post(gift(BOB, ALICE, 1))

    writing = asyncio.create_task(write())
    for _ in range(5):
        assert await ledger.post(grant(ALICE, 1))
        made.append(await asyncio.to_thread(backup.back_up, database, folder, AT))
    await writing
    await store.close()
    totals = "SELECT sum(balance) FROM purse WHERE kind = 'person'"
    for number, copy in enumerate(made, start=1):
        assert asked(copy, "PRAGMA integrity_check") == "ok"
        assert asked(copy, totals) == 1000 + number
        opened = await Store.open(url(copy))
        assert await breaches(opened) == []
        await opened.close()


async def test_a_copy_has_what_is_only_in_the_log_and_nothing_that_is_not_committed(
    database: Path, folder: Path
) -> None:
    store = await Store.open(url(database))
    assert await Ledger(store).post(grant(ALICE, 5))
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("CREATE TABLE half (done)")
        copy = await asyncio.to_thread(backup.back_up, database, folder, AT)
        other.execute("ROLLBACK")
    await store.close()
    assert held(copy) == 5
    assert asked(copy, "SELECT count(*) FROM sqlite_master WHERE name = 'half'") == 0


def test_a_copy_is_one_plain_file_and_named_by_its_time_in_utc(database: Path, folder: Path) -> None:
    put(database, 5)
    east = datetime.fromisoformat("2026-01-02T12:04:05+09:00")  # nine hours before UTC: 03:04:05
    assert backup.back_up(database, folder, east) == folder / f"rabble-{NAMED_AT}.db"
    assert names(folder) == [f"rabble-{NAMED_AT}.db"]
    header = (folder / f"rabble-{NAMED_AT}.db").read_bytes()[18:20]
    assert header == b"\x01\x01"  # the versions that write and read it; 2 would be a log (fileformat2, 1.3)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such modes")
def test_a_copy_may_be_read_by_nobody_who_may_not_read_the_database(database: Path, folder: Path) -> None:
    put(database, 5)
    database.chmod(0o600)
    copy = backup.back_up(database, folder, AT)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert backup.restore(copy, database, LATER)
    assert database.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_copies_of_one_second_have_names_of_their_own_and_the_latest_is_kept(
    database: Path, folder: Path
) -> None:
    put(database, 5)
    made = [backup.back_up(database, folder, AT) for _ in range(27)]
    assert [path.name for path in made[:3]] == [
        f"rabble-{NAMED_AT}{number}.db" for number in ("", "-2", "-3")
    ]
    assert set(folder.glob("*.db")) == set(made[2:])  # the newest 25 of 27


@pytest.mark.parametrize("name", ["50% of it.db", "a#b?c=d&mode=memory.db", "ünï code.db", "x'y;z.db"])
def test_a_path_may_have_any_letters(tmp_path: Path, name: str) -> None:
    if sys.platform == "win32" and "?" in name:
        pytest.skip("the system has no such names")
    database = tmp_path / f"folder of {name}" / name
    database.parent.mkdir()
    put(tmp_path / "plain.db", 5)
    (tmp_path / "plain.db").rename(database)
    copy = backup.back_up(database, backup.beside(database), AT)
    assert copy.name == f"{database.stem}-{NAMED_AT}.db"
    assert backup.restore(copy, database, LATER)
    assert held(database) == 5
    assert names(database.parent) == sorted(["backups", name])


def test_what_a_crash_left_half_done_is_removed_and_never_taken_for_a_backup(
    database: Path, folder: Path
) -> None:
    put(database, 5)
    folder.mkdir()
    for ending in ("partial", "partial-journal", "partial-wal", "partial-shm"):
        (folder / f"rabble.{ending}").write_text("half of it")
    (database.parent / "rabble.db.partial").write_text("half of it")
    assert backup.due(database, folder, AT)
    copy = backup.back_up(database, folder, AT)
    assert names(folder) == [copy.name]
    backup.restore(copy, database, LATER)
    assert names(database.parent) == ["backups", "rabble.db"]


def test_a_missing_database_is_not_made(database: Path, folder: Path) -> None:
    with pytest.raises(StoreError, match=r"^There is no file .*rabble\.db; name one that exists\.$"):
        backup.back_up(database, folder, AT)
    assert not database.exists()
    assert not folder.exists()


def test_a_folder_whose_disk_is_not_there_is_not_made(tmp_path: Path, database: Path) -> None:
    database.touch()
    with pytest.raises(StoreError, match=r"cannot be backed up in .* \(.*\); the one must be whole"):
        backup.back_up(database, tmp_path / "not-mounted" / "backups", AT)
    assert names(tmp_path) == ["rabble.db"]


def test_a_second_backup_at_the_same_time_leaves_the_first_alone(
    database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, 5)
    patient = backup.connected
    monkeypatch.setattr(backup, "connected", lambda file, patience=0.0: patient(file, patience))
    with backup._new(folder, "rabble", AT, ".db") as (partial, _):
        partial.write_text("half of it")
        with pytest.raises(StoreError, match="locked"):
            backup.back_up(database, folder, AT)
        assert partial.read_text() == "half of it"


def test_old_backups_are_removed_by_a_backup_that_rotates_and_by_no_other(
    database: Path, folder: Path
) -> None:
    put(database, 5)
    for days in range(7):
        backup.back_up(database, folder, AT + timedelta(days=days), rotates=False)
    assert len(list(folder.glob("*.db"))) == 7
    backup.back_up(database, folder, AT + timedelta(days=7))
    assert len(list(folder.glob("*.db"))) == 5  # of as many days


def test_a_full_disk_is_told_and_nothing_is_left_on_it(
    database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, 5)
    before = database.read_bytes()
    fill_the_disk(monkeypatch, lambda file: file.suffix == ".partial")
    with pytest.raises(StoreError, match=r"\(database or disk is full\); the one must be whole"):
        backup.back_up(database, folder, AT)
    assert names(folder) == []
    assert database.read_bytes() == before


def command(
    folder: Path, *words: str, database: str = "sqlite:///data/rabble.db"
) -> tuple[str, Failure | None]:
    """Run the command line in this process, and tell what it printed or refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHATBOT_DATABASE", database)
        patch.chdir(folder)
        result = CliRunner().invoke(entry.app, words)
    assert result.exception is None or isinstance(result.exception, Failure), result.exception
    return result.stdout, result.exception


async def test_the_commands_back_the_set_database_up_and_put_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    await asyncio.to_thread(put, tmp_path / "data" / "rabble.db", 5)
    store = await Store.open(url(tmp_path / "data" / "rabble.db"), alone=True)  # as the bot that runs
    printed, refused = command(tmp_path, "backup")
    assert refused is None
    copy = Path(printed.removesuffix("\n"))
    assert copy.parent == Path("data/backups")
    _, refused = command(tmp_path, "restore", str(copy))
    assert "in use by another process" in str(refused)
    assert await Ledger(store).post(grant(ALICE, 7))
    await store.close()
    printed, refused = command(tmp_path, "restore", str(copy))
    assert refused is None
    said = f"The database {Path('data/rabble.db')} now holds what was in {copy}. The former one was put in "
    assert printed.startswith(said)
    former = tmp_path / printed.removeprefix(said).removesuffix(".\n")
    assert (held(tmp_path / "data" / "rabble.db"), held(former)) == (5, 12)


def test_the_commands_take_another_database_and_another_folder(tmp_path: Path) -> None:
    put(tmp_path / "other.db", 5)
    (tmp_path / "disk").mkdir()
    printed, refused = command(tmp_path, "backup", "--database", "sqlite:///other.db", "--to", "disk")
    assert refused is None
    copy = Path(printed.removesuffix("\n"))
    assert copy.parent == Path("disk")
    printed, refused = command(tmp_path, "restore", str(copy), "--database", "sqlite:///new.db")
    assert refused is None
    assert printed == f"The database new.db now holds what was in {copy}. There was none before.\n"
    assert held(tmp_path / "new.db") == 5


@pytest.mark.parametrize("words", [["backup"], ["restore", "copy.db"]])
def test_a_database_on_a_server_is_left_to_the_tools_of_the_server(tmp_path: Path, words: list[str]) -> None:
    printed, refused = command(tmp_path, *words, database="postgresql://bot:hunter2@db/rabble")
    assert printed == ""
    assert str(refused) == (
        "This database is on a server; use the server's own tools, pg_dump and pg_restore."
    )


@pytest.mark.slow
def test_a_missing_database_is_one_sentence_and_exit_2(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chatbot", "backup", "--database", "sqlite:///gone.db"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    sentence = "There is no file gone.db; name one that exists.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("looks", [0, 1, 2])
async def test_a_backup_that_somebody_would_wait_for_is_given_up(
    database: Path, folder: Path, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left while it is copied, while it is checked, or before it gets its name, it leaves nothing."""
    await grant_to_alice(database, 5)
    monkeypatch.setattr(backup, "_INSTRUCTIONS_PER_CHECK", 1)
    asked = count()
    with pytest.raises(backup.BackupCancelled):
        backup.back_up(database, folder, AT, is_cancelled=lambda: next(asked) >= looks)
    assert names(folder) == []
    backup.back_up(database, folder, AT)
    assert names(folder) == [f"rabble-{NAMED_AT}.db"]


def test_a_copy_has_no_room_for_what_was_removed_and_every_row_in_its_place(
    database: Path, folder: Path
) -> None:
    """Histories tell transfers of one moment apart by the numbers that SQLite gave their rows."""
    put(database, 5)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE junk (id TEXT PRIMARY KEY, body TEXT) STRICT")
        rows = [(f"row {number * 7919 % 2003}", "junk" * 200) for number in range(1, 2001)]
        connection.executemany("INSERT INTO junk VALUES (?, ?)", rows)
        connection.execute("DELETE FROM junk WHERE rowid % 20 <> 3")
        numbers = connection.execute("SELECT rowid, id FROM junk ORDER BY rowid").fetchall()
    copy = backup.back_up(database, folder, AT)
    assert copy.stat().st_size < database.stat().st_size / 3
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT rowid, id FROM junk ORDER BY rowid").fetchall() == numbers
    assert numbers[1][0] == 23
