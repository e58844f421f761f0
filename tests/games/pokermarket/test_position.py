"""What trades make of hands, and what `greedy` does: quick ways against the rules, trade by trade."""

from __future__ import annotations

import numpy as np
import pytest

from chatbot.games.pokermarket.contest.evaluation import ranks
from chatbot.games.pokermarket.contest.position import Deal, Holding, Position, deal_of, holding
from chatbot.games.pokermarket.rules.market import Market, Swap
from chatbot.kernel.cards import DECK, parse, rank
from chatbot.kernel.fair import Rng

DEALS = 60


def dealt(rng: Rng, players: int, cards: int = 52) -> Market:
    drawn = rng.sample(DECK[:cards], 5 * players)
    return Market(tuple(tuple(drawn[seat::players]) for seat in range(players)), 1)


def named(deal: Deal | None) -> Swap | None:
    return None if deal is None else Swap(deal.seat, deal.give, deal.partner, deal.take)


def judged(before: Market, swap: Swap, seat: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Give a seat's place and hand before a swap and after it."""
    after = before.swapped(swap)
    now, then = ((each.points[seat], rank(each.hands[seat])) for each in (before, after))
    return now, then


def allowed(before: Market, swap: Swap) -> bool:
    """Whether `greedy` would propose it, by the words of the rule."""
    now, then = judged(before, swap, swap.seat)
    theirs, come = judged(before, swap, swap.partner)
    return then > now and (come[1] > theirs[1] or come[0] >= theirs[0])


def accepted(before: Market, swap: Swap) -> bool:
    now, then = judged(before, swap, swap.partner)
    return then > now


@pytest.mark.parametrize("cards", [52, 20])  # of twenty cards there are many straights and full houses
def test_trades_are_worth_what_the_hands_are_after_them(cards: int) -> None:
    rng = Rng.of("trades")
    for _ in range(DEALS):
        (own, other) = (holding(each) for each in dealt(rng, 2, cards).hands)
        for give in own.cards:
            for take in other.cards:
                mine, theirs, *_ = trade = own.trade(other, give, take)
                assert mine == rank([*(card for card in own.cards if card != give), take])
                assert theirs == rank([*(card for card in other.cards if card != take), give])
                assert (trade in own.gains(other)) == (mine > own.rank)
        assert list(own.gains(other)) == sorted(own.gains(other), reverse=True)


def test_a_flush_is_not_overlooked_when_four_cards_are_of_one_suit() -> None:
    own, other = (
        Holding([parse(each) for each in ["2S", "5S", "9S", "JS", "KD"]]),
        holding(map(parse, ["AS", "3D", "4H", "6C", "8D"])),
    )
    worth, _, give, take = own.gains(other)[0]
    assert (give, take) == (parse("KD"), parse("AS"))
    assert worth == rank(map(parse, ["2S", "5S", "9S", "JS", "AS"]))


def test_a_hand_is_the_same_in_whatever_order() -> None:
    cards = [parse(each) for each in ["2S", "5S", "9S", "JS", "KD"]]
    assert holding(cards) is holding(reversed(cards))


@pytest.mark.parametrize(("players", "cards", "deals"), [(2, 20, 20), (2, 52, 20), (4, 24, 5), (10, 52, 1)])
def test_greedy_proposes_and_accepts_by_the_rule(players: int, cards: int, deals: int) -> None:
    rng = Rng.of("greedy")
    for _ in range(deals):
        before = dealt(rng, players, cards)
        position = Position.of(before)
        assert [position.points(seat) for seat in range(players)] == list(before.points)
        seat = rng.below(players)
        swaps = before.swaps(seat)
        for swap in swaps:
            deal = deal_of(swap, position)
            points = before.swapped(swap).points
            assert position.points_after(deal) == (points[swap.seat], points[swap.partner])
            assert position.accepts(deal) == accepted(before, swap)
        liked = [each for each in swaps if allowed(before, each)]
        taken = [each for each in liked if accepted(before, each)]
        for found, among in ((position.choice(seat), liked), (position.bargain(seat), taken)):
            proposal = named(found)
            assert (proposal is None) == (not among)
            if proposal is not None:
                assert proposal in among
                assert judged(before, proposal, seat)[1] == max(
                    judged(before, each, seat)[1] for each in among
                )


def test_after_a_deal_hands_are_as_the_rules_have_them() -> None:
    before = dealt(Rng.of("after"), 3)
    swap = before.swaps(1)[17]
    position = Position.of(before)
    after = position.after(deal_of(swap, position))
    assert [set(each.cards) for each in after.holdings] == [set(each) for each in before.swapped(swap).hands]


def test_ranks_are_given_in_the_shape_of_the_hands() -> None:
    hands = np.array([[dealt(Rng.of(f"{each}"), 2).hands for each in range(3)]])
    found = ranks(hands)
    assert found.shape == (1, 3, 2)
    assert found.dtype == np.int16
    assert found[0, 2, 1] == rank(hands[0, 2, 1].tolist())
