"""Forms for what one press cannot say: a guess needs its numbers. Like buttons, they outlive the process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import discord

from chatbot.kernel.kit import Kind
from chatbot.kernel.say import Message
from cogs.discord.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chatbot.bot.house import House
    from chatbot.kernel.kit import Command
    from chatbot.rooms.room import Room

FORM = "?!"  # before the word of a command, instead of a line: ask for its options
MOST_FIELDS = 5
LONGEST_TITLE = LONGEST_FIELD = 45
LONGEST_VALUE = 100
_WRITTEN = {Kind.AMOUNT, Kind.WHOLE, Kind.WORD, Kind.TEXT}
_ID = re.compile(r"rabble:(?P<table>[^:]+):\?!(?P<word>\w+)")


def of_moves(house: House, lines: Iterable[str]) -> list[Command]:
    """List the commands of those lines that are answers with something to write."""
    return [each for line in lines if (each := _asked_for(house, line))]


def _asked_for(house: House, line: str) -> Command | None:
    """Find the command of a line, if it is an open answer that takes options which can be written."""
    found = house.command_index.played(line.removeprefix("!").partition(" ")[0])
    command = found[1] if found is not None else None
    if command is None or command.opens or command.secret or not command.options:
        return None
    fits = len(command.options) <= MOST_FIELDS and all(each.kind in _WRITTEN for each in command.options)
    return command if fits else None


def label(house: House, command: Command, room: Room | None = None) -> str:
    """Name the form, and the button that brings it."""
    message = f"form-{command.word}"
    known = message in house.outbox.words.ids
    return house.outbox.text(Message(message), room=room) if known else f"{command.word.capitalize()}…"


def form(house: House, room: Room, command: Command, custom_id: str) -> discord.ui.Modal:
    title = shortened(label(house, command, room), LONGEST_TITLE)
    modal = discord.ui.Modal(title=title, custom_id=custom_id, timeout=None)
    for option in command.options:
        field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
            label=_field(house, room, command, option.name),
            custom_id=option.name,
            required=option.required,
            max_length=LONGEST_VALUE,
        )
        modal.add_item(field)
    modal.stop()  # what is filled in is found by its id: the library need not keep it
    return modal


def filled(interaction: discord.Interaction[Any]) -> tuple[str, str, Mapping[str, str]] | None:
    """Read a form that was sent: its table, the word of its command, and what was written; None: not ours."""
    data: Any = interaction.data
    match = _ID.fullmatch(data.get("custom_id", ""))
    if interaction.type is not discord.InteractionType.modal_submit or match is None:
        return None
    return match["table"], match["word"], dict(_values(data.get("components", ())))


def _field(house: House, room: Room, command: Command, option: str) -> str:
    message = f"option-{command.word}-{option}"
    known = message in house.outbox.words.ids
    return shortened(house.outbox.text(Message(message), room=room) if known else option, LONGEST_FIELD)


def _values(parts: Any) -> Iterator[tuple[str, str]]:
    """Find the fields, which stand in rows or in labels; a blank one was left out."""
    for part in parts:
        if "value" in part:
            if value := " ".join(str(part["value"]).split()):
                yield part["custom_id"], value
        else:
            yield from _values(part.get("components") or [part.get("component") or {}])
