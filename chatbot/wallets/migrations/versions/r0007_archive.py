"""The archive of finished tables, and the removal of postings by key alone.

A transfer named its posting as a foreign key. Whoever removes a posting then looks through all transfers,
for no index leads there; that a posting is missing is found by the audit, and a transfer carries its
posting's id in its own.
"""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WHOLE = sa.text("settings <> ''")

POSTING_KEY = re.compile(
    r",\s*CONSTRAINT fk_transfer_posting FOREIGN KEY\(posting\) REFERENCES posting \(id\)"
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_transfer()
    else:
        op.drop_constraint("fk_transfer_posting", "transfer", type_="foreignkey")
    op.create_index(
        "ix_game_table_whole", "game_table", ["closed_at", "id"], sqlite_where=WHOLE, postgresql_where=WHOLE
    )
    op.create_table(
        "archive",
        sa.Column("number", BIG, autoincrement=True, nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("kept", BIG, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_archive")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_archive_table_id")),
        sqlite_strict=True,
    )
    op.create_index("ix_archive_table_id", "archive", ["table_id"], unique=True)
    op.create_table(
        "archive_member",
        sa.Column("mark", BIG, autoincrement=False, nullable=False),
        sa.Column("at", BIG, autoincrement=False, nullable=False),
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("mark", "at", "number", name=op.f("pk_archive_member")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _rebuild_transfer() -> None:
    """Write the table anew without the key; its rows keep their order, its triggers and indices come back."""
    bind = op.get_bind()
    of_transfer = "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'transfer' AND sql <> ''"
    found = bind.execute(sa.text(of_transfer)).all()
    ((table,), others) = [each.sql for each in found if each.type == "table"], found
    for each in others:
        if each.type != "table":
            bind.exec_driver_sql(f'DROP {each.type} "{each.name}"')
    bind.exec_driver_sql("ALTER TABLE transfer RENAME TO former_transfer")
    bind.exec_driver_sql(POSTING_KEY.sub("", table))
    bind.exec_driver_sql("INSERT INTO transfer SELECT * FROM former_transfer ORDER BY rowid")
    bind.exec_driver_sql("DROP TABLE former_transfer")
    for each in others:
        if each.type != "table":
            bind.exec_driver_sql(each.sql)
