"""A table as it was at one moment: what is shown of it can be written down later, or never."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import AnyGame, Clock
from chatbot.kernel.kit import AnyKit

if TYPE_CHECKING:
    from chatbot.kernel.say import Board
    from chatbot.tables.table import Table


@dataclass(frozen=True, eq=False, slots=True)
class TablePicture:
    """`state` is a value: whatever is played afterwards leaves it as it is."""

    id: str
    kit: AnyKit
    game: AnyGame
    state: Any
    clock: Clock | None
    deadline: float | None  # on the watch; None: it is hidden, or its clock stands still
    ends: datetime | None  # on the calendar
    over: bool

    def board(self) -> tuple[Any, Board]:
        """Give what everybody may see: the game's public view, and the board that is made of it."""
        view = self.game.view(self.state, None)
        return view, self.kit.board(view)

    def shows(self, other: TablePicture) -> bool:
        """Whether another shows nothing else."""
        return self.state is other.state and (self.id, self.clock, self.deadline, self.over) == (
            other.id,
            other.clock,
            other.deadline,
            other.over,
        )


def standing(table: Table, former: TablePicture | None) -> TablePicture:
    """Take down how a table stands; one deadline keeps one date, `former`'s, whatever the calendar does."""
    deadline, watch = table.public_deadline, table.watch
    ends = None
    if former is not None and former.id == table.id and former.deadline == deadline:
        ends = former.ends
    elif deadline is not None:
        ends = watch.date() + timedelta(seconds=deadline - watch.now())
    known = table.id, table.kit, table.game, table.state
    return TablePicture(*known, table.clock, deadline, ends, table.over)
