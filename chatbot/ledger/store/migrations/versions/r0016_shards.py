"""How many shards a platform has, which sessions of them may be begun, and what each process can do."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

revision = "0016"
down_revision = "0015"

_KEY = Text().with_variant(Text(collation="C"), "postgresql")
_BIG = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "gateway",
        Column("platform", _KEY, primary_key=True),
        Column("shards", Integer, nullable=False),
        Column("concurrency", Integer, nullable=False),
        Column("total", Integer, nullable=False),
        Column("sessions_left", Integer, nullable=False),
        Column("resets", _BIG),
        Column("begins", _KEY, nullable=False),
        sqlite_strict=True,
    )
    # A process of the former version writes its row without it.
    op.add_column("cluster_member", Column("abilities", _KEY, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("cluster_member", "abilities")
    op.drop_table("gateway")
