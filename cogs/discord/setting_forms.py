"""A form for the one thing that a slash command left out: it stands there as it is now, to be rewritten.

Like buttons, such forms outlive the process: their ids tell what was typed before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import discord

from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.settings.lists import standing
from cogs.discord.text import shortened

if TYPE_CHECKING:
    from chatbot.bot.house import House
    from chatbot.rooms.request import Service
    from chatbot.rooms.room import Line, Room

FIELD = "value"
TEXT = "text"  # the command for what is said, which may always be long
LONGEST_ID, LONGEST_TITLE = 100, 45
LONGEST_VALUE = 450  # a line is one of at most 500
LONGEST_ROW = 60  # what is longer, or a text of its own, is written in several rows
_ID = re.compile(r"blank:(?P<begun>![^\n]+)")


def form(house: House, room: Room, line: Line) -> discord.ui.Modal | None:
    """Make the form for a line that lacks its last word.

    None: nobody may see one, or there is nothing to begin from, so that the house has to say what is wrong.
    """
    word, words = house.command_index.split(line.text.removeprefix("!"))
    service = house.command_index.service(word)
    if service is None or service.form is None or not _may(house, room, line, service):
        return None
    *others, last = service.options
    given = {each.name: text for each, text in zip(others, words, strict=False)}
    present = service.form(room, given)
    name = f"blank:{line.text}"
    if len(words) != len(others) or not present or len(name) > LONGEST_ID:
        return None
    label = house.outbox.text(Message(f"option-{word}-{last.name}"), room=room)
    modal = discord.ui.Modal(title=shortened(line.text, LONGEST_TITLE), custom_id=name, timeout=None)
    modal.add_item(_field(shortened(label, LONGEST_TITLE), present, word))
    modal.stop()  # what is filled in is found by its id: the library need not keep it
    return modal


def filled(interaction: discord.Interaction[Any]) -> str | None:
    """Read a form that was sent as the line that somebody would have typed; None: it is another one."""
    data: Any = interaction.data
    match = _ID.fullmatch(data.get("custom_id", ""))
    if interaction.type is not discord.InteractionType.modal_submit or match is None:
        return None
    values = [part["value"] for row in data.get("components", ()) for part in _parts(row) if "value" in part]
    return " ".join([match["begun"], *" ".join(map(str, values)).split()])


def _field(label: str, present: str, word: str) -> discord.ui.TextInput[discord.ui.Modal]:
    long = word == TEXT or len(present) > LONGEST_ROW
    style = discord.TextStyle.paragraph if long else discord.TextStyle.short
    default = present[:LONGEST_VALUE]
    return discord.ui.TextInput(
        label=label, custom_id=FIELD, style=style, default=default, max_length=LONGEST_VALUE
    )


def _may(house: House, room: Room, line: Line, service: Service) -> bool:
    role = standing(room, house.members.linked_accounts.spoken(room, line))
    try:
        house.services.access.require(room, service.word, role)
    except Refusal:
        return False
    return True


def _parts(row: Any) -> list[Any]:
    """List the fields of a row, or that of a label."""
    return list(row.get("components") or [row.get("component") or {}])
