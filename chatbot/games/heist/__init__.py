"""Bank Heist: DeepBot's stream minigame with the twists of a programming contest."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.heist import chat, rules
from chatbot.games.heist.career import Career
from chatbot.games.heist.moves import ACTIONS, EVENTS
from chatbot.games.heist.odds import odds
from chatbot.games.heist.presets import PRESETS
from chatbot.games.heist.rabble import RABBLE, Purses
from chatbot.games.heist.story import tell
from chatbot.games.heist.strategies import STRATEGIES
from chatbot.kernel.kit import Kit

if TYPE_CHECKING:
    from chatbot.kernel.contest import Contest


def _contest() -> type[Contest]:
    from chatbot.games.heist.contest import HeistContest  # noqa: PLC0415  (it loads NumPy; a chat does without)

    return HeistContest


KIT = Kit(
    name="heist",
    game=rules.Heist,
    version=2,
    commands=chat.COMMANDS,
    actions=ACTIONS,
    events=EVENTS,
    records=(Career, Purses),
    tell=tell,
    line=chat.line,
    label=chat.label,
    board=chat.board,
    strategies=STRATEGIES,
    presets=PRESETS,
    topics={"rules": chat.rules, "odds": chat.odds, "career": chat.career},
    residents=(RABBLE,),
    audience=attrgetter("active"),
    season=rules.season,
    contest=_contest,
    counts=rules.was_played,
    leads=True,
    odds=odds,
)
