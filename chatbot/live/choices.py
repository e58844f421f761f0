"""The rules that a room has chosen for a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chatbot.settings.groups import of_game

if TYPE_CHECKING:
    from chatbot.kernel.kit import Kit
    from chatbot.live.room import Room


def rules_of(room: Room, kit: Kit) -> Any:
    """Give the rules by which a game's next table is played in a room."""
    selection = room.chosen.get(kit.name)
    return of_game(kit).unset.value if selection is None else selection.value
