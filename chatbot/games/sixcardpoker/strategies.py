"""Players of Six Card Poker in a chat: `(view, menu, rng) -> action | None`.

The first of them is what a crowd plays.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, LeaveIt, Open
from chatbot.games.sixcardpoker.solver import policies

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.games.sixcardpoker.rules.moves import Action
    from chatbot.games.sixcardpoker.rules.states import View
    from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng


def adapted(
    plan: Callable[[], ArrangementPolicy], view: View, menu: Sequence[Action], rng: Rng
) -> Action | None:
    """Play at a table of the chat: it opens as is usual there, takes up challenges, and sets once.

    What the plan sets and the menu does not offer, since it is never better than something else, it does
    not set: it takes the first that is offered.
    """
    for offered in menu:
        match offered:
            case Open() | Accept():
                return offered
            case Arrange(seat) | LeaveIt(seat) if view.own is None:
                arrangement = Arrange(seat, str(policies.draw(plan()[view.held[seat]], rng)))
                settings = [each for each in menu if isinstance(each, Arrange)]
                return arrangement if arrangement in settings else settings[0]
    return None


STRATEGIES: dict[str, Strategy] = {
    name: partial(adapted, policies.PLANS[name]) for name in ("greedy", "random", "nash")
}
