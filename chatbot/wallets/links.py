"""Makes two seats one person: their wallets become one in the transaction that says so, and part again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, changes, forwarding, schema, welcomes
from chatbot.wallets.changes import LINK, Change, Work
from chatbot.wallets.identities import Tie
from chatbot.wallets.posting import LINKED, Posting, instalments
from chatbot.wallets.statements import put

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.wallets.changes import Deed
    from chatbot.wallets.identities import Identities
    from chatbot.wallets.store import Store

IDENTITY = "identity"  # the key of the change that says whose purse a seat uses

_account, _change, _identity, _transfer = (
    each.c for each in (schema.account, schema.change, schema.identity, schema.transfer)
)


class Entangled(Exception):  # noqa: N818  (an answer, not a fault)
    """A seat is linked already, or others are linked to it. Nothing has happened."""


class Links:
    def __init__(self, store: Store, identities: Identities) -> None:
        self._store, self._identities = store, identities

    async def link(self, deed: Deed, seat: Seat, root: Seat) -> Deed | None:
        """Let a seat use the root's purse from now on; tells what was changed, or None: it was done before.

        Raises:
            Entangled: one of them is somebody else's.
        """
        done = await self._store.write(partial(_link, deed=deed, seat=seat, root=root))
        if done is not None:
            self._identities.note(Tie(seat, root, linked=True))
        return done

    async def unlink(self, deed: Deed, seat: Seat) -> Deed | None:
        """Give a seat its own purse again, with what it brought as far as it is still there.

        Raises:
            Entangled: it is not linked.
        """
        done = await self._store.write(partial(_unlink, deed=deed, seat=seat))
        if done is not None:
            self._identities.note(Tie(seat, self._identities.person(seat), linked=False))
        return done


async def _link(connection: AsyncConnection, deed: Deed, seat: Seat, root: Seat) -> Deed | None:
    if await changes.known(connection, deed.id):
        return None
    await _require_free(connection, seat, root)
    number = 1 + await _count(connection, seat)
    communities = await _communities(connection, seat)
    unions = await forwarding.read(connection, [accounts.wallet(each, Seat("")) for each in communities])
    holders = {each: unions.unions.get(each, each) for each in communities}
    held = await _held(connection, seat, set(holders.values()))
    postings: list[Posting] = []
    pairs = [((each, str(seat)), (holder, str(root))) for each, holder in holders.items()]
    known = await welcomes.read(connection, pairs)
    for own, target in pairs:
        holder = target[0]
        settled = known.settled(own, target, held[holder], deed.at)
        held[holder] -= sum(entry.credits for posting in settled for entry in posting.entries)
        postings += settled
    moved = [_moving("link", each, (seat, root), number, held[each], deed) for each in sorted(held)]
    done = replace(deed, changes=(Change(LINK, seat, IDENTITY, None, root), *_told(seat, moved)))
    await changes.do(connection, done, Work(postings=(*postings, *moved)))
    row = {"seat": seat, "root": root, "linked": 1, "at": deed.at}
    await put(connection, schema.identity, [row])
    return done


async def _unlink(connection: AsyncConnection, deed: Deed, seat: Seat) -> Deed | None:
    if await changes.known(connection, deed.id):
        return None
    free = update(schema.identity).where(_identity.seat == seat, _identity.linked == 1)
    root = (await connection.execute(free.values(linked=0).returning(_identity.root))).scalar_one_or_none()
    if root is None:
        raise Entangled
    number = await _count(connection, seat)
    brought = await _brought(connection, seat, number)
    left = await _left(connection, Seat(root), brought)
    moved = [
        _moving("unlink", each, (Seat(root), seat), number, amount, deed) for each, amount in left.items()
    ]
    done = replace(deed, changes=(Change(LINK, seat, IDENTITY, root, None), *_told(seat, moved)))
    await changes.do(connection, done, Work(postings=moved))
    return done


def _moving(
    what: str, community: str, seats: tuple[Seat, Seat], number: int, credits_: int, deed: Deed
) -> Posting:
    """Make the posting that moves a purse; it goes by the seat that is linked, and by how often it was."""
    source, target = (accounts.wallet(community, each) for each in seats)
    own = seats[0] if what == "link" else seats[1]
    entries = tuple(instalments(source, target, credits_, LINKED))
    return Posting(f"{what}:{community}:{own}:{number}", community, deed.at, deed.actor, entries)


def _told(seat: Seat, moved: Sequence[Posting]) -> list[Change]:
    sums = [(each, sum(entry.credits for entry in each.entries)) for each in moved]
    return [
        Change(LINK, seat, each.community, new=str(total), posting=each.id) for each, total in sums if total
    ]


async def _require_free(connection: AsyncConnection, seat: Seat, root: Seat) -> None:
    """Demand that neither is linked, and that nobody is linked to who is to be."""
    tied = (_identity.seat.in_([seat, root])) | (_identity.root == seat)
    found = await connection.execute(select(_identity.seat).where(tied, _identity.linked == 1))
    if seat == root or found.first() is not None:
        raise Entangled


async def _count(connection: AsyncConnection, seat: Seat) -> int:
    """Count how often a seat was linked."""
    links = _change.kind == LINK, _change.key == IDENTITY, _change.new.is_not(None)
    counted = select(func.count()).where(_change.subject == seat, *links)
    return int((await connection.execute(counted)).scalar_one())


async def _communities(connection: AsyncConnection, seat: Seat) -> list[str]:
    own = _account.id == "wallet:" + _account.community + ":" + seat
    wanted = select(_account.community).where(_account.kind == "wallet", own).order_by(_account.community)
    return list((await connection.execute(wanted)).scalars())


async def _held(connection: AsyncConnection, seat: Seat, communities: Collection[str]) -> dict[str, int]:
    """Read what a seat holds, locked against other processes."""
    names = {accounts.wallet(each, seat): each for each in communities}
    wanted = select(_account.id, _account.balance).where(_account.id.in_(names)).order_by(_account.id)
    found = {name: held for name, held in await connection.execute(wanted.with_for_update())}  # noqa: C416
    return {community: found.get(name, 0) for name, community in names.items()}


async def _brought(connection: AsyncConnection, seat: Seat, number: int) -> Counter[str]:
    """Add up what the present link brought to the root, by community."""
    posted = select(_change.posting).where(
        _change.kind == LINK,
        _change.subject == seat,
        _change.posting.endswith(f":{seat}:{number}", autoescape=True),
    )
    wanted = select(_transfer.community, _transfer.credits).where(_transfer.posting.in_(posted))
    brought: Counter[str] = Counter()
    for community, amount in await connection.execute(wanted.where(_transfer.posting.startswith("link:"))):
        brought[community] += amount
    return brought


async def _left(connection: AsyncConnection, root: Seat, brought: Mapping[str, int]) -> dict[str, int]:
    """Tell how much of it is still there; two communities may have become one meanwhile."""
    names = {each: accounts.wallet(each, root) for each in sorted(brought)}
    ways = await forwarding.read(connection, list(names.values()))
    real = {each: ways.real(name) for each, name in names.items()}
    wanted = select(_account.id, _account.balance).where(_account.id.in_(real.values()))
    rows = await connection.execute(wanted.order_by(_account.id).with_for_update())
    held = Counter({str(name): int(balance) for name, balance in rows})
    left: dict[str, int] = {}
    for community, name in real.items():
        left[community] = min(brought[community], held[name])
        held[name] -= left[community]
    return left
