"""Chicken Poker: everybody holds 1..n and shows one card at once; the highest takes the sum of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.chickenpoker.chat import board, commands
from chatbot.games.chickenpoker.chat.story import narrate
from chatbot.games.chickenpoker.rules import moves, rules
from chatbot.games.chickenpoker.rules.rules import PRESETS
from chatbot.games.chickenpoker.strategies import STRATEGIES
from chatbot.kernel.kit import Dialogue, Display, Kit, Programs, Ruleset, Seating
from chatbot.kernel.lobby import ForHonour, hastened
from chatbot.kernel.lobby_money import MONEY

if TYPE_CHECKING:
    from chatbot.games.chickenpoker.rules.moves import Action, Event
    from chatbot.games.chickenpoker.rules.states import State, View
    from chatbot.kernel.contest import Contest, Question
    from chatbot.kernel.game import Game
    from chatbot.kernel.returns import Solver

    _: Game[State, Action] = rules.ChickenPoker()


def _contest() -> type[Contest]:
    from chatbot.games.chickenpoker.contest.contest import ChickenContest  # noqa: PLC0415  (it loads NumPy; a chat does without)

    return ChickenContest


def _question() -> type[Question]:
    from chatbot.games.chickenpoker.solver.question import ChickenQuestion  # noqa: PLC0415  (asked on the command line only)

    return ChickenQuestion


def _returns() -> Solver:
    from chatbot.games.chickenpoker.solver.returns import figures  # noqa: PLC0415  (worked out on the command line only)

    return figures


KIT: Kit[State, Action, Event, View] = Kit(
    name="chickenpoker",
    rules=Ruleset(
        game=rules.ChickenPoker,
        version=2,
        actions=(*moves.ACTIONS, ForHonour),
        events=moves.EVENTS,
        presets=PRESETS,
        was_played=rules.was_played,
        hidden_choices=rules.hidden,
    ),
    chat=Dialogue(
        commands=commands.COMMANDS,
        line=commands.line,
        narrate=narrate,
        topics={"rules": board.rules},
        many_turns=True,
    ),
    display=Display(board=board.board, label=board.label, gesture=board.gesture),
    programs=Programs(STRATEGIES, contest=_contest, question=_question, returns=_returns),
    money=MONEY,
    seating=Seating(awaited=rules.awaited, hastened=hastened),
)
