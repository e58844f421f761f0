"""What the champions of Chicken Poker, High Show and Poker Market win from the other players of the house.

In Chicken Poker the samples are independent sessions of two players. In High Show all play the same decks,
and in Poker Market each deal is played in all rotations; samples are the differences of a deck or a deal.
"""

from __future__ import annotations

import time
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.market import LEARNING, by_deal, made
from chatbot.games.chickenpoker.contest.adaptive import Adaptive
from chatbot.games.chickenpoker.contest.champion import Champion
from chatbot.games.chickenpoker.contest.contestants import usual_steps
from chatbot.games.chickenpoker.contest.session import Even, Linear, Nash, Played, play
from chatbot.games.highshow.contest.contest import HighShowContest
from chatbot.games.highshow.contest.contestants import CONTESTANTS as SHOWN
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
DECKS = ((12, 3, "linear"), (17, 3, "value"), (100, 10, "linear"))  # of High Show
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
            points, won = zip(
                *(session(name, cards, f"{seed}/{number}") for number in range(sessions)), strict=True
            )
            cost = 1000 * (time.process_time() - began) / (sessions * SESSION * cards)
            table.add_row(f"{cards}", name, _told(points, 100), _told(won, 100), f"{cost:.2f}")
    Console(width=110).print(table)


def session(name: str, cards: int, seed: str) -> tuple[float, float]:
    """Return the champion's share of the points of a session, and of the games; a draw is half of one."""
    players = [Champion(Rng.of(f"{seed}/own")), OTHERS[name](f"{seed}/other", cards)]
    games = [each.points for each in play(players, cards, SESSION) if isinstance(each, Played)]
    own = sum(each[0] for each in games) / sum(map(sum, games))
    return own, mean((mine > yours) + (mine == yours) / 2 for mine, yours in games)


def show_highshow(decks: int, seed: str) -> None:
    """Print by how many points a deck the champion is ahead of each other player."""
    table = _table(f"{decks} decks", "deck", "than", "points more", "std. errors")
    for cards, keep, penalty in DECKS:
        found = profits(cards, keep, penalty, decks, seed)
        for name in found:
            if name != CHAMPION:
                ahead = [own - other for own, other in zip(found[CHAMPION], found[name], strict=True)]
                table.add_row(f"{keep} of {cards}, {penalty}", name, _told(ahead), _errors(ahead))
    Console(width=110).print(table)


def profits(cards: int, keep: int, penalty: str, decks: int, seed: str) -> dict[str, list[float]]:
    """Return the profit of each player of the house with each deck."""
    contest = HighShowContest(cards, keep, penalty)
    entrants = [Entrant(name, strategy) for name, strategy in SHOWN.items()]
    found: dict[str, list[float]] = {name: [] for name in SHOWN}
    for match in contest.matches(len(entrants), decks, seed):
        before = [0.0] * len(entrants)
        for standing in contest.play(match, entrants, None):
            totals = [float(each * standing.games) for each in standing.scores]
            for seat, total, then in zip(match.seats, totals, before, strict=True):
                found[entrants[seat].name].append(total - then)
            before = totals
    return found


def show_market(deals: int, seed: str) -> None:
    """Print by how many points a deal the champion is ahead of each other player at its tables."""
    title = f"{deals} deals in all rotations, {ROUNDS} rounds"
    table = _table(title, "the others", "than", "points more", "std. errors")
    contest = MarketContest(rounds=ROUNDS, deals=deals)
    for names in TABLES:
        found: list[list[float]] = []
        for match in contest.matches(len(names), LEARNING, seed):
            found += by_deal(contest, match, [Entrant(name, made(name)) for name in names])
        for place, name in enumerate(names[1:], 1):
            ahead = [points[0] - points[place] for points in found]
            table.add_row(", ".join(names[1:]), name, _told(ahead), _errors(ahead))
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


def _told(values: Sequence[float], times: float = 1) -> str:
    error = stdev(values) / sqrt(len(values))
    return f"{times * mean(values):.3f} ± {times * error:.3f}"


def _errors(values: Sequence[float]) -> str:
    error = stdev(values) / sqrt(len(values))
    return f"{mean(values) / error:+.1f}" if error else "–"
