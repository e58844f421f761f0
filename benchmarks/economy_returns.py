"""What comes back of a stake in each game: as it is published, and as tables played by the rules have it.

A heist's own dice are a coin of known weight, so how often they came up must agree with it. What an answer
brings beside others has a known distribution, with which its mean must agree. Of all rows together the check
fails for one seed in a thousand at most, if the rules do what `!odds` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import erfc, exp, fsum, lgamma, log, log1p, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from benchmarks.economy_tables import Part, play, raid, stream
from chatbot.games import chickenpoker, highshow, pokermarket, sixcardpoker
from chatbot.games.chickenpoker.rules.moves import Join as JoinChicken
from chatbot.games.chickenpoker.rules.rules import ChickenPoker
from chatbot.games.heist.chat.odds import CROSSED
from chatbot.games.heist.rules import career as careers_of
from chatbot.games.heist.rules import returns as published
from chatbot.games.heist.rules.answers import CREW, MIDDLE, PURSE, CrewAtBank, comes_back, prospect
from chatbot.games.heist.rules.arithmetic import ODDS_UNIT, gain
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import Act
from chatbot.games.highshow.rules.moves import Open as OpenShow
from chatbot.games.highshow.rules.rules import HighShow
from chatbot.games.pokermarket.rules.moves import Join as JoinMarket
from chatbot.games.pokermarket.rules.rules import PokerMarket
from chatbot.games.sixcardpoker.chat.board import WIN
from chatbot.games.sixcardpoker.rules.moves import Open as OpenSixCard
from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from fractions import Fraction

    from benchmarks.economy_tables import Raided
    from chatbot.games.heist.rules.rules import Heist
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.game import AnyGame

STAKE = 100  # of which no payout of the preset leaves a fraction
LARGE = 1000  # at the other games, where payouts are rounded down
ACTIVE = 20  # in whose room crews of 1, 3, 6, 9 and 12 reach the five banks
THIRD = 30  # in whose room a crew of ten robs the third bank
CONFIDENCE = 0.999  # of all rows together
STEEPEST = 50.0  # to which a distribution is tilted at most, over its whole range


@dataclass(frozen=True, slots=True)
class Return:
    """One way to play, and what comes back of each credit that is staked.

    `published` is what the game says, or the most; `found` is what the tables had. `chance` is how likely so
    large a difference is where there is none.
    """

    game: str
    way: str
    tables: int
    published: float
    found: float
    chance: float


def agree(rows: Sequence[Return]) -> bool:
    """Whether all rows agree with what is published, at the family-wise level."""
    return all(each.chance >= (1 - CONFIDENCE) / len(rows) for each in rows)


def returns(seed: str, tables: int) -> list[Return]:
    """Play so many tables of each kind, and for the slow games fewer."""
    return [
        *_heists(seed, tables),
        *_answers(seed, tables),
        *_shows(seed, max(tables // 4, 20)),
        *_six_cards(seed, tables),
        *_pots(seed, max(tables // 10, 5)),
    ]


# The heist


def best_career(game: Heist, number: int, active: int = ACTIVE, *, guards: bool = True) -> Career:
    """Bribe and spy at a bank until the rules take no more of it."""
    banks, bounds, career = game.banks_for(active), game.bounds, Career()
    while guards and (guarded := careers_of.with_guard(career, number, banks, bounds)) != career:
        career = guarded
    return careers_of.with_intel(career, number, game.max_stake * 100, banks, bounds)[0]


def stays(acts: Collection[Act], act: Act) -> Act:
    """Answer as was planned, where that is allowed."""
    return act if act in acts else Act.GUNCHECK


def _heists(seed: str, tables: int) -> Iterator[Return]:
    game = stream()
    most = published.returns(game), published.careers(game), published.alone(game)
    for number in range(len(game.banks)):
        best = best_career(game, number)
        yield _heist(game, number, Career(), Act.GUNCHECK, float(most[0][number]), seed, tables)
        yield _heist(game, number, best, Act.GUNCHECK, float(most[1][number]), seed, tables)
        yield _heist(game, number, best, Act.ALL_IN, float(most[2][number]), seed, tables)


def _heist(game: Heist, number: int, career: Career, act: Act, most: float, seed: str, tables: int) -> Return:
    """Let whole crews do the same, who stake all they have, and count how often their dice come up."""
    banks = game.banks_for(ACTIVE)
    crew = [
        Part(Seat(f"people:{place}"), STAKE, STAKE, partial(stays, act=act))
        for place in range(banks[number].level)
    ]
    careers = {each.seat: career for each in crew}
    wins = change = played = 0
    rng = Rng.of(f"{seed} heist {number} {act} {career}")
    while played < tables:
        raided = raid(game, crew, careers, rng, ACTIVE)
        assert raided.bank == number
        played += len(crew)
        wins += sum(each.lucky for each in raided.outcomes)
        change += sum(raided.changed.values())
    chance = career.chance_at(number, banks)
    way = f"bank {number + 1}, {'newcomer' if career == Career() else 'best career'}, {act.value}"
    exact = _paid(game, number, career, act) * chance + _wage(game, career, act)
    assert exact <= most + 1e-9, f"{way} returns {exact}, and {most} is published"
    share = _paid(game, number, career, act) * wins / played + _wage(game, career, act)
    assert abs(share - 1 - change / (played * STAKE)) < 1e-9, f"{way} pays otherwise than by its dice"
    return Return("Bank Heist", way, played, most, share, binomial(wins, played, chance))


def _paid(game: Heist, number: int, career: Career, act: Act) -> float:
    """Give what the rules' own sums make of a credit whose owner gets away."""
    odds = career.odds_at(number, game.banks_for(ACTIVE))
    if act is Act.ALL_IN:
        return gain(STAKE + game.bounds.loan(STAKE), odds + ODDS_UNIT) / STAKE
    return (STAKE + gain(STAKE, odds)) / STAKE


