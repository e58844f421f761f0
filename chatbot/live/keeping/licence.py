"""Whether a game may open a table in a room now; tables that stand go on whatever it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.live.keeping.openings import GAMES
from chatbot.live.keeping.values import YES

if TYPE_CHECKING:
    from chatbot.kernel.kit import Kit
    from chatbot.live.room import Room


def require_open(room: Room, kit: Kit) -> None:
    """Let a table be opened.

    Raises:
        Refusal: the game is switched off, games are paused, or they wait for the stream.
    """
    reason = closed(room, kit)
    if reason is not None:
        raise Refusal(reason)


def closed(room: Room, kit: Kit) -> Message | None:
    """Say why no table of a game may be opened; None: it may be."""
    if not offered(room, kit):
        return Message("game-off", {"game": Message(f"game-{kit.name}")})
    if room.habits.paused:
        return Message("games-paused")
    return Message("only-live") if room.habits.only_live and dark(room) else None


def offered(room: Room, kit: Kit) -> bool:
    """Whether keepers have a game switched on."""
    return bool(room.chosen.get(GAMES, {}).get(kit.name, YES) == YES)


def dark(room: Room) -> bool:
    """Whether streams belong to a room and none is on; as long as nobody knows, one may be."""
    return room.live is False and any(each.manner.streams for each in room.channels)
