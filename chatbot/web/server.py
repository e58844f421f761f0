"""Serve the pages: the local one, Set up and overlays on this machine; what is public, at a port of its own.

The public listener never serves the local page nor Set up, whoever asks: a tunnel reaches it from 127.0.0.1,
and so an address proves nothing there.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from aiohttp import WSCloseCode, web

from chatbot import __version__
from chatbot.keys.entered_settings import EnteredSettings
from chatbot.ledger.api_answers import ApiAnswers
from chatbot.ledger.chains import KEY, Sealer
from chatbot.ledger.web_accounts import WebAccounts
from chatbot.ledger.web_sessions import GUEST, Login
from chatbot.ledger.webhooks import Webhooks
from chatbot.rooms.line import OPERATOR_ACCOUNT
from chatbot.web.account_login import AccountLogins
from chatbot.web.api.admission import Admission
from chatbot.web.api.audit import AuditEndpoints
from chatbot.web.api.commands import CommandEndpoints
from chatbot.web.api.desk_access import DeskAccessEndpoints
from chatbot.web.api.desk_members import DeskMemberEndpoints
from chatbot.web.api.desk_room import DeskRoomEndpoints
from chatbot.web.api.desk_stream import DeskStreamEndpoints
from chatbot.web.api.desk_tables import DeskTableEndpoints
from chatbot.web.api.desk_words import DeskWordEndpoints
from chatbot.web.api.event_stream import STREAM, EventStreams
from chatbot.web.api.imports import ImportEndpoints, ImportJobs
from chatbot.web.api.members import MemberEndpoints
from chatbot.web.api.once import OnceByKey
from chatbot.web.api.openapi import DOCUMENT, DescriptionServer
from chatbot.web.api.processes import PROCESSES, ProcessesServer
from chatbot.web.api.programs import ProgramEndpoints
from chatbot.web.api.seasons import SeasonEndpoints
from chatbot.web.api.server import ME, EndpointServer
from chatbot.web.api.settings import SettingsEndpoints
from chatbot.web.api.tables import TableEndpoints
from chatbot.web.api.webhooks import WebhookEndpoints
from chatbot.web.board import Boards
from chatbot.web.callers import Callers
from chatbot.web.crowd import Crowd
from chatbot.web.desk import DeskPage
from chatbot.web.hosts import is_loopback, is_own_host, network_url, own_url
from chatbot.web.league import League
from chatbot.web.listener import (
    SHUTDOWN_TIMEOUT,
    Evidence,
    PageListener,
    listener_of,
    page_socket,
    require_own_origin,
)
from chatbot.web.login import Sessions
from chatbot.web.overlay import Overlays
from chatbot.web.page_words import PageWords
from chatbot.web.phones import Phones
from chatbot.web.principals import Platforms, Roles, RoomStandings
from chatbot.web.reached import ReachedPage
from chatbot.web.reload import PageReload
from chatbot.web.replays.pages import Replays
from chatbot.web.seats import Seats
from chatbot.web.session import PageSession
from chatbot.web.setup import SetUp, SetUpPages
from chatbot.web.shared_pages import SharedPages
from chatbot.web.static_files import StaticFiles
from chatbot.web.tokens import Tokens
from chatbot.web.webhook_sender import WebhookSender
from cogs.local.adapter import CHANNEL, PLATFORM, LocalChat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chatbot.bot.bot import Bot
    from chatbot.kernel.game import Role
    from chatbot.ledger.people import Account
    from chatbot.rooms.room import Room
    from chatbot.web.api.endpoints import DeclaredEndpoint, Endpoint

LARGEST_FRAME = 8192  # bytes of a WebSocket message: enough for 500 characters that are all escaped in JSON
SPECIAL = PROCESSES, STREAM, DOCUMENT  # beside the endpoints, in the order in which they are described
_STATIC = Path(str(files("chatbot.web") / "static"))


class Pages(Protocol):
    """Pages for whoever is logged in, which every listener serves."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add them to those of a listener."""

    async def close(self) -> None:
        """End what is open."""


