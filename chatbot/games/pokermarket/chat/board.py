"""Poker Market as people see it: what stands on buttons, what can be asked about, and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.rules.moves import Accept, Decline, Join, Pass, Propose
from chatbot.games.pokermarket.rules.rules import example
from chatbot.games.pokermarket.rules.states import row
from chatbot.kernel import lobby
from chatbot.kernel.board import Board, Card, Fact, Hand, Place
from chatbot.kernel.cards import RANKS, Category, parse, shown, worth, written
from chatbot.kernel.gestures import BUTTON, Gesture, Risk
from chatbot.kernel.kit import Part
from chatbot.kernel.lobby import Leave, Start
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chatbot.games.pokermarket.rules import moves
    from chatbot.games.pokermarket.rules.market import Market, Swap
    from chatbot.games.pokermarket.rules.moves import Action, Missed, Offer
    from chatbot.games.pokermarket.rules.rules import PokerMarket
    from chatbot.games.pokermarket.rules.states import View
    from chatbot.kernel.commands import TopicRequest
    from chatbot.kernel.game import Seat

LOWEST = 2  # the number of a deuce
PLACES = ("first", "second", "third")  # ranks that words name


def face(card: str) -> str:
    """Write a card as people read it: `J♠` for `JS`."""
    return shown(parse(card))


def compact(hand: Iterable[str]) -> str:
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


def hands(hands_by_seat: Mapping[Seat, Sequence[str]]) -> Listing:
    """Write the hands of a whole table in a line."""
    rows = [
        Message("market-held", {"who": Name(seat), "cards": compact(hand)})
        for seat, hand in hands_by_seat.items()
    ]
    return Listing(tuple(rows), separator=" \N{MIDDLE DOT} ")


def offer_arguments(offer: Offer) -> dict[str, Name | str]:
    """Name the seats and cards of an offer."""
    return {
        "who": Name(offer.seat),
        "partner": Name(offer.partner),
        "give": face(offer.give),
        "take": face(offer.take),
    }


def missed_message(swap: Missed) -> Message:
    """Tell of the swap that nobody proposed."""
    args: Arguments = {
        **offer_arguments(swap.offer),
        "round": swap.round,
        "own": worded(swap.own),
        "theirs": worded(swap.theirs),
    }
    return Message("market-missed", args)


def label(action: Action) -> Message:
    """Return what stands on the button of an action."""
    match action:
        case Join():
            args: Arguments = {"rounds": action.rounds or 0, "stake": Credits(action.credits or 0)}
            return Message("market-button-stake" if action.credits else "market-button-honour", args)
        case Leave() | Start():
            return lobby.label("market", action)
        case Propose():
            return _proposing(action)
        case Accept():
            return Message("market-button-accept")
        case Decline():
            return Message("market-button-decline")
        case Pass():
            return Message("market-button-pass")


_RISKS = {Pass: Risk.STAY, Decline: Risk.STAY, Accept: Risk.SAFE}
_TOLD = {"taken": Message("market-card-offered"), "kept": Message("market-card-swapped")}


def gesture(action: Action) -> Gesture:
    """Say what an action risks: only cards that change hands can make a hand worse."""
    return Gesture(_RISKS[type(action)]) if type(action) in _RISKS else BUTTON


def _proposing(action: Propose) -> Message:
    args: Arguments = {"give": face(action.give), "take": face(action.take)}
    if action.partner is None:
        return Message("market-button-swap", args)
    return Message("market-button-swap-with", {**args, "who": Name(action.partner)})


def parts(view: View, action: Action) -> Sequence[Part]:
    """Divide a proposal into the own card and the other's; all else is chosen at once."""
    if not isinstance(action, Propose) or view.market is None:
        return ()
    return Part(action.give, word(face(action.give))), Part(
        action.take, _holder_message(view, view.market, action.take)
    )


def _holder_message(view: View, market: Market, card: str) -> Message:
    number = parse(card)
    holder = next(seat for seat, hand in zip(view.players, market.hands, strict=True) if number in hand)
    return Message("market-held-by", {"card": face(card), "who": Name(holder)})


def rules(game: PokerMarket, request: TopicRequest) -> Sequence[Message]:  # noqa: ARG001
    """Answer `!market rules`."""
    args: Arguments = {"turn": game.turn, "answer": game.answer, "rounds": game.rounds}
    return [Message("market-rules-short"), Message("market-rules"), Message("market-rules-turn", args)]


