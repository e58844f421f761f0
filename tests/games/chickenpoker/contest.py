"""Matches of Chicken Poker's contest, among strategies that a test has written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.contest import Entrant, Learner, Match, Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chatbot.games.chickenpoker.contest.contest import ChickenContest
    from chatbot.games.chickenpoker.contest.contestants import Situation
    from chatbot.kernel.contest import Standing
    from chatbot.kernel.fair import Rng


def scripted(*games: Sequence[int | None], heard: list[Situation] | None = None) -> Strategy:
    """Play these cards in these games, over and over; None is no answer."""

    def play(told: Situation, hand: Sequence[int], rng: Rng) -> int | None:
        if heard is not None:
            heard.append(told)
        return games[told.game % len(games)][told.round - 1]

    return play


def chancy(told: Situation, hand: Sequence[int], rng: Rng) -> int:
    return rng.choice(hand)


def made(strategy: Strategy | Learner) -> Strategy:
    return strategy.make() if isinstance(strategy, Learner) else strategy


def played(
    contest: ChickenContest, games: int, *strategies: Strategy, log: Callable[[str], object] | None = None
) -> Standing:
    """Play one match of all of them, who are called a, b, c, …; give what it came to."""
    entrants = [Entrant("abcdefghij"[place], each) for place, each in enumerate(strategies)]
    match = Match(0, tuple(range(len(entrants))), games, "contest")
    *_, last = contest.play(match, entrants, log)
    assert last.games == games
    return last
