"""Words to actions: what people type behind `!heist` and in the getaway, and how an action is typed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chatbot.games.heist.rules.moves import Act, Answer, Join, JoinAs, Leave
from chatbot.kernel.amounts import read_amount, require_whole_groups
from chatbot.kernel.commands import Command, Kind, MoveRequest, Option
from chatbot.kernel.game import Refusal
from chatbot.kernel.lobby import LEAVE, START, Start
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.heist.rules.moves import Action
    from chatbot.games.heist.rules.rules import Heist

ARGUMENTS = "[69 | 1k | 25% | half | all | leave | start | rules | odds | career]"


def read_heist(game: Heist, request: MoveRequest) -> Join | Leave | Start:
    """Read a stake, as in `69`, or `leave`, or `start`; without a word it is the usual stake."""
    match request.words:
        case ():
            return _join(game, request, game.usual_stake)
        case (word,) if word.lower() == LEAVE:
            return Leave(request.seat)
        case (word,) if word.lower() == START:
            return Start(request.seat)
        case (amount,):
            return _join(game, request, read_amount(amount, request.purse))
        case _:
            require_whole_groups(request.words)
            raise Refusal(Message("usage", {"command": f"!heist {ARGUMENTS}"}))


def _join(game: Heist, request: MoveRequest, stake: int) -> Join:
    """Join with the role that brings the highest bonus, if any does."""
    role = next((each for each in game.bonuses if each in request.roles), None)
    return Join(request.seat, stake) if role is None else JoinAs(request.seat, stake, role)


def read_answer(act: Act, game: Heist, request: MoveRequest) -> Answer:  # noqa: ARG001
    """Read an answer of the getaway, which is a command of its own."""
    if request.words:
        raise Refusal(Message("heist-answer-alone", {"word": f"!{act.value}"}))
    return Answer(request.seat, act)


def suggest_stakes(game: Heist, options: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG001
    """List what may be typed behind `!heist`: stakes, the usual one first, and topics."""
    return (str(game.usual_stake), "25%", "half", "all", LEAVE, START, "rules", "odds", "career")


COMMANDS = (
    Command(
        "heist", read_heist, aliases=("bankheist",), arguments=ARGUMENTS,
        opens=True, options=(Option("stake", Kind.AMOUNT, suggest=suggest_stakes),),
    ),
    *(
        Command(act.value, partial(read_answer, act), secret=True, wagers=act is Act.ALL_IN)
        for act in Act
    ),
)  # fmt: skip


def line(action: Action) -> str:
    """Write an action as somebody would type it."""
    match action:
        case Join():
            return f"!heist {action.credits}"
        case Leave():
            return f"!heist {LEAVE}"
        case Start():
            return f"!heist {START}"
        case Answer():
            return f"!{action.act.value}"
