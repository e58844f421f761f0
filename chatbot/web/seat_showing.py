"""Describe tables, and what somebody can do there, for a page that shows one seat.

It is small, as hundreds of phones get it whenever something happens: of the players of a crowd the first are
named, with the seat's own; what all see of a table is described once for all of them. What a seat sees is
what `view` shows to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.kernel.say import Credits, Message
from chatbot.rooms.room import hides
from chatbot.tables.seating import plays_at
from chatbot.tables.steps import divided
from chatbot.web import showing
from cogs.local.adapter import Viewer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.bot.bot import Bot
    from chatbot.kernel.board import Board, Place
    from chatbot.kernel.game import Seat
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table

MOST_PLACES = 12  # players of a table who are named to everybody


class SeatTableRow(showing.TableRow):
    """A table as the public sees it; `count` is how many play there, `marks` how many of each mark."""

    count: int
    marks: dict[str, int]


class SeatOwnRow(TypedDict):
    """What only one seat is shown; all but `credits` is by the ids of tables.

    `results` are the credits that it has won or lost at tables that are over. `limit` is what it may stake
    today where a code has opened it; None: as much as there is.
    """

    credits: str
    limit: int | None
    buttons: list[showing.ButtonRow]
    steps: list[showing.StepsRow]
    joins: list[showing.JoinRow]
    hands: dict[str, list[showing.HandRow]]
    notes: dict[str, str | None]
    places: dict[str, showing.PlaceRow]
    results: dict[str, int]


@dataclass(frozen=True, slots=True)
class SeatHolding:
    """What is known of a seat when its page is described."""

    viewer: Viewer
    purse: int
    limit: int | None  # credits that it may stake today; None: as many as it has
    results: Mapping[str, int]


def public(bot: Bot, table: Table, board: Board) -> SeatTableRow:
    """Describe a table, with its board, as the public sees it."""
    marks = Counter(each.mark for each in board.places)
    row = showing.public_row(bot, table, board, MOST_PLACES)
    return {**row, "count": marks.total(), "marks": dict(marks)}


def concerns(table: Table, seat: Seat) -> bool:
    """Whether a page that shows a seat shows a table: all share it, or it plays there, has, or is invited."""
    return showing.owned(table, [seat]) or seat in table.players()


def boards(tables: Iterable[Table]) -> dict[str, Board]:
    """Return the boards of tables by their ids, as everybody sees them: made once for all seats."""
    return {table.id: table.kit.display.board(table.view(None)) for table in tables}


def places(boards_of: Mapping[str, Board]) -> dict[str, dict[Seat, Place]]:
    """Return the places of boards by the ids of their tables, and by who has them."""
    return {table: {each.seat: each for each in board.places} for table, board in boards_of.items()}


def own(
    bot: Bot, room: Room, holding: SeatHolding, known_places: Mapping[str, Mapping[Seat, Place]]
) -> SeatOwnRow:
    """Describe what a seat has and may do, at the tables that it is concerned with.

    `known_places` are those of the tables of the room.
    """
    seat, tables = holding.viewer.seat, list(room.tables.values())
    concerned = [table for table in tables if concerns(table, seat)]
    moves = [
        (table, *divided(table, seat, holding.purse)) for table in concerned if _may_move(table, holding)
    ]
    viewer = holding.viewer
    return {
        "credits": bot.outbox.text(Message("amount", {"credits": Credits(holding.purse)}), room=room),
        "limit": holding.limit,
        "buttons": [
            showing.button_row(bot, table, viewer, each) for table, actions, _ in moves for each in actions
        ],
        "steps": [showing.steps_row(bot, table, viewer, each) for table, _, steps in moves for each in steps],
        "joins": [
            {"table": table.id, "line": f"!{table.kit.word}"}
            for table, *_ in moves
            if table.kit.money.chooses_stake(table.state) and not plays_at(table, seat)
        ],
        "hands": {table.id: showing.hands(bot, table, seat) for table in concerned if hides(table)},
        "notes": {table.id: showing.note(bot, table, viewer) for table in concerned},
        "places": {
            table.id: showing.place_row(bot, table, known_places[table.id][seat])
            for table in concerned
            if seat in known_places.get(table.id, ())
        },
        "results": {
            table.id: holding.results[table.id] for table in concerned if table.id in holding.results
        },
    }


def _may_move(table: Table, holding: SeatHolding) -> bool:
    """Whether a seat is offered what it can do at a table: one by a code only where it has joined."""
    return holding.limit is None or holding.limit > 0 or plays_at(table, holding.viewer.seat)
