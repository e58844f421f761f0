"""Poker Market's contest: the same deals for everybody, who have every hand and every turn equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from chatbot.games.pokermarket.contest.contestants import (
    ACCEPT,
    ANSWERS,
    CONTESTANTS,
    PASS,
    WIRE_FORMAT,
    Situation,
)
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.states import Done
from chatbot.kernel.cards import DECK, HAND, written
from chatbot.kernel.contest import (
    Entrant,
    Learner,
    Log,
    Match,
    Measure,
    Series,
    Standing,
    Strategy,
    WireFormat,
)
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure
from chatbot.kernel.lobby import FEWEST, MOST
from chatbot.kernel.settings import Unit, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_ROUNDS = 20
MOST_DEALS = 1_000_000
MOST_TABLES = 100_000


@dataclass(frozen=True, slots=True)
class MarketContest:
    """A game is a deal that is replayed for every rotation of the players; in a match they learn.

    The order in which players sit is drawn for each deal.
    """

    rounds: Annotated[
        Whole,
        Field(ge=1, le=MOST_ROUNDS, description="In how many rounds everybody has a turn."),
        Unit("rounds"),
    ] = 3
    deals: Annotated[
        Whole,
        Field(
            ge=1, le=MOST_DEALS, description="How many deals each table plays; --games of them are a match."
        ),
        Unit("games"),
    ] = 100
    table: Annotated[
        Whole,
        Field(
            ge=0,
            le=MOST,
            description="How many sit at a table: all tables of so many are played. 0: everybody at one.",
        ),
        Unit("people"),
    ] = 0

    strategies: ClassVar[Mapping[str, Strategy | Learner]] = CONTESTANTS
    wire_format: ClassVar[WireFormat] = WIRE_FORMAT
    unit: ClassVar[str] = "points a deal"
    usual_games: ClassVar[int] = 10

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the deals.

        Raises:
            Failure: so many cannot sit at a table.
        """
        tables = self._tables(entrants)

        def make(number: int) -> Match:
            block, table = divmod(number, len(tables))
            deals = min(games, self.deals - block * games)
            return Match(number, tables[table], deals, f"{seed}/match {block}", table)

        return Series(-(-self.deals // games) * len(tables), make)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        sitting = _sitting(match, entrants)
        places = _by_name(match, entrants)
        dealer, score, size = Rng.of(match.seed), Score(len(sitting)), len(sitting)
        for deal in range(match.games):
            cards, circle = dealer.sample(DECK, HAND * size), dealer.shuffled(sitting)
            market = Market(tuple(tuple(cards[seat::size]) for seat in range(size)), self.rounds)
            totals = Counter[int]()
            for rotation in range(size):
                seated, game = circle[rotation:] + circle[:rotation], deal * size + rotation
                traded = trade(market, seated, game)
                for each, points in zip(seated, traded.points, strict=True):
                    totals[each.player] += points
                score.count(traded, [each.player for each in seated])
                if log is not None:
                    log("".join(f"{line}\n" for line in transcript(game, traded, seated)))
            score.add([totals[number] for number in range(size)], size)
            yield score.standing([places.index(seat) for seat in range(size)])

    def _tables(self, entrants: int) -> Sequence[tuple[int, ...]]:
        if entrants < FEWEST:
            raise Failure(f"Poker Market takes at least {FEWEST} players, not {entrants}.")
        if not self.table and entrants > MOST:
            raise Failure(
                f"Poker Market takes {FEWEST} to {MOST} players, not {entrants};"
                " --table N seats any number of them, N at a table."
            )
        size = self.table or entrants
        most = min(entrants, MOST)
        if not FEWEST <= size <= most:
            raise Failure(f"--table takes {FEWEST} to {most}, or 0 for everybody at one, not {size}.")
        if (tables := comb(entrants, size)) > MOST_TABLES:
            raise Failure(
                f"{entrants} players make {tables:,} tables of {size}; at most {MOST_TABLES:,} are played."
            )
        return list(combinations(range(entrants), size))


def _by_name(match: Match, entrants: Sequence[Entrant]) -> list[int]:
    """Return the match's seats in the order of names: in which order players were named changes nothing."""
    return sorted(range(len(match.seats)), key=lambda seat: entrants[match.seats[seat]].name)


def _sitting(match: Match, entrants: Sequence[Entrant]) -> list[DealTrading]:
    players = [entrants[match.seats[seat]] for seat in _by_name(match, entrants)]
    names = [each.name for each in players]
    return [
        DealTrading(number, each.name, each.strategy, Rng.of(f"{match.seed}/{names}/{each.name}"))
        for number, each in enumerate(players)
    ]


# One deal at a table where nobody watches: turns, proposals and answers, to the last.


@dataclass(frozen=True, slots=True)
class DealTrading:
    """Somebody with a seat: its number lasts as long as the match, and so does its luck."""

    player: int  # its place in the order of names, from 0, whoever else is entered
    name: str
    strategy: Strategy
    rng: Rng


@dataclass(frozen=True, slots=True)
class Traded:
    """A deal that is over: its turns, and what each seat scored."""

    turns: tuple[Done, ...]
    points: tuple[int, ...]


def trade(market: Market, sitting: Sequence[DealTrading], game: int) -> Traded:
    """Play a deal; no answer, or one that is not possible, passes or declines."""
    players, history = tuple(each.player for each in sitting), tuple[Done, ...]()
    while not market.over:
        situation = Situation(game, market.seat, players, market, None, history)
        swap = _proposal(situation, sitting[market.seat])
        accepted = False
        if swap is not None:
            partner_situation = situation._replace(own=swap.partner, proposed=swap)
            partner = sitting[swap.partner]
            accepted = partner.strategy(partner_situation, tuple(ANSWERS), partner.rng) == ACCEPT
        history = (*history, Done(market, swap, accepted))
        market = (market.swapped(swap) if swap is not None and accepted else market).next()
    return Traded(history, market.points)


def transcript(game: int, traded: Traded, sitting: Sequence[DealTrading]) -> Iterator[str]:
    """Write a deal down, line by line."""
    names = [each.name for each in sitting]
    yield f"#####GAME {game}: {', '.join(names)}######"
    if traded.turns:
        for name, hand in zip(names, traded.turns[0].market.hands, strict=True):
            yield f"{name}: {' '.join(map(written, hand))}"
    for each in traded.turns:
        yield _line(each, names)
    scores = zip(names, traded.points, strict=True)
    yield f"points: {', '.join(f'{name} {points}' for name, points in scores)}"


def _proposal(situation: Situation, sitting: DealTrading) -> Swap | None:
    swap = sitting.strategy(situation, (PASS,), sitting.rng)
    hands, own = situation.market.hands, situation.own
    if not isinstance(swap, Swap) or swap.seat != own or swap.partner not in range(len(hands)):
        return None
    possible = swap.partner != own and swap.give in hands[own] and swap.take in hands[swap.partner]
    return swap if possible else None


def _line(turn: Done, names: Sequence[str]) -> str:
    swap, about = turn.proposed, f"round {turn.market.round + 1}: {names[turn.market.seat]}"
    if swap is None:
        return f"{about} passes"
    answer = "accepts" if turn.accepted else "declines"
    return f"{about} offers {written(swap.give)} for {written(swap.take)}, {names[swap.partner]} {answer}"


# Adds up what the deals of a match came to: points, who did better, and what was proposed and accepted.


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
        for each in traded.turns:
            self.turns[seated[each.market.seat]] += 1
            if each.proposed is not None:
                self.offers[seated[each.proposed.seat], each.accepted] += 1
                self.answers[seated[each.proposed.partner], each.accepted] += 1

    def standing(self, places: Sequence[int]) -> Standing:
        """Return means by places, as the match has its seats."""
        means, squares = (
            [each[place] / self.games for place in places] for each in (self.totals, self.squares)
        )
        ahead = [[self.ahead[place][other] for other in places] for place in places]
        proposals = [self.offers[each, True] + self.offers[each, False] for each in places]
        measures = (
            Measure(
                "proposes",
                [Fraction(each, self.turns[p]) for each, p in zip(proposals, places, strict=True)],
            ),
            Measure("is accepted", [_share(self.offers, each) for each in places]),
            Measure("accepts", [_share(self.answers, each) for each in places]),
        )
        return Standing(self.games, means, measures, squares, ahead)


def _share(counts: Counter[tuple[int, bool]], player: int) -> Fraction:
    """Return which share of a player's proposals or answers was a yes; of none it is none."""
    whole = counts[player, True] + counts[player, False]
    return Fraction(counts[player, True], whole) if whole else Fraction(0)
