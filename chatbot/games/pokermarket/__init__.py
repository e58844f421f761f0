"""Poker Market: five open cards each, swaps to propose, and then poker's ranking decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.chat import board, commands
from chatbot.games.pokermarket.chat.story import narrate
from chatbot.games.pokermarket.rules import moves, rules
from chatbot.games.pokermarket.rules.rules import PRESETS
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel.kit import Dialogue, Display, Kit, Programs, Ruleset, Seating
from chatbot.kernel.lobby import ForHonour, hastened
from chatbot.kernel.lobby_money import MONEY

if TYPE_CHECKING:
    from chatbot.games.pokermarket.rules.moves import Action, Event
    from chatbot.games.pokermarket.rules.states import State, View
    from chatbot.kernel.contest import Contest
    from chatbot.kernel.game import Game
    from chatbot.kernel.returns import Solver

    _: Game[State, Action] = rules.PokerMarket()


def _contest() -> type[Contest]:
    from chatbot.games.pokermarket.contest.contest import MarketContest  # noqa: PLC0415  (a chat does without)

    return MarketContest


def _returns() -> Solver:
    from chatbot.games.pokermarket.solver.returns import figures  # noqa: PLC0415  (worked out on the command line only)

    return figures


KIT: Kit[State, Action, Event, View] = Kit(
    name="pokermarket",
    rules=Ruleset(
        game=rules.PokerMarket,
        version=2,
        actions=(*moves.ACTIONS, ForHonour),
        events=moves.EVENTS,
        presets=PRESETS,
        was_played=rules.was_played,
    ),
    chat=Dialogue(
        commands=commands.COMMANDS,
        line=commands.line,
        narrate=narrate,
        topics={"rules": board.rules},
        many_turns=True,
    ),
    display=Display(board=board.board, label=board.label, parts=board.parts),
    programs=Programs(STRATEGIES, contest=_contest, returns=_returns),
    money=MONEY,
    seating=Seating(awaited=rules.awaited, hastened=hastened),
)
