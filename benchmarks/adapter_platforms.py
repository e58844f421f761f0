"""The fake platforms of the tests, without rate limits for members."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

from benchmarks.adapter_bots import KEYS
from benchmarks.adapter_crowds import CHANNELS, GUILDS
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from cogs.twitch.authority import BOT_SCOPES, BROADCASTER_SCOPES
from tests.fakes.discord_faults import Bucket, GlobalLimit
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from aiohttp import web

    from benchmarks.adapter_crowds import AnswerHandler, Member
    from chatbot.keys.ring import Purpose
    from tests.fakes.discord_world import Interaction, Json, User
    from tests.fakes.twitch_world import User as Viewer

BOT = "rabblebot"
OK = 200


class FakeDiscord(DiscordServer):
    """One server with all of `CHANNELS`, and twice `GUILDS` others with one channel each."""

    def __init__(self, on_answer: AnswerHandler) -> None:
        super().__init__()
        self._report = on_answer
        # discord.py sends messages to a channel one after the other until it knows the limit of the channel.
        self.bucket, self.limit = Bucket(10**9, 5.0), None
        self._channels = [self.world.town, *map(self.world.add_channel, CHANNELS[1:])]
        guilds = [self.world.add_guild(f"guild{number}") for number in range(2 * GUILDS)]
        self._channels += [self.world.add_channel("town", each) for each in guilds]
        self._numbers = {channel: number for number, channel in enumerate(self._channels)}
        self._people: dict[str, User] = {}
        self.posts: Counter[int] = Counter()

    async def open(self, _: Path) -> str:
        return await self.start()

    async def speak(self, member: Member, text: str) -> None:
        if member.name not in self._people:
            self._people[member.name] = self.world.join(member.name)
        person, channel = self._people[member.name], self._channels[member.channel]
        if text.startswith("/"):
            await self.people.slash(person, channel, text.removeprefix("/"))
        else:
            await self.people.say(person, channel, text)

    def keep_limits(self, *, on: bool) -> None:
        """Keep the limits of messages and requests as Discord does, or none."""
        self.bucket = Bucket(5 if on else 10**9, 5.0)
        self.limit = GlobalLimit() if on else None

    def forget(self) -> None:
        self.world.messages.clear()
        self.world.nonces.clear()
        self.world.requests.clear()
        self.world.readers.clear()
        for session in self.gateway.sessions.values():
            session.frames.clear()

    async def _post(self, request: web.Request) -> web.Response:
        number, body = self._numbers[int(request.match_info["channel"])], await self._body(request)
        response = await super()._post(request)
        if response.status == OK:
            self.posts[number] += 1
            self._report(number, body.get("content") or "")
        return response

    def _write(self, interaction: Interaction, body: Json, *, private: bool) -> Json:
        self._report(self._numbers[interaction.channel], interaction.user.name)
        return super()._write(interaction, body, private=private)


class FakeTwitch(Twitch):
    """Channels with a bot that is a moderator in all but the last; without limits of requests by default."""

    def __init__(
        self, on_answer: AnswerHandler, channels: Sequence[str] = CHANNELS, *, limited: bool = False
    ) -> None:
        super().__init__()
        self._report = on_answer
        self._echoes = count()
        self._bot = self.world.user(BOT)
        if not limited:
            self.world.points = 1_000_000_000
        self._logins = channels
        self._numbers = {self.world.user(each).id: number for number, each in enumerate(channels)}
        for each in channels[:-1]:
            self.world.moderate(each, BOT)
        last = self.world.user(channels[-1])
        self.authority.issue(last.id, BROADCASTER_SCOPES)  # else the bare bot could not write
        self.posts: Counter[int] = Counter()

    async def open(self, folder: Path) -> str:
        await self.start()
        token = self.authority.issue(self._bot.id, BOT_SCOPES)
        purposes: frozenset[Purpose] = frozenset({"bot"})
        key = Key(self._bot.id, BOT, token.access, token.refresh, token.scopes, token.ends, purposes)
        await asyncio.to_thread(KeyRing(folder / KEYS, Discretion()).put, key)
        return self.base

    async def speak(self, member: Member, text: str) -> None:
        await self.chat(member.name, self._logins[member.channel], text, name=member.name)

    def forget(self) -> None:
        self.world.requests.clear()
        self.eventsub.frames.clear()

    async def _echo(self, channel: Viewer, speaker: Viewer, text: str, message_id: str) -> None:
        self.posts[self._numbers[channel.id]] += 1
        self._report(self._numbers[channel.id], text)
        self.world.said.clear()  # the fake counts these for its rate limit, and to number messages
        await super()._echo(channel, speaker, text, f"{message_id}-{next(self._echoes)}")
