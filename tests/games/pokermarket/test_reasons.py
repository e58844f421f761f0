"""Why the house declines, worked by hand."""

from __future__ import annotations

import pytest

from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.games.pokermarket.rules.moves import Reason
from chatbot.games.pokermarket.rules.rules import reason
from chatbot.kernel.cards import parse
from tests.games.pokermarket.table import cards


@pytest.mark.parametrize(
    ("own", "theirs", "swap", "why"),
    [
        # The asked one would give a king of its pair away.
        ("2H 3H 4S 5S 9C", "KS KD 7H 8C TC", "9C KS", Reason.WORSE),
        # The asked one would get a pair of fours, and the other a pair of aces.
        ("AS 4H 6D 7C 9C", "AD 4S 8H TC QC", "4H AD", Reason.OVERTAKEN),
        # Only suits change: a nine for a nine.
        ("2H 3H 4S 6S 9C", "KS KD 7H 8C 9S", "9C 9S", Reason.NOTHING),
        # The ten for the eight: better by a kicker, and it is ahead before and after.
        ("2H 3H 4S 6S TC", "KS KD 7H 8C QC", "TC 8C", Reason.PATIENT),
        # It is behind before and after: nobody comes to stand before it.
        ("KS KD 7H 8C TC", "2H 3H 4S 6S 9C", "TC 2H", Reason.PATIENT),
    ],
)
def test_the_plainest_reason_is_given(own: str, theirs: str, swap: str, why: Reason) -> None:
    give, take = map(parse, swap.split())
    market = Market((cards(own), cards(theirs)), 1)
    assert reason(market, Swap(0, give, 1, take)) is why
