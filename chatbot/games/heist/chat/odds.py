"""What the heist publishes of its odds, as exact numbers of the settings.

What comes back is that of somebody who goes along at the best of the five banks, as long as nobody backs
out: what the bank pays, and the wage where wages go by the stake. Guards and intel better somebody's own
odds at the price of salaries and winnings. Where a room bounds them, the best that a career can come to
counts; without bounds there is no best, and a newcomer's odds count. Crossers and snitches take what others
won (the rabble's winnings too, which the house then pays): that is not the house's offer to all, so it does
not count here.

Going all in is paid on a loan as well, which the house never asks back. By the contest's rules it is 240
credits and costs the salary of that heist, 240 credits as well, so it is worth less than going along. Where
no salaries are paid, that loan is a gift, and the smaller the stake, the more of it comes back: there it
counts, for the smallest stake that is allowed by somebody who has nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.rules.arithmetic import LOAN
from chatbot.games.heist.rules.returns import alone, bounded, careers, gift, most_with_bonus, offers, returns
from chatbot.kernel.kit import Odds, generous, percent
from chatbot.kernel.say import Arguments, Credits, Listing, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.games.heist.rules.banks import Bank
    from chatbot.games.heist.rules.rules import Heist


def odds(game: Heist, banks: tuple[Bank, ...] | None = None) -> Odds:
    """Publish each bank's chance, gross payout and expected return.

    `banks` are those of a table, or of a room with so many active; without them, levels that are shares of
    the active are told as shares.
    """
    listing = Listing(tuple(_rows(game, banks)), separator="; ")
    rows = Message("heist-odds", {"banks": listing, "daunting": int(game.daunting)})
    back = max(*returns(game), *careers(game), *alone(game), gift(game), most_with_bonus(game))
    return Odds((rows, *_notes(game)), back)


def _notes(game: Heist) -> Iterator[Message]:
    if generous(max(returns(game))):
        yield Message("heist-odds-generous")
    if game.getaway:
        yield _answers(game)
    if game.bounds.staked_wages and game.payday:
        yield Message("heist-odds-wage", {"percent": game.wage_percent, "most": game.wage_most})
    if game.getaway and bounded(game):
        yield Message("heist-odds-careers", {"back": percent(max(*returns(game), *careers(game)))})
    if game.bonuses:
        rows = [
            Message(
                "heist-odds-bonus-row", {"role": Message(f"role-{role.value}"), "percent": float(percent_)}
            )
            for role, percent_ in game.bonuses.items()
        ]
        yield Message(
            "heist-odds-bonus", {"rows": Listing(tuple(rows)), "back": percent(most_with_bonus(game))}
        )
    if gift(game):
        yield Message("heist-odds-gift", {"stake": Credits(game.min_stake), "back": percent(gift(game))})


def _answers(game: Heist) -> Message:
    """Say what the answers are about that take from others, and all in."""
    if not (game.cross_percent and game.cross_stakes and game.cross_loyal and game.finger_stakes):
        lent = game.bounds.staked_wages
        return Message("heist-odds-lent") if lent else Message("heist-odds-answers", {"loan": Credits(LOAN)})
    args: Arguments = {
        "loyal": game.cross_loyal,
        "percent": game.cross_percent,
        "stakes": float(game.cross_stakes),
        "fine": game.finger_stakes,
    }
    return Message("heist-odds-bounded", args)


def _rows(game: Heist, banks: tuple[Bank, ...] | None) -> Iterator[Message]:
    """Tell each bank, and from how many heisters on it is robbed, or from what share of those active."""
    levels = [each.level for each in banks] if banks else game.levels
    figures = zip(levels, game.chances, game.odds, offers(game), strict=True)
    for number, (level, chance, odds, (probability, gross)) in enumerate(figures):
        share = int(level.removesuffix("%")) if isinstance(level, str) else 0
        yield Message(
            "heist-odds-row",
            {
                "bank": Message(f"heist-bank-{number}"),
                "level": max(level, 1) if isinstance(level, int) else 1,
                "share": share,
                "chance": float(chance),
                "payout": float(1 + odds),
                "back": percent(probability * gross),
            },
        )
