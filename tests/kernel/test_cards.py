"""Cards in and out, and the ranking of hands against an evaluator that shares no code with it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chatbot.games.pokermarket.contest.evaluation import ranks
from chatbot.kernel import cards
from chatbot.kernel.cards import Category, Worth, parse, rank, shown, worth, written
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

RANKS = "23456789TJQKA"
SUITS = "SHDC"
HANDS = 2_598_960  # C(52, 5)
# Counted by hand: of 13 ranks those that come four times, three times, …, times the suits of each.
COUNTS = {
    Category.STRAIGHT_FLUSH: 10 * 4,  # the four royal flushes included
    Category.FOUR_OF_A_KIND: 13 * 48,
    Category.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
    Category.FLUSH: (comb(13, 5) - 10) * 4,
    Category.STRAIGHT: 10 * (4**5 - 4),
    Category.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 4**2,
    Category.TWO_PAIR: comb(13, 2) * comb(4, 2) ** 2 * 44,
    Category.PAIR: 13 * comb(4, 2) * comb(12, 3) * 4**3,
    Category.HIGH_CARD: (comb(13, 5) - 10) * (4**5 - 4),
}


def hand(text: str) -> list[int]:
    return [parse(each) for each in text.split()]


def strength(held: Sequence[str]) -> tuple[int, list[int]]:
    """Judge a hand by sorting: its kind, and then its ranks, those that come oftenest first."""
    values = sorted((RANKS.index(card[0]) + 2 for card in held), reverse=True)
    suited = len({card[1] for card in held}) == 1
    if values == [14, 5, 4, 3, 2]:
        values = [5, 4, 3, 2, 1]
    shape = sorted((values.count(each) for each in set(values)), reverse=True)
    straight = len(shape) == 5 and values[0] - values[4] == 4
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 8 if straight and suited else 5 if suited else 4 if straight else kinds[tuple(shape)]
    return kind, sorted(values, key=lambda each: (values.count(each), each), reverse=True)


def representatives() -> Iterator[tuple[list[str], int]]:
    """Give one hand for every five ranks, suited or not, and how many such hands there are."""
    for five in combinations_with_replacement(RANKS, 5):
        times = Counter(five)
        if max(times.values()) > 4:
            continue
        whole = prod(comb(4, each) for each in times.values())
        if len(times) == 5:
            yield [each + "S" for each in five], 4
            yield [each + suit for each, suit in zip(five, "SSSSH", strict=True)], whole - 4
            continue
        seen = Counter[str]()
        held = []
        for each in reversed(five):  # of a pair the suits differ, so no five are of one suit
            held.append(each + SUITS[seen[each]])
            seen[each] += 1
        yield held, whole


# Cards


@pytest.mark.parametrize("card", range(52))
def test_every_card_is_read_as_it_is_written_and_as_it_is_shown(card: int) -> None:
    assert parse(written(card)) == parse(shown(card)) == card
    assert parse(written(card).lower()) == card
    assert parse(written(card)[::-1]) == card
    assert written(card) == RANKS[card // 4] + SUITS[card % 4]


@pytest.mark.parametrize(("text", "card"), [("J♤", "JS"), ("10♡", "TH"), ("♢q", "QD"), ("♧2", "2C")])
def test_a_suit_may_be_drawn_in_outlines(text: str, card: str) -> None:
    assert written(parse(text)) == card


@pytest.mark.parametrize(
    "text", ["TH", "th", "Th", "10H", "10h", "T♥", "10♥", "t♡", "♥10", "h10", "HT", "♥T", "10♥️", "T♥︎"]
)
def test_a_ten_of_hearts_may_be_typed_in_many_ways(text: str) -> None:
    assert parse(text) == parse("TH")
    assert (written(parse(text)), shown(parse(text))) == ("TH", "10♥")


def test_a_card_is_written_in_one_way_and_shown_in_one_way() -> None:
    cards_ = hand("JS 2H TD 10C AS")
    assert [written(each) for each in cards_] == ["JS", "2H", "TD", "TC", "AS"]
    assert [shown(each) for each in cards_] == ["J♠", "2♥", "10♦", "10♣", "A♠"]


def test_no_two_cards_are_written_alike() -> None:
    assert len({written(each) for each in cards.DECK} | {shown(each) for each in cards.DECK}) == 104


@pytest.mark.parametrize(
    "text",
    [
        "", "J", "S", "1S", "11S", "0H", "JSS", "JJ", "SH", "J S", " JS", "JS\n", "ZS", "JX", "joker", "J♠♠",
        "100H", "10", "\uff11\uff10H", "\u0663H", "J\u017f", "\u017fJ", "\ufe0f", "JS JS", "J" * 1000,
    ],
)  # fmt: skip
def test_what_is_no_card_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"^a card is a rank and a suit, such as JS, 10H or J♠, not .{0,60}$"
    ):
        parse(text)


# Hands


def test_categories_come_as_often_as_combinatorics_says() -> None:
    counts = Counter[Category]()
    for held, times in representatives():
        counts[worth(map(parse, held)).category] += times
    assert counts == COUNTS
    assert list(COUNTS.values()) == [40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]
    assert sum(COUNTS.values()) == comb(52, 5) == HANDS


@pytest.mark.slow
def test_ranks_agree_with_another_evaluator_for_all_ranks_and_suits() -> None:
    """A hand's rank depends on its ranks and on whether it is suited: these are all there are."""
    judged = [(strength(held), rank(map(parse, held))) for held, _ in representatives()]
    assert [found for _, found in sorted(judged)] == list(range(cards.CLASSES))


