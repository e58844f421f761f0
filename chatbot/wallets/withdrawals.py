"""Takes an import back: from each wallet, or from whom its credits were handed on to, what is still there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.wallets import accounts, schema
from chatbot.wallets.changes import MONEY, Change, Changes, Deed
from chatbot.wallets.identities import Identities
from chatbot.wallets.imports import IMPORTED, OPERATOR, ImportRefused, make
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.placeholders import INHERITED
from chatbot.wallets.posting import Entry, Posting, instalments
from chatbot.wallets.statements import batches
from chatbot.wallets.unions import hosts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from chatbot.wallets.store import Store

_posting, _transfer = schema.posting.c, schema.transfer.c


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What was taken, what was given back, and by seat what is not there any more."""

    taken: int
    given: int
    missing: Mapping[Seat, int]


@dataclass(slots=True)
class _Purses:
    """Who holds what a wallet was given, and how much of that has not been taken yet."""

    holders: Mapping[str, Sequence[str]]
    left: dict[str, int]
    entries: list[Entry] = field(default_factory=list)
    missing: dict[Seat, int] = field(default_factory=dict)

    def take(self, wallet: str, credits: int, mint: str) -> None:  # noqa: A002  (what they are)
        for holder in self.holders[wallet]:
            part = min(self.left[holder], credits)
            self.left[holder] -= part
            credits -= part  # noqa: A001
            self.entries += instalments(holder, mint, part, IMPORTED)
        if credits:
            self.missing[accounts.seat_of(wallet)] = credits


class Withdrawals:
    def __init__(self, store: Store) -> None:
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._identities = Identities(store)

    async def undo(self, name: str, at: datetime) -> Withdrawal:
        """Take back the import of a name.

        Raises:
            ImportRefused: there is none, it was taken back before, or balances changed meanwhile.
        """
        community = await self._community(name)
        mint, moved = accounts.mint(community), await self._moved(name)
        purses = await self._purses(community, [each.target for each in moved if each.source == mint])
        for each in moved:
            if each.source == mint:
                purses.take(each.target, each.credits, mint)
            else:
                purses.entries.append(Entry(mint, each.source, each.credits, IMPORTED))
        taken = sum(each.credits for each in purses.entries if each.target == mint)
        given = sum(each.credits for each in purses.entries if each.source == mint)
        undoing = f"undo:{name}"
        noted = Change(MONEY, IMPORTED, "", None, f"{given - taken:+}", undoing)
        deed = Deed(undoing, "", community, at, OPERATOR, OPERATOR, (noted,), undoes=name)
        posting = Posting(undoing, community, at, OPERATOR, tuple(purses.entries))
        if not await make(self._changes, deed, posting):
            raise ImportRefused(f"The import {name} was taken back before.")
        return Withdrawal(taken, given, purses.missing)

    async def _community(self, name: str) -> str:
        wanted = select(_posting.community).where(_posting.id == name)
        async with self._store.reading() as connection:
            found = (await connection.execute(wanted)).scalar_one_or_none()
        if found is None or not name.startswith(f"{IMPORTED}:"):
            raise ImportRefused(f"There is no import {name!r}; `chatbot audit --changes` lists them.")
        return str(found)

    async def _moved(self, name: str) -> list[Entry]:
        fields = _transfer.source, _transfer.target, _transfer.credits, _transfer.why
        wanted = select(*fields).where(_transfer.posting == name, _transfer.why == IMPORTED)
        async with self._store.reading() as connection:
            return [Entry(*each) for each in await connection.execute(wanted)]

    async def _purses(self, community: str, wallets: Collection[str]) -> _Purses:
        await self._identities.load()
        heirs = await self._heirs(community, wallets)
        holders = {
            each: list(dict.fromkeys(self._real(community, [each, *heirs.get(each, ())]))) for each in wallets
        }
        names = {name for some in holders.values() for name in some}
        return _Purses(holders, await self._ledger.balances(names))

    def _real(self, community: str, wallets: Sequence[str]) -> Iterator[str]:
        """Name the wallets by those of their roots, each once: two that are one have one balance."""
        for wallet in wallets:
            root = self._identities.root(accounts.seat_of(wallet))
            yield accounts.wallet(community, root)

    async def _heirs(self, community: str, wallets: Collection[str]) -> dict[str, list[str]]:
        """Tell to whom placeholders were handed on, here or where a union had taken them."""
        found: dict[str, list[str]] = {}
        async with self._store.reading() as connection:
            places = {community, *(await connection.execute(hosts(community))).scalars()}
            brought = {
                accounts.wallet(place, accounts.seat_of(each)): each for each in wallets for place in places
            }
            for some in batches(brought):
                wanted = select(_transfer.source, _transfer.target).distinct()
                handed = wanted.where(_transfer.why == INHERITED, _transfer.source.in_(some))
                for source, target in await connection.execute(handed.order_by(_transfer.target)):
                    found.setdefault(brought[source], []).append(target)
        return found
