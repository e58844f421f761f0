"""Imports of balances that are written in portions, with the rows of each; those of before are taken over."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Integer, Text

revision = "0013"
down_revision = "0012"

_KEY = Text().with_variant(Text(collation="C"), "postgresql")
_BIG = BigInteger().with_variant(Integer(), "sqlite")

# Imports of before were one posting; each transfer of it stands for a row, as they know no line.
_RUNS = (
    "INSERT INTO balance_import (id, community, platform, mode, file, at, rows, state) "
    "SELECT change.posting, change.community, '', 'add', change.key, change.at, "
    "(SELECT count(*) FROM transfer WHERE transfer.posting = change.posting AND transfer.why = 'import'), "
    "CASE WHEN EXISTS (SELECT 1 FROM change AS undo WHERE undo.undoes = change.change_set) "
    "THEN 'undone' ELSE 'done' END "
    "FROM change WHERE change.kind = 'money' AND change.subject = 'import' AND change.undoes IS NULL "
    "AND change.posting IS NOT NULL"
)
_ROWS = (
    "INSERT INTO balance_import_row (run, line, seat, credits, minutes, returned) "
    "SELECT balance_import.id, transfer.number, "
    "CASE WHEN source.kind = 'mint' THEN target.owner ELSE source.owner END, "
    "CASE WHEN source.kind = 'mint' THEN transfer.credits ELSE -transfer.credits END, 0, "
    "CASE WHEN balance_import.state = 'undone' THEN 0 END "
    "FROM balance_import JOIN transfer ON transfer.posting = balance_import.id AND transfer.why = 'import' "
    "JOIN purse AS source ON source.id = transfer.source JOIN purse AS target ON target.id = transfer.target"
)


def upgrade() -> None:
    op.create_table(
        "balance_import",
        Column("id", _KEY, primary_key=True),
        Column("community", _KEY, nullable=False),
        Column("platform", _KEY, nullable=False),
        Column("mode", _KEY, nullable=False),
        Column("file", Text, nullable=False),
        Column("at", _BIG, nullable=False),
        Column("rows", Integer, nullable=False),
        Column("state", _KEY, nullable=False),
        CheckConstraint(
            "state IN ('running', 'done', 'undoing', 'undone')", name=op.f("ck_balance_import_state")
        ),
        sqlite_strict=True,
    )
    op.create_index("ix_balance_import_at", "balance_import", ["at"])
    op.create_table(
        "balance_import_row",
        Column("run", _KEY, ForeignKey("balance_import.id"), primary_key=True),
        Column("line", _BIG, primary_key=True, autoincrement=False),
        Column("seat", _KEY, nullable=False),
        Column("credits", _BIG, nullable=False),
        Column("minutes", Integer, nullable=False),
        Column("returned", _BIG),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.execute(_RUNS)
    op.execute(_ROWS)


def downgrade() -> None:
    op.drop_table("balance_import_row")
    op.drop_table("balance_import")
