"""The schema of the first version. No database of revision 0001 or 0002 was ever released."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SHORT = sa.text("purse IS NOT NULL")
WHOLE = sa.text("settings <> ''")
DUE = sa.text("state <> 'open' AND settled = 0")

REFUSAL = "transfers are never changed; a correction is another transfer"


def upgrade() -> None:
    _create_purses()
    _create_tables()
    _create_postings()
    _create_audit()
    _create_archive()
    _create_rooms()
    _create_members()
    _create_seasons()
    _create_links()
    _create_vouchers()
    if op.get_bind().dialect.name == "postgresql":
        _guard_transfers_on_postgresql()
    else:
        _guard_transfers_on_sqlite()


def _create_purses() -> None:
    op.create_table(
        "community",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_community")),
        sa.UniqueConstraint("name", name=op.f("uq_community_name")),
        sqlite_strict=True,
    )
    op.create_table(
        "purse",
        sa.Column("id", BIG, nullable=False),
        sa.Column("community", sa.Integer(), nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("balance", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purse")),
        sa.CheckConstraint(
            "kind IN ('person', 'player', 'pot', 'house', 'mint')", name=op.f("ck_purse_kind")
        ),
        sa.CheckConstraint("(owner = '') = (kind IN ('house', 'mint'))", name=op.f("ck_purse_owner")),
        sa.CheckConstraint("balance >= 0 OR kind = 'mint'", name=op.f("ck_purse_solvent")),
        sa.UniqueConstraint("community", "kind", "owner", name=op.f("uq_purse_community")),
        sa.ForeignKeyConstraint(["community"], ["community.id"], name=op.f("fk_purse_community")),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_purse_ranking", "purse", ["community", "kind", "balance"])


def _create_tables() -> None:
    op.create_table(
        "game_table",
        sa.Column("id", KEY, nullable=False),
        sa.Column("room", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("opened_at", BIG, nullable=False),
        sa.Column("closed_at", BIG, nullable=True),
        sa.Column("chain", KEY, nullable=True),
        sa.Column("link", sa.Integer(), nullable=True),
        sa.Column("seed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
        sa.CheckConstraint("state <> 'open' OR seed IS NULL", name=op.f("ck_game_table_secret")),
        sa.CheckConstraint("state IN ('open', 'settled', 'void')", name=op.f("ck_game_table_state")),
        sa.CheckConstraint("(state = 'open') = (closed_at IS NULL)", name=op.f("ck_game_table_closing")),
        sqlite_strict=True,
    )
    op.create_index("ix_game_table_link", "game_table", ["chain", "link"])
    op.create_index("ix_game_table_standing", "game_table", ["state", "room", "game", "closed_at"])
    op.create_index(
        "ix_game_table_whole", "game_table", ["closed_at", "id"], sqlite_where=WHOLE, postgresql_where=WHOLE
    )
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
    op.create_table(
        "untold",
        sa.Column("table_id", KEY, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_untold")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_untold_table_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "narration",
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("texts", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_narration")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_narration_table_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "last_text",
        sa.Column("room", KEY, nullable=False),
        sa.Column("message", KEY, nullable=False),
        sa.Column("text", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("room", "message", name=op.f("pk_last_text")),
        sqlite_strict=True,
    )
    op.create_table(
        "chain",
        sa.Column("head", KEY, nullable=False),
        sa.Column("room", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("head", name=op.f("pk_chain")),
        sa.CheckConstraint("used BETWEEN 0 AND length", name=op.f("ck_chain_used")),
        sqlite_strict=True,
    )
    op.create_index("ix_chain_room", "chain", ["room", "number"], unique=True)


def _create_postings() -> None:
    op.create_table(
        "posting",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posting")),
        sqlite_strict=True,
    )
    op.create_table(
        "refusal",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("purse", BIG, nullable=True),
        sa.Column("table_id", KEY, nullable=True),
        sa.Column("balance", BIG, nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refusal")),
        sa.CheckConstraint("kind IN ('short', 'closed')", name=op.f("ck_refusal_kind")),
        sa.CheckConstraint("(kind = 'short') = (purse IS NOT NULL)", name=op.f("ck_refusal_purse")),
        sa.CheckConstraint("(kind = 'closed') = (table_id IS NOT NULL)", name=op.f("ck_refusal_table")),
        sa.ForeignKeyConstraint(["purse"], ["purse.id"], name=op.f("fk_refusal_purse")),
        sqlite_strict=True,
    )
    op.create_index("ix_refusal_purse", "refusal", ["purse"], sqlite_where=SHORT, postgresql_where=SHORT)
    op.create_table(
        "heard",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heard")),
        sqlite_strict=True,
    )
    op.create_index("ix_heard_at", "heard", ["at"])
    op.create_table(
        "transfer",
        sa.Column("id", BIG, nullable=False),
        sa.Column("posting", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("table_id", KEY, nullable=True),
        sa.Column("source", BIG, nullable=False),
        sa.Column("target", BIG, nullable=False),
        sa.Column("credits", BIG, nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfer")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_transfer_number")),
        sa.CheckConstraint("credits BETWEEN 1 AND 1000000000000000", name=op.f("ck_transfer_credits")),
        sa.UniqueConstraint("posting", "number", name=op.f("uq_transfer_posting")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_transfer_table_id")),
        sa.ForeignKeyConstraint(["source"], ["purse.id"], name=op.f("fk_transfer_source")),
        sa.ForeignKeyConstraint(["target"], ["purse.id"], name=op.f("fk_transfer_target")),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_transfer_source", "transfer", ["source", "created_at"])
    op.create_index("ix_transfer_table_id", "transfer", ["table_id"])
    op.create_index("ix_transfer_target", "transfer", ["target", "created_at"])
    op.create_table(
        "step",
        sa.Column("posting", KEY, nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("posting", name=op.f("pk_step")),
        sa.ForeignKeyConstraint(["posting"], ["posting.id"], name=op.f("fk_step_posting")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_step_table_id")),
        sqlite_strict=True,
    )
    op.create_index("ix_step_turn", "step", ["table_id", "turn"], unique=True)


def _create_audit() -> None:
    op.create_table(
        "unchecked",
        sa.Column("transfer", BIG, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("transfer", name=op.f("pk_unchecked")),
        sqlite_strict=True,
    )
    op.create_table(
        "checkpoint",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checkpoint")),
        sqlite_strict=True,
    )
    op.create_table(
        "checkpoint_balance",
        sa.Column("purse", BIG, autoincrement=False, nullable=False),
        sa.Column("balance", BIG, nullable=False),
        sa.PrimaryKeyConstraint("purse", name=op.f("pk_checkpoint_balance")),
        sqlite_strict=True,
    )
    op.create_table(
        "corrected",
        sa.Column("finding", KEY, nullable=False),
        sa.Column("deed", KEY, nullable=False),
        sa.PrimaryKeyConstraint("finding", name=op.f("pk_corrected")),
        sqlite_strict=True,
    )


def _create_archive() -> None:
    op.create_table(
        "archive",
        sa.Column("number", BIG, autoincrement=True, nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("kept", BIG, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_archive")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_archive_table_id")),
        sqlite_strict=True,
    )
    op.create_index("ix_archive_table_id", "archive", ["table_id"], unique=True)
    op.create_table(
        "archive_member",
        sa.Column("purse", BIG, autoincrement=False, nullable=False),
        sa.Column("at", BIG, autoincrement=False, nullable=False),
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("purse", "at", "number", name=op.f("pk_archive_member")),
        sa.ForeignKeyConstraint(["purse"], ["purse.id"], name=op.f("fk_archive_member_purse")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _create_rooms() -> None:
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
    op.create_table(
        "hint",
        sa.Column("id", KEY, nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hint")),
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


def _create_seasons() -> None:
    op.create_table(
        "season",
        sa.Column("room", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("started_at", BIG, nullable=False),
        sa.Column("ended_at", BIG, nullable=True),
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


def _create_links() -> None:
    op.create_table(
        "person",
        sa.Column("id", BIG, autoincrement=False, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("same_as", KEY, nullable=True),
        sa.Column("parted_from", KEY, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sqlite_strict=True,
    )
    op.create_index("ix_person_seat", "person", ["seat"], unique=True)
    op.create_index("ix_person_same_as", "person", ["same_as"])
    op.create_table(
        "platform_account",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("platform", KEY, nullable=False),
        sa.Column("key", KEY, nullable=True),
        sa.Column("login", KEY, nullable=True),
        sa.Column("person", BIG, nullable=False),
        sa.CheckConstraint("(key IS NULL) <> (login IS NULL)", name=op.f("ck_platform_account_known")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_platform_account")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_platform_account_person")),
        sqlite_strict=True,
    )
    op.create_index("ix_platform_account_key", "platform_account", ["platform", "key"], unique=True)
    op.create_index("ix_platform_account_login", "platform_account", ["platform", "login"], unique=True)
    op.create_index("ix_platform_account_person", "platform_account", ["person"])
    op.create_table(
        "reserved",
        sa.Column("what", KEY, nullable=False),
        sa.Column("next", BIG, nullable=False),
        sa.PrimaryKeyConstraint("what", name=op.f("pk_reserved")),
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


def _guard_transfers_on_sqlite() -> None:
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER transfer_refuses_{change.lower()} BEFORE {change} ON transfer "
            f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
        )
    op.execute(
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "BEGIN INSERT INTO unchecked (transfer) VALUES (NEW.id); END"
    )


def _create_vouchers() -> None:
    op.create_table(
        "voucher",
        sa.Column("id", KEY, nullable=False),
        sa.Column("platform", KEY, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("community", KEY, nullable=False),
        sa.Column("seat", KEY, nullable=False),
        sa.Column("table_id", KEY),
        sa.Column("credits", BIG, nullable=False),
        sa.Column("state", KEY, nullable=False),
        sa.Column("settled", sa.Integer(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.CheckConstraint("state IN ('open', 'kept', 'returned')", name=op.f("ck_voucher_state")),
        sa.CheckConstraint(
            "state <> 'open' OR (settled = 0 AND table_id IS NOT NULL)", name=op.f("ck_voucher_open")
        ),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_voucher_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voucher")),
        sqlite_strict=True,
    )
    op.create_index("ix_voucher_table_id", "voucher", ["table_id"])
    op.create_index("ix_voucher_due", "voucher", ["platform", "id"], sqlite_where=DUE, postgresql_where=DUE)
    op.create_table(
        "reward",
        sa.Column("id", KEY, nullable=False),
        sa.Column("channel", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("credits", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reward")),
        sqlite_strict=True,
    )
    op.create_index("ix_reward_channel", "reward", ["channel"])


def _guard_transfers_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER transfer_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.execute(
        "CREATE FUNCTION note_unchecked() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN INSERT INTO unchecked (transfer) SELECT id FROM added; RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER transfer_is_unchecked AFTER INSERT ON transfer "
        "REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_unchecked()"
    )
