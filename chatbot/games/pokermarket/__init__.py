"""Poker Market: five open cards each, swaps to propose, and then poker's ranking decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.pokermarket import chat, moves, orders, rules
from chatbot.games.pokermarket.odds import odds
from chatbot.games.pokermarket.presets import PRESETS
from chatbot.games.pokermarket.story import tell
from chatbot.games.pokermarket.strategies import STRATEGIES
from chatbot.kernel.kit import Kit
from chatbot.kernel.lobby import entry

if TYPE_CHECKING:
    from chatbot.kernel.contest import Contest


def _contest() -> type[Contest]:
    from chatbot.games.pokermarket.contest import MarketContest  # noqa: PLC0415  (a chat does without)

    return MarketContest


KIT = Kit(
    name="pokermarket",
    game=rules.PokerMarket,
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
    counts=rules.was_played,
    entry=entry,
    parts=chat.parts,
    odds=odds,
)
