"""The tables as they are now; the migrations bring every older database here, and a test compares.

All times are whole milliseconds since 1970 in UTC. Text that serves as a key is compared byte by
byte on both databases, so that the order is the same and no update of the system's collations can
spoil an index. SQLite's tables are strict: they take no text for a number.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text, text

from chatbot.kernel.amounts import MOST
from chatbot.wallets.columns import Credits, Instant, Key, Name, metadata

_WHOLE = text("settings <> ''")  # a table that is not in the archive

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
    Column("settings", Text, nullable=False),  # empty, as is the seed, once the table is in the archive
    Column("state", Key, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("closed_at", Instant),
    Column("chain", Key),  # whose link is the seed of its draws: the head, in hexadecimal digits
    Column("link", Integer),
    Column(  # that link, as soon as it is no secret any more
        "seed", LargeBinary, CheckConstraint("state <> 'open' OR seed IS NULL", name="secret")
    ),
    CheckConstraint("state IN ('open', 'settled', 'void')", name="state"),
    CheckConstraint("(state = 'open') = (closed_at IS NULL)", name="closing"),
    Index("ix_game_table_standing", "state", "room", "game", "closed_at"),
    Index("ix_game_table_link", "chain", "link"),
    Index("ix_game_table_whole", "closed_at", "id", sqlite_where=_WHOLE, postgresql_where=_WHOLE),
    sqlite_strict=True,
)

transfer = Table(
    "transfer",
    metadata,
    Column("id", Key, primary_key=True),
    # No foreign key, for no index leads here from a posting; the audit looks for one that is missing.
    Column("posting", Key, nullable=False),
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
    Index("ix_transfer_source", "source", "created_at"),
    Index("ix_transfer_target", "target", "created_at"),
    sqlite_strict=True,
)

unchecked = Table(
    "unchecked",
    metadata,
    Column("number", Credits, primary_key=True, autoincrement=True),
    Column("transfer", Key, nullable=False),  # that no audit has seen yet; a trigger notes each
    sqlite_strict=True,
)

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 1: there is one, or none
    Column("number", Credits, nullable=False),  # how often the books were found sound
    Column("at", Instant, nullable=False),  # last
    sqlite_strict=True,
)

checkpoint_balance = Table(
    "checkpoint_balance",
    metadata,
    Column("account", Key, primary_key=True),  # one that held something then
    Column("balance", Credits, nullable=False),
    sqlite_strict=True,
)

corrected = Table(
    "corrected",
    metadata,
    Column("finding", Key, primary_key=True),  # of an audit, to which it shuts its eyes since
    Column("deed", Key, nullable=False),  # that corrected what it was about
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

archive = Table(
    "archive",
    metadata,
    Column("number", Credits, primary_key=True, autoincrement=True),
    Column("table_id", Key, ForeignKey("game_table.id"), nullable=False),
    Column("kept", Credits, nullable=False),  # by the house at this table, less what it paid
    Column("digest", LargeBinary, nullable=False),  # SHA-256 of what was removed
    Column("body", LargeBinary, nullable=False),  # which is packed in here
    Index("ix_archive_table_id", "table_id", unique=True),
    sqlite_strict=True,
)

archive_member = Table(
    "archive_member",
    metadata,
    Column("mark", Credits, primary_key=True, autoincrement=False),  # of a wallet: 64 bits of a hash
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
    Column("used", Integer, nullable=False),  # how many of them a table has taken
    Column("sealed", LargeBinary),  # its secrets; none when no link is dealt from it any more
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
    Column("number", Credits, primary_key=True, autoincrement=True),  # the order in which they were made
    Column("deed", Key, nullable=False),  # what made them: the id of a line, or of a command's run
    Column("part", Integer, nullable=False),  # from 1, of the deed
    Column("room", Key, nullable=False),
    Column("community", Key, nullable=False),
    Column("at", Instant, nullable=False),
    Column("actor", Key, nullable=False),  # a seat, or `operator`
    Column("name", Name, nullable=False),  # of the actor, on that day
    Column("kind", Key, nullable=False),
    Column("subject", Key, nullable=False),  # a group of settings, or whose credits
    Column("key", Key, nullable=False),  # of a setting
    Column("old", Text),
    Column("new", Text),
    Column("why", Text, nullable=False),
    Column("posting", Key),  # which moved the credits
    Column("undoes", Key),  # the deed that is taken back
    Index("ix_change_deed", "deed", "part", unique=True),
    Index("ix_change_room", "room", "number"),
    Index("ix_change_undoes", "undoes", "part", unique=True),
    sqlite_strict=True,
)

place = Table(
    "place",
    metadata,
    Column("room", Key, primary_key=True),
    Column("community", Key, nullable=False),
    Column("opened_at", Instant, nullable=False),  # last
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

hint = Table(
    "hint",
    metadata,
    Column("id", Key, primary_key=True),  # a game, a community and a member who was told there how it goes
    Column("community", Key, nullable=False),
    Column("seat", Key, nullable=False),
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

season_record = Table(
    "season_record",
    metadata,
    Column("room", Key, primary_key=True),
    Column("game", Key, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the season that forgot it
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
    Column("minutes", Integer, nullable=False),  # of the stream that were watched
    Column("messages", Integer, nullable=False),
    Column("roles", Key, nullable=False),  # as they were seen last, with commas between
    sqlite_strict=True,
)

identity = Table(
    "identity",
    metadata,
    Column("seat", Key, primary_key=True),  # proved to be the same person as
    Column("root", Key, nullable=False),  # whose purse they use while linked, and whose limits for ever
    Column("linked", Integer, nullable=False),  # 1 while it is so, 0 afterwards
    Column("at", Instant, nullable=False),
    CheckConstraint("linked IN (0, 1)", name="linked"),
    sqlite_strict=True,
)

union = Table(
    "community_union",
    metadata,
    Column("community", Key, primary_key=True),  # whose wallets are held by
    Column("target", Key, nullable=False),
    Column("at", Instant, nullable=False),
    sqlite_strict=True,
)

bridge = Table(
    "bridge",
    metadata,
    Column("channel", Key, primary_key=True),  # whose chat is one more of
    Column("room", Key, nullable=False),
    Column("community", Key, nullable=False),  # of that room
    Column("home", Key, nullable=False),  # the room that it has by itself
    Column("origin", Key, nullable=False),  # the community of that one
    Column("at", Instant, nullable=False),
    sqlite_strict=True,
)
