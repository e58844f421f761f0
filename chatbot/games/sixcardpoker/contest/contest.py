"""Six Card Poker's contest: every two players meet in many rounds, each deal played from both sides."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, product
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatbot.games.sixcardpoker.contest.contestants import (
    CONTESTANTS,
    WIRE_FORMAT,
    Planned,
    Situation,
    policy,
)
from chatbot.games.sixcardpoker.rules.cards import DEALS, Arrangement, Outcome, arrangements, compare, types
from chatbot.games.sixcardpoker.solver.solver import Places, tables
from chatbot.kernel.contest import Entrant, Log, Match, Measure, Series, Standing, Strategy, WireFormat, share
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.sixcardpoker.rules.cards import SixCards
    from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy

MATCHES = 32  # into which the deals of two players are divided, if they are enough: for all workers
SHORTEST, LONGEST = 50, 25_000  # deals of a match, for each of which programs are started anew


@dataclass(frozen=True, slots=True)
class SixCardContest:
    """Every two players play each deal twice, with the cards exchanged; odd numbers of games are rounded up.

    A score is the percentage of what there is to win. Luck goes by the players' names, so the order in
    which they are listed changes nothing.
    """

    strategies: ClassVar[Mapping[str, Strategy]] = CONTESTANTS
    wire_format: ClassVar[WireFormat] = WIRE_FORMAT
    unit: ClassVar[str] = "percent"
    usual_games: ClassVar[int] = 10_000

    def matches(self, entrants: int, games: int, seed: str) -> Series:
        """Divide the deals of every two players.

        Raises:
            Failure: there is nobody to play against.
        """
        if entrants < 2:
            raise Failure("Six Card Poker takes two players or more, not 1.")
        pairs = list(combinations(range(entrants), 2))
        deals = -(-games // GAMES)
        parts = max(min(deals // SHORTEST, MATCHES), -(-deals // LONGEST))

        def make(number: int) -> Match:
            part, table = divmod(number, len(pairs))
            own = share(deals, parts, part)
            return Match(number, pairs[table], GAMES * own, f"{seed}/part {part}", table)

        return Series(parts * len(pairs), make)

    def play(self, match: Match, entrants: Sequence[Entrant], log: Log | None) -> Iterator[Standing]:
        first, second = sorted(range(2), key=lambda seat: entrants[match.seats[seat]].name)
        players = entrants[match.seats[first]], entrants[match.seats[second]]
        for score in meet(players, match.games // GAMES, match.seed, log):
            yield score.standing(first)


_SUBSTITUTE = "random"

Pair: TypeAlias = "tuple[Entrant, Entrant]"


class Block(NamedTuple):
    """Some deals in a row: for each player two rows of places, one for each of a deal's games."""

    cards: tuple[Places, Places]
    choices: tuple[Places, Places]


def meet(players: Pair, deals: int, seed: str, log: Log | None) -> Iterator[Score]:
    """Play so many deals, and tell the score again and again; it is always the same one."""
    planned = all(isinstance(each.strategy, Planned) for each in players)
    names = [each.name for each in players]
    dealer, *lucks = (Luck(f"{seed}/{names}/{name}") for name in ("", *names))
    score, at_once = Score(), planned and log is None
    table = MeetingTable(players, [Rng.of(f"{seed}/{names}/{name}") for name in names], log)
    left = deals
    while left:
        count = min(left, _MANY if at_once else _FEW)
        block = _choose(players, deal(dealer, count), [luck.draw(count, GAMES) for luck in lucks])
        left -= count
        if at_once:
            score.add_all(count, _totals(block.choices))
            yield score
        else:
            yield from table.play(block, score)


class MeetingTable:
    """Where games are played one by one."""

    def __init__(self, players: Pair, rngs: Sequence[Rng], log: Log | None) -> None:
        self._players, self._rngs, self._log = players, rngs, log
        self._game = 0

    def play(self, block: Block, score: Score) -> Iterator[Score]:
        """Play the deals of a block, and tell the score after each."""
        kinds, settings = types(), tables().arrangements
        for place in range(block.cards[0].shape[1]):
            codes = []
            for game in range(GAMES):
                cards = [kinds[each[game, place]] for each in block.cards]
                choices = [settings[each[game, place]] for each in block.choices]
                codes.append(code(self._one(cards, choices)))
            score.add(codes[0], codes[1])
            yield score

    def _one(self, cards: Sequence[SixCards], choices: Sequence[Arrangement]) -> Outcome:
        """Play one game; `choices` is what policies chose, and what is played without an answer."""
        sets = [self._set(place, cards[place], choices[place]) for place in range(2)]
        outcome = compare(sets[0], sets[1])
        if self._log is not None:
            names = [each.name for each in self._players]
            self._log(_transcript(self._game, names, sets, outcome))
        self._game += 1
        return outcome

    def _set(self, place: int, cards: SixCards, choice: Arrangement) -> Arrangement:
        strategy = self._players[place].strategy
        if isinstance(strategy, Planned):
            return choice
        answer = strategy(Situation(self._game, cards), arrangements(cards), self._rngs[place])
        legal = isinstance(answer, Arrangement) and answer in arrangements(cards)
        return answer if legal else choice


