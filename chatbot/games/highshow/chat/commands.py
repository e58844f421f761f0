"""Words to actions: what people type behind `!highshow` and its answers, and how an action is typed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.highshow.rules.moves import AskHint, CashOut, Guess, Open, SeeAnother
from chatbot.games.highshow.rules.par import par
from chatbot.games.highshow.rules.terms import (
    FEWEST_CARDS,
    MOST_CARDS,
    Penalty,
    PenaltyKind,
    Terms,
    number_text,
    read_penalty,
)
from chatbot.games.highshow.solver import solver
from chatbot.kernel import keyed, stakes
from chatbot.kernel.amounts import is_worded, read_whole
from chatbot.kernel.commands import Command, MoveRequest, Option
from chatbot.kernel.commands import Kind as Typed
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message, Quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.highshow.rules.moves import Action
    from chatbot.games.highshow.rules.rules import HighShow
    from chatbot.kernel.say import Arguments

TurnAction: TypeAlias = CashOut | SeeAnother | AskHint

ARGUMENTS = "[CARDS] [KEEP] [PENALTY[=PARAMETER]] [STAKE] | rules"
GUESS_ARGUMENTS = "K PROFIT"
SKIP = "skip"
SKIPS = {SKIP, "-", "?", "\N{MINUS SIGN}", "\N{EN DASH}"}
KEYS = ("cards", "keep", "penalty", "parameter", "stake")
KINDS = tuple(each.value for each in PenaltyKind)
ELSEWHERE = {
    "odds": "!odds highshow", "hint": "!hint",
    "cashout": "!cashout", "another": "!another", "guess": "!guess 12 40.5",
}  # fmt: skip
"""What people type behind `!highshow` that is a command of its own, and how it is typed."""

_DIGITS = re.compile(r"[0-9]{1,16}", re.ASCII)
_NAME = re.compile(r"[a-z]+(=.*)?", re.ASCII | re.IGNORECASE)
_PROFIT = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{1,6}|/[0-9]{1,6})?", re.ASCII)


# Opening


def read_open(game: HighShow, request: MoveRequest) -> Open:
    """Read `20 3 linear=5 50`; anything may be left out, or stand anywhere with its key: `keep=3`."""
    texts = _texts_by_key(request.words)
    cards = _count(texts["cards"], FEWEST_CARDS, MOST_CARDS) if "cards" in texts else game.usual_cards
    keep = _count(texts["keep"], 1, MOST_CARDS - 1) if "keep" in texts else game.usual_keep(cards)
    terms = game.terms(cards, keep, str(_penalty(game, texts)))
    stake = _stake(game, terms, texts, request.purse)
    game.agree(terms, stake)  # what takes a while is done here, beside the house's other work
    solver.load()
    return Open(request.seat, cards, keep, str(terms.penalty), stake)


def _texts_by_key(words: Sequence[str]) -> Mapping[str, str]:
    """Find what each word is about."""
    texts: dict[str, str] = {}
    for word in words:
        about, text = _meaning(word, texts)
        if about in texts:
            raise keyed.twice(word, about, texts[about])
        texts[about] = text
    return texts


def _meaning(word: str, texts: Mapping[str, str]) -> tuple[str, str]:
    """Say what a word is about, and what it says of it; numbers without a key go by their order."""
    name, mark, text = word.partition("=")
    if mark and text and name.lower() in KEYS:
        return name.lower(), text
    if word.isascii() and word.isdigit():
        early = "penalty" not in texts and "stake" not in texts
        return next((each for each in ("cards", "keep") if early and each not in texts), "stake"), word
    if is_worded(word):
        return "stake", word
    if word.lower() in ELSEWHERE:
        args: Arguments = {"text": Quote(word), "word": ELSEWHERE[word.lower()]}
        raise Refusal(Message("highshow-elsewhere", args))
    if _NAME.fullmatch(word) and name.lower() not in KEYS:
        return "penalty", str(read_penalty(word))
    raise Refusal(Message("highshow-word", {"text": Quote(word)}))


def _count(text: str, least: int, most: int) -> int:
    """Read a whole number; whether it can be played with is for the terms to say, with the reason."""
    return int(text) if _DIGITS.fullmatch(text) else read_whole(text, least, most)


def _penalty(game: HighShow, texts: Mapping[str, str]) -> Penalty:
    penalty = read_penalty(texts.get("penalty", game.penalty))
    if "parameter" not in texts:
        return penalty
    if "penalty" in texts and penalty.parameter is not None:
        raise keyed.twice(texts["parameter"], "parameter", number_text(penalty.parameter))
    return penalty.with_parameter(texts["parameter"])


def _stake(game: HighShow, terms: Terms, texts: Mapping[str, str], purse: int) -> int:
    """Read what is staked; 0 is for honour, as is what nobody asked to be staked where no stake is taken."""
    text = texts.get("stake")
    if text is None:
        return game.usual_stake if game.usual_stake and par(terms) is not None else 0
    return stakes.read(text, purse)


# Answers


def read_answer(answer: type[TurnAction], word: str, game: HighShow, request: MoveRequest) -> TurnAction:  # noqa: ARG001
    if request.words:
        raise Refusal(Message("highshow-alone", {"word": f"!{word}"}))
    return answer(request.seat)


def read_guess(game: HighShow, request: MoveRequest) -> Guess:  # noqa: ARG001
    match [None if word.lower() in SKIPS else word for word in request.words]:
        case [lowest]:
            return Guess(request.seat, _lowest(lowest))
        case [lowest, profit]:
            return Guess(request.seat, _lowest(lowest), _profit(profit))
        case _:
            raise Refusal(Message("highshow-guess-usage"))


def _lowest(text: str | None) -> int | None:
    """Read a guess of K; whether this game may have it is for the rules to say."""
    if text is None:
        return None
    if not _DIGITS.fullmatch(text):
        raise Refusal(Message("highshow-guess-lowest", {"text": Quote(text)}))
    return int(text)


def _profit(text: str | None) -> str | None:
    if text is None:
        return None
    number = text.replace("\N{MINUS SIGN}", "-")
    if not _PROFIT.fullmatch(number) or re.search("/0+$", number):
        raise Refusal(Message("highshow-guess-profit", {"text": Quote(text)}))
    return number_text(Fraction(number))


# The commands


def parameters(game: HighShow, values: Mapping[str, str]) -> Sequence[str]:
    """Suggest parameters about as large as the default."""
    fitting = {
        PenaltyKind.NONE: (),
        PenaltyKind.LINEAR: ("1", "2", "5", "10"),
        PenaltyKind.TURN: ("0.5", "1", "2", "5"),
        PenaltyKind.VALUE: ("1/10", "1/4", "1/2"),
        PenaltyKind.TURNVALUE: ("1/20", "1/8", "1/4"),
    }
    kind = values.get("penalty", "").lower()
    return fitting[PenaltyKind(kind) if kind in KINDS else read_penalty(game.penalty).kind]


COMMANDS = (
    Command(
        "highshow", read_open, aliases=("hs",), arguments=ARGUMENTS, opens=True, slow=True,
        options=(
            Option("cards", Typed.WHOLE, least=FEWEST_CARDS, most=MOST_CARDS, key="cards="),
            Option("keep", Typed.WHOLE, least=1, most=MOST_CARDS - 1, key="keep="),
            Option("penalty", Typed.WORD, choices=KINDS, key="penalty="),
            Option("parameter", Typed.WORD, key="parameter=", suggest=parameters),
            Option("stake", Typed.AMOUNT, key="stake=", suggest=stakes.suggest),
        ),
    ),
    Command("cashout", partial(read_answer, CashOut, "cashout")),
    Command("another", partial(read_answer, SeeAnother, "another"), aliases=("seeanother",)),
    Command("hint", partial(read_answer, AskHint, "hint")),
    Command(
        "guess", read_guess, arguments=GUESS_ARGUMENTS,
        options=(
            Option("k", Typed.WORD, required=True, suggest=lambda *_: (SKIP,)),
            Option("profit", Typed.WORD, suggest=lambda *_: (SKIP,)),
        ),
    ),
)  # fmt: skip


def line(action: Action) -> str:
    """Write an action as somebody would type it."""
    match action:
        case Open():
            return f"!highshow {action.cards} {action.keep} {action.penalty} {action.credits}"
        case CashOut():
            return "!cashout"
        case SeeAnother():
            return "!another"
        case AskHint():
            return "!hint"
        case Guess():
            return f"!guess {_or_skip(action.lowest)} {_or_skip(action.profit)}"


def _or_skip(guess: int | str | None) -> str:
    return "skip" if guess is None else str(guess)
