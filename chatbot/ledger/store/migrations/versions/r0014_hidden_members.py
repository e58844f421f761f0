"""Members whom no public page names, because they have asked for it."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0014"
down_revision = "0013"

_KEY = Text().with_variant(Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table("hidden_member", Column("seat", _KEY, primary_key=True), sqlite_strict=True)


def downgrade() -> None:
    op.drop_table("hidden_member")
