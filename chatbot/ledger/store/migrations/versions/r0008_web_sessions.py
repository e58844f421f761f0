"""Sessions of browsers, and the links that open them once."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    key = Text().with_variant(Text(collation="C"), "postgresql")
    instant = BigInteger().with_variant(Integer(), "sqlite")
    op.create_table(
        "web_session",
        Column("id", key, primary_key=True),
        Column("kind", key, nullable=False),
        Column("csrf", key, nullable=False),
        Column("created_at", instant, nullable=False),
        Column("ends_at", instant, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_web_session_ends_at", "web_session", ["ends_at"])
    op.create_table(
        "one_time_link",
        Column("id", key, primary_key=True),
        Column("kind", key, nullable=False),
        Column("ends_at", instant, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Go back to the tables of before: whoever was logged in logs in again."""
    op.drop_table("one_time_link")
    op.drop_table("web_session")
