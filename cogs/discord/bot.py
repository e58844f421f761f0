"""The client: what discord.py is asked to be, and where it brings what it hears."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from cogs.discord.buttons import ButtonHandler, Move
from cogs.discord.commands import SlashHandler, sync
from cogs.discord.endpoints import OWN, DiscordEndpoints
from cogs.discord.errors import PASSING
from cogs.discord.menus import Choice, MenuHandler

if TYPE_CHECKING:
    from collections.abc import Sequence

    import aiohttp
    from discord.http import HTTPClient

    from cogs.discord.errors import Complaints

LONGEST_LIMIT = (
    30.0  # seconds that a request waits for a rate limit inside the library, and the least it takes
)


class InteractionHandler(ButtonHandler, MenuHandler, SlashHandler, Protocol):
    async def hear(self, message: discord.Message) -> None:
        """Take in what somebody wrote."""

    async def arrive(self) -> None:
        """Hear that every server is known now; it may be called again."""

    async def fill(self, interaction: discord.Interaction[Any]) -> None:
        """Take in a form that somebody has sent."""

    async def regret(self, interaction: discord.Interaction[Any], *, gone: bool) -> None:
        """Answer a command that failed, or does not exist any more."""


class Tree(app_commands.CommandTree["Bot"]):
    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        self.client.complaints.tell("discord:0", "a slash command failed", error.__cause__ or error)
        gone = isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch)
        await self.client.handler.regret(interaction, gone=gone)


class Bot(commands.AutoShardedBot):
    """Keeps few things in memory: no members, no messages, no presence."""

    def __init__(
        self,
        handler: InteractionHandler,
        slash: Sequence[app_commands.Command[Any, ..., None]],
        complaints: Complaints,
        *,
        reads: bool,
        ready_after: float,
        endpoints: DiscordEndpoints = OWN,
    ) -> None:
        point_library(endpoints)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=intents(reads=reads),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=LONGEST_LIMIT,
            guild_ready_timeout=ready_after,
        )
        self.handler, self.complaints = handler, complaints
        if endpoints.gateway != OWN.gateway:
            _lead_to(endpoints.gateway, self.http)
        for each in slash:
            self.tree.add_command(each)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Move, Choice)
        try:
            await sync(self.tree, self.http, self.application_id or 0)
        except PASSING as error:
            self.complaints.tell("discord:0", "the slash commands could not be brought up to date", error)

    async def on_message(self, message: discord.Message, /) -> None:
        """Hand every line to the house, which knows what is a command; the library's own parser rests."""
        await self.handler.hear(message)

    async def on_interaction(self, interaction: discord.Interaction[Any], /) -> None:
        """Take in what the library leaves alone: forms, of which it is not told to keep any."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.handler.fill(interaction)

    async def on_ready(self) -> None:
        await self.handler.arrive()

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Keep the library from printing what was going on: events hold tokens of interactions."""
        self.complaints.tell("discord:0", f"{event_method} failed", sys.exc_info()[1] or RuntimeError())


def intents(*, reads: bool) -> discord.Intents:
    """Ask for what is needed; `reads` is privileged, and must be allowed in Discord's portal."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = True
    wanted.message_content = reads
    return wanted


def point_library(endpoints: DiscordEndpoints) -> None:
    """Tell the library where the API is.

    It keeps the address of all clients of the process in this class, and takes it from nowhere else.
    """
    Route.BASE = endpoints.api


def _lead_to(gateway: str, http: HTTPClient) -> None:
    """Open every connection at this gateway.

    The API and the gateway tell the library where to connect, and where to resume. Through a proxy that
    would be the wrong place, so it is replaced where all connections are opened.
    """
    connect = http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        told = yarl.URL(gateway).with_query(yarl.URL(url).query)
        return await connect(str(told), compress=compress)

    http.ws_connect = ws_connect  # type: ignore[method-assign]  # the library makes its own