def _choose(players: Pair, cards: Places, draws: Sequence[Draws]) -> Block:
    """Have policies choose; in the second game the cards are exchanged."""
    hands = (cards, cards[::-1])
    first, second = (
        _sampler(_plan(each.strategy)).choose(own, deal_draws.T)
        for each, own, deal_draws in zip(players, hands, draws, strict=True)
    )
    return Block(hands, (first, second))


def _plan(strategy: Strategy) -> str:
    return strategy.name if isinstance(strategy, Planned) else _SUBSTITUTE


def _totals(choices: tuple[Places, Places]) -> Sequence[int]:
    """Add up the rows of all that came of these games."""
    first, second = _codes()[choices[0], choices[1]].astype(np.int64)
    counts = np.bincount(first * OUTCOMES + second, minlength=OUTCOMES**GAMES)
    totals: list[int] = (counts @ _rows()).tolist()
    return totals


@cache
def _sampler(name: str) -> Sampler:
    return Sampler.of(policy(name))


@cache
def _codes() -> NDArray[np.uint8]:
    """Number what comes of each arrangement (row) against each."""
    high, middle, low = tables().hands.astype(np.int16) + 1
    codes: NDArray[np.uint8] = ((high * 3 + middle) * 3 + low).astype(np.uint8)
    return codes


@cache
def _rows() -> Draws:
    return np.array(rows(), dtype=np.int64)


def _transcript(game: int, names: Sequence[str], sets: Sequence[Arrangement], outcome: Outcome) -> str:
    """Write down a game: what was set, the points by hand, and who won."""
    winner = {1: names[0], 0: "nobody", -1: names[1]}[outcome.round]
    lines = [f"#####GAME {game}: {winner} wins######"]
    for name, arrangement, sign in zip(names, sets, (1, -1), strict=True):
        points = " ".join(("0", "½", "1")[sign * hand + 1] for hand in outcome.hands)
        lines.append(f"{name}: {arrangement}, points {points}")
    return "".join(f"{each}\n" for each in lines)


# What a match has come to: each deal is played from both sides, and the two games of it are one draw.
GAMES = 2  # of a deal
OUTCOMES = 27  # of a game: three of each hand
_ROUNDS, _POINTS = "% of rounds", "points a round"
_SCORE, _WON, _DRAWN, _LOST, _HIGH, _MIDDLE, _LOW = range(7)
_SHARED = (_SCORE, _HIGH, _MIDDLE, _LOW)  # of which the other has what is missing to the most
_MOST = 2 * GAMES  # of these: 2 for each win and 1 for each draw
_UNITS = (Fraction(100, _MOST), *[Fraction(100, GAMES)] * 3, *[Fraction(1, _MOST)] * 3)  # that are told

_MEASURED = (
    (_WON, "won", _ROUNDS), (_DRAWN, "drawn", _ROUNDS), (_LOST, "lost", _ROUNDS),
    (_HIGH, "High", _POINTS), (_MIDDLE, "Middle", _POINTS), (_LOW, "Low", _POINTS),
)  # fmt: skip


def code(outcome: Outcome) -> int:
    """Number what may come of a game."""
    return ((outcome.high + 1) * 3 + outcome.middle + 1) * 3 + outcome.low + 1


@cache
def rows() -> Sequence[Sequence[int]]:
    """Return what each outcome of a deal's two games counts for, in the order of `27 · first + second`.

    These are, for the first player, the score and what is won, drawn and lost, then High, Middle and Low;
    a score and a hand count 2 for a win and 1 for a draw. Then come the squares of all these.
    """
    counts = [_counts(Outcome(*hands)) for hands in product((-1, 0, 1), repeat=3)]
    sums = [[a + b for a, b in zip(*games, strict=True)] for games in product(counts, repeat=GAMES)]
    return [(*each, *(number * number for number in each)) for each in sums]


@dataclass(slots=True)
class Score:
    """Sums over all deals so far: whole numbers, of the first player."""

    deals: int = 0
    totals: list[int] = field(default_factory=lambda: [0] * (2 * len(_UNITS)))

    def add(self, first: int, second: int) -> None:
        """Count a deal by the outcomes of its two games."""
        self.add_all(1, rows()[first * OUTCOMES + second])

    def add_all(self, deals: int, totals: Sequence[int]) -> None:
        """Count so many deals by the sums of their rows."""
        self.deals += deals
        self.totals = [total + more for total, more in zip(self.totals, totals, strict=True)]

    def standing(self, first: int) -> Standing:
        """Return how it stands; the first player sits on seat `first`, which is 0 or 1."""
        return DealStanding(self.deals, self.totals, first)


