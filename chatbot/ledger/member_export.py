"""Finds the person of an account or name on the command line, and exports everything stored about them."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from chatbot.kernel.game import Failure, Seat
from chatbot.ledger import people
from chatbot.ledger.archive import archive
from chatbot.ledger.archive.archive import ARCHIVED
from chatbot.ledger.books import holdings
from chatbot.ledger.imports import placeholders
from chatbot.ledger.named_words import mentions
from chatbot.ledger.people import Account, People
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import ColumnValues, Values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, RowMapping, Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store

EXPORT_FORMAT = "rabble-member-1"

_SEATED = {  # tables with rows of one seat, by their names in the export
    "names": schema.member,
    "presence": schema.presence,
    "records": schema.record,
    "former_records": schema.season_record,
    "season_places": schema.season_place,
    "hints": schema.hint,
    "hidden": schema.hidden_member,
    "vouchers": schema.voucher,
}
_member, _purse, _transfer, _journal, _table = (
    each.c for each in (schema.member, schema.purse, schema.transfer, schema.journal, schema.game_table)
)


class PersonUnknown(Failure):
    """No person, or more than one, was found; the message says which."""


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person: all their seats, the accounts that are linked now, and all their names."""

    seats: tuple[Seat, ...]
    accounts: tuple[Account, ...]
    names: tuple[str, ...]


class Persons:
    """Finds persons in a database."""

    def __init__(self, store: Store) -> None:
        self._store, self._people = store, People(store)

    async def find(self, text: str, community: str | None = None) -> FoundPerson:
        """Find a person by an account, such as `twitch:42`, or by a name that only one person has.

        `community` restricts the search by name. A login for which imported credits wait is found by its
        name too, or with its platform, where no member is called so.

        Raises:
            PersonUnknown: there is no such person, or more than one.
        """
        await self._people.load()
        seats = await self._seats(text.removeprefix("@"), community)
        roots = sorted({self._people.ties.root(seat) for seat in seats})
        if not roots:
            where = community or "this database"
            raise PersonUnknown(f"There is no member {text!r} in {where}, nor a table of that name.")
        await self._people.learn(roots)
        if len(roots) > 1:
            choices = ", ".join(sorted(await self._accounts_or_logins(roots)))
            raise PersonUnknown(f"Several members are called {text!r}; say which: {choices}.")
        return await self._of(roots[0])

    async def _seats(self, text: str, community: str | None) -> list[Seat]:
        async with self._store.reading() as connection:
            if ":" in text:
                with suppress(ValueError):
                    account, login = Account.read(text), Account.read(text.casefold())
                    homes = await people.homes(connection, [account])
                    return list((homes or await placeholders.find(connection, [login])).values())
                return []
            query = select(_member.seat).where(_member.folded == text.casefold()).distinct()
            if community is not None:
                query = query.where(_member.community == community)
            seats = [Seat(each) for each in (await connection.execute(query)).scalars()]
            return seats or await placeholders.waiting_for(connection, text.casefold(), community)

    async def _accounts_or_logins(self, roots: Sequence[Seat]) -> list[str]:
        """Return one account of each, or the login of whoever has none yet."""
        async with self._store.reading() as connection:
            logins = await placeholders.logins_of(connection, roots)
        accounts = [next(iter(self._people.accounts(seat)), logins.get(seat)) for seat in roots]
        return [str(each) for each in accounts if each is not None]

    async def _of(self, root: Seat) -> FoundPerson:
        seats = (root, *self._people.ties.seats(root))
        accounts = tuple(self._people.accounts(root))
        async with self._store.reading() as connection:
            logins = (await placeholders.logins_of(connection, seats)).values()
            names = await _names(connection, seats)
        return FoundPerson(seats, accounts, tuple(sorted({*names, *(each.key for each in logins)})))


async def _names(connection: AsyncConnection, seats: Sequence[Seat]) -> set[str]:
    """Return all present and former names that are stored of a person."""
    place, change = schema.season_place.c, schema.change.c
    queries = (
        select(_member.name).where(_member.seat.in_(seats)),
        select(place.name).where(place.seat.in_(seats)),
        select(change.name).where(change.actor.in_(seats)),
    )
    return {
        name for each in queries for name in (await connection.execute(each.distinct())).scalars() if name
    }


