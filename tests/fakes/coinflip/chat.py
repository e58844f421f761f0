"""Coin Flip in chat."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.coinflip.rules import HEADS, TAILS, Bet, Call, Called, CoinFlip, Joined, Landed, Opened
from chatbot.kernel.amounts import read_amount
from chatbot.kernel.board import Board, Place
from chatbot.kernel.commands import Command, MoveRequest
from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import Odds, percent
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Say, Talk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chatbot.games.coinflip.rules import Action, Event, View
    from chatbot.kernel.fair import Rng


def read_bet(game: CoinFlip, request: MoveRequest) -> Bet:
    if len(request.words) > 1:
        raise Refusal(Message("usage", {"command": "!flip [AMOUNT]"}))
    amount = read_amount(request.words[0], request.purse) if request.words else game.stake
    return Bet(request.seat, amount)


def odds(game: CoinFlip) -> Odds:
    chance = Fraction(1, 2)
    figures = {"chance": percent(chance), "back": percent(2 * chance)}
    return Odds((Message("coinflip-odds", figures),), 2 * chance)


def read_call(side: str, game: CoinFlip, request: MoveRequest) -> Call:
    return Call(request.seat, side)


COMMANDS = (
    Command("flip", read_bet, arguments="[AMOUNT]", opens=True),
    Command(HEADS, partial(read_call, HEADS), secret=True),
    Command(TAILS, partial(read_call, TAILS), secret=True),
)


def line(action: Action) -> str:
    return f"!flip {action.credits}" if isinstance(action, Bet) else f"!{action.side}"


def label(action: Action) -> Message:
    if isinstance(action, Bet):
        return Message("coinflip-button-bet", {"stake": Credits(action.credits)})
    return Message(f"coinflip-{action.side}")


def narrate(event: Event) -> Iterable[Say]:
    for say in _said(event):
        yield replace(say, game="coinflip", event=type(event).__name__)


def _said(event: Event) -> Iterator[Say]:
    match event:
        case Opened() | Joined():
            kind = type(event).__name__.lower()
            args: Arguments = {"who": Name(event.seat), "stake": Credits(event.credits)}
            yield Say(Message(f"coinflip-{kind}", args))
        case Called():
            yield Say(Message("coinflip-called", {"who": Name(event.seat)}), talk=Talk.FULL)
        case Landed():
            winners = Listing(tuple(Message("name", {"who": Name(seat)}) for seat in event.winners))
            side = Message(f"coinflip-{event.side}")
            kind = "coinflip-landed" if event.winners else "coinflip-landed-nobody"
            yield Say(Message(kind, {"side": side, "winners": winners}))


def board(view: View) -> Board:
    places = [
        Place(
            seat,
            Message("amount", {"credits": Credits(stake)}),
            "ready" if seat in view.called else "waiting",
        )
        for seat, stake in view.stakes.items()
    ]
    note = Message(f"coinflip-{view.landed}") if view.landed else None
    return Board(Message("game-coinflip"), places=tuple(places), note=note)


def guess(view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    return rng.choice(menu) if menu else None
