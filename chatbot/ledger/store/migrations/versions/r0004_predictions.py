"""What viewers bet on at their platform."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
RUNNING = sa.text("state <> 'over'")


def upgrade() -> None:
    op.create_table(
        "prediction",
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("channel", KEY, nullable=False),
        sa.Column("phase", KEY, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.CheckConstraint("state IN ('wanted', 'open', 'locked', 'over')", name=op.f("ck_prediction_state")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_prediction_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_prediction")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_prediction_running", "prediction", ["channel"], sqlite_where=RUNNING, postgresql_where=RUNNING
    )
