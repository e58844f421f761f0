"""Bank Heist: DeepBot's stream minigame with the twists of a programming contest."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.heist.chat import board, commands
from chatbot.games.heist.chat.odds import odds
from chatbot.games.heist.chat.story import tell
from chatbot.games.heist.rules import forecast, rules
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import ACTIONS, EVENTS, Leave
from chatbot.games.heist.rules.rabble import RABBLE, Purses
from chatbot.games.heist.rules.raid import BESIDE, TAKEN
from chatbot.games.heist.rules.settings import PRESETS
from chatbot.games.heist.strategies import STRATEGIES
from chatbot.kernel.kit import Forecast, Hosted, Kit, Solved

if TYPE_CHECKING:
    from chatbot.games.heist.rules.moves import Action, Event
    from chatbot.games.heist.rules.states import State, View
    from chatbot.kernel.contest import Contest
    from chatbot.kernel.game import Game

    _: Game[State, Action] = rules.Heist()


def _contest() -> type[Contest]:
    from chatbot.games.heist.contest.contest import HeistContest  # noqa: PLC0415  (it loads NumPy; a chat does without)

    return HeistContest


KIT: Kit[State, Action, Event, View] = Kit(
    name="heist",
    game=rules.Heist,
    version=3,
    commands=commands.COMMANDS,
    actions=ACTIONS,
    events=EVENTS,
    records=(Career, Purses),
    tell=tell,
    line=commands.line,
    label=board.label,
    gesture=board.gesture,
    board=board.board,
    strategies=STRATEGIES,
    presets=PRESETS,
    topics={"rules": board.rules, "odds": board.odds, "career": board.career},
    hosted=Hosted(residents=(RABBLE,), audience=attrgetter("active")),
    forecast=Forecast(
        question="heist-forecast",
        yes="heist-forecast-yes",
        no="heist-forecast-no",
        short="heist-forecast-short",
        seconds=attrgetter("getaway"),
        asks=forecast.can_be_asked,
        chance=forecast.chance,
        came_true=forecast.came_true,
        result=forecast.result,
    ),
    staking=rules.takes_stakes,
    leave=Leave,
    backs_out=rules.backs_out,
    takes=rules.takes,
    taken=TAKEN,
    beside=BESIDE,
    season=rules.season,
    counts=rules.was_played,
    theme="bank",
    leads=True,
    makes=rules.makes,
    odds=odds,
    solved=Solved(contest=_contest),
)
