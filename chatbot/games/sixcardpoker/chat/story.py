"""What is told of Six Card Poker: each event in a line or two, which name their players.

Against the house all is said to all; the hash of what it has set comes first, in fine print. In a duel the
public hears who has set their cards; cards and settings are told to each alone until both are shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chatbot.games.sixcardpoker.chat.figures import HANDS, example, points, row, worded
from chatbot.games.sixcardpoker.rules import moves
from chatbot.kernel import stakes
from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say, Talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chatbot.games.sixcardpoker.rules.cards import Held
    from chatbot.kernel.game import Seat

VERBS = {1: "beats", 0: "draws", -1: "loses"}


def tell(event: moves.Event) -> Iterable[Say]:
    kind = type(event)
    for say in _TELLERS[kind](event):
        yield replace(say, game="sixcardpoker", event=kind.__name__)


def _opened(event: moves.Opened) -> Iterator[Say]:
    who, committed = Name(event.seat), event.committed
    yield Say(Message("sixcard-hash", {"who": who, "digest": committed.digest}), fine=True)
    args: Arguments = {**_asked(event.held, event.seconds), "who": who, "terms": stakes.terms(event.credits)}
    yield Say(Message("sixcard-opened", args))


def _challenged(event: moves.Challenged) -> Iterator[Say]:
    yield Say(Message("sixcard-challenge", _duel(event, event.seat, event.rival)))


def _accepted(event: moves.Accepted) -> Iterator[Say]:
    yield Say(Message("sixcard-accepted", _duel(event, event.challenger, event.seat)))


def _dealt(event: moves.Dealt) -> Iterator[Say]:
    yield Say(Message("sixcard-dealt", _asked(event.held, event.seconds)), to=event.seat, secret=True)


def _declined(event: moves.Declined) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.challenger), "rival": Name(event.rival)}
    taken_back = event.seat == event.challenger
    yield Say(Message("sixcard-taken-back" if taken_back else "sixcard-declined", args))


def _lapsed(event: moves.Lapsed) -> Iterator[Say]:
    args: Arguments = {"who": Name(event.challenger), "rival": Name(event.rival)}
    yield Say(Message("sixcard-lapsed", args))


def _arranged(event: moves.Arranged) -> Iterator[Say]:
    who: Arguments = {"who": Name(event.seat)}
    if event.again:
        yield Say(Message("sixcard-arranged-again", who), talk=Talk.FULL, shown=True)
    else:
        yield Say(Message("sixcard-arranged", who), talk=Talk.NORMAL, shown=True)
    if not event.public:
        hands: Arguments = {"hands": str(event.arrangement)}
        yield Say(Message("sixcard-you-arranged", hands), to=event.seat, secret=True)
    if event.exposed:
        yield Say(Message("sixcard-exposed"), to=event.seat)


def _revealed(event: moves.Revealed) -> Iterator[Say]:
    first, second = event.first, event.second
    late = [Message("name", {"who": Name(each.seat)}) for each in (first, second) if each.late]
    if late:
        yield Say(Message("sixcard-late", {"names": Listing(tuple(late))}))
    args: Arguments = {
        "first": Name(first.seat),
        "second": Name(second.seat),
        **_compared(event),
        "verdict": _verdict(event),
    }
    yield Say(Message("sixcard-revealed", args))
    for each in (first, second):
        if each.nonce:
            opened: Arguments = {"hands": str(each.arrangement), "nonce": each.nonce}
            yield Say(Message("sixcard-nonce", opened), fine=True)


def _compared(event: moves.Revealed) -> dict[str, Message]:
    """Say of each hand how the first fares against the second."""
    own, other = worded(event.first.arrangement), worded(event.second.arrangement)
    results = event.outcome.hands
    return {
        name: Message(f"sixcard-{VERBS[result]}", {"own": one, "other": two})
        for name, one, two, result in zip(HANDS, own, other, results, strict=True)
    }


def _verdict(event: moves.Revealed) -> Message:
    result, hands = event.outcome.round, event.outcome.hands
    turned = event.outcome.turned.hands
    if not result:
        return Message("sixcard-drawn-staked" if event.credits else "sixcard-drawn")
    winner = event.first if result > 0 else event.second
    won, lost = (hands, turned) if result > 0 else (turned, hands)
    args: Arguments = {
        "who": Name(winner.seat),
        "points": points(won),
        "others": points(lost),
        "payout": Credits(event.payouts.get(winner.seat, 0)),
        "stake": Credits(event.credits),
    }
    if not event.credits:
        return Message("sixcard-won", args)
    return Message("sixcard-won-house" if of_house(winner.seat) else "sixcard-won-paid", args)


def _duel(event: moves.Challenged | moves.Accepted, challenger: Seat, rival: Seat) -> Arguments:
    """Say between whom a duel is, what for, and how long they have for what is next."""
    return {
        "who": Name(challenger),
        "rival": Name(rival),
        "terms": stakes.terms(event.credits, each=True),
        "seconds": event.seconds,
    }


def _asked(held: Held, seconds: int) -> Arguments:
    """Show the cards, and how they are set."""
    return {"cards": row(held), "example": example(held), "seconds": seconds}


_TELLERS: dict[type, Callable[[Any], Iterable[Say]]] = {
    moves.Opened: _opened,
    moves.Challenged: _challenged,
    moves.Accepted: _accepted,
    moves.Dealt: _dealt,
    moves.Declined: _declined,
    moves.Lapsed: _lapsed,
    moves.Arranged: _arranged,
    moves.Revealed: _revealed,
}
