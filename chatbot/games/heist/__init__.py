"""Bank Heist: DeepBot's stream minigame with the twists of a programming contest."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from chatbot.games.heist.chat import board, commands
from chatbot.games.heist.chat.odds import odds
from chatbot.games.heist.chat.story import narrate
from chatbot.games.heist.rules import forecast, rules
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.moves import ACTIONS, EVENTS, Leave
from chatbot.games.heist.rules.payday import SIDE_PAYMENTS
from chatbot.games.heist.rules.rabble import RABBLE, Purses
from chatbot.games.heist.rules.raid import WINNING_REASONS
from chatbot.games.heist.rules.settings import PRESETS
from chatbot.games.heist.strategies import STRATEGIES
from chatbot.kernel.kit import Dialogue, Display, Forecast, Kit, Money, Programs, Ruleset, Seating

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
    featured=True,
    rules=Ruleset(
        game=rules.Heist,
        version=4,
        actions=ACTIONS,
        events=EVENTS,
        records=(Career, Purses),
        presets=PRESETS,
        was_played=rules.was_played,
        season=rules.season,
        has_cooldown=True,
    ),
    chat=Dialogue(
        commands=commands.COMMANDS,
        line=commands.line,
        narrate=narrate,
        topics={"rules": board.rules, "odds": board.odds, "career": board.career},
        theme="bank",
    ),
    display=Display(board=board.board, label=board.label, gesture=board.gesture, note=board.note),
    programs=Programs(STRATEGIES, contest=_contest),
    money=Money(
        chooses_stake=rules.chooses_stake,
        leave=Leave,
        refunded=rules.refunded,
        winnable=rules.winnable,
        winning_reasons=WINNING_REASONS,
        side_payments=SIDE_PAYMENTS,
        odds=odds,
        minting=rules.minting,
    ),
    seating=Seating(
        residents=(RABBLE,),
        audience=attrgetter("active"),
        awaited=rules.awaited,
        hastened=rules.hastened,
    ),
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
)
