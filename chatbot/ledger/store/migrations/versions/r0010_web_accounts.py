"""Who is logged in with a browser and what they may, and tokens and hooks of programs.

Sessions and links of before say of nobody whose they are: whoever was logged in logs in again.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Text

revision = "0010"
down_revision = "0009"

_KEY = Text().with_variant(Text(collation="C"), "postgresql")
_INSTANT = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    op.drop_table("one_time_link")
    op.drop_table("web_session")
    op.create_table(
        "web_session",
        Column("id", _KEY, primary_key=True),
        Column("kind", _KEY, nullable=False),
        Column("csrf", _KEY, nullable=False),
        *_who(),
        Column("created_at", _INSTANT, nullable=False),
        Column("ends_at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_web_session_ends_at", "web_session", ["ends_at"])
    op.create_index("ix_web_session_account", "web_session", ["platform", "account"])
    op.create_table(
        "one_time_link",
        Column("id", _KEY, primary_key=True),
        Column("kind", _KEY, nullable=False),
        *_who(),
        Column("lasting", Integer, nullable=False),
        Column("ends_at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "web_role",
        Column("platform", _KEY, primary_key=True),
        Column("account", _KEY, primary_key=True),
        Column("community", _KEY, primary_key=True),
        Column("role", _KEY, nullable=False),
        Column("asked_at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "web_key",
        Column("platform", _KEY, primary_key=True),
        Column("account", _KEY, primary_key=True),
        Column("sealed", LargeBinary, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "api_token",
        Column("id", _KEY, primary_key=True),
        Column("label", Text, nullable=False),
        Column("room", _KEY, nullable=False),
        Column("scopes", Text, nullable=False),
        *_who(),
        Column("created_at", _INSTANT, nullable=False),
        Column("used_at", _INSTANT),
        sqlite_strict=True,
    )
    op.create_index("ix_api_token_room", "api_token", ["room"])
    op.create_table(
        "api_answer",
        Column("caller", _KEY, primary_key=True),
        Column("key", _KEY, primary_key=True),
        Column("request", _KEY, nullable=False),
        Column("status", Integer),
        Column("body", Text),
        Column("at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_api_answer_at", "api_answer", ["at"])
    op.create_table(
        "webhook",
        Column("id", _KEY, primary_key=True),
        Column("room", _KEY, nullable=False),
        Column("url", Text, nullable=False),
        Column("sealed", LargeBinary, nullable=False),
        Column("kinds", Text, nullable=False),
        Column("is_local", Integer, nullable=False),
        *_who(),
        Column("created_at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_webhook_room", "webhook", ["room"])


def downgrade() -> None:
    """Go back to the tables of before: tokens and hooks are lost, and whoever was logged in logs in again."""
    for each in ("webhook", "api_answer", "api_token", "web_key", "web_role", "one_time_link", "web_session"):
        op.drop_table(each)
    op.create_table(
        "web_session",
        Column("id", _KEY, primary_key=True),
        Column("kind", _KEY, nullable=False),
        Column("csrf", _KEY, nullable=False),
        Column("created_at", _INSTANT, nullable=False),
        Column("ends_at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("ix_web_session_ends_at", "web_session", ["ends_at"])
    op.create_table(
        "one_time_link",
        Column("id", _KEY, primary_key=True),
        Column("kind", _KEY, nullable=False),
        Column("ends_at", _INSTANT, nullable=False),
        sqlite_strict=True,
    )


def _who() -> tuple[Column[str], ...]:
    """Return the columns that say who somebody is; a table needs columns of its own."""
    return (
        Column("platform", _KEY, nullable=False),
        Column("account", _KEY, nullable=False),
        Column("name", Text, nullable=False),
    )
