"""Buttons and menus of what a game offers. Their ids tell all they know, so they outlive the process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import discord

from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Message
from chatbot.rooms.availability import offered
from chatbot.rooms.room import hides
from chatbot.settings.community import TERMS
from chatbot.settings.fields import of_game
from chatbot.tables.steps import divided
from cogs.discord import forms
from cogs.discord.forms import FORM
from cogs.discord.lines import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chatbot.bot.bot import Bot
    from chatbot.kernel.kit import AnyKit
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.speech.words import Words
    from chatbot.tables.steps import Path, Steps
    from cogs.discord.client import DiscordClient

ASK = "?"  # instead of a line: show me my own moves
AGAIN = "="  # before a line that is for the next table, whichever that is
NO_TABLE = "start"  # in the place of a table, where a button belongs to none
MOST_SHOWN = 10  # actions for all on the message of a table
ROW, ROWS = 5, 5  # buttons of a row, and rows of a message
LONGEST_ID, LONGEST_LABEL = 100, 80
# Of those seated, whose menus are looked at for what everybody is shown: in a raid of hundreds all are alike,
# and each change of the table would work out all of them.
ASKED = 20
MOST_OPTIONS = 25  # of a menu
LONGEST_OPTION, LONGEST_HINT = 100, 150
SAY, GO_ON = "!", "?"  # whether a choice completes its line
NEWCOMER = Seat("newcomer")
_MOVE_ID = re.compile(r"rabble:(?P<table>[^:]+):(?P<line>.+)", re.DOTALL)
_CHOICE_ID = re.compile(r"choose:(?P<table>[^:]+):\d+(?P<then>[!?]):(?P<line>.+)", re.DOTALL)


class Move(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=_MOVE_ID):
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
        interaction: discord.Interaction,  # noqa: ARG003
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Move:
        """Make the button that somebody has pressed, of its id."""
        label = item.label if isinstance(item, discord.ui.Button) and item.label else match["line"]
        return cls(match["table"], match["line"], label, discord.ButtonStyle.secondary)

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do what it says: show one's own moves, bring a form, or say a line."""
        moves = cast("DiscordClient", interaction.client).moves
        if self._line == ASK:
            await moves.show_moves(interaction, self._table)
        elif self._line.startswith(AGAIN):
            await moves.press(interaction, None, self._line.removeprefix(AGAIN))
        elif self._line.startswith(FORM):
            await moves.ask(interaction, self._table, self._line.removeprefix(FORM))
        else:
            await moves.press(interaction, self._table, self._line)


class Choice(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=_CHOICE_ID):
    """A menu whose choice goes behind a line. Who may choose it is decided when they have."""

    def __init__(self, table: str, then: str, line: str, menu: discord.ui.Select[discord.ui.View]) -> None:
        self._table, self._then, self._line = table, then, line
        super().__init__(menu)

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,  # noqa: ARG003
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Choice:
        """Make the menu in which somebody has chosen, of its id."""
        menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(custom_id=match[0])
        select = item if isinstance(item, discord.ui.Select) else menu
        return cls(match["table"], match["then"], match["line"], select)

    async def callback(self, interaction: discord.Interaction) -> None:
        """Say the line with what was chosen, or show what can come next behind it."""
        moves = cast("DiscordClient", interaction.client).moves
        line = " ".join([self._line, *self.item.values[:1]])
        if self._then == SAY:
            await moves.press(interaction, self._table, line)
        else:
            await moves.choose(interaction, self._table, line)


def custom_id(table: str, line: str) -> str:
    """Name a button by the table and the line that it says; Discord takes `LONGEST_ID` characters."""
    return f"rabble:{table}:{line}"


def belongs(message: discord.Message, table: str) -> bool:
    """Whether a message shows this table."""
    return any(
        getattr(each, "custom_id", "").startswith(custom_id(table, ""))
        for row in message.components
        for each in getattr(row, "children", ())
    )


def for_all(bot: Bot, table: Table, usual_purse: int) -> discord.ui.View | None:
    """Make the buttons that everybody sees: what is no secret, and the way to one's own moves.

    Where one member plays alone and has no secrets, these are all moves that there are. Whoever is invited
    is shown the way in, whatever they own: what they lack is told them when they press it. What only players
    of the house could do now is no button: nobody can press it for them. Where all share a table, its first
    way in tells how many are in. When it is over, one button opens the next.
    """
    if table.over:
        return _again(bot, table)
    invited = table.kit.seating.invited(table.state)
    purses = dict.fromkeys(invited, max(usual_purse, table.kit.money.buy_in(table.state)))
    people = sorted(each for each in table.seated if not of_house(each))
    seats = [NEWCOMER, *invited, *people[:ASKED]]
    actions = [each for seat in seats for each in divided(table, seat, purses.get(seat, usual_purse))[0]]
    moves = _with_count(bot, table, _moves(bot, table, actions))
    hidden = hides(table)
    public = [each for each in moves if not hidden and not bot.command_index.secret(each[0])][:MOST_SHOWN]
    offers = [*_forms(bot, table, public), *public]
    if table.kit.seating.shared or len(public) < len(moves):
        offers.append((ASK, bot.outbox.text(Message("discord-my-moves"), room=table.room)))
    return _view(table.id, offers, discord.ButtonStyle.primary) if offers else None


