"""Six Card Poker: sixteen cards, six for each of two, who set three hands of them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.chat import board, commands, story
from chatbot.games.sixcardpoker.chat.board import odds
from chatbot.games.sixcardpoker.chat.story import tell
from chatbot.games.sixcardpoker.rules import moves, rules, states
from chatbot.games.sixcardpoker.rules.rules import PRESETS
from chatbot.games.sixcardpoker.strategies import STRATEGIES
from chatbot.kernel.kit import Apart, Kit, Solved

if TYPE_CHECKING:
    from chatbot.games.sixcardpoker.rules.moves import Action, Event
    from chatbot.games.sixcardpoker.rules.states import State, View
    from chatbot.kernel.contest import Contest, Question
    from chatbot.kernel.game import Game
    from chatbot.kernel.returns import Solver

    _: Game[State, Action] = rules.SixCardPoker()


def _contest() -> type[Contest]:
    from chatbot.games.sixcardpoker.contest.contest import SixCardContest  # noqa: PLC0415  (it loads NumPy; a chat does without)

    return SixCardContest


def _question() -> type[Question]:
    from chatbot.games.sixcardpoker.solver.question import SixCardQuestion  # noqa: PLC0415  (asked on the command line only)

    return SixCardQuestion


def _returns() -> Solver:
    from chatbot.games.sixcardpoker.solver.returns import figures  # noqa: PLC0415  (worked out on the command line only)

    return figures


KIT: Kit[State, Action, Event, View] = Kit(
    name="sixcardpoker",
    game=rules.SixCardPoker,
    version=1,
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
    entry=rules.entry,
    takes=rules.takes,
    apart=Apart(attrgetter("games"), guests=rules.guests, invited=rules.invited, hides=rules.hides),
    committed=states.hidden,
    ponders={moves.Revealed: story.review},
    odds=odds,
    solved=Solved(contest=_contest, question=_question, returns=_returns),
)
