"""What the best reply to a policy of the house returns."""

from __future__ import annotations

import pytest

from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver import returns as solver
from chatbot.kernel import returns
from tests.games.sixcardpoker import brute


@pytest.mark.parametrize("name", policies.PLANS)
def test_a_policy_returns_twice_what_the_best_reply_scores(name: str) -> None:
    figure = returns.best_reply("sixcardpoker", name)
    assert figure is not None
    assert figure.returns == 2 * brute.best_score(policies.PLANS[name]())  # a win doubles, a draw returns


def test_only_the_equilibrium_may_be_met_with_stakes() -> None:
    fair = [name for name, length, reply in solver.figures() if reply.fair and not length]
    assert fair == ["nash"]
