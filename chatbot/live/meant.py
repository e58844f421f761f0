"""What a line for a game means: a question about it, or a move at one of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.kit import Command, Kit
    from chatbot.live.room import Line, Room
    from chatbot.live.table import Table


def topic_of(kit: Kit, command: Command, words: Sequence[str]) -> str:
    """Name the topic of a game that somebody asks about; nothing where it is no question."""
    topic = words[0].lower() if len(words) == 1 and command.word == kit.word else ""
    return topic if topic in kit.topics else ""


def table_for(room: Room, kit: Kit, command: Command, line: Line, words: Sequence[str]) -> Table | None:
    """Find the table that a line is for: the one that its button belongs to, or the speaker's.

    Whoever is only asked to play may begin a game of their own, else one could keep them from it.

    Raises:
        Refusal: the button's table is over.
    """
    if line.table is None:
        table = room.place(kit, line.seat)
        asked = table is not None and not table.over and line.seat in kit.invited(table.state)
        return room.tables.get(kit.spot(line.seat)) if asked and _begins(command, words) else table
    table = room.table(line.table)
    if table is None or table.over or table.kit is not kit:
        raise Refusal(Message("table-over"))
    return table


def _begins(command: Command, words: Sequence[str]) -> bool:
    """Whether this opens a table, answers at none that stands, and names nobody."""
    answers = {each for option in command.options if option.answers for each in option.choices}
    return command.opens and not any(word.startswith("@") or word.lower() in answers for word in words)
