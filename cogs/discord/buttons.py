"""Buttons made from a game's menu. All they know stands in their ids, so they outlive the process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

import discord

from chatbot.kernel.game import Seat
from chatbot.kernel.kit import of_house
from chatbot.kernel.say import Message
from chatbot.rooms.room import hides
from chatbot.tables.steps import divided
from cogs.discord import answer_forms
from cogs.discord.answer_forms import FORM
from cogs.discord.menus import selects
from cogs.discord.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chatbot.bot.house import House
    from chatbot.tables.table import Table
    from cogs.discord.menus import Choice

ASK = "?"  # instead of a line: show me my own moves
MOST_SHOWN = 10  # actions for all on the message of a table
ROW, ROWS = 5, 5  # buttons of a row, and rows of a message
LONGEST_ID, LONGEST_LABEL = 100, 80
ASKED = 20  # of those seated, whose menus are looked at for what everybody is shown
NEWCOMER = Seat("newcomer")
_ID = re.compile(r"rabble:(?P<table>[^:]+):(?P<line>.+)", re.DOTALL)


class ButtonHandler(Protocol):
    async def press(self, interaction: discord.Interaction[Any], table: str, line: str) -> None:
        """Do what a button says."""

    async def show_moves(self, interaction: discord.Interaction[Any], table: str) -> None:
        """Show somebody what they can do, and nobody else."""

    async def ask(self, interaction: discord.Interaction[Any], table: str, word: str) -> None:
        """Bring somebody a form for their answer."""


class ButtonClient(Protocol):
    """The client that a button finds itself in."""

    handler: ButtonHandler


class Move(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=_ID):
    """A button that says a line at a table. Who may say it is decided when it is pressed."""

    def __init__(self, table: str, line: str, label: str, style: discord.ButtonStyle) -> None:
        self._table, self._line = table, line
        super().__init__(
            discord.ui.Button(
                label=shortened(label, LONGEST_LABEL), style=style, custom_id=custom_id(table, line)
            )
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],  # noqa: ARG003
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Move:
        label = item.label if isinstance(item, discord.ui.Button) and item.label else match["line"]
        return cls(match["table"], match["line"], label, discord.ButtonStyle.secondary)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        client: ButtonClient = interaction.client
        if self._line == ASK:
            await client.handler.show_moves(interaction, self._table)
        elif self._line.startswith(FORM):
            await client.handler.ask(interaction, self._table, self._line.removeprefix(FORM))
        else:
            await client.handler.press(interaction, self._table, self._line)


def custom_id(table: str, line: str) -> str:
    return f"rabble:{table}:{line}"


def belongs(message: discord.Message, table: str) -> bool:
    """Whether a message shows this table."""
    return any(
        getattr(each, "custom_id", "").startswith(custom_id(table, ""))
        for row in message.components
        for each in getattr(row, "children", ())
    )


def for_all(house: House, table: Table, usual_purse: int) -> discord.ui.View | None:
    """Make the buttons that everybody sees: what is no secret, and the way to one's own moves.

    Where one member plays alone and has no secrets, these are all moves that there are. Whoever is invited
    is shown the way in, whatever they own: what they lack is told them when they press it. What only players
    of the house could do now is no button: nobody can press it for them.
    """
    if table.over:
        return None
    invited = table.kit.invited(table.state)
    purses = dict.fromkeys(invited, max(usual_purse, table.kit.entry(table.state)))
    people = sorted(each for each in table.seated if not of_house(each))
    seats = [NEWCOMER, *invited, *people[:ASKED]]
    actions = [each for seat in seats for each in divided(table, seat, purses.get(seat, usual_purse))[0]]
    moves = _moves(house, table, actions)
    hidden = hides(table)
    public = [each for each in moves if not hidden and not house.command_index.secret(each[0])][:MOST_SHOWN]
    shown = [*_forms(house, table, public), *public]
    if table.kit.apart is None or len(public) < len(moves):
        shown.append((ASK, house.outbox.text(Message("discord-my-moves"), room=table.room)))
    return _view(table, shown, discord.ButtonStyle.primary) if shown else None


def for_one(house: House, table: Table, seat: Seat, purse: int, begun: str = "") -> discord.ui.View | None:
    """Make the buttons and menus of one member's own moves; None where there are none.

    `begun` is a line as far as it has been chosen in menus.
    """
    actions, steps = divided(table, seat, purse)
    moves = _moves(house, table, actions)
    forms = _forms(house, table, moves) if hides(table) else []  # else they stand beside what everybody sees
    choices = [each for one in steps for each in selects(house, table, one, begun)][: ROWS - 1]
    shown = [*forms, *moves][: ROW * (ROWS - len(choices))]
    return _view(table, shown, discord.ButtonStyle.secondary, choices) if shown or choices else None


def _forms(house: House, table: Table, moves: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """List the forms for those moves that are answers with something to write."""
    commands = answer_forms.of_moves(house, (line for line, _ in moves))
    return list({FORM + each.word: answer_forms.label(house, each, table.room) for each in commands}.items())


def _moves(house: House, table: Table, actions: Iterable[Any]) -> list[tuple[str, str]]:
    """List lines and labels, each line once; a line that fits in no id is left to typing.

    A label shows no markup: what a dress escapes would stand there with its backslashes.
    """
    kit = table.kit
    found = {kit.line(each): house.outbox.text(kit.label(each), room=table.room) for each in actions}
    return [(line, label) for line, label in found.items() if len(custom_id(table.id, line)) <= LONGEST_ID]


def _view(
    table: Table,
    moves: Sequence[tuple[str, str]],
    style: discord.ButtonStyle,
    choices: Sequence[Choice] = (),
) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for choice in choices:
        view.add_item(choice)
    for line, label in moves:
        view.add_item(Move(table.id, line, label, discord.ButtonStyle.secondary if line == ASK else style))
    view.stop()  # its buttons are found by their ids: the library need not keep it, and a task for it
    return view
