"""Forms for what one press cannot say, or what a slash command left out.

A guess needs its numbers, and a setting stands in its form as it is now, to be rewritten. Like buttons, forms
outlive the process: their ids tell what was pressed or typed before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
from discord.ext import commands

from chatbot.kernel.commands import Kind
from chatbot.kernel.game import Refusal
from chatbot.kernel.say import Message
from chatbot.rooms.settings.lists import standing
from cogs.discord.lines import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chatbot.bot.bot import Bot
    from chatbot.bot.command import BotCommand
    from chatbot.kernel.commands import Command
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from cogs.discord.interactions import MoveCog, Responder
    from cogs.discord.slash_commands import SlashCommandCog

FormPayload: TypeAlias = Any  # a part of a form as Discord sends it, of more kinds than the library types

FORM = "?!"  # before the word of a command, instead of a line: ask for its options
MOST_FIELDS = 5  # of a form, as many as Discord takes
LONGEST_TITLE = LONGEST_FIELD = 45  # characters, as many as Discord takes
LONGEST_ANSWER = 100  # characters of a field of a form for an answer
FIELD = "value"  # the id of the one field of a form for a setting
TEXT = "text"  # the command for what is said, which may always be long
LONGEST_ID = 100  # characters of the id of a form
LONGEST_VALUE = 450  # a line is one of at most 500
LONGEST_ROW = 60  # what is longer, or a text of its own, is written in several rows
_WRITTEN = {Kind.AMOUNT, Kind.WHOLE, Kind.WORD, Kind.TEXT}
_ANSWER_ID = re.compile(r"rabble:(?P<table>[^:]+):\?!(?P<word>\w+)")
_SETTING_ID = re.compile(r"blank:(?P<begun>![^\n]+)")


class FormCog(commands.Cog):
    """Takes in forms that were sent: each becomes the line that somebody would have typed."""

    def __init__(self, *, slash_commands: SlashCommandCog, moves: MoveCog, responder: Responder) -> None:
        self._slash_commands, self._moves, self._responder = slash_commands, moves, responder

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Take in what the library leaves alone: forms, of which it is not told to keep any."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self._fill(interaction)

    async def _fill(self, interaction: discord.Interaction) -> None:
        setting, answer = filled_setting(interaction), filled_answer(interaction)
        if setting is not None:
            await self._slash_commands.run(interaction, setting, {})
        elif answer is not None:
            await self._moves.answer(interaction, *answer)
        else:
            await self._responder.refuse(interaction, "discord-unknown-command")


def of_moves(bot: Bot, lines: Iterable[str]) -> list[Command]:
    """List the commands of those lines that are answers with something to write."""
    return [each for line in lines if (each := _answered_by(bot, line))]


def form_label(bot: Bot, command: Command, room: Room | None = None) -> str:
    """Name the form, and the button that brings it."""
    message = f"form-{command.word}"
    known = message in bot.outbox.words.ids
    return bot.outbox.text(Message(message), room=room) if known else f"{command.word.capitalize()}…"


def answer_form(bot: Bot, room: Room, command: Command, custom_id: str) -> discord.ui.Modal:
    """Make the form for the options of a command by which somebody can answer at a table."""
    title = shortened(form_label(bot, command, room), LONGEST_TITLE)
    modal = discord.ui.Modal(title=title, custom_id=custom_id, timeout=None)
    for option in command.options:
        field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
            label=_label(bot, room, command, option.name),
            custom_id=option.name,
            required=option.required,
            max_length=LONGEST_ANSWER,
        )
        modal.add_item(field)
    modal.stop()  # what is filled in is found by its id: the library need not keep it
    return modal


def filled_answer(interaction: discord.Interaction) -> tuple[str, str, Mapping[str, str]] | None:
    """Read a form that was sent: its table, the word of its command, and what was written; None: not ours."""
    data: FormPayload = interaction.data
    match = _ANSWER_ID.fullmatch(data.get("custom_id", ""))
    if interaction.type is not discord.InteractionType.modal_submit or match is None:
        return None
    return match["table"], match["word"], dict(_values(data.get("components", ())))


def setting_form(bot: Bot, room: Room, line: Line) -> discord.ui.Modal | None:
    """Make the form for a line that lacks its last word.

    None: nobody may see one, or there is nothing to begin from, so that the bot has to say what is wrong.
    """
    word, words = bot.command_index.split(line.text.removeprefix("!"))
    bot_command = bot.command_index.bot_command(word)
    if bot_command is None or bot_command.form is None or not _may(bot, room, line, bot_command):
        return None
    *others, last = bot_command.options
    values = {each.name: text for each, text in zip(others, words, strict=False)}
    present = bot_command.form(room, values)
    name = f"blank:{line.text}"
    if len(words) != len(others) or not present or len(name) > LONGEST_ID:
        return None
    label = bot.outbox.text(Message(f"option-{word}-{last.name}"), room=room)
    modal = discord.ui.Modal(title=shortened(line.text, LONGEST_TITLE), custom_id=name, timeout=None)
    modal.add_item(_field(shortened(label, LONGEST_TITLE), present, word))
    modal.stop()  # what is filled in is found by its id: the library need not keep it
    return modal


def filled_setting(interaction: discord.Interaction) -> str | None:
    """Read a form that was sent as the line that somebody would have typed; None: it is another one."""
    data: FormPayload = interaction.data
    match = _SETTING_ID.fullmatch(data.get("custom_id", ""))
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


def _may(bot: Bot, room: Room, line: Line, bot_command: BotCommand) -> bool:
    role = standing(room, bot.members.linked_accounts.with_sender(room, line))
    try:
        bot.parts.access.require(room, bot_command.word, role)
    except Refusal:
        return False
    return True


def _parts(row: FormPayload) -> list[FormPayload]:
    """List the fields of a row, or that of a label."""
    return list(row.get("components") or [row.get("component") or {}])


def _answered_by(bot: Bot, line: str) -> Command | None:
    """Find the command of a line, if it is an open answer that takes options which can be written."""
    entry = bot.command_index.played(line.removeprefix("!").partition(" ")[0])
    command = entry[1] if entry is not None else None
    if command is None or command.opens or command.secret or not command.options:
        return None
    fits = len(command.options) <= MOST_FIELDS and all(each.kind in _WRITTEN for each in command.options)
    return command if fits else None


def _label(bot: Bot, room: Room, command: Command, option: str) -> str:
    message = f"option-{command.word}-{option}"
    known = message in bot.outbox.words.ids
    return shortened(bot.outbox.text(Message(message), room=room) if known else option, LONGEST_FIELD)


def _values(parts: FormPayload) -> Iterator[tuple[str, str]]:
    """Find the fields, which stand in rows or in labels; a blank one was left out."""
    for part in parts:
        if "value" in part:
            if value := " ".join(str(part["value"]).split()):
                yield part["custom_id"], value
        else:
            yield from _values(part.get("components") or [part.get("component") or {}])
