"""The command `!cancel`, which voids tables. It is recorded, and nobody can void their own table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.kernel.commands import Kind, Option
from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Arguments, Message, Name
from chatbot.ledger.changes import DUE, VOIDED, Change, Work
from chatbot.rooms.request import REASON, BotCommand, Request, game_named, game_option, reasoned, usage
from chatbot.rooms.settings.changes import Actor
from chatbot.tables.foresight import due

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Say
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.line import Line
    from chatbot.rooms.settings.changes import SettingsChanges
    from chatbot.rooms.table import Table

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
        options = (
            game_option(kits, required=True),
            Option("member", Kind.MEMBER),
            Option("reason", Kind.TEXT, key=f"{REASON} "),
        )
        self.services = (BotCommand("cancel", self._cancel, ARGUMENTS, Role.MODERATOR, options),)

    async def _cancel(self, request: Request) -> Sequence[Say]:
        request, why = reasoned(request)
        kit = self._meant(request)
        tables, seat = request.room.playing(kit.name), None
        if len(request.words) > 1:
            seat = await self._members.find(request, " ".join(request.words[1:]))
            tables = [
                each for each in tables if seat in each.seated or seat in kit.seating.invited(each.state)
            ]
        if not tables:
            raise _nothing_to_cancel(kit, seat)
        own = [each for each in tables if self._plays(request.line, each)]
        if len(own) == len(tables):
            raise Refusal(Message("cancel-own", {"game": Message(f"game-{kit.name}")}))
        for table in (each for each in tables if each not in own):
            await table.void(partial(self._write, Actor.of(request, why), table))
        return [request.whisper(Message("cancel-but-own"))] if own else []

    def _meant(self, request: Request) -> AnyKit:
        """Find the game that is named, or the only one that is being played.

        Raises:
            Refusal: there is no such game, or it is not clear which.
        """
        if len(request.words) in {1, 2} or (request.words and request.words[1].startswith("@")):
            return game_named(self._kits, request.words[0])
        played = {each.kit.name for each in request.room.tables.values() if not each.over}
        if request.words or len(played) != 1:
            raise usage("cancel", ARGUMENTS)
        return self._kits[played.pop()]

    def _plays(self, line: Line, table: Table) -> bool:
        """Whether a person plays at a table, by any present or former account; invitations do not count."""
        seats = {each for seat in line.linked_accounts for each in self._members.people.everyone(seat)}
        return not seats.isdisjoint(set(_players(table)) - set(table.kit.seating.invited(table.state)))

    async def _write(self, actor: Actor, table: Table) -> None:
        """Return the stakes and record it, in one transaction.

        Raises:
            Closed: the table is over already.
        """
        held = (await self._ledger.balances([table.pot]))[table.pot]
        posting = f"void:{table.id}"
        changes = [Change(VOIDED, table.id, table.kit.name, str(held), posting=posting)]
        changes += [
            Change(DUE, seat, table.kit.name, new=str(amount))
            for seat, amount in (await due(table, _players(table))).items()
        ]
        change_set = self._settings_changes.change_set(actor.part(table.id), changes)
        await self._settings_changes.changes.make(change_set, Work(voids={table.id: table.seed}))


def _players(table: Table) -> Iterator[Seat]:
    """Yield the members who play, according to the public view."""
    places = table.kit.display.board(table.view(None)).places
    return (each.seat for each in places if not of_house(each.seat))


def _nothing_to_cancel(kit: AnyKit, seat: Seat | None) -> Refusal:
    args: Arguments = {"game": Message(f"game-{kit.name}")}
    if seat is None:
        return Refusal(Message("nothing-to-cancel", args))
    return Refusal(Message("nothing-to-cancel-of", {**args, "who": Name(seat)}))
