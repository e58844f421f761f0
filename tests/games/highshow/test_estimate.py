"""Large decks: closed forms against enumeration, and what the approximation may never get wrong."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chatbot.games.highshow.rules.terms import Penalty, PenaltyKind, Terms
from chatbot.games.highshow.solver import solver
from chatbot.games.highshow.solver.estimate import Estimate, Toll, both, bounds, shuffles, value
from chatbot.games.highshow.solver.remaining import (
    Cost,
    RemainingWorth,
    Unseen,
    narrowed,
    profit,
    settled_worth,
    several,
    typical,
    unseen,
)
from tests.games.highshow.brute import Cards, decks, rate, times, values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KINDS = [pytest.param(Penalty(kind), id=kind.value) for kind in PenaltyKind]
SMALL_REGRET = 0.02  # points, where a rank is a point


# With K known


@pytest.mark.parametrize("kind", PenaltyKind)
@pytest.mark.parametrize(("needed", "good"), [(1, 1), (1, 3), (2, 2), (2, 4), (3, 5)])
def test_keeping_the_best_q_brings_the_mean_over_all_orders(
    kind: PenaltyKind, needed: int, good: int
) -> None:
    left, turn = [3, 4, 8, 9, 11], 6  # as after six cards
    cost = Cost(kind, level=0.7, slope=0.0)
    orders = [taken(kind, order, set(left[-good:]), needed, turn) for order in permutations(left)]
    kept, rest = (float(np.mean(part)) if part else 0.0 for part in (left[-good:], left[:-good]))
    found = profit(
        cost, 0.7, turn, len(left), needed, np.array([float(good)]), np.array([kept]), np.array([rest])
    )
    assert found[0] == pytest.approx(np.mean(orders))


def taken(kind: PenaltyKind, order: Sequence[int], good: set[int], needed: int, turn: int) -> float:
    total = 0.0
    for place, card in enumerate(order, start=turn + 1):
        if not needed:
            break
        total += card if card in good else -0.7 * times(kind.value, place, card)
        needed -= card in good
    return total


@pytest.mark.parametrize("penalty", KINDS)
def test_a_card_that_goes_leaves_at_most_what_the_others_bring(penalty: Penalty) -> None:
    terms, seen = Terms(12, 4, penalty), [8, 13, 16]
    lowest, starts = narrowed(terms, seen)
    row = unseen(terms, seen, lowest, starts)
    common, needed = row[starts - 1 : len(row) - starts + 1], np.arange(4.0)
    cost = Cost.of(terms)
    found = Unseen.of(cost, lowest, starts, 4, row).without(common, needed)
    for card, line in zip(common, found, strict=True):
        fewer = Unseen.of(cost, lowest, starts, 4, row[row != card]).bests(needed)
        assert np.all(line <= fewer + 1e-9)
        if penalty.kind is PenaltyKind.NONE:  # the q best are the m best, whatever goes
            assert line == pytest.approx(fewer)


def test_the_cards_left_are_windows_of_one_row() -> None:
    terms = Terms(5, 2, Penalty(PenaltyKind.NONE))
    lowest, starts = narrowed(terms, [6, 8])
    assert (lowest, starts) == (4, 3)  # K is 4, 5 or 6
    assert unseen(terms, [6, 8], lowest, starts).tolist() == [4, 5, 7, 9, 10]  # 4 5 7, or 5 7 9, or 7 9 10
    assert typical(terms, 2, lowest, starts).tolist() == [4, 5, 7, 9, 10]  # nothing else fits either


def test_the_highest_card_is_waited_for_when_waiting_is_free_and_k_is_known() -> None:
    estimate = Estimate(Terms(30, 1, Penalty(PenaltyKind.NONE)))
    assert estimate.advise([11, 40, 20], 38, 1) == (38, 39)


def test_two_cards_are_as_likely_the_lower_and_the_higher() -> None:
    estimate = Estimate(Terms(2, 1, Penalty(PenaltyKind.LINEAR, Fraction(1, 4))))
    assert estimate.advise([], 3, 1) == pytest.approx((3, 3 - 0.25))  # the other is 2 or 4
    assert estimate.advise([], 1, 1) == pytest.approx((1, 2 - 0.25))  # K = 1: the other is 2
    assert estimate.advise([], 7, 1) == pytest.approx((7, 6 - 0.25))  # K = 6, the last that may be


@pytest.mark.parametrize("kind", [PenaltyKind.VALUE, PenaltyKind.TURNVALUE])
@pytest.mark.parametrize("lowest", [1, 180])
def test_what_remains_where_one_k_is_left_is_worth_what_it_is_with_that_k(
    kind: PenaltyKind, lowest: int
) -> None:
    """What is between the levels of K that have tables is interpolated; the ends of K have their own."""
    terms = Terms(60, 5, Penalty(kind))
    assert terms.highest_start == 180
    remaining, turn = RemainingWorth(terms), 10
    needed = remaining.columns(turn)
    (found,) = remaining.look(turn, np.array([float(lowest)]), np.array([1.0]))
    known = settled_worth(Cost.of(terms), terms.cards, turn, needed, lowest)
    assert found == pytest.approx(known + lowest * needed)
    assert (remaining._levels[0], remaining._levels[-1]) == (1, 180)


# What may never go wrong


@pytest.mark.parametrize(
    ("cards", "penalty"),
    [(40, Penalty(kind)) for kind in PenaltyKind]
    + [(1000, Penalty(PenaltyKind.NONE)), (1000, Penalty(PenaltyKind.TURN))],
)
@pytest.mark.slow
def test_the_same_question_has_the_same_answer_whatever_was_asked_before(
    cards: int, penalty: Penalty
) -> None:
    terms = Terms(cards, 5, penalty)
    (deck,) = shuffles(terms, 1, "order")
    turns = [0, 3, 30, cards // 2]
    asked, again = Estimate(terms), Estimate(terms)
    forwards = [asked.advise(deck[:turn], deck[turn], 5) for turn in turns]
    backwards = [again.advise(deck[:turn], deck[turn], 5) for turn in reversed(turns)]
    assert forwards == backwards[::-1]


@pytest.mark.parametrize(
    "penalty",
    [Penalty(PenaltyKind.NONE), Penalty(PenaltyKind.LINEAR), Penalty(PenaltyKind.TURN, Fraction(1))],
)
def test_where_costs_do_not_see_cards_higher_cards_change_nothing_else(penalty: Penalty) -> None:
    terms, seen = Terms(40, 4, penalty), [50, 71, 63]
    estimate = Estimate(terms)
    keep, another = estimate.advise(seen, 66, 3)
    shifted = estimate.advise([card + 10 for card in seen], 76, 3)
    assert shifted == pytest.approx((keep + 3 * 10, another + 3 * 10))  # each of the three is worth 10 more


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [PenaltyKind.LINEAR, PenaltyKind.TURN, PenaltyKind.VALUE, PenaltyKind.TURNVALUE]
)
@pytest.mark.parametrize("cards", [30, 1000])
def test_a_rejection_dearer_than_any_gain_is_never_advised(kind: PenaltyKind, cards: int) -> None:
    terms = Terms(cards, 3, Penalty(kind, Fraction(4 * cards)))
    estimate = Estimate(terms)
    (deck,) = shuffles(terms, 1, "dear")
    for turn in range(cards - 3):
        keep, another = estimate.advise(deck[:turn], deck[turn], 3 if turn == 0 else 2)
        assert keep > another
        if turn > 40:
            break


@pytest.mark.parametrize("keep", [1, 50, 500, 999])
@pytest.mark.parametrize("penalty", KINDS)
def test_any_choice_of_the_largest_decks_gets_numbers(penalty: Penalty, keep: int) -> None:
    terms = Terms(1000, keep, penalty)
    (deck,) = shuffles(terms, 1, "large")
    estimate = Estimate(terms)
    for turn in (0, 1, 90, 500, 998):
        needed = max(1, keep - turn)
        if needed < 1000 - turn:
            assert np.isfinite(estimate.advise(deck[:turn], deck[turn], needed)).all()


# Against enumeration


@pytest.mark.slow
@pytest.mark.parametrize("penalty", KINDS)
@pytest.mark.parametrize(("cards", "keep"), [(4, 1), (4, 3), (5, 1), (5, 2), (5, 3), (5, 4)])
def test_the_play_gives_next_to_nothing_away(cards: int, keep: int, penalty: Penalty) -> None:
    terms = Terms(cards, keep, penalty)
    best = float(values(penalty.kind.value, None, cards)(frozenset(), keep))
    assert best - SMALL_REGRET < worth_of_play(terms, Estimate(terms)) < best + 1e-9


def worth_of_play(terms: Terms, estimate: Estimate) -> float:
    """Enumerate what the estimate's decisions bring, from the rules."""
    kind = terms.penalty.kind.value

    @cache
    def after(seen: Cards, needed: int) -> float:
        if needed == 0:
            return 0.0
        draws = [card for deck in decks(terms.cards, seen) for card in deck if card not in seen]
        return float(np.mean([chosen(seen, card, needed) for card in draws]))

    @cache
    def chosen(seen: Cards, card: int, needed: int) -> float:
        forced = terms.cards - len(seen) == needed
        if forced or is_kept(seen, card, needed):
            return card + after(seen | {card}, needed - 1)
        rates = [rate(kind, None, terms.cards, deck[0]) for deck in decks(terms.cards, seen | {card})]
        cost = sum(rates, Fraction(0)) / len(rates) * times(kind, len(seen) + 1, card)
        return after(seen | {card}, needed) - float(cost)

    def is_kept(seen: Cards, card: int, needed: int) -> bool:
        keep, another = estimate.advise(sorted(seen), card, needed)
        return keep >= another

    return after(frozenset(), terms.keep)