def endpoints(bot: Bot, tokens: Tokens, sender: WebhookSender, jobs: ImportJobs) -> list[Endpoint]:
    """Return all endpoints of the interface, in the order in which they are described."""
    return [
        *CommandEndpoints(bot).endpoints(),
        *SettingsEndpoints(bot).endpoints(),
        *TableEndpoints(bot).endpoints(),
        *MemberEndpoints(bot).endpoints(),
        *AuditEndpoints(bot).endpoints(),
        *SeasonEndpoints(bot).endpoints(),
        *ProgramEndpoints(tokens).endpoints(),
        *DeskRoomEndpoints(bot).endpoints(),
        *DeskTableEndpoints(bot).endpoints(),
        *DeskMemberEndpoints(bot).endpoints(),
        *DeskWordEndpoints(bot).endpoints(),
        *DeskAccessEndpoints(bot).endpoints(),
        *DeskStreamEndpoints(bot).endpoints(),
        *WebhookEndpoints(sender).endpoints(),
        *ImportEndpoints(bot, jobs).endpoints(),
    ]


def declarations(bot: Bot) -> list[DeclaredEndpoint]:
    """Return all that programs are told of, without serving it."""
    store = bot.parts.store
    sender = WebhookSender(bot, Webhooks(store, Sealer(bytes(KEY))), allows_local=False)
    return [ME, *endpoints(bot, Tokens(store, bot.watch), sender, ImportJobs()), *SPECIAL]


def any_reachable(addresses: Iterable[str]) -> bool:
    """Whether other machines can connect to one of these IP addresses."""
    return not all(map(is_loopback, addresses))


async def is_open(host: str) -> bool:
    """Whether other machines can connect to a server that listens at a host; false for unknown names."""
    try:
        addresses = await asyncio.get_running_loop().getaddrinfo(
            host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, ValueError):  # ValueError: no valid host name
        return False
    return any_reachable(str(each[4][0]) for each in addresses)


def warning(host: str) -> str:
    """Return a warning for the operator of a page that other machines can reach."""
    return (
        f"other machines can reach it, for CHATBOT_HOST is {host}: who has the invitation plays as a viewer, "
        "and nothing is encrypted on the way; set CHATBOT_HOST to 127.0.0.1 unless everybody on that network "
        "may read along."
    )


