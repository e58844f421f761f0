"""A backup is put back whole or not at all, and the former database is kept, damaged or not."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import backup
from chatbot.ledger.store.store import Store, StoreError
from tests.ledger.copied import (
    DAYS,
    LATER,
    NAMED_AT,
    NAMED_LATER,
    asked,
    contents,
    fill_the_disk,
    held,
    names,
    put,
    unclosed,
    url,
)

from .samples import ALICE, AT, grant, wallet

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_disk_too_full_to_restore_leaves_the_database_as_it_was(
    database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, 5)
    copy = backup.back_up(database, folder, AT)
    put(database, 7)
    before = contents(database.parent)
    fill_the_disk(monkeypatch, lambda file: file.name == "rabble.db.partial")
    with pytest.raises(StoreError, match=r"cannot be replaced \(database or disk is full\)"):
        backup.restore(copy, database, LATER)
    after = contents(database.parent)
    assert {path: after[path] for path in before} == before
    assert names(database.parent) == ["backups", "rabble.db"]


async def test_a_restored_ledger_is_as_it_was_and_the_former_one_is_kept(
    database: Path, folder: Path
) -> None:
    await asyncio.to_thread(put, database, 5)
    copy = backup.back_up(database, folder, AT)
    await asyncio.to_thread(put, database, 7)
    kept = backup.restore(copy, database, LATER)
    assert kept == folder / f"rabble-{NAMED_LATER}.db"
    assert (held(database), held(kept), held(copy)) == (5, 12, 5)
    await asyncio.to_thread(put, database, 1)  # it goes on as any other
    store = await Store.open(url(database))
    assert await breaches(store) == []
    assert await Ledger(store).balances([wallet(ALICE)]) == {wallet(ALICE): 6}
    await store.close()


def test_restoring_what_was_kept_takes_the_step_back(database: Path, folder: Path) -> None:
    put(database, 5)
    copy = backup.back_up(database, folder, AT)
    put(database, 7)
    kept = backup.restore(copy, database, LATER)
    assert kept is not None
    assert backup.restore(kept, database, LATER) == folder / f"rabble-{NAMED_LATER}-2.db"
    assert held(database) == 12


def test_a_restore_rotates_nothing_away(database: Path, folder: Path) -> None:
    """Else the oldest copy would go while it is being restored."""
    put(database, 5)
    copies_of_old = [backup.back_up(database, folder, AT) for _ in range(6)]
    assert backup.restore(copies_of_old[0], database, AT + 30 * DAYS)
    assert len(list(folder.glob("*.db"))) == 7


def test_a_lost_database_is_restored_in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "copy.db", 5)
    monkeypatch.chdir(tmp_path)
    assert backup.restore(tmp_path / "copy.db", Path("data/rabble.db"), AT) is None
    assert held(tmp_path / "data" / "rabble.db") == 5


def test_a_restored_database_is_not_mixed_with_the_log_of_a_crash(
    database: Path, folder: Path, tmp_path: Path
) -> None:
    put(tmp_path / "copy.db", 5)
    unclosed(database, tmp_path / "origin.db")
    kept = backup.restore(tmp_path / "copy.db", database, AT)
    assert kept is not None
    assert (held(database), held(kept)) == (5, 12)


def test_the_log_of_a_database_that_is_gone_is_not_played_into_the_restored_one(
    database: Path, tmp_path: Path
) -> None:
    put(tmp_path / "copy.db", 5)
    unclosed(database, tmp_path / "origin.db")
    database.unlink()
    assert backup.restore(tmp_path / "copy.db", database, AT) is None
    assert held(database) == 5


@pytest.mark.parametrize("spoilt", [slice(0, 100), slice(44, 48), slice(5000, 20_000)])
def test_a_damaged_database_can_be_replaced_and_is_kept_as_it_was(
    database: Path, folder: Path, tmp_path: Path, spoilt: slice
) -> None:
    """The bytes are its header, the format of its schema, and pages of the schema."""
    put(tmp_path / "copy.db", 5)
    put(database, 7)
    content = bytearray(database.read_bytes())
    content[spoilt] = b"\xff" * (spoilt.stop - spoilt.start)
    database.write_bytes(content)
    kept = backup.restore(tmp_path / "copy.db", database, AT)
    assert kept == folder / f"rabble-{NAMED_AT}.former"
    assert kept.read_bytes()[100:] == content[100:]  # whoever opens it may write to its header
    assert names(folder) == [kept.name]
    assert held(database) == 5


def test_a_damaged_database_is_kept_with_what_its_log_had(database: Path, tmp_path: Path) -> None:
    put(tmp_path / "copy.db", 5)
    unclosed(database, tmp_path / "origin.db")
    header, rest = database.read_bytes()[:100], database.read_bytes()[100:]
    database.write_bytes(b"\xff" * 100 + rest)
    kept = backup.restore(tmp_path / "copy.db", database, AT)
    assert kept is not None
    assert held(database) == 5
    kept.write_bytes(header + kept.read_bytes()[100:])  # as a doctor of files would
    assert held(kept) == 12


CRASHES = """
import os, sys
from datetime import datetime
from pathlib import Path
from chatbot.ledger.store import backup
copy, at = Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2])
def crash(database, step):
    def count(event, arguments):
        nonlocal step
        touching = event in ("os.rename", "os.remove", "sqlite3.connect", "open")
        step -= touching and str(database.parent) in str(arguments[0])
        if step == 0:
            os._exit(9)
    sys.addaudithook(count)
    backup.restore(copy, database, at)