# The board


def board(view: View) -> Board:
    """Return what everybody may see of a table: all hands lie open."""
    return Board(
        title=Message("market-title"),
        facts=tuple(_facts(view)),
        places=tuple(_place(view, seat) for seat in view.players),
        note=_note(view),
        hands=tuple(_hands(view)),
        pot=0 if view.phase == "over" else view.pot,
    )


def _facts(view: View) -> Iterator[Fact]:
    if view.market is not None:
        args: Arguments = {"number": view.market.round + 1, "of": view.rounds}
        yield _fact("round", Message("market-of", args))
    elif view.rounds:
        yield _fact("rounds", word(str(view.rounds)))
    if view.credits:
        yield _fact("stake", Message("amount", {"credits": Credits(view.credits)}))
        yield _fact("pot", Message("amount", {"credits": Credits(view.pot)}))


def _fact(name: str, value: Message) -> Fact:
    return Fact(Message(f"market-fact-{name}"), value)


def _hands(view: View) -> Iterator[Hand]:
    """Lay out a row for each player, in the order of turns."""
    marks = _marks(view)
    for seat, hand in view.hands.items():
        marked_cards = ((card, marks.get(card, "plain")) for card in hand)
        cards = tuple(Card(face(card), mark, card, _TOLD.get(mark)) for card, mark in marked_cards)
        won = view.ranked is not None and view.ranked.places[0].seat == seat
        yield Hand(worded(hand), cards, owner=seat, mark="won" if won else "plain")


def _marks(view: View) -> dict[str, str]:
    """Mark the cards that are proposed to change hands, or else those that just have."""
    if view.proposed is not None:
        return dict.fromkeys(_cards(view.proposed), "taken")
    last = view.done[-1] if view.done else None
    if last is None or last.proposed is None or not last.accepted:
        return {}
    return dict.fromkeys(_cards(last.proposed), "kept")


def _cards(swap: Swap) -> tuple[str, str]:
    return written(swap.give), written(swap.take)


def _place(view: View, seat: Seat) -> Place:
    if view.phase == "lobby":
        return Place(seat, Message("market-place-in"), "ready")
    if view.ranked is not None:
        return _final_place(view, next(each for each in view.ranked.places if each.seat == seat))
    if view.market is None:
        return Place(seat, Message("market-place-off"), "left")
    args: Arguments = {"points": view.market.points[view.players.index(seat)]}
    if seat != view.acting:
        return Place(seat, Message("market-place", args), "ready")
    return Place(seat, Message(f"market-place-{view.phase}", args), "waiting")


def _final_place(view: View, place: moves.Placing) -> Place:
    args: Arguments = {"points": place.points, "share": Credits(place.credits)}
    message = Message("market-place-paid" if place.credits else "market-place-over", args)
    return Place(place.seat, message, _mark(view, place))


def _mark(view: View, place: moves.Placing) -> str:
    """Mark the best hand, and the others by what their stakes became: the second may gain too."""
    if place.rank == 1 or place.credits > view.credits:
        return "won"
    return "drawn" if view.credits and place.credits == view.credits else "lost"


def _note(view: View) -> Message:
    if view.market is not None:
        return _asking(view, view.market)
    if view.ranked is not None:
        return missed_message(view.ranked.missed) if view.ranked.missed else Message("market-note-over")
    if view.phase == "over":
        return Message("market-note-off")
    return Message("market-note-in" if view.seat in view.players else "market-note-lobby")


def _asking(view: View, market: Market) -> Message:
    """Say who has to do what."""
    if view.proposed is None:
        return _on_turn(view, market)
    swap, after = view.proposed, market.swapped(view.proposed)
    args: Arguments = {
        **offer_arguments(view.offer(swap)),
        "theirs": worded(row(after.hands[swap.partner])),
        "own": worded(row(after.hands[swap.seat])),
    }
    asked = view.seat is not None and view.seat == view.acting
    return Message("market-note-asked" if asked else "market-note-proposed", args)


def _on_turn(view: View, market: Market) -> Message:
    seat = view.players[market.seat]
    if view.seat != seat:
        return Message("market-note-turn", {"who": Name(seat)})
    give, take = example(market)
    return Message("market-note-yours", {"give": give, "take": take})