@dataclass(eq=False)
class Server:
    """The web server: the local page at one address, and public pages at another, if there is one.

    `accounts` are the platforms by whose accounts people log in, whose keys are sealed by `sealing_key`. Of
    several processes each has the pages of the rooms that it runs, any may listen, and by `shared` each has
    those of all.
    """

    chat: LocalChat
    crowd: Crowd
    host: str
    port: int  # 0: any free one, stored here by `start`
    page_reload: PageReload | None = None  # for whoever works on the page
    set_up: SetUp | None = None
    entered: EnteredSettings | None = None  # where Set up keeps the way for phones; None: it has no such card
    accounts: Platforms | None = None
    local_webhooks: bool = False  # whether they may go to this machine and its network
    sealing_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    public: PageListener | None = None
    ladder: Path | None = None  # the folder of the ladder that is shown as the league
    shared: SharedPages | None = None  # None: this process has the database for itself
    sessions: Sessions = field(init=False)
    roles: Roles = field(init=False)
    seats: Seats = field(init=False)
    pages: Sequence[Pages] = field(init=False)
    webhooks: WebhookSender = field(init=False)
    league: League = field(init=False)
    _local: PageListener | None = None
    _sockets: set[web.WebSocketResponse] = field(default_factory=set)
    _closing: set[asyncio.Task[bool]] = field(default_factory=set)
    _overlays: Overlays = field(init=False)
    _carried_pages: Sequence[Pages] = field(init=False)  # that other processes may use
    _files: StaticFiles = field(default_factory=lambda: StaticFiles(_STATIC))
    _phones: Phones | None = None

    def __post_init__(self) -> None:
        bot, store, watch = self.chat.bot, self.chat.bot.parts.store, self.chat.bot.watch
        self.sessions = Sessions(store, watch)
        sealer = Sealer(self.sealing_key)
        stored = WebAccounts(store, sealer)
        self.roles = Roles(stored, self.accounts, watch, bot.parts.line_listeners.watched)
        standings = RoomStandings(self.roles, self.accounts, bot.people)
        tokens = Tokens(store, watch)
        callers = Callers(self.sessions, tokens)
        self.webhooks = WebhookSender(
            bot,
            Webhooks(store, sealer),
            allows_local=self.local_webhooks,
            is_dealt_here=None if self.shared is None else self.shared.is_dealt_here,
            tell_changed=(lambda: None) if self.shared is None else self.shared.tell_webhooks_changed,
        )
        once = OnceByKey(ApiAnswers(store, sealer), watch)
        admission = Admission(bot, callers, standings)
        jobs, bridge = ImportJobs(), None if self.shared is None else self.shared.bridge
        served = endpoints(bot, tokens, self.webhooks, jobs)
        server = EndpointServer(bot, admission, self.accounts, served, once, jobs, bridge)
        description = DescriptionServer([ME, *server.endpoints, *SPECIAL], __version__)
        streams = EventStreams(bot, admission, tokens, bridge)
        self.seats = Seats(bot, self.sessions, self.accounts, self.roles, bridge)
        self.league = League(bot.outbox, self.ladder)
        boards, replays = Boards(bot, self.accounts, self.league, bridge), Replays(bot, self.accounts)
        self._carried_pages = [server, boards, streams]
        pages: list[Pages] = [DeskPage(), ReachedPage(), server, description, streams, self.seats]
        pages += [boards, replays, ProcessesServer(store, admission)]
        if self.accounts is not None:
            codes = bot.parts.desk_codes
            pages.append(AccountLogins(self.sessions, self.roles, self.accounts, codes, watch))
        self.pages = pages
        if self.entered is not None:
            url = self.public.url if self.public is not None else ""
            self._phones = Phones(self, self.entered, watch, url)
        self._overlays = Overlays(bot, PLATFORM, CHANNEL, self._require_visitor, self.league, bridge)

    async def start(self) -> str:
        """Begin and listen, and return the URL of the local page.

        Raises:
            Failure: an address is in use, or is no address of this machine.
        """
        try:
            await self.begin()
            return await self.listen()
        except BaseException:
            await self.stop()
            raise

    async def begin(self) -> None:
        """Do what needs no address: deliver to webhooks, and answer what other processes carry here."""
        entrance = self.chat.bot.parts.entrance
        entrance.invite, entrance.admit = self.sessions.invite, self._admit
        entrance.end_seats = self.seats.end
        if self.shared is not None:
            await self.shared.begin(self._add_carried, self.seats.close_ended, self.webhooks.refresh)
            self.chat.bot.rooms.leaving.append(self._leave)
        await self.webhooks.start()
        await self.league.look()

    async def listen(self) -> str:
        """Start to listen unless that was done, and return the URL of the local page.

        Raises:
            Failure: an address is in use, or is no address of this machine; nothing is listened to.
        """
        if self._local is not None:
            return self._local.own_address
        bot = self.chat.bot
        local = PageListener(self.host, self.port, ("CHATBOT_PORT", "CHATBOT_HOST"))
        application = local.application()
        router = application.router
        router.add_get("/", self._index)
        router.add_get("/socket", self._socket)
        self._overlays.add_to(router)
        if self.set_up is not None:
            SetUpPages(bot, self.sessions, self.set_up, self._phones).add_to(router)
        self._add_shared(router)
        if self.page_reload is not None:
            self.page_reload.add_to(application)
        try:
            await local.start(application)
            if self.public is not None:
                await self._serve_public(self.public)
        except BaseException:
            for each in (local, self.public):
                if each is not None:
                    await each.stop()
            raise
        self._local, self.port = local, local.port
        bot.parts.overlay_keys.server = own_url(self.host, self.port)
        self.move_entrance()
        if self._phones is not None:
            await self._phones.start()
        return local.own_address

    async def open_public(self, listener: PageListener) -> None:
        """Serve public pages at a listener from now on.

        Raises:
            Failure: it cannot listen.
        """
        await self._serve_public(listener)
        self.public = listener

    async def close_public(self) -> None:
        """Serve no more public pages; what is open there is closed."""
        listener, self.public = self.public, None
        if listener is not None:
            await listener.stop()

    async def invite(self) -> str | None:
        """Return an address at which the operator logs in, once and on this machine.

        None: it listens at an address by which this machine does not reach it as itself.
        """
        if not is_own_host(self.host):
            return None
        return own_url(self.host, self.port) + await self.sessions.invite_operator()

    async def invite_guests(self) -> str:
        """Return an address at which others on the network enter the local page, as viewers."""
        return network_url(self.host, self.port) + await self.sessions.invite(
            Login(GUEST, OPERATOR_ACCOUNT, GUEST)
        )

    @property
    def is_open(self) -> bool:
        """Whether other machines can connect to the local page."""
        assert self._local is not None  # set by start  # noqa: S101
        return any_reachable(each[0] for each in self._local.addresses)

    async def stop(self) -> None:
        """Close all connections and stop listening."""
        if self._phones is not None:
            await self._phones.stop()
        listeners = [each for each in (self._local, self.public) if each is not None]
        for each in listeners:  # first, so that no page reconnects while the others are told to
            each.close()
        if self.shared is not None:
            await self.shared.end()
            if self._leave in self.chat.bot.rooms.leaving:
                self.chat.bot.rooms.leaving.remove(self._leave)
        sockets = [*self._sockets, *self._overlays.sockets]
        self._overlays.stop()
        await self.webhooks.close()
        for page in self.pages:
            await page.close()
        closing = [asyncio.ensure_future(each.close(code=1001)) for each in sockets]
        if closing:  # with a timeout, because a page may have stopped reading
            await asyncio.wait(closing, timeout=SHUTDOWN_TIMEOUT)
        for each in listeners:
            await each.stop()
        for task in closing:
            task.cancel()

    def move_entrance(self) -> None:
        """Let the chat lead people to the desk and to their seats, where they are found now."""
        entrance, listener = self.chat.bot.parts.entrance, self.public or self._local
        assert listener is not None  # it is listening  # noqa: S101
        entrance.address, entrance.is_local = listener.own_address, not listener.url
        self.chat.bot.parts.open_seats.address = f"{listener.url}/seat" if listener.url else ""
        entrance.moved()

    def _add_carried(self, router: web.UrlDispatcher) -> None:
        router.add_get("/socket", self._socket)
        self._overlays.add_to(router)
        self.seats.add_carried_to(router)
        for each in self._carried_pages:
            each.add_to(router)

    async def _serve_public(self, listener: PageListener) -> None:
        application = listener.application()
        self._overlays.add_keyed_to(application.router)
        self._add_shared(application.router)
        await listener.start(application)

    async def _admit(self, account: Account, channel: str, role: Role) -> None:
        """Take note of the role that a platform has just told of somebody in a channel."""
        community = None if self.accounts is None else self.accounts.community(channel)
        if community is not None:
            await self.roles.note(account, community, role)

    def _add_shared(self, router: web.UrlDispatcher) -> None:
        """Add what is served on this machine and in public."""
        self.sessions.add_to(router)
        PageWords(self.chat.bot.outbox).add_to(router)
        for each in self.pages:
            each.add_to(router)
        self._files.add_to(router)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        if await self._visitor(request) is None:
            return web.FileResponse(_STATIC / "guests.html", status=401)
        return web.FileResponse(_STATIC / "index.html")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        require_own_origin(request)
        evidence = await self._require_visitor(request)
        # The heartbeat, in seconds, finds pages of machines that went to sleep, which say no goodbye.
        socket = page_socket(request, heartbeat=30, max_msg_size=LARGEST_FRAME)
        if self.shared is not None:
            answer = await self.shared.bridge.forward_socket(request, PLATFORM, evidence, socket)
            if answer is not None:
                return answer
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            is_guest = not listener_of(request).is_here(request)
            await PageSession(socket, self.chat, self.crowd, is_guest=is_guest).serve()
        finally:
            self._sockets.discard(socket)
        return socket

    async def _require_visitor(self, request: web.Request) -> Evidence:
        """Require that somebody may open the local page, and return by what.

        Raises:
            HTTPUnauthorized: they come from elsewhere, and were not invited.
        """
        evidence = await self._visitor(request)
        if evidence is None:
            raise web.HTTPUnauthorized(text="This page is for who was invited.\n")
        return evidence

    async def _visitor(self, request: web.Request) -> Evidence | None:
        """Return by what somebody may open the local page; whoever is at this machine needs nothing."""
        if listener_of(request).is_here(request):
            return Evidence()
        session = await self.sessions.find(request)
        return Evidence(session=session.id) if session is not None and session.kind == GUEST else None

    def _leave(self, room: Room) -> None:
        """Disconnect pages from the local chat if another process is to run it, where they connect again."""
        if room.id == PLATFORM:
            for each in self._sockets:
                closing = asyncio.ensure_future(each.close(code=WSCloseCode.SERVICE_RESTART))
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)
