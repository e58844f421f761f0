"""The bot: what discord.py is asked to be, and the cogs that it loads, one for each concern."""

from __future__ import annotations

import asyncio
import sys
from secrets import SystemRandom
from typing import TYPE_CHECKING

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from chatbot.runtime.session_budget import SessionsExhausted
from cogs.discord import heartbeat, reconnecting
from cogs.discord.answers import Answers
from cogs.discord.endpoints import OWN, DiscordEndpoints
from cogs.discord.forms import FormCog
from cogs.discord.greeting import GreetingCog
from cogs.discord.interactions import MoveCog, Responder
from cogs.discord.lines import channel_of
from cogs.discord.messages import MessageCog
from cogs.discord.rights import WritingRights
from cogs.discord.shards import ShardedBot, close_without_session
from cogs.discord.slash_commands import SlashCommandCog
from cogs.discord.tables import TableMessages

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import aiohttp
    from discord.http import HTTPClient

    from chatbot.speech.safe import Dress
    from cogs.discord.adapter import DiscordAdapter
    from cogs.discord.errors import Complaints, Requests
    from cogs.platform import SessionStarts

# Seconds that a request waits for a rate limit inside the library, and the least that the library takes.
LONGEST_LIMIT = 30.0
# https://discord.com/developers/docs/events/gateway#resuming: another session may be begun 1 to 5 seconds, at
# random, after one was forgotten. The library waits for five each time.
AFTER_SESSION = 1.0, 2.0  # seconds, at least and at most
LONGEST_WAIT = 50.0  # seconds for which a connection waits for its session, before another one is tried


