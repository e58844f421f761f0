"""Six Card Poker as people see it: what stands on buttons, what can be asked about, and the board."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.rules.cards import HELD, SIZES
from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, Arrive, Decline, LeaveIt, Open
from chatbot.games.sixcardpoker.solver import policies
from chatbot.kernel import gestures
from chatbot.kernel.board import Board, Card, Fact, Hand, Place
from chatbot.kernel.gestures import BUTTON, Gesture
from chatbot.kernel.odds import Odds, percent
from chatbot.kernel.say import Arguments, Credits, Message, Name, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.sixcardpoker.rules.cards import Arrangement, SixCards
    from chatbot.games.sixcardpoker.rules.moves import Action, Revealed
    from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
    from chatbot.games.sixcardpoker.rules.states import View
    from chatbot.kernel.commands import TopicRequest
    from chatbot.kernel.game import Seat

HANDS = ("high", "middle", "low")
HALF = "\N{VULGAR FRACTION ONE HALF}"


def row(cards: Sequence[int]) -> str:
    """Write faces with blanks between them: `4 4 1`."""
    return " ".join(map(str, cards))


def example(cards: SixCards) -> str:
    """Show how a setting of these cards is typed, with one that is not bad."""
    return str(next(iter(policies.greedy()[cards])))


def points(results: Sequence[int]) -> str:
    """Write the points of three hands, of which a drawn one counts half: `2½`."""
    halves = sum(1 + each for each in results)
    whole = str(halves // 2) if halves > 1 or not halves else ""
    return f"{whole}{HALF if halves % 2 else ''}"


def score_percent(score: Fraction) -> str:
    """Write an expected score to a tenth of a percent: `48.3%`."""
    tenths = round(score * 1000)
    return f"{tenths // 10}.{tenths % 10}%"


def worded(arrangement: Arrangement) -> tuple[Message, Message, Message]:
    """Say what decides each hand: `4 4 1 (9)`, `a pair of 3s`, `2`."""
    total = {"cards": row(arrangement.high), "sum": str(sum(arrangement.high))}
    return (
        Message("sixcard-sum", total),
        pair(arrangement) or word(row(arrangement.middle)),
        word(row(arrangement.low)),
    )


def pair(arrangement: Arrangement) -> Message | None:
    """Name the pair in the middle; None: there is none."""
    higher, lower = arrangement.middle
    return Message("sixcard-pair", {"face": str(higher)}) if higher == lower else None


MARKS = {1: "won", 0: "drawn", -1: "lost"}


def label(action: Action) -> Message:
    """Return what stands on the button of an action."""
    match action:
        case Open():
            return _opening(action)
        case Accept():
            return Message("sixcard-button-accept")
        case Decline():
            return Message("sixcard-button-decline")
        case Arrive():
            return Message("sixcard-button-arrive")
        case Arrange():
            return word(action.hands)
        case LeaveIt():
            return Message("sixcard-button-auto")


def gesture(action: Action) -> Gesture:
    """Say which cards of the own hand an action lays where."""
    if not isinstance(action, Arrange):
        return BUTTON
    piles = zip(HANDS, action.hands.split(), strict=True)
    return Gesture(
        lay=tuple(gestures.Pile(Message(f"sixcard-hand-{name}"), tuple(faces)) for name, faces in piles)
    )


def _opening(action: Open) -> Message:
    if action.rival is not None:
        return Message("sixcard-button-challenge", {"who": Name(action.rival)})
    args: Arguments = {"stake": Credits(action.credits)}
    return Message("sixcard-button-stake" if action.credits else "sixcard-button-honour", args)


def rules(game: SixCardPoker, request: TopicRequest) -> Sequence[Message]:  # noqa: ARG001
    """Answer `!sixcard rules`."""
    house = Message("sixcard-rules-house", {"seconds": game.arrangement})
    duels = Message("sixcard-rules-duels", {"seconds": game.acceptance})
    return [
        Message("sixcard-rules-short"),
        Message("sixcard-rules"),
        house,
        *([duels] if game.duels else []),
    ]


# The board


def board(view: View) -> Board:
    """Return what the viewer may see of a table."""
    return Board(
        title=Message("sixcard-title"),
        facts=tuple(_facts(view)),
        places=tuple(_place(view, seat) for seat in _seats(view)),
        note=_note(view),
        hands=tuple(hand for seat in _seats(view) for hand in _hands(view, seat)),
        pot=_pot(view),
    )


def _pot(view: View) -> int:
    """Count what lies in the pot: both stakes of a duel that is played, else the player's."""
    if view.phase == "over":
        return 0
    return view.credits * (2 if view.duel and view.phase in {"seats", "arrangement"} else 1)


def _seats(view: View) -> list[Seat]:
    return [seat for seat in (view.player, view.rival) if seat is not None]


def _facts(view: View) -> Iterator[Fact]:
    if view.credits:
        yield _fact("stake", Message("amount", {"credits": Credits(view.credits)}))


def _fact(name: str, value: Message) -> Fact:
    return Fact(Message(f"sixcard-fact-{name}"), value)


