"""The command `!moves`, which lists what its sender can do now at the tables where they play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chatbot.bot.command import command
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Listing, Message, Say
from chatbot.rooms.request import Request
from chatbot.rooms.room import hides

if TYPE_CHECKING:
    from chatbot.community.balances import Balances
    from chatbot.kernel.game import Seat
    from chatbot.rooms.table_protocol import Table

MOST_MOVES = 12  # that are listed; others are counted


class MovesCommand:
    """Answers `!moves`."""

    def __init__(self, balances: Balances) -> None:
        self._balances = balances

    @command("moves", reads=True)
    async def moves(self, request: Request) -> Sequence[Say]:
        seat, room = request.line.seat, request.room
        purse = await self._balances.purse(room, seat)
        playing = [each for each in room.tables.values() if not each.over and seat in each.seated]
        moves_by_table = {each.id: _moves(each, seat, purse) for each in playing}
        says = [
            Say(
                Message("moves", {"moves": Listing(moves_by_table[each.id], MOST_MOVES)}),
                seat,
                secret=hides(each),
            )
            for each in playing
            if moves_by_table[each.id]
        ]
        if not says:
            raise Refusal(Message("moves-none"))
        return says


def _moves(table: Table, seat: Seat, purse: int) -> tuple[Message, ...]:
    """Write each move as somebody would type it, with what stands on its button."""
    kit = table.kit
    return tuple(
        Message("moves-row", {"move": kit.chat.line(each), "label": kit.display.label(each)})
        for each in table.menu(seat, purse)
    )