class MemberExport:
    """Exports what a database stores about persons."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, person: FoundPerson, community: str | None = None) -> Values:
        """Return everything that is stored about a person, from one snapshot, for JSON.

        `community` leaves out rows of other communities.
        """
        seats = person.seats
        async with self._store.reading() as connection:
            sections = {
                name: await _rows(connection, table, table.c.seat.in_(seats))
                for name, table in _SEATED.items()
            }
            sections["persons"] = await _rows(connection, schema.person, schema.person.c.seat.in_(seats))
            persons = [each["id"] for each in sections["persons"]]
            of_persons = schema.platform_account.c.person.in_(persons)
            sections["accounts"] = await _rows(connection, schema.platform_account, of_persons)
            sections["wallets"] = await _wallets(connection, seats)
            sections["movements"] = await _movements(connection, seats)
            sections["actions"] = await _actions(connection, seats)
            await _add_archived(connection, seats, sections)
            sections["changes"] = await _changes(connection, person)
            sections["settings"] = await _settings(connection, person)
        export = {name: [each for each in rows if _of(each, community)] for name, rows in sections.items()}
        return {"format": EXPORT_FORMAT, "seats": list(seats), **export}


async def _rows(connection: AsyncConnection, table: Table, *where: ColumnElement[bool]) -> list[Values]:
    query = select(table).where(*where)
    ordered = query.order_by(*(table.c[name] for name in ("created_at", "at") if name in table.c))
    rows = await connection.execute(ordered.order_by(*table.primary_key.columns))
    return [_plain(row) for row in rows.mappings()]


async def _wallets(connection: AsyncConnection, seats: Sequence[Seat]) -> list[Values]:
    rows = (await connection.execute(select(_purse.id, _purse.balance).where(schema.owned_by(seats)))).all()
    names = await holdings.named(connection, [row.id for row in rows])
    balances = {names[row.id]: row.balance for row in rows}
    return [
        {"purse": str(purse), "community": purse.community, "seat": purse.owner, "balance": balances[purse]}
        for purse in sorted(balances)
    ]


async def _movements(connection: AsyncConnection, seats: Sequence[Seat]) -> list[Values]:
    """List their transfers, without those carried forward: archived ones are added one by one."""
    wallets = select(_purse.id).where(schema.owned_by(seats))
    own = or_(_transfer.source.in_(wallets), _transfer.target.in_(wallets))
    rows = await _rows(connection, schema.transfer, own, _transfer.why != ARCHIVED)
    names = await holdings.named(connection, [row[side] for row in rows for side in ("source", "target")])
    for row in rows:
        del row["id"]  # archived ones have none
        row |= {side: str(names[row[side]]) for side in ("source", "target")}
    return rows


async def _actions(connection: AsyncConnection, seats: Sequence[Seat]) -> list[Values]:
    """List their actions at tables, without those of other members."""
    own = or_(*(_journal.action.contains(f'"seat":"{seat}"', autoescape=True) for seat in seats))
    fields = _journal.table_id, _journal.turn, _journal.action, _journal.at
    about = _table.room, _table.community, _table.game
    query = select(*fields, *about).join(schema.game_table, _table.id == _journal.table_id).where(own)
    rows = await connection.execute(query.order_by(_journal.at, _journal.table_id, _journal.turn))
    return [{**_plain(row), "action": json.loads(row["action"])} for row in rows.mappings()]


async def _add_archived(
    connection: AsyncConnection, seats: Sequence[Seat], sections: dict[str, list[Values]]
) -> None:
    """Add their transfers and actions at archived tables, and sort all by time."""
    fragments = [f'"seat":"{seat}"' for seat in seats]
    async for each in archive.naming(connection, seats):
        sections["movements"] += [
            _plain(
                transfer._asdict()
                | {"source": str(transfer.source), "target": str(transfer.target)}
                | {"created_at": archive.moment(transfer.created_at)}
            )
            for transfer in each.table_rows.transfers
            if {transfer.source.owner, transfer.target.owner} & {*seats}
        ]
        about = {"room": each.room, "community": each.head.community, "game": each.game}
        sections["actions"] += [
            {
                **_plain({"table_id": turn.table_id, "turn": turn.turn, "at": archive.moment(turn.at)}),
                **about,
                "action": json.loads(turn.action),
            }
            for turn in each.table_rows.turns
            if any(fragment in turn.action for fragment in fragments)
        ]
    sections["movements"].sort(key=lambda each: (each["created_at"], each["posting"], each["number"]))
    sections["actions"].sort(key=lambda each: (each["at"], each["table_id"], each["turn"]))


async def _changes(connection: AsyncConnection, person: FoundPerson) -> list[Values]:
    row, ids = schema.change.c, [*person.seats, *map(str, person.accounts)]
    columns = row.actor, row.subject, row.key, row.old, row.new, row.why
    condition = or_(*(each.contains(text, autoescape=True) for each in columns for text in ids))
    exact = mentions(ids)
    rows = await _rows(connection, schema.change, condition)
    return [each for each in rows if any(exact.search(str(each[column.name])) for column in columns)]


async def _settings(connection: AsyncConnection, person: FoundPerson) -> list[Values]:
    row, ids = schema.preference.c, [*person.seats, *map(str, person.accounts)]
    condition = or_(*(row.body.contains(text, autoescape=True) for text in ids))
    settings, exact = list[Values](), mentions(ids)
    for each in await _rows(connection, schema.preference, condition):
        values = {key: value for key, value in json.loads(each["body"]).items() if exact.search(key)}
        settings += [{"of": each["room"], "group": each["game"], "values": values}] if values else []
    return settings


def _plain(row: Mapping[str, object] | RowMapping) -> Values:
    return {
        str(name): value.isoformat() if hasattr(value, "isoformat") else value for name, value in row.items()
    }


def _of(row: ColumnValues, community: str | None) -> bool:
    return community is None or row.get("community", community) == community
