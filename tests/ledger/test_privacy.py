"""Nobody else on the machine can read a database, what lies beside it, or its backups: seeds are in them."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import KeyRing
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.store import backup, file_modes
from chatbot.ledger.store.store import Store
from tests.ledger.copied import put, url
from tests.ledger.samples import ALICE, AT, grant

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the system has no such modes")


@pytest.fixture(autouse=True, params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a system takes away from the modes of new files, or does not."""
    with ExitStack() as stack:
        stack.callback(os.umask, os.umask(request.param))
        yield


@pytest.fixture
def born(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no mode changed: files must be private from their first moment."""
    monkeypatch.setattr(file_modes, "tighten", lambda _: None)
    for module, name in ((os, "chmod"), (os, "fchmod"), (Path, "chmod"), (shutil, "copymode")):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("a mode was changed"))


@asynccontextmanager
async def used(database: Path) -> AsyncIterator[None]:
    """Have a bot run on it, and something be written."""
    store = await Store.open(url(database), alone=True)
    try:
        await Ledger(store).post(grant(ALICE, 5))
        yield
    finally:
        await store.close()


def modes(folder: Path) -> dict[str, int]:
    files = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): stat.S_IMODE(each.stat().st_mode) for each in files}


@pytest.mark.usefixtures("born")
async def test_a_new_database_is_private_with_its_log_and_its_lock(tmp_path: Path) -> None:
    async with used(tmp_path / "rabble.db"):
        found = modes(tmp_path)
    assert {"rabble.db", "rabble.db-owner", "rabble.db-shm", "rabble.db-wal"} <= set(found)
    assert set(found.values()) == {0o600}


@pytest.mark.usefixtures("born")
async def test_what_a_link_leads_to_is_private(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "rabble.db").symlink_to(tmp_path / "disk" / "real.db")
    async with used(tmp_path / "rabble.db"):
        found = modes(tmp_path / "disk")
    assert {"real.db", "real.db-owner", "real.db-shm", "real.db-wal"} <= set(found)
    assert set(found.values()) == {0o600}


@pytest.mark.usefixtures("born")
def test_backups_and_what_is_restored_are_private_at_every_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, folder = tmp_path / "rabble.db", tmp_path / "backups"
    with ExitStack() as stack:
        stack.callback(os.umask, os.umask(0o077))
        put(database, 5)
    seen: list[int] = []
    replace = Path.replace

    def look(self: Path, target: Path | str) -> Path:
        seen.extend(modes(tmp_path).values())
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", look)
    copy = backup.back_up(database, folder, AT)
    assert backup.restore(copy, database, AT) is not None
    database.write_bytes(b"damaged")  # it is set aside as it is
    assert backup.restore(copy, database, AT) is not None
    assert len(seen) > 10
    assert set(seen) == {0o600}
    assert set(modes(tmp_path).values()) == {0o600}
    assert any(name.endswith(".former") for name in modes(folder))


async def test_what_others_could_read_before_is_private_after_a_start(tmp_path: Path) -> None:
    database, letter = tmp_path / "rabble.db", tmp_path / "letter.txt"
    letter.touch()
    async with used(database):
        backup.back_up(database, tmp_path / "backups", AT)
        for name in modes(tmp_path):
            (tmp_path / name).chmod(0o664)
        await (await Store.open(url(database))).close()
        found = modes(tmp_path)
    assert found.pop("letter.txt") == 0o664  # what is not ours stays as it is
    assert {"rabble.db", "rabble.db-owner", "rabble.db-shm", "rabble.db-wal"} < set(found)
    assert len([name for name in found if name.startswith("backups/rabble-")]) == 2
    assert set(found.values()) == {0o600}


async def test_a_file_of_somebody_else_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "rabble.db"
    await (await Store.open(url(database))).close()
    database.chmod(0o660)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    await (await Store.open(url(database), alone=True)).close()
    assert file_modes.exposed(database)


async def test_where_there_are_no_modes_nothing_is_asked_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "rabble.db"
    await (await Store.open(url(database))).close()
    database.chmod(0o644)
    monkeypatch.setattr(file_modes, "has_modes", lambda: False)
    await (await Store.open(url(database), alone=True)).close()
    monkeypatch.undo()
    assert stat.S_IMODE(database.stat().st_mode) == 0o644


def test_a_log_that_others_can_read_is_known_for_one(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    assert not file_modes.exposes(writer)
    for each in (reader, writer):
        os.close(each)
    assert not file_modes.exposes(writer)
    with (tmp_path / "my.log").open("w", encoding="utf-8") as log:
        os.fchmod(log.fileno(), 0o644)
        assert file_modes.exposes(log.fileno())
        os.fchmod(log.fileno(), 0o600)
        assert not file_modes.exposes(log.fileno())


@pytest.mark.usefixtures("born")
def test_the_lock_of_the_keys_is_private(tmp_path: Path) -> None:
    KeyRing(tmp_path / "keys.json", Discretion()).drop("1")
    assert set(modes(tmp_path).values()) == {0o600}
    assert "keys.json-lock" in modes(tmp_path)
