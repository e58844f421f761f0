"""Links two persons, merging their wallets in the same transaction, and unlinks accounts."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Seat
from chatbot.ledger import changes, members
from chatbot.ledger.books import holdings, purses
from chatbot.ledger.books.memory import touched_in
from chatbot.ledger.books.posting import LINKED, Entry, Posting, instalments
from chatbot.ledger.changes import LINK, Change, Changes
from chatbot.ledger.limits import ReceivingLimitReached
from chatbot.ledger.store import schema
from chatbot.ledger.store.people_version import changing
from chatbot.ledger.ties import Tie

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.people import Account, Newcomer, People
    from chatbot.ledger.store.people_version import PeopleChange
    from chatbot.ledger.store.store import Store
    from chatbot.ledger.store.write_queue import Writer

LinkLimits: TypeAlias = "Callable[[AsyncConnection, Collection[str]], Awaitable[Mapping[str, int]]]"
"""Reads by community how many credits a wallet may bring at most; without a number there is no limit."""

IDENTITY = "identity"  # the key of changes of the person whose wallet somebody uses

_purse, _account, _member, _person, _table, _transfer = (
    each.c
    for each in (
        schema.purse, schema.platform_account, schema.member, schema.person, schema.game_table,
        schema.transfer,
    )
)  # fmt: skip
_community = schema.community.c


class LinkConflict(Exception):  # noqa: N818  (an answer, not a fault)
    """The state of the links forbids it: linked already, or not linked. Nothing was written."""


class SeatedTogether(Exception):  # noqa: N818  (an answer, not a fault)
    """Both have a stake at one table, where a person may have only one seat. Nothing was written."""


class Links:
    """The links between persons in a database."""

    def __init__(self, store: Store, people: People) -> None:
        self._store, self._people, self._changes = store, people, Changes(store)

    async def link(
        self,
        change_set: ChangeSet,
        seat: Seat,
        root: Seat,
        limits: LinkLimits | None = None,
        writer: Writer | None = None,
    ) -> ChangeSet | None:
        """Link a person to a root, whose wallet they use from now on; a `writer` has more to write with it.

        `limits` are read in the same transaction, for two links that are made at once must not bring as much
        as is left each. Returns the change set with its changes, or None if it was done before.

        Raises:
            LinkConflict: one of them is linked already, or others are linked to `seat`.
            ReceivingLimitReached: the wallet would bring more.
            SeatedTogether: both have a stake at one open table.
            LostAnswer: it is unknown whether it is done.
        """
        written_set, change = await self._make(
            change_set, partial(_link, change_set=change_set, seat=seat, root=root, limits=limits), writer
        )
        if written_set is not None and change is not None:
            self._people.note(Tie(seat, root, linked=True), change)
        return written_set

    async def unlink(
        self, change_set: ChangeSet, account: Account, writer: Writer | None = None
    ) -> ChangeSet | None:
        """Map an account to a new person with an empty wallet; a `writer` has more to write with it.

        The credits that it brought stay with the linked person, as do its stakes and what tables pay for
        them. Returns the change set with its changes, or None if it was done before.

        Raises:
            LinkConflict: the account is not linked.
            LostAnswer: it is unknown whether it is done.
        """
        old_home = self._people.home(account)
        if not self._people.ties.linked(old_home):
            raise LinkConflict
        newcomer = await self._people.another(account, parted=True)
        written_set, change = await self._make(
            change_set, partial(_unlink, change_set=change_set, old_home=old_home, newcomer=newcomer), writer
        )
        if written_set is not None and change is not None:
            self._people.parted(newcomer, self._people.ties.root(old_home), change)
        return written_set

    async def _make(
        self,
        change_set: ChangeSet,
        work: Callable[[AsyncConnection], Awaitable[ChangeSet | None]],
        writer: Writer | None,
    ) -> tuple[ChangeSet | None, PeopleChange | None]:
        """Write a change set; also return what it has changed, which is not known if its answer was lost."""
        try:
            return await (writer or self._store).write(changing(work))
        except (SQLAlchemyError, OSError) as error:
            # Before asking what became of it, which may fail as well.
            self._people.doubt()
            written_set = await self._changes.look_up(change_set.id, error)
            if written_set is None:
                raise
            with suppress(SQLAlchemyError, OSError):
                await self._people.certain()
            return written_set, None


async def _link(
    connection: AsyncConnection, change_set: ChangeSet, seat: Seat, root: Seat, limits: LinkLimits | None
) -> ChangeSet | None:
    if await changes.known(connection, change_set.id):
        return None
    await _require_free(connection, seat, root)
    balances = Counter(await wallets_held(connection, seat))
    await _require_apart(connection, seat, root)
    holders = await _holders(connection, balances)
    pairs = [((each, str(seat)), (holder, str(root))) for each, holder in holders.items()]
    welcomes = await members.read(connection, pairs)
    postings: list[Posting] = []
    for own, target in pairs:
        welcome_postings = welcomes.settle(own, target, balances[target[0]], change_set.at)
        balances[target[0]] -= sum(entry.credits for posting in welcome_postings for entry in posting.entries)
        postings += welcome_postings
    # After the welcomes are settled: what returns to the mint is not brought along.
    most = {} if limits is None else await limits(connection, {holder for _, (holder, _) in pairs})
    for own, (holder, _) in pairs:
        left = most.get(holder)
        if left is not None and balances[own[0]] > left:
            raise ReceivingLimitReached(left)
    wallet_postings = [
        Posting(
            f"link:{each}:{seat}",
            each,
            change_set.at,
            change_set.actor,
            moving_entries(each, seat, root, balances[each], LINKED),
        )
        for each in sorted(balances)
    ]
    all_changes = (Change(LINK, seat, IDENTITY, None, root), *_link_changes(seat, wallet_postings))
    change_set = replace(change_set, changes=all_changes)
    await changes.do(connection, change_set, (*postings, *wallet_postings))
    await set_root(connection, seat, root)
    await members.follow(connection, seat, root, change_set.at)
    return change_set


async def _unlink(
    connection: AsyncConnection, change_set: ChangeSet, old_home: Seat, newcomer: Newcomer
) -> ChangeSet | None:
    if await changes.known(connection, change_set.id):
        return None
    query = select(_person.id, _person.same_as).where(_person.seat == old_home).with_for_update()
    row = (await connection.execute(query)).one_or_none()
    own = _account.platform == newcomer.account.platform, _account.key == newcomer.account.key
    if row is None or row.same_as is None:
        raise LinkConflict
    person = {"id": newcomer.number, "seat": newcomer.seat, "same_as": None, "parted_from": row.same_as}
    await connection.execute(insert(schema.person).values(person))
    touched_in(connection).everything = True
    remapping = update(schema.platform_account).where(*own, _account.person == row.id)
    if (await connection.execute(remapping.values(person=newcomer.number))).rowcount != 1:
        raise LinkConflict
    await connection.execute(update(schema.member).where(_member.seat == old_home).values(seat=newcomer.seat))
    change_set = replace(change_set, changes=(Change(LINK, newcomer.seat, IDENTITY, row.same_as, None),))
    await changes.do(connection, change_set)
    return change_set


async def wallets_held(connection: AsyncConnection, seat: Seat) -> dict[str, int]:
    """Read and lock the wallets of a person, by community."""
    query = (
        select(_community.name, _purse.balance)
        .join(schema.community, _community.id == _purse.community)
        .where(schema.owned_by([seat]))
        .order_by(_purse.id)
        .with_for_update(of=schema.purse)
    )
    rows = await connection.execute(query)
    return {str(community): int(balance) for community, balance in rows}


def moving_entries(community: str, seat: Seat, root: Seat, credits_: int, why: str) -> tuple[Entry, ...]:
    """Return entries that move credits from a person's wallet to that of another."""
    source, target = (purses.wallet(community, each) for each in (seat, root))
    return tuple(instalments(source, target, credits_, why))


