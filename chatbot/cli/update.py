"""`chatbot update`: brings the program to its newest version, or says how; before it, the database is copied.

What was there before is noted in the home, so that `--undo` can go back. A version that has not changed the
tables reads what the newer one has written. Where they were changed, this version gives the database its
former tables again, with all that was played since. Only of one that a still newer version has written it
cannot: then the copy from before is put back, and the database as it was is kept beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine

from chatbot import __version__, invocation
from chatbot.kernel.game import Failure
from chatbot.ledger.store import backup, engines, migrations
from chatbot.ledger.store.file_lock import FileLock
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.environment import Settings

NOTE = "update.json"  # in the home

CLONE = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Installation:
    """How this program was installed: what brings a newer version, and what goes back to this one.

    Commands are lists of words, run in the folder; without any, the sentence says what to type.
    """

    kind: str
    version: str
    folder: Path
    update: tuple[tuple[str, ...], ...] = ()
    undo: tuple[tuple[str, ...], ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What was there before an update."""

    version: str
    revision: str
    copy: str | None  # of the database, if it is a file
    undo: tuple[tuple[str, ...], ...]
    sentence: str


def installation(clone: Path = CLONE) -> Installation:
    """Find out how this program was installed."""
    if (clone / "pyproject.toml").is_file():
        return _of_clone(clone)
    again = f"install the file of version {__version__} again"
    if invocation.STARTED_AS in os.environ:
        sentence = (
            "install the package, or load the image, of the new version over this one, and start it again"
        )
        return Installation("package", __version__, clone, sentence=sentence)
    source = invocation.source()
    if source is not None and not source.startswith("git+"):
        sentence = f"it was installed from {source}; install the file of the new version in the same way"
        return Installation("file", __version__, clone, sentence=sentence)
    if Path(sys.prefix, "uv-receipt.toml").exists():
        undo = () if source else (("uv", "tool", "install", f"rabble=={__version__}"),)
        return Installation(
            "uv tool", __version__, clone, (("uv", "tool", "upgrade", "rabble"),), undo, "" if undo else again
        )
    sentence = f"`{invocation.with_newest()}` starts the newest version"
    return Installation("index", __version__, clone, sentence=sentence)


def update(settings: Settings, tell: Callable[[str], None], program: Installation) -> None:
    """Copy the database, and then update the program or say how; what was there before is noted.

    Raises:
        Failure: the database cannot be copied, or a command fails; the program is as it was then.
    """
    file, copy = engines.file_of(settings.database), None
    if file is not None and file.exists():
        copy = str(backup.back_up(file, backup.beside(file), datetime.now(UTC)))
        tell(f"The database was copied: {copy}")
    elif file is None:
        tell(
            "The database is on a server: copy it by the server's own pg_dump before you start a new version."
        )
    present = None if file is None or not file.exists() else revision(file)
    note = Note(program.version, present or migrations.NEWEST, copy, program.undo, program.sentence)
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    (settings.home / NOTE).write_text(json.dumps(asdict(note)), encoding="utf-8")
    if not program.update:
        tell(f"This is Rabble {program.version}: {program.sentence}.")
    elif _has_failed(program.update, program.folder, tell):
        _has_failed(program.undo, program.folder, tell)
        raise Failure("The update failed, and the program is as it was; what failed is told above.")
    else:
        tell("Updated; stop the bot if it runs, and start it again.")
    tell("To go back: `chatbot update --undo`")


