"""Writes accepted postings: their rows, and balances that must still be what the postings were decided on.

Whoever decides in a transaction of their own reads all rows that the postings concern on its connection, and
locks them on PostgreSQL, in one order (tables, new purses by identity, all purses by id), so that processes
cannot deadlock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, text

from chatbot.ledger import vouchers
from chatbot.ledger.books import holdings
from chatbot.ledger.books.books import Books, concerned_purses
from chatbot.ledger.books.memory import touched_in
from chatbot.ledger.books.posting import LINKED
from chatbot.ledger.store import people_version, schema
from chatbot.ledger.store.reads import FixedQuery, Reads, fetched
from chatbot.ledger.store.statements import batches, upsert
from chatbot.ledger.store.writes import RowWrite, Statement, execute

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.books import AcceptedPosting, WriteResult
    from chatbot.ledger.books.forwarding import Forwarding
    from chatbot.ledger.books.holdings import PurseRow
    from chatbot.ledger.books.posting import Entry, Posting
    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.statements import ColumnValues, Values

_table = schema.game_table.c


def _row_of(side: str) -> str:
    """Return the subquery for the row of a purse, whose identity comes in the parameters of a side."""
    return (
        "(SELECT purse.id FROM purse JOIN community ON community.id = purse.community "  # noqa: S608
        f"WHERE community.name = CAST(:{side}_community AS TEXT) AND purse.kind = CAST(:{side}_kind AS TEXT) "
        f"AND purse.owner = CAST(:{side}_owner AS TEXT))"
    )


_PURSE = "community", "kind", "owner"
_ADD_COMMUNITY = Statement(
    text(
        "INSERT INTO community (name) SELECT CAST(:name AS TEXT) "
        "WHERE NOT EXISTS (SELECT 1 FROM community WHERE name = CAST(:name AS TEXT)) ON CONFLICT DO NOTHING"
    )
)
_ADD_PURSE = Statement(
    text(
        "INSERT INTO purse (community, kind, owner, balance) "
        "SELECT id, CAST(:kind AS TEXT), CAST(:owner AS TEXT), 0 FROM community "
        "WHERE name = CAST(:community AS TEXT) ON CONFLICT DO NOTHING"
    )
)
_ADD_POSTING = Statement(insert(schema.posting), ("id", "community", "turns", "created_at"))
_ADD_TABLE = Statement(insert(schema.game_table), schema.game_table.c.keys())
_ADD_TRANSFER = Statement(
    text(
        "INSERT INTO transfer "  # noqa: S608  (our own text)
        "(posting, number, community, table_id, source, target, credits, why, actor, created_at) "
        f"VALUES (:posting, :number, :community, :table_id, {_row_of('source')}, {_row_of('target')}, "
        ":credits, :why, :actor, :created_at)"
    ).bindparams(bindparam("created_at", type_=schema.Instant()))
)
_ADD_TURN = Statement(insert(schema.journal), schema.journal.c.keys())
_ADD_STEP = Statement(insert(schema.step), schema.step.c.keys())
_ADD_UNTOLD = Statement(insert(schema.untold), ("table_id",))
_PUT_RECORD = Statement(upsert(schema.record), schema.record.c.keys())
# `+` and not the decided balance: a repair also changes purses whose stored balance is wrong.
_CHANGE_BALANCE = Statement(
    text(
        "UPDATE purse SET balance = balance + :change "
        "WHERE community = (SELECT id FROM community WHERE name = :community) "
        "AND kind = :kind AND owner = :owner AND balance = :expected"
    ),
    postgresql=text(
        "UPDATE purse SET balance = purse.balance + asked.change "
        "FROM unnest(CAST(:community AS text[]), CAST(:kind AS text[]), CAST(:owner AS text[]), "
        "CAST(:change AS bigint[]), CAST(:expected AS bigint[])) "
        "AS asked (community, kind, owner, change, expected) "
        "JOIN community ON community.name = asked.community "
        "WHERE purse.community = community.id AND purse.kind = asked.kind AND purse.owner = asked.owner "
        "AND purse.balance = asked.expected"
    ),
    once=_PURSE,
    adds="change",
)
_FIND_PURSE = Statement(
    text(
        "SELECT purse.id FROM purse JOIN community ON community.id = purse.community "
        "WHERE community.name = :community AND purse.kind = :kind AND purse.owner = :owner"
    ),
    postgresql=text(
        "SELECT purse.id FROM "
        "unnest(CAST(:community AS text[]), CAST(:kind AS text[]), CAST(:owner AS text[])) "
        "AS asked (community, kind, owner) JOIN community ON community.name = asked.community JOIN purse "
        "ON purse.community = community.id AND purse.kind = asked.kind AND purse.owner = asked.owner"
    ),
    once=_PURSE,
    reads=True,
)
_FIND_BALANCE = Statement(
    text(
        "SELECT purse.id FROM purse JOIN community ON community.id = purse.community "
        "WHERE community.name = :community AND purse.kind = :kind AND purse.owner = :owner "
        "AND purse.balance = :expected"
    ),
    postgresql=text(
        "SELECT purse.id FROM unnest(CAST(:community AS text[]), CAST(:kind AS text[]), "
        "CAST(:owner AS text[]), CAST(:expected AS bigint[])) AS asked (community, kind, owner, expected) "
        "JOIN community ON community.name = asked.community JOIN purse "
        "ON purse.community = community.id AND purse.kind = asked.kind AND purse.owner = asked.owner "
        "WHERE purse.balance = asked.expected FOR SHARE OF purse"
    ),
    once=_PURSE,
    reads=True,
)
_FIND_OPEN = Statement(
    select(_table.id)
    .where(_table.id == bindparam("table"), _table.community == bindparam("home"), _table.state == "open")
    .with_for_update(),
    ("table", "home"),
    postgresql=text(
        "SELECT game_table.id FROM unnest(CAST(:table AS text[]), CAST(:home AS text[])) AS asked (id, home) "
        "JOIN game_table ON game_table.id = asked.id AND game_table.community = asked.home "
        "WHERE game_table.state = 'open' FOR UPDATE OF game_table"
    ),
    once=("table", "home"),
)
_CLOSE = Statement(
    text(
        "UPDATE game_table SET state = :state, closed_at = :closed_at, seed = :seed "
        "WHERE id = :table AND state = 'open'"
    ).bindparams(
        bindparam("closed_at", type_=schema.Instant()),
        bindparam("seed", type_=schema.game_table.c.seed.type),
    )
)
# A link is used once, after the one before it, and after the table of that one has ended: otherwise it could
# be known already, because a link is the hash of the one after it.
_TAKE_LINK = Statement(
    text(
        "UPDATE chain SET used = used + 1 WHERE head = :chain AND room = :room AND sealed IS NOT NULL "
        "AND used = CAST(:link AS INTEGER) - 1 AND NOT EXISTS (SELECT 1 FROM game_table AS before "
        "WHERE before.chain = chain.head AND before.link = chain.used AND before.state = 'open')"
    )
)


def unchanged(balances: Mapping[Purse, int], absent: Collection[Purse]) -> Iterator[RowWrite]:
    """Yield what requires that purses still have these balances, and that others have no row yet."""
    if balances:
        rows = [{**each._asdict(), "expected": balances[each]} for each in sorted(balances)]
        yield RowWrite(_FIND_BALANCE, rows, len(rows))
    if absent:
        yield RowWrite(_FIND_PURSE, [each._asdict() for each in sorted(absent)], 0)


def writes_of(books: Books) -> list[RowWrite]:
    """Return the writes of the accepted postings, by one statement for each kind of row."""
    accepted = books.accepted
    postings = [each.posting for each in accepted]
    openings = [each for each in postings if each.opening is not None]
    endings = [each for each in postings if each.end]
    balance_changes = _balance_changes(books)
    closings = [_closing(each) for each in endings]
    links = _links(openings)
    new_tables = {each.table for each in openings}
    # A correction may be at a table that is over, which is then not among those of the books.
    open_tables = {
        each.table: each.community
        for each in postings
        if each.table is not None and each.table in books.tables and each.table not in new_tables
    }
    tables = [{"table": one, "home": each} for one, each in open_tables.items()]
    writes = [
        # First, as whoever decides in a transaction of their own locks the table first, too.
        RowWrite(_FIND_OPEN, tables, len(tables)),
        *_new_purses(books, accepted),
        # In the order of the foreign keys: postings and tables before the transfers, turns and steps that
        # refer to them.
        RowWrite(_ADD_POSTING, [_posting_row(each) for each in postings]),
        RowWrite(_ADD_TABLE, [_table_row(each) for each in openings]),
        RowWrite(_ADD_TRANSFER, [row for each in accepted for row in _transfers(each)]),
        RowWrite(_ADD_TURN, [row for each in postings for row in _turns(each)]),
        RowWrite(_ADD_STEP, [_step(each) for each in postings if each.turns]),
        RowWrite(_PUT_RECORD, _records(postings)),
        RowWrite(_ADD_UNTOLD, [{"table_id": each.table} for each in endings]),
        RowWrite(_CHANGE_BALANCE, balance_changes, len(balance_changes)),
        *_voucher_writes(postings),
        RowWrite(_CLOSE, closings, len(closings)),
        # After the closings: of postings that share a transaction, one may open the next table on the chain
        # of another that it sees end only here.
        RowWrite(_TAKE_LINK, links, len(links)),
    ]
    return [each for each in writes if each.rows]


def _voucher_writes(postings: Sequence[Posting]) -> Iterator[RowWrite]:
    for each in postings:
        if each.vouchers:
            yield from vouchers.writes(each.vouchers, each.community, each.table, each.at)


def _links(openings: Sequence[Posting]) -> list[ColumnValues]:
    return [
        {"chain": each.opening.chain, "room": each.opening.room, "link": each.opening.link}
        for each in openings
        if each.opening is not None and each.opening.chain is not None
    ]


async def write(connection: AsyncConnection, postings: Sequence[Posting]) -> list[WriteResult]:
    """Decide postings and write them in the transaction of the caller, and return an answer for each.

    Answers are those of `Books.answer`.

    Raises:
        Contradiction: a link of a hash chain is not the next one.
        IntegrityError: a voucher was decided before, or there is a turn of that number already.
    """
    books = await _read(connection, postings)
    answers = [books.answer(posting) for posting in postings]
    await write_books(connection, books)
    return answers


async def write_books(connection: AsyncConnection, books: Books) -> None:
    """Write the accepted postings in the transaction of the caller."""
    await execute(connection, writes_of(books))
    touched_here = touched_in(connection)
    touched_here.purses.update(books.balances)
    touched_here.tables.update(books.tables)


def loading(names: Collection[Purse], tables: Collection[str], postings: Collection[str]) -> Reads[Books]:
    """Read what postings will concern, without locks; it may have changed when they are written."""
    books = Books()
    if tables:
        books.tables = yield from _tables(tables)
    if names:
        books.forwarding = yield from holdings.reading(names)
        all_names = {*names, *books.forwarding.reached(names)}
        rows = yield from holdings.finding(all_names)
        books.balances = {each: rows[each].balance if each in rows else 0 for each in all_names}
        books.absent = all_names - rows.keys()
    if postings:
        books.posting_ids = yield from written_ids(postings)
    return books


def written_ids(ids: Collection[str]) -> Reads[set[str]]:
    """Read which postings of these ids are written."""
    known_ids: set[str] = set()
    for some in batches(ids):
        known_ids.update(name for (name,) in (yield _WRITTEN_IDS, {"ids": some}))
    return known_ids


_WRITTEN_IDS = FixedQuery("SELECT id FROM posting WHERE id {ids}", {"ids": "text"})
_TABLES = "SELECT id, community, state FROM game_table WHERE id {ids} ORDER BY id"
_READ_TABLES = FixedQuery(_TABLES, {"ids": "text"})
_LOCK_TABLES = FixedQuery(_TABLES, {"ids": "text"}, f"{_TABLES} FOR UPDATE")


def _new_purses(books: Books, accepted: Sequence[AcceptedPosting]) -> Iterator[RowWrite]:
    """Yield the writes of purses that have no row yet, in sorted order so that processes cannot deadlock."""
    if not books.absent:
        return
    names = {each for one in accepted for entry in one.entries for each in (entry.source, entry.target)}
    new = sorted(names & books.absent)
    communities = sorted({each.community for each in new})
    yield RowWrite(_ADD_COMMUNITY, [{"name": each} for each in communities])
    yield RowWrite(_ADD_PURSE, [each._asdict() for each in new])


def _balance_changes(books: Books) -> list[Values]:
    """Return the changed balances, in the order in which all processes lock them."""
    return [
        {**purse._asdict(), "change": books.balances[purse] - before, "expected": before}
        for purse, before in sorted(books.before.items())
        if books.balances[purse] != before
    ]


def _posting_row(posting: Posting) -> ColumnValues:
    turns = len(posting.turns)
    return {"id": posting.id, "community": posting.community, "turns": turns, "created_at": posting.at}


def _table_row(posting: Posting) -> ColumnValues:
    opening = posting.opening
    assert opening is not None  # noqa: S101  (for mypy)
    return {
        "id": opening.table,
        "room": opening.room,
        "community": posting.community,
        "game": opening.game,
        "version": opening.version,
        "settings": opening.settings,
        "chain": opening.chain,
        "link": opening.link,
        "seed": None,
        "state": "open",
        "opened_at": posting.at,
        "closed_at": None,
    }


def _transfers(accepted: AcceptedPosting) -> list[ColumnValues]:
    posting = accepted.posting
    return [
        {
            "posting": posting.id,
            "number": number,
            "community": _community(posting, each),
            "table_id": posting.table,
            **_identity("source", each.source),
            **_identity("target", each.target),
            "credits": each.credits,
            "why": each.why,
            "actor": posting.actor,
            "created_at": posting.at,
        }
        for number, each in enumerate(accepted.entries, start=1)
    ]


def _identity(side: str, purse: Purse) -> Mapping[str, str]:
    return {f"{side}_community": purse.community, f"{side}_kind": purse.kind, f"{side}_owner": purse.owner}


def _community(posting: Posting, entry: Entry) -> str:
    """Return the community of an entry; a movement between two communities is one entry in each."""
    return entry.source.community if entry.why == LINKED else posting.community


def _turns(posting: Posting) -> list[ColumnValues]:
    return [
        {
            "table_id": each.table,
            "turn": each.turn,
            "action": each.action,
            "purses": each.purses,
            "line": each.line,
            "at": posting.at,
        }
        for each in posting.turns
    ]


def _step(posting: Posting) -> ColumnValues:
    first = min(each.turn for each in posting.turns)
    return {
        "posting": posting.id,
        "table_id": posting.table,
        "turn": first,
        "turns": len(posting.turns),
    }


def _records(postings: Sequence[Posting]) -> list[ColumnValues]:
    """Return the last record for each key, in sorted order so that two processes cannot deadlock."""
    newest = {(each.room, each.game, each.seat): each.body for one in postings for each in one.records}
    return [
        {"room": room, "game": game, "seat": seat, "body": body}
        for (room, game, seat), body in sorted(newest.items())
    ]


def _closing(posting: Posting) -> ColumnValues:
    return {"table": posting.table, "state": posting.end, "closed_at": posting.at, "seed": posting.seed}


async def _read(connection: AsyncConnection, postings: Sequence[Posting]) -> Books:
    """Read and lock what the postings concern."""
    tables = await fetched(connection, _tables({each.table for each in postings if each.table}, lock=True))
    # A posting at a table of another community is refused, and must not create a pot there.
    own = [each for each in postings if tables.get(str(each.table), (each.community,))[0] == each.community]
    rows, forwarding = await _lock_purses(
        connection, {name for each in own for name in concerned_purses(each)}
    )
    balances = {purse: row.balance for purse, row in rows.items()}
    # Ids are read last: with the locks held, all that former holders wrote is visible.
    ids = await fetched(connection, written_ids({each.id for each in postings}))
    return Books(tables, balances, set(), forwarding, ids)


def _tables(ids: Collection[str], *, lock: bool = False) -> Reads[dict[str, tuple[str, str]]]:
    tables: dict[str, tuple[str, str]] = {}
    for some in batches(sorted(ids)):
        for name, community, state in (yield _LOCK_TABLES if lock else _READ_TABLES, {"ids": some}):
            tables[name] = community, state
    return tables


async def _lock_purses(
    connection: AsyncConnection, names: Collection[Purse]
) -> tuple[dict[Purse, PurseRow], Forwarding]:
    """Read and lock the rows of purses and of those that replace them, which nobody may change meanwhile."""
    await people_version.hold(connection)
    forwarding = await holdings.read(connection, names)
    return await _lock_rows(connection, {*names, *forwarding.reached(names)}), forwarding


async def _lock_rows(connection: AsyncConnection, names: Collection[Purse]) -> dict[Purse, PurseRow]:
    """Read balances, locked until the transaction ends; purses without a row get one, with 0."""
    rows = await holdings.find(connection, names)
    # Read before inserting: nearly all purses exist, and ON CONFLICT would take a number of the sequence, and
    # a write, for each.
    new = [purse for purse in names if purse not in rows]
    await ensure(connection, new)
    if connection.dialect.name == "postgresql":
        return await holdings.find(connection, names, lock=True)
    return rows | await holdings.find(connection, new) if new else rows


async def ensure(connection: AsyncConnection, names: Collection[Purse]) -> None:
    """Insert missing rows of purses, in sorted order so that two processes cannot deadlock."""
    ordered = sorted(names)
    communities = sorted({each.community for each in ordered})
    await execute(
        connection,
        [
            RowWrite(_ADD_COMMUNITY, [{"name": each} for each in communities]),
            RowWrite(_ADD_PURSE, [each._asdict() for each in ordered]),
        ],
    )
