"""Fuse in chat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from chatbot.kernel.amounts import read_amount
from chatbot.kernel.board import Board, Fact, Place
from chatbot.kernel.commands import Command, Kind, MoveRequest, Option, TopicRequest
from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import Odds
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say
from rabble_fuse.rules import PLAYERS, Burnt, Fuse, Hold, Lapsed, LetGo, Lit, Offered, Released

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.kernel.fair import Rng
    from chatbot.kernel.game import Seat
    from rabble_fuse.rules import Action, Event, View

CHANCE = 0.3  # that one who guesses lets go when asked


def read_fuse(game: Fuse, request: MoveRequest) -> Hold:
    match request.words:
        case ():
            return Hold(request.seat)
        case (amount,):
            return Hold(request.seat, read_amount(amount, request.purse))
        case _:
            raise Refusal(Message("usage", {"command": "!fuse [AMOUNT]"}))


def read_let_go(game: Fuse, request: MoveRequest) -> LetGo:
    return LetGo(request.seat)


COMMANDS = (
    Command("fuse", read_fuse, arguments="[AMOUNT]", opens=True, options=(Option("amount", Kind.AMOUNT),)),
    Command("letgo", read_let_go, secret=True),
)


def line(action: Action) -> str:
    if isinstance(action, LetGo):
        return "!letgo"
    return "!fuse" if action.credits is None else f"!fuse {action.credits}"


def label(action: Action) -> Message:
    if isinstance(action, LetGo):
        return Message("fuse-button-let-go")
    return Message("fuse-button-hold", {"stake": Credits(action.credits or 0)})


def rules(game: Fuse, request: TopicRequest) -> Sequence[Message]:
    return [Message("fuse-rules", {"shortest": game.shortest, "longest": max(game.shortest, game.longest)})]


def odds(game: Fuse) -> Odds:
    return Odds((Message("fuse-odds"),), None)


def narrate(event: Event) -> Iterable[Say]:
    yield replace(_said(event), game="fuse", event=type(event).__name__)


def _said(event: Event) -> Say:
    match event:
        case Offered():
            terms: Arguments = {"stake": Credits(event.credits), "seconds": event.seconds}
            return Say(Message("fuse-offered", {"who": Name(event.seat), **terms}))
        case Lit():
            people: Arguments = {"who": Name(event.seat), "rival": Name(event.rival)}
            return Say(Message("fuse-lit", {**people, "stake": Credits(event.credits)}))
        case Released():
            return Say(Message("fuse-released"), to=event.seat, secret=True)
        case Lapsed():
            return Say(Message("fuse-lapsed", {"who": Name(event.seat)}))
        case Burnt():
            return Say(_ending(event))
        case _:
            assert_never(event)


def _ending(event: Burnt) -> Message:
    if event.winner is None:
        return Message("fuse-burnt-both")
    held = len(event.released) < PLAYERS
    return Message(
        "fuse-burnt-one" if held else "fuse-last",
        {"winner": Name(event.winner), "pot": Credits(event.pot)},
    )


def board(view: View) -> Board:
    return Board(
        title=Message("game-fuse"),
        facts=(Fact(Message("fuse-stake"), Message("amount", {"credits": Credits(view.credits)})),),
        places=tuple(
            Place(seat, Message(f"fuse-{_place(view, seat)}"), _mark(view, seat)) for seat in view.players
        ),
        note=Message("fuse-note") if len(view.players) == PLAYERS and not view.over else None,
        pot=0 if view.over else view.credits * len(view.players),
    )


def _place(view: View, seat: Seat) -> str:
    return "let-go" if seat in view.released else "holds"


def _mark(view: View, seat: Seat) -> str:
    if not view.over:
        return "ready" if seat in view.released else "waiting"
    if len(view.players) < PLAYERS:
        return "plain"
    if view.winner is None:
        return "drawn"
    return "won" if seat == view.winner else "lost"


def hasty(view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    return menu[0] if menu else None


def guess(view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    asked = [each for each in menu if isinstance(each, Hold) or rng.chance(CHANCE)]
    return asked[0] if asked else None


def bold(view: View, menu: Sequence[Action], rng: Rng) -> Action | None:
    return next((each for each in menu if isinstance(each, Hold)), None)