def every_deck(cards: int) -> Iterator[list[int]]:
    for lowest in range(1, 3 * cards + 1):
        yield from map(list, permutations(range(lowest, lowest + cards)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("penalty", "keep"),
    [(Penalty(kind), 2) for kind in PenaltyKind]
    + [(Penalty(PenaltyKind.LINEAR), 1), (Penalty(PenaltyKind.VALUE), 3)],
)
def test_over_all_decks_of_four_the_bounds_enclose_the_exact_value(penalty: Penalty, keep: int) -> None:
    terms = Terms(4, keep, penalty)
    estimate, toll = Estimate(terms), Toll(terms)
    pairs = np.array([both(terms, toll, estimate.advise, deck) for deck in every_deck(4)])
    best = float(values(penalty.kind.value, None, 4)(frozenset(), keep))
    play, foresight = pairs.mean(axis=0)
    assert np.all(pairs[:, 1] >= pairs[:, 0] - 1e-9)  # foresight could have played the same, deck by deck
    assert play == pytest.approx(worth_of_play(terms, estimate))  # what is paid is 0 in the mean
    assert foresight >= best - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("kind", PenaltyKind)
def test_cards_that_foresight_sees_for_nothing_leave_its_bound_a_bound(
    kind: PenaltyKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.games.highshow.solver.estimate.PRICED", 1)
    monkeypatch.setattr("chatbot.games.highshow.solver.estimate.MORE_PRICED", 0)
    terms = Terms(4, 1, Penalty(kind))
    estimate, toll = Estimate(terms), Toll(terms)
    pairs = np.array([both(terms, toll, estimate.advise, deck) for deck in every_deck(4)])
    play, foresight = pairs.mean(axis=0)
    assert play == pytest.approx(worth_of_play(terms, estimate))
    assert foresight >= float(values(kind.value, None, 4)(frozenset(), 1)) - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "keep", "kind"), [(12, 3, PenaltyKind.LINEAR), (12, 6, PenaltyKind.NONE)])
