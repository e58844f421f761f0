"""Limits what a member receives from others on a day (UTC): gifts, linked wallets and winnings together.

A step by which somebody could win more of others than their limit leaves is refused with the reason.
Otherwise several accounts of one person could lose to the one that they feed.

What somebody has received is in the ledger, which all processes read. What they can still win at open tables
is known to the process that runs these: it is what the limit of a link made in another process leaves out.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Credits, Message, Name
from chatbot.ledger.receipts import Receipts, received
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Collection,
        Iterable,
        Mapping,
        Sequence,
    )

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.people import People
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch

DAY = timedelta(days=1)


class Winnings:
    """What players can win of each other at a table, kept from one state of it to the next.

    A crowd that joins one table is looked up at all others, where a thousand may play too.
    """

    def __init__(self, table: Table) -> None:
        self.game, self._state = table.game, table.state
        self._winnable = {**table.kit.money.winnable(table.game, table.state)}

    def at(self, table: Table) -> Mapping[Seat, int]:
        """Return what each player can win in the present state of the table."""
        if table.state is not self._state:
            self._follow(table)
        return self._winnable

    def _follow(self, table: Table) -> None:
        """Replace the winnings of those for whom something differs between the two states."""
        before, now, winnable = self._state, table.state, table.kit.money.winnable
        for seat in winnable(self.game, before, now):
            self._winnable.pop(seat, None)
        self._winnable.update(winnable(self.game, now, before))
        self._state = now


class ReceiptLimits:
    """The daily limit `taken_daily` of what each person receives from others.

    In the communities whose wallets are held together, steps are checked, and gifts and links written, one
    after the other, so that each sees those before it. `reasons` are those of all games for which the house
    pays what others had won.
    """

    def __init__(
        self, kits: Mapping[str, AnyKit], store: Store, people: People, rooms: Rooms, watch: Watch
    ) -> None:
        self._receipts, self._people, self._rooms, self._watch = Receipts(store), people, rooms, watch
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by community of the wallets
        self._prefetched: dict[tuple[str, Seat], int] = {}  # by room and person
        self._winnings: WeakKeyDictionary[Table, Winnings] = WeakKeyDictionary()
        # What can be won before or after the step that is being written at a table.
        self._ahead: WeakKeyDictionary[Table, Mapping[Seat, int]] = WeakKeyDictionary()
        # Returns rooms of communities that have none open here, by the community that holds the wallets.
        self.unopened: Callable[[Collection[str]], Awaitable[Mapping[str, Room]]] | None = None
        self.reasons = frozenset[str]().union(*(each.money.winning_reasons for each in kits.values()))

    def promised(self, room: Room, seat: Seat, without: Table | None = None) -> int:
        """Return what a person can still win of others at the open tables of a community, except one."""
        own, promised = set(self._people.ties.everyone(seat)), 0
        for table in self._tables(room):
            if table is not without and table.kit.money.between_players:
                winnings, ahead = self._winnings_at(table), self._ahead.get(table, {})
                promised += sum([max(winnings.get(each, 0), ahead.get(each, 0)) for each in own])
        return promised

    async def require(self, table: Table, actor: Seat, after: object) -> None:
        """Check a step before it is written: nobody may be able to win more than their limit leaves.

        `after` is the state to which the step of `actor` leads.

        Raises:
            Refusal: somebody could win more of others than they may still receive today.
        """
        room, kit = table.room, table.kit
        most = TERMS.of(room).taken_daily
        if not most or not kit.money.between_players:
            return
        present = kit.money.winnable(table.game, table.state, after)
        ahead = kit.money.winnable(table.game, after, table.state)
        more = [(seat, credits_) for seat, credits_ in ahead.items() if credits_ > present.get(seat, 0)]
        own = set(self._people.ties.everyone(actor))
        async with self._lock(room.community):
            before = {seat: self.promised(room, seat, table) for seat, _ in more}
            got = {seat: await self._received(room, seat) for seat, _ in more}
            for seat, credits_ in sorted(more, key=lambda each: each[0] not in own):  # the actor comes first
                # A table may have ended meanwhile.
                promised = max(before[seat], self.promised(room, seat, table))
                left = max(most - got[seat] - promised, 0)
                if credits_ > left:
                    raise self._refusal(actor, seat, credits_, left, most)
            self._ahead[table] = {
                each: max(of.get(each, 0) for of in (present, ahead)) for each in {*present, *ahead}
            }

    @asynccontextmanager
    async def receiving(self, seats: Collection[Seat], communities: Iterable[str]) -> AsyncIterator[None]:
        """Check no step at a table of these communities while the context writes what persons receive."""
        async with AsyncExitStack() as locks:
            for holder in sorted({self._people.ties.community(each) for each in communities}):
                await locks.enter_async_context(self._lock(holder))
            try:
                yield
            finally:
                own = {each for seat in seats for each in self._people.ties.everyone(seat)}
                for key in [each for each in self._prefetched if each[1] in own]:
                    del self._prefetched[key]

    @asynccontextmanager
    async def prefetched(self, room: Room, seats: Collection[Seat]) -> AsyncIterator[None]:
        """Read what these persons have received today in one go, and use it until the context ends."""
        keys = {self._key(room, each): each for each in seats} if TERMS.of(room).taken_daily else {}
        if keys:
            async with self._lock(room.community):
                self._prefetched.update(zip(keys, await self._got(room, [*keys.values()]), strict=True))
        try:
            yield
        finally:
            for key in keys:
                self._prefetched.pop(key, None)

    async def left_of(
        self, seat: Seat, connection: AsyncConnection, holders: Collection[str]
    ) -> Mapping[str, int]:
        """Return what a person may still receive today, by the community that holds the wallets.

        That is as the transaction of `connection` sees it. Communities without a limit, or without a room
        that is known, are left out.
        """
        open_rooms = {self._people.ties.community(each.community): each for each in self._rooms.values()}
        rooms = {holder: room for holder, room in open_rooms.items() if holder in holders}
        missing = {*holders} - rooms.keys()
        if missing and self.unopened is not None:
            rooms |= await self.unopened(missing)
        limited = {holder: room for holder, room in rooms.items() if TERMS.of(room).taken_daily}
        day, allowances = midnight(self._watch.date()), dict[str, int]()
        for holder, room in limited.items():
            own = [self._people.ties.wallets(room.community, seat)]
            (got,) = await received(connection, own, day, day + DAY, self.reasons)
            allowances[holder] = max(TERMS.of(room).taken_daily - got - self.promised(room, seat), 0)
        return allowances

    def _lock(self, community: str) -> asyncio.Lock:
        """Return the lock that is held while a step is checked, or something is written that counts."""
        return self._locks[self._people.ties.community(community)]

    async def _received(self, room: Room, seat: Seat) -> int:
        """Return what a person has received today."""
        key = self._key(room, seat)
        if key not in self._prefetched:
            (got,) = await self._got(room, [seat])
            return got
        return self._prefetched[key]

    async def _got(self, room: Room, seats: Sequence[Seat]) -> list[int]:
        day = midnight(self._watch.date())
        own = [self._people.ties.wallets(room.community, each) for each in seats]
        return await self._receipts.between(day, day + DAY, own, self.reasons)

    def _key(self, room: Room, seat: Seat) -> tuple[str, Seat]:
        return room.id, self._people.ties.person(seat)

    def _winnings_at(self, table: Table) -> Mapping[Seat, int]:
        winnings = self._winnings.get(table)
        if winnings is None or winnings.game is not table.game:
            self._winnings[table] = winnings = Winnings(table)
        return winnings.at(table)

    def _tables(self, room: Room) -> set[Table]:
        """Return the open tables, among them those whose opening or end is not written yet."""
        for table in [each for each in self._ahead if not each.lock.locked()]:
            del self._ahead[table]
        communities = self._people.ties.united(room.community)
        tables = {each for each in self._ahead if each.room.community in communities}
        for each in self._rooms.values():
            if each.tables and each.community in communities:
                tables.update(table for table in each.tables.values() if not table.over)
        return tables

    def _refusal(self, actor: Seat, seat: Seat, credits_: int, left: int, most: int) -> Refusal:
        now = self._watch.date()
        args: Arguments = {
            "credits": Credits(credits_),
            "left": Credits(left),
            "most": Credits(most),
            "wait": lasting(ceil((midnight(now) + DAY - now).total_seconds())),
        }
        if actor in self._people.ties.everyone(seat):
            return Refusal(Message("receipts-own", args))
        return Refusal(Message("receipts-other", {**args, "who": Name(seat)}))
