"""Players of the contest: each plays a policy, and nothing that happens makes a difference to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.solver.policies import PLANS, draw
from chatbot.games.sixcardpoker.solver.solver import best_response

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.sixcardpoker.contest.situation import Situation
    from chatbot.games.sixcardpoker.rules.cards import Arrangement
    from chatbot.games.sixcardpoker.solver.policies import Policy
    from chatbot.kernel.fair import Rng

BEST_RESPONSE = "best-response:"  # in front of the player that it is the best reply to


@dataclass(frozen=True, slots=True)
class Planned:
    """Plays a policy by its name, which is worked out when it is needed first."""

    name: str

    def __call__(self, told: Situation, menu: Sequence[Arrangement], rng: Rng) -> Arrangement:  # noqa: ARG002
        return draw(policy(self.name)[told.cards], rng)


@cache
def policy(name: str) -> Policy:
    """Give the policy of a player."""
    if name in PLANS:
        return PLANS[name]()
    return best_response(policy(name.removeprefix(BEST_RESPONSE)))


CONTESTANTS = {
    name: Planned(name) for name in (*PLANS, *(f"{BEST_RESPONSE}{replied_to}" for replied_to in PLANS))
}