def test_ranks_do_not_depend_on_the_order_of_cards_or_on_which_suits_they_are() -> None:
    rng = Rng.of("suits")
    for _ in range(500):
        held = rng.sample(cards.DECK, 5)
        turned = [card - card % 4 + (card + 1) % 4 for card in held]
        assert rank(held) == rank(sorted(held)) == rank(turned)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AS KS QS JS TS", "KH QH JH TH 9H"),
        ("5S 4S 3S 2S AS", "AH AD AC AS KH"),
        ("2S 2H 2D 2C 3S", "AS AH AD KC KH"),
        ("AS AH AD KC QH", "KS KH KD AC QH"),
        ("6S 5H 4D 3C 2S", "5S 4H 3D 2C AS"),
        ("5S 4H 3D 2C AS", "AS AH AD KC QH"),
        ("AS AH 3D 3C 2H", "KS KH QD QC AH"),
        ("AS AH KD QC 9H", "AD AC KH QD 8H"),
        ("AS KS QS JS 9S", "AH KH QH JH 8H"),
        ("3S 3H 3D 2C 2H", "2S 2H 2D AC AH"),
        ("AS KH QD JC 9H", "AD KC QH JD 8H"),
        ("2S 2H 4D 5C 6H", "AS KH QD JC 9H"),
    ],
)  # fmt: skip
def test_the_better_hand_ranks_higher(better: str, worse: str) -> None:
    assert rank(hand(better)) > rank(hand(worse))


@pytest.mark.parametrize(
    ("one", "other"), [("AS KH QD JC 9H", "AD KC QH JD 9S"), ("5S 4H 3D 2C AS", "AD 2S 3H 4C 5D")]
)
def test_suits_break_no_tie(one: str, other: str) -> None:
    assert rank(hand(one)) == rank(hand(other))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("JS JH JD 3C 3H", Worth(Category.FULL_HOUSE, (9, 1))),
        ("AS 2H 3D 4C 5H", Worth(Category.STRAIGHT, (3,))),
        ("7S 7H KD 4C 2H", Worth(Category.PAIR, (5, 11, 2, 0))),
        ("AS KS QS JS TS", Worth(Category.STRAIGHT_FLUSH, (12,))),
    ],
)  # fmt: skip
def test_a_hand_can_be_put_into_words(text: str, told: Worth) -> None:
    assert worth(hand(text)) == told


@pytest.mark.slow
def test_all_hands_rank_as_another_evaluator_of_whole_arrays_has_them() -> None:
    every = np.fromiter(
        (card for held in combinations(range(52), 5) for card in held), dtype=np.int8, count=5 * HANDS
    )
    held = every.reshape(HANDS, 5)
    strengths = strengths_of(held)
    found = ranks(held)
    assert (np.unique(strengths, return_inverse=True)[1] == found).all()  # the same order, and the same ties
    assert [int((strengths // 13**5 == each).sum()) for each in COUNTS] == list(COUNTS.values())
    assert [rank(map(int, each)) for each in held[::997]] == found[::997].tolist()


def strengths_of(held: NDArray[np.int8]) -> NDArray[np.int64]:
    """Judge hands by comparing their cards with each other: the category, and five ranks in base 13."""
    values, suits = np.sort(held // 4, axis=1)[:, ::-1].astype(np.int64), held % 4
    times = (values[:, :, None] == values[:, None, :]).sum(axis=2)
    pairs = times.sum(axis=1)  # 5 without a pair, 7 with one, 9 two, 11 three, 13 full, 17 four
    suited = (suits == suits[:, :1]).all(axis=1)
    wheel = (values == [12, 3, 2, 1, 0]).all(axis=1)
    straight = (pairs == 5) & ((values[:, 0] - values[:, 4] == 4) | wheel)
    category = np.select([straight & suited, suited, straight], [8, 5, 4], np.array(BY_PAIRS)[pairs])
    order = np.argsort(-(times * 13 + values), axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    ordered[wheel] = [3, 2, 1, 0, 0]
    judged: NDArray[np.int64] = category * 13**5 + (ordered * 13 ** np.arange(4, -1, -1)).sum(axis=1)
    return judged


BY_PAIRS = [0] * 18
BY_PAIRS[7], BY_PAIRS[9], BY_PAIRS[11], BY_PAIRS[13], BY_PAIRS[17] = 1, 2, 3, 6, 7
