"""Seeds come from hash chains, whose secrets are sealed; what was pledged before is dealt no more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.drop_table("pledge")
    op.create_table(
        "chain",
        sa.Column("head", KEY, nullable=False),
        sa.Column("room", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("used BETWEEN 0 AND length", name=op.f("ck_chain_used")),
        sa.PrimaryKeyConstraint("head", name=op.f("pk_chain")),
        sqlite_strict=True,
    )
    op.create_index("ix_chain_room", "chain", ["room", "number"], unique=True)
    _let_tables_take_links()


def _let_tables_take_links() -> None:
    """A table that stands has a seed in the clear, which is allowed no more: so it loses it, and is voided.

    SQLite cannot take NOT NULL off a column, so there is a new one.
    """
    blob = "BYTEA" if op.get_context().dialect.name == "postgresql" else "BLOB"
    op.execute("ALTER TABLE game_table RENAME COLUMN seed TO told")
    op.add_column("game_table", sa.Column("chain", KEY, nullable=True))
    op.add_column("game_table", sa.Column("link", sa.Integer(), nullable=True))
    op.execute(
        f"ALTER TABLE game_table ADD COLUMN seed {blob} "
        "CONSTRAINT ck_game_table_secret CHECK (state <> 'open' OR seed IS NULL)"
    )
    op.execute("UPDATE game_table SET seed = told WHERE state <> 'open'")
    op.drop_column("game_table", "told")
    op.create_index("ix_game_table_link", "game_table", ["chain", "link"])
