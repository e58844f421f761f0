"""Erases a person: deletes their accounts and names, so that the remaining data does not identify them.

Their credits are returned to the mint by a posting. Books, journals and proofs are left unchanged, because
they name a person only by a seat, to which no account is mapped any more.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, false, func, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Failure
from chatbot.ledger import changes, named_words
from chatbot.ledger.archive import archive
from chatbot.ledger.books import holdings, posting_writer, purses
from chatbot.ledger.books.posting import Entry, Posting, instalments
from chatbot.ledger.changes import FORGETTING, OPERATOR, Change, ChangeSet
from chatbot.ledger.named_words import ERASED_NAME, Eraser, NamedWords, mentions
from chatbot.ledger.store import people_version, schema
from chatbot.ledger.store.engines import reason

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.member_export import FoundPerson
    from chatbot.ledger.store.store import Store

FORGOTTEN = "forget"
"""The reason with which the credits of an erased person leave their wallet; also a prefix of ids."""


# Tables whose rows belong to one member.
_MEMBER_TABLES = schema.member, schema.presence, schema.hint, schema.hidden_member
_LOGIN_TABLES = (
    schema.web_session,
    schema.one_time_link,
    schema.one_time_code,
    schema.code_try,
    schema.web_role,
    schema.web_key,
    schema.api_token,
    schema.webhook,
)
_person, _account = schema.person.c, schema.platform_account.c
_table, _journal, _transfer = (each.c for each in (schema.game_table, schema.journal, schema.transfer))


class NotOverwritten(Failure):
    """A person was erased, but the database has not overwritten what it deleted."""


class StillPlaying(Failure):
    """The person is part of an open table."""


@dataclass(frozen=True, slots=True)
class Remains:
    """How much is stored about a person."""

    balances: Mapping[str, int]  # by community
    transfers: int
    tables: int
    words: NamedWords = field(default_factory=NamedWords)  # of others


class Erasure:
    """Erases persons from a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def weigh(self, person: FoundPerson, *, only_mentions: bool = False) -> Remains:
        """Return how much is stored about a person, and what is changed and left in the words of others.

        Raises:
            StillPlaying: they are part of an open table.
        """
        async with self._store.reading() as connection:
            await _require_idle(connection, person)
            wallet_balances = await _balances(connection, person)
            transfers = select(func.count()).select_from(schema.transfer)
            wallets = select(schema.purse.c.id).where(schema.owned_by(person.seats))
            transfers = transfers.where(or_(_transfer.source.in_(wallets), _transfer.target.in_(wallets)))
            tables = select(func.count(_journal.table_id.distinct()))
            quoted_seats = [f'"{seat}"' for seat in person.seats]
            tables = tables.where(
                _contains_any(_journal.action, quoted_seats) | _contains_any(_journal.purses, quoted_seats)
            )
            counts = [int((await connection.execute(each)).scalar_one()) for each in (transfers, tables)]
            eraser = Eraser.of(person, only_mentions=only_mentions)
            words = await named_words.search(connection, person, eraser)
            counts[1] += len([each async for each in archive.naming(connection, quoted_seats)])
        balances: dict[str, int] = {}
        for wallet, balance in wallet_balances.items():
            community = wallet.community
            balances[community] = balances.get(community, 0) + balance
        return Remains(balances, counts[0], counts[1], words)

    async def forget(self, person: FoundPerson, at: datetime, *, only_mentions: bool = False) -> None:
        """Erase a person in one transaction, and then have the database overwrite what it has deleted.

        Raises:
            StillPlaying: they are part of an open table, or their credits have moved meanwhile.
            NotOverwritten: they are erased, but remains are in the files of the database, as on a full disk.
        """
        eraser = Eraser.of(person, only_mentions=only_mentions)
        # Two steps, because VACUUM runs in no transaction.
        await self._store.write(partial(_forget, person=person, eraser=eraser, at=at))
        try:
            await self._store.overwrite_deleted()
        except (SQLAlchemyError, OSError, sqlite3.Error) as error:
            raise NotOverwritten(
                "They are forgotten, but the file of the database still holds remains of what was deleted "
                f"({reason(error)}). Free as much space as it takes, and run VACUUM on it."
            ) from error


