"""Erases a person: deletes their accounts and names, so that the remaining data does not identify them.

Their credits are returned to the mint by a posting. Books, journals and proofs are left unchanged, because
they name a person only by a seat, to which no account is mapped any more.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, false, func, or_, select, update

from chatbot.kernel.game import Failure
from chatbot.ledger import changes
from chatbot.ledger.archive import archive
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.posting import Entry, Posting, instalments
from chatbot.ledger.changes import FORGETTING, Change, ChangeSet, Work
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.member_export import FoundPerson
    from chatbot.ledger.store.store import Store

FORGOTTEN = "forget"
"""The reason with which the credits of an erased person leave their wallet; also a prefix of ids."""

OPERATOR = "operator"  # the actor of an erasure

ERASED_NAME = "gone"  # replaces erased names

_TEXT_COLUMNS = ("name", "old", "new", "why")  # columns of a change that may name people
_MEMBER_TABLES = (schema.member, schema.presence, schema.hint)  # tables whose rows belong to one member
_person, _account = schema.person.c, schema.platform_account.c
_table, _journal, _transfer = (each.c for each in (schema.game_table, schema.journal, schema.transfer))


class StillPlaying(Failure):
    """The person is part of an open table."""


@dataclass(frozen=True, slots=True)
class Remains:
    """How much is stored about a person."""

    balances: Mapping[str, int]  # by community
    transfers: int
    tables: int


@dataclass(frozen=True, slots=True)
class _Eraser:
    """Removes the names and accounts of a person from texts and settings."""

    accounts: Sequence[str]
    names: re.Pattern[str] | None

    @classmethod
    def of(cls, person: FoundPerson) -> _Eraser:
        longest_first = sorted(map(re.escape, person.names), key=len, reverse=True)
        names = re.compile(rf"(?:(?<!\w)(?:{'|'.join(longest_first)})(?!\w))", re.IGNORECASE)
        return cls([str(each) for each in person.accounts], names if longest_first else None)

    def without_names(self, text: str) -> str:
        """Remove accounts and names."""
        return (
            self._without_accounts(text)
            if self.names is None
            else self.names.sub(ERASED_NAME, self._without_accounts(text))
        )

    def without_mentions(self, text: str) -> str:
        """Remove accounts, and names after an `@`: other words may only happen to be equal to a name."""
        if self.names is None:
            return self._without_accounts(text)
        return re.sub(
            f"@{self.names.pattern}", f"@{ERASED_NAME}", self._without_accounts(text), flags=re.IGNORECASE
        )

    def without_choices(self, text: str) -> str:
        """Remove the settings, as a JSON object, whose keys name their accounts."""
        chosen = json.loads(text)
        kept = {key: value for key, value in chosen.items() if self._without_accounts(key) == key}
        return text if kept == chosen else json.dumps(kept)

    def _without_accounts(self, text: str) -> str:
        return mentions(self.accounts).sub(ERASED_NAME, text) if self.accounts else text


def mentions(ids: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for ids of accounts or seats that does not match parts of longer ids."""
    longest_first = sorted((re.escape(str(each)) for each in ids), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])")


