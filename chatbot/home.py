"""The folder in which everything is kept: the database, its backups, keys and tokens.

In a clone it is the clone's `data`. An installed program has one place on each system, wherever it is
started, for two starts in two folders would make two databases, and all credits would seem to be gone.
`CHATBOT_HOME` names another one.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DATABASE = "rabble.db"
KEPT_BEFORE = (f"data/{DATABASE}", DATABASE)
"""Where in the working folder a database may lie that another start, or an older version, has made."""


def default(program: Path = Path(__file__).parent.parent) -> Path:
    """Return the folder for who names none; relative to the working folder if it is in there.

    `program` is the folder in which the package is.
    """
    if not (program / "pyproject.toml").is_file():  # it is installed, and no clone
        return _of_system()
    data = program.absolute() / "data"
    return data.relative_to(Path.cwd()) if data.is_relative_to(Path.cwd()) else data


def _of_system() -> Path:
    from platformdirs import user_data_path  # noqa: PLC0415  (a clone does not need it)

    return user_data_path("rabble", appauthor=False)


def database_url(home: Path) -> str:
    """Return the URL of the database in a home."""
    return f"sqlite:///{(home / DATABASE).as_posix()}"


def has(home: Path, file: Path) -> bool:
    """Whether a file lies directly in a home."""
    return file.absolute().parent == home.absolute()


def make(home: Path, database: str) -> None:
    """Make the home if the database belongs into it; where that fails, opening the database says why."""
    from chatbot.ledger.store.engines import file_of  # noqa: PLC0415  (slow, and settings are read without)

    file = file_of(database)
    if file is not None and has(home, file):
        with suppress(OSError):
            home.mkdir(mode=0o700, parents=True, exist_ok=True)


def in_words(home: Path, database: str) -> Iterator[str]:
    """Say where everything is kept, and name databases in the working folder that are not in use.

    `database` is the URL of the one that is.
    """
    from chatbot.ledger.store.engines import address, file_of, shown  # noqa: PLC0415  (as above)

    file = file_of(database)
    if file is not None and has(home, file):
        yield f"Everything that it keeps is in {home.absolute()}."
    else:
        yield f"Its keys are in {home.absolute()}, and its database is {shown(address(database))}."
    for unused_file in map(Path, KEPT_BEFORE):
        if unused_file.is_file() and not (file is not None and file.exists() and unused_file.samefile(file)):
            where = unused_file.absolute()
            yield f"The database {where} is not in use; set CHATBOT_HOME to {where.parent} to use it."