def opener(
    bot: Bot, kit: AnyKit, message: str, room: Room | None = None, words: Words | None = None
) -> discord.ui.View | None:
    """Make the one button that opens a table of a game, on the first terms that it offers anybody.

    `message` is the id of its label, which tells those terms. Where there is no room yet, it is in `words`.
    """
    rules = of_game(kit).unset.value if room is None else room.rules(kit)
    start = (TERMS.of(room) if room is not None else TERMS.unset.value).start
    action = next(iter(rules.menu(rules.start(), NEWCOMER, start)), None)
    line = AGAIN + kit.chat.line(action) if action is not None else ""
    if action is None or len(custom_id(NO_TABLE, line)) > LONGEST_ID:
        return None
    label = Message(message, {"label": kit.display.label(action)})
    text = words.text(label, str) if words is not None else bot.outbox.text(label, room=room)
    return _view(NO_TABLE, [(line, text)], discord.ButtonStyle.primary)


def _again(bot: Bot, table: Table) -> discord.ui.View | None:
    """Offer the next table; not where two have played each other, who have to agree on it."""
    if table.kit.seating.guests(table.state) or not offered(table.room, table.kit):
        return None
    return opener(bot, table.kit, "discord-again", table.room)


def _with_count(bot: Bot, table: Table, moves: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put on the first way into a table that all share how many people are in."""
    word = f"!{table.kit.word}"
    at = next((number for number, each in enumerate(moves) if each[0].split(" ")[0] == word), None)
    players = sum(not of_house(each) for each in table.players())
    if at is None or not table.kit.seating.shared or not players:
        return moves
    line, label = moves[at]
    message = Message("discord-counted", {"label": label, "players": players})
    text = bot.outbox.text(message, room=table.room)
    return [*moves[:at], (line, text), *moves[at + 1 :]]


def for_one(bot: Bot, table: Table, seat: Seat, purse: int, beginning: str = "") -> discord.ui.View | None:
    """Make the buttons and menus of one member's own moves; None where there are none.

    `beginning` is a line as far as it has been chosen in menus.
    """
    actions, steps = divided(table, seat, purse)
    moves = _moves(bot, table, actions)
    forms = _forms(bot, table, moves) if hides(table) else []  # else they stand beside what everybody sees
    choices = [each for one in steps for each in selects(bot, table, one, beginning)][: ROWS - 1]
    offers = [*forms, *moves][: ROW * (ROWS - len(choices))]
    return _view(table.id, offers, discord.ButtonStyle.secondary, choices) if offers or choices else None


def selects(bot: Bot, table: Table, steps: Steps, beginning: str) -> Iterator[Choice]:
    """Make the menus of the parts that were chosen, and those of the next one."""
    path = _path(steps, beginning)
    for number in range(len(path) + 1):
        before = path[:number]
        pick = path[number] if number < len(path) else None
        yield from _menus(bot, table, steps, before, pick)


def _path(steps: Steps, beginning: str) -> Path:
    """Read what was chosen of a line; nothing where it leads nowhere any more."""
    line, *words = beginning.split(" ")
    return tuple(words) if line == steps.line and steps.after(tuple(words)) else ()


def _menus(bot: Bot, table: Table, steps: Steps, before: Path, pick: str | None) -> Iterator[Choice]:
    """Make the menus of one part: of more options than fit into one, several."""
    labels = {word: bot.outbox.text(label, room=table.room) for word, label in steps.after(before).items()}
    line, then = " ".join([steps.line, *before]), SAY if steps.last(before) else GO_ON
    rows = list(labels)
    lots = [rows[start : start + MOST_OPTIONS] for start in range(0, len(rows), MOST_OPTIONS)]
    for number, words in enumerate(lots):
        name = f"choose:{table.id}:{len(before)}{number}{then}:{line}"
        hint = (
            _hint(bot, table, steps, len(before))
            if len(lots) == 1
            else f"{labels[words[0]]} … {labels[words[-1]]}"
        )
        options = [_option(word, labels[word], chosen=word == pick) for word in words]
        menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=name, placeholder=shortened(hint, LONGEST_HINT), options=options
        )
        yield Choice(table.id, then, line, menu)


def _hint(bot: Bot, table: Table, steps: Steps, number: int) -> str:
    """Say what is to be chosen."""
    option = steps.option(number)
    name = (
        f"option-{steps.command.word}-{option.name}" if option is not None else f"help-{steps.command.word}"
    )
    return bot.outbox.text(Message(name), room=table.room)


def _option(word: str, label: str, *, chosen: bool) -> discord.SelectOption:
    return discord.SelectOption(label=shortened(label, LONGEST_OPTION), value=word, default=chosen)


def _forms(bot: Bot, table: Table, moves: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """List the forms for those moves that are answers with something to write."""
    commands = forms.of_moves(bot, (line for line, _ in moves))
    return list({FORM + each.word: forms.form_label(bot, each, table.room) for each in commands}.items())


def _moves(bot: Bot, table: Table, actions: Iterable[object]) -> list[tuple[str, str]]:
    """List lines and labels, each line once; a line that fits in no id is left to typing.

    A label shows no markup: what a dress escapes would stand there with its backslashes.
    """
    kit = table.kit
    labels = {
        kit.chat.line(each): bot.outbox.text(kit.display.label(each), room=table.room) for each in actions
    }
    return [(line, label) for line, label in labels.items() if len(custom_id(table.id, line)) <= LONGEST_ID]


def _view(
    table: str,
    moves: Sequence[tuple[str, str]],
    style: discord.ButtonStyle,
    choices: Sequence[Choice] = (),
) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for choice in choices:
        view.add_item(choice)
    for line, label in moves:
        view.add_item(Move(table, line, label, discord.ButtonStyle.secondary if line == ASK else style))
    view.stop()  # its buttons are found by their ids: the library need not keep it, and a task for it
    return view
