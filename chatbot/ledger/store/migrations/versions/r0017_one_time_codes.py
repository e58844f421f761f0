"""Codes that one types whom another has shown them, and how often an account typed wrong ones."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    key = Text().with_variant(Text(collation="C"), "postgresql")
    instant = BigInteger().with_variant(Integer(), "sqlite")
    op.create_table(
        "one_time_code",
        Column("kind", key, primary_key=True),
        Column("owner", key, primary_key=True),
        Column("code", key),
        Column("platform", key),
        Column("account", key),
        Column("value", Text, nullable=False),
        Column("taken_by", key),
        Column("ends_at", instant, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_one_time_code_code", "one_time_code", ["code"], unique=True)
    op.create_index("ix_one_time_code_ends_at", "one_time_code", ["ends_at"])
    op.create_table(
        "code_try",
        Column("kind", key, primary_key=True),
        Column("platform", key, primary_key=True),
        Column("account", key, primary_key=True),
        Column("tries", Integer, nullable=False),
        Column("until", instant, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Go back to the tables of before: codes that wait count no more."""
    op.drop_table("code_try")
    op.drop_table("one_time_code")
