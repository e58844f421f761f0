"""Adds up what the deals of a match came to: points, who did better, and what was proposed and accepted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.kernel.contest import Measure, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.pokermarket.contest.trading import Traded


@dataclass(slots=True)
class Score:
    """What a match has come to; players as the match has them in the order of their names."""

    players: int
    games: int = 0
    totals: list[Fraction] = field(default_factory=list)
    squares: list[Fraction] = field(default_factory=list)
    ahead: list[list[int]] = field(default_factory=list)
    turns: Counter[int] = field(default_factory=Counter)
    offers: Counter[tuple[int, bool]] = field(default_factory=Counter)  # made, and whether accepted
    answers: Counter[tuple[int, bool]] = field(default_factory=Counter)  # given

    def __post_init__(self) -> None:
        self.totals = [Fraction(0)] * self.players
        self.squares = [Fraction(0)] * self.players
        self.ahead = [[0] * self.players for _ in range(self.players)]

    def add(self, points: Sequence[int], rotations: int) -> None:
        """Add the points of a deal in all its rotations."""
        self.games += 1
        for place, own in enumerate(points):
            mean = Fraction(own, rotations)
            self.totals[place] += mean
            self.squares[place] += mean * mean
            for other, theirs in enumerate(points):
                self.ahead[place][other] += own > theirs

    def count(self, traded: Traded, seated: Sequence[int]) -> None:
        """Count proposals and answers."""
        for each in traded.done:
            self.turns[seated[each.market.seat]] += 1
            if each.proposed is not None:
                self.offers[seated[each.proposed.seat], each.accepted] += 1
                self.answers[seated[each.proposed.partner], each.accepted] += 1

    def standing(self, places: Sequence[int], players: Sequence[int]) -> Standing:
        """Tell means by places, as the match has its seats."""
        means, squares = (
            [each[place] / self.games for place in places] for each in (self.totals, self.squares)
        )
        ahead = [[self.ahead[place][other] for other in places] for place in places]
        made = [self.offers[each, True] + self.offers[each, False] for each in players]
        measures = (
            Measure(
                "proposes", [Fraction(each, self.turns[p]) for each, p in zip(made, players, strict=True)]
            ),
            Measure("is accepted", [_share(self.offers, each) for each in players]),
            Measure("accepts", [_share(self.answers, each) for each in players]),
        )
        return Standing(self.games, means, measures, squares, ahead)


def _share(counts: Counter[tuple[int, bool]], player: int) -> Fraction:
    """Give which share of a player's proposals or answers was a yes; of none it is none."""
    whole = counts[player, True] + counts[player, False]
    return Fraction(counts[player, True], whole) if whole else Fraction(0)
