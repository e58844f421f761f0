"""Coin Flip: call heads or tails, and double the stake or lose it. A whole game in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.coinflip import chat, rules
from chatbot.kernel.kit import Kit

if TYPE_CHECKING:
    from chatbot.games.coinflip.rules import Action, Event, State, View
    from chatbot.kernel.game import Game

    _: Game[State, Action] = rules.CoinFlip()

KIT: Kit[State, Action, Event, View] = Kit(
    name="coinflip",
    game=rules.CoinFlip,
    version=1,
    commands=chat.COMMANDS,
    actions=(rules.Bet, rules.Call),
    events=(rules.Opened, rules.Joined, rules.Called, rules.Landed),
    tell=chat.tell,
    line=chat.line,
    label=chat.label,
    board=chat.board,
    strategies={"guesser": chat.guess},
    odds=chat.odds,
)
