"""Players of the house's own, for crowds and tests: `(view, menu, rng) -> action | None`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.moves import Act, Answer, Join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.heist.views import View
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

_TEMPERS = (
    (Act.GUNCHECK,) * 9
    + (Act.BACK_OUT, Act.DEPOSIT, Act.DEPOSIT, Act.INTEL, Act.GUARD, Act.WITHDRAW)
    + (Act.CHANGE_JOBS, Act.DOUBLE_CROSS, Act.FINGER, Act.FINGER, Act.ALL_IN)
)


def passive(view: View, menu: Sequence[Join | Answer], rng: Rng) -> Join | Answer | None:  # noqa: ARG001
    """Stake the least that is offered, and stick."""
    joins = [each for each in menu if isinstance(each, Join)]
    return min(joins, key=lambda each: each.credits, default=None)


def villager(view: View, menu: Sequence[Join | Answer], rng: Rng) -> Join | Answer | None:
    """Play as people in a chat do: small stakes mostly, sticking mostly, now and then a scheme."""
    joins = sorted((each for each in menu if isinstance(each, Join)), key=lambda each: each.credits)
    if joins:
        return joins[0] if rng.chance(0.8) else rng.choice(joins)
    if view.own is None or not menu:
        return None
    return Answer(view.own.seat, rng.choice(_TEMPERS))


STRATEGIES: dict[str, Strategy] = {"villager": villager, "passive": passive}
