"""The first schema: the ledger, the tables with their journals, and what is known of rooms and members."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

REFUSAL = "transfers are never changed; a correction is another transfer"


def upgrade() -> None:
    _create_ledger()
    _create_journal()
    _create_room()
    _create_members()
    _create_seasons()
    if op.get_bind().dialect.name == "postgresql":
        _refuse_changes_on_postgresql()
    else:
        _refuse_changes_on_sqlite()


def _create_ledger() -> None:
    op.create_table(
        "account",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("balance", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.CheckConstraint("kind IN ('wallet', 'pot', 'house', 'mint')", name=op.f("ck_account_kind")),
        sa.CheckConstraint("balance >= 0 OR kind = 'mint'", name=op.f("ck_account_solvent")),
        sqlite_strict=True,
    )
    op.create_index("ix_account_ranking", "account", ["community", "kind", "balance"])
    op.create_table(
        "posting",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posting")),
        sqlite_strict=True,
    )
    op.create_table(
        "game_table",
        sa.Column("id", KEY, nullable=False),
        sa.Column("room", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("opened_at", BIG, nullable=False),
        sa.Column("closed_at", BIG),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
        sa.CheckConstraint("state IN ('open', 'settled', 'void')", name=op.f("ck_game_table_state")),
        sa.CheckConstraint("(state = 'open') = (closed_at IS NULL)", name=op.f("ck_game_table_closing")),
        sqlite_strict=True,
    )
    op.create_index("ix_game_table_state", "game_table", ["state"])
    op.create_table(
        "transfer",
        sa.Column("id", KEY, nullable=False),
        sa.Column("posting", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("table_id", KEY),
        sa.Column("source", KEY, nullable=False),
        sa.Column("target", KEY, nullable=False),
        sa.Column("credits", BIG, nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfer")),
        sa.CheckConstraint("credits BETWEEN 1 AND 1000000000000000", name=op.f("ck_transfer_credits")),
        sa.ForeignKeyConstraint(["posting"], ["posting.id"], name=op.f("fk_transfer_posting")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_transfer_table_id")),
        sqlite_strict=True,
    )
    op.create_index("ix_transfer_table_id", "transfer", ["table_id"])


def _create_journal() -> None:
    op.create_table(
        "journal",
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("purses", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "turn", name=op.f("pk_journal")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_journal_table_id")),
        sqlite_strict=True,
    )


def _create_room() -> None:
    op.create_table(
        "record",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", "game", "seat", name=op.f("pk_record")),
        sqlite_strict=True,
    )
    op.create_table(
        "preference",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", "game", name=op.f("pk_preference")),
        sqlite_strict=True,
    )


def _create_members() -> None:
    op.create_table(
        "member",
        sa.Column("community", KEY, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("folded", KEY, nullable=False),
        sa.Column("seen_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("community", "seat", name=op.f("pk_member")),
        sqlite_strict=True,
    )
    op.create_index("ix_member_folded", "member", ["community", "folded"])


def _create_seasons() -> None:
    op.create_table(
        "season",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("started_at", BIG, nullable=False),
        sa.Column("ended_at", BIG),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("room", "game", "number", name=op.f("pk_season")),
        sqlite_strict=True,
    )
    op.create_table(
        "season_place",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("credits", BIG, nullable=False),
        sa.PrimaryKeyConstraint("room", "game", "number", "place", name=op.f("pk_season_place")),
        sqlite_strict=True,
    )


def _refuse_changes_on_sqlite() -> None:
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER transfer_refuses_{change.lower()} BEFORE {change} ON transfer "
            f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
        )


def _refuse_changes_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER transfer_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
