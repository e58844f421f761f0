"""Fuse: two hold a burning fuse, and nobody knows how long it is; whoever lets go last takes the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.kit import Kit
from rabble_fuse import chat, rules

if TYPE_CHECKING:
    from chatbot.kernel.game import Game
    from rabble_fuse.rules import Action, Event, State, View

    _: Game[State, Action] = rules.Fuse()

KIT: Kit[State, Action, Event, View] = Kit(
    name="fuse",
    game=rules.Fuse,
    version=1,
    rests=False,
    commands=chat.COMMANDS,
    actions=rules.ACTIONS,
    events=rules.EVENTS,
    tell=chat.tell,
    line=chat.line,
    label=chat.label,
    board=chat.board,
    strategies={"hasty": chat.hasty, "random": chat.guess, "bold": chat.bold},
    topics={"rules": chat.rules},
    counts=rules.was_played,
    entry=rules.entry,
    odds=chat.odds,
)
