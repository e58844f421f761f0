"""What comes back of a stake in the long run, as exact numbers of the settings; see `chat/odds.py`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.heist.rules import arithmetic
from chatbot.games.heist.rules.arithmetic import LOAN

if TYPE_CHECKING:
    from chatbot.games.heist.rules.rules import Heist


def returns(game: Heist) -> list[Fraction]:
    """List what comes back at each bank to a newcomer for each credit, before rounding down."""
    return [chance * gross + _wage(game) for chance, gross in offers(game)]


def careers(game: Heist) -> list[Fraction]:
    """List what comes back at each bank to whoever has the best career that the bounds allow."""
    return [_best(game, chance, gross) + _wage(game) for chance, gross in offers(game)]


def alone(game: Heist) -> list[Fraction]:
    """List what comes back at each bank to somebody who goes all in on a loan that goes by the stake."""
    if not game.getaway or not game.bounds.staked_wages:
        return [Fraction(0) for _ in offers(game)]
    lent = 1 + Fraction(game.wage_percent, 100)
    if game.all_in_gross:
        return [_best(game, chance, gross) * lent for chance, gross in offers(game)]
    return [chance * (gross - 1) * lent for chance, gross in offers(game)]


def _best(game: Heist, chance: Fraction, gross: Fraction) -> Fraction:
    """Return the highest product of own probability and gross payout; a newcomer's if nothing bounds it."""
    if not game.getaway:
        return chance * gross
    points, more, percent = map(Fraction, (game.chance_most, game.odds_most, game.return_most))
    return arithmetic.most_return(chance, gross, points, more, percent)


def offers(game: Heist) -> list[tuple[Fraction, Fraction]]:
    """List each bank's probability and gross payout."""
    rows = zip(game.chances, game.odds, strict=True)
    return [(Fraction(chance) / 100, 1 + Fraction(odds)) for chance, odds in rows]


def _wage(game: Heist) -> Fraction:
    """Return the wage for each credit of a stake, of those who stay."""
    return Fraction(game.wage_percent, 100) if game.payday else Fraction(0)


def gift(game: Heist) -> Fraction:
    """Tell what comes back of the smallest stake of somebody who goes all in; 0 where it costs a salary."""
    if game.payday or not game.getaway or game.bounds.staked_wages:
        return Fraction(0)
    best = max(chance * (gross if game.all_in_gross else gross - 1) for chance, gross in offers(game))
    return best * (game.min_stake + LOAN) / game.min_stake


def bounded(game: Heist) -> bool:
    """Whether careers are bounded, so that there is a best one; without a getaway there are none."""
    return not game.getaway or bool(game.return_most or (game.odds_most and game.chance_most))


def most_with_bonus(game: Heist) -> Fraction:
    """Return the most that comes back to whoever has the highest bonus of a role, with all else at its best.

    The bonus is paid with the highest probability that guards can come to, which may be more than the best
    career has: so it is an upper bound.
    """
    bonus = Fraction(max(game.bonuses.values(), default=0)) / 100
    lent = 1 + Fraction(game.wage_percent, 100) if game.bounds.staked_wages else Fraction(1)
    most = Fraction(0)
    for (chance, _), career, lone in zip(offers(game), careers(game), alone(game), strict=True):
        extra = _most_chance(game, chance) * bonus
        most = max(most, career + extra, lone + extra * lent if lone else lone)
    stakes = Fraction(game.min_stake + LOAN, game.min_stake)
    return max(most, gift(game) + bonus * stakes if gift(game) else most)


def _most_chance(game: Heist, chance: Fraction) -> Fraction:
    """Return how high guards can raise a probability."""
    if not game.getaway:
        return chance
    return min(chance + Fraction(game.chance_most) / 100, Fraction(1)) if game.chance_most else Fraction(1)
