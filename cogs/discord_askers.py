"""Interactions that wait for what the house says: answered in time, once, and to the right eyes.

Discord takes a first answer within three seconds and further ones for a quarter of an hour.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, Any

import discord

from chatbot.live.replies import Replies
from chatbot.live.wording.safe import discord_line
from cogs.discord_lines import account_of, channel_of, line_of
from cogs.discord_text import pieces
from cogs.discord_trouble import PASSING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cogs.discord_trouble import Complaints

PROMPT = 1.0  # seconds in which the house may answer directly; then Discord is told to wait
LASTING = 14 * 60.0  # seconds: the fifteen minutes of an interaction, with a margin


class Origin(Enum):
    """Where an interaction came from, and so where its answer goes."""

    SLASH = "slash"
    BUTTON = "button"  # on a message that everybody sees
    MENU = "menu"  # on somebody's own message, which shows the answer


class Asker:
    """One interaction. Its answers wait for each other, for Discord takes only one first one.

    `menu` makes the buttons anew that its own message shows; `board` shows on a message for all what a
    press has done, as the answer to it.
    """

    def __init__(
        self,
        interaction: discord.Interaction[Any],
        origin: Origin,
        complaints: Complaints,
        *,
        secret: bool = False,
        menu: Callable[[], Awaitable[discord.ui.View | None]] | None = None,
        board: Callable[[discord.Interaction[Any]], Awaitable[bool]] | None = None,
    ) -> None:
        self.line = line_of(interaction)
        self.account = account_of(interaction.user.id)
        self.channel = channel_of(interaction.channel_id or 0)
        self.born = asyncio.get_running_loop().time()
        self.heard = False  # whether anything was said to it
        self._interaction, self._origin, self._secret = interaction, origin, secret
        self._complaints, self._menu, self._board = complaints, menu, board
        self._lock, self._said = asyncio.Lock(), asyncio.Event()
        self._shown: list[str] = []
        self._attended = False

    @property
    def young(self) -> bool:
        """Whether Discord still takes answers."""
        return asyncio.get_running_loop().time() < self.born + LASTING

    @property
    def public(self) -> bool:
        """Whether a line for all may be its answer: it has none yet, and everybody may see it."""
        done = self._interaction.response.is_done() or self._lock.locked()
        return self._origin is Origin.SLASH and not self._secret and not done

    @property
    def pressed(self) -> bool:
        """Whether it was a button, whose message shows what it did."""
        return self._origin is not Origin.SLASH

    async def whisper(self, text: str, view: discord.ui.View | None = None) -> bool:
        """Answer so that nobody else sees it; False: Discord did not take it."""
        return await self._answer(text, view, private=True)

    async def show(self, text: str) -> bool:
        """Answer for all; False: Discord did not take it."""
        return await self._answer(discord_line(text), None, private=False)

    async def settle(self) -> bool:
        """Let the message with the button be the answer; False: Discord did not take it."""
        if self._origin is Origin.MENU or self._interaction.response.is_done():
            return True  # it is told in the end that all is done
        self.heard = True
        self._said.set()
        return await self._quiet()

    async def attend(self, hearing: asyncio.Future[Replies], done: str, failed: str) -> None:
        """See to it that Discord hears in time, whatever the house does, and be it `done` or `failed`.

        When `hearing` ends, the replies that it gives were given to this one already.
        """
        await asyncio.wait([hearing], timeout=PROMPT)
        if not hearing.done():
            await self._defer()
        await asyncio.wait([hearing])
        replies = Replies(taken=False) if hearing.exception() is not None else hearing.result()
        if replies.more and not self.heard:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._said.wait(), PROMPT)
        if not self.heard:
            await (self._conclude(done) if replies.taken else self.whisper(failed))
        self._attended = True

    async def _answer(self, text: str, view: discord.ui.View | None, *, private: bool) -> bool:
        self.heard = True
        self._said.set()
        async with self._lock:
            try:
                await self._send(text, view, private=private)
            except PASSING as error:
                self._complaints.tell(self.channel, "an answer did not reach Discord", error)
                return False
            return True

    async def _send(self, text: str, view: discord.ui.View | None, *, private: bool) -> None:
        response, shown = self._interaction.response, view if view is not None else discord.utils.MISSING
        if self._origin is Origin.MENU and not self._attended:  # nobody looks there again later
            await self._update(text)
        elif response.is_done():
            await self._interaction.followup.send(text, view=shown, ephemeral=private, suppress_embeds=True)
        else:
            await response.send_message(text, view=shown, ephemeral=private, suppress_embeds=True)

    async def _update(self, text: str) -> None:
        """Show the answers on the message with the buttons, and what can be done now."""
        self._shown.append(text)
        shown, view = pieces("\n".join(self._shown))[-1], await self._menu() if self._menu else None
        if self._interaction.response.is_done():
            await self._interaction.edit_original_response(content=shown, view=view)
        else:
            await self._interaction.response.edit_message(content=shown, view=view)

    async def _defer(self) -> None:
        async with self._lock:
            if self._interaction.response.is_done():
                return
            try:
                if self._origin is Origin.MENU:
                    await self._interaction.response.defer()
                else:
                    await self._interaction.response.defer(ephemeral=True, thinking=True)
            except PASSING as error:
                self._complaints.tell(self.channel, "an interaction could not be acknowledged", error)

    async def _conclude(self, done: str) -> None:
        """Say that it was heard: Discord calls an interaction without an answer a failure."""
        if self._origin is Origin.BUTTON and not self._interaction.response.is_done():
            await self._quiet()
        else:
            await self.whisper(done)

    async def _quiet(self) -> bool:
        """Acknowledge a button without a word; the message that it stands on shows what it did."""
        async with self._lock:
            if self._board is not None and await self._board(self._interaction):
                return True
            try:
                await self._interaction.response.defer()
            except PASSING as error:
                self._complaints.tell(self.channel, "an interaction could not be acknowledged", error)
                return False
            return True
