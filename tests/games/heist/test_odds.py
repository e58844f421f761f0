"""The odds that the heist publishes are those of its dice."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from statistics import fmean, pstdev

import pytest

from chatbot.games.heist import KIT
from chatbot.games.heist.chat.odds import odds
from chatbot.games.heist.rules.arithmetic import LOAN, SALARY, gain
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.settings import PRESETS
from chatbot.kernel.commands import TopicRequest
from chatbot.kernel.fair import Rng
from chatbot.kernel.say import Credits, Listing, Message
from chatbot.kernel.settings import make
from tests.games.heist.table import ANN, UNPAID, crowd, gather

STAKE, HEISTS = 1000, 400
IN_REACH = (1, 2, 3, 4, 5)  # levels: so many heisters rob each bank


def returns(game: Heist, crew: int, stake: int, act: Act | None = None) -> list[float]:
    """Play heists, and list what came back for each credit that somebody put in."""
    rng, back = Rng.of(f"odds of {crew}"), []
    for _ in range(HEISTS):
        seats = crowd(crew)
        table = gather(
            seats, game=game, stakes=dict.fromkeys(seats, stake), purses=dict.fromkeys(seats, stake)
        )
        table.tick(rng)
        if act is not None:
            table.answer(seats[0], act)
        table.tick(rng)
        table.tick(rng)
        back += [table.purse(seat) / stake for seat in seats]
    return back


def as_published(returned: list[float], back: Fraction) -> bool:
    """Whether a mean is within four of its standard errors."""
    return abs(fmean(returned) - float(back)) <= 4 * pstdev(returned) / sqrt(len(returned))


# .54 × 1.8; .488 × 2.1; .425 × 2.3; .387 × 2.65; .324 × 2.95
BACK = ["0.972", "1.0248", "0.9775", "1.02555", "0.9558"]


@pytest.mark.slow
@pytest.mark.parametrize(("bank", "back"), [*enumerate(BACK)])
def test_what_comes_back_at_a_bank_is_what_is_published(bank: int, back: str) -> None:
    game = replace(UNPAID, levels=IN_REACH)
    assert as_published(returns(game, bank + 1, STAKE), Fraction(back))
    row = odds(game).rows[0].args["banks"]
    assert isinstance(row, Listing)
    assert row.items[bank].args["back"] == float(round(100 * Fraction(back), 1))


def test_the_best_bank_is_what_the_house_pays_back() -> None:
    assert odds(Heist()).back == Fraction("1.02555")
    assert odds(make(Heist, PRESETS["deepbot"])).back == Fraction("0.891")  # .324 × 2.75


def test_without_salaries_the_loan_of_who_goes_all_in_is_a_gift_and_published_as_one() -> None:
    # The fourth bank pays it best: .387 × 1.65 = .63855 for each of 10 + 240 credits, so × 25 for each of 10.
    assert odds(replace(UNPAID, min_stake=10)).back == Fraction("15.96375")
    game = replace(UNPAID, levels=(1, 200, 400, 600, 800))
    # At the first bank it is .54 × .8 = .432 for each of 1 + 240 credits.
    assert as_published(returns(game, 1, 1, Act.ALL_IN), Fraction("104.112"))


def offers(game: Heist) -> list[tuple[Fraction, Fraction]]:
    pairs = zip(game.chances, game.odds, strict=True)
    return [(Fraction(chance), Fraction(odd)) for chance, odd in pairs]


def test_the_gift_is_told_only_where_there_is_one() -> None:
    told = {each.id for each in odds(UNPAID).rows}
    assert "heist-odds-gift" in told
    for game in (Heist(), replace(UNPAID, getaway=0)):
        assert "heist-odds-gift" not in {each.id for each in odds(game).rows}


@pytest.mark.parametrize("stake", range(1, 21))
def test_no_small_stake_brings_more_than_is_published(stake: int) -> None:
    game, back = Heist(), odds(Heist()).back
    assert back is not None
    for (chance, _), bank in zip(offers(game), game.banks, strict=True):
        assert chance / 100 * (stake + gain(stake, bank.odds)) <= back * stake
        # Who goes all in gives the salary of that heist away as well.
        assert chance / 100 * gain(stake + LOAN, bank.odds) <= back * (stake + SALARY)


def test_the_topic_says_what_is_published() -> None:
    told = odds(Heist())
    assert KIT.chat.topics["odds"](Heist(), TopicRequest(ANN, 0)) == (told.short, *told.rows, *told.more)
    assert told.more == (Message("heist-odds-answers", {"loan": Credits(240)}),)
