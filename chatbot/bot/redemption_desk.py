"""Plays lines whose stakes a platform was paid for, and gives back there what was not played."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from chatbot.bot.pending_line import PendingLine
from chatbot.ledger.vouchers import VoucherState
from chatbot.rooms.exchange import Exchange

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from chatbot.bot.elsewhere import Elsewhere
    from chatbot.bot.routing import Routing
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.vouchers import Voucher
    from chatbot.rooms.channel import Delivery
    from chatbot.rooms.line import Line
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch


class RedemptionDesk:
    """Decides once what becomes of each voucher.

    `admits(room, line)` says whether a line is heard, `serve(room, lines)` answers lines, and `pass_on` sends
    a reply as an ordinary message.
    """

    def __init__(
        self,
        ledger: Ledger,
        rooms: Rooms,
        routing: Routing,
        watch: Watch,
        admits: Callable[[Room, Line], bool],
        serve: Callable[[Room, Sequence[PendingLine]], Awaitable[None]],
        pass_on: Callable[[Delivery], None],
    ) -> None:
        self._ledger, self._rooms, self._routing, self._watch = ledger, rooms, routing, watch
        self._admits, self._serve, self._pass_on = admits, serve, pass_on
        self._shielded = rooms.load.tasks
        self.elsewhere: Elsewhere | None = None  # None: no other process shares the database
        self._deciding: set[str] = set()  # ids of vouchers of which it is being decided what they buy

    async def redeem(self, line: Line) -> None:
        """Play a line whose stake a platform was paid for, once; if it is refused, it is given back there.

        When it returns, it is decided which of the two, or about to be, unless the database fails: then the
        platform brings it again.
        """
        voucher, room = line.voucher, self._rooms.at(line.channel)
        if voucher is None or voucher.id in self._deciding:
            return
        if room.elsewhere:
            if self.elsewhere is not None:
                await self.elsewhere.carry_redemption(room, line)
            return
        with self._decided(voucher):
            if not await self._ledger.vouchers.known([voucher.id]):
                await self._play_voucher(room, line)
                await self._ledger.vouchers.refuse(voucher, room.community, self._watch.date())

    async def decline(self, voucher: Voucher, channel: str) -> None:
        """Give a stake back that was never played, unless it is being played now."""
        if voucher.id not in self._deciding:
            with self._decided(voucher):
                community = self._rooms.at(channel).community
                await self._ledger.vouchers.refuse(voucher, community, self._watch.date())

    async def withdraw(self, voucher: str, channel: str) -> None:
        """Return a stake in a lobby whose platform has given back what it was paid for it."""
        room = self._rooms.at(channel)
        if not room.elsewhere:
            await self._shielded.finish(self._withdraw(room, voucher))
        elif self.elsewhere is not None:
            await self.elsewhere.carry_withdrawal(room, voucher, channel)

    async def _play_voucher(self, room: Room, line: Line) -> None:
        """Answer a line now, without its turn in the queue: it may be the turn of who calls this."""
        if self._admits(room, line):
            exchange = Exchange(self._pass_on, apart=False)
            pending_line = PendingLine(line, exchange, self._watch.now(), is_talk=False)
            await self._shielded.finish(self._serve(room, [pending_line]))
            await exchange.finished()  # it may have been moved to another room

    async def _withdraw(self, room: Room, voucher: str) -> None:
        async with room.order:
            for table in list(room.tables.values()):
                vouchers = table.vouchers.items()
                seat = next((seat for seat, stake in vouchers if stake.voucher.id == voucher), None)
                if seat is not None and table.vouchers[seat].state is VoucherState.OPEN and not table.over:
                    await self._routing.leave(table, seat, f"withdrawal:{voucher}")

    @contextmanager
    def _decided(self, voucher: Voucher) -> Iterator[None]:
        """Let nothing else decide what becomes of a voucher meanwhile."""
        self._deciding.add(voucher.id)
        try:
            yield
        finally:
            self._deciding.discard(voucher.id)
