"""Words to actions: what people type behind `!chicken` and `!play`, and how an action is typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.rules.moves import Join, Play
from chatbot.games.chickenpoker.rules.rules import CARDS
from chatbot.kernel import keyed, lobby, stakes
from chatbot.kernel.commands import Command, Kind, MoveRequest, Option
from chatbot.kernel.game import Refusal
from chatbot.kernel.lobby import Leave, Start, leaves, starts
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.chickenpoker.rules.moves import Action
    from chatbot.games.chickenpoker.rules.rules import ChickenPoker

ARGUMENTS = "[CARDS] [STAKE] | leave | start | rules"
CARD = "CARD"

_DIGITS = re.compile(r"[0-9]{1,16}", re.ASCII)


def read_chicken(game: ChickenPoker, request: MoveRequest) -> Join | Leave | Start:  # noqa: ARG001
    """Read `leave`, `start` or `6 50`, of which either may be left out, or have its key: `stake=50`."""
    words = _behind_the_name(request.words)
    if leaves(words):
        return Leave(request.seat)
    if starts(words):
        return Start(request.seat)
    options = keyed.read_options(words, CARDS)
    return Join(request.seat, keyed.length(options, CARDS), keyed.stake(options, request.purse))


def _behind_the_name(words: Sequence[str]) -> Sequence[str]:
    """Leave the rest of the game's name out: people write `!chicken poker` too."""
    return words[1:] if words and words[0].lower() == "poker" else words


def read_play(game: ChickenPoker, request: MoveRequest) -> Play:  # noqa: ARG001
    """Read one card. What cannot be read is not repeated: it may be meant for nobody else."""
    if len(request.words) != 1 or not _DIGITS.fullmatch(request.words[0]):
        raise Refusal(Message("chicken-play-usage"))
    return Play(request.seat, int(request.words[0]), request.public)


COMMANDS = (
    Command(
        "chicken", read_chicken, aliases=("chickenpoker",), arguments=ARGUMENTS, opens=True,
        options=(
            Option("cards", Kind.WHOLE, least=CARDS.least, most=CARDS.most, key="cards="),
            Option("stake", Kind.AMOUNT, key="stake=", suggest=stakes.suggest),
        ),
    ),
    Command(
        "play", read_play, arguments=CARD, secret=True,
        options=(Option("card", Kind.WHOLE, required=True, least=1, most=CARDS.most, moves=True),),
    ),
)  # fmt: skip


def line(action: Action) -> str:
    """Write an action as somebody would type it."""
    if isinstance(action, Play):
        return f"!play {action.card}"
    if isinstance(action, Leave | Start):
        return lobby.line("chicken", action)
    if action.cards is None:
        return "!chicken" if action.credits is None else f"!chicken stake={action.credits}"
    return f"!chicken {action.cards}" + ("" if action.credits is None else f" {action.credits}")