for step, path in enumerate(sys.argv[3:], start=1):
    if (child := os.fork()) == 0:
        crash(Path(path), step)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
STEPS = 60  # more than a restore takes; what is beyond its end crashes no more


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process for each crash takes a minute")
def test_a_crash_at_any_step_leaves_the_former_database_or_the_restored_one(tmp_path: Path) -> None:
    copy, former = tmp_path / "copy.db", tmp_path / "former" / "rabble.db"
    put(copy, 5)
    unclosed(former, tmp_path / "origin.db")
    databases = [tmp_path / f"crash-{step:02}" / "rabble.db" for step in range(STEPS)]
    for each in databases:
        shutil.copytree(former.parent, each.parent)
    program = [sys.executable, "-c", CRASHES, str(copy), AT.isoformat(), *map(str, databases)]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    ended, after = done.stdout.split(), [held(each) for each in databases]
    last, restored = ended.index("0"), after.index(5)
    assert ended == ["9"] * last + ["0"] * (STEPS - last)
    assert 0 < restored < last  # crashes fell before the replacement and after it
    assert after == [12] * restored + [5] * (STEPS - restored)
    for number, each in enumerate(databases):
        assert asked(each, "PRAGMA integrity_check") == "ok"
        kept = list(backup.beside(each).glob("*.db"))
        assert [held(backup) for backup in kept] in ([[12]] if number >= restored else [[], [12]])


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda content: b"\xff" * 100 + content[100:], "file is not a database"),
        (lambda content: content[: len(content) // 2], "malformed|damaged"),
        (lambda content: content[:8192] + b"\xff" * 4096 + content[12288:], "malformed|damaged"),
        (lambda content: b"", "it is no database of this program"),
        (lambda content: b"Dear diary, " * 1000, "file is not a database"),
    ],
)
def test_a_damaged_copy_is_refused_and_nothing_is_touched(
    database: Path, tmp_path: Path, spoil: Callable[[bytes], bytes], said: str
) -> None:
    put(database, 5)
    copy = tmp_path / "copy.db"
    copy.write_bytes(spoil(database.read_bytes()))
    before = contents(tmp_path)
    with pytest.raises(StoreError, match=rf"^The file .* cannot be restored \(.*({said}).*\); name a whole"):
        backup.restore(copy, database, AT)
    assert contents(tmp_path) == before


def test_a_copy_of_a_newer_version_is_refused_and_nothing_is_touched(
    database: Path, folder: Path, tmp_path: Path
) -> None:
    put(database, 5)
    copy = backup.back_up(database, folder, AT)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = contents(tmp_path)
    with pytest.raises(StoreError, match=r"revision 9999 is newer than .*\); update the program first\.$"):
        backup.restore(copy, database, LATER)
    assert contents(tmp_path) == before


def test_somebody_elses_database_is_neither_backed_up_nor_restored(
    database: Path, folder: Path, tmp_path: Path
) -> None:
    put(database, 5)
    strange = tmp_path / "strange.db"
    with closing(sqlite3.connect(strange)) as connection:
        connection.execute("CREATE TABLE account (name TEXT)")
    with pytest.raises(StoreError, match="no database of this program"):
        backup.restore(strange, database, AT)
    with pytest.raises(StoreError, match="no database of this program"):
        backup.back_up(strange, folder, AT)
    assert held(database) == 5
    assert names(folder) == []


def test_a_missing_copy_and_the_database_itself_are_no_backups(database: Path, folder: Path) -> None:
    put(database, 5)
    folder.mkdir()
    for name in ("gone.db", "backups"):  # a folder is no file either
        with pytest.raises(StoreError, match=rf"^There is no file .*{re.escape(name)}; name one"):
            backup.restore(database.parent / name, database, AT)
    with pytest.raises(StoreError, match="is the database itself; name one of its backups"):
        backup.restore(database, database, AT)


@pytest.mark.parametrize("owned", [True, False])
async def test_a_database_in_use_is_not_replaced(database: Path, folder: Path, owned: bool) -> None:
    """Whoever has it open is in the way, even without the lock of its owner."""
    await asyncio.to_thread(put, database, 5)
    copy = backup.back_up(database, folder, AT)
    store = await Store.open(url(database), alone=owned)
    ledger = Ledger(store)
    assert await ledger.post(grant(ALICE, 7))
    with pytest.raises(StoreError, match="in use by another process; stop that one"):
        backup.restore(copy, database, LATER)
    assert await ledger.post(grant(ALICE, 1))
    await store.close()
    assert held(database) == 13
    assert names(folder) == [copy.name]


def test_a_bot_that_has_not_opened_its_database_yet_is_in_the_way_too(database: Path, folder: Path) -> None:
    put(database, 5)
    copy = backup.back_up(database, folder, AT)
    before = contents(database.parent)
    with backup._locked(database), pytest.raises(StoreError, match="in use by another process"):
        backup.restore(copy, database, LATER)
    assert before.items() <= contents(database.parent).items()
    assert names(folder) == [copy.name]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_linked_database_stays_a_link(database: Path, tmp_path: Path) -> None:
    put(tmp_path / "copy.db", 5)
    (tmp_path / "disk").mkdir()
    put(tmp_path / "disk" / "real.db", 7)
    database.symlink_to(tmp_path / "disk" / "real.db")
    backup.restore(tmp_path / "copy.db", database, AT)
    assert database.is_symlink()
    assert held(tmp_path / "disk" / "real.db") == 5
