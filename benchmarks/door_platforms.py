"""The fake platforms of the tests, without rate limits for members."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

from benchmarks.door_bots import KEYS
from benchmarks.door_crowds import CHANNELS, MEMBERS
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES
from tests.fakes.discord_faults import Bucket
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from pathlib import Path

    from aiohttp import web

    from benchmarks.door_crowds import AnswerHandler, Member
    from chatbot.keys.ring import Purpose
    from tests.fakes.twitch_world import User

BOT = "rabblebot"


class FakeDiscord(DiscordServer):
    """One server with all of `CHANNELS`."""

    def __init__(self, answered: AnswerHandler) -> None:
        super().__init__()
        self._report = answered
        # discord.py sends messages to a channel one after the other until it knows the limit of the channel.
        self.bucket = Bucket(10**9, 5.0)
        self._channels = [self.world.town, *map(self.world.add_channel, CHANNELS[1:])]
        names = [f"member{number:04}" for number in range(MEMBERS)]
        self._people = {name: self.world.join(name) for name in names}

    async def open(self, _: Path) -> str:
        return await self.start()

    async def speak(self, member: Member, text: str) -> None:
        await self.people.say(self._people[member.name], self._channels[member.channel], text)

    def forget(self) -> None:
        self.world.messages.clear()
        self.world.nonces.clear()
        self.world.requests.clear()
        for session in self.gateway.sessions.values():
            session.frames.clear()

    async def _post(self, request: web.Request) -> web.Response:
        channel, body = int(request.match_info["channel"]), await self._body(request)
        self._report(self._channels.index(channel), body["content"])
        return await super()._post(request)


class FakeTwitch(Twitch):
    """All of `CHANNELS`, with a bot that is a moderator in all but the last, and without limits for it."""

    def __init__(self, answered: AnswerHandler) -> None:
        super().__init__()
        self._report = answered
        self._echoes = count()
        self._bot = self.world.user(BOT)
        self._channels = [self.world.user(each) for each in CHANNELS]
        for each in CHANNELS[:-1]:
            self.world.moderate(each, BOT)
        self.authority.issue(self._channels[-1].id, BROADCASTER_SCOPES)  # else the bare bot could not write

    async def open(self, folder: Path) -> str:
        await self.start()
        token = self.authority.issue(self._bot.id, BOT_SCOPES)
        purposes: frozenset[Purpose] = frozenset({"bot"})
        key = Key(self._bot.id, BOT, token.access, token.refresh, token.scopes, token.ends, purposes)
        await asyncio.to_thread(KeyRing(folder / KEYS, Discretion()).put, key)
        return self.base

    async def speak(self, member: Member, text: str) -> None:
        await self.chat(member.name, CHANNELS[member.channel], text, name=member.name)

    def forget(self) -> None:
        self.world.requests.clear()
        self.eventsub.frames.clear()

    async def _echo(self, channel: User, speaker: User, text: str, message_id: str) -> None:
        self._report(self._channels.index(channel), text)
        self.world.said.clear()  # the fake counts these for its rate limit, and to number messages
        await super()._echo(channel, speaker, text, f"{message_id}-{next(self._echoes)}")
