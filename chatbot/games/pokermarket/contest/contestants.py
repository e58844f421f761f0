"""Strategies of the contest: `(situation, menu, rng) -> choice`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.pokermarket.contest.beliefs import Beliefs
from chatbot.games.pokermarket.contest.position import Position, deal_of
from chatbot.games.pokermarket.contest.search import Outlook
from chatbot.games.pokermarket.contest.situation import ACCEPT, DECLINE, PASS
from chatbot.kernel.contest import Learner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.games.pokermarket.contest.position import Deal
    from chatbot.games.pokermarket.contest.situation import Choice, Situation, Word
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng


def passive(told: Situation, menu: object, rng: Rng) -> Choice:  # noqa: ARG001
    """Pass, and decline everything."""
    return PASS if told.proposed is None else DECLINE


def random(told: Situation, menu: object, rng: Rng) -> Choice:  # noqa: ARG001
    """Propose any swap or pass, and toss a coin for each answer."""
    if told.proposed is not None:
        return _word(rng.chance(0.5))
    return rng.choice([PASS, *told.market.swaps(told.own)])


def greedy(told: Situation, menu: object, rng: Rng) -> Choice:  # noqa: ARG001
    """Do what makes its place, and then its hand, best at once."""
    position = Position.of(told.market)
    if told.proposed is not None:
        return _word(position.accepts(deal_of(told.proposed, position)))
    return _proposed(position.choice(told.own))


class Searcher:
    """Looks ahead, and remembers what others have done: in this deal, or as long as the match lasts."""

    def __init__(self, *, remembers: bool = False, shrewd: bool = False) -> None:
        self._remembers, self._shrewd = remembers, shrewd
        self._game: int | None = None
        self._noticed = 0  # turns of this deal
        self._beliefs = Beliefs()

    def __call__(self, told: Situation, menu: object, rng: Rng) -> Choice:  # noqa: ARG002
        self._notice(told)
        market, position = told.market, Position.of(told.market)
        turns = market.rounds * market.players
        outlook = Outlook(told.own, market.turn, turns, told.players, self._beliefs, self._shrewd)
        if told.proposed is not None:
            return _word(outlook.accepts(position, deal_of(told.proposed, position)))
        return _proposed(outlook.proposal(position))

    def _notice(self, told: Situation) -> None:
        """Learn from what has happened since it was asked last.

        What came after its last decision of a deal that is over it has never been told.
        """
        if told.game != self._game:
            self._game, self._noticed = told.game, 0
            self._beliefs = self._beliefs if self._remembers else Beliefs()
        for done in told.done[self._noticed :]:
            swap = done.proposed
            partner = None if swap is None else told.players[swap.partner]
            self._beliefs.notice(done, told.players[done.market.seat], partner)
        self._noticed = len(told.done)


def _word(accepted: bool) -> Word:
    return ACCEPT if accepted else DECLINE


def _proposed(deal: Deal | None) -> Choice:
    return PASS if deal is None else deal.swap


CONTESTANTS: Mapping[str, Strategy | Learner] = {
    "passive": passive,
    "random": random,
    "greedy": greedy,
    "search": Learner(Searcher),
    "broker": Learner(partial(Searcher, remembers=True, shrewd=True)),
}
