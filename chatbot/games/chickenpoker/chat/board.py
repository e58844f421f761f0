"""Chicken Poker as people see it: what stands on buttons, what can be asked about, and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.rules.moves import Play
from chatbot.kernel import lobby
from chatbot.kernel.board import Board, Card, Fact, Hand, Place
from chatbot.kernel.gestures import BUTTON, Gesture
from chatbot.kernel.lobby import Leave, Start
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chatbot.games.chickenpoker.rules.moves import Action, RoundShown
    from chatbot.games.chickenpoker.rules.rules import ChickenPoker
    from chatbot.games.chickenpoker.rules.states import View
    from chatbot.kernel.commands import TopicRequest
    from chatbot.kernel.game import Seat

MOST_LAID_OUT = 2  # players whose hands lie open on the board; those of more are written behind their names
RUN = 3  # cards in a row that are written as `4–6`
DASH = "\N{EN DASH}"


def label(action: Action) -> Message:
    """Return what stands on the button of an action."""
    if isinstance(action, Play):
        return Message("chicken-button-play", {"card": str(action.card)})
    if isinstance(action, Leave | Start):
        return lobby.label("chicken", action)
    args: Arguments = {"cards": str(action.cards), "stake": Credits(action.credits or 0)}
    return Message("chicken-button-stake" if action.credits else "chicken-button-honour", args)


def gesture(action: Action) -> Gesture:
    """Say which card is pressed for an action."""
    return Gesture(press=str(action.card)) if isinstance(action, Play) else BUTTON


def rules(game: ChickenPoker, request: TopicRequest) -> Sequence[Message]:  # noqa: ARG001
    """Answer `!chicken rules`."""
    return [
        Message("chicken-rules-short"),
        Message("chicken-rules"),
        Message("chicken-rules-choice", {"seconds": game.choice}),
    ]


def hand_text(hand: Sequence[int]) -> str:
    """Write cards in ascending order in a few characters: `1–3 5 8`."""
    return " ".join(_run(each) for each in _runs(hand))


def _runs(hand: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for card in hand:
        if run and card != run[-1] + 1:
            yield run
            run = []
        run.append(card)
    if run:
        yield run


def _run(cards: Sequence[int]) -> str:
    return f"{cards[0]}{DASH}{cards[-1]}" if len(cards) >= RUN else " ".join(map(str, cards))


# The board


def board(view: View) -> Board:
    """Return what everybody may see of a table, and its viewer of the own choice."""
    return Board(
        title=Message("chicken-title"),
        facts=tuple(_facts(view)),
        places=tuple(_place(view, seat) for seat in view.players),
        note=_note(view),
        hands=tuple(_hands(view)),
        pot=0 if view.phase == "over" else view.pot,
    )


def _facts(view: View) -> Iterable[Fact]:
    if view.cards:
        yield _fact("cards", word(f"1{DASH}{view.cards}"))
    if view.phase == "round":
        yield _fact("round", Message("chicken-of", {"number": len(view.history) + 1, "of": view.cards}))
    if view.credits:
        yield _fact("stake", Message("amount", {"credits": Credits(view.credits)}))
        yield _fact("pot", Message("amount", {"credits": Credits(view.pot)}))


def _fact(name: str, value: Message) -> Fact:
    return Fact(Message(f"chicken-fact-{name}"), value)


def _laid_out(view: View) -> bool:
    return len(view.players) <= MOST_LAID_OUT


def _hands(view: View) -> Iterator[Hand]:
    if view.history:
        yield _last(view.history[-1])
    if view.phase == "round" and _laid_out(view):
        for seat in view.players:
            cards = tuple(Card(str(card)) for card in view.hands[seat])
            yield Hand(Message("name", {"who": Name(seat)}), cards)


def _last(event: RoundShown) -> Hand:
    """Lay out what was shown last, in the order of the places; the card that took them all is marked."""
    args: Arguments = {"number": event.number, "who": Name(event.winner), "points": event.points}
    cards = (
        Card(str(each.card), "kept", told=Message("chicken-card-took"))
        if each.seat == event.winner
        else Card(str(each.card), "taken")
        for each in event.shown
    )
    return Hand(Message("chicken-hand-last", args), tuple(cards))


def _place(view: View, seat: Seat) -> Place:
    if view.phase == "lobby":
        return Place(seat, Message("chicken-place-in"), "ready")
    if not view.totals:
        return Place(seat, Message("chicken-place-off"), "left")
    mark = _final_mark(view, seat) if view.phase == "over" else _round_mark(view, seat)
    parts = Listing(tuple(_standing(view, seat)), separator="; ")
    return Place(seat, Message("chicken-place", {"parts": parts}), mark)


def _final_mark(view: View, seat: Seat) -> str:
    if len(view.shares) == len(view.players):
        return "drawn"
    return "won" if seat in view.shares else "lost"


def _round_mark(view: View, seat: Seat) -> str:
    return "ready" if seat in view.ready else "waiting"


def _standing(view: View, seat: Seat) -> Iterator[Message]:
    """Say what somebody has scored, showed last, holds, and gets in the end."""
    yield Message("chicken-place-points", {"points": view.totals[seat]})
    if view.history:
        card = next(each.card for each in view.history[-1].shown if each.seat == seat)
        yield Message("chicken-place-showed", {"card": str(card)})
    if view.phase == "round" and not _laid_out(view):
        yield Message("chicken-place-holds", {"hand": hand_text(view.hands[seat])})
    if view.credits and seat in view.shares:
        yield Message("chicken-place-gets", {"share": Credits(view.shares[seat])})


def _note(view: View) -> Message:
    if view.phase == "over":
        return Message("chicken-note-over" if view.totals else "chicken-note-off")
    if view.phase == "lobby":
        return Message("chicken-note-in" if view.seat in view.players else "chicken-note-lobby")
    if view.own is not None:
        return Message("chicken-note-chosen", {"card": str(view.own)})
    return Message("chicken-note-round", {"ready": len(view.ready), "players": len(view.players)})
