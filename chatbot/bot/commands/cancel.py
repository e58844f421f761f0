"""The command `!cancel`, which voids tables. It is recorded, and nobody can void their own table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from chatbot.bot.arguments import KnownGame, MemberName, Reason, RequiredInForms
from chatbot.bot.command import command
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Arguments, Message, Name, Say
from chatbot.ledger.changes import DUE, VOIDED, Change, Work
from chatbot.rooms.request import Request, usage
from chatbot.rooms.settings.changes import Actor
from chatbot.tables.foresight import amounts_due

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.rooms.table_protocol import Table

ARGUMENTS = "GAME [@name]"


class CallingOff:
    """The command `!cancel`."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        settings_changes: SettingsChanges,
        ledger: Ledger,
        members: CommunityMembers,
    ) -> None:
        self._kits, self._settings_changes, self._ledger, self._members = (
            kits,
            settings_changes,
            ledger,
            members,
        )

    @command("cancel", Role.MODERATOR)
    async def cancel(
        self,
        request: Request,
        game: Annotated[KnownGame | None, RequiredInForms()] = None,
        member: MemberName = "",
        reason: Annotated[str, Reason(offered=True)] = "",
    ) -> Sequence[Say]:
        kit = game or self._only_game(request.room)
        if request.line.table is not None:
            return await self._cancel_one(request, kit, request.line.table, reason)
        if " " in member and not member.startswith("@"):  # it may be anything
            raise usage("cancel", ARGUMENTS)
        tables, seat = request.room.playing(kit.name), None
        if member:
            seat = await self._members.find(request, member)
            tables = [
                each for each in tables if seat in each.seated or seat in kit.seating.invited(each.state)
            ]
        if not tables:
            raise _nothing_to_cancel(kit, seat)
        own = [each for each in tables if plays(self._members, request.line, each)]
        if len(own) == len(tables):
            raise Refusal(Message("cancel-own", {"game": Message(f"game-{kit.name}")}))
        for table in (each for each in tables if each not in own):
            await table.void(partial(self._write, Actor.of(request, reason), table))
        return [request.whisper(Message("cancel-but-own"))] if own else []

    async def _cancel_one(self, request: Request, kit: AnyKit, name: str, reason: str) -> Sequence[Say]:
        """Call off exactly that table: another one may have been opened since it was shown.

        Raises:
            Refusal: it is over, or the sender plays there.
        """
        table = request.room.table(name)
        if table is None or table.over or table.kit is not kit:
            raise Refusal(Message("table-over"))
        if plays(self._members, request.line, table):
            raise Refusal(Message("cancel-own", {"game": Message(f"game-{kit.name}")}))
        await table.void(partial(self._write, Actor.of(request, reason), table))
        return []

    def _only_game(self, room: Room) -> AnyKit:
        """Find the only game that is being played.

        Raises:
            Refusal: it is not clear which.
        """
        games = {each.kit.name for each in room.tables.values() if not each.over}
        if len(games) != 1:
            raise usage("cancel", ARGUMENTS)
        return self._kits[games.pop()]

    async def _write(self, actor: Actor, table: Table) -> None:
        """Return the stakes and record it, in one transaction.

        Raises:
            Closed: the table is over already.
        """
        balance = (await self._ledger.balances([table.pot]))[table.pot]
        posting = f"void:{table.id}"
        changes = [Change(VOIDED, table.id, table.kit.name, str(balance), posting=posting)]
        changes += [
            Change(DUE, seat, table.kit.name, new=str(amount))
            for seat, amount in (await amounts_due(table, _players(table))).items()
        ]
        change_set = self._settings_changes.change_set(actor.part(table.id), changes)
        work = Work(voids={table.id: table.seed})
        await self._settings_changes.changes.make(change_set, work, actor.committer)


def plays(members: CommunityMembers, line: Line, table: Table) -> bool:
    """Whether a person plays at a table, by any present or former account; invitations do not count."""
    seats = {each for seat in line.linked_accounts for each in members.people.ties.everyone(seat)}
    return not seats.isdisjoint(set(_players(table)) - set(table.kit.seating.invited(table.state)))


def _players(table: Table) -> Iterator[Seat]:
    """Yield the members who play, according to the public view."""
    places = table.kit.display.board(table.view(None)).places
    return (each.seat for each in places if not of_house(each.seat))


def _nothing_to_cancel(kit: AnyKit, seat: Seat | None) -> Refusal:
    args: Arguments = {"game": Message(f"game-{kit.name}")}
    if seat is None:
        return Refusal(Message("nothing-to-cancel", args))
    return Refusal(Message("nothing-to-cancel-of", {**args, "who": Name(seat)}))
