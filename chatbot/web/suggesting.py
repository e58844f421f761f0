"""Which commands the page suggests to somebody while they type, the likeliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.rooms.request import Service, first_word
from chatbot.rooms.room import Line
from chatbot.settings.lists import standing
from cogs.local.door import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Collection

    from chatbot.bot.house import House
    from chatbot.rooms.request import Found
    from chatbot.rooms.room import Room
    from cogs.local.door import Viewer

NOW, OPENING, ANSWERED, LATER = range(4)


def suggested(house: House, room: Room, viewer: Viewer, moves: Collection[str]) -> list[list[str]]:
    """List the words of the commands that a viewer may use; `moves` are those of what they can do now.

    First stand the moves, then what opens a game, then what is always answered; answers that only count at
    a table where the viewer does not play come last.
    """
    ranks: list[list[str]] = [[], [], [], []]
    for found in house.services.usable(room, standing(room, _said_by(house, room, viewer))):
        ranks[_rank(room, viewer, moves, found)].append(first_word(found))
    return ranks


def _said_by(house: House, room: Room, viewer: Viewer) -> Line:
    """Make a line of theirs that says nothing: by lines it is known who is a regular."""
    line = Line("", CHANNEL, viewer.account, viewer.name, viewer.role, "", private=True)
    return house.guests.linked_accounts.spoken(room, line)


def _rank(room: Room, viewer: Viewer, moves: Collection[str], found: Found) -> int:
    if first_word(found) in moves:
        return NOW
    if isinstance(found, Service):
        return ANSWERED
    kit, command = found
    if command.opens:
        return OPENING
    return LATER if room.playing_at(kit, viewer.seat) is None else ANSWERED
