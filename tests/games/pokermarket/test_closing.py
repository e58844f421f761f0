"""How a market closes: places, points, ties by turn, shares of the pot, and the swap that nobody proposed."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.games.pokermarket.rules.market import points
from chatbot.games.pokermarket.rules.moves import Accept, Decline, Missed, Offer, Ranked
from chatbot.games.pokermarket.rules.rules import divided
from chatbot.kernel.cards import rank
from chatbot.kernel.game import SystemPurse
from tests.games.pokermarket.table import ACES, ANN, BOB, CAT, DAN, JUNK, KINGS, SIXES, Table, cards


def ended(table: Table) -> Ranked:
    (event,) = table.finished().of(Ranked)
    return event


# Places and points


def test_the_best_hand_scores_as_many_points_as_there_are_players_and_the_worst_one() -> None:
    event = ended(Table().dealt(KINGS, SIXES, JUNK, ACES))
    assert [(each.seat, each.rank, each.points) for each in event.places] == [
        (DAN, 1, 4), (ANN, 2, 3), (BOB, 3, 2), (CAT, 4, 1),
    ]  # fmt: skip
    assert event.places[1].hand == ("KD", "KS", "9H", "7C", "5H")


def test_of_equal_hands_the_later_turn_is_better() -> None:
    # Both have a pair of eights with an ace, a queen and a four; suits count for nothing.
    equal = ("8S 8H AC QD 4S", "8D 8C AH QS 4H")
    event = ended(Table().dealt(*equal, JUNK.replace("8C", "7C").replace("QS", "JS").replace("4D", "3D")))
    assert [each.seat for each in event.places] == [BOB, ANN, CAT]
    turned = ended(Table().dealt(*reversed(equal)))
    assert [each.seat for each in turned.places] == [BOB, ANN]


@given(st.lists(st.integers(0, 7461), min_size=2, max_size=10))
def test_points_are_one_more_than_the_hands_that_a_seat_is_better_than(ranks: list[int]) -> None:
    standings = list(zip(ranks, range(len(ranks)), strict=True))  # the later turn decides
    assert list(points(ranks)) == [1 + sum(each < own for each in standings) for own in standings]


@pytest.mark.parametrize("order", list(permutations((KINGS, SIXES, JUNK))))
def test_points_go_with_the_hands_whatever_the_seats(order: tuple[str, ...]) -> None:
    scored = dict(zip(order, points([rank(cards(hand)) for hand in order]), strict=True))
    assert scored == {KINGS: 3, SIXES: 2, JUNK: 1}


# The pot


@pytest.mark.parametrize(
    ("pot", "scored", "shares"),
    [
        (0, (2, 1), (0, 0)),
        (3, (2, 1), (2, 1)),
        (100, (2, 1), (67, 33)),  # 66 2/3 and 33 1/3
        (60, (1, 2, 3), (10, 20, 30)),
        (3, (1, 2, 3), (0, 1, 2)),  # 1/2, 1 and 1 1/2: of equal remainders the one with more points
        (2, (1, 2, 3), (0, 1, 1)),  # 1/3, 2/3 and 1
        (50, (1, 2, 3, 4), (5, 10, 15, 20)),
        (1, (1, 2, 3, 4), (0, 0, 0, 1)),  # 1/10 to 4/10
    ],
)
def test_the_pot_is_divided_in_proportion_to_points_largest_remainders_first(
    pot: int, scored: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    assert divided(pot, scored) == shares


@given(
    pot=st.integers(0, 10**16), scored=st.integers(2, 10).flatmap(lambda n: st.permutations(range(1, n + 1)))
)
def test_the_shares_of_any_pot_sum_to_it_and_are_within_one_credit_of_the_exact_ones(
    pot: int, scored: list[int]
) -> None:
    shares = divided(pot, scored)
    assert sum(shares) == pot
    total = sum(scored)
    exact = [Fraction(pot * each, total) for each in scored]
    assert all(abs(share - each) < 1 for share, each in zip(shares, exact, strict=True))
    by_points = [share for _, share in sorted(zip(scored, shares, strict=True))]
    assert by_points == sorted(by_points), "more points never get less"


def test_the_pot_is_paid_out_at_the_end_to_the_last_credit() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK, stake=7)
    event = ended(table)
    # 21 credits for 3, 2 and 1 of 6 points: 10 1/2, 7 and 3 1/2; the half goes to the better one
    assert [each.credits for each in event.places] == [11, 7, 3]
    assert table.purses == {ANN: 11 - 7, BOB: 7 - 7, CAT: 3 - 7, SystemPurse.POT: 0}


def test_a_share_of_nothing_is_no_transfer() -> None:
    table = Table().dealt(KINGS, SIXES, JUNK, ACES, stake=1)
    # 4 credits for 4, 3, 2 and 1 of 10 points: 1.6, 1.2, 0.8 and 0.4
    assert [each.credits for each in ended(table).places] == [2, 1, 1, 0]
    assert table.purses[CAT] == -1


# The swap that nobody proposed

# Ann has kings and could have a third for the jack that gives Bob two pair.
TRIPS = ("KS KD JH 7C 5H", "KH JC 6S 6D 3C", "AS AD TH 8H 2C")
SWAP = Missed(Offer(ANN, "JH", "KH", BOB), 1, ("KD", "KH", "KS", "7C", "5H"), ("JC", "JH", "6D", "6S", "3C"))


def test_the_best_swap_that_nobody_proposed_is_told() -> None:
    assert ended(Table().dealt(*TRIPS, rounds=2)).missed == SWAP


def test_what_was_proposed_was_not_missed_whoever_proposed_it_and_whatever_was_answered() -> None:
    table = Table().dealt(*TRIPS)
    table.propose("JH", "KH")
    table.act(Decline(BOB))
    assert ended(table).missed != SWAP
    other = Table().dealt(*TRIPS)
    other.passed()
    other.propose("KH", "JH")
    other.act(Accept(ANN))
    missed = ended(other).missed
    assert missed is None or missed.offer.give != "JH"


def test_nothing_was_missed_where_no_swap_makes_both_better() -> None:
    # Whoever gave one of four away would have less, and of the kickers only one can get the better one.
    assert ended(Table().dealt("AS AH AD AC KS", "QS QH QD QC JS")).missed is None


def test_a_swap_that_would_lift_nobody_is_not_told() -> None:
    # A two for a four would give Ann two pair and Bob one, but she is first before it and after it.
    assert ended(Table().dealt("AS AH 7D 4C 2H", "9C 5H 4D 3S 2S")).missed is None
