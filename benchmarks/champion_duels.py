"""What the champions of Chicken Poker, High Show and Poker Market win from the other players of the house.

In Chicken Poker the samples are independent sessions of two players. In High Show all play the same decks,
and in Poker Market each deal is played in all rotations; samples are the differences of a deck or a deal.

In High Show each card has a price besides, which is 0 in the mean whatever has been decided, and takes most
of the luck of the cards out of the differences (`chatbot/games/highshow/solver/estimate.py`). With these
prices foresight of the whole deck is a bound of all play: its lead over the champion is the most that any
player could be ahead.
"""

from __future__ import annotations

import time
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.market import LEARNING, by_deal, make
from chatbot.games.chickenpoker.contest.adaptive import Adaptive
from chatbot.games.chickenpoker.contest.champion import Champion
from chatbot.games.chickenpoker.contest.contestants import usual_steps
from chatbot.games.chickenpoker.contest.session import Even, Linear, Nash, Played, play
from chatbot.games.highshow.contest.contest import play as play_deck
from chatbot.games.highshow.contest.contestants import CHAMPION_WORK
from chatbot.games.highshow.contest.contestants import CONTESTANTS as SHOWN
from chatbot.games.highshow.rules.terms import PenaltyKind, Terms, read_penalty
from chatbot.games.highshow.solver.estimate import (
    MORE_PRICED,
    PRICED,
    Toll,
    foresight_profit,
    policy_profit,
    shuffles,
)
from chatbot.games.highshow.solver.solver import Adviser
from chatbot.games.pokermarket.contest.contest import MarketContest
from chatbot.kernel.contest import Entrant
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chatbot.games.chickenpoker.contest.session import SessionPlayer

CHAMPION = "champion"
CARDS, SESSION = (6, 10), 50  # of Chicken Poker, and games of a session
TABLES = (("champion", "broker", "search", "greedy"), ("champion", "greedy", "random", "passive"))
ROUNDS = 3  # of Poker Market
SIZES = ((30, 3), (52, 5), (100, 10), (100, 50), (1000, 10))  # of High Show's decks: cards, to keep
DECKS = (
    (12, 3, "linear"),
    (17, 3, "value"),
    (19, 3, "turnvalue"),
    (22, 3, "none"),
    (22, 3, "linear"),
    *((cards, keep, kind.value) for cards, keep in SIZES for kind in PenaltyKind),
)
EXACT_TIMES = 10  # so many times the decks where the champion is exact, which are quick
BOUND = "any play, at most"
CONFIDENT = 1.96  # standard errors on either side of a mean that hold 95 of 100
OTHERS: Mapping[str, Callable[[str, int], SessionPlayer]] = {
    "random": lambda word, cards: Even(Rng.of(word)),  # noqa: ARG005
    "linear": lambda word, cards: Linear(usual_steps(cards)),  # noqa: ARG005
    "nash": lambda word, cards: Nash(Rng.of(word)),  # noqa: ARG005
    "adaptive": lambda word, cards: Adaptive(Rng.of(word)),  # noqa: ARG005
}


def show_chicken(sessions: int, seed: str) -> None:
    """Print the champion's share of points and games, of each other player."""
    table = _table(
        f"{sessions} sessions of {SESSION} games",
        "cards",
        "against",
        "points, %",
        "games won, %",
        "ms a card",
    )
    for cards in CARDS:
        for name in OTHERS:
            began = time.process_time()
            points, games = zip(
                *(session(name, cards, f"{seed}/{number}") for number in range(sessions)), strict=True
            )
            cost = 1000 * (time.process_time() - began) / (sessions * SESSION * cards)
            table.add_row(
                f"{cards}", name, _mean_and_error(points, 100), _mean_and_error(games, 100), f"{cost:.2f}"
            )
    Console(width=110).print(table)


def session(name: str, cards: int, seed: str) -> tuple[float, float]:
    """Return the champion's share of the points of a session, and of the games; a draw is half of one."""
    players = [Champion(Rng.of(f"{seed}/own")), OTHERS[name](f"{seed}/other", cards)]
    games = [each.points for each in play(players, cards, SESSION) if isinstance(each, Played)]
    own = sum(each[0] for each in games) / sum(map(sum, games))
    return own, mean((mine > yours) + (mine == yours) / 2 for mine, yours in games)


def show_highshow(decks: int, seed: str) -> None:
    """Print by how many points a deck the champion is ahead of each other, and any play of the champion."""
    others = [name for name in SHOWN if name != CHAMPION]
    title = f"{decks} decks each, {EXACT_TIMES * decks} where the champion is exact; ± holds 95 of 100 means"
    table = _table(title, "deck", *others, BOUND)
    for cards, keep, penalty in track(DECKS, console=Console(stderr=True), description="decks"):
        leads_by_name = leads(Terms(cards, keep, read_penalty(penalty)), decks, seed)
        row = (_mean_and_error(leads_by_name[name], error=CONFIDENT) for name in others)
        table.add_row(
            f"{keep} of {cards}, {penalty}",
            *row,
            _mean_and_error([-each for each in leads_by_name[BOUND]], error=CONFIDENT),
        )
    Console(width=140).print(table)


