"""EventSub on loopback: sockets, subscriptions, conduits, and all the ways in which they fail.

https://dev.twitch.tv/docs/eventsub/handling-websocket-events/ tells of welcomes, keepalives, closes, moves;
https://dev.twitch.tv/docs/eventsub/manage-subscriptions/#subscription-limits of the limits, and
https://dev.twitch.tv/docs/eventsub/handling-conduit-events/ of conduits and shards.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

from aiohttp import web

from tests.fakes.twitch_world import World

Json: TypeAlias = "dict[str, Any]"
SOCKETS = 3  # connections of one account that have subscriptions
SUBSCRIPTIONS = 300  # of one connection
COST, APP_COST = 10, 10_000  # the most that an account, and the program, may have in all
UNUSED = 10.0  # seconds after which a connection without a subscription is closed by 4003
GHOST = "ghost"  # a session that is no more, and that Twitch has not noticed yet

# What an account must have granted, and by which field of the condition it is named:
# https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types/
RIGHTS = {
    "channel.chat.message": ("user_id", "user:read:chat"),
    "channel.chat.notification": ("user_id", "user:read:chat"),
    "channel.chat.clear_user_messages": ("user_id", "user:read:chat"),
    "user.whisper.message": ("user_id", "user:manage:whispers"),
    "channel.follow": ("moderator_user_id", "moderator:read:followers"),
    "channel.subscribe": ("broadcaster_user_id", "channel:read:subscriptions"),
    "channel.subscription.message": ("broadcaster_user_id", "channel:read:subscriptions"),
    "channel.cheer": ("broadcaster_user_id", "bits:read"),
    "channel.channel_points_custom_reward_redemption.add": (
        "broadcaster_user_id",
        "channel:manage:redemptions",
    ),
    "channel.channel_points_custom_reward_redemption.update": (
        "broadcaster_user_id",
        "channel:manage:redemptions",
    ),
}


@dataclass(eq=False)
class Subscription:
    id: str
    type: str
    version: str
    condition: dict[str, str]
    transport: dict[str, str]
    owner: str  # whose token made it; empty for the program's
    cost: int = 0
    status: str = "enabled"

    @property
    def shown(self) -> Json:
        return {
            "id": self.id, "status": self.status, "type": self.type, "version": self.version,
            "condition": self.condition, "created_at": _now(), "cost": self.cost,
            "transport": self.transport,
        }  # fmt: skip


@dataclass(eq=False)
class Session:
    """A connection; one that has moved keeps its id."""

    id: str
    socket: web.WebSocketResponse
    account: str = ""


@dataclass(eq=False)
class Conduit:
    """Shards have the numbers below `count`; it does not shrink when their connections end."""

    id: str
    shards: dict[str, str] = field(default_factory=dict)  # shard -> session
    count: int = 2

    def dealt(self, subscription: Subscription) -> tuple[str, str]:
        """Give the session that an event is sent to, and that of the one other shard that is tried then."""
        first = int(subscription.id.removeprefix("sub-")) % self.count
        return self.shards.get(str(first), ""), self.shards.get(str((first + 1) % self.count), "")


@dataclass(eq=False)
class EventSub:
    """`keepalive` is in seconds; `welcome` lets those who connect wait until it is set."""

    world: World
    address: str = ""
    keepalive: float = 10.0
    timeout: float = 10.0  # seconds of silence that the welcome promises not to exceed
    welcome: asyncio.Event = field(default_factory=asyncio.Event)
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    conduits: dict[str, Conduit] = field(default_factory=dict)
    frames: list[tuple[str, Json]] = field(default_factory=list)  # session and notification, as sent
    unused: float = UNUSED
    date: Callable[[], datetime] = lambda: datetime.now(UTC)  # by which messages are stamped
    opened: int = 0  # connections, ever
    beats: int = 0  # keepalives, on all of them
    open: int = 0  # connections, now
    same_session: bool = True  # a connection that moves keeps the id of its session
    refuses: bool = False  # who connects is refused
    refused: int = 0  # connections, ever
    silent: set[str] = field(default_factory=set)  # sessions that are told nothing any more
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.welcome.set()

    # Connections

    async def connect(self, request: web.Request) -> web.StreamResponse:
        if self.refuses:
            self.refused += 1
            return web.Response(status=503)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.opened, self.open = self.opened + 1, self.open + 1
        beating = asyncio.create_task(self._serve(socket, request.query.get("moved", "")))
        unused = asyncio.create_task(self._close_unused(socket))
        try:
            async for _ in socket:
                await socket.close(code=4001)
        finally:
            self.open -= 1
            beating.cancel()
            unused.cancel()
            self._forget(socket)
        return socket

    async def _serve(self, socket: web.WebSocketResponse, moved: str) -> None:
        await self.welcome.wait()
        session = moved if moved and self.same_session else f"session-{next(self._numbers)}"
        former = self.sessions.get(moved)
        self.sessions[session] = Session(session, socket, former.account if former else "")
        if moved and session != moved:
            self._move(moved, session)
        shape = {"id": session, "status": "connected", "connected_at": _now(),
                 "keepalive_timeout_seconds": self.timeout, "reconnect_url": None}  # fmt: skip
        with suppress(ConnectionError):
            await socket.send_json(
                {"metadata": self._metadata("session_welcome"), "payload": {"session": shape}}
            )
            while True:
                await asyncio.sleep(self.keepalive)
                if session in self.silent:
                    continue
                await socket.send_json({"metadata": self._metadata("session_keepalive"), "payload": {}})
                self.beats += 1

    async def _close_unused(self, socket: web.WebSocketResponse) -> None:
        """Close a connection that is neither subscribed on nor a shard in time."""
        await asyncio.sleep(self.unused)
        mine = {name for name, each in self.sessions.items() if each.socket is socket}
        used = {each.transport.get("session_id") for each in self.subscriptions.values()}
        shards = {session for each in self.conduits.values() for session in each.shards.values()}
        if mine and not mine & (used | shards):
            await socket.close(code=4003)

    def _move(self, former: str, session: str) -> None:
        for each in self.subscriptions.values():
            if each.transport.get("session_id") == former:
                each.transport["session_id"] = session
        self.sessions.pop(former, None)

    def _forget(self, socket: web.WebSocketResponse) -> None:
        for name in [name for name, each in self.sessions.items() if each.socket is socket]:
            del self.sessions[name]
            for each in self.subscriptions.values():
                if each.transport.get("session_id") == name:
                    each.status = "websocket_disconnected"

    def session_of(self, login: str) -> Session:
        """Give the connection on which an account has subscribed."""
        account = self.world.users[login].id
        return next(each for each in self.sessions.values() if each.account == account)

    async def ask_to_move(self, session: Session) -> None:
        shape = {"id": session.id, "status": "reconnecting", "connected_at": _now(),
                 "keepalive_timeout_seconds": None,
                 "reconnect_url": f"{self.address}?moved={session.id}"}  # fmt: skip
        await session.socket.send_json(
            {"metadata": self._metadata("session_reconnect"), "payload": {"session": shape}}
        )

    async def revoke(self, subscription: Subscription, status: str = "authorization_revoked") -> None:
        subscription.status = status
        session = self.sessions[self._session(subscription)]
        metadata = {**self._metadata("revocation"), "subscription_type": subscription.type,
                    "subscription_version": subscription.version}  # fmt: skip
        await session.socket.send_json(
            {"metadata": metadata, "payload": {"subscription": subscription.shown}}
        )

    # Notifications

    async def notify(self, kind: str, about: dict[str, str], event: Json) -> None:
        """Tell everybody who wants to know of this; `about` is what their condition must say."""
        for each in list(self.subscriptions.values()):
            fits = all(each.condition.get(key) == value for key, value in about.items())
            if each.type == kind and each.status == "enabled" and fits:
                metadata = {**self._metadata("notification"), "subscription_type": kind,
                            "subscription_version": each.version}  # fmt: skip
                payload = {"subscription": each.shown, "event": event}
                await self._tell(self._session(each), {"metadata": metadata, "payload": payload})

    async def repeat(self, frame: tuple[str, Json]) -> None:
        """Deliver once more, with the same id: EventSub promises at least once."""
        await self._tell(frame[0], frame[1])

    async def _tell(self, session: str, frame: Json) -> None:
        if session in self.sessions and session not in self.silent:
            self.frames.append((session, frame))
            with suppress(ConnectionError):
                await self.sessions[session].socket.send_str(json.dumps(frame))

    def _session(self, subscription: Subscription) -> str:
        if subscription.transport["method"] == "websocket":
            return subscription.transport["session_id"]
        conduit = self.conduits.get(subscription.transport["conduit_id"])
        return (
            ""
            if conduit is None
            else next(filter(self.sessions.__contains__, conduit.dealt(subscription)), "")
        )

    def _metadata(self, kind: str) -> Json:
        return {
            "message_id": f"meta-{next(self._numbers)}",
            "message_type": kind,
            "message_timestamp": _stamp(self.date()),
        }

    # Subscriptions

    def subscribe(
        self, kind: str, version: str, condition: Json, transport: Json, user: str
    ) -> tuple[int, str]:
        """Give a status, and a message or the new one's id."""
        refused = self._refused(kind, condition, transport, user)
        if refused is not None:
            return refused
        new = f"sub-{next(self._numbers)}"
        cost = self._cost(kind, condition)
        self.subscriptions[new] = Subscription(new, kind, version, condition, transport, user, cost)
        if transport["method"] == "websocket":
            self.sessions[transport["session_id"]].account = user
        return 202, new

    def _refused(self, kind: str, condition: Json, transport: Json, user: str) -> tuple[int, str] | None:
        websocket = transport["method"] == "websocket"
        if websocket and (not user or transport["session_id"] not in self.sessions):
            return 400, "websocket transport session does not exist or has already disconnected"
        if not self._rightful(kind, condition, "" if not websocket else user):
            return 403, "subscription missing proper authorization"
        return self._crowded(kind, condition, transport, user)

    def _crowded(self, kind: str, condition: Json, transport: Json, user: str) -> tuple[int, str] | None:
        """Say which limit would be broken, or what is there already."""
        websocket = transport["method"] == "websocket"
        full = self._full(transport["session_id"], user) if websocket else ""
        total, most = self.costs(user)
        if full or total + self._cost(kind, condition) > most:
            return 429, full or "subscription limit exceeded: total cost"
        for each in self.subscriptions.values():
            if (each.type, each.condition) == (kind, condition) and each.status == "enabled":
                if each.transport == transport:
                    return 409, "subscription already exists"
                if each.transport.get("session_id") == GHOST:
                    return int(
                        each.transport["held"]
                    ), "maximum subscriptions with type and condition exceeded"
        return None

    def costs(self, user: str) -> tuple[int, int]:
        """Tell what the subscriptions of an account cost, and the most that they may."""
        enabled = [each for each in self.subscriptions.values() if each.status == "enabled"]
        return sum(each.cost for each in enabled if each.owner == user), COST if user else APP_COST

    def _cost(self, kind: str, condition: Json) -> int:
        """What somebody must have granted, or concerns who has granted anything, is free of charge."""
        about = {each for key, each in condition.items() if key.endswith("broadcaster_user_id")}
        granted = {each.user_id for each in self.world.authority.tokens.values()}
        return int(kind not in RIGHTS and not about & granted)

    def _full(self, session: str, user: str) -> str:
        """Say which limit of connections would be broken; empty is none."""
        owned = [each for each in self.subscriptions.values() if each.owner == user]
        sessions = [each.transport["session_id"] for each in owned if each.status == "enabled"]
        here, others = sessions.count(session), {*sessions} - {session}
        if here >= SUBSCRIPTIONS:
            return "number of subscriptions of this websocket exceeded"
        return "number of websocket transports limit exceeded" if len(others) >= SOCKETS else ""

    def _rightful(self, kind: str, condition: Json, user: str) -> bool:
        """Whether the account, or the program where there is none, may know this."""
        whose, scope = RIGHTS.get(kind, ("", ""))
        if scope and (not self.world.granted(condition[whose], scope) or user not in {"", condition[whose]}):
            return False
        return kind != "channel.chat.message" or self._let_in(condition, app=not user)

    def _let_in(self, condition: Json, *, app: bool) -> bool:
        """See https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types/#channelchatmessage."""
        channel, bot = condition["broadcaster_user_id"], condition["user_id"]
        if (channel, bot) in self.world.banned:
            return False
        leave = self.world.granted(channel, "channel:bot") or bot in self.world.moderators[channel]
        return not app or (leave and self.world.granted(bot, "user:bot"))

    def hold(self, subscription: Subscription, status: int) -> None:
        """Let a connection that is no more hold its slot: whoever asks for it gets 409 or 429."""
        subscription.transport = {"method": "websocket", "session_id": GHOST, "held": str(status)}

    def of(self, kind: str) -> list[Subscription]:
        return [
            each for each in self.subscriptions.values() if each.type == kind and each.status == "enabled"
        ]


def _now() -> str:
    return _stamp(datetime.now(UTC))


def _stamp(at: datetime) -> str:
    """Write a time as Twitch does, which gives nanoseconds."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}000Z"
