"""Takes an import back: from each wallet, or from that which stands for it, what is still there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from chatbot.kernel.game import Seat
from chatbot.ledger.people import People
from chatbot.wallets import holdings, placeholders, purses, schema
from chatbot.wallets.changes import MONEY, Change, Changes, Deed
from chatbot.wallets.imports import IMPORTED, OPERATOR, ImportRefused, make
from chatbot.wallets.ledger import Ledger
from chatbot.wallets.posting import Entry, Posting, instalments
from chatbot.wallets.purses import Purse

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chatbot.wallets.store import Store

_change, _transfer = schema.change.c, schema.transfer.c


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What was taken, what was given back, and by account what is not there any more."""

    taken: int
    given: int
    missing: Mapping[str, int]


@dataclass(slots=True)
class _Purses:
    """Which wallet holds what one was given, and how much of that has not been taken yet."""

    holders: Mapping[Purse, Purse]
    left: dict[Purse, int]
    entries: list[Entry] = field(default_factory=list)
    missing: Counter[Seat] = field(default_factory=Counter)

    def take(self, wallet: Purse, credits: int, mint: Purse) -> None:  # noqa: A002  (what they are)
        holder = self.holders[wallet]
        part = min(self.left[holder], credits)
        self.left[holder] -= part
        self.entries += instalments(holder, mint, part, IMPORTED)
        if credits > part:
            self.missing[holder.seat] += credits - part


class Withdrawals:
    def __init__(self, store: Store) -> None:
        self._store, self._ledger, self._changes = store, Ledger(store), Changes(store)
        self._people = People(store)

    async def undo(self, name: str, at: datetime) -> Withdrawal:
        """Take back the import of a name.

        Raises:
            ImportRefused: there is none, it was taken back before, or balances changed meanwhile.
        """
        community = await self._community(name)
        mint, moved = purses.mint(community), await self._moved(name)
        wallets = await self._purses(community, [each.target for each in moved if each.source == mint])
        for each in moved:
            if each.source == mint:
                wallets.take(each.target, each.credits, mint)
            else:
                wallets.entries.append(Entry(mint, each.source, each.credits, IMPORTED))
        taken = sum(each.credits for each in wallets.entries if each.target == mint)
        given = sum(each.credits for each in wallets.entries if each.source == mint)
        undoing = f"undo:{name}"
        noted = Change(MONEY, IMPORTED, "", None, f"{given - taken:+}", undoing)
        deed = Deed(undoing, "", community, at, OPERATOR, OPERATOR, (noted,), undoes=name)
        posting = Posting(undoing, community, at, OPERATOR, tuple(wallets.entries))
        if not await make(self._changes, deed, posting):
            raise ImportRefused(f"The import {name} was taken back before.")
        return Withdrawal(taken, given, await self._named(wallets.missing))

    async def _community(self, name: str) -> str:
        brought = _change.kind == MONEY, _change.subject == IMPORTED, _change.undoes.is_(None)
        wanted = select(_change.community).where(_change.posting == name, *brought)
        async with self._store.reading() as connection:
            found = (await connection.execute(wanted)).scalar_one_or_none()
        if found is None:
            raise ImportRefused(f"There is no import {name!r}; `chatbot audit --changes` lists them.")
        return str(found)

    async def _moved(self, name: str) -> tuple[Entry, ...]:
        async with self._store.reading() as connection:
            return await holdings.entries(connection, _transfer.posting == name, _transfer.why == IMPORTED)

    async def _purses(self, community: str, wallets: Collection[Purse]) -> _Purses:
        await self._people.load()
        holders = {each: purses.wallet(community, self._people.root(each.seat)) for each in wallets}
        return _Purses(holders, await self._ledger.balances(set(holders.values())))

    async def _named(self, missing: Mapping[Seat, int]) -> dict[str, int]:
        """Call those whose credits are not there any more by an account, or a login, of theirs."""
        await self._people.learn(missing)
        async with self._store.reading() as connection:
            logins = await placeholders.logins(connection, missing)
        accounts_ = {seat: next(iter(self._people.accounts(seat)), logins.get(seat)) for seat in missing}
        return {str(accounts_[seat] or seat): credits_ for seat, credits_ in missing.items()}
