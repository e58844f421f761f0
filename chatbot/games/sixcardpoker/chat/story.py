"""What is told of Six Card Poker while it is played, and in the review that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.chat.board import HANDS, example, points, row, score_percent, worded
from chatbot.games.sixcardpoker.rules import moves
from chatbot.games.sixcardpoker.rules.cards import compare
from chatbot.games.sixcardpoker.solver import policies
from chatbot.games.sixcardpoker.solver.policies import replies
from chatbot.kernel import stakes
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say, Talk, Tellers, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from chatbot.games.sixcardpoker.rules.cards import Arrangement, SixCards
    from chatbot.games.sixcardpoker.rules.moves import Revealed, Setting
    from chatbot.kernel.game import Seat

VERBS = {1: "beats", 0: "draws", -1: "loses"}


def narrate(event: moves.Event) -> Iterable[Say]:
    """Say what happened, in the words of the game."""
    return told(event, _TELLERS, "sixcardpoker")


def _opened(event: moves.Opened) -> Iterator[Say]:
    who, committed = Name(event.seat), event.committed
    yield Say(Message("sixcard-hash", {"who": who, "digest": committed.digest}), fine=True)
    args: Arguments = {
        **_cards_arguments(event.held, event.seconds),
        "who": who,
        "terms": stakes.terms(event.credits),
    }
    yield Say(Message("sixcard-opened", args))


def _challenged(event: moves.Challenged) -> Iterator[Say]:
    message = "sixcard-challenge-seat" if event.by_seat else "sixcard-challenge"
    yield Say(Message(message, _duel(event, event.seat, event.rival)))


def _awaiting(event: moves.Awaiting) -> Iterator[Say]:
    names = tuple(Message("name", {"who": Name(each)}) for each in event.missing)
    args = _duel(event, event.challenger, event.seat)
    yield Say(Message("sixcard-awaiting", {**args, "names": Listing(names), "count": len(names)}))


def _unseated(event: moves.Unseated) -> Iterator[Say]:
    names = tuple(Message("name", {"who": Name(each)}) for each in event.missing)
    args: Arguments = {"who": Name(event.challenger), "rival": Name(event.rival)}
    yield Say(Message("sixcard-unseated", {**args, "names": Listing(names), "count": len(names)}))


def _accepted(event: moves.Accepted) -> Iterator[Say]:
    yield Say(Message("sixcard-accepted", _duel(event, event.challenger, event.seat)))


def _dealt(event: moves.Dealt) -> Iterator[Say]:
    yield Say(
        Message("sixcard-dealt", _cards_arguments(event.held, event.seconds)), to=event.seat, secret=True
    )


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
    yield Say(Message("sixcard-revealed", args), follows=True)
    for each in (first, second):
        if each.nonce:
            nonce_args: Arguments = {"hands": str(each.arrangement), "nonce": each.nonce}
            yield Say(Message("sixcard-nonce", nonce_args), fine=True)


def _compared(event: moves.Revealed) -> dict[str, Message]:
    """Say of each hand whether the first wins, draws or loses against the second."""
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
    winner_hands, loser_hands = (hands, turned) if result > 0 else (turned, hands)
    args: Arguments = {
        "who": Name(winner.seat),
        "points": points(winner_hands),
        "others": points(loser_hands),
        "payout": Credits(event.payouts.get(winner.seat, 0)),
        "stake": Credits(event.credits),
    }
    if not event.credits:
        return Message("sixcard-won", args)
    return Message("sixcard-won-house" if of_house(winner.seat) else "sixcard-won-paid", args)


def _duel(
    event: moves.Challenged | moves.Accepted | moves.Awaiting, challenger: Seat, rival: Seat
) -> Arguments:
    """Name the two of a duel, what it is for, and how long they have for what is next."""
    return {
        "who": Name(challenger),
        "rival": Name(rival),
        "terms": stakes.terms(event.credits, each=True),
        "seconds": event.seconds,
    }


def _cards_arguments(cards: SixCards, seconds: int) -> Arguments:
    """Show the cards, and how they are set."""
    return {"cards": row(cards), "example": example(cards), "seconds": seconds}


_TELLERS: Tellers = {
    moves.Opened: _opened,
    moves.Challenged: _challenged,
    moves.Accepted: _accepted,
    moves.Awaiting: _awaiting,
    moves.Unseated: _unseated,
    moves.Dealt: _dealt,
    moves.Declined: _declined,
    moves.Lapsed: _lapsed,
    moves.Arranged: _arranged,
    moves.Revealed: _revealed,
}


# What is said after a game, once it has been thought about: how the cards could have been set better.
#
# An arrangement is weighed twice: against best play, that is over all that the other could hold and set, and
# against what the other really held, as it was set.


def review(event: Revealed) -> Iterable[Say]:
    """Weigh how each person at the table has set their cards.

    Who played the house is told where they played; the two of a duel are told alone, or where all is told.
    """
    pairs = (event.first, event.second), (event.second, event.first)
    duel = not any(of_house(each.seat) for each in (event.first, event.second))
    for own, other in pairs:
        if not of_house(own.seat):
            talk, to = (Talk.FULL, own.seat) if duel else (Talk.NORMAL, None)
            yield Say(_reviewed(own, other), to, talk, game="sixcardpoker", event="Revealed")


def _reviewed(own: Setting, other: Setting) -> Message:
    scores = dict(replies(own.held, policies.nash()))
    args: Arguments = {
        "who": Name(own.seat),
        "average": _on_average(own.arrangement, scores),
        "this_time": _this_time(own.arrangement, other, scores),
    }
    return Message("sixcard-review", args)


def _on_average(own: Arrangement, scores: Mapping[Arrangement, Fraction]) -> Message:
    best = max(scores, key=lambda each: scores[each])  # of equals, the first
    args: Arguments = {
        "hands": str(own),
        "score": score_percent(scores[own]),
        "best": str(best),
        "most": score_percent(scores[best]),
    }
    flawless = scores[own] == scores[best]
    return Message("sixcard-review-flawless" if flawless else "sixcard-review-better", args)


def _this_time(own: Arrangement, other: Setting, scores: Mapping[Arrangement, Fraction]) -> Message:
    """Say what would have done better against these very hands: of several, what is best on average."""
    results = {each: compare(each, other.arrangement).round for each in scores}
    best = max(scores, key=lambda each: (results[each], scores[each]))
    args: Arguments = {"other": Name(other.seat), "hands": str(best)}
    return Message(f"sixcard-review-{_kind(results[own], results[best])}", args)


def _kind(own: int, best: int) -> str:
    if own > 0:
        return "won"
    if best > own:
        return "could-win" if best > 0 else "could-draw"
    return "only-drew" if best == 0 else "only-lost"
