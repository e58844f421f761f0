"""Words to actions: what people type behind `!market` and its answers, and how an action is typed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.pokermarket.rules.moves import Accept, Decline, Join, Pass, Propose
from chatbot.games.pokermarket.rules.rules import ROUNDS
from chatbot.kernel import keyed, lobby, stakes
from chatbot.kernel.cards import parse, written
from chatbot.kernel.commands import Command, Kind, MoveRequest, Option
from chatbot.kernel.game import Refusal
from chatbot.kernel.lobby import Leave, Start, leaves, starts
from chatbot.kernel.say import Message, Quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.games.pokermarket.rules.moves import Action
    from chatbot.games.pokermarket.rules.rules import PokerMarket

OfferAnswer: TypeAlias = Accept | Decline

ARGUMENTS = "[ROUNDS] [STAKE] | leave | start | swap CARD CARD [@name] | accept | decline | pass | rules"
SWAP_ARGUMENTS = "CARD CARD [@name]"
FOR = "for"  # people write `!swap JS for 3D` too


def read_market(game: PokerMarket, request: MoveRequest) -> Action:
    """Read `2 50`, in any order with keys; `leave` or `start`; or an answer, as in `swap JS 3D`."""
    first = request.words[0].lower() if request.words else ""
    if first in ANSWERS:
        return ANSWERS[first](game, replace(request, words=request.words[1:]))
    if leaves(request.words):
        return Leave(request.seat)
    if starts(request.words):
        return Start(request.seat)
    texts = keyed.read_options(request.words, ROUNDS)
    return Join(request.seat, keyed.length(texts, ROUNDS), keyed.stake(texts, request.purse))


def read_swap(game: PokerMarket, request: MoveRequest) -> Propose:  # noqa: ARG001
    """Read `JS 3D @bob`; whose cards these are is for the rules to say."""
    words = [each for each in request.words if each not in request.members and each.lower() != FOR]
    if len(words) != 2 or len(request.members) > 1:
        raise Refusal(Message("market-swap-usage"))
    give, take = (_card(each) for each in words)
    return Propose(request.seat, give, take, next(iter(request.members.values()), None))


def read_answer(answer: type[OfferAnswer], word: str, game: PokerMarket, request: MoveRequest) -> OfferAnswer:  # noqa: ARG001
    """Read `accept`, or `accept JS 3D`, which means that swap and no other."""
    if not request.words:
        return answer(request.seat)
    try:
        give, take = (written(parse(each)) for each in request.words)
    except ValueError:
        raise _alone(word) from None
    return answer(request.seat, give, take)


def read_pass(game: PokerMarket, request: MoveRequest) -> Pass:  # noqa: ARG001
    if request.words:
        raise _alone("pass")
    return Pass(request.seat)


def line(action: Action) -> str:
    """Write an action as somebody would type it."""
    match action:
        case Propose():
            partner = "" if action.partner is None else f" @{action.partner}"
            return f"!swap {action.give} {action.take}{partner}"
        case Accept():
            return f"!accept{_behind(action)}"
        case Decline():
            return f"!decline{_behind(action)}"
        case Pass():
            return "!pass"
        case Leave() | Start():
            return lobby.line("market", action)
        case Join():
            return _joining(action)


def _joining(join: Join) -> str:
    if join.rounds is None:
        return "!market" if join.credits is None else f"!market stake={join.credits}"
    return f"!market {join.rounds}" + ("" if join.credits is None else f" {join.credits}")


def _behind(answer: OfferAnswer) -> str:
    return "" if answer.give is None else f" {answer.give} {answer.take}"


def _alone(word: str) -> Refusal:
    return Refusal(Message("market-alone", {"word": f"!{word}"}))


def _card(text: str) -> str:
    try:
        return written(parse(text))
    except ValueError:
        raise Refusal(Message("market-card", {"text": Quote(text)})) from None


ANSWERS: dict[str, Callable[[PokerMarket, MoveRequest], Action]] = {
    "swap": read_swap,
    "accept": partial(read_answer, Accept, "accept"),
    "decline": partial(read_answer, Decline, "decline"),
    "pass": read_pass,
}

COMMANDS = (
    Command(
        "market", read_market, aliases=("pokermarket",), arguments=ARGUMENTS, opens=True,
        options=(
            Option("rounds", Kind.WHOLE, least=ROUNDS.least, most=ROUNDS.most, key="rounds="),
            Option("stake", Kind.AMOUNT, key="stake=", suggest=stakes.suggest),
        ),
    ),
    Command(
        "swap", read_swap, arguments=SWAP_ARGUMENTS,
        options=(
            Option("give", Kind.WORD, required=True, part=0),
            Option("take", Kind.WORD, required=True, part=1),
            Option("partner", Kind.MEMBER),
        ),
    ),
    *(Command(word, read) for word, read in ANSWERS.items() if word != "swap"),
)  # fmt: skip
