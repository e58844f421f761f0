"""The gateway of a fake Discord: HELLO, IDENTIFY, READY, events, and RESUME with what was missed.

See https://discord.com/developers/docs/events/gateway (life of a connection, close codes, and the shard of a
server: its id shifted by 22 bits, modulo the number of shards). Two sessions of one shard are both told of
what happens there, and so are those of another number of shards. Sessions are begun one in five seconds a
bucket, and so many a day (#session-start-limit-object): who begins them faster is answered by op 9, and who
begins more has the token reset.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from math import inf
from typing import Any

from aiohttp import WSMsgType, web

from tests.fakes.discord_world import APP, GUILD, Json, World

# https://discord.com/developers/docs/events/gateway#list-of-intents
SESSION_GAP = 5.0  # seconds between two sessions of a bucket
GUILD_MEMBERS, GUILD_MODERATION, MESSAGE_CONTENT = 1 << 1, 1 << 2, 1 << 15


@dataclass(eq=False)
class Session:
    """What one shard was told, so that a dropped socket can be told the rest."""

    id: str
    intents: int
    frames: list[Json] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None
    shard: tuple[int, int] = (0, 1)  # its number, and of how many

    def has(self, guild: int) -> bool:
        """Whether a server is of this shard; 0 is for messages to the bot alone, which are of the first."""
        number, count = self.shard
        return (guild >> 22) % count == number

    @property
    def open(self) -> bool:
        """Whether there is a connection to tell it now."""
        return self.socket is not None and not self.socket.closed

    @property
    def reads(self) -> bool:
        """Whether it was given the content of messages."""
        return bool(self.intents & MESSAGE_CONTENT)

    async def dispatch(self, event: str, payload: Any) -> None:
        frame = {"op": 0, "s": len(self.frames) + 1, "t": event, "d": payload}
        self.frames.append(frame)
        await self.send(frame)

    async def send(self, frame: Json) -> None:
        if self.socket is not None and not self.socket.closed:
            await self.socket.send_str(json.dumps(frame))


class Gateway:
    """Faults are switched by its attributes."""

    def __init__(self, world: World, token: str) -> None:
        self.world, self._token = world, token
        self.sessions: dict[int, Session] = {}
        self.identified = self.resumed = 0
        self.shards = 1  # as many as are recommended
        self.most_guilds = 2500  # of one shard; who has more needs more shards
        self.total = self.remaining = 1000  # sessions in a day
        self.reset_after = 86_400.0  # seconds
        self.concurrency = 1  # sessions in five seconds
        self.paced = False  # whether who begins them faster is refused
        self.begun: list[tuple[float, int]] = []  # when a session was asked for, and of which shard
        self.too_fast = 0  # of these
        self.all: list[Session] = []  # that were begun, and not left
        self.refuses_content = self.refuses_token = False
        self.forgets_sessions = False  # the next RESUME is answered by op 9
        self.acknowledges = True  # whether heartbeats are answered
        self.lists_members = True  # whether requests for members are answered
        self.asked_for: list[Json] = []  # requests for members
        self.beats = 0  # heartbeats that came
        self.speechless = 0  # connections that are taken, and told nothing
        self.refuses = False  # who connects is refused
        self.sockets: set[web.WebSocketResponse] = set()
        self.address = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if self.refuses:
            return web.Response(status=503)
        socket = web.WebSocketResponse(heartbeat=None, timeout=0.5)
        await socket.prepare(request)
        self.sockets.add(socket)
        try:
            if self.speechless:
                self.speechless -= 1
                await socket.receive()
                return socket
            await socket.send_str(json.dumps({"op": 10, "d": {"heartbeat_interval": 41250}}))
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self._take(socket, json.loads(frame.data))
        finally:
            self.sockets.discard(socket)
            if socket.close_code in {1000, 1001}:  # by which its session is over
                self.all = [each for each in self.all if each.socket is not socket]
        return socket

    def hearing(self, guild: int) -> list[Session]:
        """Return the sessions that are told of a server: the newest of a shard, and others that are open."""
        newest = self.sessions.values()
        return [each for each in self.all if each.has(guild) and (each in newest or each.open)]

    async def dispatch(self, event: str, payload: Any, needs: int = 0) -> None:
        """Tell who hears the server of an event, and has the intents that it `needs`."""
        for session in self.hearing(int(payload.get("guild_id") or 0)):
            if session.intents & needs == needs:
                await session.dispatch(event, payload)

    async def invite(self, guild: int) -> None:
        """Tell the bot that it has joined a server.

        See https://discord.com/developers/docs/events/gateway-events#guild-create: it is sent when a guild
        becomes available after it was not, and, without `unavailable`, when the bot joins one.
        """
        told = {key: value for key, value in self.world.guild(guild).items() if key != "unavailable"}
        await self.sessions[self._shard(guild)].dispatch("GUILD_CREATE", told)

    async def cut_off(self, guild: int = GUILD) -> None:
        """Tell the bot that a server cannot be reached for the moment.

        See https://discord.com/developers/docs/events/gateway-events#guild-delete: with `unavailable`.
        """
        told = {"id": str(guild), "unavailable": True}
        await self.sessions[self._shard(guild)].dispatch("GUILD_DELETE", told)

    async def throw_out(self, guild: int) -> None:
        """Tell the bot that it was removed from a server.

        See https://discord.com/developers/docs/events/gateway-events#guild-delete: without `unavailable`.
        """
        await self.sessions[self._shard(guild)].dispatch("GUILD_DELETE", {"id": str(guild)})

    @property
    def session(self) -> Session:
        """The session of the shard to which the server of the tests belongs."""
        return self.sessions[self._shard(GUILD)]

    def _shard(self, guild: int) -> int:
        return (guild >> 22) % self.shards

    def limits(self) -> Json:
        """Tell how many sessions may be begun."""
        return {
            "total": self.total,
            "remaining": max(self.remaining, 0),
            "reset_after": round(self.reset_after * 1000),
            "max_concurrency": self.concurrency,
        }

    async def ask_to_reconnect(self) -> None:
        """Ask every connection to be made anew, and resumed.

        See https://discord.com/developers/docs/events/gateway-events#reconnect.
        """
        for session in self.sessions.values():
            await session.send({"op": 7, "d": None})

    async def drop(self, code: int = 4000) -> None:
        """Cut every socket; what happens until the bot is back is kept for its RESUME."""
        for session in self.all:
            session.socket = None
        for socket in list(self.sockets):
            await socket.close(code=code)

    async def _take(self, socket: web.WebSocketResponse, frame: Json) -> None:
        match frame["op"]:
            case 1:
                self.beats += 1
                if self.acknowledges:
                    await socket.send_str(json.dumps({"op": 11, "d": None}))
            case 2:
                await self._identify(socket, frame["d"])
            case 6:
                await self._resume(socket, frame["d"])
            case 8:
                self.asked_for.append(frame["d"])
                if self.lists_members:
                    await self._list(socket, frame["d"])
        await self.world.wake()

    async def _identify(self, socket: web.WebSocketResponse, asked: Json) -> None:
        if asked["token"] != self._token or self.refuses_token:
            await socket.close(code=4004)
            return
        if self.refuses_content and asked["intents"] & MESSAGE_CONTENT:
            await socket.close(code=4014)
            return
        shard = asked.get("shard", [0, 1])
        here = [each for each in self.world.guilds if (each >> 22) % shard[1] == shard[0]]
        if not 0 <= shard[0] < shard[1]:
            await socket.close(code=4010)
        elif len(here) > self.most_guilds:
            await socket.close(code=4011)
        elif not self._begins(shard[0]):
            await socket.send_str(json.dumps({"op": 9, "d": False}))
        else:
            await self._welcome(socket, asked, shard, here)

    def _begins(self, shard: int) -> bool:
        """Count a session; False: it came too soon after the last one of its bucket."""
        now, bucket = asyncio.get_running_loop().time(), shard % self.concurrency
        last = max((at for at, each in self.begun if each % self.concurrency == bucket), default=-inf)
        self.begun.append((now, shard))
        self.remaining -= 1
        if self.remaining < 0:
            self.refuses_token = True  # it is reset, and its owner gets a letter
        is_late = now - last >= SESSION_GAP
        self.too_fast += not is_late
        return is_late or not self.paced

    async def _welcome(
        self, socket: web.WebSocketResponse, asked: Json, shard: list[int], here: list[int]
    ) -> None:
        self.identified += 1
        session = Session(
            f"session-{self.identified}", asked["intents"], socket=socket, shard=(shard[0], shard[1])
        )
        self.sessions[shard[0]] = session
        self.all.append(session)
        guilds = [{"id": str(each), "unavailable": True} for each in here]
        ready = {
            "v": 10,
            "user": self.world.bot.payload,
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": self.address,
            "shard": shard,
            "application": {"id": str(APP), "flags": 0},
        }
        await session.dispatch("READY", ready)
        for each in here:
            await session.dispatch("GUILD_CREATE", self.world.guild(each))

    async def _list(self, socket: web.WebSocketResponse, asked: Json) -> None:
        """Answer a request for members by their ids.

        See https://discord.com/developers/docs/events/gateway-events#request-guild-members: at most 100, and
        only a request for all members needs a privileged intent.
        """
        assert "query" not in asked
        assert len(asked["user_ids"]) <= 100
        ids = [int(each) for each in asked["user_ids"]]
        here = [self.world.users[each] for each in ids if each in self.world.users]
        there = [each for each in here if not each.gone]
        session = next(each for each in self.all if each.socket is socket)
        chunk = {
            "guild_id": str(asked["guild_id"]),
            "members": [{"user": each.payload, **each.member} for each in there],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(each) for each in ids if each not in {one.id for one in there}],
            "nonce": asked["nonce"],
        }
        await session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    async def _resume(self, socket: web.WebSocketResponse, asked: Json) -> None:
        found = [each for each in self.all if each.id == asked["session_id"]]
        if not found or self.forgets_sessions:
            self.forgets_sessions = False
            await socket.send_str(json.dumps({"op": 9, "d": False}))
            return
        session = found[0]
        session.socket = socket
        for frame in session.frames[asked["seq"] :]:
            await session.send(frame)
        await session.dispatch("RESUMED", {})
        self.resumed += 1