def _wage(game: Heist, career: Career, act: Act) -> float:
    wage = 0 if act is Act.ALL_IN else game.bounds.salary(career.salary, STAKE)
    return max(wage - sum(career.guards), 0) / STAKE


def _answers(seed: str, tables: int) -> Iterator[Return]:
    """Let one of a crew give each answer of which `!odds` tells what it returns."""
    others = {Act.GUNCHECK: tuple(Act), Act.FINGER: (Act.DOUBLE_CROSS,), Act.DOUBLE_CROSS: CROSSED}
    for other, acts in others.items():
        for act in acts:
            yield _answer(stream(), act, other, seed, tables)


def _answer(game: Heist, act: Act, other: Act, seed: str, tables: int) -> Return:
    at = CrewAtBank(CREW, MIDDLE, game.usual_stake)
    own, *seats = (Seat(f"people:{place}") for place in range(at.crew))
    crew = [
        Part(own, at.stake, at.stake * (1 if act is Act.ALL_IN else 1 + PURSE), partial(stays, act=act)),
        Part(seats[0], at.stake, at.stake * (1 + PURSE), partial(stays, act=other)),
        *(Part(each, at.stake, at.stake) for each in seats[1:]),
    ]
    rng, changes = Rng.of(f"{seed} answer {act} {other}"), []
    for _ in range(tables):
        raided = raid(game, crew, {}, rng, THIRD)
        assert raided.bank == at.bank
        assert raided.acts[own] is act
        changes.append(worth(raided, own))
    share, exact = 1 + fmean(changes) / at.stake, float(comes_back(game, at, act, other))
    beside = "others who stick" if other is Act.GUNCHECK else f"one who answers {other.value}"
    way = f"{act.value} beside {beside}"
    return Return("Bank Heist", way, tables, exact, share, deviation(changes, prospect(game, at, act, other)))


def worth(raided: Raided, seat: Seat) -> int:
    """Tell what somebody has of a heist: what was put by, or spent on intel, is worth what it cost."""
    put_by = next(each.put_by for each in raided.outcomes if each.seat == seat)
    return raided.changed[seat] + put_by


# The other games

_ANN = Seat("people:ann")


def _shows(seed: str, tables: int) -> Iterator[Return]:
    kit, game = highshow.KIT, HighShow()
    opening = OpenShow(_ANN, game.usual_cards, game.usual_keep(game.usual_cards), game.penalty, LARGE)
    for name in kit.programs.strategies:
        shares = _alone(game, kit.programs.strategies[name], opening, f"{seed} {name}", tables)
        yield Return("High Show", name, tables, 1.0, fmean(shares), _above(shares, 1.0))