class Erasure:
    """Erases persons from a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def weigh(self, person: FoundPerson) -> Remains:
        """Return how much is stored about a person.

        Raises:
            StillPlaying: they are part of an open table.
        """
        async with self._store.reading() as connection:
            await _require_idle(connection, person)
            held = await _held(connection, person)
            moved = select(func.count()).select_from(schema.transfer)
            wallets = select(schema.purse.c.id).where(schema.owned_by(person.seats))
            moved = moved.where(or_(_transfer.source.in_(wallets), _transfer.target.in_(wallets)))
            tables = select(func.count(_journal.table_id.distinct()))
            quoted = [f'"{seat}"' for seat in person.seats]
            tables = tables.where(
                _contains_any(_journal.action, quoted) | _contains_any(_journal.purses, quoted)
            )
            counts = [int((await connection.execute(each)).scalar_one()) for each in (moved, tables)]
            counts[1] += len([each async for each in archive.naming(connection, quoted)])
        balances: dict[str, int] = {}
        for wallet, balance in held.items():
            community = wallet.community
            balances[community] = balances.get(community, 0) + balance
        return Remains(balances, *counts)

    async def forget(self, person: FoundPerson, at: datetime) -> None:
        """Erase a person in one transaction.

        Raises:
            StillPlaying: they are part of an open table, or their credits have moved meanwhile.
        """
        await self._store.write(partial(_forget, person=person, at=at))


async def _forget(connection: AsyncConnection, person: FoundPerson, at: datetime) -> None:
    await _require_idle(connection, person)
    places = await _rooms_of(connection, person)
    await _return_credits(connection, person, at)
    for table in _MEMBER_TABLES:
        await connection.execute(delete(table).where(table.c.seat.in_(person.seats)))
    theirs = select(_person.id).where(_person.seat.in_(person.seats))
    await connection.execute(delete(schema.platform_account).where(_account.person.in_(theirs)))
    place = update(schema.season_place).where(schema.season_place.c.seat.in_(person.seats))
    await connection.execute(place.values(name=ERASED_NAME))
    eraser = _Eraser.of(person)
    await _erase_changes(connection, person, eraser)
    await _erase_choices(connection, eraser)
    await _note(connection, places, at)


async def _require_idle(connection: AsyncConnection, person: FoundPerson) -> None:
    tables = select(_table.id, _table.room, _table.game).where(_table.state == "open")
    mentioned = mentions(person.seats)
    for table, room, game in (await connection.execute(tables)).all():
        rows = select(_journal.action, _journal.purses).where(_journal.table_id == table)
        texts = [text for row in await connection.execute(rows) for text in row]
        moved = await holdings.entries(connection, _transfer.table_id == table)
        staked = {purse.owner for each in moved for purse in (each.source, each.target)}
        if not staked.isdisjoint(person.seats) or any(map(mentioned.search, texts)):
            raise StillPlaying(
                f"They still sit at {game} in {room} (table {table}); end it first, or call it off."
            )


async def _held(connection: AsyncConnection, person: FoundPerson) -> dict[Purse, int]:
    row = schema.purse.c
    wallets = select(row.id, row.balance).where(schema.owned_by(person.seats))
    found = {number: balance for number, balance in await connection.execute(wallets)}  # noqa: C416
    names = await holdings.named(connection, found)
    return {names[number]: balance for number, balance in found.items()}


async def _return_credits(connection: AsyncConnection, person: FoundPerson, at: datetime) -> None:
    """Return the credits of all wallets of a person to the mints."""
    number = secrets.token_hex(16)
    for part, (wallet, balance) in enumerate(sorted((await _held(connection, person)).items()), 1):
        community = wallet.community
        entries: tuple[Entry, ...] = tuple(instalments(wallet, purses.mint(community), balance, FORGOTTEN))
        posting = Posting(f"{FORGOTTEN}:{number}:{part}", community, at, OPERATOR, entries)
        if entries and await posting_writer.write(connection, [posting]) != [True]:
            raise StillPlaying("Their credits have moved meanwhile, so nothing was done; try again.")


async def _rooms_of(connection: AsyncConnection, person: FoundPerson) -> list[tuple[str, str]]:
    """List the rooms of their communities as pairs; a community without rooms has an empty one."""
    member, place = schema.member.c, schema.place.c
    met = select(member.community).where(member.seat.in_(person.seats)).distinct()
    wallets = {each.community for each in await _held(connection, person)}
    known = wallets | set((await connection.execute(met)).scalars())
    rows = await connection.execute(select(place.room, place.community).where(place.community.in_(known)))
    rooms = [(room, community) for room, community in rows]
    return sorted([*rooms, *(("", each) for each in known - {community for _, community in rooms})])


async def _note(connection: AsyncConnection, places: Sequence[tuple[str, str]], at: datetime) -> None:
    """Record in each room that somebody was erased, without saying who."""
    number, change = secrets.token_hex(16), Change(FORGETTING, "member")
    for part, (room, community) in enumerate(places, 1):
        change_set = ChangeSet(
            f"change-set:{FORGOTTEN}:{number}:{part}", room, community, at, OPERATOR, OPERATOR, (change,)
        )
        await changes.do(connection, change_set, Work())


async def _erase_changes(connection: AsyncConnection, person: FoundPerson, eraser: _Eraser) -> None:
    """Remove their names from all changes, whoever has made these."""
    table = schema.change
    written = [table.c[name] for name in _TEXT_COLUMNS]
    # Any mention is read: SQLite compares only ASCII letters regardless of case.
    sought = [*eraser.accounts, *(["@"] if person.names else [])]
    about = table.c.actor.in_(person.seats) | table.c.subject.in_([*person.seats, *eraser.accounts])
    named = or_(about, table.c.key.in_(eraser.accounts), *(_contains_any(each, sought) for each in written))
    for row in (await connection.execute(select(table, about.label("theirs")).where(named))).mappings().all():
        texts = {name: row[name] for name in (*_TEXT_COLUMNS, "subject", "key") if row[name] is not None}
        clean = (
            eraser.without_names
            if row["theirs"] or row["key"] in eraser.accounts
            else eraser.without_mentions
        )
        fresh = {name: clean(text) for name, text in texts.items() if clean(text) != text}
        if row["actor"] in person.seats:
            fresh["name"] = ERASED_NAME
        if fresh:
            same = table.c.number == row["number"]
            await connection.execute(update(table).where(same).values(fresh))


async def _erase_choices(connection: AsyncConnection, eraser: _Eraser) -> None:
    """Remove the settings that moderators have made for them, whose keys are accounts."""
    table = schema.preference
    wanted = select(table).where(_contains_any(table.c.body, eraser.accounts))
    for row in (await connection.execute(wanted)).mappings().all():
        fresh = eraser.without_choices(row["body"])
        if fresh != row["body"]:
            same = [key == row[key.name] for key in table.primary_key.columns]
            await connection.execute(update(table).where(*same).values(body=fresh))


def _contains_any(column: ColumnElement[str], sought: Sequence[str]) -> ColumnElement[bool]:
    return or_(false(), *(column.icontains(text, autoescape=True) for text in sought))
