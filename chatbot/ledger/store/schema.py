"""The present schema of the database; a test compares it with the result of the migrations.

All times are whole milliseconds since 1970 in UTC. Text keys are compared bytewise on both databases, so that
the order is the same and no update of the system's collations can corrupt an index. The tables of SQLite are
strict: they refuse text in a column of numbers.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

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
    UniqueConstraint,
    and_,
    select,
    text,
)
from sqlalchemy.types import TypeDecorator

from chatbot.kernel.amounts import MOST
from chatbot.ledger.books.purses import WALLETS

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, ScalarSelect
    from sqlalchemy.engine import Dialect

_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)

Key = Text().with_variant(Text(collation="C"), "postgresql")
Credits = BigInteger().with_variant(Integer(), "sqlite")  # 64 bits on SQLite too


class Instant(TypeDecorator[datetime]):
    """A timezone-aware time, stored as milliseconds since 1970."""

    impl = BigInteger().with_variant(Integer(), "sqlite")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Convert a value for the database, rounding down to milliseconds."""
        return None if value is None else stored_time(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a value from the database."""
        return None if value is None else _EPOCH + timedelta(milliseconds=value)


def stored_time(value: datetime) -> int:
    """Return a time as `Instant` stores it, in milliseconds since 1970, rounded down."""
    return (value - _EPOCH) // _MILLISECOND


class NameColumn(TypeDecorator[str]):
    """A name chosen by a user: what cannot be stored is replaced, and at most 100 characters are kept."""

    impl = Key
    cache_ok = True
    longest = 100  # three times what any platform allows; only a faulty or hostile message has more

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Convert a value for the database."""
        if value is None:
            return None
        whole = value.encode("utf-8", "replace").decode()  # a lone surrogate cannot be encoded
        return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")[: self.longest]


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def complete_for_postgresql() -> None:
    """Give the indexes of a part of a table the condition on PostgreSQL that they have on SQLite.

    To declare it beside that one would import the dialect, 0.02 s of every start on SQLite.
    """
    for index in (each for table in metadata.tables.values() for each in table.indexes):
        index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]


_WHOLE = text("settings <> ''")  # a table that is not in the archive

community = Table(
    "community",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Key, nullable=False),
    UniqueConstraint("name", name="uq_community_name"),
    sqlite_strict=True,
)

