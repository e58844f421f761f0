"""The version of who is who, which triggers raise."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer

from chatbot.ledger.store import triggers

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    table = op.create_table(
        "people_version",
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("number", BigInteger().with_variant(Integer(), "sqlite"), nullable=False),
        sqlite_strict=True,
    )
    op.bulk_insert(table, [{"id": 1, "number": 1}])  # there may be links already, and 0 is without any
    for statement in triggers.counting(op.get_bind().dialect.name):
        op.execute(statement)


def downgrade() -> None:
    for statement in triggers.counting_dropped(op.get_bind().dialect.name):
        op.execute(statement)
    op.drop_table("people_version")
