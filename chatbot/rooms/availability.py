"""Which games may be opened in a room now; tables that are open go on in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.rooms.request import game_named
from chatbot.settings.fields import NO, YES, YES_OR_NO, Entries, yes_or_no

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room

GAMES = "games"
"""The group of settings by which moderators switch games on and off."""


def game_switches(kits: Mapping[str, AnyKit]) -> Entries:
    """Return the group `games`, whose keys are the names of games and whose values are yes or no."""

    def entry(key: str, text: str) -> tuple[str, str]:
        name = game_named(kits, key).name
        return name, yes_or_no(name, text)

    names = tuple(kits)
    words = "enable", "disable"
    return Entries(
        GAMES,
        entry,
        YES_OR_NO,
        (names[0], NO),
        default=lambda _: YES,
        known=names,
        words=words,
        single=True,
    )


def require_open(room: Room, kit: AnyKit) -> None:
    """Check that a table of a game may be opened.

    Raises:
        Refusal: the game is switched off, games are paused, or they are played only during a stream.
    """
    reason = reason_closed(room, kit)
    if reason is not None:
        raise Refusal(reason)


def reason_closed(room: Room, kit: AnyKit) -> Message | None:
    """Return why no table of a game may be opened; None: it may be."""
    if not offered(room, kit):
        return Message("game-off", {"game": Message(f"game-{kit.name}")})
    if room.habits.paused:
        return Message("games-paused")
    return Message("only-live") if room.habits.only_live and is_offline(room) else None


def offered(room: Room, kit: AnyKit) -> bool:
    """Return whether a game is switched on."""
    return room.settings(GAMES).get(kit.name, YES) == YES


def is_offline(room: Room) -> bool:
    """Return whether a room has streams and all are known to be off."""
    return room.live is False and any(each.manner.streams for each in room.channels)
