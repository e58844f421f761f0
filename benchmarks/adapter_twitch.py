"""The bots on twitchio: a bare one whose only command is `!ping`, and our platform adapter."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import aiohttp
from twitchio import eventsub
from twitchio.eventsub import websockets
from twitchio.ext import commands
from twitchio.http import Route

from benchmarks.adapter_bots import KEYS, open_bot, ready, run, stop_task
from benchmarks.adapter_crowds import CHANNELS
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from cogs.twitch.adapter import TwitchAdapter
from cogs.twitch.authority import TwitchAuthority
from cogs.twitch.bot import prepare_library
from cogs.twitch.channels import Chat
from cogs.twitch.endpoints import TwitchEndpoints
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.bot.bot import Bot

_settle = Chat.settle


def settle(chat: Chat, now: float) -> None:
    """Adjust the limits of a chat to the bot's badges, unless the benchmark has removed them."""
    if chat.channel.manner.budget is not None:
        _settle(chat, now)


class Ping(commands.Component):
    """The command of the bare bot."""

    @commands.command()  # type: ignore[untyped-decorator]  # the library's
    async def ping(self, context: commands.Context[commands.Bot]) -> None:
        """Answer with the name of the sender."""
        await context.send(f"pong {context.chatter.display_name}")


class Bare(commands.Bot):
    """The bot of twitchio's own example, in several channels."""

    def __init__(self, key: Key) -> None:
        super().__init__(client_id=CLIENT_ID, client_secret=CLIENT_SECRET, bot_id=key.user_id, prefix="!")
        self._key = key

    async def setup_hook(self) -> None:
        await self.add_token(self._key.access, self._key.refresh)
        await self.add_component(Ping())
        for channel in await self.fetch_users(logins=list(CHANNELS)):
            chat = eventsub.ChatMessageSubscription(broadcaster_user_id=channel.id, user_id=self.bot_id)
            await self.subscribe_websocket(chat, as_bot=True)


@asynccontextmanager
async def bare(address: str, folder: Path, _: int) -> AsyncIterator[None]:
    """Run a bot of twitchio alone."""
    prepare_library(_endpoints(address))
    # twitchio requests tokens and events there, which our bot does itself
    Route.ID_BASE, websockets.WSS = address, _endpoints(address).eventsub
    # twitchio warns that it runs without its web server, which nothing here uses.
    logging.getLogger("twitchio.client").setLevel(logging.ERROR)
    key = KeyRing(folder / KEYS, Discretion()).bot
    assert key is not None
    bot = Bare(key)
    task = asyncio.create_task(bot.start(with_adapter=False, load_tokens=False, save_tokens=False))
    arriving = asyncio.create_task(bot.wait_until_ready())
    try:
        await ready(task, arriving.done)
        yield
    finally:
        await bot.close()
        await stop_task(task)


@asynccontextmanager
async def ours(address: str, folder: Path, channels: int, *, conduit: bool = False) -> AsyncIterator[Bot]:
    """Run this program's bot in `CHANNELS` or in so many others."""
    # Otherwise the next line would restore the limits.
    Chat.settle = settle  # type: ignore[method-assign,assignment]
    async with open_bot(folder) as bot, aiohttp.ClientSession() as session:
        discretion = Discretion()
        ring = KeyRing(folder / KEYS, discretion)
        authority = TwitchAuthority(CLIENT_ID, CLIENT_SECRET, session, ring, discretion, _endpoints(address))
        logins = [f"chat{number}" for number in range(channels)] or CHANNELS
        adapter = TwitchAdapter(bot, ring, authority, logins, conduit=conduit)
        task = asyncio.create_task(adapter.run())
        try:
            await ready(task, lambda: adapter.connected)
            yield bot
        finally:
            await adapter.stop()
            await stop_task(task)


def _endpoints(address: str) -> TwitchEndpoints:
    eventsub = f"{address.replace('http', 'ws', 1)}ws"
    return TwitchEndpoints(f"{address}helix", f"{address}oauth2", eventsub)


if __name__ == "__main__":
    run({"bare": bare, "ours": ours, "sockets": ours, "conduit": partial(ours, conduit=True)})