def _six_cards(seed: str, tables: int) -> Iterator[Return]:
    kit = sixcardpoker.KIT
    for name in kit.programs.strategies:
        strategy = kit.programs.strategies[name]
        shares = _alone(SixCardPoker(), strategy, OpenSixCard(_ANN, LARGE), f"{seed} {name}", tables)
        wins = sum(each > 1 for each in shares)
        chance = binomial(wins, tables, float(WIN)) if name == "nash" else _above(shares, 1.0)
        yield Return("Six Card Poker", name, tables, 1.0, fmean(shares), chance)


def _alone(game: AnyGame, strategy: Strategy, opening: Any, seed: str, tables: int) -> list[float]:
    """Give what came back of each credit at every table of somebody against the house."""
    rng = Rng.of(f"{seed} {type(game).__name__}")
    return [1 + play(game, [opening], {_ANN: strategy}, rng).changed[_ANN] / LARGE for _ in range(tables)]


def _pots(seed: str, tables: int) -> Iterator[Return]:
    yield _pot(
        "Chicken Poker", ChickenPoker(), JoinChicken, chickenpoker.KIT.programs.strategies, seed, tables
    )
    yield _pot("Poker Market", PokerMarket(), JoinMarket, pokermarket.KIT.programs.strategies, seed, tables)


def _pot(
    name: str,
    game: AnyGame,
    join: Callable[[Seat, None, int], object],
    strategies: Mapping[str, Strategy],
    seed: str,
    tables: int,
) -> Return:
    """Play for pots, each strategy against the others; nothing comes from the house or goes there."""
    rng = Rng.of(f"{seed} {name}")
    players = {Seat(f"people:{each}"): strategy for each, strategy in strategies.items()}
    opening = [join(seat, None, LARGE) for seat in players]
    total = sum(sum(play(game, opening, players, rng).changed.values()) for _ in range(tables))
    share = 1 + total / (tables * len(players) * LARGE)
    return Return(name, "all strategies at one table", tables, 1.0, share, 0.0 if total else 1.0)


# How likely it is


def binomial(wins: int, tries: int, chance: float) -> float:
    """Tell how likely a count is that lies as far out, on either side, exactly."""
    if not 0 < chance < 1:
        return 1.0 if wins == tries * chance else 0.0
    low = _cumulated(range(wins + 1), tries, chance)
    high = _cumulated(range(wins, tries + 1), tries, chance)
    return min(1.0, 2 * min(low, high))


def _cumulated(counts: range, tries: int, chance: float) -> float:
    choices = lgamma(tries + 1)
    return fsum(
        exp(
            choices
            - lgamma(each + 1)
            - lgamma(tries - each + 1)
            + each * log(chance)
            + (tries - each) * log1p(-chance)
        )
        for each in counts
    )


def deviation(changes: Sequence[int], chances: Mapping[int, Fraction]) -> float:
    """Bound how likely a mean is that lies as far out, on either side, of independent draws (Chernoff).

    The bound holds for every number of draws and every distribution; it is 1 where nothing can differ.
    """
    assert set(changes) <= set(chances), "the tables had what cannot be"
    mean, spread = fmean(changes), max(chances) - min(chances)
    if not spread:
        return 1.0
    scaled = [((each - mean) / spread, float(chance)) for each, chance in chances.items()]
    side = -1 if fsum(each * chance for each, chance in scaled) > 0 else 1  # of the mean that is to be found

    def rate(tilt: float) -> float:
        return -log(fsum(chance * exp(side * tilt * each) for each, chance in scaled))

    low, high = 0.0, STEEPEST
    for _ in range(100):  # the rate is concave: a third of the range is left out each time
        third = (high - low) / 3
        if rate(low + third) < rate(high - third):
            low += third
        else:
            high -= third
    return min(1.0, 2 * exp(-len(changes) * max(rate(low), 0.0)))


def _above(shares: Sequence[float], most: float) -> float:
    """Tell how likely a mean so far above is, where it is at most this; payouts lie between 0 and 2."""
    spread = stdev(shares) / sqrt(len(shares))
    return 1.0 if fmean(shares) <= most or not spread else erfc((fmean(shares) - most) / spread / sqrt(2)) / 2
