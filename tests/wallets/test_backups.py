"""Copies of a database in use: each is one moment of it, they do not pile up, and one can be put back."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from chatbot import cli
from chatbot.kernel.failure import Failure
from chatbot.wallets import backups, copies
from chatbot.wallets.audit import breaches
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.store import Store, StoreError

from .samples import ALICE, AT, BOB, gift, grant, wallet

if TYPE_CHECKING:
    from collections.abc import Callable

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
    return asked(database, "SELECT balance FROM account WHERE id = ?", wallet(ALICE))


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if not each.name.endswith("-owner"))


def contents(folder: Path) -> dict[Path, bytes]:
    return {each: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "rabble.db"


@pytest.fixture
def folder(database: Path) -> Path:
    return backups.beside(database)


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
        made.append(await asyncio.to_thread(backups.back_up, database, folder, AT))
    await writing
    await store.close()
    totals = "SELECT sum(balance) FROM account WHERE id IN (?, ?)"
    for number, copy in enumerate(made, start=1):
        assert asked(copy, "PRAGMA integrity_check") == "ok"
        assert asked(copy, totals, wallet(ALICE), wallet(BOB)) == 1000 + number
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
        copy = await asyncio.to_thread(backups.back_up, database, folder, AT)
        other.execute("ROLLBACK")
    await store.close()
    assert held(copy) == 5
    assert asked(copy, "SELECT count(*) FROM sqlite_master WHERE name = 'half'") == 0


def test_a_copy_is_one_plain_file_and_named_by_its_time_in_utc(database: Path, folder: Path) -> None:
    put(database, 5)
    east = datetime.fromisoformat("2026-01-02T12:04:05+09:00")  # nine hours before UTC: 03:04:05
    assert backups.back_up(database, folder, east) == folder / f"rabble-{NAMED_AT}.db"
    assert names(folder) == [f"rabble-{NAMED_AT}.db"]
    header = (folder / f"rabble-{NAMED_AT}.db").read_bytes()[18:20]
    assert header == b"\x01\x01"  # the versions that write and read it; 2 would be a log (fileformat2, 1.3)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such modes")
def test_a_copy_may_be_read_by_nobody_who_may_not_read_the_database(database: Path, folder: Path) -> None:
    put(database, 5)
    database.chmod(0o600)
    copy = backups.back_up(database, folder, AT)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert backups.restore(copy, database, LATER)
    assert database.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_copies_of_one_second_have_names_of_their_own_and_the_latest_is_kept(
    database: Path, folder: Path
) -> None:
    put(database, 5)
    made = [backups.back_up(database, folder, AT) for _ in range(27)]
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
    copy = backups.back_up(database, backups.beside(database), AT)
    assert copy.name == f"{database.stem}-{NAMED_AT}.db"
    assert backups.restore(copy, database, LATER)
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
    assert backups.due(database, folder, AT)
    copy = backups.back_up(database, folder, AT)
    assert names(folder) == [copy.name]
    backups.restore(copy, database, LATER)
    assert names(database.parent) == ["backups", "rabble.db"]


def test_a_missing_database_is_not_made(database: Path, folder: Path) -> None:
    with pytest.raises(StoreError, match=r"^There is no file .*rabble\.db; name one that exists\.$"):
        backups.back_up(database, folder, AT)
    assert not database.exists()
    assert not folder.exists()


def test_a_folder_whose_disk_is_not_there_is_not_made(tmp_path: Path, database: Path) -> None:
    database.touch()
    with pytest.raises(StoreError, match=r"cannot be backed up in .* \(.*\); the one must be whole"):
        backups.back_up(database, tmp_path / "not-mounted" / "backups", AT)
    assert names(tmp_path) == ["rabble.db"]


def test_a_second_backup_at_the_same_time_leaves_the_first_alone(
    database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, 5)
    patient = copies.connected
    monkeypatch.setattr(copies, "connected", lambda file, patience=0.0: patient(file, patience))
    with backups._new(folder, "rabble", AT, ".db") as (partial, _):
        partial.write_text("half of it")
        with pytest.raises(StoreError, match="locked"):
            backups.back_up(database, folder, AT)
        assert partial.read_text() == "half of it"


def fill_the_disk(monkeypatch: pytest.MonkeyPatch, full: Callable[[Path], bool]) -> None:
    """Let files of these names grow to two pages only."""
    roomy = copies.connected

    def connected(file: Path, patience: float = 0) -> sqlite3.Connection:
        connection = roomy(file, patience)
        if full(file):
            connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr(copies, "connected", connected)


def test_a_full_disk_is_told_and_nothing_is_left_on_it(
    database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, 5)
    before = database.read_bytes()
    fill_the_disk(monkeypatch, lambda file: file.suffix == ".partial")
    with pytest.raises(StoreError, match=r"\(database or disk is full\); the one must be whole"):
        backups.back_up(database, folder, AT)
    assert names(folder) == []
    assert database.read_bytes() == before


def test_a_disk_too_full_to_restore_leaves_the_database_as_it_was(
    database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, 5)
    copy = backups.back_up(database, folder, AT)
    put(database, 7)
    before = contents(database.parent)
    fill_the_disk(monkeypatch, lambda file: file.name == "rabble.db.partial")
    with pytest.raises(StoreError, match=r"cannot be replaced \(database or disk is full\)"):
        backups.restore(copy, database, LATER)
    after = contents(database.parent)
    assert {path: after[path] for path in before} == before
    assert names(database.parent) == ["backups", "rabble.db"]


@pytest.mark.parametrize(
    ("ages", "kept"),
    [
        pytest.param([], [], id="nothing to do"),
        pytest.param([0 * DAYS, 4 * DAYS], [0, 1], id="few and young"),
        pytest.param([n * DAYS for n in range(8)], [0, 1, 2, 3, 4, 5], id="five days are not too old"),
        pytest.param([n * DAYS + HOURS for n in range(8)], [0, 1, 2, 3, 4], id="an hour more is"),
        pytest.param([0 * DAYS] + [30 * DAYS + n * HOURS for n in range(9)], [0, 1, 2, 3, 4], id="away"),
        # It is three in the morning: number 28 is the newest of the day before yesterday.
        pytest.param([n * HOURS for n in range(40)], [*range(24), 28], id="too many for five days"),
        pytest.param(
            [0 * DAYS, 1 * HOURS] + [-3650 * DAYS - n * HOURS for n in range(23)], list(range(25)),
            id="from the future, but there is room",
        ),
        pytest.param(
            [n * HOURS for n in range(24)] + [-3651 * DAYS, -3650 * DAYS, -3649 * DAYS], list(range(25)),
            id="from the future they go first",
        ),
    ],
)  # fmt: skip
def test_25_of_five_days_are_kept_but_always_the_newest_five(
    folder: Path, ages: list[timedelta], kept: list[int]
) -> None:
    folder.mkdir()
    files = [folder / f"rabble-{NOW - age:%Y%m%d-%H%M%S}.db" for age in ages]
    for file in files:
        file.touch()
    backups.rotate(folder, "rabble", NOW)
    assert set(folder.iterdir()) == {files[number] for number in kept}


@pytest.mark.parametrize(
    "name",
    [
        "rabble.db",
        "rabble-20200101-000000.db.bak",
        "rabble-20200101-000000.former",
        "rabble-20200101-000000-.db",
        "rabble-20200101.db",
        "rabble-20201301-000000.db",  # no such month
        "rabble-20200101-00000\u0660.db",
        "rabble2-20200101-000000.db",
        "my-rabble-20200101-000000.db",
        "rabble-20200101-000000-20200101-000000.db",
        "rabbleX20200101-000000.db",
    ],
)
def test_rotation_removes_only_what_bears_our_name(folder: Path, name: str) -> None:
    folder.mkdir()
    (folder / name).touch()
    for day in range(1, 7):
        (folder / f"rabble-2020020{day}-000000.db").touch()
    backups.rotate(folder, "rabble", AT)
    wanted = [f"rabble-2020020{day}-000000.db" for day in range(2, 7)]  # the newest five, all years old
    assert names(folder) == sorted([name, *wanted])


def test_a_stem_with_signs_of_patterns_matches_itself_only(folder: Path) -> None:
    folder.mkdir()
    ours = [f"r.b+[a]-2020020{day}-000000.db" for day in range(1, 7)]
    for name in (*ours, "rxb+[a]-20200101-000000.db"):
        (folder / name).touch()
    backups.rotate(folder, "r.b+[a]", AT)
    assert names(folder) == sorted([*ours[1:], "rxb+[a]-20200101-000000.db"])


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ([], True),
        ([23 * HOURS], False),
        ([24 * HOURS], True),
        ([30 * HOURS, 2 * HOURS], False),
        ([-3650 * DAYS], True),  # made by a wrong clock
        ([-3650 * DAYS, 2 * HOURS], False),
        ([-3650 * DAYS, 25 * HOURS], True),
    ],
)
def test_a_backup_is_due_a_day_after_the_newest_that_is_not_from_the_future(
    database: Path, folder: Path, ages: list[timedelta], expected: bool
) -> None:
    assert backups.due(database, folder, AT)  # there is no folder yet
    folder.mkdir()
    for age in ages:
        (folder / f"rabble-{NOW - age:%Y%m%d-%H%M%S}.db").touch()
    assert backups.due(database, folder, NOW) is expected


async def test_a_restored_ledger_is_as_it_was_and_the_former_one_is_kept(
    database: Path, folder: Path
) -> None:
    await asyncio.to_thread(put, database, 5)
    copy = backups.back_up(database, folder, AT)
    await asyncio.to_thread(put, database, 7)
    kept = backups.restore(copy, database, LATER)
    assert kept == folder / f"rabble-{NAMED_LATER}.db"
    assert (held(database), held(kept), held(copy)) == (5, 12, 5)
    await asyncio.to_thread(put, database, 1)  # it goes on as any other
    store = await Store.open(url(database))
    assert await breaches(store) == []
    assert await Ledger(store).balances([wallet(ALICE)]) == {wallet(ALICE): 6}
    await store.close()


def test_restoring_what_was_kept_takes_the_step_back(database: Path, folder: Path) -> None:
    put(database, 5)
    copy = backups.back_up(database, folder, AT)
    put(database, 7)
    kept = backups.restore(copy, database, LATER)
    assert kept is not None
    assert backups.restore(kept, database, LATER) == folder / f"rabble-{NAMED_LATER}-2.db"
    assert held(database) == 12


def test_a_restore_rotates_nothing_away(database: Path, folder: Path) -> None:
    """Else the oldest copy would go while it is being restored."""
    put(database, 5)
    copies_of_old = [backups.back_up(database, folder, AT) for _ in range(6)]
    assert backups.restore(copies_of_old[0], database, AT + 30 * DAYS)
    assert len(list(folder.glob("*.db"))) == 7


def test_a_lost_database_is_restored_in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "copy.db", 5)
    monkeypatch.chdir(tmp_path)
    assert backups.restore(tmp_path / "copy.db", Path("data/rabble.db"), AT) is None
    assert held(tmp_path / "data" / "rabble.db") == 5


def test_a_restored_database_is_not_mixed_with_the_log_of_a_crash(
    database: Path, folder: Path, tmp_path: Path
) -> None:
    put(tmp_path / "copy.db", 5)
    unclosed(database, tmp_path / "origin.db")
    kept = backups.restore(tmp_path / "copy.db", database, AT)
    assert kept is not None
    assert (held(database), held(kept)) == (5, 12)


def test_the_log_of_a_database_that_is_gone_is_not_played_into_the_restored_one(
    database: Path, tmp_path: Path
) -> None:
    put(tmp_path / "copy.db", 5)
    unclosed(database, tmp_path / "origin.db")
    database.unlink()
    assert backups.restore(tmp_path / "copy.db", database, AT) is None
    assert held(database) == 5


@pytest.mark.parametrize("spoilt", [slice(0, 100), slice(44, 48), slice(5000, 9000)])
def test_a_damaged_database_can_be_replaced_and_is_kept_as_it_was(
    database: Path, folder: Path, tmp_path: Path, spoilt: slice
) -> None:
    """The bytes are its header, the format of its schema, and pages of the schema."""
    put(tmp_path / "copy.db", 5)
    put(database, 7)
    content = bytearray(database.read_bytes())
    content[spoilt] = b"\xff" * (spoilt.stop - spoilt.start)
    database.write_bytes(content)
    kept = backups.restore(tmp_path / "copy.db", database, AT)
    assert kept == folder / f"rabble-{NAMED_AT}.former"
    assert kept.read_bytes()[100:] == content[100:]  # whoever opens it may write to its header
    assert names(folder) == [kept.name]
    assert held(database) == 5


def test_a_damaged_database_is_kept_with_what_its_log_had(database: Path, tmp_path: Path) -> None:
    put(tmp_path / "copy.db", 5)
    unclosed(database, tmp_path / "origin.db")
    header, rest = database.read_bytes()[:100], database.read_bytes()[100:]
    database.write_bytes(b"\xff" * 100 + rest)
    kept = backups.restore(tmp_path / "copy.db", database, AT)
    assert kept is not None
    assert held(database) == 5
    kept.write_bytes(header + kept.read_bytes()[100:])  # as a doctor of files would
    assert held(kept) == 12


CRASHES = """
import os, sys
from datetime import datetime
from pathlib import Path
from chatbot.wallets import backups
copy, at = Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2])
def crash(database, step):
    def count(event, arguments):
        nonlocal step
        touching = event in ("os.rename", "os.remove", "sqlite3.connect", "open")
        step -= touching and str(database.parent) in str(arguments[0])
        if step == 0:
            os._exit(9)
    sys.addaudithook(count)
    backups.restore(copy, database, at)
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
        kept = list(backups.beside(each).glob("*.db"))
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
        backups.restore(copy, database, AT)
    assert contents(tmp_path) == before