class DealStanding(Standing):
    """A standing whose means are computed when they are read: of most standings only the games are."""

    __slots__ = ("_first", "_totals")
    _first: int
    _totals: Sequence[int]

    def __init__(self, deals: int, totals: Sequence[int], first: int) -> None:
        """Keep the sums of the first player, who sits on seat `first`; nobody changes `totals` any more."""
        for name, value in (("games", GAMES * deals), ("draws", deals), ("ahead", ()), ("ended", "")):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_totals", totals)
        object.__setattr__(self, "_first", first)

    @property
    def scores(self) -> Sequence[Fraction]:
        return self._means(_SCORE)

    @property
    def squares(self) -> Sequence[Fraction]:
        return self._mean_squares(_SCORE)

    @property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(
            Measure(name, self._means(place), self._mean_squares(place), whole)
            for place, name, whole in _MEASURED
        )

    def _means(self, place: int) -> list[Fraction]:
        """Return the means of the means of deals, side by side."""
        return [_UNITS[place] * Fraction(each[place], self.draws) for each in self._sides()]

    def _mean_squares(self, place: int) -> list[Fraction]:
        unit, behind = _UNITS[place] ** 2, len(_UNITS) + place
        return [unit * Fraction(each[behind], self.draws) for each in self._sides()]

    def _sides(self) -> Sequence[Sequence[int]]:
        sides = self._totals, self._other()
        return sides if self._first == 0 else sides[::-1]

    def _other(self) -> Sequence[int]:
        """Return the sums of the other player."""
        sums, squares = list(self._totals[: len(_UNITS)]), list(self._totals[len(_UNITS) :])
        for each in _SHARED:
            squares[each] += _MOST * _MOST * self.draws - 2 * _MOST * sums[each]
            sums[each] = _MOST * self.draws - sums[each]
        for numbers in (sums, squares):
            numbers[_WON], numbers[_LOST] = numbers[_LOST], numbers[_WON]
        return [*sums, *squares]


def _counts(outcome: Outcome) -> Sequence[int]:
    sign = outcome.round
    return (sign + 1, int(sign > 0), int(sign == 0), int(sign < 0), *(hand + 1 for hand in outcome.hands))


# Two players meet: built-in ones many games at a time, all others game by game, on the same deals.
#
# Whoever plays a policy draws from a stream of its own, by its name, and one by one or many at a time comes
# to the same. Whoever gives no arrangement has a random one, from its own stream as well.
_MANY, _FEW = 1 << 13, 1 << 6  # deals at a time: what fits into a processor's cache, and what is soon played


# Deals and arrangements drawn many at a time; the same ones however many that is.
#
# NumPy promises that the stream of a bit generator stays the same from version to version, but not what its
# distributions make of it. So everything here is made from plain uniform doubles: their 53 bits are whole
# numbers, which are held against exact counts and weights.


Draws: TypeAlias = NDArray[np.int64]

_BITS = 53  # of a double's significand


class Luck:
    """A stream of whole numbers from 0 to 2⁵³−1, each as likely: the same from the same words."""

    def __init__(self, seed: str) -> None:
        key = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")
        self._source = np.random.Generator(np.random.PCG64(key))

    def draw(self, *shape: int) -> Draws:
        """Draw an array of them; the next array begins where this one ends."""
        return (self._source.random(shape) * 2.0**_BITS).astype(np.int64)


def deal(luck: Luck, count: int) -> Places:
    """Draw what two players hold, so many times: two rows, with places in `types()`."""
    numbers = (luck.draw(count) * (DEALS / 2**_BITS)).astype(np.int64)  # rounding never gets up to DEALS
    return np.stack(np.divmod(_all_deals()[numbers], len(types())))


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """Draws what a policy plays."""

    ends: Draws  # ascending: a type's numbers are those of a draw behind it as its highest digit
    places: Places  # in the table of arrangements, of what is played up to there

    @classmethod
    def of(cls, policy: ArrangementPolicy) -> Sampler:
        """Give each arrangement its part of the 2⁵³ numbers, exactly but for rounding down its ends."""
        place = {arrangement: number for number, arrangement in enumerate(tables().arrangements)}
        ends, places = list[int](), list[int]()
        for number, cards in enumerate(types()):
            mix = {arrangement: weight for arrangement, weight in policy[cards].items() if weight}
            total = sum(mix.values())
            ends += [(number << _BITS) + (end << _BITS) // total for end in accumulate(mix.values())]
            places += [place[arrangement] for arrangement in mix]
        return cls(np.array(ends), np.array(places))

    def choose(self, kinds: Places, draws: Draws) -> Places:
        """Choose an arrangement for each type, by a draw for each: places in the table of arrangements."""
        keys = (kinds.astype(np.int64) << _BITS) + draws
        places: Places = self.places[np.searchsorted(self.ends, keys, side="right")]
        return places


@cache
def _all_deals() -> Places:
    """List the types of all deals, each as often as it is dealt: 1,681,680 of them."""
    counts = tables().deals
    return np.repeat(np.arange(counts.size, dtype=np.int16), counts.ravel()).astype(np.int16)
