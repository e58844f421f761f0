"""What each process of several says of itself: why it cannot do its part, and what waits."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    # A process of the former version writes its row without it.
    op.add_column("cluster_member", Column("condition", Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("cluster_member", "condition")
