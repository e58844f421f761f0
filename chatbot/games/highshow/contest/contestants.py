"""Strategies of the contest: `(situation, choices, rng) -> choice`. None of them needs luck."""

from __future__ import annotations

from functools import lru_cache
from math import e, sqrt
from typing import TYPE_CHECKING

from chatbot.games.highshow.contest.situation import ANOTHER, KEEP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.highshow.contest.situation import Situation
    from chatbot.games.highshow.rules.terms import Terms
    from chatbot.games.highshow.solver.solver import Adviser
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

_ADVISERS = 4  # that are kept: what they have worked out serves the next game


def first(told: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Keep whatever comes: no penalty is ever paid."""
    return KEEP


def threshold(told: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Keep a card from a level on: the highest card, as far as it is known, less a margin.

    K is taken as the middle of what it can be. The margin is the larger of two. Where cards never ran out,
    searching on would pay while the mean excess of a card over the level is more than a rejection costs:
    margin² / 2N = cost (Weitzman 1979, "Optimal search for the best alternative", for cards of one kind).
    And as many cards as are needed must be expected above the level: margin = N · needed / (left + 1).
    """
    cards, lowests = told.terms.cards, told.lowests
    lowest = (lowests[0] + lowests[-1]) // 2
    worth_it = sqrt(2 * cards * _cost(told, lowest))
    enough = cards * told.needed / (told.left + 1)
    return KEEP if told.shown > lowest + cards - 1 - max(worth_it, enough) else ANOTHER


def secretary(told: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Only look at the first cards, then keep what beats the best of them.

    The classic rule looks at N/e of them and takes the next that is best so far (Ferguson 1989, "Who
    solved the secretary problem?"). For M cards the M best that were only looked at are the marks; each
    card kept has to beat the lowest mark and strikes it off (the optimistic algorithm of Babaioff,
    Immorlica, Kempe and Kleinberg 2007, "A knapsack secretary problem with applications").

    A rejection costs something here. So a card counts for as much more as rejecting it would cost; and
    fewer are only looked at where that is dear. After s cards the best falls N/(s+1) short of the top, and
    s of them and about as many again are paid for: for M cards, M·N/2(s+1) + 2s·cost is least near
    s = √(M·N/cost) / 2. Where these are fewer than M, the lowest of them is the mark for more than one.
    """
    watched = _watched(told)
    if told.turn <= watched:
        return ANOTHER
    marks = sorted(told.rejected[:watched], reverse=True)[: told.needed]
    worth = told.shown + _cost(told, (told.lowests[0] + told.lowests[-1]) // 2)
    beaten = not marks or worth > marks[-1]
    return KEEP if beaten else ANOTHER


def best(told: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Do what the solver advises, and have it work for a second first where that makes it exact."""
    from chatbot.games.highshow.solver.solver import VALUE_WORK  # noqa: PLC0415

    return _advised(told, VALUE_WORK)


def best_in_a_moment(told: Situation, choices: Sequence[str], rng: Rng) -> str:  # noqa: ARG001
    """Do what the solver advises where somebody waits."""
    from chatbot.games.highshow.solver.solver import ADVICE_WORK  # noqa: PLC0415

    return _advised(told, ADVICE_WORK)


def _advised(told: Situation, work: int) -> str:
    advice = _adviser(told.terms, work).advise((*told.kept, *told.rejected), told.shown, told.needed)
    return KEEP if advice.better == "cashout" else ANOTHER


@lru_cache(_ADVISERS)
def _adviser(terms: Terms, work: int) -> Adviser:
    """Give the one that is asked about all games of these terms here."""
    from chatbot.games.highshow.solver.solver import Adviser  # noqa: PLC0415

    return Adviser(terms, work)


def _cost(told: Situation, lowest: int) -> float:
    return float(told.terms.cost(lowest, told.turn, told.shown))


def _watched(told: Situation) -> int:
    """Say how many cards are only looked at; the cost is what rejecting the first would be."""
    cards, keep = told.terms.cards, told.terms.keep
    shown = (*told.rejected, told.shown)[0]
    cost = float(told.terms.cost(max(1, shown - cards // 2), 1, shown))
    most = min(int(cards / e), cards - keep)
    return min(most, int(sqrt(keep * cards / cost) / 2)) if cost else most


CONTESTANTS: dict[str, Strategy] = {
    "first": first,
    "threshold": threshold,
    "secretary": secretary,
    "best": best,
}
