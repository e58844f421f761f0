"""One connection's talk: messages, slash commands and buttons to the house, and its answers back."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol

import discord
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.house import LONGEST_LINE
from chatbot.kernel.say import Message
from chatbot.rooms.replies import Replies
from chatbot.rooms.room import Delivery, hides
from chatbot.settings.community import TERMS
from cogs.discord import answer_forms, buttons, setting_forms
from cogs.discord.answer_forms import FORM
from cogs.discord.answers import Answers, Asker, Heard, Origin
from cogs.discord.commands import SlashCommand, typed
from cogs.discord.errors import PASSING
from cogs.discord.lines import account_of, channel_of, chosen, community_of, spoken
from cogs.discord.tables import TableMessages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.bot.house import House
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import Command
    from chatbot.ledger.people import Account
    from chatbot.rooms.room import Line, Room
    from chatbot.speech.safe import Dress
    from chatbot.tables.table import Table
    from cogs.discord.bot import Bot
    from cogs.discord.errors import Complaints, Requests
    from cogs.discord.tables import TableMessage

PREFIX = "!"


class Doorway(Protocol):
    """What outlives a connection."""

    house: House

    async def open(self, channel: str, community: str) -> bool: ...

    def room(self, channel: str) -> Room | None: ...

    async def open_standing(self) -> None: ...

    def arrived(self) -> None: ...


class Handlers:
    answers: Answers
    statuses: TableMessages

    def __init__(self, door: Doorway, errands: Requests, complaints: Complaints) -> None:
        self._door, self._errands, self._complaints = door, errands, complaints
        self._house = door.house

    @property
    def _me(self) -> int:
        return self._bot.user.id if self._bot.user else 0

    def connect(self, bot: Bot, dress: Dress) -> None:
        self.answers = Answers(self._house, bot, dress, self._errands, self._complaints)
        self.statuses = TableMessages(self._house, bot, dress, self._errands, self._complaints)
        self._bot = bot

    async def arrive(self) -> None:
        self._door.arrived()
        await self._door.open_standing()

    # Messages

    async def hear(self, message: discord.Message) -> None:
        """Take in what somebody wrote; bots, webhooks and what Discord itself writes are nobody."""
        written = message.type in {discord.MessageType.default, discord.MessageType.reply}
        if message.author.bot or message.webhook_id is not None or not written:
            return
        if message.guild is None and message.channel.type is discord.ChannelType.private:
            await self._hear_alone(message)
        elif message.guild is not None:
            await self._hear(message, message.guild)

    async def _hear(self, message: discord.Message, guild: discord.Guild) -> None:
        channel = channel_of(message.channel.id)
        line = spoken(message, channel, self._me)
        if not self._house.has(channel) and not self._known(line.text):
            return  # a room costs something: it is opened for its first command
        heard = self.answers.hear(message, channel) if line.text.startswith(PREFIX) else None
        if await self._door.open(channel, community_of(guild.id)):
            await (self._house.converse(line) if heard is None else self._answer(line, heard))
        else:
            self._house.members.meet(self._house.members.seat(line.account), line.name)
            refusal = Delivery(channel, self._house.outbox.text(Message("try-again")), line.account, ())
            await self._errands.run(self.answers.bring(refusal))

    async def _hear_alone(self, message: discord.Message) -> None:
        channel = self._house.whereabouts(account_of(message.author.id))
        line = spoken(message, channel or "", self._me)
        if not line.text.startswith(PREFIX):
            return
        if channel is None or self._door.room(channel) is None:
            text = self._house.outbox.text(Message("discord-nowhere"))
            await self._errands.run(self.answers.write(line.account, text))
            return
        await self._answer(line, self.answers.hear(message, channel))

    async def _answer(self, line: Line, heard: Heard) -> None:
        """Answer a message by what the house says to it, and what it says later."""
        replies = await self._house.hear(line, lambda later: self._reply(heard, later))
        for delivery in replies.deliveries:
            if (told := self._reply(heard, delivery)) is not None:
                await asyncio.wait([told])

    def _reply(self, heard: Heard, delivery: Delivery) -> asyncio.Task[object] | None:
        """Begin to answer somebody; what everybody reads goes with all else that is said there."""
        if delivery.to is not None:
            return self._errands.start(self.answers.reply(heard, delivery, delivery.to))
        self._house.pass_on(delivery)
        return None

    def _known(self, text: str) -> bool:
        """Whether a line is a command that somebody answers."""
        if not text.startswith(PREFIX):
            return False
        word, _ = self._house.command_index.split(text.removeprefix(PREFIX))
        return (
            self._house.command_index.service(word) is not None
            or self._house.command_index.command(word) is not None
        )

    # Interactions

    async def ready(self, interaction: discord.Interaction[Any]) -> bool:
        channel, guild = interaction.channel_id, interaction.guild_id
        return bool(channel and guild) and await self._door.open(
            channel_of(channel or 0), community_of(guild or 0)
        )

    async def obey(
        self, interaction: discord.Interaction[Any], text: str, named: Mapping[Account, str]
    ) -> None:
        if len(text) > LONGEST_LINE:
            await self._refuse(interaction, "discord-too-long")
            return
        secret = self._secret(interaction, text)
        asker = Asker(interaction, Origin.SLASH, self._complaints, secret=secret)
        await self._attend(asker, interaction, chosen(interaction, text, private=secret, named=named))

    async def press(self, interaction: discord.Interaction[Any], table: str, line: str) -> None:
        own = interaction.message is not None and interaction.message.flags.ephemeral

        async def menu() -> discord.ui.View | None:
            return (await self._moves(interaction, table))[1]

        status = None if own else self._status(interaction, table)
        board = status.answer if status is not None else None
        origin = Origin.MENU if own else Origin.BUTTON
        asker = Asker(interaction, origin, self._complaints, menu=menu, board=board)
        private = own or self._secret(interaction, line, table)
        said = chosen(interaction, line, private=private, table=table)
        with status.held() if status is not None else nullcontext():
            await self._attend(asker, interaction, said)

    def _secret(self, interaction: discord.Interaction[Any], text: str, table: str | None = None) -> bool:
        """Whether nobody else is to see this; a table may stand in a room that is not open yet."""
        room = self._door.room(channel_of(interaction.channel_id or 0))
        if room is None:
            return self._house.command_index.confidential(text)
        return self._house.secret(room, self._seat(room, interaction), text, table)

    def _seat(self, room: Room, interaction: discord.Interaction[Any]) -> Seat:
        """Give the seat as which somebody plays in a room."""
        return self._house.members.linked_accounts.at(room, account_of(interaction.user.id))

    def _status(self, interaction: discord.Interaction[Any], table_id: str) -> TableMessage | None:
        """Find the message of the table at which somebody sits who has pressed a button of it."""
        channel = channel_of(interaction.channel_id or 0)
        room = self._door.room(channel)
        table = room.table(table_id) if room is not None else None
        seated = table is not None and self._seat(table.room, interaction) in table.seated
        return self.statuses.find(channel, table_id) if seated else None

    async def ask(self, interaction: discord.Interaction[Any], table: str, word: str) -> None:
        """Bring a form to whoever has such an answer to give; all others are told that they have not."""
        ready = await self.ready(interaction)
        room = self._door.room(channel_of(interaction.channel_id or 0))
        found, command = _table(room, table), self._house.command_index.command(word)
        if not ready or room is None:
            await self._refuse(interaction, "try-again")
        elif found is None or command is None:
            await self._refuse(interaction, "table-over")
        elif command[1] not in self._answers(room, found, interaction):
            await self._refuse(interaction, "discord-no-moves")
        else:
            name = buttons.custom_id(table, FORM + word)
            await self._bring(interaction, answer_forms.form(self._house, room, command[1], name))

    def _answers(self, room: Room, table: Table, interaction: discord.Interaction[Any]) -> list[Command]:
        """List the commands with forms by which somebody can answer now."""
        menu = table.menu(self._seat(room, interaction), TERMS.of(room).start)
        return answer_forms.of_moves(self._house, map(table.kit.line, menu))

    async def offer(self, interaction: discord.Interaction[Any], text: str) -> bool:
        """Bring a form for what a slash command left out; False: there is none for it."""
        ready = await self.ready(interaction)
        room = self._door.room(channel_of(interaction.channel_id or 0)) if ready else None
        line = chosen(interaction, text, private=True)
        form = setting_forms.form(self._house, room, line) if room is not None else None
        if form is not None:
            await self._bring(interaction, form)
        return form is not None

    async def _bring(self, interaction: discord.Interaction[Any], form: discord.ui.Modal) -> None:
        try:
            await interaction.response.send_modal(form)
        except PASSING as error:
            self._complaints.tell(channel_of(interaction.channel_id or 0), "a form was not shown", error)

    async def fill(self, interaction: discord.Interaction[Any]) -> None:
        """Take in a form as the line that somebody would have typed."""
        rewritten = setting_forms.filled(interaction)
        if rewritten is not None:
            await self.obey(interaction, rewritten, {})
            return
        found = answer_forms.filled(interaction)
        command = self._house.command_index.command(found[1]) if found is not None else None
        if found is None or command is None:
            await self._refuse(interaction, "discord-unknown-command")
            return
        table, word, given = found
        line, _ = typed(SlashCommand(word, command[1].options), given)
        await self.press(interaction, table, line)

    async def choose(self, interaction: discord.Interaction[Any], table: str, line: str) -> None:
        """Show in the place of somebody's menus what can come next behind a line that is not complete."""
        views: list[discord.ui.View | None] = []

        async def menu() -> discord.ui.View | None:
            return views[-1] if views else None

        asker = Asker(interaction, Origin.MENU, self._complaints, menu=menu)

        async def show() -> Replies:
            text, view = await self._moves(interaction, table, line)
            views.append(view)
            return Replies(taken=await asker.whisper(text))

        await asker.attend(asyncio.ensure_future(show()), *[self._word("try-again", interaction)] * 2)

    async def show_moves(self, interaction: discord.Interaction[Any], table: str) -> None:
        asker = Asker(interaction, Origin.SLASH, self._complaints, secret=True)

        async def show() -> Replies:
            text, view = await self._moves(interaction, table)
            return Replies(taken=await asker.whisper(text, view))

        await asker.attend(asyncio.ensure_future(show()), *[self._word("try-again", interaction)] * 2)

    async def regret(self, interaction: discord.Interaction[Any], *, gone: bool) -> None:
        if interaction.type is discord.InteractionType.application_command:
            await self._refuse(interaction, "discord-unknown-command" if gone else "try-again")

    async def _refuse(self, interaction: discord.Interaction[Any], message: str) -> None:
        told = self._word(message, interaction)
        await Asker(interaction, Origin.SLASH, self._complaints, secret=True).whisper(told)

    async def _attend(self, asker: Asker, interaction: discord.Interaction[Any], line: Line) -> None:
        self.answers.expect(asker)
        hearing = asyncio.ensure_future(self._say(interaction, asker, line))
        words = [self._word(each, interaction) for each in ("discord-done", "try-again")]
        await asker.attend(hearing, *words)

    async def _say(self, interaction: discord.Interaction[Any], asker: Asker, line: Line) -> Replies:
        def later(delivery: Delivery) -> None:
            self._errands.start(self.answers.answer(asker, delivery))

        if not await self.ready(interaction):
            return Replies(taken=False)
        replies = await self._house.hear(line, later)
        for delivery in replies.deliveries:
            await self._errands.run(self.answers.answer(asker, delivery))
        return replies

    async def _moves(
        self, interaction: discord.Interaction[Any], table_id: str, begun: str = ""
    ) -> tuple[str, discord.ui.View | None]:
        """Word what somebody can do at a table, and make the buttons for it; a line may have begun."""
        if not await self.ready(interaction):
            return self._word("try-again", interaction), None
        room = self._door.room(channel_of(interaction.channel_id or 0))
        table = _table(room, table_id)
        if room is None or table is None:
            return self._word("table-over", interaction), None
        await self._house.converse(chosen(interaction, "", private=True))  # who is new has no credits before
        seat = self._seat(room, interaction)
        try:
            purse = await self._house.balances.purse(room, seat)
        except (SQLAlchemyError, OSError):
            return self._word("try-again", interaction), None
        view = buttons.for_one(self._house, table, seat, purse, begun)
        told = self._word("discord-moves" if view else "discord-no-moves", interaction)
        note = table.kit.board(table.view(seat)).note if view is not None and hides(table) else None
        return (told if note is None else f"{self._house.outbox.text(note, room=room)}\n{told}"), view

    def _word(self, what: str, asked: discord.Interaction[Any]) -> str:
        return self._house.outbox.text(Message(what), room=self._door.room(channel_of(asked.channel_id or 0)))


def _table(room: Room | None, table_id: str) -> Table | None:
    tables = room.tables.values() if room is not None else ()
    return next((each for each in tables if each.id == table_id and not each.over), None)
