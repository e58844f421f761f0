"""The application: creates all parts of the program, starts them, and stops them in order."""

from __future__ import annotations

import asyncio
import math
import secrets
import signal
import threading
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, TypeAlias

import aiohttp
from sqlalchemy.exc import SQLAlchemyError

from chatbot import collector
from chatbot.bot.house import House
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure
from chatbot.keys import sealing_key
from chatbot.keys.barred_chats import BarredChats
from chatbot.keys.ring import KeyRing
from chatbot.ledger.store import backup, file_modes
from chatbot.ledger.store.engines import address
from chatbot.ledger.store.store import Store, unusable
from chatbot.ownership import Ownership
from chatbot.runtime.clock import LoopWatch
from chatbot.speech.words import Words
from chatbot.supervisor import Supervisor
from chatbot.tables.fairness import Sources
from chatbot.upkeep import START_TIMEOUT, Backups, Upkeep
from chatbot.web.crowd import Crowd
from chatbot.web.server import Server, warning
from cogs.discord import endpoints as discord
from cogs.local.adapter import LocalChat
from cogs.twitch import endpoints as twitch
from cogs.twitch.authority import TwitchAuthority

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from chatbot.environment import Settings
    from chatbot.keys.discretion import Discretion
    from chatbot.runtime.clock import Watch
    from chatbot.web.reload import PageReload
    from cogs.platform import Platform

STANDARD_ERROR = 2  # the file descriptor of the log
SEND_TIMEOUT = 0.5  # seconds in which callbacks, such as those that send lines, may finish at the end
BACKUP_BY = 3.5  # seconds after a signal until which a last backup may take: the program must be gone after 5

Beside: TypeAlias = "Callable[[LocalChat, asyncio.Event], AbstractAsyncContextManager[object]]"
"""What is entered when the bot runs and left when it stops; it may set the event, which stops the bot."""


async def serve(
    settings: Settings,
    discretion: Discretion,
    tell: Callable[[str], None],
    *,
    beside: Beside | None = None,
    page_reload: PageReload | None = None,
) -> None:
    """Run until SIGINT or SIGTERM; open tables are resumed at the next start.

    `tell` shows a sentence to the operator. `beside` and `page_reload` are for developers. Python handles
    signals in the main thread alone: in another one it is `beside` that stops the bot.

    Raises:
        Failure: the program cannot run before the operator has corrected something.
    """
    _require_usable_twitch_application(settings)
    collector.use_one_heap()  # before there are threads
    stopping = asyncio.Event()
    if threading.current_thread() is threading.main_thread():
        _stop_on_signals(stopping)
    watch = LoopWatch()
    backups = Backups.of(settings.database, settings.backup_mb)
    store = await Store.open(
        settings.database, alone=True, before_upgrade=lambda: _back_up(backups, watch, tell)
    )
    try:
        key = await asyncio.to_thread(
            sealing_key.provide, settings.given_key, settings.fairness_key_file, discretion
        )
        house = House(kits(), store, Words(settings.language), watch, Sources(key))
        upkeep = Upkeep(store, house, watch, backups, tell, settings.archive_days)
        Ownership(store.leases, house, watch, tell).start()
        await upkeep.start(START_TIMEOUT)
        asked = math.inf  # when it was asked to stop
        try:
            chat = LocalChat(house, secrets.token_hex(4))
            async with (
                _page(settings, chat, tell, page_reload),
                _platforms(chat, settings, discretion, house, watch, tell),
                beside(chat, stopping) if beside is not None else nullcontext(),
            ):
                # Only now: nobody could look before the page is served.
                watch.ring(0.0, house.control.foreshow)
                await stopping.wait()
                asked = watch.now()
                await house.conclude()
        finally:
            upkeep.leave()
            await watch.stop(SEND_TIMEOUT)
            await house.close()
            await upkeep.stop(max(asked + BACKUP_BY - watch.now(), 0.0))
    finally:
        await store.close()


def _back_up(backups: Backups, watch: Watch, tell: Callable[[str], None]) -> None:
    for each in backups.make(watch):
        tell(backup.removed(each))


@asynccontextmanager
async def _page(
    settings: Settings, chat: LocalChat, tell: Callable[[str], None], page_reload: PageReload | None = None
) -> AsyncIterator[None]:
    try:
        await chat.open()
    except SQLAlchemyError as error:  # the checks at the start cannot exclude a full disk
        raise unusable(address(settings.database), error) from error
    crowd = Crowd(chat, Rng(secrets.token_bytes(32)))
    server = Server(chat, crowd, settings.host, settings.port, page_reload)
    try:
        opened = await server.start()
        tell(f"Rabble is listening: open {opened} in a browser. Ctrl-C stops it.")
        if server.is_open:
            tell(f"Warning, this page is not yours alone: {warning(settings.host)}")
        if file_modes.exposes(STANDARD_ERROR):
            tell("Warning: the log goes into a file that others on this machine can read; `chmod 600` it.")
        yield
    finally:
        await server.stop()


@asynccontextmanager
async def _platforms(
    chat: LocalChat,
    settings: Settings,
    discretion: Discretion,
    house: House,
    watch: Watch,
    tell: Callable[[str], None],
) -> AsyncIterator[None]:
    async with aiohttp.ClientSession() as session:
        platforms: list[Platform] = [
            chat,
            *_discord(settings, house, tell),
            *_twitch(settings, discretion, house, session, tell),
        ]
        supervisor = Supervisor(platforms, watch, tell)
        with collector.sparing():  # all modules are imported now
            supervisor.open()
            try:
                yield
            finally:
                await supervisor.close()


def _discord(settings: Settings, house: House, tell: Callable[[str], None]) -> Iterator[Platform]:
    if settings.discord_token is not None:
        from cogs.discord.adapter import DiscordAdapter  # noqa: PLC0415  (slow, and needed only with a token)

        endpoints = discord.DiscordEndpoints(settings.discord_api_url, settings.discord_gateway_url)
        yield DiscordAdapter(
            house,
            settings.discord_token.get_secret_value(),
            tell=tell,
            endpoints=endpoints,
            barred=BarredChats(settings.discord_barred),
            threadless=BarredChats(settings.discord_threadless),
        )


def _twitch(
    settings: Settings,
    discretion: Discretion,
    house: House,
    session: aiohttp.ClientSession,
    tell: Callable[[str], None],
) -> Iterator[Platform]:
    if settings.twitch_application is not None:
        from cogs.twitch.adapter import TwitchAdapter  # noqa: PLC0415  (as above)

        ring = KeyRing(settings.twitch_tokens, discretion)
        endpoints = twitch.TwitchEndpoints(
            settings.twitch_api_url, settings.twitch_id_url, settings.twitch_eventsub_url
        )
        authority = TwitchAuthority(*settings.twitch_application, session, ring, discretion, endpoints)
        yield TwitchAdapter(
            house, ring, authority, settings.channels, conduit=settings.twitch_conduit, tell=tell
        )


def _require_usable_twitch_application(settings: Settings) -> None:
    """Check what is said of the Twitch application.

    Raises:
        Failure: its id is missing, or it has no secret, which a conduit needs.
    """
    application = settings.twitch_application
    if settings.twitch_conduit and application is not None and application[1] is None:
        raise Failure(
            "A conduit needs an application with a secret: set CHATBOT_TWITCH_CLIENT_SECRET, "
            "or CHATBOT_TWITCH_CONDUIT=no."
        )


def _stop_on_signals(stopping: asyncio.Event) -> None:
    """Set `stopping` on a signal; not by `loop.add_signal_handler`, which does not exist on Windows."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))
