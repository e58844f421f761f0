"""Players of the house in a chat: `(view, menu, rng) -> action | None`, the contest's own.

The first of them is what a crowd plays, and quick.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.pokermarket.contest.contestants import ACCEPT, CONTESTANTS, Situation
from chatbot.games.pokermarket.rules.market import Swap
from chatbot.games.pokermarket.rules.moves import Accept, Decline, Join, Pass, Propose
from chatbot.kernel.cards import written
from chatbot.kernel.contest import Learner
from chatbot.kernel.lobby import Leave

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.pokermarket.rules.moves import Action
    from chatbot.games.pokermarket.rules.states import View
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Seat


def adapted(contestant: Strategy | Learner, view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    """Let a contestant play at a table of the chat, where it joins as is usual and knows this deal only."""
    if not menu or isinstance(menu[0], Leave):
        return None
    if isinstance(menu[0], Join):
        return menu[0]
    seat, market = menu[0].seat, view.market
    if market is None:
        return None
    own = view.players.index(seat)
    situation = Situation(0, own, tuple(range(market.players)), market, view.proposed, view.done)
    strategy = contestant.make() if isinstance(contestant, Learner) else contestant
    return _action(seat, strategy(situation, (), rng), answers=view.proposed is not None)


def _action(seat: Seat, choice: object, *, answers: bool) -> Action:
    if isinstance(choice, Swap):
        return Propose(seat, written(choice.give), written(choice.take))
    if answers:
        return Accept(seat) if choice == ACCEPT else Decline(seat)
    return Pass(seat)


STRATEGIES: dict[str, Strategy] = {
    name: partial(adapted, CONTESTANTS[name]) for name in ("greedy", "search", "broker", "passive", "random")
}
