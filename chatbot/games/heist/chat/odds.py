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

`!odds heist` tells the banks, and what each answer returns in one situation, by every way the dice can fall
(`rules/answers.py`); what bounds the answers is for `!heist odds`. Where the rabble come, or a fine goes by
the wallet, no situation says enough, and the answers are described instead.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.heist.rules.answers import CREW, MIDDLE, CrewAtBank, comes_back, enumerable
from chatbot.games.heist.rules.arithmetic import LOAN
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.returns import alone, bounded, careers, gift, most_with_bonus, offers, returns
from chatbot.kernel.odds import Odds, generous, percent
from chatbot.kernel.say import Arguments, Credits, Listing, Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.heist.rules.banks import Bank
    from chatbot.games.heist.rules.rules import Heist

CROSSED = Act.GUNCHECK, Act.DEPOSIT, Act.FINGER, Act.DOUBLE_CROSS
"""The answers that are told of beside a double-crosser, who takes from some of them and not from others."""


def odds(game: Heist, banks: tuple[Bank, ...] | None = None) -> Odds:
    """Publish each bank's chance, gross payout and expected return.

    `banks` are those of a table, or of a room with so many active; without them, levels that are shares of
    the active are told as shares.
    """
    listing = Listing(tuple(_rows(game, banks)), separator="; ")
    rows = Message("heist-odds", {"banks": listing, "daunting": int(game.daunting and game.getaway > 0)})
    back = max(*returns(game), *careers(game), *alone(game), gift(game), most_with_bonus(game))
    exact = partial(_exact, game) if enumerable(game) else None
    return Odds((rows, *_notes(game)), back, exact, tuple(_bounds(game)), _short(game))


def _short(game: Heist) -> Message:
    """Tell the chance and the payout of each bank, and what comes back, in one line with what it warns of."""
    figures = zip(game.chances, game.odds, strict=True)
    banks = tuple(
        Message(
            "heist-odds-short-row",
            {"bank": Message(f"heist-bank-{number}"), "chance": float(chance), "payout": float(1 + odds)},
        )
        for number, (chance, odds) in enumerate(figures)
    )
    back = sorted(percent(probability * gross) for probability, gross in offers(game))
    args: Arguments = {"banks": Listing(banks), "least": back[0], "most": back[-1]}
    messages = (Message("heist-odds-short", args), *_notes(game))
    return Message("word", {"word": Listing(messages, separator=" ")})


def _exact(game: Heist) -> Sequence[Message]:
    """Tell what each answer returns in a usual crew: where all others stick, or all but one."""
    at = CrewAtBank(CREW, MIDDLE, game.usual_stake)
    args: Arguments = {
        "crew": at.crew,
        "bank": Message(f"heist-bank-{at.bank}"),
        "stake": Credits(at.stake),
        "waged": int(game.bounds.staked_wages and game.payday),
        "alone": _returned(game, at, Act.GUNCHECK, tuple(Act)),
        "snitch": _returned(game, at, Act.FINGER, (Act.DOUBLE_CROSS,)),
        "crosser": _returned(game, at, Act.DOUBLE_CROSS, CROSSED),
    }
    return [Message("heist-odds-exact", args)]


def _returned(game: Heist, at: CrewAtBank, other: Act, acts: Sequence[Act]) -> Listing:
    """List what answers return beside another one, the best first, those that return the same together."""
    words: dict[float, list[Message]] = {}
    for act in acts:
        word = Message("word", {"word": f"!{act.value}"})
        words.setdefault(percent(comes_back(game, at, act, other)), []).append(word)
    rows = [
        Message("heist-odds-exact-row", {"words": Listing(tuple(words[back]), separator=" "), "back": back})
        for back in sorted(words, reverse=True)
    ]
    return Listing(tuple(rows))


def _notes(game: Heist) -> Iterator[Message]:
    """Say what belongs to the figures of the banks."""
    if generous(max(returns(game))):
        yield Message("heist-odds-generous")
    if game.house_players and game.house_stakes:
        yield Message("heist-odds-house")
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


def _bounds(game: Heist) -> Iterator[Message]:
    """Say what bounds answers and careers."""
    if game.getaway:
        yield _answers(game)
    if game.bounds.staked_wages and game.payday:
        yield Message("heist-odds-wage", {"percent": game.wage_percent, "most": game.wage_most})
    if game.getaway and bounded(game):
        yield Message("heist-odds-careers", {"back": percent(max(*returns(game), *careers(game)))})


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
