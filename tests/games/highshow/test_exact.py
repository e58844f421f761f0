"""The exact values are those of an enumeration over all decks and all orders of drawing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from chatbot.games.highshow.rules.terms import Penalty, PenaltyKind, Terms, read_penalty
from chatbot.games.highshow.solver.exact import ExactMeasure, ValueTable
from tests.games.highshow import brute

if TYPE_CHECKING:
    from collections.abc import Iterator

CHOSEN = ["linear=1/2", "linear=7", "turn=1/3", "turn=0", "value=2", "value=0.05", "turnvalue=1/50"]
PENALTIES = [*(kind.value for kind in PenaltyKind), *CHOSEN]


@pytest.mark.slow
@pytest.mark.parametrize("text", PENALTIES)
@pytest.mark.parametrize("cards", range(2, 7))
def test_the_value_is_that_of_all_decks_and_orders(cards: int, text: str) -> None:
    penalty = read_penalty(text)
    after = brute.values(penalty.kind.value, penalty.parameter, cards)
    for keep in range(1, cards):
        assert ValueTable(Terms(cards, keep, penalty)).value((), keep) == after(frozenset(), keep)


@pytest.mark.parametrize("text", ["none", "linear", "turn", "value", "turnvalue"])
def test_every_situation_has_the_value_of_all_decks_and_orders(text: str) -> None:
    penalty = read_penalty(text)
    after = brute.values(penalty.kind.value, penalty.parameter, 5)
    table = ValueTable(Terms(5, 3, penalty), whole=True)
    for seen in situations(5):
        for needed in range(max(0, 3 - len(seen)), min(3, 5 - len(seen)) + 1):
            assert table.value(seen, needed) == after(seen, needed), (seen, needed)


def situations(cards: int) -> Iterator[frozenset[int]]:
    """All sets of one card or more that some deck has."""
    for lowest in range(1, 3 * cards + 1):
        for chosen in range(1, 1 << cards):
            yield frozenset(lowest + place for place in range(cards) if chosen >> place & 1)


def test_two_cards_are_worth_what_can_be_worked_out_by_hand() -> None:
    # K is 1..6, and K or K + 1 comes first. A card c of 2 to 6 comes as often from K = c as from K = c - 1,
    # so that another makes (c + 1 + c - 1) / 2 = c on average: no gain. After a 7 it is surely a 6: no.
    # After a 1 it is surely a 2: of 12 beginnings, this one gains 1 over the mean card, which is 4.
    assert ValueTable(Terms(2, 1, Penalty(PenaltyKind.NONE))).value((), 1) == 4 + Fraction(1, 12)


def test_a_known_value_is_found() -> None:
    assert ValueTable(Terms(5, 2, Penalty(PenaltyKind.LINEAR))).value((), 2) == Fraction(14951, 720)


def test_large_numbers_are_counted_as_exactly_as_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms(9, 3, read_penalty("turnvalue=1/7"))
    quick = ValueTable(terms).value((), 3)
    monkeypatch.setattr(ExactMeasure, "fits", lambda self, seen, together: False)
    assert ValueTable(terms).value((), 3) == quick


@pytest.mark.parametrize(
    "text", ["linear=1/999999", "linear=999999", "value=999999.999999", "turnvalue=999999/999998"]
)
def test_no_parameter_is_too_long_for_exact_values(text: str) -> None:
    penalty = read_penalty(text)
    after = brute.values(penalty.kind.value, penalty.parameter, 5)
    assert ValueTable(Terms(5, 2, penalty)).value((), 2) == after(frozenset(), 2)


@pytest.mark.slow
def test_where_the_rate_is_tiny_it_costs_about_as_much_as_cards_are_rejected() -> None:
    """The orders of 16 cards, times the denominator, are more than 64 bits hold: a wrong carry would show."""
    free = ValueTable(Terms(16, 1, Penalty(PenaltyKind.NONE))).value((), 1)
    rate = Fraction(1, 999999)
    charged = ValueTable(Terms(16, 1, Penalty(PenaltyKind.LINEAR, rate))).value((), 1)
    assert 0 < free - charged < 15 * rate  # the same play rejects 15 cards at most