async def _forget(connection: AsyncConnection, person: FoundPerson, eraser: Eraser, at: datetime) -> None:
    await people_version.lock(connection)
    await _require_idle(connection, person)
    # Before the rows are deleted from which the rooms are known.
    places = await _rooms_of(connection, person)
    await _return_credits(connection, person, at)
    for table in _MEMBER_TABLES:
        await connection.execute(delete(table).where(table.c.seat.in_(person.seats)))
    person_ids = select(_person.id).where(_person.seat.in_(person.seats))
    await _forget_logins(connection, person_ids)
    await connection.execute(delete(schema.platform_account).where(_account.person.in_(person_ids)))
    places_update = update(schema.season_place).where(schema.season_place.c.seat.in_(person.seats))
    await connection.execute(places_update.values(name=ERASED_NAME))
    await named_words.write(connection, await named_words.search(connection, person, eraser))
    await _note(connection, places, at)


async def _forget_logins(connection: AsyncConnection, person_ids: Select[tuple[int]]) -> None:
    """Log the accounts of a person out everywhere, and end the tokens and hooks that they have made.

    What programs were answered and what waits for webhooks may name them, and is told to nobody again.
    """
    await connection.execute(update(schema.api_answer).values(body=None))
    await connection.execute(delete(schema.webhook_delivery))
    query = select(_account.platform, _account.key).where(_account.person.in_(person_ids))
    for row in (await connection.execute(query)).all():
        for table in _LOGIN_TABLES:
            theirs = table.c.platform == row.platform, table.c.account == row.key
            await connection.execute(delete(table).where(*theirs))


async def _require_idle(connection: AsyncConnection, person: FoundPerson) -> None:
    tables = select(_table.id, _table.room, _table.game).where(_table.state == "open")
    pattern = mentions(person.seats)
    for table, room, game in (await connection.execute(tables)).all():
        rows = select(_journal.action, _journal.purses).where(_journal.table_id == table)
        texts = [text for row in await connection.execute(rows) for text in row]
        entries = await holdings.entries(connection, _transfer.table_id == table)
        owners = {purse.owner for each in entries for purse in (each.source, each.target)}
        if not owners.isdisjoint(person.seats) or any(map(pattern.search, texts)):
            raise StillPlaying(
                f"They still sit at {game} in {room} (table {table}); end it first, or call it off."
            )


async def _balances(connection: AsyncConnection, person: FoundPerson) -> dict[Purse, int]:
    row = schema.purse.c
    wallets = select(row.id, row.balance).where(schema.owned_by(person.seats))
    balances = {number: balance for number, balance in await connection.execute(wallets)}  # noqa: C416
    names = await holdings.named(connection, balances)
    return {names[number]: balance for number, balance in balances.items()}


async def _return_credits(connection: AsyncConnection, person: FoundPerson, at: datetime) -> None:
    """Return the credits of all wallets of a person to the mints."""
    number = secrets.token_hex(16)
    for part, (wallet, balance) in enumerate(sorted((await _balances(connection, person)).items()), 1):
        community = wallet.community
        entries: tuple[Entry, ...] = tuple(instalments(wallet, purses.mint(community), balance, FORGOTTEN))
        posting = Posting(f"{FORGOTTEN}:{number}:{part}", community, at, OPERATOR, entries)
        if entries and await posting_writer.write(connection, [posting]) != [True]:
            raise StillPlaying("Their credits have moved meanwhile, so nothing was done; try again.")


async def _rooms_of(connection: AsyncConnection, person: FoundPerson) -> list[tuple[str, str]]:
    """List the rooms of their communities as pairs; a community without rooms has an empty one."""
    member, place = schema.member.c, schema.place.c
    query = select(member.community).where(member.seat.in_(person.seats)).distinct()
    wallets = {each.community for each in await _balances(connection, person)}
    communities = wallets | set((await connection.execute(query)).scalars())
    rows = await connection.execute(
        select(place.room, place.community).where(place.community.in_(communities))
    )
    rooms = [(room, community) for room, community in rows]
    return sorted([*rooms, *(("", each) for each in communities - {community for _, community in rooms})])


async def _note(connection: AsyncConnection, places: Sequence[tuple[str, str]], at: datetime) -> None:
    """Record in each room that somebody was erased, without saying who."""
    number, change = secrets.token_hex(16), Change(FORGETTING, "member")
    for part, (room, community) in enumerate(places, 1):
        change_set = ChangeSet(
            f"change-set:{FORGOTTEN}:{number}:{part}", room, community, at, OPERATOR, OPERATOR, (change,)
        )
        await changes.do(connection, change_set)


def _contains_any(column: ColumnElement[str], texts: Sequence[str]) -> ColumnElement[bool]:
    return or_(false(), *(column.icontains(text, autoescape=True) for text in texts))
