"""Reads what was made out of nothing, by reason and receiver, and how busy a community is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import distinct, func, select, union

from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import Sum, combine_sums
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.posting import MORE, more
from chatbot.ledger.books.purses import PERSON
from chatbot.ledger.changes import CONFIRMED, RAISED, REWARD, SETTING
from chatbot.ledger.store import schema
from chatbot.ledger.store.statements import batches
from chatbot.ledger.vouchers import VOUCHER, VoucherState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

EXEMPT = "broadcaster"
"""The key of a raise, and of its confirmation, by a broadcaster: it reaches them at once."""

_change, _member, _presence, _purse, _reward, _table, _transfer, _voucher = (
    each.c
    for each in (
        schema.change, schema.member, schema.presence, schema.purse, schema.reward, schema.game_table,
        schema.transfer, schema.voucher,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """Credits that were made, and by the person who got them, the most first."""

    credits: int = 0
    receivers: tuple[tuple[Seat, int], ...] = ()
    others: int = 0  # receivers of less who are not listed, as of an import


@dataclass(frozen=True, slots=True)
class Bustle:
    """How busy a community was since some time ago.

    `members` were seen or paid; `roles` counts the roles that were seen last of those who were seen.
    `payments` counts payments by reason, and `everyone` all wallets of people.
    """

    members: int = 0
    everyone: int = 0
    roles: Mapping[str, int] = field(default_factory=dict)
    payments: Mapping[str, int] = field(default_factory=dict)
    staked: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by room and game
    tables: Mapping[tuple[str, str], int] = field(default_factory=dict)
    vouchers: int = 0  # credits


@dataclass(frozen=True, slots=True)
class Raise:
    """A change that makes more than what ships, by a keeper: the settings as they were, by group and key.

    `by` made or confirmed it; None as a former value is the default.
    """

    by: str
    before: Mapping[str, Mapping[str, str | None]]


class Minted:
    """What was made out of nothing in a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def bustle(self, communities: Collection[str], holder: str, since: datetime) -> Bustle:
        """Return how busy united communities were; `holder` is the one that holds their wallets."""
        async with self._store.reading() as connection:
            mints = await _mints(connection, communities)
            query = select(
                _transfer.why, func.count().label("number"), *Sum.of(_transfer.credits).named("total")
            ).where(_transfer.source.in_(mints), _transfer.created_at >= since)
            rows = [
                combine_sums(each)
                for each in (await connection.execute(query.group_by(_transfer.why))).mappings()
            ]
            payments = {str(each["why"]): int(each["number"]) for each in rows}
            vouchers = sum(int(each["total"]) for each in rows if each["why"] == VOUCHER)
            stakes, tables = await _stakes_and_tables(connection, communities, since)
            return Bustle(
                members=await _active(connection, communities, mints, since),
                everyone=await _wallets(connection, holder),
                roles=await _roles(connection, communities, since),
                payments=payments,
                staked=stakes,
                tables=tables,
                vouchers=vouchers,
            )

    async def incomes(
        self, wallets: Collection[Purse], reasons: Collection[str], since: datetime, until: datetime
    ) -> dict[Purse, tuple[int, int]]:
        """Return what each wallet got for reasons in a time, as it ships and beyond that."""
        incomes = dict.fromkeys(wallets, (0, 0))
        all_reasons = [*reasons, *map(more, reasons)]
        async with self._store.reading() as connection:
            rows = {row.id: purse for purse, row in (await holdings.find(connection, incomes)).items()}
            for some in batches(rows):
                query = (
                    select(_transfer.target, _transfer.why, *Sum.of(_transfer.credits).named("total"))
                    .where(_transfer.target.in_(some), _transfer.why.in_(all_reasons))
                    .where(_transfer.created_at >= since, _transfer.created_at < until)
                    .group_by(_transfer.target, _transfer.why)
                )
                for each in map(combine_sums, (await connection.execute(query)).mappings()):
                    usual, beyond = incomes[rows[each["target"]]]
                    total, is_more = int(each["total"]), str(each["why"]).endswith(MORE)
                    sums = (usual, beyond + total) if is_more else (usual + total, beyond)
                    incomes[rows[each["target"]]] = sums
        return incomes

    async def above(self, holder: str, amount: int) -> int:
        """Return what the wallets of people hold above an amount, all together."""
        over = _purse.community == schema.community_of(holder), _purse.kind == PERSON
        query = select(*Sum.of(_purse.balance - amount).named("over")).where(*over, _purse.balance > amount)
        async with self._store.reading() as connection:
            return int(combine_sums((await connection.execute(query)).mappings().one())["over"])

    async def paid(
        self, communities: Collection[str], reasons: Collection[str], since: datetime, until: datetime | None
    ) -> Made:
        """Return what the mints of united communities have paid for some reasons.

        What went into no wallet counts for the person whom the posting names. The moment `until` counts too,
        here and below: of a payment and a change in the same millisecond it is unknown which was first.
        """
        async with self._store.reading() as connection:
            mints = await _mints(connection, communities)
            query = (
                select(_transfer.target, _transfer.actor, *Sum.of(_transfer.credits).named("total"))
                .where(_transfer.source.in_(mints), _transfer.why.in_(list(reasons)))
                .where(_transfer.created_at >= since)
                .group_by(_transfer.target, _transfer.actor)
            )
            if until is not None:
                query = query.where(_transfer.created_at <= until)
            rows = [combine_sums(each) for each in (await connection.execute(query)).mappings()]
            names = await holdings.named(connection, [each["target"] for each in rows])
        totals: Counter[str] = Counter()
        for each in rows:
            target = names[each["target"]]
            totals[target.owner if target.kind == PERSON else str(each["actor"])] += int(each["total"])
        return _sum_up(totals)

    async def won(self, room: str, game: str, since: datetime, until: datetime | None) -> Made:
        """Return what people have won of the house and the mint at the tables of a game in a room.

        Tables that were opened from `since` to `until`, both included, count, but not archived ones.
        """
        tables = [_table.room == room, _table.game == game, _table.opened_at >= since]
        if until is not None:
            tables.append(_table.opened_at <= until)
        totals: Counter[str] = Counter()
        async with self._store.reading() as connection:
            for side, sign in ((_transfer.target, 1), (_transfer.source, -1)):
                query = (
                    select(_purse.owner, *Sum.of(_transfer.credits).named("total"))
                    .join_from(schema.transfer, schema.game_table, _transfer.table_id == _table.id)
                    .join(schema.purse, _purse.id == side)
                    .where(*tables, _purse.kind == PERSON, _transfer.why != VOUCHER)
                    .group_by(_purse.owner)
                )
                for each in (await connection.execute(query)).mappings():
                    row = combine_sums(each)
                    totals[str(row["owner"])] += sign * int(row["total"])
        return Made(max(sum(totals.values()), 0), _sum_up(+totals).receivers)

    async def bought(self, reward: str, since: datetime, until: datetime | None) -> Made:
        """Return what the stakes that a reward has bought have made, without those that were returned."""
        query = (
            select(_voucher.seat, *Sum.of(_voucher.credits).named("total"))
            .where(_voucher.source.contains(reward, autoescape=True), _voucher.created_at >= since)
            .where(_voucher.state != VoucherState.RETURNED.value)
            .group_by(_voucher.seat)
        )
        if until is not None:
            query = query.where(_voucher.created_at <= until)
        async with self._store.reading() as connection:
            rows = [combine_sums(each) for each in (await connection.execute(query)).mappings()]
        return _sum_up(Counter({str(each["seat"]): int(each["total"]) for each in rows}))

    async def rewards(self, communities: Collection[str]) -> dict[str, str]:
        """Return what the rewards of communities cost, stake and wait, as `SoldReward.text`, by id."""
        query = (
            select(_change.key, _change.new)
            .where(_change.kind == REWARD, _change.community.in_(communities), _change.key != "")
            .order_by(_change.number)
        )
        async with self._store.reading() as connection:
            reward_ids = set((await connection.execute(select(_reward.id))).scalars())
            rows = (await connection.execute(query)).all()
        return {key: new for key, new in rows if key in reward_ids and new}

    async def raises(self, communities: Collection[str], since: datetime, until: datetime) -> list[Raise]:
        """List the raises of a time that do not reach whoever made or confirmed them, oldest first."""
        span = _change.at >= since, _change.at < until
        change_sets = select(_change.change_set).where(
            _change.kind == RAISED, _change.community.in_(communities), *span
        )
        query = select(schema.change).where(_change.change_set.in_(change_sets)).order_by(_change.number)
        settings: dict[str, dict[str, dict[str, str | None]]] = {}
        keepers: dict[str, list[str]] = {}
        async with self._store.reading() as connection:
            for row in await connection.execute(query):
                before, own = settings.setdefault(row.change_set, {}), keepers.setdefault(row.change_set, [])
                if row.kind == SETTING:
                    before.setdefault(row.subject, {})[row.key] = row.old
                elif row.kind in {RAISED, CONFIRMED} and row.key != EXEMPT:
                    own.append(row.subject if row.kind == CONFIRMED else row.actor)
        return [Raise(by, settings[each]) for each, some in keepers.items() for by in some]


