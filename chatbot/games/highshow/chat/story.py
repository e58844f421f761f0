"""What is told of High Show: each event in one line, which names its player, for several may play at once.

It is a show: everything is said to all, and nothing before the end depends on K but the cards.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from chatbot.games.highshow.chat.board import penalty_in_words
from chatbot.games.highshow.figures import MANY, exactly, roughly, row, shortly, signed
from chatbot.games.highshow.rules import moves
from chatbot.kernel.say import Arguments, Credits, Message, Name, Say, Tellers, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def narrate(event: moves.Event) -> Iterable[Say]:
    """Say what happened, in the words of the game."""
    shown = type(event) in _SHOWN
    return (replace(say, shown=shown) for say in told(event, _TELLERS, "highshow"))


def _opened(event: moves.Opened) -> Iterator[Say]:
    terms = event.progress.terms
    args: Arguments = {
        **_progress_arguments(event.progress),
        "penalty": penalty_in_words(terms),
        "most": terms.highest_start,
        "stake": _stake(event),
        "seconds": event.seconds,
    }
    yield Say(Message("highshow-opened", args))


def _stake(event: moves.Opened) -> Message:
    if event.par is None:
        return Message("highshow-for-honour")
    args: Arguments = {
        "stake": Credits(event.stake),
        "par": shortly(event.par.value),
        "point": roughly(event.stake / event.par.span),
    }
    return Message("highshow-for-stake", args)


def _kept(event: moves.Kept) -> Iterator[Say]:
    yield Say(_decision("late" if event.late else "kept", event.progress))


def _rejected(event: moves.Rejected) -> Iterator[Say]:
    yield Say(_decision("rejected", event.progress))


def _decision(what: str, progress: moves.Progress) -> Message:
    card = str(progress.seen[-1].card)
    args: Arguments = {**_progress_arguments(progress), "card": card}
    message = Message(f"highshow-{what}", args)
    if progress.shown is None:
        return message
    return Message("highshow-next", {**args, "done": message})


def _progress_arguments(progress: moves.Progress) -> Arguments:
    """Say where a game stands."""
    return {
        "who": Name(progress.seat),
        "cards": progress.terms.cards,
        "keep": progress.terms.keep,
        "kept": len(progress.kept),
        "row": row(progress.kept),
        "left": progress.left,
        "shown": str(progress.shown),
    }


def _forced(event: moves.Forced) -> Iterator[Say]:
    args: Arguments = {
        "who": Name(event.progress.seat),
        "count": len(event.cards),
        "row": row(event.cards, MANY),
    }
    yield Say(Message("highshow-forced", args), follows=True)


def _away(event: moves.Away) -> Iterator[Say]:
    count = 1 + len(event.cards)
    args: Arguments = {
        "who": Name(event.progress.seat),
        "late": event.late,
        "row": row(event.progress.kept[-count:], MANY),
        "kept": len(event.progress.kept),
        "keep": event.progress.terms.keep,
    }
    yield Say(Message("highshow-away", args))


def _hint_asked(event: moves.HintAsked) -> Iterator[Say]:  # noqa: ARG001
    """Say nothing yet: the hint is thought about first."""
    yield from ()


def _completed(event: moves.Completed) -> Iterator[Say]:
    progress = event.progress
    args: Arguments = {
        **_progress_arguments(progress),
        "most": progress.terms.highest_start,
        "seconds": event.seconds,
    }
    yield Say(Message("highshow-completed", args), follows=True)


def _revealed(event: moves.Revealed) -> Iterator[Say]:
    result, guess = event.result, event.guess
    args: Arguments = {
        "who": Name(event.progress.seat),
        "lowest": str(result.lowest),
        "gain": exactly(result.gain),
        "penalty": exactly(result.penalty),
        "profit": exactly(result.profit),
        "lowest_guess": _guessed(guess.lowest, result.lowest),
        "profit_guess": _guessed(guess.profit, result.profit),
    }
    silent = guess.lowest is None and guess.profit is None
    yield Say(Message("highshow-revealed" if silent else "highshow-revealed-guesses", args))
    if event.par is not None:
        message = Message("highshow-paid", {"who": Name(event.progress.seat), **_payout(event)})
        yield Say(message, follows=True)


def _guessed(guess: int | str | None, truth: Fraction | int) -> Message:
    if guess is None:
        return Message("highshow-guess-none")
    error = Fraction(guess) - truth
    args: Arguments = {"guess": exactly(Fraction(guess)), "error": exactly(abs(error))}
    if not error:
        return Message("highshow-guess-right", args)
    return Message("highshow-guess-high" if error > 0 else "highshow-guess-low", args)


def _payout(event: moves.Revealed) -> Arguments:
    net = event.result.payout - event.stake
    return {"payout": Credits(event.result.payout), "stake": Credits(event.stake), "net": signed(net)}


_SHOWN = {moves.Kept, moves.Rejected, moves.Forced, moves.Away, moves.Completed}  # by the board as well

_TELLERS: Tellers = {
    moves.Opened: _opened,
    moves.Kept: _kept,
    moves.Rejected: _rejected,
    moves.Forced: _forced,
    moves.Away: _away,
    moves.HintAsked: _hint_asked,
    moves.Completed: _completed,
    moves.Revealed: _revealed,
}
