"""Fuse: two hold a burning fuse, and nobody knows how long it is; whoever lets go last takes the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.kit import Dialogue, Display, Kit, Money, Programs, Ruleset
from rabble_fuse import chat, rules

if TYPE_CHECKING:
    from chatbot.kernel.game import Game
    from rabble_fuse.rules import Action, Event, State, View

    _: Game[State, Action] = rules.Fuse()

KIT: Kit[State, Action, Event, View] = Kit(
    name="fuse",
    rules=Ruleset(
        game=rules.Fuse, version=1, actions=rules.ACTIONS, events=rules.EVENTS, was_played=rules.was_played
    ),
    chat=Dialogue(commands=chat.COMMANDS, line=chat.line, narrate=chat.narrate, topics={"rules": chat.rules}),
    display=Display(board=chat.board, label=chat.label),
    programs=Programs({"hasty": chat.hasty, "random": chat.guess, "bold": chat.bold}),
    money=Money(buy_in=rules.buy_in, odds=chat.odds),
)
