"""What viewers bet on: whether at least half of a crew is lucky at the doors.

Whoever plays may bet as well. So it is decided by draws that were made as the lobby closed, before anybody
could bet: each of the crew is lucky whose draw is below the bank's published chance. The same draws decide
who gets away, but there careers and answers enter, by which somebody who knows them could win the bet; here
nothing does that anybody decides later, and who backs out counts like everybody else.
"""

from __future__ import annotations

from math import exp, fsum, lgamma, log
from typing import TYPE_CHECKING

from chatbot.games.heist.rules.states import Getaway, Over
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from chatbot.games.heist.rules.rules import Heist
    from chatbot.games.heist.rules.states import State


def can_be_asked(game: Heist, state: State) -> bool:  # noqa: ARG001
    """Whether the crew is complete, and nothing has come out yet; without a getaway there is no such time."""
    return isinstance(state, Getaway)


def came_true(game: Heist, state: State) -> bool:
    """Whether at least half of the crew of a getaway is lucky."""
    lucky, crew = _lucky(game, state)
    return 2 * lucky >= crew


def chance(game: Heist, state: State) -> float:
    """Return how likely that is to whoever sees what everybody sees, 0..1: a binomial distribution.

    The cost is that of a logarithm for each of the crew.
    """
    view = game.view(state, None)
    crew, each = len(view.crew), _published(game, state)
    if not 0 < each < 1:
        return float(each > 0)
    # In logarithms, as the ways to choose half of a thousand are too many for a double.
    return fsum(
        exp(_ways(crew, lucky) + lucky * log(each) + (crew - lucky) * log(1 - each))
        for lucky in range(-(-crew // 2), crew + 1)
    )


def result(game: Heist, getaway: State, over: State) -> Message:
    """Tell how many were lucky, and how many got away in the end."""
    lucky, crew = _lucky(game, getaway)
    away = sum(each.away for each in over.outcomes) if isinstance(over, Over) else 0
    answer = Message("heist-forecast-more" if came_true(game, getaway) else "heist-forecast-fewer")
    return Message("heist-forecast-result", {"lucky": lucky, "crew": crew, "away": away, "answer": answer})


def _lucky(game: Heist, state: State) -> tuple[int, int]:
    """Count the lucky ones of a crew, and all of it."""
    luck = state.luck if isinstance(state, Getaway) else ()
    return sum(each < _published(game, state) for each in luck), len(luck)


def _published(game: Heist, state: State) -> float:
    """Return the chance of the bank as everybody is told it, without what is personal."""
    view = game.view(state, None)
    return 0.0 if view.bank is None else view.banks[view.bank].chance


def _ways(crew: int, lucky: int) -> float:
    """Return the logarithm of in how many ways so many of a crew can be the lucky ones."""
    return lgamma(crew + 1) - lgamma(lucky + 1) - lgamma(crew - lucky + 1)
