"""High Show: cards from a secret number on come one by one, and it is all about when to stop."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.highshow import chat, moves, orders, review, rules
from chatbot.games.highshow.odds import odds
from chatbot.games.highshow.presets import PRESETS
from chatbot.games.highshow.story import tell
from chatbot.games.highshow.strategies import STRATEGIES
from chatbot.kernel.kit import Kit

if TYPE_CHECKING:
    from chatbot.kernel.contest import Contest
    from chatbot.kernel.question import Question


def _contest() -> type[Contest]:
    from chatbot.games.highshow.contest import HighShowContest  # noqa: PLC0415  (it loads NumPy; a chat does without)

    return HighShowContest


def _question() -> type[Question]:
    from chatbot.games.highshow.question import HighShowQuestion  # noqa: PLC0415  (asked on the command line only)

    return HighShowQuestion


KIT = Kit(
    name="highshow",
    game=rules.HighShow,
    version=1,
    rests=False,
    commands=orders.COMMANDS,
    actions=moves.ACTIONS,
    events=moves.EVENTS,
    tell=tell,
    line=orders.line,
    label=chat.label,
    board=chat.board,
    strategies=STRATEGIES,
    presets=PRESETS,
    topics={"rules": chat.rules},
    contest=_contest,
    question=_question,
    counts=rules.was_played,
    apart=attrgetter("games"),
    ponders={moves.HintAsked: review.hint, moves.Revealed: review.review},
    odds=odds,
)
