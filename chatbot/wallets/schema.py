"""The tables as they are now; the migrations bring every older database here, and a test compares.

All times are whole milliseconds since 1970 in UTC. Text that serves as a key is compared byte by
byte on both databases, so that the order is the same and no update of the system's collations can
spoil an index. SQLite's tables are strict: they take no text for a number.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.types import TypeDecorator

from chatbot.kernel.amounts import MOST

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Key = Text().with_variant(Text(collation="C"), "postgresql")
Credits = BigInteger().with_variant(Integer(), "sqlite")  # which holds 64 bits by this name only


class Instant(TypeDecorator[datetime]):
    """An aware time, as milliseconds since 1970."""

    impl = BigInteger().with_variant(Integer(), "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else (value - _EPOCH) // timedelta(milliseconds=1)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else _EPOCH + timedelta(milliseconds=value)


class Name(TypeDecorator[str]):
    """A name that people chose: what no database can store is replaced, and its length has an end."""

    impl = Key
    cache_ok = True
    longest = 100

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        whole = value.encode("utf-8", "replace").decode()  # half a surrogate pair is not text
        return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")[: self.longest]


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

account = Table(
    "account",
    metadata,
    Column("id", Key, primary_key=True),
    Column("community", Key, nullable=False),
    Column("kind", Key, nullable=False),  # the first word of the id, so that an index can serve the ranking
    Column("balance", Credits, nullable=False),
    CheckConstraint("kind IN ('wallet', 'pot', 'house', 'mint')", name="kind"),
    CheckConstraint("balance >= 0 OR kind = 'mint'", name="solvent"),
    Index("ix_account_ranking", "community", "kind", "balance"),
    sqlite_strict=True,
)

posting = Table(
    "posting",
    metadata,
    Column("id", Key, primary_key=True),
    Column("community", Key, nullable=False),
    Column("created_at", Instant, nullable=False),
    sqlite_strict=True,
)

refusal = Table(
    "refusal",
    metadata,
    Column("id", Key, primary_key=True),  # of the posting that was refused, and stays so
    Column("community", Key, nullable=False),
    Column("kind", Key, nullable=False),
    Column("name", Key, nullable=False),  # of the account that could not pay, or the table that was closed
    Column("balance", Credits, nullable=False),  # of that account; 0 otherwise
    Column("created_at", Instant, nullable=False),
    CheckConstraint("kind IN ('short', 'closed')", name="kind"),
    sqlite_strict=True,
)

heard = Table(
    "heard",
    metadata,
    Column("id", Key, primary_key=True),  # of a platform's message that was taken in
    Column("at", Instant, nullable=False),
    Index("ix_heard_at", "at"),
    sqlite_strict=True,
)

game_table = Table(
    "game_table",
    metadata,
    Column("id", Key, primary_key=True),
    Column("room", Key, nullable=False),
    Column("community", Key, nullable=False),
    Column("game", Key, nullable=False),
    Column("version", Integer, nullable=False),
    Column("settings", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("state", Key, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("closed_at", Instant),
    CheckConstraint("state IN ('open', 'settled', 'void')", name="state"),
    CheckConstraint("(state = 'open') = (closed_at IS NULL)", name="closing"),
    Index("ix_game_table_state", "state"),
    sqlite_strict=True,
)

transfer = Table(
    "transfer",
    metadata,
    Column("id", Key, primary_key=True),
    Column("posting", Key, ForeignKey("posting.id"), nullable=False),
    Column("community", Key, nullable=False),
    Column("table_id", Key, ForeignKey("game_table.id")),
    Column("source", Key, nullable=False),
    Column("target", Key, nullable=False),
    Column("credits", Credits, nullable=False),
    Column("why", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    CheckConstraint(f"credits BETWEEN 1 AND {MOST}", name="credits"),
    Index("ix_transfer_table_id", "table_id"),
    sqlite_strict=True,
)

journal = Table(
    "journal",
    metadata,
    Column("table_id", Key, ForeignKey("game_table.id"), primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("action", Text, nullable=False),
    Column("purses", Text, nullable=False),
    Column("line", Text, nullable=False),
    Column("at", Instant, nullable=False),
    sqlite_strict=True,
)

step = Table(
    "step",
    metadata,
    Column("posting", Key, ForeignKey("posting.id"), primary_key=True),
    Column("table_id", Key, ForeignKey("game_table.id"), nullable=False),
    Column("turn", Integer, nullable=False),  # the first that it wrote into the journal
    Column("turns", Integer, nullable=False),  # how many
    Index("ix_step_turn", "table_id", "turn", unique=True),
    sqlite_strict=True,
)

untold = Table(
    "untold",
    metadata,
    Column("table_id", Key, ForeignKey("game_table.id"), primary_key=True),  # whose end nobody has heard yet
    sqlite_strict=True,
)

pledge = Table(
    "pledge",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("table_id", Key, nullable=False),  # of the next table, and the secret of its draws
    Column("seed", LargeBinary, nullable=False),
    sqlite_strict=True,
)

record = Table(
    "record",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("seat", Key, primary_key=True),
    Column("body", Text, nullable=False),
    sqlite_strict=True,
)

preference = Table(
    "preference",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("body", Text, nullable=False),
    sqlite_strict=True,
)

member = Table(
    "member",
    metadata,
    Column("community", Key, primary_key=True),
    Column("seat", Key, primary_key=True),
    Column("name", Name, nullable=False),
    Column("folded", Name, nullable=False),
    Column("seen_at", Instant, nullable=False),
    Index("ix_member_folded", "community", "folded"),
    sqlite_strict=True,
)

season = Table(
    "season",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("started_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("tables", Integer, nullable=False),
    sqlite_strict=True,
)

season_place = Table(
    "season_place",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("seat", Key, nullable=False),
    Column("name", Name, nullable=False),
    Column("credits", Credits, nullable=False),
    sqlite_strict=True,
)
