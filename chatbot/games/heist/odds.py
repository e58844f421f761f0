"""What the heist publishes of its odds, as exact numbers of the settings.

What comes back is that of a newcomer who goes along, as long as nobody backs out, at the best of the five
banks. Guards and intel better somebody's own odds later, at the price of salaries and winnings; crossers
and snitches take what others won (the rabble's winnings too, which the house then pays): neither is the
house's offer to all, so neither counts here.

Going all in is paid on what one has and on 240 credits more, which the house lends and never asks back. It
costs the salary of that heist, 240 credits as well, so it is worth less than going along. Where no salaries
are paid, that loan is a gift, and the smaller the stake, the more of it comes back: there it counts, for
the smallest stake that is allowed by somebody who has nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.heist.raid import LOAN
from chatbot.kernel.odds import Odds, generous, percent
from chatbot.kernel.say import Credits, Listing, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.heist.rules import Heist


def odds(game: Heist) -> Odds:
    """Publish each bank's chance, gross payout and expected return."""
    banks = Message("heist-odds", {"banks": Listing(tuple(_rows(game)), separator="; ")})
    back = max(*_returns(game), _gift(game))
    return Odds((banks, *_notes(game)), back)


def _notes(game: Heist) -> Iterator[Message]:
    if generous(max(_returns(game))):
        yield Message("heist-odds-generous")
    if game.getaway:
        yield Message("heist-odds-answers", {"loan": Credits(LOAN)})
    if _gift(game):
        yield Message("heist-odds-gift", {"stake": Credits(game.min_stake), "back": percent(_gift(game))})


def _returns(game: Heist) -> list[Fraction]:
    """List what comes back at each bank for each credit, before rounding down."""
    return [
        Fraction(chance) / 100 * (1 + Fraction(odds))
        for chance, odds in zip(game.chances, game.odds, strict=True)
    ]


def _gift(game: Heist) -> Fraction:
    """Tell what comes back of the smallest stake of somebody who goes all in; 0 where it costs a salary."""
    if game.payday or not game.getaway:
        return Fraction(0)
    offers = zip(game.chances, game.odds, strict=True)
    best = max(Fraction(chance) / 100 * Fraction(odds) for chance, odds in offers)
    return best * (game.min_stake + LOAN) / game.min_stake


def _rows(game: Heist) -> Iterator[Message]:
    figures = zip(game.banks, game.chances, game.odds, _returns(game), strict=True)
    for number, (bank, chance, odds, back) in enumerate(figures):
        yield Message(
            "heist-odds-row",
            {
                "bank": Message(f"heist-bank-{number}"),
                "level": max(bank.level, 1),
                "chance": float(chance),
                "payout": float(1 + odds),
                "back": percent(back),
            },
        )
