"""What postings become in the tables. Nothing is decided here but the gate of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import Integer, bindparam, exists, update
from sqlalchemy import insert as into

from chatbot.wallets import schema
from chatbot.wallets.columns import Key
from chatbot.wallets.posting import LINKED, Closed, Entry, Exhausted, LedgerError, Opening, Posting, Short
from chatbot.wallets.purses import Purse
from chatbot.wallets.statements import Row, put

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection


End: TypeAlias = Literal["settled", "void"]
Refused: TypeAlias = Short | Exhausted | Closed


_purse = schema.purse.c
_MOVE = (
    update(schema.purse)
    .where(_purse.id == bindparam("row"))
    .values(balance=_purse.balance + bindparam("change"))
)
_INTO = {
    table: into(table)
    for table in (
        schema.posting, schema.refusal, schema.game_table, schema.transfer, schema.journal, schema.step,
        schema.untold,
    )
}  # fmt: skip


_chain, _before = schema.chain.c, schema.game_table.alias("before").c
_TAKE_LINK = (
    update(schema.chain)
    .where(
        _chain.head == bindparam("of_chain", type_=Key),
        _chain.room == bindparam("in_room", type_=Key),
        _chain.sealed.is_not(None),
        _chain.used == bindparam("taken", type_=Integer) - 1,
        ~exists().where(_before.chain == _chain.head, _before.link == _chain.used, _before.state == "open"),
    )
    .values(used=_chain.used + 1)
)


@dataclass(frozen=True, slots=True)
class Written:
    """An accepted posting with all its entries, what they change in all, and the end of its table if any."""

    posting: Posting
    entries: Sequence[Entry]
    changes: Mapping[Purse, int]
    end: End | None


async def write(
    connection: AsyncConnection,
    written: Sequence[Written],
    refused: Sequence[tuple[Posting, Refused]],
    ids: Mapping[Purse, int],
) -> None:
    """Write down what was decided; each kind of row of all postings goes in one statement.

    `ids` are the numbers of the rows of all purses that it touches.

    Raises:
        Closed: a table has passed its gate meanwhile.
        LedgerError: a link of a chain is dealt out of turn.
    """
    postings = [each.posting for each in written]
    await _insert(connection, schema.refusal, [_refusal(*each, ids) for each in refused])
    await _insert(connection, schema.posting, [_posting(each) for each in postings])
    await _insert(connection, schema.game_table, [_table(each) for each in postings if each.opening])
    await _insert(connection, schema.transfer, [row for each in written for row in _transfers(each, ids)])
    await _insert(connection, schema.journal, [row for each in postings for row in _turns(each)])
    await _insert(connection, schema.step, [_step(each) for each in postings if each.turns])
    await put(connection, schema.record, _records(postings))
    await _insert(
        connection, schema.untold, [{"table_id": each.posting.table} for each in written if each.end]
    )
    await _move(connection, written, ids)
    for each in written:
        if each.end is not None:
            await close(connection, each.posting, each.end)
    for opening in (each.opening for each in postings):
        if opening is not None and opening.chain is not None:
            await _take_link(connection, opening)


async def close(connection: AsyncConnection, posting: Posting, end: End) -> None:
    """Pass the gate that every table passes once.

    Raises:
        Closed: somebody else did.
    """
    table = schema.game_table.c
    gate = update(schema.game_table).where(table.id == posting.table, table.state == "open")
    over = gate.values(state=end, closed_at=posting.at, seed=posting.seed)
    if (await connection.execute(over)).rowcount != 1:
        raise Closed(str(posting.table))


async def _take_link(connection: AsyncConnection, opening: Opening) -> None:
    """Deal a link once, after the one before it, and not before the table of that one is over.

    Else somebody could know it already: a link is the hash of the one after it.

    Raises:
        LedgerError: it is not its turn.
    """
    taken = {"of_chain": opening.chain, "in_room": opening.room, "taken": opening.link}
    if (await connection.execute(_TAKE_LINK, taken)).rowcount != 1:
        raise LedgerError(f"link {opening.link} of chain {opening.chain} is not the next in {opening.room!r}")


async def _move(connection: AsyncConnection, written: Sequence[Written], ids: Mapping[Purse, int]) -> None:
    """Change balances, none below what the database's own check allows."""
    changes: Counter[int] = Counter()
    for each in written:
        changes.update({ids[purse]: change for purse, change in each.changes.items()})
    moved = [{"row": row, "change": change} for row, change in sorted(changes.items()) if change]
    if moved:
        await connection.execute(_MOVE, moved)


async def _insert(connection: AsyncConnection, table: Table, values: Sequence[Row]) -> None:
    if values:
        await connection.execute(_INTO[table], list(values))


def _refusal(posting: Posting, refusal: Refused, ids: Mapping[Purse, int]) -> Row:
    kept = {"id": posting.id, "community": posting.community, "created_at": posting.at}
    if isinstance(refusal, Closed):
        return kept | {"kind": "closed", "purse": None, "table_id": refusal.table, "balance": 0}
    # An exhausted mint is short too: its kind says that it is one.
    short = {"purse": ids[refusal.purse], "table_id": None, "balance": refusal.balance}
    return kept | {"kind": "short"} | short


def _posting(posting: Posting) -> Row:
    turns = len(posting.turns)
    return {"id": posting.id, "community": posting.community, "turns": turns, "created_at": posting.at}


def _table(posting: Posting) -> Row:
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


def _transfers(written: Written, ids: Mapping[Purse, int]) -> list[Row]:
    posting = written.posting
    return [
        {
            "posting": posting.id,
            "number": number,
            "community": _community(posting, each),
            "table_id": posting.table,
            "source": ids[each.source],
            "target": ids[each.target],
            "credits": each.credits,
            "why": each.why,
            "actor": posting.actor,
            "created_at": posting.at,
        }
        for number, each in enumerate(written.entries, start=1)
    ]


def _community(posting: Posting, entry: Entry) -> str:
    """Say whose books an entry belongs to: what is carried from one to another is two entries."""
    return entry.source.community if entry.why == LINKED else posting.community


def _turns(posting: Posting) -> list[Row]:
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


def _step(posting: Posting) -> Row:
    first = min(each.turn for each in posting.turns)
    return {
        "posting": posting.id,
        "table_id": posting.table,
        "turn": first,
        "turns": len(posting.turns),
    }


def _records(postings: Sequence[Posting]) -> list[Row]:
    """Take the last of each, in one order, so that two processes cannot wait for each other."""
    newest = {(each.room, each.game, each.seat): each.body for one in postings for each in one.records}
    return [
        {"room": room, "game": game, "seat": seat, "body": body}
        for (room, game, seat), body in sorted(newest.items())
    ]