class Tree(app_commands.CommandTree["DiscordClient"]):
    """The slash commands; one that fails is answered, and told to the operator without its tokens."""

    async def on_error(
        self, interaction: discord.Interaction[DiscordClient], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command that failed, or that this version does not have any more."""
        self.client.complaints.tell("discord:0", "a slash command failed", error.__cause__ or error)
        gone = isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch)
        await self.client.slash_commands.answer_failed(interaction, gone=gone)


class ConnectionCog(commands.Cog):
    """Tells the adapter that it is connected, where permissions have changed, and which threads are gone."""

    def __init__(self, *, adapter: DiscordAdapter, rights: WritingRights, tables: TableMessages) -> None:
        self._adapter, self._rights, self._tables = adapter, rights, tables

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _: object, channel: discord.abc.GuildChannel) -> None:
        """Try again to write in a channel whose permissions may have changed, and in its threads."""
        threads = channel.threads if isinstance(channel, discord.TextChannel | discord.ForumChannel) else ()
        self._rights.forget(channel_of(each.id) for each in (channel, *threads))
        self._tables.try_again([channel_of(channel.id)])
        self._adapter.look_at_threads([channel_of(channel.id)])

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: object, role: discord.Role) -> None:
        """Try again to write in all channels of a server, one of whose roles has changed."""
        self._try_again(role.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _: object, me: discord.Member) -> None:
        """Try again to write in all channels of a server where the bot has other roles or is heard again.

        Without a right to hear of members, these are only the changes of the bot itself:
        https://discord.com/developers/docs/events/gateway#caveats.
        """
        self._try_again(me.guild)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """Use a thread no more that somebody has deleted."""
        self._tables.lose_thread(thread.thread_id)

    def _try_again(self, guild: discord.Guild) -> None:
        self._rights.forget(channel_of(each.id) for each in (*guild.channels, *guild.threads))
        self._tables.try_again(channel_of(each.id) for each in (*guild.channels, *guild.threads))
        self._adapter.look_at_threads(channel_of(each.id) for each in guild.channels)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Hear that every server of a shard is known now; it may come again."""
        self._adapter.arrived(shard)
        await self._adapter.open_standing()


class DiscordClient(ShardedBot):
    """The connection of some shards. It keeps few things in memory: no members, no messages, no presence."""

    def __init__(
        self,
        *,
        adapter: DiscordAdapter,
        dress: Dress,
        requests: Requests,
        complaints: Complaints,
        reads: bool,
        ready_after: float,
        starts: SessionStarts,
        shards: Collection[int] | None = None,
        shard_count: int | None = None,
        is_silent: Callable[[int], bool] = lambda _: False,
        is_left: Callable[[int], bool] = lambda _: False,
        endpoints: DiscordEndpoints = OWN,
    ) -> None:
        """Make a bot for an adapter; `ready_after` are the seconds without another server that end the wait.

        It connects `shards`, of so many, when `starts` lets it, as `ShardedBot` says.

        Raises:
            Failure: there are too many commands.
        """
        point_library(endpoints)
        heartbeat.beat_often()
        reconnecting.try_often()
        close_without_session()
        super().__init__(
            shards=shards,
            shard_count=shard_count,
            starts=starts,
            on_exhausted=adapter.note_exhausted,
            is_silent=is_silent,
            is_left=is_left,
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
            heartbeat_timeout=heartbeat.SILENCE,
        )
        if endpoints.gateway != OWN.gateway:
            _lead_to(endpoints.gateway, self.http)
        bot, self.complaints, self._adapter = adapter.bot, complaints, adapter
        self._random = SystemRandom()
        self.rights = rights = WritingRights(adapter.note_barred)
        self.tables = TableMessages(
            bot=bot, client=self, dress=dress, requests=requests, complaints=complaints
        )
        self.answers = Answers(
            bot=bot,
            client=self,
            dress=dress,
            requests=requests,
            complaints=complaints,
            rights=rights,
            thread=self.tables.thread,
        )
        responder = Responder(
            adapter=adapter, answers=self.answers, requests=requests, complaints=complaints, rights=rights
        )
        self.connection = ConnectionCog(adapter=adapter, rights=rights, tables=self.tables)
        self.messages = MessageCog(
            client=self,
            adapter=adapter,
            answers=self.answers,
            requests=requests,
            complaints=complaints,
            rights=rights,
        )
        self.slash_commands = SlashCommandCog(
            client=self, bot=bot, responder=responder, complaints=complaints
        )
        self.moves = MoveCog(client=self, bot=bot, responder=responder, tables=self.tables)
        self.forms = FormCog(slash_commands=self.slash_commands, moves=self.moves, responder=responder)
        self.greeting = GreetingCog(bot=bot, complaints=complaints)

    async def setup_hook(self) -> None:
        """Load the cogs before anything is heard."""
        for each in (
            self.connection,
            self.messages,
            self.moves,
            self.forms,
            self.slash_commands,
            self.greeting,
        ):
            await self.add_cog(each)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait as long as Discord asks for before another session is begun.

        Raises:
            SessionsExhausted: it allows none today.
            ConnectionError: it is not known now whether it does.
        """
        after = 0.0 if initial else self._random.uniform(*AFTER_SESSION)
        try:
            seconds = await self._starts.reserve(shard_id or 0, after)
        except SessionsExhausted as error:
            self._adapter.note_exhausted(shard_id or 0, error.seconds)
            await asyncio.sleep(min(error.seconds, LONGEST_WAIT))
            raise
        await asyncio.sleep(seconds)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:  # noqa: ARG002
        """Keep the library from printing what was going on: events hold tokens of interactions."""
        self.complaints.tell("discord:0", f"{event_method} failed", sys.exc_info()[1] or RuntimeError())


def intents(*, reads: bool) -> discord.Intents:
    """Ask for what is needed; `reads` is privileged, and must be allowed in Discord's portal."""
    flags = discord.Intents.none()
    flags.guilds = flags.guild_messages = flags.dm_messages = True
    flags.message_content = reads
    return flags


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
        address = yarl.URL(gateway).with_query(yarl.URL(url).query)
        return await connect(str(address), compress=compress)

    http.ws_connect = ws_connect  # type: ignore[method-assign]  # the library makes its own
