"""The commands `!board`, `!replay` and `!private`: what public pages show of a room, and of whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

from chatbot.bot.arguments import Suggested
from chatbot.bot.command import command
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Arguments, Message, Quote, Say
from chatbot.ledger import hidden_members
from chatbot.ledger.books.journal import OPEN
from chatbot.rooms.request import Request

if TYPE_CHECKING:
    from chatbot.bot.commands.desk import Entrance
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.keys.replay_ids import ReplayIds
    from chatbot.ledger.books.journal import Journal
    from chatbot.ledger.finished_tables import FinishedTables
    from chatbot.ledger.hidden_members import HiddenMembers
    from chatbot.ledger.store.writes import RowWrite
    from chatbot.rooms.room import Room


def board_path(room: str) -> str:
    """Return the path of the board of a room."""
    return f"/board/{quote(room, safe=':')}"


class BoardCommands:
    """Answers `!board`, `!replay` and `!private`."""

    def __init__(
        self,
        *,
        kits: Mapping[str, AnyKit],
        entrance: Entrance,
        journal: Journal,
        finished: FinishedTables,
        replay_ids: ReplayIds,
        hidden: HiddenMembers,
    ) -> None:
        self._kits, self._entrance, self._journal = kits, entrance, journal
        self._finished, self._replay_ids, self._hidden = finished, replay_ids, hidden

    @command("board", reads=True)
    async def board(self, request: Request) -> Sequence[Say]:
        return [request.answer(self._address("board", request.room, board_path(request.room.id)))]

    def _over(self, room: Room, values: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        return [each.id for each in room.tables.values() if each.over]

    @command("replay", reads=True)
    async def replay(self, request: Request, table: Annotated[str, Suggested(_over)] = "") -> Sequence[Say]:
        """Tell where a finished table can be seen again; without one, the table that ended last."""
        room = request.room
        self._require_board(room)
        finished_table = await self._named(room, table) if table else await self._last(room)
        path = self._replay_ids.path(finished_table)
        return [request.answer(self._address("replay", room, path, {"table": finished_table}))]

    @command("private")
    async def private(self, request: Request, off: bool = False) -> Sequence[Say]:
        """Hide the sender on public pages, or show them again."""
        seats = {request.line.home, *request.line.linked_accounts}
        by_seats = seats & await self._hidden.all()
        write = self._write(request.line.home, by_seats, off=off)
        if write is not None:
            request.batch.unit.additions.add(request.room.community, write)
        return [request.whisper(Message("private-off" if off else "private-on"))]

    @staticmethod
    def _write(seat: Seat, by_seats: set[Seat], *, off: bool) -> RowWrite | None:
        """Return what is to be written; None: it is so already."""
        if off:
            return hidden_members.showing(by_seats) if by_seats else None
        return None if by_seats else hidden_members.hiding(seat)

    async def _named(self, room: Room, text: str) -> str:
        """Return the id of a finished table of a room.

        Raises:
            Refusal: there is no such table here, or it is still being played.
        """
        try:
            record = await self._journal.of(text.lower())
        except ValueError:
            raise Refusal(Message("verify-broken", {"table": text.lower()})) from None
        if record is None or record.room != room.id:
            raise Refusal(Message("verify-unknown", {"text": Quote(text)}))
        if record.state == OPEN:
            raise Refusal(Message("verify-open", {"table": record.id}))
        return record.id

    async def _last(self, room: Room) -> str:
        tables = await self._finished.last(room.id, list(self._kits), 1)
        if not tables:
            raise Refusal(Message("replay-none"))
        return tables[0].id

    def _require_board(self, room: Room) -> None:
        """Require that there are pages of a room.

        Raises:
            Refusal: the broadcaster has not turned its board on, or no server runs.
        """
        if not room.habits.board:
            raise Refusal(Message("board-off"))
        if not self._entrance.address:
            raise Refusal(Message("board-closed"))

    def _address(self, what: str, room: Room, path: str, args: Arguments | None = None) -> Message:
        """Say where a page of a room is; raises as `_require_board`."""
        self._require_board(room)
        message = f"{what}-address-local" if self._entrance.is_local else f"{what}-address"
        return Message(message, {**(args or {}), "address": f"{self._entrance.address}{path}"})