def undo(settings: Settings, tell: Callable[[str], None], program: Installation) -> None:
    """Go back to the version before the update, with its database where the newer one has changed the tables.

    Raises:
        Failure: no update is noted, the bot is running, or a command fails.
    """
    try:
        fields = json.loads((settings.home / NOTE).read_text(encoding="utf-8"))
        note = Note(**{**fields, "undo": tuple(map(tuple, fields["undo"]))})
    except (OSError, ValueError, TypeError, KeyError):
        raise Failure("There is no update to go back from: `chatbot update` notes what was there.") from None
    file = engines.file_of(settings.database)
    if file is not None and file.exists() and revision(file) != note.revision:
        if _is_brought_back(file, note.revision):
            tell("The database has its former tables again, with all that was played since the update.")
            _put_back(settings, tell, program, note)
            return
        if note.copy is None or not Path(note.copy).exists():
            raise Failure("The database has newer tables, and its copy from before the update is gone.")
        previous_file = backup.restore(Path(note.copy), file, datetime.now(UTC))
        tell(
            f"The database is as it was before the update; as it was until now it is kept in {previous_file}."
        )
    else:
        tell("The database stays as it is: both versions have the same tables.")
    _put_back(settings, tell, program, note)


def _put_back(settings: Settings, tell: Callable[[str], None], program: Installation, note: Note) -> None:
    """Put the program back as it was, once its database is; raises as `undo`."""
    if _has_failed(note.undo, program.folder, tell):
        raise Failure("The program could not be put back; what failed is told above.")
    if note.undo:
        tell(f"The program is as it was before: {note.version}.")
    else:
        tell(f"Install version {note.version} again: {note.sentence}.")
    (settings.home / NOTE).unlink()


def _is_brought_back(file: Path, to: str) -> bool:
    """Give a database the tables of an older revision, after a copy of it; False: this version cannot.

    Raises:
        Failure: the bot is running.
    """
    if revision(file) != migrations.NEWEST or not migrations.FIRST <= to < migrations.NEWEST:
        return False
    owner = FileLock(engines.address(f"sqlite:///{file.as_posix()}"))
    try:
        owner.claim()
    except engines.StoreError as error:
        raise Failure(str(error)) from None
    try:
        backup.back_up(file, backup.beside(file), datetime.now(UTC))
        engine = create_engine(f"sqlite:///{file.as_posix()}")
        with engine.begin() as connection:
            migrations.downgrade(connection, to)
        engine.dispose()
    finally:
        owner.release()
    return True


async def fit(database: str) -> str:
    """Return a sentence that says whether a database is of this version of the program."""
    where = engines.address(database)
    file = engines.file_of(database)
    name = engines.shown(where)
    if file is not None and not file.exists():
        return f"The database {name} is not there yet; the first start makes it."
    if (
        file is not None
        and (current_revision := revision(file)) is not None
        and migrations.FIRST <= current_revision < migrations.NEWEST
    ):
        return (
            f"The database {name} is of an older version: the next start copies it, and brings it up to date."
        )
    await (await Store.look(database)).close()
    return f"The database {name} fits this version (revision {migrations.NEWEST})."


def revision(file: Path) -> str | None:
    """Return the revision of the tables in a file; None if it has none."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (version_num,) = connection.execute("SELECT max(version_num) FROM alembic_version").fetchone()
    except sqlite3.Error:
        return None
    return None if version_num is None else str(version_num)


def _of_clone(clone: Path) -> Installation:
    git = shutil.which("git")
    if git is None or not (clone / ".git").exists():
        sentence = "unpack the archive of the new version over this folder; what is in data stays"
        return Installation("archive", __version__, clone, sentence=sentence)
    process = subprocess.run(  # noqa: S603  (git, as it was found)
        [git, "rev-parse", "HEAD"], cwd=clone, capture_output=True, encoding="utf-8", check=False
    )
    commit = process.stdout.strip()
    # What somebody has changed in the clone is kept: git refuses where a change would be overwritten.
    return Installation(
        "clone", f"{__version__} ({commit[:12]})", clone,
        ((git, "pull", "--ff-only"),), ((git, "reset", "--keep", commit),),
    )  # fmt: skip


def _has_failed(commands: tuple[tuple[str, ...], ...], folder: Path, tell: Callable[[str], None]) -> bool:
    for command in commands:
        tell(f"$ {' '.join(command)}")
        process = subprocess.run(  # noqa: S603  (of this module, or of the note that it has written)
            command, cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
        for line in (process.stdout + process.stderr).strip().splitlines():
            tell(f"  {line}")
        if process.returncode:
            return True
    return False
