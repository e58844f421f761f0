"""Upgrades a database to the present schema. Alembic is imported only when an upgrade is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection

FIRST, NEWEST = "0003", "0004"

_LOCK = 0x7261_6262_6C65  # any number that no other program locks: the letters of "rabble"


class UnknownRevision(Exception):  # noqa: N818  (the name says what happened)
    """The database was written by a newer version of the program, or by one from before the first release."""

    def __init__(self, revision: str) -> None:
        self.is_newer = revision > NEWEST
        if self.is_newer:
            super().__init__(f"revision {revision} is newer than this program, which knows {NEWEST}")
        else:
            super().__init__(
                f"revision {revision} is from before the first version, which begins with {FIRST}"
            )


async def upgrade(connection: AsyncConnection) -> None:
    """Run the missing migrations in the transaction of the caller.

    Raises:
        UnknownRevision: the database is newer than the program, or older than its first version.
    """
    if await connection.run_sync(_revision) != NEWEST:
        if connection.dialect.name == "postgresql":  # another process may be doing the same
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        await connection.run_sync(_upgrade)


async def is_older(connection: AsyncConnection) -> bool:
    """Return whether an older version of the program has written the database; revisions are numbered."""
    revision = await connection.run_sync(_revision)
    return revision is not None and revision < NEWEST


async def require_known(connection: AsyncConnection) -> None:
    """Require that a start of this program would upgrade the database.

    Raises:
        UnknownRevision: the database is newer than the program, or older than its first version.
    """
    revision = await connection.run_sync(_revision)
    if revision is not None and not FIRST <= revision <= NEWEST:
        raise UnknownRevision(revision)


async def is_present(connection: AsyncConnection) -> bool:
    """Return whether the database has the present schema."""
    return await connection.run_sync(_revision) == NEWEST


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415  (takes 0.25 s, which most starts save)
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    settings = _config(connection)
    known = {each.revision for each in ScriptDirectory.from_config(settings).walk_revisions()}
    revision = _revision(connection)
    if revision is not None and revision not in known:
        raise UnknownRevision(revision)
    command.upgrade(settings, "head")


def _config(connection: Connection) -> Config:
    from alembic.config import Config  # noqa: PLC0415

    settings = Config(attributes={"connection": connection})
    # Alembic reads options as templates, in which a percent sign is special.
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return settings
