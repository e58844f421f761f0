"""Coin Flip: call heads or tails, and double the stake or lose it. A whole game in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.coinflip import chat, rules
from chatbot.kernel.kit import Dialogue, Display, Kit, Money, Programs, Ruleset

if TYPE_CHECKING:
    from chatbot.games.coinflip.rules import Action, Event, State, View
    from chatbot.kernel.game import Game

    _: Game[State, Action] = rules.CoinFlip()

KIT: Kit[State, Action, Event, View] = Kit(
    name="coinflip",
    rules=Ruleset(
        game=rules.CoinFlip,
        version=1,
        actions=(rules.Bet, rules.Call),
        events=(rules.Opened, rules.Joined, rules.Called, rules.Landed),
    ),
    chat=Dialogue(commands=chat.COMMANDS, line=chat.line, narrate=chat.narrate),
    display=Display(board=chat.board, label=chat.label),
    programs=Programs({"guesser": chat.guess}),
    money=Money(odds=chat.odds),
)
