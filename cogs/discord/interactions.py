"""What buttons and menus do, and how any interaction is brought to the bot and answered."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from discord.ext import commands
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Message
from chatbot.rooms.exchange import Replies
from chatbot.rooms.room import hides
from chatbot.settings.community import TERMS
from cogs.discord import buttons, forms
from cogs.discord.answers import Asker, Origin
from cogs.discord.buttons import Choice, Move
from cogs.discord.errors import PASSING
from cogs.discord.forms import FORM
from cogs.discord.lines import account_of, channel_of, community_of, home_of, interaction_line
from cogs.discord.slash_commands import SlashCommand, typed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    import discord

    from chatbot.bot.bot import Bot
    from chatbot.kernel.commands import Command
    from chatbot.kernel.game import Seat
    from chatbot.rooms.channel import Delivery
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from cogs.discord.adapter import DiscordAdapter
    from cogs.discord.answers import Answers
    from cogs.discord.client import DiscordClient
    from cogs.discord.errors import Complaints, Requests
    from cogs.discord.rights import WritingRights
    from cogs.discord.tables import TableMessage, TableMessages


class MoveCog(commands.Cog):
    """Does what buttons, menus and forms say at a table, and shows somebody what they can do there."""

    def __init__(
        self, *, client: DiscordClient, bot: Bot, responder: Responder, tables: TableMessages
    ) -> None:
        self._client, self._bot = client, bot
        self._responder, self._tables = responder, tables

    async def cog_load(self) -> None:
        """Let the library find buttons and menus by their ids, whoever has posted them."""
        self._client.add_dynamic_items(Move, Choice)

    async def cog_unload(self) -> None:
        self._client.remove_dynamic_items(Move, Choice)

    async def press(self, interaction: discord.Interaction, table: str | None, line: str) -> None:
        """Do what a button, or a complete line of menus, says at a table; None: at whichever it opens."""
        own = interaction.message is not None and interaction.message.flags.ephemeral

        async def menu() -> discord.ui.View | None:
            return (await self._moves(interaction, table))[1] if table is not None else None

        status = None if own or table is None else self._status(interaction, table)
        board = status.answer if status is not None else None
        origin = Origin.MENU if own else Origin.BUTTON
        asker = self._responder.asker(interaction, origin, menu=menu, board=board)
        private = own or self._responder.secret(interaction, line, table)
        full_line = interaction_line(interaction, line, private=private, table=table)
        with status.hold() if status is not None else nullcontext():
            await self._responder.respond(asker, interaction, full_line)

    async def ask(self, interaction: discord.Interaction, table_id: str, word: str) -> None:
        """Bring a form to whoever has such an answer to give; all others are told that they have not."""
        ready = await self._responder.ready(interaction)
        room = self._responder.room(interaction)
        table, command = _table(room, table_id), self._bot.command_index.command(word)
        if not ready or room is None:
            await self._responder.refuse(interaction, "try-again")
        elif table is None or command is None:
            await self._responder.refuse(interaction, "table-over")
        elif command[1] not in self._answers(room, table, interaction):
            await self._responder.refuse(interaction, "discord-no-moves")
        else:
            name = buttons.custom_id(table_id, FORM + word)
            await self._responder.send_form(interaction, forms.answer_form(self._bot, room, command[1], name))

    async def answer(
        self, interaction: discord.Interaction, table: str, word: str, values: Mapping[str, str]
    ) -> None:
        """Do what somebody has written into a form for an answer, by the names of its fields."""
        command = self._bot.command_index.command(word)
        if command is None:
            await self._responder.refuse(interaction, "discord-unknown-command")
            return
        line, _ = typed(SlashCommand(word, command[1].options), values)
        await self.press(interaction, table, line)

    async def choose(self, interaction: discord.Interaction, table: str, line: str) -> None:
        """Show in the place of somebody's menus what can come next behind a line that is not complete."""
        views: list[discord.ui.View | None] = []

        async def menu() -> discord.ui.View | None:
            return views[-1] if views else None

        asker = self._responder.asker(interaction, Origin.MENU, menu=menu)

        async def show() -> Replies:
            text, view = await self._moves(interaction, table, line)
            views.append(view)
            return Replies(taken=await asker.whisper(text))

        await asker.attend(show(), partial(self._responder.word, interaction))

    async def show_moves(self, interaction: discord.Interaction, table: str) -> None:
        """Show somebody what they can do, and nobody else."""
        asker = self._responder.asker(interaction, Origin.SLASH, secret=True)

        async def show() -> Replies:
            text, view = await self._moves(interaction, table)
            return Replies(taken=await asker.whisper(text, view))

        await asker.attend(show(), partial(self._responder.word, interaction))

    async def _moves(
        self, interaction: discord.Interaction, table_id: str, beginning: str = ""
    ) -> tuple[str, discord.ui.View | None]:
        """Word what somebody can do at a table, and make the buttons for it; a line may have begun."""
        if not await self._responder.ready(interaction):
            return self._responder.word(interaction, "try-again"), None
        room = self._responder.room(interaction)
        table = _table(room, table_id)
        if room is None or table is None:
            return self._responder.word(interaction, "table-over"), None
        await self._bot.converse(
            interaction_line(interaction, "", private=True)
        )  # who is new has no credits before
        seat = self._responder.seat(room, interaction)
        try:
            purse = await self._bot.balances.purse(room, seat)
        except (SQLAlchemyError, OSError):
            return self._responder.word(interaction, "try-again"), None
        view = buttons.for_one(self._bot, table, seat, purse, beginning)
        text = self._responder.word(interaction, "discord-moves" if view else "discord-no-moves")
        note = table.kit.display.board(table.view(seat)).note if view is not None and hides(table) else None
        return (text if note is None else f"{self._bot.outbox.text(note, room=room)}\n{text}"), view

    def _status(self, interaction: discord.Interaction, table_id: str) -> TableMessage | None:
        """Find the message of the table at which somebody sits who has pressed a button of it."""
        room = self._responder.room(interaction)
        table = room.table(table_id) if room is not None else None
        seated = table is not None and self._responder.seat(table.room, interaction) in table.seated
        return self._tables.find(channel_of(home_of(interaction)), table_id) if seated else None

    def _answers(self, room: Room, table: Table, interaction: discord.Interaction) -> list[Command]:
        """List the commands with forms by which somebody can answer now."""
        menu = table.menu(self._responder.seat(room, interaction), TERMS.of(room).start)
        return forms.of_moves(self._bot, map(table.kit.chat.line, menu))


