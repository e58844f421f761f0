"""Tables at one moment, from which events are made when somebody reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import AnyGame, Clock
from chatbot.kernel.kit import AnyKit

if TYPE_CHECKING:
    from chatbot.kernel.board import Board
    from chatbot.rooms.table_protocol import Table


@dataclass(frozen=True, eq=False, slots=True)
class TablePicture:
    """A table at one moment; `state` is immutable, so later steps do not change it."""

    id: str
    kit: AnyKit
    game: AnyGame
    state: Any  # `Any`: each game has a type of its own
    clock: Clock | None
    deadline: float | None  # time of the watch; None: it is hidden, or the clock is stopped
    ends: datetime | None  # the same as a date
    over: bool

    def board(self) -> tuple[object, Board]:
        """Return the game's public view, and the board that is made of it."""
        view = self.game.view(self.state, None)
        return view, self.kit.display.board(view)

    def shows(self, other: TablePicture) -> bool:
        """Whether another picture shows the same."""
        return self.state is other.state and (self.id, self.clock, self.deadline, self.over) == (
            other.id,
            other.clock,
            other.deadline,
            other.over,
        )


def standing(table: Table, previous: TablePicture | None) -> TablePicture:
    """Return the picture of a table; an unchanged deadline keeps the date of the `previous` picture.

    So a jump of the system clock does not change the end of a phase.
    """
    deadline, watch = table.public_deadline, table.watch
    ends = None
    if previous is not None and previous.id == table.id and previous.deadline == deadline:
        ends = previous.ends
    elif deadline is not None:
        ends = watch.date() + timedelta(seconds=deadline - watch.now())
    identity = table.id, table.kit, table.game, table.state
    return TablePicture(*identity, table.clock, deadline, ends, table.over)