def _hands(view: View, seat: Seat) -> Iterator[Hand]:
    """Lay out what somebody holds: set in three hands or not yet, open or not."""
    if view.revealed is not None:
        yield from _revealed_hands(view.revealed, seat)
    elif view.phase == "arrangement":
        yield from _unrevealed_hands(view, seat)


def _revealed_hands(revealed: Revealed, seat: Seat) -> Iterator[Hand]:
    first = seat == revealed.first.seat
    arrangement = (revealed.first if first else revealed.second).arrangement
    results = revealed.outcome.hands if first else revealed.outcome.turned.hands
    yield from _open(arrangement, seat, [MARKS[result] for result in results])


def _unrevealed_hands(view: View, seat: Seat) -> Iterator[Hand]:
    cards = view.held.get(seat)
    if seat == view.seat and view.own is not None:
        yield from _open(view.own, seat, ["plain"] * len(HANDS))
    elif cards is not None:
        yield Hand(Message("sixcard-hand-cards"), _cards(cards), owner=seat)
    elif seat in view.ready:
        for name, size in zip(HANDS, SIZES, strict=True):
            yield Hand(Message(f"sixcard-hand-{name}"), hidden=size, owner=seat)
    else:
        yield Hand(Message("sixcard-hand-cards"), hidden=HELD, owner=seat)


def _open(arrangement: Arrangement, seat: Seat, marks: Sequence[str]) -> Iterator[Hand]:
    total = Message("sixcard-detail-sum", {"sum": str(sum(arrangement.high))})
    details = total, pair(arrangement) or Message("sixcard-detail-no-pair"), None
    for name, cards, mark, detail in zip(HANDS, arrangement, marks, details, strict=True):
        yield Hand(Message(f"sixcard-hand-{name}"), _cards(cards), 0, seat, mark, detail)


def _cards(cards: Sequence[int]) -> tuple[Card, ...]:
    return tuple(Card(str(card)) for card in cards)


def _place(view: View, seat: Seat) -> Place:
    if view.revealed is not None:
        return _final_place(view.revealed, seat)
    phase, mark = _phase(view, seat)
    return Place(seat, Message(f"sixcard-place-{phase}"), mark)


def _phase(view: View, seat: Seat) -> tuple[str, str]:
    match view.phase:
        case "opening":
            return "opening", "waiting"
        case "challenge":
            return ("challenger", "ready") if seat == view.player else ("challenged", "waiting")
        case "seats":
            return ("open", "ready") if seat in view.ready else ("closed", "waiting")
        case "arrangement":
            return ("set", "ready") if seat in view.ready else ("setting", "waiting")
        case _:
            return "off", "left"


def _final_place(revealed: Revealed, seat: Seat) -> Place:
    outcome = revealed.outcome if seat == revealed.first.seat else revealed.outcome.turned
    args: Arguments = {"points": points(outcome.hands), "payout": Credits(revealed.payouts.get(seat, 0))}
    paid = revealed.credits and seat in revealed.payouts
    message = Message("sixcard-place-paid" if paid else "sixcard-place-over", args)
    return Place(seat, message, MARKS[outcome.round])


def _note(view: View) -> Message:
    match view.phase:
        case "opening":
            return Message("sixcard-note-opening")
        case "challenge":
            return _challenge(view)
        case "seats":
            return Message("sixcard-note-seats")
        case "arrangement":
            return _arrangement(view)
        case _:
            return Message("sixcard-note-over" if view.revealed is not None else "sixcard-note-off")


def _challenge(view: View) -> Message:
    if view.rival is not None and view.seat == view.rival:
        return Message("sixcard-note-challenged")
    own = view.seat is not None and view.seat == view.player
    args: Arguments = {} if view.rival is None else {"who": Name(view.rival)}
    return Message("sixcard-note-challenger" if own else "sixcard-note-challenge", args)


def _arrangement(view: View) -> Message:
    if view.own is not None:
        return Message("sixcard-note-set", {"hands": str(view.own)})
    cards = None if view.seat is None or view.seat not in _seats(view) else view.held.get(view.seat)
    if cards is not None:
        return Message("sixcard-note-arrange", {"cards": row(cards), "example": example(cards)})
    if view.duel:
        return Message("sixcard-note-duel")
    return Message("sixcard-note-solo")


# What Six Card Poker publishes of its odds: those against the house, which plays the equilibrium.
WIN = Fraction(195_620_058_522_773, 580_308_879_150_000)
"""How likely the best play beats the best play. It is worked out by `solver.solver`, as a test does."""

BACK = Fraction(1)
"""Nobody scores more than half against the house on average, and by the same play nobody scores less."""


def odds(game: SixCardPoker) -> Odds:
    """Publish how a round against the house ends where both play best, and what a duel is."""
    figures = {"win": percent(WIN), "draw": percent(1 - 2 * WIN), "loss": percent(WIN)}
    duels = (Message("sixcard-odds-duel"),) if game.duels else ()
    return Odds((Message("sixcard-odds", figures), *duels), BACK)
