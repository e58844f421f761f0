"""The application: creates all parts of the program, starts them, and stops them in order."""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import signal
import socket
import threading
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import aiohttp
from sqlalchemy.exc import SQLAlchemyError

from chatbot import __version__, collector, home
from chatbot.bot.bot import Bot
from chatbot.environment import OTLP_ENDPOINT
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Failure
from chatbot.keys import sealing_key
from chatbot.ledger.store import backup, file_modes
from chatbot.ledger.store.engines import address
from chatbot.ledger.store.store import Store, unusable
from chatbot.ownership import Ownership
from chatbot.runtime.clock import LoopWatch
from chatbot.setting_up import PlatformSetUp
from chatbot.speech.words import Words
from chatbot.supervisor import Supervisor
from chatbot.tables.fairness import Sources
from chatbot.upkeep import START_TIMEOUT, Backups, Upkeep
from chatbot.web.crowd import Crowd
from chatbot.web.listener import PageListener
from chatbot.web.server import Server, warning
from cogs.local.adapter import LocalChat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from chatbot.environment import Settings
    from chatbot.keys.discretion import Discretion
    from chatbot.runtime.clock import Watch
    from chatbot.setting_up import PlatformKeeper
    from chatbot.sharing import Shared
    from chatbot.web.reload import PageReload

STANDARD_OUTPUT = 1  # the file descriptor of what the operator is told
STANDARD_ERROR = 2  # and that of the log
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
    _require_shareable(settings)
    collector.use_one_heap()  # before there are threads
    stopping = asyncio.Event()
    if threading.current_thread() is threading.main_thread():
        _stop_on_signals(stopping)
    watch = LoopWatch()
    home.make(settings.home, settings.database)
    backups = Backups.of(settings.database, settings.backup_mb)
    store = await Store.open(
        settings.database, alone=True, before_upgrade=lambda: _back_up(backups, watch, tell)
    )
    try:
        key = await asyncio.to_thread(
            sealing_key.provide, settings.given_key, settings.fairness_key_file, discretion
        )
        bot = Bot(kits(), store, Words(settings.language), watch, Sources(key))
        upkeep = Upkeep(store, bot, watch, backups, tell, settings.archive_days)
        shared = await _share(settings, store, bot, watch)
        if shared is None:
            Ownership(store.leases, bot, watch, tell).start()
        else:
            upkeep.is_ours, upkeep.announce = shared.does_upkeep, shared.announce_doubt
        await upkeep.start(START_TIMEOUT)
        asked_at = math.inf  # when it was asked to stop
        try:
            chat = LocalChat(bot, secrets.token_hex(4))
            supervisor = Supervisor([chat] if shared is None and settings.page else [], watch, tell)
            keeper = supervisor if shared is None else shared.keeper(supervisor)
            page = partial(_page, settings, chat, page_reload=page_reload, tell=tell, key=key, shared=shared)
            async with (
                aiohttp.ClientSession() as session,
                PlatformSetUp(settings, discretion, bot, session, tell, keeper) as set_up,
                nullcontext() if shared is None else shared.joined(tell),
                _watched(settings, bot, store, shared),
                _traced(bot, store),
                page(set_up) if settings.page or shared is not None else nullcontext(),
                _connect(supervisor, keeper, set_up),
                beside(chat, stopping) if beside is not None else nullcontext(),
            ):
                if shared is None:
                    # Only now: nobody could look before the page is served.
                    watch.ring(0.0, bot.control.foreshow)
                await stopping.wait()
                asked_at = watch.now()
                if shared is not None:
                    await shared.leave()
                await bot.conclude()
        finally:
            upkeep.leave()
            await watch.stop(SEND_TIMEOUT)
            await bot.close()
            await upkeep.stop(max(asked_at + BACKUP_BY - watch.now(), 0.0))
    finally:
        await store.close()


def _watched(
    settings: Settings, bot: Bot, store: Store, shared: Shared | None
) -> AbstractAsyncContextManager[object]:
    """Serve figures for who watches the program, if that is wanted."""
    if not settings.metrics_port:
        return nullcontext()
    from chatbot.metrics import watched  # noqa: PLC0415  (not needed otherwise)

    cluster = None if shared is None else shared.cluster
    return watched(settings.metrics_host, settings.metrics_port, bot, store, cluster)


