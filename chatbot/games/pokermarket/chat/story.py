"""What is told of Poker Market, in lines that every chat takes, with ten players and the longest names.

A turn is one line in public, which begins with how the last one ended; a proposal to a person is one more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.chat.board import compact, hands, missed_message, offer_arguments, worded
from chatbot.games.pokermarket.rules import moves
from chatbot.games.pokermarket.rules.rules import ROUNDS
from chatbot.kernel import lobby
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say, Talk, Tellers, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RANKED = 3  # players whose hands, points and credits fit into a line


def narrate(event: moves.Event) -> Iterable[Say]:
    """Say what happened, in the words of the game."""
    return told(event, _TELLERS, "pokermarket")


def _dealt(event: moves.Dealt) -> Iterator[Say]:
    args: Arguments = {"hands": hands(event.hands), "pot": Credits(event.pot)}
    yield Say(Message("market-dealt-pot" if event.pot else "market-dealt", args), shown=True)


def _turn_began(event: moves.TurnBegan) -> Iterator[Say]:
    turn = event.turn
    args: Arguments = {
        "who": Name(turn.seat),
        "round": turn.round,
        "rounds": turn.rounds,
        "seconds": event.seconds,
        "give": event.example[0],
        "take": event.example[1],
    }
    if event.hands is not None:
        yield Say(Message("market-hands", {**args, "hands": hands(event.hands)}), shown=True, follows=True)
    if of_house(turn.seat):
        yield Say(Message("market-turn-house", args), talk=Talk.FULL, shown=True, follows=True)
    else:
        yield Say(Message("market-turn" if turn.round == 1 else "market-turn-again", args), follows=True)


def _proposed(event: moves.Proposed) -> Iterator[Say]:
    args: Arguments = {
        **offer_arguments(event.offer),
        "own": worded(event.own),
        "theirs": worded(event.theirs),
        "seconds": event.seconds,
    }
    if of_house(event.offer.partner):
        yield Say(Message("market-proposed-house", args), talk=Talk.FULL, shown=True)
    else:
        yield Say(Message("market-proposed-you", args))


def _accepted(event: moves.Accepted) -> Iterator[Say]:
    offer = event.offer
    args: Arguments = {
        **offer_arguments(offer),
        "cards": compact(event.hands[offer.seat]),
        "own": worded(event.hands[offer.seat]),
        "others": compact(event.hands[offer.partner]),
        "theirs": worded(event.hands[offer.partner]),
    }
    yield Say(Message("market-accepted", args), shown=True)


def _declined(event: moves.Declined) -> Iterator[Say]:
    args = offer_arguments(event.offer)
    if event.late:
        yield Say(Message("market-declined-late", args), shown=True)
    elif event.reason is not None:
        why: Arguments = {**args, "why": Message(f"market-reason-{event.reason.value}")}
        yield Say(Message("market-declined-why", why), talk=Talk.NORMAL)
    else:
        yield Say(Message("market-declined", args), talk=Talk.NORMAL, shown=True)


def _passed(event: moves.Passed) -> Iterator[Say]:
    who: Arguments = {"who": Name(event.seat)}
    if event.late:
        yield Say(Message("market-passed-late", who), talk=Talk.NORMAL, shown=True)
    else:
        yield Say(Message("market-passed", who), talk=Talk.NORMAL, shown=True)


def _ranked(event: moves.Ranked) -> Iterator[Say]:
    rows = [_row(each) for each in event.places]
    for first in range(0, len(rows), RANKED):
        listing = Listing(tuple(rows[first : first + RANKED]), separator=" \N{MIDDLE DOT} ")
        args: Arguments = {"rows": listing, "pot": Credits(event.pot)}
        if first:
            yield Say(Message("market-ranked-more", args))
        else:
            message = Message("market-ranked-pot" if event.pot else "market-ranked", args)
            yield Say(message, follows=True)
    if event.missed is not None:
        yield Say(missed_message(event.missed), follows=True)


def _row(place: moves.Placing) -> Message:
    args: Arguments = {
        "rank": place.rank,
        "who": Name(place.seat),
        "worth": worded(place.hand),
        "points": place.points,
        "share": Credits(place.credits),
    }
    return Message("market-row-paid" if place.credits else "market-row", args)


_TELLERS: Tellers = {
    **lobby.tellers(ROUNDS),
    moves.Dealt: _dealt,
    moves.TurnBegan: _turn_began,
    moves.Proposed: _proposed,
    moves.Accepted: _accepted,
    moves.Declined: _declined,
    moves.Passed: _passed,
    moves.Ranked: _ranked,
}
