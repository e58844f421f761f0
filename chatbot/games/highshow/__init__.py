"""High Show: cards from a secret number on come one by one, and it is all about when to stop."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.highshow.chat import board, commands, review
from chatbot.games.highshow.chat.board import odds
from chatbot.games.highshow.chat.story import tell
from chatbot.games.highshow.rules import moves, rules
from chatbot.games.highshow.rules.rules import PRESETS
from chatbot.games.highshow.strategies import STRATEGIES
from chatbot.kernel.kit import Apart, Kit, Solved

if TYPE_CHECKING:
    from chatbot.games.highshow.rules.moves import Action, Event
    from chatbot.games.highshow.rules.states import State, View
    from chatbot.kernel.contest import Contest, Question
    from chatbot.kernel.game import Game

    _: Game[State, Action] = rules.HighShow()


def _contest() -> type[Contest]:
    from chatbot.games.highshow.contest.contest import HighShowContest  # noqa: PLC0415  (it loads NumPy; a chat does without)

    return HighShowContest


def _question() -> type[Question]:
    from chatbot.games.highshow.solver.question import HighShowQuestion  # noqa: PLC0415  (asked on the command line only)

    return HighShowQuestion


KIT: Kit[State, Action, Event, View] = Kit(
    name="highshow",
    game=rules.HighShow,
    version=1,
    lasts=True,
    rests=False,
    commands=commands.COMMANDS,
    actions=moves.ACTIONS,
    events=moves.EVENTS,
    tell=tell,
    line=commands.line,
    label=board.label,
    gesture=board.gesture,
    board=board.board,
    strategies=STRATEGIES,
    presets=PRESETS,
    topics={"rules": board.rules},
    counts=rules.was_played,
    apart=Apart(attrgetter("games")),
    ponders={moves.HintAsked: review.hint, moves.Revealed: review.review},
    odds=odds,
    solved=Solved(contest=_contest, question=_question),
)
