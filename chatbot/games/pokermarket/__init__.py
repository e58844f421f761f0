"""Poker Market: five open cards each, swaps to propose, and then poker's ranking decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket.chat import board, commands
from chatbot.games.pokermarket.chat.story import tell
from chatbot.games.pokermarket.rules import moves, rules
from chatbot.games.pokermarket.rules.rules import PRESETS
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel.kit import Kit, Solved
from chatbot.kernel.lobby import ForHonour, Leave, entry, takes
from chatbot.kernel.lobby_odds import odds

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
    game=rules.PokerMarket,
    version=2,
    lasts=True,
    rests=False,
    commands=commands.COMMANDS,
    actions=(*moves.ACTIONS, ForHonour),
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
    entry=entry,
    leave=Leave,
    takes=takes,
    parts=board.parts,
    odds=odds,
    solved=Solved(contest=_contest, returns=_returns),
)
