"""The pit: where a line that is for a game finds its table, and what it asks of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import Kind, Remembrance, Request
from chatbot.kernel.say import Message
from chatbot.live.asked import Asked
from chatbot.live.choices import game_of
from chatbot.live.draft import Cause
from chatbot.live.room import Privacy
from chatbot.live.table import PATIENCE, BrokenGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.kit import Command, Kit
    from chatbot.kernel.say import Say
    from chatbot.live.croupier import Croupier
    from chatbot.live.desk import Desk
    from chatbot.live.guests import Guests
    from chatbot.live.house_players import HousePlayers
    from chatbot.live.notary import Notary
    from chatbot.live.room import Line, Room
    from chatbot.live.study import Study
    from chatbot.live.table import Table
    from chatbot.live.watch import Watch
    from chatbot.wallets.ledger import Ledger


class Pit:
    def __init__(
        self,
        croupier: Croupier,
        notary: Notary,
        desk: Desk,
        ledger: Ledger,
        guests: Guests,
        players: HousePlayers,
        study: Study,
        watch: Watch,
    ) -> None:
        self._croupier, self._notary, self._desk, self._ledger = croupier, notary, desk, ledger
        self._guests, self._players, self._study, self._watch = guests, players, study, watch

    async def play(self, room: Room, kit: Kit, command: Command, line: Line, words: tuple[str, ...]) -> None:
        """Take a command to its table, which is laid if need be.

        Raises:
            Refusal: it is not possible now.
            BrokenGame: the rules failed.
        """
        await self._croupier.find_lost(room)
        purse = await self._desk.purse(room, line.seat)
        table = _meant(room, kit, command, line, words)
        if table is not None and table.over:
            await table.finished()  # a season that ends with it must not miss what is staked next
        present = table is not None and not table.over
        if table is None or table.over:
            table = await self._croupier.lay(room, kit, line.seat, line.role, opens=command.opens)
        action = await self._read(command, table.game, await self._request(table, line, purse, words))
        company = [line.seat] if present else self._croupier.company(room, table, line.seat)
        await self._take(table, [*await table.sit(company), action], line, present=present)

    async def explain(self, room: Room, kit: Kit, topic: str, line: Line) -> Sequence[Say]:
        """Answer what somebody asks about a game."""
        game, purse = game_of(kit, room.settings(kit.name)), await self._desk.purse(room, line.seat)
        bodies = await self._ledger.records(room.id, kit.name, [line.seat])
        record = kit.codec.load(bodies[line.seat]) if line.seat in bodies else None
        asked = Asked(room, line, (topic,))
        remembered = Remembrance(line.seat, purse, record)
        return [asked.answer(each) for each in kit.topics[topic](game, remembered)]

    async def _request(self, table: Table, line: Line, purse: int, words: tuple[str, ...]) -> Request:
        """Bring together what a command is read with.

        Raises:
            Refusal: somebody is named who is not known.
        """
        room, members = table.room, dict[str, Seat]()
        if _names(table.kit) and any(each.startswith("@") for each in words):
            seated = [each.seat for each in table.kit.board(table.view(None)).places]
            words, members = await self._guests.mentioned(Asked(room, line, words), seated)
        confides = all(each.manner.private is Privacy.ALL for each in room.channels)
        engaged = {
            seat
            for seat in (line.seat, *members.values())
            if room.playing_at(table.kit, seat) not in {None, table}
        }
        return Request(line.seat, purse, words, not line.private, confides, members, engaged)

    async def _read(self, command: Command, game: Any, request: Request) -> Any:
        if command.slow:
            return await self._study.answer(request.seat, lambda: command.read(game, request))
        return command.read(game, request)

    async def _take(self, table: Table, actions: Sequence[Any], line: Line, *, present: bool) -> None:
        """Play at a table; one that was not `present` may now stand without our knowing."""
        try:
            await table.play(actions, Cause(line.id, line.seat, f"line:{line.id}"))
        except (SQLAlchemyError, OSError):
            if not present:
                table.room.lost = True
                self._look_later(table.room)
            raise
        except BrokenGame:
            if not present:
                self._notary.forget(table.room, table.kit)
                raise Refusal(Message("try-again")) from None
            raise

    def _look_later(self, room: Room) -> None:
        self._watch.ring(PATIENCE, lambda: self._find_lost(room))

    async def _find_lost(self, room: Room) -> None:
        """Look for a table that may stand without a clock, until the database answers."""
        async with room.order:
            try:
                await self._croupier.find_lost(room)
                self._players.look(room)
            except (SQLAlchemyError, OSError):
                self._look_later(room)


def _names(kit: Kit) -> bool:
    """Whether members are named in a game: then they may be in any of its commands."""
    return any(each.kind is Kind.MEMBER for command in kit.commands for each in command.options)


def _meant(room: Room, kit: Kit, command: Command, line: Line, words: Sequence[str]) -> Table | None:
    """Find the table that a line is for: the one that its button belongs to, or the speaker's.

    Whoever is only asked to play may begin a game of their own, else one could keep them from it.

    Raises:
        Refusal: the button's table is over.
    """
    if line.table is None:
        table = room.place(kit, line.seat)
        asked = table is not None and not table.over and line.seat in kit.invited(table.state)
        return room.tables.get(kit.spot(line.seat)) if asked and _begins(command, words) else table
    table = room.table(line.table)
    if table is None or table.over or table.kit is not kit:
        raise Refusal(Message("table-over"))
    return table


def _begins(command: Command, words: Sequence[str]) -> bool:
    """Whether this opens a table, answers at none that stands, and names nobody."""
    answers = {each for option in command.options if option.answers for each in option.choices}
    return command.opens and not any(word.startswith("@") or word.lower() in answers for word in words)
