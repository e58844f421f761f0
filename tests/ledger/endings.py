"""Change sets that end a season of the den's heists, and take an end back."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from chatbot.ledger.changes import SEASON, Change, ChangeSet
from chatbot.ledger.seasons import SeasonEnd

from .samples import ALICE, AT, HOME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chatbot.kernel.game import Seat
    from chatbot.ledger.books.posting import Posting

_numbers = count(1)


def change_set(
    old: int, new: int, at: datetime = AT, *, name: str = "", undoes: str | None = None
) -> ChangeSet:
    """Make a change set of its own id unless it is given a name."""
    change = Change(SEASON, "heist", "season", str(old), str(new))
    return ChangeSet(
        name or f"change-set-{next(_numbers)}", "den", HOME, at, ALICE, "Alice", (change,), undoes=undoes
    )


def ending(
    number: int,
    places: Sequence[tuple[Seat, str, int]] = (),
    at: datetime = AT,
    *,
    forgets: bool = False,
    resets: Sequence[Posting] = (),
) -> SeasonEnd:
    return SeasonEnd(change_set(number, number + 1, at), "heist", number, places, forgets, lambda _: resets)