def test_somebody_elses_database_is_neither_backed_up_nor_restored(
    database: Path, folder: Path, tmp_path: Path
) -> None:
    put(database, 5)
    strange = tmp_path / "strange.db"
    with closing(sqlite3.connect(strange)) as connection:
        connection.execute("CREATE TABLE account (name TEXT)")
    with pytest.raises(StoreError, match="no database of this program"):
        backups.restore(strange, database, AT)
    with pytest.raises(StoreError, match="no database of this program"):
        backups.back_up(strange, folder, AT)
    assert held(database) == 5
    assert names(folder) == []


def test_a_missing_copy_and_the_database_itself_are_no_backups(database: Path) -> None:
    put(database, 5)
    with pytest.raises(StoreError, match=r"^There is no file .*gone\.db"):
        backups.restore(database.with_name("gone.db"), database, AT)
    with pytest.raises(StoreError, match="is the database itself; name one of its backups"):
        backups.restore(database, database, AT)


@pytest.mark.parametrize("owned", [True, False])
async def test_a_database_in_use_is_not_replaced(database: Path, folder: Path, owned: bool) -> None:
    """Whoever has it open is in the way, even without the lock of its owner."""
    await asyncio.to_thread(put, database, 5)
    copy = backups.back_up(database, folder, AT)
    store = await Store.open(url(database), alone=owned)
    ledger = Ledger(store)
    assert await ledger.post(grant(ALICE, 7))
    with pytest.raises(StoreError, match="in use by another process; stop that one"):
        backups.restore(copy, database, LATER)
    assert await ledger.post(grant(ALICE, 1))
    await store.close()
    assert held(database) == 13
    assert names(folder) == [copy.name]


def test_a_bot_that_has_not_opened_its_database_yet_is_in_the_way_too(database: Path, folder: Path) -> None:
    put(database, 5)
    copy = backups.back_up(database, folder, AT)
    before = contents(database.parent)
    with backups._owned(database), pytest.raises(StoreError, match="in use by another process"):
        backups.restore(copy, database, LATER)
    assert before.items() <= contents(database.parent).items()
    assert names(folder) == [copy.name]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_linked_database_stays_a_link(database: Path, tmp_path: Path) -> None:
    put(tmp_path / "copy.db", 5)
    (tmp_path / "disk").mkdir()
    put(tmp_path / "disk" / "real.db", 7)
    database.symlink_to(tmp_path / "disk" / "real.db")
    backups.restore(tmp_path / "copy.db", database, AT)
    assert database.is_symlink()
    assert held(tmp_path / "disk" / "real.db") == 5


def command(
    folder: Path, *words: str, database: str = "sqlite:///data/rabble.db"
) -> tuple[str, Failure | None]:
    """Run the command line in this process, and tell what it printed or refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHATBOT_DATABASE", database)
        patch.chdir(folder)
        result = CliRunner().invoke(cli.app, words)
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