purse = Table(
    "purse",
    metadata,
    Column("id", Credits, primary_key=True),  # AUTOINCREMENT: never reused
    Column("community", Integer, ForeignKey("community.id"), nullable=False),
    Column("kind", Key, nullable=False),
    Column("owner", Key, nullable=False),  # a seat, the table of a pot, or empty
    Column("balance", Credits, nullable=False),
    CheckConstraint("kind IN ('person', 'player', 'pot', 'house', 'mint')", name="kind"),
    CheckConstraint("(owner = '') = (kind IN ('house', 'mint'))", name="owner"),
    CheckConstraint("balance >= 0 OR kind = 'mint'", name="solvent"),
    UniqueConstraint("community", "kind", "owner", name="uq_purse_community"),
    Index("ix_purse_ranking", "community", "kind", "balance"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)

posting = Table(
    "posting",
    metadata,
    Column("id", Key, primary_key=True),
    Column("community", Key, nullable=False),
    Column("turns", Integer, nullable=False),  # number of turns that it wrote into the journal of a table
    Column("created_at", Instant, nullable=False),
    sqlite_strict=True,
)

heard = Table(
    "heard",
    metadata,
    Column("id", Key, primary_key=True),  # of a message of a platform that was accepted
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
    Column("settings", Text, nullable=False),  # empty once the table is archived, as is the seed
    Column("state", Key, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("closed_at", Instant),
    Column("chain", Key),  # head of the hash chain of its seed, in hexadecimal digits
    Column("link", Integer),
    Column("seed", LargeBinary),  # that link, once it may be published
    CheckConstraint("state <> 'open' OR seed IS NULL", name="secret"),
    CheckConstraint("state IN ('open', 'settled', 'void')", name="state"),
    CheckConstraint("(state = 'open') = (closed_at IS NULL)", name="closing"),
    Index("ix_game_table_standing", "state", "room", "game", "closed_at"),
    Index("ix_game_table_link", "chain", "link"),
    Index("ix_game_table_whole", "closed_at", "id", sqlite_where=_WHOLE),
    sqlite_strict=True,
)

transfer = Table(
    "transfer",
    metadata,
    Column("id", Credits, primary_key=True),  # ascending in the order of writing
    Column("posting", Key, nullable=False),  # no foreign key: the audit looks for one that is missing
    Column("number", Integer, nullable=False),  # from 1, of the posting
    Column("community", Key, nullable=False),
    Column("table_id", Key, ForeignKey("game_table.id")),
    Column("source", Credits, ForeignKey("purse.id"), nullable=False),
    Column("target", Credits, ForeignKey("purse.id"), nullable=False),
    Column("credits", Credits, nullable=False),
    Column("why", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    CheckConstraint("number >= 1", name="number"),
    CheckConstraint(f"credits BETWEEN 1 AND {MOST}", name="credits"),
    UniqueConstraint("posting", "number", name="uq_transfer_posting"),
    Index("ix_transfer_table_id", "table_id"),
    Index("ix_transfer_source", "source", "created_at"),
    Index("ix_transfer_target", "target", "created_at"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)

unchecked = Table(
    "unchecked",
    metadata,
    # A transfer that no audit has checked yet, inserted by a trigger.
    Column("transfer", Credits, primary_key=True, autoincrement=False),
    sqlite_strict=True,
)

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 1: there is one, or none
    Column("number", Credits, nullable=False),  # how often the books were found correct
    Column("at", Instant, nullable=False),  # the last time
    sqlite_strict=True,
)

checkpoint_balance = Table(
    "checkpoint_balance",
    metadata,
    Column("purse", Credits, primary_key=True, autoincrement=False),  # one that was not empty then
    Column("balance", Credits, nullable=False),
    sqlite_strict=True,
)

corrected = Table(
    "corrected",
    metadata,
    Column("finding", Key, primary_key=True),  # of an audit, ignored since its correction
    Column("change_set", Key, nullable=False),  # the correction
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
    Column("table_id", Key, ForeignKey("game_table.id"), primary_key=True),  # whose end was not announced yet
    sqlite_strict=True,
)

_DUE = text("state <> 'open' AND settled = 0")

voucher = Table(
    "voucher",
    metadata,
    Column("id", Key, primary_key=True),  # of what a platform took for the stake
    Column("platform", Key, nullable=False),
    Column("source", Text, nullable=False),  # what the platform needs to settle it, in its own words
    Column("community", Key, nullable=False),
    Column("seat", Key, nullable=False),  # empty: it was refused before anybody was seated
    Column("table_id", Key, ForeignKey("game_table.id")),
    Column("credits", Credits, nullable=False),
    Column("state", Key, nullable=False),
    Column("settled", Integer, nullable=False),  # 1 once the platform has confirmed that it knows the state
    Column("created_at", Instant, nullable=False),
    CheckConstraint("state IN ('open', 'kept', 'returned')", name="state"),
    CheckConstraint("state <> 'open' OR (settled = 0 AND table_id IS NOT NULL)", name="open"),
    Index("ix_voucher_table_id", "table_id"),
    Index("ix_voucher_due", "platform", "id", sqlite_where=_DUE),
    sqlite_strict=True,
)

reward = Table(
    "reward",
    metadata,
    Column("id", Key, primary_key=True),  # of a platform, which sells it
    Column("channel", Key, nullable=False),
    Column("game", Key, nullable=False),
    Column("credits", Credits, nullable=False),  # that it stakes
    Index("ix_reward_channel", "channel"),
    sqlite_strict=True,
)

_RUNNING = text("state <> 'over'")

prediction = Table(
    "prediction",
    metadata,
    Column("table_id", Key, ForeignKey("game_table.id"), primary_key=True),  # on whose outcome viewers bet
    Column("channel", Key, nullable=False),
    Column("phase", Key, nullable=False),  # of the table, at whose end nobody may bet any more
    Column("source", Text, nullable=False),  # what the platform knows it by, in its own words
    Column("state", Key, nullable=False),
    Column("created_at", Instant, nullable=False),
    CheckConstraint("state IN ('wanted', 'open', 'locked', 'over')", name="state"),
    Index("ix_prediction_running", "channel", sqlite_where=_RUNNING),
    sqlite_strict=True,
)

archive = Table(
    "archive",
    metadata,
    Column("number", Credits, primary_key=True, autoincrement=True),
    Column("table_id", Key, ForeignKey("game_table.id"), nullable=False),
    Column("kept", Credits, nullable=False),  # by the house at this table, less what it paid
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of what was removed
    Column("body", LargeBinary, nullable=False),  # the removed rows, packed
    Index("ix_archive_table_id", "table_id", unique=True),
    sqlite_strict=True,
)

archive_member = Table(
    "archive_member",
    metadata,
    Column("purse", Credits, ForeignKey("purse.id"), primary_key=True, autoincrement=False),  # a wallet
    Column("at", Instant, primary_key=True, autoincrement=False),  # of its last transfer at the table
    Column("number", Credits, primary_key=True, autoincrement=False),  # of the table in the archive
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

chain = Table(
    "chain",
    metadata,
    Column("head", Key, primary_key=True),  # in hexadecimal digits
    Column("room", Key, nullable=False),
    Column("number", Integer, nullable=False),  # from 1, in the order in which those of a room were made
    Column("length", Integer, nullable=False),  # links
    Column("used", Integer, nullable=False),  # number of links that tables have taken
    Column("sealed", LargeBinary),  # its encrypted secrets; NULL once no more links are taken from it
    CheckConstraint("used BETWEEN 0 AND length", name="used"),
    Index("ix_chain_room", "room", "number", unique=True),
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

change = Table(
    "change",
    metadata,
    Column("number", Credits, primary_key=True, autoincrement=True),  # ascending in the order of writing
    Column("change_set", Key, nullable=False),  # the id of a line, or of a run of a command
    Column("part", Integer, nullable=False),  # from 1, of the change set
    Column("room", Key, nullable=False),
    Column("community", Key, nullable=False),
    Column("at", Instant, nullable=False),
    Column("actor", Key, nullable=False),  # a seat, or `operator`
    Column("name", NameColumn, nullable=False),  # of the actor at that time
    Column("kind", Key, nullable=False),
    Column("subject", Key, nullable=False),  # a group of settings, or whose credits
    Column("key", Key, nullable=False),  # of a setting
    Column("old", Text),
    Column("new", Text),
    Column("why", Text, nullable=False),
    Column("posting", Key),  # that moved the credits
    Column("undoes", Key),  # the change set that this one undoes
    Index("ix_change_set", "change_set", "part", unique=True),
    Index("ix_change_room", "room", "number"),
    Index("ix_change_actor", "room", "actor", "number"),
    Index("ix_change_kind", "room", "kind", "number"),
    Index("ix_change_subject", "room", "subject", "number"),
    Index("ix_change_minting", "community", "kind", "number"),
    Index("ix_change_undoes", "undoes", "part", unique=True),  # of two that undo the same at once, one fails
    sqlite_strict=True,
)

place = Table(
    "place",
    metadata,
    Column("room", Key, primary_key=True),
    Column("community", Key, nullable=False),
    Column("opened_at", Instant, nullable=False),  # the last time
    sqlite_strict=True,
)

member = Table(
    "member",
    metadata,
    Column("community", Key, primary_key=True),
    Column("seat", Key, primary_key=True),
    Column("name", NameColumn, nullable=False),
    Column("folded", NameColumn, nullable=False),
    Column("seen_at", Instant, nullable=False),
    Index("ix_member_folded", "community", "folded"),
    sqlite_strict=True,
)

hint = Table(
    "hint",
    metadata,
    Column("id", Key, primary_key=True),  # a game, a community and a member who was given the hint
    Column("community", Key, nullable=False),
    Column("seat", Key, nullable=False),
    sqlite_strict=True,
)

hidden_member = Table(
    "hidden_member",
    metadata,
    Column("seat", Key, primary_key=True),  # of somebody whom no public page names
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
    Column("name", NameColumn, nullable=False),
    Column("credits", Credits, nullable=False),
    sqlite_strict=True,
)

season_record = Table(
    "season_record",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the season that reset it
    Column("seat", Key, primary_key=True),
    Column("body", Text, nullable=False),
    sqlite_strict=True,
)

presence = Table(
    "presence",
    metadata,
    Column("community", Key, primary_key=True),
    Column("seat", Key, primary_key=True),
    Column("first_at", Instant, nullable=False),
    Column("minutes", Integer, nullable=False),  # of the stream that the member watched
    Column("messages", Integer, nullable=False),
    Column("roles", Key, nullable=False),  # seen last, separated by commas
    sqlite_strict=True,
)

person = Table(
    "person",
    metadata,
    Column("id", Credits, primary_key=True, autoincrement=False),
    Column("seat", Key, nullable=False),  # their name at tables, which does not identify them
    Column("same_as", Key),  # the seat of the linked person whose wallet they use
    Column("parted_from", Key),  # the seat of the person with whom they were linked, and share limits
    Index("ix_person_seat", "seat", unique=True),
    Index("ix_person_same_as", "same_as"),
    sqlite_strict=True,
)

platform_account = Table(
    "platform_account",
    metadata,
    Column("id", Credits, primary_key=True, autoincrement=True),
    Column("platform", Key, nullable=False),
    Column("key", Key),  # its immutable id on the platform; NULL: only its login is known
    Column("login", Key),  # in small letters, until the account is seen
    Column("person", Credits, ForeignKey("person.id"), nullable=False),
    CheckConstraint("(key IS NULL) <> (login IS NULL)", name="known"),
    Index("ix_platform_account_key", "platform", "key", unique=True),
    Index("ix_platform_account_login", "platform", "login", unique=True),
    Index("ix_platform_account_person", "person"),
    sqlite_strict=True,
)

reserved = Table(
    "reserved",
    metadata,
    Column("what", Key, primary_key=True),
    Column("next", Credits, nullable=False),  # the first free number of that kind
    sqlite_strict=True,
)

people_version = Table(
    "people_version",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", Credits, nullable=False),  # how often it was changed who is who
    sqlite_strict=True,
)

union = Table(
    "community_union",
    metadata,
    Column("community", Key, primary_key=True),
    Column("target", Key, nullable=False),  # the community that holds its wallets
    Column("at", Instant, nullable=False),
    sqlite_strict=True,
)

bridge = Table(
    "bridge",
    metadata,
    Column("channel", Key, primary_key=True),
    Column("room", Key, nullable=False),  # to which the channel was added
    Column("community", Key, nullable=False),  # of that room
    Column("home", Key, nullable=False),  # the room of the channel without the bridge
    Column("origin", Key, nullable=False),  # the community of `home`
    Column("at", Instant, nullable=False),
    sqlite_strict=True,
)

process = Table(
    "process",
    metadata,
    Column("id", Credits, primary_key=True, autoincrement=False),  # drawn at each start
    Column("label", Text, nullable=False),  # its machine and number there, for people to read
    Column("heartbeat", Instant, nullable=False),  # by the clock of the database
    sqlite_strict=True,
)

cluster_member = Table(
    "cluster_member",
    metadata,
    # One that deals duties out with others. No foreign key: the row of a process may be removed before.
    Column("process", Credits, primary_key=True, autoincrement=False),
    Column("share", Integer, nullable=False),  # how much it takes beside others; 0: none, as it ends
    # What it can do beside running rooms, with commas between; empty: a former version, which does not say.
    Column("abilities", Key, nullable=False, server_default=""),
    # What it says of itself, as JSON: `troubles`, `waiting`; empty: nothing, or a former version.
    Column("condition", Text, nullable=False, server_default=""),
    sqlite_strict=True,
)

duty = Table(
    "duty",
    metadata,
    Column("name", Key, primary_key=True),
    # The process that does it; NULL: none. Of one that shows no sign of life others take it over. No foreign
    # key: the row of a process may be removed before.
    Column("owner", Credits),
    Column("load", Integer, nullable=False),  # how much work it is, as its owner measured last
    sqlite_strict=True,
)

gateway = Table(
    "gateway",
    metadata,
    # What all processes have to agree on about a platform that has shards.
    Column("platform", Key, primary_key=True),
    Column("shards", Integer, nullable=False),
    # Of the sessions that may be begun: how many at a time, how many in all until `resets` (NULL: none was
    # begun yet), and how many of these are left.
    Column("concurrency", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("sessions_left", Integer, nullable=False),
    Column("resets", Instant),
    Column("begins", Key, nullable=False),  # when the newest session of each bucket begins, as JSON
    sqlite_strict=True,
)

home = Table(
    "home",
    metadata,
    Column("community", Key, primary_key=True),
    # The process that has the lease of the community; NULL: none. Those of a union have the same owner.
    Column("owner", Credits, ForeignKey("process.id")),
    Column("epoch", Integer, nullable=False),  # how often it was taken
    Index("ix_home_owner", "owner"),
    sqlite_strict=True,
)

balance_import = Table(
    "balance_import",
    metadata,
    Column("id", Key, primary_key=True),
    Column("community", Key, nullable=False),
    Column("platform", Key, nullable=False),
    Column("mode", Key, nullable=False),
    Column("file", Text, nullable=False),  # its name without folder
    Column("at", Instant, nullable=False),
    Column("rows", Integer, nullable=False),  # that it has when it is done
    Column("state", Key, nullable=False),
    CheckConstraint("state IN ('running', 'done', 'undoing', 'undone')", name="state"),
    Index("ix_balance_import_at", "at"),
    sqlite_strict=True,
)

balance_import_row = Table(
    "balance_import_row",
    metadata,
    Column("run", Key, ForeignKey("balance_import.id"), primary_key=True),
    Column("line", Credits, primary_key=True, autoincrement=False),  # of the file
    Column("seat", Key, nullable=False),
    Column("credits", Credits, nullable=False),  # below 0: taken
    Column("minutes", Integer, nullable=False),  # of watched time
    Column("returned", Credits),  # what its undoing has moved; NULL: it stands
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

web_session = Table(
    "web_session",
    metadata,
    Column("id", Key, primary_key=True),  # SHA-256 of what the browser holds, in hexadecimal digits
    Column("kind", Key, nullable=False),  # whose pages it opens, such as operator
    Column("csrf", Key, nullable=False),  # what each change must repeat
    Column("platform", Key, nullable=False),  # with `account`: who is logged in
    Column("account", Key, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Index("ix_web_session_ends_at", "ends_at"),
    Index("ix_web_session_account", "platform", "account"),
    sqlite_strict=True,
)

one_time_link = Table(
    "one_time_link",
    metadata,
    Column("id", Key, primary_key=True),  # SHA-256 of what stands in the address
    Column("kind", Key, nullable=False),  # of the session that it opens
    Column("platform", Key, nullable=False),  # with `account` and `name`: of whom
    Column("account", Key, nullable=False),
    Column("name", Text, nullable=False),
    Column("lasting", Integer, nullable=False),  # 1: it may open several sessions
    Column("ends_at", Instant, nullable=False),
    sqlite_strict=True,
)

web_role = Table(
    "web_role",
    metadata,
    Column("platform", Key, primary_key=True),
    Column("account", Key, primary_key=True),
    Column("community", Key, primary_key=True),
    Column("role", Key, nullable=False),  # the highest that the platform says they have there
    Column("asked_at", Instant, nullable=False),  # when it said so
    sqlite_strict=True,
)

web_key = Table(
    "web_key",
    metadata,
    Column("platform", Key, primary_key=True),
    Column("account", Key, primary_key=True),
    Column("sealed", LargeBinary, nullable=False),  # the account's own tokens, to ask for its roles again
    sqlite_strict=True,
)

api_token = Table(
    "api_token",
    metadata,
    Column("id", Key, primary_key=True),  # SHA-256 of what the program holds, in hexadecimal digits
    Column("label", Text, nullable=False),  # what its maker calls it, for people to read
    Column("room", Key, nullable=False),
    Column("scopes", Text, nullable=False),  # JSON: a list of words
    Column("platform", Key, nullable=False),  # with `account` and `name`: its maker, in whose name it acts
    Column("account", Key, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("used_at", Instant),  # NULL: never
    Index("ix_api_token_room", "room"),
    sqlite_strict=True,
)

api_answer = Table(
    "api_answer",
    metadata,
    Column("caller", Key, primary_key=True),  # the id of a token or a session
    Column("key", Key, primary_key=True),  # that the caller gave to the request
    Column("request", Key, nullable=False),  # SHA-256 of what was asked for
    Column("status", Integer),  # of the answer; NULL: it is not known
    Column("body", Text),
    Column("at", Instant, nullable=False),
    Index("ix_api_answer_at", "at"),
    sqlite_strict=True,
)

webhook = Table(
    "webhook",
    metadata,
    Column("id", Key, primary_key=True),
    Column("room", Key, nullable=False),
    Column("url", Text, nullable=False),
    Column("sealed", LargeBinary, nullable=False),  # the secret by which deliveries are signed
    Column("kinds", Text, nullable=False),  # JSON: a list of kinds of events; empty: all
    Column("is_local", Integer, nullable=False),  # 1: it may be on the machine or network of the bot
    Column("platform", Key, nullable=False),  # with `account` and `name`: its maker
    Column("account", Key, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("failing_since", Instant),  # of its first failure after the last success; NULL: it works
    Column("disabled_at", Instant),  # NULL: it is in use
    Index("ix_webhook_room", "room"),
    sqlite_strict=True,
)

webhook_delivery = Table(
    "webhook_delivery",
    metadata,
    Column("id", Key, primary_key=True),  # which the receiver is told, so that it acts once
    Column("webhook", Key, nullable=False),
    Column("kind", Key, nullable=False),  # of the event
    Column("body", Text),  # what is sent; NULL: it is over
    Column("created_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", Instant),  # when it is tried again; NULL: it is over
    Column("delivered_at", Instant),
    Column("status", Integer),  # of the last answer; NULL: there was none
    Column("fault", Text),  # why the last attempt failed, for people to read
    Index("ix_webhook_delivery_webhook", "webhook", "created_at"),
    Index("ix_webhook_delivery_next_at", "next_at"),
    sqlite_strict=True,
)

one_time_code = Table(
    "one_time_code",
    metadata,
    Column("kind", Key, primary_key=True),  # what it is for
    Column("owner", Key, primary_key=True),  # who has one of this kind at a time, as its users know
    Column("code", Key),  # SHA-256 of the kind and the code; NULL: its owner takes it without one
    Column("platform", Key),  # with `account`: of whom it tells; NULL: of nobody
    Column("account", Key),
    Column("value", Text, nullable=False),  # what it stands for
    Column("taken_by", Key),  # the line that has used it up; NULL: none has
    Column("ends_at", Instant, nullable=False),
    Index("ix_one_time_code_code", "code", unique=True),
    Index("ix_one_time_code_ends_at", "ends_at"),
    sqlite_strict=True,
)

code_try = Table(
    "code_try",
    metadata,
    Column("kind", Key, primary_key=True),
    Column("platform", Key, primary_key=True),
    Column("account", Key, primary_key=True),
    Column("tries", Integer, nullable=False),  # wrong codes that it has typed
    Column("until", Instant, nullable=False),  # when they are forgotten
    sqlite_strict=True,
)

ERASED = (
    api_answer,
    api_token,
    change,
    code_try,
    hidden_member,
    hint,
    member,
    one_time_code,
    one_time_link,
    platform_account,
    preference,
    presence,
    season_place,
    web_key,
    web_role,
    web_session,
    webhook,
    webhook_delivery,
)
"""The tables from which an erasure removes what tells who somebody was."""


def community_of(name: str | ColumnElement[str]) -> ScalarSelect[int]:
    """Return a subquery for the id of a community."""
    return (
        select(community.c.id).where(community.c.name == name).correlate_except(community).scalar_subquery()
    )


def owned_by(seats: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a purse is a wallet of one of these seats, in any community.

    It names all columns of the unique key, so that its index is used.
    """
    everywhere = purse.c.community.in_(select(community.c.id))
    return and_(everywhere, purse.c.kind.in_(sorted(WALLETS)), purse.c.owner.in_(seats))