async def _mints(connection: AsyncConnection, communities: Collection[str]) -> list[int]:
    rows = await holdings.find(connection, [purses.mint(each) for each in communities])
    return [each.id for each in rows.values()]


async def _active(
    connection: AsyncConnection, communities: Collection[str], mints: Collection[int], since: datetime
) -> int:
    """Count the members who were seen, or paid by the mint."""
    seen_members = select(_member.seat).where(_member.community.in_(communities), _member.seen_at >= since)
    paid_members = (
        select(_purse.owner)
        .join_from(schema.transfer, schema.purse, _purse.id == _transfer.target)
        .where(_transfer.source.in_(mints), _transfer.created_at >= since, _purse.kind == PERSON)
    )
    both = union(seen_members, paid_members).subquery()
    return int((await connection.execute(select(func.count()).select_from(both))).scalar_one())


async def _roles(
    connection: AsyncConnection, communities: Collection[str], since: datetime
) -> dict[str, int]:
    """Count the roles with which those who were seen were seen last."""
    query = (
        select(_presence.roles, func.count(distinct(_presence.seat)))
        .join_from(
            schema.presence,
            schema.member,
            (_member.seat == _presence.seat) & (_member.community == _presence.community),
        )
        .where(_presence.community.in_(communities), _member.seen_at >= since)
        .group_by(_presence.roles)
    )
    counts: Counter[str] = Counter()
    for roles, count in await connection.execute(query):
        for each in filter(None, roles.split(",")):
            counts[each] += int(count)
    return dict(counts)