async def set_root(connection: AsyncConnection, seat: Seat, root: Seat) -> None:
    """Link a person, and all who are linked to them, to a root."""
    one = or_(_person.seat == seat, _person.same_as == seat)
    await connection.execute(update(schema.person).where(one).values(same_as=root))
    touched_in(connection).everything = True


def _link_changes(seat: Seat, postings: Sequence[Posting]) -> list[Change]:
    sums = [(each, sum(entry.credits for entry in each.entries)) for each in postings]
    return [
        Change(LINK, seat, each.community, new=str(total), posting=each.id) for each, total in sums if total
    ]


async def _require_free(connection: AsyncConnection, seat: Seat, root: Seat) -> None:
    """Require that neither person is linked, and that no account is linked to `seat`."""
    is_linked = _person.seat.in_([seat, root]) & _person.same_as.is_not(None)
    has_account = select(_account.id).where(_account.person == _person.id, _account.key.is_not(None)).exists()
    conflicts = await connection.execute(
        select(_person.id).where(is_linked | ((_person.same_as == seat) & has_account))
    )
    if seat == root or conflicts.first() is not None:
        raise LinkConflict


async def _require_apart(connection: AsyncConnection, seat: Seat, root: Seat) -> None:
    """Require that no open table has stakes of both.

    Raises:
        SeatedTogether: a table has.
    """
    sides = [await _everyone(connection, each) for each in (seat, root)]
    table_ids = [
        select(_transfer.table_id)
        .join_from(schema.transfer, schema.game_table, _table.id == _transfer.table_id)
        .where(_table.state == "open")
        .where(_transfer.source.in_(select(_purse.id).where(schema.owned_by(seats))))
        for seats in sides
    ]
    both = table_ids[0].where(_transfer.table_id.in_(table_ids[1]))
    if (await connection.execute(both.limit(1))).first() is not None:
        raise SeatedTogether


async def _everyone(connection: AsyncConnection, seat: Seat) -> list[Seat]:
    """List a person and those who are linked to them."""
    one = select(_person.seat).where(_person.same_as == seat)
    return [seat, *map(Seat, (await connection.execute(one)).scalars())]


async def _holders(connection: AsyncConnection, communities: Collection[str]) -> dict[str, str]:
    """Return the communities that hold the wallets of these."""
    unions = await holdings.read(connection, [purses.wallet(each, Seat("")) for each in communities])
    return {each: unions.unions.get(each, each) for each in communities}
