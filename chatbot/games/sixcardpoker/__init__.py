"""Six Card Poker: sixteen cards, six for each of two, who set three hands of them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.chat import board, commands, story
from chatbot.games.sixcardpoker.chat.board import odds
from chatbot.games.sixcardpoker.chat.story import narrate
from chatbot.games.sixcardpoker.rules import moves, rules, states
from chatbot.games.sixcardpoker.rules.rules import PRESETS
from chatbot.games.sixcardpoker.strategies import STRATEGIES
from chatbot.kernel.kit import Dialogue, Display, Kit, Money, Programs, Ruleset, Seating

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
    rules=Ruleset(
        game=rules.SixCardPoker,
        version=1,
        actions=moves.ACTIONS,
        events=moves.EVENTS,
        presets=PRESETS,
        was_played=rules.was_played,
        hidden_choices=states.hidden_choices,
    ),
    chat=Dialogue(
        commands=commands.COMMANDS,
        line=commands.line,
        narrate=narrate,
        analyses={moves.Revealed: story.review},
        topics={"rules": board.rules},
    ),
    display=Display(board=board.board, label=board.label, gesture=board.gesture),
    programs=Programs(STRATEGIES, contest=_contest, question=_question, returns=_returns),
    money=Money(buy_in=rules.buy_in, winnable=rules.winnable, odds=odds),
    seating=Seating(
        most_tables=attrgetter("games"),
        guests=rules.guests,
        invited=rules.invited,
        private=rules.private,
        awaited=rules.awaited,
        arrives=rules.arrives,
    ),
)
