"""Menus for moves that are chosen part by part. Like buttons, they outlive the process: ids tell it all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

import discord

from chatbot.kernel.say import Message
from cogs.discord.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.bot.house import House
    from chatbot.tables.steps import Path, Steps
    from chatbot.tables.table import Table

MOST_OPTIONS = 25  # of a menu
LONGEST_OPTION, LONGEST_PLACEHOLDER = 100, 150
SAY, GO_ON = "!", "?"  # whether a choice completes its line
_ID = re.compile(r"choose:(?P<table>[^:]+):\d+(?P<then>[!?]):(?P<line>.+)", re.DOTALL)


class MenuHandler(Protocol):
    async def press(self, interaction: discord.Interaction[Any], table: str, line: str) -> None:
        """Do what a complete line says."""

    async def choose(self, interaction: discord.Interaction[Any], table: str, line: str) -> None:
        """Show what can come next behind a line."""


class MenuClient(Protocol):
    """The client that a menu finds itself in."""

    handler: MenuHandler


class Choice(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=_ID):
    """A menu whose choice goes behind a line. Who may choose it is decided when they have."""

    def __init__(self, table: str, then: str, line: str, menu: discord.ui.Select[discord.ui.View]) -> None:
        self._table, self._then, self._line = table, then, line
        super().__init__(menu)

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],  # noqa: ARG003
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Choice:
        menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(custom_id=match[0])
        known = item if isinstance(item, discord.ui.Select) else menu
        return cls(match["table"], match["then"], match["line"], known)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        client: MenuClient = interaction.client
        data: Any = interaction.data
        line = " ".join([self._line, *data.get("values", ())[:1]])
        if self._then == SAY:
            await client.handler.press(interaction, self._table, line)
        else:
            await client.handler.choose(interaction, self._table, line)


def selects(house: House, table: Table, steps: Steps, begun: str) -> Iterator[Choice]:
    """Make the menus of the parts that were chosen, and those of the next one."""
    given = _given(steps, begun)
    for number in range(len(given) + 1):
        before = given[:number]
        picked = given[number] if number < len(given) else None
        yield from _menus(house, table, steps, before, picked)


def _given(steps: Steps, begun: str) -> Path:
    """Read what was chosen of a line; nothing where it leads nowhere any more."""
    line, *words = begun.split(" ")
    return tuple(words) if line == steps.line and steps.after(tuple(words)) else ()


def _menus(house: House, table: Table, steps: Steps, before: Path, picked: str | None) -> Iterator[Choice]:
    """Make the menus of one part: of more options than fit into one, several."""
    labels = {word: house.outbox.text(label, room=table.room) for word, label in steps.after(before).items()}
    line, then = " ".join([steps.line, *before]), SAY if steps.last(before) else GO_ON
    rows = list(labels)
    lots = [rows[start : start + MOST_OPTIONS] for start in range(0, len(rows), MOST_OPTIONS)]
    for number, words in enumerate(lots):
        name = f"choose:{table.id}:{len(before)}{number}{then}:{line}"
        hint = (
            _asked(house, table, steps, len(before))
            if len(lots) == 1
            else f"{labels[words[0]]} … {labels[words[-1]]}"
        )
        options = [_option(word, labels[word], chosen=word == picked) for word in words]
        menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=name, placeholder=shortened(hint, LONGEST_PLACEHOLDER), options=options
        )
        yield Choice(table.id, then, line, menu)


def _asked(house: House, table: Table, steps: Steps, number: int) -> str:
    """Say what is to be chosen."""
    option = steps.option(number)
    name = (
        f"option-{steps.command.word}-{option.name}" if option is not None else f"help-{steps.command.word}"
    )
    return house.outbox.text(Message(name), room=table.room)


def _option(word: str, label: str, *, chosen: bool) -> discord.SelectOption:
    return discord.SelectOption(label=shortened(label, LONGEST_OPTION), value=word, default=chosen)
