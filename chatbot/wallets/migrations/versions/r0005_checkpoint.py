"""What an audit needs that reads only what is new, and what corrections leave behind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "unchecked",
        sa.Column("number", BIG, autoincrement=True, nullable=False),
        sa.Column("transfer", KEY, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_unchecked")),
        sqlite_strict=True,
    )
    op.create_table(
        "checkpoint",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checkpoint")),
        sqlite_strict=True,
    )
    op.create_table(
        "checkpoint_balance",
        sa.Column("account", KEY, nullable=False),
        sa.Column("balance", BIG, nullable=False),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_checkpoint_balance")),
        sqlite_strict=True,
    )
    op.create_table(
        "corrected",
        sa.Column("finding", KEY, nullable=False),
        sa.Column("deed", KEY, nullable=False),
        sa.PrimaryKeyConstraint("finding", name=op.f("pk_corrected")),
        sqlite_strict=True,
    )
    if op.get_bind().dialect.name == "postgresql":
        _note_transfers_on_postgresql()
    else:
        _note_transfers_on_sqlite()


def _note_transfers_on_sqlite() -> None:
    op.execute(
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "BEGIN INSERT INTO unchecked (transfer) VALUES (NEW.id); END"
    )


def _note_transfers_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION note_unchecked() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN INSERT INTO unchecked (transfer) SELECT id FROM added; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_unchecked()"
    )
