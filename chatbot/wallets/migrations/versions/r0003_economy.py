"""What the economy and its keepers need: changes, histories, presence, and who is the same as whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_index("ix_transfer_source", "transfer", ["source", "created_at"])
    op.create_index("ix_transfer_target", "transfer", ["target", "created_at"])
    _create_changes()
    _create_members()
    _create_links()


def _create_changes() -> None:
    op.create_table(
        "change",
        sa.Column("number", BIG, autoincrement=True, nullable=False),
        sa.Column("deed", KEY, nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("room", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("actor", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("subject", KEY, nullable=False),
        sa.Column("key", KEY, nullable=False),
        sa.Column("old", sa.Text(), nullable=True),
        sa.Column("new", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("posting", KEY, nullable=True),
        sa.Column("undoes", KEY, nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_change")),
        sqlite_strict=True,
    )
    op.create_index("ix_change_deed", "change", ["deed", "part"], unique=True)
    op.create_index("ix_change_room", "change", ["room", "number"])
    op.create_index("ix_change_undoes", "change", ["undoes", "part"], unique=True)
    op.create_table(
        "place",
        sa.Column("room", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("opened_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("room", name=op.f("pk_place")),
        sqlite_strict=True,
    )


def _create_members() -> None:
    op.create_table(
        "season_record",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", "game", "number", "seat", name=op.f("pk_season_record")),
        sqlite_strict=True,
    )
    op.create_table(
        "presence",
        sa.Column("community", KEY, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("first_at", BIG, nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("messages", sa.Integer(), nullable=False),
        sa.Column("roles", KEY, nullable=False),
        sa.PrimaryKeyConstraint("community", "seat", name=op.f("pk_presence")),
        sqlite_strict=True,
    )
    op.create_table(
        "hint",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hint")),
        sqlite_strict=True,
    )


def _create_links() -> None:
    op.create_table(
        "identity",
        sa.Column("seat", KEY, nullable=False),
        sa.Column("root", KEY, nullable=False),
        sa.Column("linked", sa.Integer(), nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("seat", name=op.f("pk_identity")),
        sa.CheckConstraint("linked IN (0, 1)", name=op.f("ck_identity_linked")),
        sqlite_strict=True,
    )
    op.create_table(
        "community_union",
        sa.Column("community", KEY, nullable=False),
        sa.Column("target", KEY, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("community", name=op.f("pk_community_union")),
        sqlite_strict=True,
    )
    op.create_table(
        "bridge",
        sa.Column("channel", KEY, nullable=False),
        sa.Column("room", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("home", KEY, nullable=False),
        sa.Column("origin", KEY, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("channel", name=op.f("pk_bridge")),
        sqlite_strict=True,
    )
