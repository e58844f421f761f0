"""Leads an operator through connecting the bot to Twitch and Discord, from the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import aiohttp

from chatbot.kernel.failure import Failure
from chatbot.keys.asking import Unreachable
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import KeyRing
from cogs.discord import endpoints as discord
from cogs.discord.token import PERMISSIONS, look_up
from cogs.twitch import endpoints as twitch
from cogs.twitch.authority import CodeRefused, SlowDown, TwitchAuthority, scopes_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chatbot.keys.ring import Key, Purpose
    from cogs.twitch.authority import DeviceCode, Grant

SLOWER = 5.0  # seconds that are added when Twitch asks for patience (RFC 8628, 3.5)

TWITCH_STEPS = """\
Twitch wants every bot to have an application of its own. It is free, and made once:
  1. Open https://dev.twitch.tv/console/apps, signed in as the bot's account or your own.
     (Twitch asks for two-factor authentication first, if the account has none.)
  2. Choose Register Your Application. Any name will do.
     OAuth Redirect URL: http://localhost     Category: Chat Bot     Client Type: Confidential
  3. Create it, choose Manage, copy the Client ID, and choose New Secret to copy the Client Secret.
  4. Put both into the file .env, in the folder where you start the bot (make it, if there is none, and
     let nobody else read it, on Linux and macOS by `chmod 600 .env`):
     CHATBOT_TWITCH_CLIENT_ID=what you copied first
     CHATBOT_TWITCH_CLIENT_SECRET=what you copied second
  5. Run `chatbot connect twitch` again. Whoever has the secret can pretend to be your bot: never show it."""

DISCORD_STEPS = """\
Discord wants every bot to have an application of its own. It is free, and made once:
  1. Open https://discord.com/developers/applications, and choose New Application. Its name is the bot's.
  2. Choose Bot at the left. Switch Message Content Intent on, so that it understands !heist; without it
     people play by /heist and by buttons.
  3. Choose Reset Token, and copy what is shown: it is shown once.
  4. Put it into the file .env, in the folder where you start the bot (make it, if there is none, and
     let nobody else read it, on Linux and macOS by `chmod 600 .env`):
     CHATBOT_DISCORD_TOKEN=what you copied
  5. Run `chatbot connect discord` again. Whoever has the token can pretend to be your bot: never show it."""

_ROLE: dict[Purpose, str] = {"bot": "the bot", "broadcaster": "the streamer of the channel"}


@dataclass(frozen=True, slots=True)
class Guide:
    """Where somebody is led, and how they are told."""

    discretion: Discretion
    tell: Callable[[str], None]
    discord_endpoints: discord.DiscordEndpoints = discord.OWN
    twitch_endpoints: twitch.TwitchEndpoints = twitch.OWN

    async def twitch(
        self, client_id: str | None, client_secret: str | None, tokens: Path, purposes: frozenset[Purpose]
    ) -> None:
        """Connect an account as the bot, as a broadcaster, or as both.

        Raises:
            Failure: it is not connected; nothing was changed.
        """
        if not client_id or not client_secret:
            self.tell(TWITCH_STEPS)
            missing = "CHATBOT_TWITCH_CLIENT_SECRET" if client_id else "CHATBOT_TWITCH_CLIENT_ID"
            raise Failure(f"{missing} is not set; the steps above tell where it comes from.")
        ring = KeyRing(tokens, self.discretion)
        ring.load()  # what is damaged is told before anybody goes to a browser
        with _reaching("Twitch"):
            async with aiohttp.ClientSession() as session:
                authority = TwitchAuthority(
                    client_id, client_secret, session, ring, self.discretion, self.twitch_endpoints
                )
                await authority.app_token()  # so is a wrong secret
                key = await self._key(authority, ring, purposes)
        ring.put(key)
        self._tell_what_is_next(ring, key)

    async def discord(self, token: str | None) -> None:
        """Check the token, and tell how the bot is invited.

        Raises:
            Failure: it is not connected.
        """
        if not token:
            self.tell(DISCORD_STEPS)
            raise Failure("CHATBOT_DISCORD_TOKEN is not set; the steps above tell where it comes from.")
        self.discretion.add(token, lasting=True)
        with _reaching("Discord"):
            async with aiohttp.ClientSession() as session:
                bot = await look_up(token, session, self.discord_endpoints)
        self.tell(f"The token is right: the bot is {bot.name}.")
        self.tell(READS if bot.reads else DEAF)
        self.tell(f"Invite it to a server that you manage, with this link:\n  {bot.invitation}")
        self.tell(f"It asks for no more than: {', '.join(PERMISSIONS)}.")
        self.tell("Then start it with `chatbot run`, and type /heist in a channel of that server.")

    async def _key(self, authority: TwitchAuthority, ring: KeyRing, purposes: frozenset[Purpose]) -> Key:
        """Have an account sign in, and again where it is also something else, which needs more scopes."""
        key = await self._signed_in(authority, purposes)
        former = ring.get(key.user_id)
        united = purposes | (former.purposes if former else frozenset())
        if set(scopes_for(united)) <= set(key.scopes):
            return replace(key, purposes=united)
        self.tell(
            f"{key.login} is connected as {_roles(united - purposes)} too, and one key must do for both."
        )
        self.tell(
            "If you meant another account, stop with Ctrl-C, sign in as that one in the browser, "
            "and run it again."
        )
        await _give_back(authority, key)
        again = await self._signed_in(authority, united)
        if again.user_id != key.user_id:
            await _give_back(authority, again)
            raise Failure(
                f"First {key.login} signed in, and then {again.login}; run it again. Nothing was changed."
            )
        return again

    async def _signed_in(self, authority: TwitchAuthority, purposes: frozenset[Purpose]) -> Key:
        device = await authority.begin_device(scopes_for(purposes))
        self.tell(
            f"Open {device.address} in a browser in which you are signed in as {_roles(purposes)}, "
            f"and enter {device.user_code} if it asks for a code."
        )
        minutes = round(device.seconds / 60)
        self.tell(f"Waiting for that, for {minutes} minutes at most. Ctrl-C stops it, and changes nothing.")
        return await _owned(authority, device, await _confirmed(authority, device), purposes)

    def _tell_what_is_next(self, ring: KeyRing, key: Key) -> None:
        self.tell(f"{key.login} is connected as {_roles(key.purposes)}. The key is kept in {ring.path}.")
        if ring.bot is None:
            self.tell("Next: `chatbot connect twitch --bot`, signed in as the bot's own account.")
        elif not ring.broadcasters:
            self.tell(
                "Next: `chatbot connect twitch --broadcaster`, signed in as the streamer of the channel. "
                "(Private windows of a browser keep two accounts apart.)"
            )
        else:
            chats = ", ".join(each.login for each in ring.broadcasters)
            self.tell(f"Start it with `chatbot run`, and type !heist in the chat of {chats}.")


READS = "It may read messages, so !heist works as well as /heist."
DEAF = (
    "It may not read messages: people play by /heist and by buttons. For !heist, open "
    "https://discord.com/developers/applications, choose it, Bot, and switch Message Content Intent on."
)


async def _confirmed(authority: TwitchAuthority, device: DeviceCode) -> Grant:
    """Wait until somebody has confirmed the code; a server in trouble is asked again."""
    interval, clock = device.interval, asyncio.get_running_loop().time
    end = clock() + device.seconds
    while clock() < end:
        await asyncio.sleep(interval)
        try:
            grant = await authority.poll(device)
        except SlowDown:
            interval += SLOWER
        except Unreachable:
            continue
        else:
            if grant is not None:
                return grant
    raise CodeRefused("Nobody entered the code in time; run the command again. Nothing was changed.")


async def _owned(
    authority: TwitchAuthority, device: DeviceCode, grant: Grant, purposes: frozenset[Purpose]
) -> Key:
    """Ask Twitch itself who has signed in: a browser may show another account than the one that did."""
    owner = await authority.validate(grant.access)
    if owner is None or not owner.user_id or owner.client_id != authority.client_id:
        raise Failure("Twitch does not stand by the key that it gave; run it again. Nothing was changed.")
    key = grant.key(owner, purposes)
    lacking = sorted(set(device.scopes) - set(owner.scopes))
    if lacking:
        await _give_back(authority, key)
        raise Failure(f"{key.login} did not allow {', '.join(lacking)}; run it again. Nothing was changed.")
    return key


async def _give_back(authority: TwitchAuthority, key: Key) -> None:
    with suppress(Unreachable):  # then it ends by itself, in some hours
        await authority.revoke(key.access)


@contextmanager
def _reaching(platform: str) -> Iterator[None]:
    try:
        yield
    except Unreachable as trouble:
        raise Failure(
            f"{platform} cannot be asked: {trouble}; look at the connection, and try again. "
            "Nothing was changed."
        ) from None


def _roles(purposes: frozenset[Purpose]) -> str:
    return " and ".join(_ROLE[each] for each in sorted(purposes))