@asynccontextmanager
async def _traced(bot: Bot, store: Store) -> AsyncIterator[None]:
    """Send traces of lines to where the environment says, if it does."""
    endpoint = os.environ.get(OTLP_ENDPOINT, "")
    if not endpoint:
        yield
        return
    from chatbot.tracing import LineTracer  # noqa: PLC0415  (an extra, and slow)

    tracer = LineTracer(endpoint, __version__, f"{socket.gethostname()}-{store.leases.process}")
    bot.trace(tracer)
    try:
        yield
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(SEND_TIMEOUT):
                await asyncio.to_thread(tracer.close)


async def _share(settings: Settings, store: Store, bot: Bot, watch: Watch) -> Shared | None:
    """Return what makes this process one of several; None: it has the database for itself."""
    if settings.nats_url is None:
        return None
    from chatbot.sharing import Shared  # noqa: PLC0415  (slow, and one process does not need it)

    return await Shared.make(settings.nats_url.get_secret_value(), store, bot, watch)


def _require_shareable(settings: Settings) -> None:
    """Check that several processes can share the database, if they are to.

    Raises:
        Failure: it is a file.
    """
    if settings.nats_url is not None and settings.database.startswith("sqlite"):
        raise Failure(
            "CHATBOT_NATS_URL is for several processes, which share a database on PostgreSQL, and "
            "CHATBOT_DATABASE is a file: name one as postgresql://user@host/name there, or leave "
            "CHATBOT_NATS_URL out."
        )


def _back_up(backups: Backups, watch: Watch, tell: Callable[[str], None]) -> None:
    for each in backups.make(watch):
        tell(backup.removed(each))


@asynccontextmanager
async def _page(
    settings: Settings,
    chat: LocalChat,
    set_up: PlatformSetUp,
    tell: Callable[[str], None],
    key: bytes,
    page_reload: PageReload | None = None,
    shared: Shared | None = None,
) -> AsyncIterator[None]:
    """Serve pages; one of several processes also without an address, to the others for the rooms it runs."""
    crowd = Crowd(chat, Rng(secrets.token_bytes(32)))
    set_up.add_local(chat)
    server = Server(
        chat,
        crowd,
        settings.host,
        settings.port,
        page_reload=page_reload,
        set_up=set_up,
        entered=settings.entered,
        accounts=set_up if shared is None else shared.directory(set_up),
        local_webhooks=settings.webhook_local,
        sealing_key=key,
        public=_public(settings),
        ladder=settings.ladder,
        shared=None if shared is None else shared.pages(),
    )
    listen = partial(_listen, settings, server, tell)
    try:
        await server.begin()
        if shared is not None:
            async with shared.page(chat, crowd, listen if settings.page else None, tell):
                yield
            return
        try:
            await chat.open()
        except SQLAlchemyError as error:  # the checks at the start cannot exclude a full disk
            raise unusable(address(settings.database), error) from error
        await listen()
        yield
    finally:
        await server.stop()


async def _listen(settings: Settings, server: Server, tell: Callable[[str], None]) -> None:
    """Serve pages at their addresses, and tell the operator of them.

    Raises:
        Failure: an address is in use, or is no address of this machine.
    """
    page_url = await server.listen()
    tell(f"Rabble is listening: open {page_url} in a browser. Ctrl-C stops it.")
    for sentence in home.in_words(settings.home, settings.database):
        tell(sentence)
    link = await server.invite()
    if link is not None:
        tell(
            f"Set up Twitch, Discord and the overlay at {link} within ten minutes; "
            "the address works once, on this machine, and `chatbot desk` prints another."
        )
    if server.public is not None:
        tell(f"Moderators open {server.public.own_address}/desk.")
    if server.is_open:
        tell(f"Warning, this page is not yours alone: {warning(settings.host)}")
        tell(f"Whoever opens {await server.invite_guests()} on your network plays as a viewer.")
    if file_modes.exposes(STANDARD_ERROR) or file_modes.exposes(STANDARD_OUTPUT):
        tell("Warning: the log goes into a file that others on this machine can read; `chmod 600` it.")


def _public(settings: Settings) -> PageListener | None:
    """Return where pages for people elsewhere are served; None: there are none."""
    if not settings.public_port:
        return None
    names = "CHATBOT_PUBLIC_PORT", "CHATBOT_PUBLIC_HOST"
    return PageListener(
        settings.public_host, settings.public_port, names, public=True, url=settings.public_url
    )


@asynccontextmanager
async def _connect(
    supervisor: Supervisor, keeper: PlatformKeeper, set_up: PlatformSetUp
) -> AsyncIterator[None]:
    platforms = list(set_up.platforms())
    with collector.sparing():  # all modules are imported now
        supervisor.open()
        try:
            for each in platforms:
                await keeper.put(each)
            yield
        finally:
            await supervisor.close()


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
