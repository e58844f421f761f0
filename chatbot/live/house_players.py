"""Players of the house: they join tables that people have opened, and answer there like anybody.

They walk the road of a line without its words: what they do is judged by the rules and written into the
journal, so a restart, a replay and a check of a table need to know nothing of them. What they decide comes
from the table's own secret, so nobody can foresee it.

Each has a wallet, but no fortune: it comes to a table with what a newcomer has (or the least that it takes),
lent by the house, and what it has over from the table before goes back. So none of them outgrows the
people, and none has to stay away.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Moved, Posting, instalments
from chatbot.live.draft import Cause
from chatbot.live.sitting import Sitting, strategy_of
from chatbot.live.table import PATIENCE, BrokenGame

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.live.room import Room
    from chatbot.live.table import Table
    from chatbot.live.watch import Watch

log = structlog.get_logger(__name__)


class HousePlayers:
    """Looks at a room whenever one of its tables has changed."""

    def __init__(self, ledger: Ledger, watch: Watch) -> None:
        self._ledger, self._watch = ledger, watch
        self._seen: dict[str, set[tuple[str, str]]] = {}  # phases by room: each is taken up once

    def look(self, room: Room) -> None:
        """Take up the phases that are new, also those in which a restart found its tables."""
        tables = room.tables.values()
        phases = {(each.id, each.clock.phase): each for each in tables if each.clock is not None}
        fresh = phases.keys() - self._seen.get(room.id, set())
        self._seen[room.id] = set(phases)
        for key in sorted(fresh):
            table = phases[key]
            sitting = Sitting(room, table, key[1], table.kit.roster(table.game))
            if sitting.roster.strategies and sitting.most:
                self._take_up(sitting)

    def _take_up(self, sitting: Sitting) -> None:
        for seat in sitting.joined:
            self._expect_answer(sitting, seat)
        self._await(sitting, [self._watch.now() + each for each in sitting.arrivals()])

    def _await(self, sitting: Sitting, arrivals: Sequence[float]) -> None:
        """Wait for the next to come; `arrivals` are on the watch."""
        if arrivals:
            seconds = max(arrivals[0] - self._watch.now(), 0.0)
            self._ring(sitting, seconds, partial(self._come, sitting, arrivals[1:]))

    def _ring(self, sitting: Sitting, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        async def wake() -> None:
            if not sitting.on:
                return
            try:
                await work()
            except (SQLAlchemyError, OSError):
                log.warning("a player of the house waits for the database", table=sitting.table.id)
                self._ring(sitting, PATIENCE, work)

        self._watch.ring(seconds, wake)

    async def hurry(self, room: Room, table: Table) -> None:
        """Let them do at once what they would have done until the end of a table's present phase."""
        if table.clock is None:
            return
        sitting = Sitting(room, table, table.clock.phase, table.kit.roster(table.game))
        try:
            for _ in range(sitting.most if sitting.roster.strategies else 0):
                await self._bring(sitting)
            for seat in sitting.joined:
                await self._choose(sitting, seat, sitting.phase)
        except (SQLAlchemyError, OSError):
            log.warning("players of the house cannot be hurried", table=table.id)

    # Coming

    async def _come(self, sitting: Sitting, later: Sequence[float]) -> None:
        await self._bring(sitting)
        self._await(sitting, later)

    async def _bring(self, sitting: Sitting) -> None:
        """Let one more join, if one is missing and one wants to; the next one comes after that."""
        for seat in sitting.candidates():
            if sitting.missing < 1 or not sitting.on or await self._join(sitting, seat):
                break
            sitting.declined.add(strategy_of(seat))

    async def _join(self, sitting: Sitting, seat: Seat) -> bool:
        """Ask one to join, if one can; whoever stays out sits all the same, like people who look on."""
        table = sitting.table
        if strategy_of(seat) not in table.kit.strategies or not table.menu(seat, sitting.allowance):
            return False
        await self._lend(sitting, seat)
        sits = await table.sit([seat])
        if sits:
            await self._play(sitting, seat, sits, "sit")
        await self._choose(sitting, seat, "join")
        joined = seat in sitting.joined
        if joined:  # a game may want to know more in the same phase
            self._expect_answer(sitting, seat)
        return joined

    async def _lend(self, sitting: Sitting, seat: Seat) -> None:
        """Bring a purse to what one comes to a table with."""
        room, table = sitting.room, sitting.table
        wallet, house = purses.wallet(room.community, seat), purses.house(room.community)
        wanted = sitting.allowance
        while (held := await self._purse(sitting, seat)) != wanted:
            source, target = (house, wallet) if held < wanted else (wallet, house)
            entries = tuple(instalments(source, target, abs(wanted - held), "allowance"))
            name, now = f"allowance:{table.id}:{seat}", self._watch.date()
            try:
                await self._ledger.post(Posting(name, room.community, now, seat, entries, {wallet: held}))
            except Moved:
                continue  # it plays at another table too
            return

    async def _purse(self, sitting: Sitting, seat: Seat) -> int:
        wallet = purses.wallet(sitting.room.community, seat)
        return await self._ledger.balance(wallet)

    # Answering

    def _expect_answer(self, sitting: Sitting, seat: Seat) -> None:
        answer = partial(self._choose, sitting, seat, sitting.phase)
        self._ring(sitting, sitting.thought(seat), answer)

    async def _choose(self, sitting: Sitting, seat: Seat, what: str) -> None:
        """Let one choose from its menu, if there is anything to choose."""
        table, strategy = sitting.table, sitting.table.kit.strategies.get(strategy_of(seat))
        purse = await self._purse(sitting, seat)
        menu = table.menu(seat, purse)
        if not menu or strategy is None or not sitting.on:
            return
        action = strategy(table.view(seat, purse), menu, sitting.luck(what, seat))
        if action is not None:
            await self._play(sitting, seat, [action], what)

    async def _play(self, sitting: Sitting, seat: Seat, actions: Sequence[Any], what: str) -> None:
        """Play under an id that says what it is, so that no restart makes it happen twice."""
        table = sitting.table
        try:
            await table.play(actions, Cause("", seat, f"seat:{table.id}:{seat}:{what}"))
        except Refusal as refusal:
            log.info("a player of the house was refused", table=table.id, reason=refusal.message.id)
        except BrokenGame:
            log.warning("a table was broken by a player of the house", table=table.id, seat=seat)
