"""High Show as people see it: what stands on buttons, what can be asked about, and the board."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.highshow.figures import exactly, in_full, roughly, row
from chatbot.games.highshow.rules.moves import AskHint, CashOut, Guess, Open, SeeAnother
from chatbot.games.highshow.rules.par import par
from chatbot.games.highshow.rules.terms import PenaltyKind, Terms
from chatbot.kernel.board import Board, Card, Fact, Hand, Place
from chatbot.kernel.gestures import BUTTON, Gesture, Risk
from chatbot.kernel.odds import Odds
from chatbot.kernel.say import Arguments, Credits, Message, word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.games.highshow.rules.moves import Action, Progress, Result
    from chatbot.games.highshow.rules.rules import HighShow
    from chatbot.games.highshow.rules.states import View
    from chatbot.kernel.commands import TopicRequest
    from chatbot.kernel.game import Seat


def label(action: Action) -> Message:
    """Return what stands on the button of an action."""
    match action:
        case Open():
            args: Arguments = {"cards": action.cards, "keep": action.keep, "stake": Credits(action.credits)}
            return Message("highshow-button-stake" if action.credits else "highshow-button-honour", args)
        case CashOut():
            return Message("highshow-button-cashout")
        case SeeAnother():
            return Message("highshow-button-another")
        case AskHint():
            return Message("highshow-button-hint")
        case Guess():
            return Message("highshow-button-skip")


_RISKS = {CashOut: Risk.SAFE, SeeAnother: Risk.BOLD}
_TOLD = {mark: Message(f"highshow-card-{mark}") for mark in ("kept", "taken", "rejected")}


def gesture(action: Action) -> Gesture:
    """Say what an action risks: only another card can cost a penalty."""
    return Gesture(_RISKS[type(action)]) if type(action) in _RISKS else BUTTON


def rules(game: HighShow, request: TopicRequest) -> Sequence[Message]:  # noqa: ARG001
    """Answer `!highshow rules`."""
    return [
        Message("highshow-rules-short"),
        Message("highshow-rules"),
        Message("highshow-rules-penalties"),
        Message("highshow-rules-stakes"),
    ]


def penalty_in_words(terms: Terms) -> Message:
    """Say what a rejection costs. Where K decides on it, this is the formula, with K as a letter."""
    penalty, cards = terms.penalty, terms.cards
    if penalty.kind is PenaltyKind.TURN and penalty.parameter is None:
        return Message("highshow-penalty-turn-usual", {"cards": str(cards), "divisor": str(cards + 4)})
    rate = penalty.rate(cards, lowest=0)  # K decides on nothing else
    return Message(f"highshow-penalty-{penalty.kind.value}", {"rate": in_full(rate)})


# The board


def board(view: View) -> Board:
    """Return what everybody may see of a table."""
    progress = view.progress
    return Board(
        title=Message("highshow-title"),
        facts=() if progress is None else tuple(_facts(view, progress)),
        places=() if view.player is None else (_place(view, view.player),),
        note=_note(view),
        hands=() if progress is None else tuple(_hands(view, progress)),
        pot=0 if view.phase == "over" else view.stake,
    )


def _facts(view: View, progress: Progress) -> Iterable[Fact]:
    terms = progress.terms
    args: Arguments = {"kept": len(progress.kept), "keep": terms.keep}
    yield _fact("kept", Message("highshow-of", args))
    yield _fact("left", Message("highshow-of", {"kept": progress.left, "keep": terms.cards}))
    yield _fact("penalty", penalty_in_words(terms))
    if view.par is not None:
        yield _fact("stake", Message("amount", {"credits": Credits(view.stake)}))
        yield _fact("par", word(roughly(view.par.value)))
    if view.result is not None:
        yield from _outcome(view, view.result)


def _outcome(view: View, result: Result) -> Iterable[Fact]:
    yield _fact("lowest", word(str(result.lowest)))
    yield _fact("gain", word(exactly(result.gain)))
    yield _fact("lost", word(exactly(result.penalty)))
    yield _fact("profit", word(exactly(result.profit)))
    if view.stake:
        yield _fact("payout", Message("amount", {"credits": Credits(result.payout)}))


def _fact(name: str, value: Message) -> Fact:
    return Fact(Message(f"highshow-fact-{name}"), value)


def _hands(view: View, progress: Progress) -> Iterable[Hand]:
    if progress.shown is not None:
        yield Hand(Message("highshow-hand-shown"), (Card(str(progress.shown), "shown"),))
    cards = [(each.card, "kept" if each.chosen else "taken") for each in progress.seen if each.kept]
    yield Hand(Message("highshow-hand-kept"), _cards(cards))
    yield Hand(Message("highshow-hand-rejected"), _cards([(card, "rejected") for card in progress.rejected]))
    rest = _cards([(card, "plain") for card in view.rest])
    yield Hand(Message("highshow-hand-left"), rest, progress.left - len(rest))


def _cards(cards: Iterable[tuple[int, str]]) -> tuple[Card, ...]:
    return tuple(Card(str(card), mark, told=_TOLD.get(mark)) for card, mark in cards)


def _place(view: View, seat: Seat) -> Place:
    if view.progress is None:
        phase, mark = ("unused", "left") if view.phase == "over" else ("opening", "waiting")
        return Place(seat, Message(f"highshow-place-{phase}"), mark)
    if view.result is None:
        counts: Arguments = {"cards": row(view.progress.kept), "kept": len(view.progress.kept)}
        return Place(seat, Message("highshow-place-kept", counts), "waiting")
    args: Arguments = {"profit": exactly(view.result.profit), "payout": Credits(view.result.payout)}
    message_id = "highshow-place-paid" if view.stake else "highshow-place-over"
    return Place(seat, Message(message_id, args), _mark(view, view.result))


def _mark(view: View, result: Result) -> str:
    if not view.stake:
        return "plain"
    if result.payout == view.stake:
        return "drawn"
    return "won" if result.payout > view.stake else "lost"


def _note(view: View) -> Message:
    if view.phase == "over" and view.result is None:
        return Message("highshow-note-unused")
    return Message(f"highshow-note-{view.phase}", _note_arguments(view))


def _note_arguments(view: View) -> Arguments:
    """Say what the player is asked about now."""
    if view.progress is None or view.result is not None:
        return {}
    if view.progress.shown is not None:
        return {"card": view.progress.shown}
    return {"most": view.progress.terms.highest_start}


# What High Show publishes of its odds: par returns the stake, and nobody makes more than par on average.
BACK = Fraction(1)
"""Par is the mean of the best play on any terms; what is paid is linear around it: see `par.py`."""


def odds(game: HighShow) -> Odds:
    """Publish par and span of the usual terms; the first time it takes up to a second."""
    cards = game.usual_cards
    terms = game.terms(cards, game.usual_keep(cards), game.penalty)
    usual_par, args = par(terms), _usual_arguments(game)
    if usual_par is None:
        return Odds((Message("highshow-odds-honour", args),), BACK)
    figures: Arguments = {"par": roughly(usual_par.value), "span": roughly(usual_par.span)}
    return Odds((Message("highshow-odds", {**args, **figures}),), BACK)


def _usual_arguments(game: HighShow) -> Arguments:
    cards = game.usual_cards
    return {"cards": cards, "keep": game.usual_keep(cards), "penalty": game.penalty}
