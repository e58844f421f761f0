"""What webhooks are to deliver and have delivered, and since when they fail."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

revision = "0012"
down_revision = "0011"

_KEY = Text().with_variant(Text(collation="C"), "postgresql")
_INSTANT = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("webhook", Column("failing_since", _INSTANT))
    op.add_column("webhook", Column("disabled_at", _INSTANT))
    op.create_table(
        "webhook_delivery",
        Column("id", _KEY, primary_key=True),
        Column("webhook", _KEY, nullable=False),
        Column("kind", _KEY, nullable=False),
        Column("body", Text),
        Column("created_at", _INSTANT, nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("next_at", _INSTANT),
        Column("delivered_at", _INSTANT),
        Column("status", Integer),
        Column("fault", Text),
        sqlite_strict=True,
    )
    op.create_index("ix_webhook_delivery_webhook", "webhook_delivery", ["webhook", "created_at"])
    op.create_index("ix_webhook_delivery_next_at", "webhook_delivery", ["next_at"])


def downgrade() -> None:
    op.drop_table("webhook_delivery")
    op.drop_column("webhook", "disabled_at")
    op.drop_column("webhook", "failing_since")
