"""An update copies the database first, can be taken back, and loses nothing on the way there and back."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chatbot.cli import update
from chatbot.environment import Settings
from chatbot.invocation import STARTED_AS
from chatbot.kernel.game import Failure
from chatbot.ledger.store import migrations
from chatbot.ledger.store.store import Store
from tests.terminal import Terminal, terminal
from tests.test_release import commit, git

__all__ = ["terminal"]  # a fixture

FORMER = Path(__file__).parent / "ledger" / "former.sql.gz"
"""A database with a heist, as the version before this one wrote it."""
BALANCES = "SELECT id, balance FROM purse ORDER BY id"
STORY = "+400\nann: !heist 69\nbob: !heist half\n+200\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return Settings()


@pytest.fixture
def database(settings: Settings) -> Path:
    """Lay out the database of the version before."""
    file = settings.home / "rabble.db"
    settings.home.mkdir()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(gzip.decompress(FORMER.read_bytes()).decode())
    return file


def read(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def hush(_: str) -> None:
    """Hear nothing of what is told."""


def nothing(*commands: tuple[str, ...], undo: tuple[tuple[str, ...], ...] = ()) -> update.Installation:
    return update.Installation("clone", "0.0.9", Path(), commands, undo, "install it")


@pytest.mark.slow
async def test_from_the_version_before_to_this_one_and_back_nothing_is_lost(
    terminal: Terminal, database: Path
) -> None:
    before, tables = (
        read(database, BALANCES),
        read(database, "SELECT name, sql FROM sqlite_schema ORDER BY 1"),
    )
    postings = set(read(database, "SELECT * FROM posting"))
    assert before
    assert len(postings) > 5
    update.update(Settings(), hush, nothing(("git", "--version")))
    (terminal.folder / "story.txt").write_text(STORY, encoding="utf-8")
    played = await terminal.type("rehearse", "story.txt", "--database", "sqlite:///data/rabble.db")
    assert "Results: " in played.out
    assert (await terminal.type("audit")).code == 0
    assert postings < set(read(database, "SELECT * FROM posting"))
    after = read(database, BALANCES)
    told: list[str] = []
    update.undo(Settings(), told.append, nothing())
    if read(database, "SELECT version_num FROM alembic_version")[0][0] == migrations.NEWEST:
        assert told[0] == "The database stays as it is: both versions have the same tables."
        assert read(database, BALANCES) == after
        assert read(database, "SELECT name, sql FROM sqlite_schema ORDER BY 1") == tables
    else:
        assert told[0].startswith("The database has its former tables again, with all that was played")
        assert read(database, BALANCES) == after != before
        assert read(database, "SELECT name, sql FROM sqlite_schema ORDER BY 1") == tables
        assert postings < set(read(database, "SELECT * FROM posting"))
        await (await Store.open("sqlite:///data/rabble.db")).close()  # and forward once more
        assert read(database, BALANCES) == after
    assert (await terminal.type("audit")).code == 0


def test_a_database_with_newer_tables_is_put_back_and_kept(settings: Settings, database: Path) -> None:
    update.update(settings, hush, nothing(("git", "--version")))
    before, former = read(database, BALANCES), update.revision(database)
    with closing(sqlite3.connect(database)) as connection, connection:  # as a newer version would
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.execute("CREATE TABLE newer (id INTEGER)")
    told: list[str] = []
    update.undo(settings, told.append, nothing())
    assert read(database, BALANCES) == before
    assert update.revision(database) == former
    kept = Path(told[0].rpartition(" ")[2].rstrip("."))
    assert update.revision(kept) == "9999"
    with pytest.raises(Failure, match="no update to go back from"):
        update.undo(settings, told.append, nothing())


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Clone a repository in which there is something new afterwards."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    (origin / "pyproject.toml").write_text("one", encoding="utf-8")
    git(origin, "init", "--quiet", "--initial-branch", "main")
    commit(origin)
    git(tmp_path, "clone", "--quiet", str(origin), str(clone))
    (origin / "pyproject.toml").write_text("two", encoding="utf-8")
    commit(origin)
    return clone


def test_a_clone_is_brought_forward_and_back(settings: Settings, clone: Path) -> None:
    told: list[str] = []
    update.update(settings, told.append, update.installation(clone))
    assert (clone / "pyproject.toml").read_text(encoding="utf-8") == "two"
    assert told[-2:] == [
        "Updated; stop the bot if it runs, and start it again.", "To go back: `chatbot update --undo`",
    ]  # fmt: skip
    update.undo(settings, told.append, update.installation(clone))
    assert (clone / "pyproject.toml").read_text(encoding="utf-8") == "one"


def test_an_update_that_fails_leaves_the_clone_as_it_was(settings: Settings, clone: Path) -> None:
    (clone / "pyproject.toml").write_text("mine", encoding="utf-8")
    told: list[str] = []
    with pytest.raises(Failure, match="the program is as it was"):
        update.update(settings, told.append, update.installation(clone))
    assert (clone / "pyproject.toml").read_text(encoding="utf-8") == "mine"
    assert any("pyproject.toml" in each for each in told)


def test_whatever_cannot_update_itself_says_what_to_do(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sentence() -> str:
        return update.installation(tmp_path).sentence

    monkeypatch.setattr("chatbot.invocation.source", lambda: "file:///a/rabble-1.whl")
    assert sentence().startswith("it was installed from file:///a/rabble-1.whl; install the file")
    monkeypatch.setenv(STARTED_AS, "sudo -u rabble rabble")
    assert sentence().startswith("install the package, or load the image, of the new version")
    monkeypatch.delenv(STARTED_AS)
    monkeypatch.setattr("chatbot.invocation.source", lambda: None)
    monkeypatch.setattr("sys.prefix", "/home/ann/.cache/uv/archive-v0/AbC")
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr("sys.argv", ["rabble"])
    assert sentence() == "`uvx --refresh --from rabble rabble` starts the newest version"
    (tmp_path / "pyproject.toml").touch()
    assert sentence().startswith("unpack the archive of the new version over this folder")


async def test_the_version_says_whether_the_database_fits(terminal: Terminal, database: Path) -> None:
    async def says() -> str:
        done = await terminal.type("--version")
        assert done.code == 0
        version, sentence = done.out.splitlines()
        assert version.startswith("Rabble ")
        return sentence

    def remove() -> None:
        database.unlink()

    def pretend(revision: str) -> None:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))

    older = "is of an older version: the next start copies it, and brings it up to date."
    assert (await says()).endswith(older)
    pretend(migrations.NEWEST)
    assert (await says()).endswith(f"fits this version (revision {migrations.NEWEST}).")
    pretend("9999")
    assert "revision 9999 is newer than this program" in await says()
    remove()
    assert (await says()).endswith(" is not there yet; the first start makes it.")
    terminal.set(port="nonsense")
    assert "CHATBOT_PORT" in await says()
