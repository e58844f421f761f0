"""What is told of Chicken Poker, in lines that every chat takes, with ten players and fifteen cards.

A round is at most two lines in public: what the last one showed, with what is to be done now, and of a crowd
the last who have not chosen. Who has chosen is told, never what; what the house has fixed is told as hashes,
in fine print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.chat.board import hand_text
from chatbot.games.chickenpoker.rules import moves
from chatbot.games.chickenpoker.rules.rules import CARDS
from chatbot.kernel import lobby
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say, Talk, Tellers, names, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


# How many fit into a line
HANDS, HASHES, NONCES = 7, 4, 6
FEW = 4  # people who are seen to choose, and whose cards left fit into a line; more are a crowd
LAST = 3  # of a crowd are named, all at once, when the others have chosen


def narrate(event: moves.Event) -> Iterable[Say]:
    """Say what happened, in the words of the game."""
    return told(event, _TELLERS, "chickenpoker")


def _seated(event: moves.Seated) -> Iterator[Say]:
    rows = [
        Message("chicken-seat", {"id": place, "who": Name(seat)}) for place, seat in enumerate(event.order, 1)
    ]
    args: Arguments = {"seats": Listing(tuple(rows)), "pot": Credits(event.pot)}
    yield Say(Message("chicken-seated-pot" if event.pot else "chicken-seated", args))


def _round_began(event: moves.RoundBegan) -> Iterator[Say]:
    people = sum(not of_house(seat) for seat in event.hands)
    args: Arguments = {"number": event.number, "of": event.of, "seconds": event.seconds}
    message = "chicken-round" if people > 1 else "chicken-round-alone"
    yield Say(Message("chicken-round-next" if event.number > 1 else message, args), follows=True)
    if event.number > 1:
        yield from _hands(event)
    hashes = [
        Message("chicken-hash", {"who": Name(each.seat), "digest": each.digest}) for each in event.committed
    ]
    yield from _list_rows("chicken-hashes", hashes, HASHES, fine=True)


def _hands(event: moves.RoundBegan) -> Iterator[Say]:
    hands = {seat: hand_text(hand) for seat, hand in event.hands.items()}
    if len(set(hands.values())) == 1:
        args: Arguments = {"hand": next(iter(hands.values()))}
        yield Say(Message("chicken-hands-alike", args), talk=Talk.NORMAL, follows=True)
        return
    rows = [Message("chicken-held", {"who": Name(seat), "hand": hand}) for seat, hand in hands.items()]
    talk = Talk.NORMAL if len(rows) <= FEW else Talk.FULL
    yield from _list_rows("chicken-hands", rows, HANDS, talk)


def _chosen(event: moves.Chosen) -> Iterator[Say]:
    if event.again:
        again = Message("chicken-chosen-again", {"who": Name(event.seat)})
        yield Say(again, talk=Talk.FULL, shown=True)
    elif event.waiting:  # else all is shown in the next line
        yield from _still_waiting(event)
    if not event.public:
        own = "chicken-you-chose" if event.waiting else "chicken-you-chose-last"
        yield Say(Message(own, {"card": str(event.card)}), to=event.seat, secret=True)
    if event.exposed:
        yield Say(Message("chicken-exposed"), to=event.seat)


def _still_waiting(event: moves.Chosen) -> Iterator[Say]:
    """Name the last of a crowd; a line for each who has chosen would be in the way of what else is said."""
    args: Arguments = {"who": Name(event.seat), "waiting": len(event.waiting)}
    yield Say(Message("chicken-chosen", args), talk=Talk.FULL, shown=True)
    if event.choosers > FEW and len(event.waiting) == LAST:
        yield Say(Message("chicken-missing", {"names": names(event.waiting)}), talk=Talk.NORMAL, shown=True)


def _round_shown(event: moves.RoundShown) -> Iterator[Say]:
    rows = tuple(_row(each, event) for each in event.shown)
    args: Arguments = {
        "number": event.number,
        "of": event.of,
        "rows": Listing(rows),
        "who": Name(event.winner),
        "points": event.points,
        "late": sum(each.late for each in event.shown),
    }
    yield Say(Message("chicken-shown-tied" if _tied(event.shown) else "chicken-shown", args))
    nonces = [
        Message("chicken-nonce", {"who": Name(each.seat), "card": str(each.card), "nonce": each.nonce})
        for each in event.disclosed
    ]
    yield from _list_rows("chicken-nonces", nonces, NONCES, fine=True)


def _row(showing: moves.Shown, event: moves.RoundShown) -> Message:
    args: Arguments = {
        "who": Name(showing.seat),
        "card": str(showing.card),
        "total": event.totals[showing.seat],
    }
    return Message("chicken-row-late" if showing.late else "chicken-row", args)


def _tied(showings: Sequence[moves.Shown]) -> bool:
    cards = sorted(each.card for each in showings)
    return cards[-1] == cards[-2]


def _won(event: moves.Won) -> Iterator[Say]:
    args: Arguments = {
        "names": names(event.winners),
        "points": event.totals[event.winners[0]],
        "pot": Credits(event.pot),
        "share": Credits(min(event.shares.values())),
        "rest": event.pot % len(event.winners),
    }
    kind = "won" if len(event.winners) == 1 else "shared"
    yield Say(Message(f"chicken-{kind}-pot" if event.pot else f"chicken-{kind}", args), follows=True)


def _list_rows(
    message: str, rows: Sequence[Message], most: int, talk: Talk = Talk.NORMAL, *, fine: bool = False
) -> Iterator[Say]:
    """Say rows in as many lines as they need."""
    for first in range(0, len(rows), most):
        listing = Listing(tuple(rows[first : first + most]), separator="; ")
        yield Say(Message(message, {"rows": listing}), talk=talk, fine=fine, follows=not fine)


_TELLERS: Tellers = {
    **lobby.tellers(CARDS),
    moves.Seated: _seated,
    moves.RoundBegan: _round_began,
    moves.Chosen: _chosen,
    moves.RoundShown: _round_shown,
    moves.Won: _won,
}
