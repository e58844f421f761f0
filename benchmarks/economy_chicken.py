"""How a coalition plays Chicken Poker together: it knows all its own cards, and how the house draws.

Few cards are played exactly: of all ways to choose the one with the largest expected share of the pot, all
hands, points and ties considered. More are played by the best of all choices for the next round, by what is
likely to come of each.
"""

from __future__ import annotations

from functools import cache
from itertools import islice, product
from math import factorial, gcd, prod
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.chickenpoker.rules.showdown import winner
from chatbot.kernel.house_seats import house_name, of_house

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from chatbot.games.chickenpoker.rules.states import View
    from chatbot.kernel.game import Seat

Hands: TypeAlias = tuple[tuple[int, ...], ...]
Choice: TypeAlias = tuple[int, ...]

EXACT = 50_000  # ways in which a game can go that are looked at exactly
FEW, MANY = 6, 24  # games that are imagined for each choice; and choices that are looked at
BESIDE = 2  # of a larger coalition so many think; the others throw their lowest cards away


def together(view: View, own: Sequence[Seat], likes: Random) -> Mapping[Seat, int]:
    """Choose a card for each of a coalition."""
    players = view.players
    mine = [place for place, seat in enumerate(players) if seat in own]
    thinking = mine[:BESIDE] if len(mine) > BESIDE + 1 else mine
    hands = tuple(view.hands[seat] for seat in players)
    totals = tuple(view.totals.get(seat, 0) for seat in players)
    foresight = {place: foreseen(view, seat) for place, seat in enumerate(players) if place not in mine}
    ways = prod(factorial(len(each)) for each in hands)
    if not any(foresight.values()) and len(mine) == len(thinking) and ways <= EXACT:
        choice = exactly(hands, totals, tuple(mine))[1]
    else:
        choice = imagined(hands, totals, mine, thinking, foresight, likes)
    return {players[place]: card for place, card in zip(mine, choice, strict=True)}


def foreseen(view: View, seat: Seat) -> tuple[int, ...]:
    """Tell which cards a player of the house shows from now on, in order; empty: nobody knows.

    One that goes on by steps has shown two cards when the step is known, if that is what it does.
    """
    cards_shown = [each.card for turn in view.history for each in turn.shown if each.seat == seat]
    if not of_house(seat) or not house_name(seat).startswith("linear") or len(cards_shown) < 2:
        return ()
    cards, step = view.cards, (cards_shown[1] - cards_shown[0]) % view.cards
    order = [(cards_shown[0] - 1 + step * number) % cards + 1 for number in range(cards)]
    regular = gcd(step, cards) == 1 and order[: len(cards_shown)] == cards_shown
    return tuple(order[len(cards_shown) :]) if regular else ()


# Exactly


@cache
def exactly(hands: Hands, totals: tuple[int, ...], mine: tuple[int, ...]) -> tuple[float, Choice]:
    """Return the largest expected share of the pot for these places together, and the cards that have it.

    The others draw evenly.
    """
    if not hands[0]:
        best = max(totals)
        winners = [place for place, total in enumerate(totals) if total == best]
        return sum(place in mine for place in winners) / len(winners), ()
    others = [place for place in range(len(hands)) if place not in mine]
    best_value, best_choice = -1.0, Choice()
    for choice in product(*(hands[place] for place in mine)):
        values = []
        for draw in product(*(hands[place] for place in others)):
            cards = dict(zip((*mine, *others), (*choice, *draw), strict=True))
            values.append(exactly(*after(hands, totals, cards), mine)[0])
        value = fmean(values)
        if value > best_value:
            best_value, best_choice = value, choice
    return best_value, best_choice


def after(hands: Hands, totals: tuple[int, ...], cards: Mapping[int, int]) -> tuple[Hands, tuple[int, ...]]:
    """Play a round."""
    taker, points = winner(cards), sum(cards.values())
    left = tuple(tuple(card for card in hand if card != cards[place]) for place, hand in enumerate(hands))
    return left, tuple(total + points * (place == taker) for place, total in enumerate(totals))


# By imagining


def imagined(
    hands: Hands,
    totals: tuple[int, ...],
    mine: Sequence[int],
    thinking: Sequence[int],
    foresight: Mapping[int, Sequence[int]],
    likes: Random,
) -> Choice:
    """Return the cards of these places with which most imagined games are won."""
    choices = list(product(*(hands[place] for place in thinking)))
    lowest = {place: min(hands[place]) for place in mine}
    looked = choices if len(choices) <= MANY else likes.sample(choices, MANY)
    foretold = all(foresight.values())
    stories = [list(_orders(hands, foresight, mine, likes)) for _ in range(1 if foretold else FEW)]

    def value(choice: Choice) -> float:
        first = {**lowest, **dict(zip(thinking, choice, strict=True))}
        return fmean(_worth(hands, totals, mine, first, story) for story in stories)

    best = max(looked, key=value)
    cards = {**lowest, **dict(zip(thinking, best, strict=True))}
    return tuple(cards[place] for place in mine)


def _orders(
    hands: Hands, foresight: Mapping[int, Sequence[int]], mine: Sequence[int], likes: Random
) -> Iterator[tuple[int, ...]]:
    """Imagine in which order everybody shows what is left; the own are a start, to be bettered."""
    for place, hand in enumerate(hands):
        if foresight.get(place):
            yield tuple(foresight[place])
        else:
            yield tuple(sorted(hand)) if place in mine else tuple(likes.sample(hand, len(hand)))


def _worth(
    hands: Hands,
    totals: tuple[int, ...],
    mine: Sequence[int],
    first: Mapping[int, int],
    story: Sequence[Sequence[int]],
) -> float:
    """Tell by how much the best of the coalition beats the others, if it does as well as it can see."""
    others = [place for place in range(len(hands)) if place not in mine]
    cards = {**{place: story[place][0] for place in others}, **first}
    left, sums = after(hands, totals, cards)
    for number in range(1, len(hands[0])):
        draw = {place: story[place][number] for place in others}
        left, sums = after(left, sums, {**draw, **_answer(left, sums, mine, draw)})
    ours, theirs = max(sums[place] for place in mine), max((sums[place] for place in others), default=0)
    return (1 if ours > theirs else 0) + (ours - theirs) / (1 + sum(sums))


def _answer(
    left: Hands, sums: tuple[int, ...], mine: Sequence[int], draw: Mapping[int, int]
) -> dict[int, int]:
    """Take a round with the least card that does, for who has most; throw the lowest away otherwise."""
    main = max(mine, key=lambda place: sums[place])
    high = max(draw.values(), default=0)
    cards = {place: left[place][0] for place in mine}
    enough = list(islice((card for card in left[main] if card > high), 1))
    return {**cards, main: enough[0]} if enough else cards
