"""What is dealt to the processes that share a database, and how much of it each takes."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

revision = "0015"
down_revision = "0014"

_KEY = Text().with_variant(Text(collation="C"), "postgresql")
_BIG = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "cluster_member",
        Column("process", _BIG, primary_key=True, autoincrement=False),
        Column("share", Integer, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "duty",
        Column("name", _KEY, primary_key=True),
        Column("owner", _BIG),
        Column("load", Integer, nullable=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    op.drop_table("duty")
    op.drop_table("cluster_member")