def test_the_stated_error_covers_the_exact_value_of_middle_sizes(
    cards: int, keep: int, kind: PenaltyKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.games.highshow.solver.estimate.STEPS", 400)
    terms, told = Terms(cards, keep, Penalty(kind)), list[tuple[int, int]]()
    amount, error, _ = value(terms, lambda done, of: told.append((done, of)))
    exact = solver.value(terms)
    assert exact.exact
    assert abs(amount - float(exact.amount)) <= error
    assert told == [(done, len(told)) for done in range(len(told))]


@pytest.mark.parametrize("left", [1, 2, 63, 64, 65, 300, 999])
def test_of_many_cards_left_some_numbers_of_good_ones_are_looked_at(left: int) -> None:
    (least, most) = several(left, np.array([1.0, left]))
    assert least[0] == 1
    assert set(most.tolist()) == {left}
    assert least[-1] == left
    assert np.all(np.diff(least[: min(left, 64)]) == 1)
    assert np.all(np.diff(least) <= np.maximum(1, 0.05 * least[:-1]))


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [Penalty(PenaltyKind.NONE), Penalty(PenaltyKind.TURNVALUE)])
def test_the_stated_error_covers_the_exact_value(penalty: Penalty) -> None:
    amount, error, how = value(Terms(5, 2, penalty))
    assert abs(amount - float(values(penalty.kind.value, None, 5)(frozenset(), 2))) <= error
    assert "400 shuffles" in how


@pytest.mark.slow
def test_a_policy_that_keeps_whatever_comes_is_seen_to_fall_short() -> None:
    terms = Terms(40, 1, Penalty(PenaltyKind.LINEAR, Fraction(1, 2)))
    good, first = (bounds(terms, advise, 20, "short") for advise in (Estimate(terms).advise, keep_all))
    assert first.best == good.best  # which does not depend on the play
    assert good.policy.amount > first.policy.amount + 10  # a first card is 20 below the highest on average
    assert first.gap.amount > 10 > good.gap.amount


def keep_all(seen: Sequence[int], shown: int, needed: int) -> tuple[float, float]:
    return 1.0, 0.0


def test_shuffles_draw_each_k_as_often() -> None:
    terms = Terms(7, 2, Penalty(PenaltyKind.NONE))
    assert [min(deck) for deck in shuffles(terms, 21, "even")] == list(range(1, 22))
    found = [min(deck) for deck in shuffles(terms, 5000, "even")]
    assert all(abs(found.count(lowest) - 5000 / 21) < 1.1 for lowest in range(1, 22))
