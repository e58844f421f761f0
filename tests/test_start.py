"""What keeps the program from starting is told in one sentence that names the path and what to do."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,  # each starts the program
    pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights elsewhere"),
]

ROOT = Path(__file__).parent.parent
PATIENCE = 120.0  # seconds for one start, on a machine that is busy with other things


def start(folder: Path, database: Path | str, code: str = "") -> str:
    """Start the program as somebody whom the modes of files bind; give the sentence that it ends with."""
    bound = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if _is_root() else []
    if bound and shutil.which("setpriv") is None:
        pytest.skip("root may do everything, and there is no setpriv")
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name == "CHATBOT_HOME" or not name.startswith("CHATBOT_")
    }
    settings = {"CHATBOT_DATABASE": f"sqlite:///{database}", "CHATBOT_PORT": "0", "PYTHONPATH": str(ROOT)}
    program = [sys.executable, *(["-c", code] if code else ["-m", "chatbot"])]
    done = subprocess.run(
        [*bound, *program], cwd=folder, env=inherited | settings,
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith((f"The database sqlite:///{database} ", "The file .env "))
    return sentence


def _is_root() -> bool:
    return Path("/proc/self").exists() and Path("/proc/self").stat().st_uid == 0


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """Make one that was used, and closed in order."""
    file = tmp_path / "data" / "rabble.db"
    file.parent.mkdir()
    await (await Store.open(f"sqlite:///{file}")).close()
    return file


def test_a_file_that_cannot_be_written(tmp_path: Path, database: Path) -> None:
    database.chmod(0o400)
    assert start(tmp_path, database).endswith(
        f"; the file {database} cannot be read and written: allow it, or name another database."
    )


def test_a_folder_that_cannot_be_written(tmp_path: Path, database: Path) -> None:
    database.parent.chmod(0o500)
    told = (
        f"; nothing can be written in the folder {database.parent}: allow it, or name a database elsewhere."
    )
    assert start(tmp_path, database).endswith(told)
    assert start(tmp_path, database.parent / "new.db").endswith(told)
    assert start(tmp_path, "data/deeper/new.db").endswith(told)  # the folder of a relative path is made
    database.parent.chmod(0o700)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Lend a disk that can be mounted anew."""
    place = tmp_path / "mounted"
    place.mkdir()
    if (
        not _is_root()
        or shutil.which("mount") is None
        or mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", place)
    ):
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", place], check=True)


def mount(*arguments: str | Path) -> int:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode


async def test_a_disk_that_is_read_only(tmp_path: Path, disk: Path) -> None:
    used, torn = disk / "used.db", disk / "torn.db"
    await (await Store.open(f"sqlite:///{used}")).close()
    store = await Store.open(f"sqlite:///{torn}")
    for each in (torn, Path(f"{torn}-wal"), Path(f"{torn}-shm")):  # as after a power cut
        shutil.copy(each, disk / each.name.replace("torn", "cut"))
    await store.close()
    assert mount("-o", "remount,ro", disk) == 0
    for name in ("used.db", "cut.db", "new.db"):
        told = start(tmp_path, disk / name)
        assert told.endswith(
            f"; the disk of {disk} is read-only: mount it for writing, or name a database on another one."
        )


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "disk" / "rabble.db"
    assert start(tmp_path, missing).endswith(
        f"; its folder {missing.parent} is not there: make it, or name another database."
    )
    assert not missing.parent.exists()


def test_a_path_that_is_a_folder_or_leads_through_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    assert start(tmp_path, "folder").endswith("; folder is a folder: name a file in it.")
    assert start(tmp_path, "file/rabble.db").endswith(
        f"; {tmp_path / 'file'} is a file, and no folder: name another database."
    )


# A file that may not grow is a disk that is full: SQLite itself refuses the next page.
FULL = """
import sqlite3
from chatbot.cli.entry import main
connect = sqlite3.connect
def connect_full(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.execute("PRAGMA max_page_count = 1")
    return connection
sqlite3.connect = connect_full
main()
"""


def test_a_disk_that_fills_up_while_it_starts(tmp_path: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE filler (content BLOB)")
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON place BEGIN"
            " INSERT INTO filler VALUES (zeroblob(1000000)); END"
        )
    assert start(tmp_path, database, FULL).endswith(
        " (database or disk is full); make room on its disk, or name a database on another one."
    )


@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_a_log_that_others_can_read_is_warned_of(tmp_path: Path, mode: int) -> None:
    log = tmp_path / "my.log"
    log.touch()
    log.chmod(mode)
    environment = {**os.environ, "CHATBOT_DATABASE": "sqlite:///my.db", "CHATBOT_PORT": "0"}
    with log.open("a") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "chatbot"], cwd=tmp_path, env={**environment, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE, stderr=file, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        assert "listening" in process.stdout.readline()
        kept = process.stdout.readline()
        assert process.stdout.readline().startswith("Set up Twitch, Discord and the overlay at ")
        process.terminate()
        with process.stdout:
            told = process.stdout.read()
        assert process.wait(PATIENCE) == 0
    warning = "Warning: the log goes into a file that others on this machine can read; `chmod 600` it.\n"
    assert kept == f"Its keys are in {tmp_path / 'data'}, and its database is sqlite:///my.db.\n"
    assert told == (warning if mode == 0o644 else "")


def test_a_driver_that_is_missing_is_one_of_the_program(tmp_path: Path) -> None:
    hide = (
        "import runpy, sys; sys.modules['aiosqlite'] = None; runpy.run_module('chatbot', run_name='__main__')"
    )
    assert start(tmp_path, "rabble.db", hide).endswith(
        " needs the package aiosqlite, which is missing;"
        " it comes with the program: run `uv sync`, or `pip install aiosqlite`."
    )


def test_settings_that_only_others_may_read_are_named(tmp_path: Path) -> None:
    settings = tmp_path / ".env"
    settings.write_text("CHATBOT_LANGUAGE=ko\n")
    settings.chmod(0)
    told = start(tmp_path, tmp_path / "rabble.db")
    assert told == (
        "The file .env cannot be read (Permission denied); whoever starts the bot must be allowed to."
    )


def test_an_address_for_setting_up_is_printed_while_the_bot_runs_and_opens_it(tmp_path: Path) -> None:
    environment = {**os.environ, "CHATBOT_DATABASE": "sqlite:///my.db", "PYTHONPATH": str(ROOT)}
    environment["CHATBOT_PORT"] = str(port := free_port())
    with subprocess.Popen(
        [sys.executable, "-m", "chatbot"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert "listening" in process.stdout.readline()
        desk = [sys.executable, "-m", "chatbot", "desk"]
        printed = subprocess.run(
            desk, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
        ).stdout.splitlines()
        link = printed[0].rpartition("/")[2]
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/enter",
            json.dumps({"link": link}).encode(),
            {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  (our own)
            assert json.load(answer) == {"next": "/setup"}
        process.terminate()
    assert process.returncode == 0


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
