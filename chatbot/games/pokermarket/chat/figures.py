"""Cards and hands as people read them: what a hand is worth in words, and hands in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.cards import RANKS, Category, parse, shown, worth
from chatbot.kernel.say import Arguments, Listing, Message, Name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chatbot.games.pokermarket.rules.moves import Missed, Offer
    from chatbot.kernel.game import Seat

LOWEST = 2  # the number of a deuce
PLACES = ("first", "second", "third")  # ranks that words name


def face(card: str) -> str:
    """Write a card as people read it: `J♠` for `JS`."""
    return shown(parse(card))


def row(hand: Iterable[str]) -> str:
    """Write cards as short as they can be read: `J♠3♦10♥4♣4♠`."""
    return "".join(face(card) for card in hand)


def worded(hand: Iterable[str]) -> Message:
    """Say what five cards are worth, such as `full house, threes over jacks`."""
    category, ranks = worth(parse(card) for card in hand)
    if category is Category.STRAIGHT_FLUSH and ranks[0] == len(RANKS) - 1:
        return Message("market-worth-royal-flush")
    args: dict[str, Message] = {}
    for place, rank in zip(PLACES, ranks, strict=False):
        number: Arguments = {"rank": LOWEST + rank}
        args |= {place: Message("market-rank", number), f"{place}s": Message("market-ranks", number)}
    return Message(f"market-worth-{category.name.lower().replace('_', '-')}", args)


def hands(held: Mapping[Seat, Sequence[str]]) -> Listing:
    """Write the hands of a whole table in a line."""
    rows = [Message("market-held", {"who": Name(seat), "cards": row(hand)}) for seat, hand in held.items()]
    return Listing(tuple(rows), separator=" \N{MIDDLE DOT} ")


def offered(offer: Offer) -> dict[str, Name | str]:
    """Name the seats and cards of an offer."""
    return {
        "who": Name(offer.seat),
        "partner": Name(offer.partner),
        "give": face(offer.give),
        "take": face(offer.take),
    }


def missed(swap: Missed) -> Message:
    """Tell of the swap that nobody proposed."""
    args: Arguments = {
        **offered(swap.offer),
        "round": swap.round,
        "own": worded(swap.own),
        "theirs": worded(swap.theirs),
    }
    return Message("market-missed", args)
