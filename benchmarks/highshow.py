"""Measure how close the approximation of High Show is to optimal play, and how long a hint takes.

Small decks are compared with exact values: the regret of a game is the loss of its decisions according to the
exact values of each choice, so that its mean is the difference from optimal play. For large decks the same
shuffles yield what the approximation earns and an upper bound of all play
(`chatbot/games/highshow/solver/estimate.py`); the regret is at most the difference. ± is one standard error.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.rows import Measure
from chatbot.games.highshow.rules.terms import Penalty, PenaltyKind, Terms
from chatbot.games.highshow.solver.estimate import Estimate, Mean, bounds, is_kept, shuffles
from chatbot.games.highshow.solver.solver import Adviser, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.rows import Row

EXACT = 10**9  # limit of the steps of the exact solver, which a benchmark does not reach
SMALL = {4: (1, 2, 3), 6: (1, 3), 8: (1, 3), 10: (1, 3), 12: (1, 3, 6), 16: (3,)}  # N: M
LARGE = {100: (1, 3, 10, 50), 1000: (1, 10, 100)}
HINTS = {12: (3,), 20: (3, 10), 100: (1, 10, 50), 1000: (1, 10, 500)}
KINDS = [Penalty(kind) for kind in PenaltyKind]
GAMES = 100  # of a row of small decks
FEW, MANY = (12, 3), ((100, 10), (1000, 10))  # N and M of the rows
SHUFFLES = 3000  # shuffles of a row of large decks, times the number of cards

PLAYED = "mean points of the approximation's play"
EXACTLY = Measure(f"{FEW[0]} cards, {FEW[1]} to keep: {PLAYED}", "exact, by best play")
BOUNDED = {
    deck: Measure(f"{deck[0]} cards, {deck[1]} to keep: {PLAYED}", "what no play exceeds") for deck in MANY
}
MEASURES = (EXACTLY, *BOUNDED.values())


@dataclass(frozen=True, slots=True)
class Errors:
    """The loss of the approximation in a game, and its errors in the value of choices."""

    regret: Mean
    choice: float  # mean error of the difference between keeping a card and drawing another
    spread: float  # the standard deviation of the profit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the games, and fewer settings")
    parser.add_argument("--times", type=int, default=1, help="factor of the number of games")
    arguments = parser.parse_args()
    most = 1 if arguments.quick else None
    games = GAMES * arguments.times // (10 if arguments.quick else 1)
    show_small({cards: keeps[:most] for cards, keeps in SMALL.items()}, games)
    for cards, keeps in LARGE.items():
        shuffled = SHUFFLES * arguments.times // cards // (10 if arguments.quick else 1)
        show_large(cards, keeps[:most], max(shuffled, 4))
    show_hints({cards: keeps[:most] for cards, keeps in HINTS.items()})


def rows(*, quick: bool) -> Iterator[Row]:
    """Measure the means over all kinds of penalties."""
    penalties = KINDS[:1] if quick else KINDS
    exact = [float(value(Terms(*FEW, penalty), EXACT).amount) for penalty in penalties]
    yield EXACTLY.row(played(*FEW, penalties, GAMES // 10 if quick else GAMES)[0], mean(exact))
    for (cards, keep), measure in BOUNDED.items():
        shuffled = 2 if quick else max(SHUFFLES // cards, 4)
        yield measure.row(*played(cards, keep, penalties, shuffled))


def played(cards: int, keep: int, penalties: Sequence[Penalty], games: int) -> tuple[float, float]:
    """Return the mean points of the approximation, and the bound that no play exceeds."""
    terms = [Terms(cards, keep, penalty) for penalty in penalties]
    figures = [bounds(each, Estimate(each).advise, games, "bounds") for each in terms]
    return mean(each.policy.amount for each in figures), mean(each.best.amount for each in figures)


def show_small(settings: dict[int, tuple[int, ...]], games: int) -> None:
    table = Table(title=f"against exact values, {games} games each")
    for heading in ("N", "M", "penalty", "exact", "estimate", "off by", "regret", "of s.d.", "a choice's"):
        table.add_column(heading, justify="left" if heading == "penalty" else "right")
    for cards, keeps in settings.items():
        for terms in (Terms(cards, keep, penalty) for keep in keeps for penalty in KINDS):
            exact = float(value(terms, EXACT).amount)
            bound = bounds(terms, Estimate(terms).advise, games, "value")
            errors = errors_of(terms, games)
            table.add_row(
                *named(terms),
                f"{exact:.3f}",
                f"{bound.middle:.3f} ± {bound.error:.3f}",
                f"{bound.middle - exact:+.3f}",
                f"{errors.regret.amount:.4f} ± {errors.regret.error:.4f}",
                f"{errors.regret.amount / errors.spread:.2%}",
                f"{errors.choice:.3f}",
            )
    table.caption = "of s.d.: of the profit; a choice's: mean error of the difference of keep and another"
    Console(width=110).print(table)


def errors_of(terms: Terms, games: int) -> Errors:
    """Play by the approximation, and compare each decision with the exact values."""
    estimate, exact = Estimate(terms), Adviser(terms, EXACT)
    regrets, profits, differences = list[float](), list[float](), list[float]()
    for deck in shuffles(terms, games, "regret"):
        regret, profit, to_keep = 0.0, Fraction(0), terms.keep
        for turn, card in enumerate(deck):
            if not to_keep:
                break
            keeps = terms.cards - turn == to_keep
            if not keeps:
                rough, advice = (
                    estimate.advise(deck[:turn], card, to_keep),
                    exact.advise(deck[:turn], card, to_keep),
                )
                ahead, keeps = float(advice.keep - advice.another), is_kept(rough)
                regret += max(-ahead, 0.0) if keeps else max(ahead, 0.0)
                differences.append(abs(rough[0] - rough[1] - ahead))
            profit += card if keeps else -terms.cost(min(deck), turn + 1, card)
            to_keep -= keeps
        regrets.append(regret)
        profits.append(float(profit))
    return Errors(Mean.of(np.array(regrets)), float(np.mean(differences)), float(np.std(profits)))


def show_large(cards: int, keeps: tuple[int, ...], games: int) -> None:
    table = Table(title=f"N = {cards}, {games} shuffles each")
    for heading in ("M", "penalty", "play earns", "no play exceeds", "regret at most", "of it", "s"):
        table.add_column(heading, justify="left" if heading == "penalty" else "right")
    for terms in (Terms(cards, keep, penalty) for keep in keeps for penalty in KINDS):
        began = time.perf_counter()
        bound = bounds(terms, Estimate(terms).advise, games, "bounds")
        table.add_row(
            *named(terms)[1:],
            *(f"{each.amount:.2f} ± {each.error:.2f}" for each in (bound.policy, bound.best)),
            f"{abs(bound.gap.amount):.2f} ± {bound.gap.error:.2f}",  # negative only by rounding
            f"{abs(bound.gap.amount / bound.policy.amount):.3%}",
            f"{time.perf_counter() - began:.1f}",
        )
    Console(width=110).print(table)


def show_hints(settings: dict[int, tuple[int, ...]]) -> None:
    table = Table(title="time of hints in one game, with the same adviser")
    for heading in ("N", "M", "penalty", "the first, ms", "the longest, ms", "all, ms", "hints", "exact"):
        table.add_column(heading, justify="left" if heading == "penalty" else "right")
    for cards, keeps in settings.items():
        for terms in (Terms(cards, keep, penalty) for keep in keeps for penalty in KINDS):
            times, exact = hint_times(terms)
            row = (f"{1000 * each:.0f}" for each in (times[0], max(times), sum(times)))
            table.add_row(*named(terms), *row, f"{len(times)}", f"{exact}")
    Console(width=110).print(table)


def hint_times(terms: Terms) -> tuple[list[float], int]:
    """Time a hint at every card of a game in which the last card is never kept; count the exact hints."""
    times, exact, to_keep = list[float](), 0, terms.keep
    adviser = Adviser(terms)
    (deck,) = shuffles(terms, 1, "hints")
    for turn, card in enumerate(islice(deck, terms.cards - 1)):
        if terms.cards - turn == to_keep:
            break
        began = time.perf_counter()
        exact += adviser.advise(deck[:turn], card, to_keep).exact
        times.append(time.perf_counter() - began)
        to_keep -= to_keep > 1
    return times, exact


def named(terms: Terms) -> tuple[str, str, str]:
    return str(terms.cards), str(terms.keep), str(terms.penalty)


if __name__ == "__main__":
    main()
