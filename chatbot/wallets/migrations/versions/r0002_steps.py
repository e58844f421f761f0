"""What a restart and a proof need: refused postings, lines heard, steps of the journal, pledged tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


# An older posting at a table is called by the first turn that it wrote: it ends where the next one begins.
OLD_STEPS = r"""
    INSERT INTO step (posting, table_id, turn, turns)
    SELECT posting, table_id, turn,
        coalesce(lead(turn) OVER (PARTITION BY table_id ORDER BY turn), last + 1) - turn
    FROM (
        SELECT posting.id AS posting, journal.table_id, journal.turn,
            max(journal.turn) OVER (PARTITION BY journal.table_id) AS last, posting.id IS NOT NULL AS wrote
        FROM journal
        LEFT JOIN posting ON posting.id = 'table:' || journal.table_id || '\:' || CAST(journal.turn AS TEXT)
    ) AS written
    WHERE wrote
"""


def upgrade() -> None:
    _create_answers()
    _create_steps()
    op.execute(OLD_STEPS)


def _create_answers() -> None:
    op.create_table(
        "refusal",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("balance", BIG, nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refusal")),
        sa.CheckConstraint("kind IN ('short', 'closed')", name=op.f("ck_refusal_kind")),
        sqlite_strict=True,
    )
    op.create_table(
        "heard",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heard")),
        sqlite_strict=True,
    )
    op.create_index("ix_heard_at", "heard", ["at"])


def _create_steps() -> None:
    op.create_table(
        "step",
        sa.Column("posting", KEY, nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("posting", name=op.f("pk_step")),
        sa.ForeignKeyConstraint(["posting"], ["posting.id"], name=op.f("fk_step_posting")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_step_table_id")),
        sqlite_strict=True,
    )
    op.create_index("ix_step_turn", "step", ["table_id", "turn"], unique=True)
    op.create_table(
        "untold",
        sa.Column("table_id", KEY, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_untold")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_untold_table_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "pledge",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("room", "game", name=op.f("pk_pledge")),
        sqlite_strict=True,
    )
