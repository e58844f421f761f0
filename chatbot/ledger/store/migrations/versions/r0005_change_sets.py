"""What an actor changed together is called a change set."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.drop_index("ix_change_deed", "change")
    for table in ("change", "corrected"):
        op.alter_column(table, "deed", new_column_name="change_set")
    op.create_index("ix_change_set", "change", ["change_set", "part"], unique=True)
