"""Players of the house in a chat: `(view, menu, rng) -> action | None`, the contest's own.

The first of them is what a crowd plays, and quick.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.highshow.contest.contestants import (
    ANOTHER,
    CHOICES,
    best_in_a_moment,
    first,
    secretary,
    situation_at,
    threshold,
)
from chatbot.games.highshow.rules.moves import CashOut, Guess, Open, SeeAnother

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.highshow.rules.moves import Action
    from chatbot.games.highshow.rules.states import View
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng


def adapted(contestant: Strategy, view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    """Let a contestant play at a table of the chat: it opens as is usual there, and guesses nothing."""
    for offered in menu:
        match offered:
            case Open():
                return offered
            case CashOut() | SeeAnother():
                return _decision(contestant, view, offered, rng)
            case Guess():
                return Guess(offered.seat)
    return None


def _decision(contestant: Strategy, view: View, offered: CashOut | SeeAnother, rng: Rng) -> Action | None:
    progress = view.progress
    if progress is None or progress.shown is None:
        return None
    choice = contestant(situation_at(0, progress, progress.shown), CHOICES, rng)
    return SeeAnother(offered.seat) if choice == ANOTHER else CashOut(offered.seat)


STRATEGIES: dict[str, Strategy] = {
    name: partial(adapted, contestant)
    for name, contestant in {
        "threshold": threshold,
        "secretary": secretary,
        "first": first,
        "best": best_in_a_moment,
    }.items()
}
