"""Brings a database to the present schema: creates an empty one, and upgrades an older one by Alembic.

A server may be shared by processes of this version and of the next one, which has upgraded it. So on
PostgreSQL the database says in a comment which revisions can go on beside the present one, and a program
accepts a newer revision that names its own. `docs/internals/versions.md` has the rule for migrations.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, String, Table, insert, inspect, text

from chatbot.ledger.store import schema, triggers

if TYPE_CHECKING:
    from collections.abc import Collection

    from alembic.config import Config
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection

FIRST, NEWEST = "0007", "0018"
OLDEST_BESIDE = "0017"
"""The oldest revision whose program works on a database of the newest one. It stays as it is with a migration
that only adds; one that takes something away, or demands more, makes it that of the last release."""

_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The table in which Alembic keeps the revision, as it makes it."""

_REVISION = re.compile(r"[0-9]{4}", re.ASCII)
_BESIDE = re.compile(r"programs of revision ([0-9]{4}) and newer", re.ASCII)
_READ_COMMENT = text("SELECT obj_description('alembic_version'::regclass, 'pg_class')")
_LOCK = 0x7261_6262_6C65  # any number that no other program locks: the letters of "rabble"


class UnknownRevision(Exception):  # noqa: N818  (the name says what happened)
    """The database was written by another version of the program: newer, or before the first; or by another.

    `revision` is None if there are tables, but no revision.
    """

    def __init__(self, revision: str | None) -> None:
        is_ours = revision is not None and _REVISION.fullmatch(revision)
        self.is_newer = bool(is_ours and str(revision) > NEWEST)
        if not is_ours:
            super().__init__("it has the tables of another program")
        elif self.is_newer:
            super().__init__(f"revision {revision} is newer than this program, which knows {NEWEST}")
        else:
            super().__init__(
                f"revision {revision} is from before the first version, which begins with {FIRST}"
            )


async def upgrade(connection: AsyncConnection) -> None:
    """Bring the database to the present schema in the transaction of the caller.

    Raises:
        UnknownRevision: the database is newer than the program, or older than its first version.
    """
    if not await is_present(connection):
        if connection.dialect.name == "postgresql":  # another process may be doing the same
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        await connection.run_sync(_upgrade)


async def is_older(connection: AsyncConnection) -> bool:
    """Return whether an older version of the program has written the database; revisions are numbered."""
    revision = await connection.run_sync(_revision)
    return revision is not None and revision < NEWEST


async def require_known(connection: AsyncConnection) -> None:
    """Require that this program can use or upgrade the database; an empty one is created by that.

    Raises:
        UnknownRevision: the database is newer than the program, older than its first version, or another's.
    """
    revision = await connection.run_sync(_revision)
    known = revision is not None and _REVISION.fullmatch(revision) and FIRST <= revision <= NEWEST
    known = known or await connection.run_sync(_is_beside)
    if not known and (revision is not None or await connection.run_sync(_has_tables)):
        raise UnknownRevision(revision)


async def is_present(connection: AsyncConnection) -> bool:
    """Return whether the database has the present schema, or a newer one on which this program works."""
    return await connection.run_sync(_revision) == NEWEST or await connection.run_sync(_is_beside)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _is_beside(connection: Connection) -> bool:
    """Return whether a newer program has upgraded the database, and says that this one may go on."""
    revision = _revision(connection)
    if connection.dialect.name != "postgresql" or revision is None or not _REVISION.fullmatch(revision):
        return False
    match = _BESIDE.fullmatch(str(connection.execute(_READ_COMMENT).scalar() or ""))
    return revision > NEWEST and match is not None and match[1] <= NEWEST


def _write_comment(connection: Connection) -> None:
    """Say which programs can go on with the present schema."""
    if connection.dialect.name == "postgresql":
        words = f"programs of revision {OLDEST_BESIDE} and newer"
        connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS '{words}'")


def _has_tables(connection: Connection) -> bool:
    """Return whether there are tables that a new database must not have; a server may hold others."""
    names = set(inspect(connection).get_table_names())
    return bool(names if connection.dialect.name == "sqlite" else names & set(schema.metadata.tables))


def _upgrade(connection: Connection) -> None:
    if _revision(connection) is None:
        create(connection)
    else:
        migrate(connection)


def create(connection: Connection) -> None:
    """Create the tables and triggers in an empty database, and note the revision.

    A test compares them with what all migrations make. Those would take 0.3 s more, most of it to import
    Alembic, on the first start that somebody sees.
    """
    create_schema(connection)
    _VERSION.create(connection)
    connection.execute(insert(_VERSION), [{"version_num": NEWEST}])
    _write_comment(connection)


def create_schema(connection: Connection, without: Collection[str] = ()) -> None:
    """Create the tables as `schema` declares them, except some, and the triggers."""
    tables = [each for each in schema.metadata.sorted_tables if each.name not in without]
    schema.metadata.create_all(connection, tables=tables, checkfirst=False)
    statements = triggers.statements(connection.dialect.name)
    if schema.people_version in tables:
        statements += triggers.counting(connection.dialect.name)
    for statement in statements:
        connection.exec_driver_sql(statement)


def migrate(connection: Connection) -> None:
    """Run the missing migrations by Alembic; all of them in an empty database.

    Raises:
        UnknownRevision: there is no such revision as that of the database.
    """
    from alembic import command  # noqa: PLC0415  (takes 0.25 s, which nearly all starts save)
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    settings = _config(connection)
    revisions = {each.revision for each in ScriptDirectory.from_config(settings).walk_revisions()}
    revision = _revision(connection)
    if revision is not None and revision not in revisions:
        raise UnknownRevision(revision)
    command.upgrade(settings, "head")
    _write_comment(connection)


def downgrade(connection: Connection, revision: str) -> None:
    """Bring a database of this version back to an older revision, with everything that was played since.

    Raises:
        UnknownRevision: the database is not of this version, or there is no such older revision.
    """
    from alembic import command  # noqa: PLC0415  (as above)

    present = _revision(connection)
    if present != NEWEST or not FIRST <= revision < NEWEST:
        raise UnknownRevision(present)
    command.downgrade(_config(connection), revision)


def _config(connection: Connection) -> Config:
    from alembic.config import Config  # noqa: PLC0415

    settings = Config(attributes={"connection": connection})
    # Alembic reads options as templates, in which a percent sign is special.
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return settings
