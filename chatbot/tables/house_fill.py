"""How the house fills a lobby with a stake that one person is alone in, and what it may lose to them by it.

A player of the house sits down in the step that closes the lobby, so that nobody can join or leave knowing
that it is there: two people who help each other would beat it. It plays a strategy that nobody beats on
average, and the house lends it its stake in the same step.

The house bounds by `house_daily` what it loses to one person in a home on a day (UTC), over all games with a
lobby. Where a win could pass that, or no strategy plays so long a game for credits, the stake returns and the
game is for honour: a full loss never stands against a win that is cut off.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import HOUSE, of_house
from chatbot.kernel.lobby import ForHonour, Lobby, LobbyGame
from chatbot.kernel.say import Credits, Message, Say
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Posting, instalments
from chatbot.ledger.pots import HouseLosses
from chatbot.rooms.table_protocol import Table
from chatbot.settings.community import TERMS
from chatbot.speech.spans import lasting, midnight
from chatbot.tables.house_players import house_rng
from chatbot.tables.phase_timer import Fill
from chatbot.tables.replay import ALLOWANCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from chatbot.ledger.books.unit import UnitOfWork
    from chatbot.ledger.people import People
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Alone:
    """A person who is alone in the lobby of a table, with a stake."""

    table: Table
    game: LobbyGame
    lobby: Lobby
    seat: Seat


class HouseFill:
    """Seats players of the house beside persons who are alone in a lobby with a stake."""

    def __init__(self, store: Store, people: People, rooms: Rooms, watch: Watch) -> None:
        self._losses = HouseLosses(store)
        self._people, self._rooms, self._watch = people, rooms, watch
        # By community of the wallets. Held from the reading of what the house may lose until the step is
        # written: two lobbies that close at once must not both lose what is left of it.
        # Whoever holds one holds the lock of its own table already, and waits for no other table.
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def fill(self, table: Table, unit: UnitOfWork) -> AsyncIterator[Fill]:
        """Return what happens at the end of a phase, which is to be played within the context."""
        alone = _alone(table)
        if alone is None:
            yield Fill()
            return
        async with self._locks[self._people.ties.community(table.room.community)]:
            yield await self._filling(alone, unit)

    async def terms(self, table: Table) -> Say | None:
        """Say to who is alone that the table will be for honour if nobody else joins; None: it will not."""
        alone = _alone(table)
        reason = None if alone is None else await self._objection(alone)
        if alone is None or reason is None:
            return None
        terms = Message("lobby-honour", {"stake": Credits(alone.lobby.credits), "reason": reason})
        return Say(terms, to=alone.seat, event="Terms")

    async def _filling(self, alone: Alone, unit: UnitOfWork) -> Fill:
        """Seat a player of the house; for honour, if it may not play for the stake."""
        table, game, lobby = alone.table, alone.game, alone.lobby
        for_honour = await self._objection(alone) is not None
        if for_honour:
            lobby = replace(lobby, credits=0)
        names = game.strategies if for_honour else game.staking(lobby.length)
        player = Seat(f"{HOUSE}:{house_rng(table, 'fill').choice(names)}")
        join, *_ = table.game.menu(lobby, player, lobby.credits)
        actions = (*await table.sit([player], unit), join)
        if for_honour:
            return Fill((ForHonour(alone.seat), *actions))
        await self._sweep(table, player, unit)
        house, wallet = purses.house(table.room.community), purses.wallet(table.room.community, player)
        return Fill(actions, tuple(instalments(house, wallet, lobby.credits, ALLOWANCE)))

    async def _objection(self, alone: Alone) -> Message | None:
        """Return why no player of the house may play with a person for their stake; None: one may."""
        most = TERMS.of(alone.table.room).house_daily
        if not most:
            return Message("lobby-honour-only")
        if not alone.game.staking(alone.lobby.length):
            return Message("lobby-honour-strategies")
        left = max(most - await self._lost(alone.table, alone.seat), 0)
        win = alone.game.most_won(alone.lobby.credits)
        if win <= left:
            return None
        if win > most:  # whatever was lost today: no other day brings that about
            return Message("lobby-honour-most", {"most": Credits(most)})
        now = self._watch.date()
        wait = lasting(ceil((midnight(now) + DAY - now).total_seconds()))
        return Message("lobby-honour-limit", {"left": Credits(left), "most": Credits(most), "wait": wait})

    async def _lost(self, table: Table, seat: Seat) -> int:
        """Return what the house has lost to a person today, and may still lose to them at open tables."""
        day = midnight(self._watch.date())
        # First what is open: a table that ends meanwhile counts twice, which is on the safe side.
        exposure = sum(self._exposure(each, seat) for each in self._tables(table.room) if each is not table)
        wallets = self._people.ties.wallets(table.room.community, seat)
        return exposure + await self._losses.between(day, day + DAY, wallets)

    def _exposure(self, table: Table, seat: Seat) -> int:
        """Return what a person can still win of players of the house at a table.

        Where the answer to the last step was lost, it may have seated one of these.
        """
        if not isinstance(table.game, LobbyGame) or not table.state.credits:
            return 0
        players = set(table.state.players)
        own = players.intersection(self._people.ties.everyone(seat))
        against_house = table.doubtful or any(map(of_house, players))
        return table.game.most_won(table.state.credits) if own and against_house else 0

    def _tables(self, room: Room) -> Iterator[Table]:
        """Yield the open tables at which credits of the same wallets are played for."""
        home = self._people.ties.community(room.community)
        for each in self._rooms.values():
            if self._people.ties.community(each.community) == home:
                yield from (table for table in each.tables.values() if not table.over)

    async def _sweep(self, table: Table, player: Seat, unit: UnitOfWork) -> None:
        """Return to the house what its player has won, if that plays nowhere else."""
        room = table.room
        if any(player in each.seated for each in self._tables(room)):
            return
        wallet, house = purses.wallet(room.community, player), purses.house(room.community)
        balance = await unit.balance(wallet)
        entries = tuple(instalments(wallet, house, balance, ALLOWANCE))
        if entries:
            name, now = f"{ALLOWANCE}:{table.id}:{player}", self._watch.date()
            await unit.post(Posting(name, room.community, now, player, entries))


def _alone(table: Table) -> Alone | None:
    """Return who is alone in a lobby with a stake that the house would fill; None: nobody is."""
    game, lobby = table.game, table.state
    if not isinstance(game, LobbyGame) or not isinstance(lobby, Lobby) or not game.fills:
        return None
    return None if lobby.alone is None else Alone(table, game, lobby, lobby.alone)
