"""One message for each table: posted when it opens, edited while it goes on, found again after a restart."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import discord

from chatbot.runtime.limits import PROBE
from chatbot.settings.community import TERMS
from cogs.discord import boards, buttons
from cogs.discord.answers import PROMPT
from cogs.discord.errors import PASSING, is_unreachable, patience
from cogs.discord.lines import PREFIX, channel_of, number_of
from cogs.discord.table_pictures import ADDRESS, Pictures
from cogs.discord.threads import TableThread, lasts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from chatbot.bot.bot import Bot
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Alarm
    from chatbot.speech.safe import Dress
    from cogs.discord.boards import Sheet
    from cogs.discord.errors import Complaints, Requests


Files: TypeAlias = "list[discord.File] | None"

COURTESY = 0.02  # seconds for which a table's message lets the answers go first that belong to its change
PACE = 2.0  # seconds between two edits of one message: what may be edited in a channel is for all its tables
SEARCHED = 50  # messages of a channel among which a former one is looked for, one request
RARER = 4  # times that the pace is halved while Discord is in trouble
UNKNOWN_MESSAGE, NO_PERMISSION = 10008, 50013  # Discord's codes


class TableMessages:
    """The messages of all tables, by room and table."""

    def __init__(
        self,
        *,
        bot: Bot,
        client: discord.Client,
        dress: Dress,
        requests: Requests,
        complaints: Complaints,
    ) -> None:
        self._bot, self._client, self._dress = bot, client, dress
        self._requests, self._complaints = requests, complaints
        self._statuses: defaultdict[str, dict[str, TableMessage]] = defaultdict(dict)  # by room and table

    def show_changes(self, room: Room) -> None:
        """Show the tables of a room as they are now, soon."""
        statuses = self._statuses[room.id]
        for table in room.tables.values():
            if table.id not in statuses and table.turn and not table.over:
                statuses[table.id] = self._status(room, table, from_before=False)
        self._renew(room)

    def take_up(self, room: Room) -> None:
        """Go on with the messages of tables from before this connection."""
        statuses = self._statuses[room.id]
        for table in room.tables.values():
            if table.id not in statuses:
                statuses[table.id] = self._status(room, table, from_before=True)
        self._renew(room)

    def find(self, room: str, table: str) -> TableMessage | None:
        """Find the message of a table."""
        return self._statuses.get(room, {}).get(table)

    def thread(self, channel: str, table: str) -> str | None:
        """Give the thread in which a table is told; None: it is told in the channel, as what is over is."""
        status = self.find(channel, table)
        number = status.thread.number if status is not None and not status.over else None
        return None if number is None else channel_of(number)

    def try_again(self, channels: Iterable[str]) -> None:
        """Show again what Discord did not let the bot show in these channels, as permissions have changed."""
        for channel in channels:
            for status in self._statuses.get(channel, {}).values():
                status.try_again()

    def leave(self, rooms: Iterable[str]) -> None:
        """Show the tables of rooms no more, as another process does."""
        for room in rooms:
            for status in self._statuses.pop(room, {}).values():
                status.stop()

    def lose_thread(self, number: int) -> None:
        """Tell in its channel from now on what was told in a thread that somebody has deleted."""
        for statuses in self._statuses.values():
            for status in statuses.values():
                if status.thread.number == number:
                    status.thread.lose()

    def _renew(self, room: Room) -> None:
        """Show what has changed; one that is done is remembered while its table stands, not to begin anew."""
        statuses, table_ids = self._statuses[room.id], {each.id for each in room.tables.values()}
        for table_id, status in list(statuses.items()):
            if status.done and table_id not in table_ids:
                del statuses[table_id]
            else:
                status.renew()

    def _status(self, room: Room, table: Table, *, from_before: bool) -> TableMessage:
        channel = next(each.id for each in room.channels if each.id.startswith(PREFIX))
        target = self._client.get_partial_messageable(number_of(channel))
        me = self._client.user.id if self._client.user else 0
        pictures = Pictures(self._client, target.id, self._complaints, bare=not from_before)
        return TableMessage(
            room=room,
            table=table,
            bot=self._bot,
            target=target,
            me=me,
            dress=self._dress,
            requests=self._requests,
            complaints=self._complaints,
            pictures=pictures,
            thread=TableThread(self._client, target.id, self._complaints),
            from_before=from_before,
        )


class TableMessage:
    """The message of one table. Changes that come quickly are one edit, and the last one is always shown."""

    def __init__(
        self,
        *,
        room: Room,
        table: Table,
        bot: Bot,
        target: discord.PartialMessageable,
        me: int,
        dress: Dress,
        requests: Requests,
        complaints: Complaints,
        pictures: Pictures,
        thread: TableThread,
        from_before: bool,
    ) -> None:
        self.room, self.done, self.thread = room, False, thread
        self._bot, self._target, self._me = bot, target, me
        self._table, self._dress = table, dress
        self._requests, self._complaints, self._pictures = requests, complaints, pictures
        self._from_before = from_before  # whether there may be a message from before a restart
        self._message: discord.PartialMessage | None = None
        self._content: tuple[Sheet, tuple[str, ...]] | None = None
        self._plain, self._failures = False, 0
        self._unreached = False  # whether Discord did not answer the last time, or failed
        self._given_up = False  # it is done because Discord does not take it
        self._alarm: Alarm | None = None
        self._busy = self._stale = False
        self._holds = 0
        self._editing = asyncio.Lock()
        self._edited_at = -PACE
        self._ends: tuple[float, int] | None = None

    @property
    def over(self) -> bool:
        """Whether the table is over."""
        return self._table.over

    def renew(self) -> None:
        """Show the present state as soon as the pace allows."""
        self._stale = True
        if self._alarm is not None or self._busy or self._holds or self.done:
            return
        pace = PACE * 2 ** min(max(self._failures - 1, 0), RARER)
        if self._unreached:
            pace = min(pace, PROBE)
        wait = max(self._edited_at + pace - self._bot.watch.now(), 0.0)
        self._alarm = self._bot.watch.ring(wait, self._ring)

    def stop(self) -> None:
        """Show nothing more: the state that is known here is not the newest any more."""
        self.done, self._given_up = True, False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def try_again(self) -> None:
        """Show the present state also where that was given up."""
        if self._given_up:
            self.done = self._given_up = self._plain = False
            self._failures = 0
            self.renew()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Edit nothing meanwhile: somebody at the table has pressed a button, and the answer will show it."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if self._stale:
                self.renew()

    async def answer(self, interaction: discord.Interaction) -> bool:
        """Show the present state at once, as the answer to a button of this message; False: it cannot be.

        Such an answer costs nothing of what may be edited in a channel.
        """
        message = interaction.message
        if message is None or (self._message is not None and self._message.id != message.id):
            return False
        try:
            await asyncio.wait_for(self._editing.acquire(), PROMPT)
        except TimeoutError:
            return False
        try:
            return await self._answer(interaction, message)
        finally:
            self._editing.release()

    async def _answer(self, interaction: discord.Interaction, message: discord.Message) -> bool:
        # Before the state is read: what changes while it is sent takes another edit.
        self._stale, self._edited_at = False, self._bot.watch.now()
        sheet, view, over = *self._present(), self._table.over
        try:
            await self._edit(interaction.response.edit_message, sheet, view)
        except PASSING as error:
            self._complaints.tell(channel_of(self._target.id), "a button could not be answered", error)
            if _is_refused(error):
                self._pictures.refuse()
            self._stale = True
            return False
        self._message, self._from_before = self._target.get_partial_message(message.id), False
        self._content, self._failures, self.done = (sheet, _ids(view)), 0, self.done or over
        self._requests.start(self._follow())
        return True

    async def _ring(self) -> None:
        if self._holds:
            self._alarm = None
            return
        self._alarm, self._busy = None, True
        await asyncio.sleep(COURTESY)
        try:
            async with self._editing:
                await self._requests.run(self._refresh())
        finally:
            self._busy = False
        if self._stale:
            self.renew()

    async def _refresh(self) -> None:
        # As in `_answer`: before the state is read.
        self._stale, over = False, self._table.over
        sheet, view = self._present()
        content = (sheet, _ids(view))
        if content != self._content:
            self._edited_at = self._bot.watch.now()
            try:
                await self._put(sheet, view)
            except PASSING as error:
                self._forgive(error)
                return
            self._content, self._failures = content, 0
        self.done = over
        await self._follow()

    async def _follow(self) -> None:
        """Begin or end the thread as the table goes on."""
        if self._table.over:
            await self.thread.end()
        elif self._message is not None and self.room.habits.threads and lasts(self._table):
            title = self._table.kit.display.board(self._table.view(None)).title
            await self.thread.begin(self._message.id, self._bot.outbox.text(title, room=self.room))

    def _present(self) -> tuple[Sheet, discord.ui.View | None]:
        sheet = boards.sheet(self._bot, self._table, self._until(), self._dress)
        if self._plain or not self._pictures.allowed:
            sheet = replace(sheet, scene=None)
        return sheet, buttons.for_all(self._bot, self._table, TERMS.of(self.room).start)

    async def _draw(self, sheet: Sheet) -> tuple[str | None, discord.Embed | None, Files]:
        """Give the text or the embed, and the files to put in the place of those that are there."""
        hanging = await self._pictures.hang(sheet.scene, sheet.alt_text)
        if self._plain:
            return sheet.plain(), None, hanging.files
        embed = sheet.embed()
        return None, embed.set_image(url=ADDRESS) if hanging.shows else embed, hanging.files

    def _until(self) -> int | None:
        """Say when the phase ends, on the calendar; one deadline keeps one answer, however it is rounded."""
        deadline = self._table.public_deadline
        if deadline is None:
            return None
        if self._ends is None or self._ends[0] != deadline:
            now = self._bot.watch.date().timestamp()
            self._ends = (deadline, round(now + deadline - self._bot.watch.now()))
        return self._ends[1]

    def _forgive(self, error: BaseException) -> None:
        """Try again ever more rarely, in another way where that may help; what lasts is given up."""
        self._complaints.tell(channel_of(self._target.id), "the message of a table could not be shown", error)
        self._failures += 1
        self._unreached = is_unreachable(error)
        self._stale = True
        if _code(error) == UNKNOWN_MESSAGE:
            self._message = None  # somebody has deleted it
        elif _is_refused(error) and self._pictures.refuse():
            pass  # it may be the picture alone
        elif _code(error) == NO_PERMISSION and not self._plain:
            self._plain = True
        elif patience(error) is None or isinstance(error, RuntimeError):  # it has left
            self.done = self._given_up = True

    async def _put(self, sheet: Sheet, view: discord.ui.View | None) -> None:
        if self._from_before:
            self._message = await self._find()
            self._from_before = False
            if self._message is None and self._table.over:
                return  # its end was shown, or it never was
        if self._message is not None:
            await self._edit(self._message.edit, sheet, view)
        else:
            await self._post(sheet, view)

    async def _edit(
        self, edit: Callable[..., Awaitable[object]], sheet: Sheet, view: discord.ui.View | None
    ) -> None:
        content, embed, files = await self._draw(sheet)
        attachments = {} if files is None else {"attachments": files}
        await edit(content=content, embed=embed, view=view, **attachments)
        self._pictures.hung()

    async def _post(self, sheet: Sheet, view: discord.ui.View | None) -> None:
        self._pictures.clear()
        content, embed, files = await self._draw(sheet)
        post = partial(self._target.send, content, suppress_embeds=self._plain)
        post = partial(post, files=files) if files else post
        post = partial(post, embed=embed) if embed is not None else post
        message = await (post(view=view) if view is not None else post())
        self._message = self._target.get_partial_message(message.id)
        self._pictures.hung()

    async def _find(self) -> discord.PartialMessage | None:
        """Look for the message that showed this table before the restart."""
        with suppress(discord.Forbidden):  # where it may not look back, it begins a new one
            async for message in self._target.history(limit=SEARCHED):
                if message.author.id == self._me and buttons.belongs(message, self._table.id):
                    self.thread.find(message)
                    return self._target.get_partial_message(message.id)
        return None


def _ids(view: discord.ui.View | None) -> tuple[str, ...]:
    """List the ids and labels of the buttons; views that are equal in these need not be sent again."""
    children: Iterable[object] = view.children if view is not None else ()
    items = (getattr(each, "item", each) for each in children)
    return tuple(f"{getattr(each, 'custom_id', '')} {getattr(each, 'label', '')}" for each in items)


def _code(error: BaseException) -> int:
    """Give Discord's code for what it refused; 0: it was something else."""
    return error.code if isinstance(error, discord.HTTPException) else 0


def _is_refused(error: BaseException) -> bool:
    """Whether Discord does not take a message as it is, such as one with a file that is too large (413)."""
    client_error = isinstance(error, discord.HTTPException) and patience(error) is None
    return client_error and _code(error) != UNKNOWN_MESSAGE