async def _wallets(connection: AsyncConnection, holder: str) -> int:
    own = _purse.community == schema.community_of(holder), _purse.kind == PERSON
    return int((await connection.execute(select(func.count()).where(*own))).scalar_one())


async def _stakes_and_tables(
    connection: AsyncConnection, communities: Collection[str], since: datetime
) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]:
    """Return what people have paid at tables, and how many tables there were, by room and game."""
    where = _table.community.in_(communities), _table.opened_at >= since
    table_counts = (
        select(_table.room, _table.game, func.count()).where(*where).group_by(_table.room, _table.game)
    )
    tables = {(room, game): int(count) for room, game, count in await connection.execute(table_counts)}
    stakes = (
        select(_table.room, _table.game, *Sum.of(_transfer.credits).named("total"))
        .join_from(schema.transfer, schema.game_table, _transfer.table_id == _table.id)
        .join(schema.purse, _purse.id == _transfer.source)
        .where(*where, _purse.kind == PERSON)
        .group_by(_table.room, _table.game)
    )
    rows = [combine_sums(each) for each in (await connection.execute(stakes)).mappings()]
    return {(each["room"], each["game"]): int(each["total"]) for each in rows}, tables


def _sum_up(totals: Mapping[str, int]) -> Made:
    ordered = sorted(totals.items(), key=lambda each: (-each[1], each[0]))
    return Made(sum(totals.values()), tuple((Seat(seat), credits_) for seat, credits_ in ordered))


def together(parts: Iterable[Made]) -> Made:
    """Add up what was made in several places."""
    totals: Counter[str] = Counter()
    for each in parts:
        totals.update(dict(each.receivers))
    return _sum_up(totals)
