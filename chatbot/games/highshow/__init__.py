"""High Show: cards from a secret number on come one by one, and it is all about when to stop."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.highshow.chat import board, commands, review
from chatbot.games.highshow.chat.board import odds
from chatbot.games.highshow.chat.story import narrate
from chatbot.games.highshow.rules import moves, rules
from chatbot.games.highshow.rules.rules import PRESETS
from chatbot.games.highshow.strategies import STRATEGIES
from chatbot.kernel.kit import Dialogue, Display, Kit, Money, Programs, Ruleset, Seating

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
    rules=Ruleset(
        game=rules.HighShow,
        version=1,
        actions=moves.ACTIONS,
        events=moves.EVENTS,
        presets=PRESETS,
        was_played=rules.was_played,
    ),
    chat=Dialogue(
        commands=commands.COMMANDS,
        line=commands.line,
        narrate=narrate,
        analyses={moves.HintAsked: review.hint, moves.Revealed: review.review},
        topics={"rules": board.rules},
        many_turns=True,
    ),
    display=Display(board=board.board, label=board.label, gesture=board.gesture),
    programs=Programs(STRATEGIES, contest=_contest, question=_question),
    money=Money(odds=odds),
    seating=Seating(most_tables=attrgetter("games"), awaited=rules.awaited),
)
