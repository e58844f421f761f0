"""What the best reply to each policy of the house returns: a win doubles the stake, a draw returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.solver.policies import PLANS
from chatbot.games.sixcardpoker.solver.solver import best_response, score
from chatbot.kernel.returns import NO_LENGTH, BestReply, exactly

if TYPE_CHECKING:
    from collections.abc import Iterator


def figures() -> Iterator[tuple[str, int, BestReply]]:
    """Work out all policies."""
    for name, plan in PLANS.items():
        policy = plan()
        yield name, NO_LENGTH, exactly(2 * score(best_response(policy), policy), "response")
