"""Finds out which chats the bot shall be in, and opens their rooms before anything is heard in them."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import structlog
from twitchio.exceptions import HTTPException

from chatbot.kernel.failure import Failure
from chatbot.keys.asking import Unreachable
from chatbot.live.room import Channel, Room
from cogs.twitch_chat import MANNER, Chat
from cogs.twitch_reading import PLATFORM, channel_of, community_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twitchio.client import Client

    from chatbot.keys.ring import Key, KeyRing
    from chatbot.live.house import House
    from chatbot.live.room import Door
    from cogs.twitch_wire import Wire

AT_ONCE = 100  # logins in one request
_LOGIN = re.compile(r"[a-z0-9_]{1,25}")  # one that is malformed would fail all of the request

log = structlog.get_logger(__name__)


def bot_of(ring: KeyRing) -> Key:
    """Give the bot's key.

    Raises:
        Failure: there is none.
    """
    bot = ring.bot
    if bot is None:
        raise Failure("No Twitch account is connected as the bot; run `chatbot connect twitch --bot`.")
    return bot


async def sign_in(wire: Wire, bot: Key, broadcasters: Sequence[Key]) -> dict[str, Key]:
    """Take the keys into use, and give the broadcasters' that are good."""
    for key in (*broadcasters, bot):
        wire.adopt(key)
    await wire.validate(bot.user_id)
    others = [key for key in broadcasters if key.user_id != bot.user_id]
    good = await asyncio.gather(*(_good(wire, key) for key in others))
    refused = {key.user_id for key, right in zip(others, good, strict=True) if not right}
    return {key.user_id: key for key in broadcasters if key.user_id not in refused}


async def find(client: Client, logins: Sequence[str], broadcasters: Sequence[Key]) -> dict[str, str]:
    """Give the logins of the channels by their ids: those that are named, or else all that are connected.

    Raises:
        Failure: there is none.
    """
    if not logins:
        found = {key.user_id: key.login for key in broadcasters}
    else:
        found = await _named(client, [each.strip().lstrip("@#").lower() for each in logins])
    if not found:
        raise Failure(
            "There is no Twitch channel to be in; run `chatbot connect twitch --broadcaster`, "
            "or name channels in CHATBOT_TWITCH_CHANNELS."
        )
    return found


async def enter(house: House, door: Door, channels: dict[str, str], bot: str, chats: dict[str, Chat]) -> None:
    """Open the rooms that are not open yet. Who fails at one comes again, and finds those that it knew."""
    for broadcaster, login in channels.items():
        name = channel_of(broadcaster)
        if name not in chats:
            chats[name] = chat = _chat(door, broadcaster, login)
            chat.stand(broadcaster == bot, house.watch.now())
        if not house.has(name):
            await house.open(chats[name].room)


async def look(client: Client, house: House, chats: Collection[Chat]) -> None:
    """Learn which streams are on, of which no event tells: they may have begun before we came."""
    ids = [each.broadcaster for each in chats]
    on: set[str] = set()
    try:
        for first in range(0, len(ids), AT_ONCE):
            streams = client.fetch_streams(user_ids=[*ids[first : first + AT_ONCE]], first=AT_ONCE)
            on.update([stream.user.id async for stream in streams])
    except HTTPException as error:
        log.warning("it is not known which streams are on", status=error.status)
        return
    for chat in chats:
        house.rooms.at(chat.channel.id).live = chat.broadcaster in on


def _chat(door: Door, broadcaster: str, login: str) -> Chat:
    channel = Channel(channel_of(broadcaster), PLATFORM, door, MANNER)
    room = Room(channel.id, community_of(broadcaster), (channel,))
    return Chat(broadcaster, login, room, channel)


async def _good(wire: Wire, key: Key) -> bool:
    try:
        return await wire.validate(key.user_id)
    except Unreachable:
        return True  # as far as anybody knows


async def _named(client: Client, logins: Sequence[str]) -> dict[str, str]:
    wellformed = [each for each in dict.fromkeys(logins) if _LOGIN.fullmatch(each)]
    found = {}
    for first in range(0, len(wellformed), AT_ONCE):
        for user in await client.fetch_users(logins=wellformed[first : first + AT_ONCE]):
            found[user.id] = user.name or user.id
    for login in dict.fromkeys(logins):
        if login not in found.values():
            log.warning("CHATBOT_TWITCH_CHANNELS names a channel that Twitch does not know", channel=login)
    return found