class Responder:
    """Brings to the bot what an interaction says, and what the bot says to it back to Discord."""

    def __init__(
        self,
        *,
        adapter: DiscordAdapter,
        answers: Answers,
        requests: Requests,
        complaints: Complaints,
        rights: WritingRights,
    ) -> None:
        self._adapter, self._bot, self._answers = adapter, adapter.bot, answers
        self._requests, self._complaints, self._rights = requests, complaints, rights

    def room(self, interaction: discord.Interaction) -> Room | None:
        """Give the room of an interaction; None: it is not open."""
        return self._adapter.room(channel_of(home_of(interaction)))

    async def ready(self, interaction: discord.Interaction) -> bool:
        """Open the room of an interaction; False: it cannot be opened now."""
        channel, guild = home_of(interaction), interaction.guild_id
        return bool(channel and guild) and await self._adapter.open(
            channel_of(channel), community_of(guild or 0)
        )

    def seat(self, room: Room, interaction: discord.Interaction) -> Seat:
        """Give the seat as which somebody plays in a room."""
        return self._bot.members.linked_accounts.at(room, account_of(interaction.user.id))

    def secret(self, interaction: discord.Interaction, text: str, table: str | None = None) -> bool:
        """Whether nobody else is to see this; a table may stand in a room that is not open yet."""
        room = self.room(interaction)
        if room is None:
            return self._bot.command_index.confidential(text)
        return self._bot.secret(room, self.seat(room, interaction), text, table)

    def word(self, interaction: discord.Interaction, message: str) -> str:
        """Word a message without arguments as the room of an interaction is talked to."""
        return self._bot.outbox.text(Message(message), room=self.room(interaction))

    def asker(
        self,
        interaction: discord.Interaction,
        origin: Origin,
        *,
        secret: bool = False,
        menu: Callable[[], Awaitable[discord.ui.View | None]] | None = None,
        board: Callable[[discord.Interaction], Awaitable[bool]] | None = None,
    ) -> Asker:
        """Make what answers an interaction."""
        return Asker(interaction, origin, self._complaints, secret=secret, menu=menu, board=board)

    async def respond(self, asker: Asker, interaction: discord.Interaction, line: Line) -> None:
        """Let the bot hear a line, and answer by what it says; returns when that is done."""
        self._answers.expect(asker)
        hearing = self._say(interaction, asker, line)
        await asker.attend(hearing, partial(self.word, interaction), conclusion="discord-done")

    async def refuse(self, interaction: discord.Interaction, message: str) -> None:
        """Tell somebody alone why nothing comes of it."""
        text = self.word(interaction, message)
        await self.asker(interaction, Origin.SLASH, secret=True).whisper(text)

    async def send_form(self, interaction: discord.Interaction, form: discord.ui.Modal) -> None:
        """Answer by a form."""
        try:
            await interaction.response.send_modal(form)
        except PASSING as error:
            self._complaints.tell(channel_of(interaction.channel_id or 0), "a form was not shown", error)

    async def _say(self, interaction: discord.Interaction, asker: Asker, line: Line) -> Replies:
        def later(delivery: Delivery) -> None:
            self._requests.start(self._answers.answer(asker, delivery))

        if not await self.ready(interaction):
            return Replies(taken=False)
        line = replace(line, barred=self._rights.of_interaction(interaction))
        replies = await self._bot.hear(line, later)
        # What was heard is still answered while the adapter stops: the stake is taken.
        with self._requests.under_way():
            for delivery in replies.deliveries:
                await self._answers.answer(asker, delivery)
        return replies


def _table(room: Room | None, table_id: str) -> Table | None:
    tables = room.tables.values() if room is not None else ()
    return next((each for each in tables if each.id == table_id and not each.over), None)
