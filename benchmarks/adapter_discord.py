"""The bots on discord.py: a bare one with `!ping`, `/ping` and `/credits`, and our platform adapter."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiosqlite
import discord
from discord.ext import commands

from benchmarks.adapter_bots import open_bot, ready, run, stop_task
from cogs.discord.adapter import DiscordAdapter
from cogs.discord.client import point_library
from cogs.discord.endpoints import DiscordEndpoints
from tests.fakes.discord_server import API, TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.bot.bot import Bot

WALLETS = """
PRAGMA journal_mode = WAL;
CREATE TABLE wallet (member TEXT PRIMARY KEY, balance INTEGER NOT NULL) WITHOUT ROWID;
"""
BALANCE = "SELECT balance FROM wallet WHERE member = ?"
READY_AFTER = 0.05  # seconds that discord.py waits for further servers, of which there are none


@asynccontextmanager
async def bare(address: str, folder: Path, _: int) -> AsyncIterator[None]:
    """Run a bot of discord.py alone; one command of it reads a balance by aiosqlite."""
    point_library(_endpoints(address))
    async with aiosqlite.connect(folder / "wallets.db") as wallets:
        await wallets.executescript(WALLETS)
        async with _running(wallets):
            yield


@asynccontextmanager
async def _running(wallets: aiosqlite.Connection) -> AsyncIterator[None]:
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    intents = discord.Intents.default()
    intents.message_content = True
    bot = commands.AutoShardedBot(command_prefix="!", intents=intents, guild_ready_timeout=READY_AFTER)
    bot.add_command(ping)
    bot.tree.add_command(slash_ping)
    bot.tree.add_command(slash_credits(wallets))
    bot.setup_hook = bot.tree.sync  # type: ignore[method-assign,assignment]
    task = asyncio.create_task(bot.start(TOKEN))
    try:
        await ready(task, bot.is_ready)
        yield
    finally:
        await bot.close()
        await stop_task(task)


@commands.command()
async def ping(context: commands.Context[commands.AutoShardedBot]) -> None:
    """Answer with the name of the sender."""
    await context.send(f"pong {context.author.display_name}")


@discord.app_commands.command(name="ping", description="Answer")
async def slash_ping(interaction: discord.Interaction) -> None:
    """Answer with the name of the sender."""
    await interaction.response.send_message(f"pong {interaction.user.display_name}", ephemeral=True)


def slash_credits(wallets: aiosqlite.Connection) -> discord.app_commands.Command[Any, ..., None]:
    """Make a command that answers with the balance of the sender, read in one turn of aiosqlite's thread."""

    @discord.app_commands.command(name="credits", description="Answer")
    async def command(interaction: discord.Interaction) -> None:
        rows = list(await wallets.execute_fetchall(BALANCE, (str(interaction.user.id),)))
        balance = rows[0][0] if rows else 0
        text = f"{interaction.user.display_name} has {balance} credits"
        await interaction.response.send_message(text, ephemeral=True)

    return command


@asynccontextmanager
async def ours(address: str, folder: Path, _: int) -> AsyncIterator[Bot]:
    """Run this program's bot as it is shipped."""
    async with open_bot(folder) as bot:
        endpoints = _endpoints(address)
        adapter = DiscordAdapter(bot, TOKEN, ready_after=READY_AFTER, endpoints=endpoints)
        task = asyncio.create_task(adapter.run())
        try:
            await ready(task, lambda: adapter.connected)
            yield bot
        finally:
            task.cancel()
            await adapter.stop()
            await stop_task(task)


def _endpoints(address: str) -> DiscordEndpoints:
    # On loopback an answer may arrive before the heartbeat thread has noted the time, which looks like a lag.
    logging.getLogger("discord.gateway").setLevel(logging.ERROR)
    return DiscordEndpoints(address + API, f"{address.replace('http', 'ws', 1)}/gateway")


if __name__ == "__main__":
    run({"bare": bare, "ours": ours})
