"""The tables of a room for its moderators: who plays for what, and what calling one off would return."""

from __future__ import annotations

from collections import Counter
from datetime import datetime  # noqa: TC003  (pydantic reads it)
from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.bot.commands.cancel import plays
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.house_seats import HOUSE, of_house
from chatbot.kernel.say import Message
from chatbot.ledger.books import purses
from chatbot.ledger.open_tables import OpenTables
from chatbot.rooms.line import Line
from chatbot.tables.foresight import amounts_due
from chatbot.web import showing
from chatbot.web.api.endpoints import Call, Endpoint
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.bot import Bot
    from chatbot.rooms.table_protocol import Table


class DeskFact(TypedDict):
    """Something that is known of a table, such as what is at stake."""

    label: str
    value: str


class DeskPlayer(TypedDict):
    """Somebody at a table."""

    seat: str
    name: str
    detail: str
    house: bool


class DeskTable(TypedDict):
    """A table as the public sees it; `left` is in seconds, None where no clock runs.

    `since` is None if it is over. `own`: the caller plays there, and so cannot call it off.
    """

    id: str
    game: str
    title: str
    phase: str
    left: float | None
    over: bool
    apart: bool
    since: datetime | None
    pot: int
    own: bool
    facts: list[DeskFact]
    players: list[DeskPlayer]


class Refund(TypedDict):
    """What somebody gets back: `credits`, and channel points instead of `points` credits."""

    name: str
    credits: int
    points: int
    house: bool


class ForegonePayment(TypedDict):
    """What somebody would have got if the table went on: below 0, would still have paid."""

    name: str
    credits: int


class CancelPreview(TypedDict):
    """What calling a table off would do now; `why` says why it cannot be done, and is empty if it can."""

    why: str
    refunds: list[Refund]
    foregone: list[ForegonePayment]


class DeskTableEndpoints:
    """Tells of the tables of a room what moderators need to know."""

    def __init__(self, bot: Bot) -> None:
        self._bot, self._open = bot, OpenTables(bot.parts.store)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/desk/tables",
                "Read the tables of the room as everybody sees them, and what is in their pots.",
                self._list,
                list[DeskTable],
                word="playing",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/desk/tables/{table}/cancel",
                "See what calling a table off would return to whom.",
                self._cancel,
                CancelPreview,
                word="cancel",
                scope=READ,
            ),
        ]

    async def _list(self, call: Call) -> list[DeskTable]:
        tables = list(call.room.tables.values())
        rows = showing.tables(self._bot, call.room)
        since = await self._open.since([each.id for each in tables])
        balances = await self._bot.ledger.balances([each.pot for each in tables])
        return [
            DeskTable(
                id=row["id"],
                game=row["game"],
                title=row["title"],
                phase=row["phase"],
                left=row["left"],
                over=row["over"],
                apart=row["apart"],
                since=since.get(table.id),
                pot=balances[table.pot],
                own=self._plays(call, table),
                facts=[DeskFact(label=each["label"], value=each["value"]) for each in row["facts"]],
                players=[
                    DeskPlayer(
                        seat=each["seat"], name=each["name"], detail=each["detail"], house=each["house"]
                    )
                    for each in row["places"]
                ],
            )
            for row, table in zip(rows, tables, strict=True)
        ]

    def _plays(self, call: Call, table: Table) -> bool:
        principal, standing = call.principal, call.standing
        line = Line("", standing.channel, principal.account, principal.name, standing.role, "", private=True)
        members = self._bot.members
        return plays(members, members.linked_accounts.with_sender(call.room, line), table)

    async def _cancel(self, call: Call) -> CancelPreview:
        table = call.room.table(call.path["table"])
        if table is None or table.over:
            raise Refusal(Message("table-over"))
        refunds, points = await self._refunds(table)
        due = await amounts_due(table, [each for each in table.players() if not of_house(each)])
        await self._bot.members.learn(call.room.community, [*refunds, *points, *due])
        return {
            "why": self._why_not(call, table),
            "refunds": [
                {
                    "name": self._name(call, seat),
                    "credits": amount,
                    "points": points[seat],
                    "house": seat == HOUSE or of_house(seat),
                }
                for seat, amount in refunds.items()
                if amount or points[seat]
            ],
            "foregone": [
                {"name": self._name(call, seat), "credits": amount} for seat, amount in due.items() if amount
            ],
        }

    async def _refunds(self, table: Table) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
        """Return what goes back to each wallet, and how much of that the platform gives back as points."""
        refunds, points = Counter[Seat](), Counter[Seat]()
        for each in await self._open.refund(table.id):
            if each.target.kind == purses.MINT:
                points[each.source.seat] += each.credits
                refunds[each.source.seat] -= each.credits
            elif each.source == table.pot:
                refunds[Seat(each.target.owner or HOUSE)] += each.credits
        return refunds, points

    def _why_not(self, call: Call, table: Table) -> str:
        if not self._plays(call, table):
            return ""
        message = Message("cancel-own", {"game": Message(f"game-{table.kit.name}")})
        return self._bot.outbox.text(message, room=call.room)

    def _name(self, call: Call, seat: Seat) -> str:
        return self._bot.outbox.name(seat, call.room)