def leads(terms: Terms, decks: int, seed: str) -> dict[str, list[float]]:
    """Return by how many points the champion is ahead of each other, and of foresight (`BOUND`), by deck.

    Where the champion is exact, a lead is what the other's choices lose by the exact values of each choice:
    its mean is the difference of the expected profits.
    """
    exact = Adviser(terms, CHAMPION_WORK)
    if exact.advise([], terms.cards, terms.keep).exact:
        return _losses(terms, exact, decks * EXACT_TIMES, seed)
    toll, rng = Toll(terms), Rng.of(f"{seed}/strategies")
    leads_by_name: dict[str, list[float]] = {name: [] for name in (*SHOWN, BOUND) if name != CHAMPION}
    for deck in shuffles(terms, decks, seed):
        rejections = {
            name: _rejections(deck, play_deck(terms, deck, SHOWN[name], 0, rng).kept) for name in SHOWN
        }
        most_priced = min(int(PRICED * len(rejections[CHAMPION])) + MORE_PRICED, len(deck))
        steps = [toll.step(deck[:place], card) for place, card in enumerate(deck[:most_priced])]
        steps += toll.free(deck, most_priced)
        profits = {name: policy_profit(terms, deck, each, steps) for name, each in rejections.items()}
        profits[BOUND] = foresight_profit(terms, deck, steps)
        for name, ahead in leads_by_name.items():
            ahead.append(profits[CHAMPION] - profits[name])
    return leads_by_name


def _losses(terms: Terms, exact: Adviser, decks: int, seed: str) -> dict[str, list[float]]:
    """Return how much the choices of each other than the champion lose in expectation, by deck."""
    rng, losses = Rng.of(f"{seed}/strategies"), {name: [0.0] * decks for name in SHOWN if name != CHAMPION}
    for number, deck in enumerate(shuffles(terms, decks, seed)):
        for name, by_deck in losses.items():
            to_keep = terms.keep
            for place, rejected in enumerate(
                _rejections(deck, play_deck(terms, deck, SHOWN[name], 0, rng).kept)
            ):
                if to_keep == terms.cards - place:  # the rest is kept without a choice
                    break
                advice = exact.advise(deck[:place], deck[place], to_keep)
                own, other = advice.another, advice.keep
                if not rejected:
                    own, other = other, own
                by_deck[number] += max(float(other - own), 0.0)
                to_keep -= not rejected
    return losses | {BOUND: [0.0] * decks}


def _rejections(deck: Sequence[int], kept_cards: Sequence[int]) -> list[bool]:
    """Return of each card until the last one is kept whether it was rejected."""
    return [card not in kept_cards for card in deck[: deck.index(kept_cards[-1]) + 1]]


def show_market(deals: int, seed: str) -> None:
    """Print by how many points a deal the champion is ahead of each other player at its tables."""
    title = f"{deals} deals in all rotations, {ROUNDS} rounds"
    table = _table(title, "the others", "than", "points more", "std. errors")
    contest = MarketContest(rounds=ROUNDS, deals=deals)
    for names in TABLES:
        points_by_deal: list[list[float]] = []
        for match in contest.matches(len(names), LEARNING, seed):
            points_by_deal += by_deal(contest, match, [Entrant(name, make(name)) for name in names])
        for place, name in enumerate(names[1:], 1):
            ahead = [points[0] - points[place] for points in points_by_deal]
            table.add_row(", ".join(names[1:]), name, _mean_and_error(ahead), _errors(ahead))
    Console(width=110).print(table)


SHOW: Mapping[str, Callable[[int, str], None]] = {
    "chickenpoker": show_chicken,
    "highshow": show_highshow,
    "pokermarket": show_market,
}


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title)
    for heading in headings:
        table.add_column(
            heading, justify="left" if heading in {"against", "than", "deck", "the others"} else "right"
        )
    return table


def _mean_and_error(values: Sequence[float], times: float = 1, error: float = 1) -> str:
    """Write a mean and so many of its standard errors."""
    errors = error * stdev(values) / sqrt(len(values))
    return f"{round(times * mean(values), 3) + 0:.3f} ± {times * errors:.3f}"  # -0 + 0 is 0


def _errors(values: Sequence[float]) -> str:
    error = stdev(values) / sqrt(len(values))
    return f"{mean(values) / error:+.1f}" if error else "–"
