"""Guides an operator through connecting the bot to Twitch and Discord, in a terminal or on a page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import aiohttp

from chatbot.kernel.game import Failure
from chatbot.keys.asking import Unreachable
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import KeyRing
from cogs.discord import endpoints as discord
from cogs.discord.token import PERMISSIONS, look_up
from cogs.twitch import endpoints as twitch
from cogs.twitch.authority import CodeRefused, DeviceCode, SlowDown, TwitchAuthority, lacking, scopes_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chatbot.keys.ring import Key, Purpose
    from cogs.twitch.authority import Grant

SLOW_DOWN_SECONDS = 5.0  # added to the interval of polling after a slow_down (RFC 8628, 3.5)

TWITCH_STEPS = """\
Twitch wants every bot to have an application of its own. It is free, and made once:
  1. Open https://dev.twitch.tv/console/apps, signed in as the bot's account or your own.
     (Twitch asks for two-factor authentication first, if the account has none.)
  2. Choose Register Your Application. Any name will do.
     OAuth Redirect URL: http://localhost     Category: Chat Bot     Client Type: Public
  3. Create it, choose Manage, and copy the Client ID. It is no secret, and no secret is needed.
  4. Paste it into Set up on the bot's page, or put it into the file .env in the folder where you start
     the bot (make it, if there is none):
     CHATBOT_TWITCH_CLIENT_ID=what you copied
  5. Run `chatbot connect twitch` again.
An application of the client type Confidential gives the bot the badge of bots, and conduits for very many
channels. It has a secret, which goes into CHATBOT_TWITCH_CLIENT_SECRET; whoever has that can pretend to be
your bot, so never show it."""

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

CAN_READ = "It may read messages, so !heist works as well as /heist."
CANNOT_READ = (
    "It may not read messages: people play by /heist and by buttons. For !heist, open "
    "https://discord.com/developers/applications, choose it, Bot, and switch Message Content Intent on."
)

_ROLES: dict[Purpose, str] = {
    "bot": "the bot",
    "broadcaster": "the streamer of the channel",
    "points": "the one who takes channel points",
    "predictions": "the one whose viewers bet on games",
    "announcements": "the one who makes announcements",
}


NEXT_STEPS: dict[Purpose, str] = {
    "points": "Next: `chatbot rewards make heist --cost 500 --stake 100`, which viewers can then buy.",
    "predictions": "Next: type `!set heist prediction on` in the chat.",
    "announcements": "Next: make the bot a moderator, and type `!set room announcements primary`.",
}
"""What turns on a feature, once an account is connected for it."""


@dataclass(frozen=True, slots=True)
class Guide:
    """Connects accounts; `tell` prints a sentence for the operator.

    `show` shows a code that somebody is to confirm, in the place of sentences about it.
    """

    discretion: Discretion
    tell: Callable[[str], None]
    show: Callable[[DeviceCode], None] | None = None
    discord_endpoints: discord.DiscordEndpoints = discord.OWN
    twitch_endpoints: twitch.TwitchEndpoints = twitch.OWN

    async def twitch(
        self, application: tuple[str, str | None] | None, tokens: Path, purposes: frozenset[Purpose]
    ) -> None:
        """Connect an account as the bot, as a broadcaster, or as both; `application` is its id and secret.

        Raises:
            Failure: it is not connected; nothing was changed.
        """
        if application is None:
            self.tell(TWITCH_STEPS)
            raise Failure("CHATBOT_TWITCH_CLIENT_ID is not set; the steps above tell where it comes from.")
        ring = KeyRing(tokens, self.discretion)
        ring.load()  # a damaged file is reported before the operator opens a browser
        with connection_failures("Twitch"):
            async with aiohttp.ClientSession() as session:
                authority = TwitchAuthority(
                    *application, session, ring, self.discretion, self.twitch_endpoints
                )
                if not authority.is_public:
                    await authority.app_token()  # and so is a wrong secret
                key = await self.key(authority, ring, purposes)
        ring.put(key)
        self._tell_next_step(ring, key, purposes)

    async def discord(self, token: str | None) -> None:
        """Check the token, and print the link that invites the bot.

        Raises:
            Failure: the token is missing or wrong, or Discord cannot be reached.
        """
        if not token:
            self.tell(DISCORD_STEPS)
            raise Failure("CHATBOT_DISCORD_TOKEN is not set; the steps above tell where it comes from.")
        self.discretion.add(token, lasting=True)
        with connection_failures("Discord"):
            async with aiohttp.ClientSession() as session:
                bot = await look_up(token, session, self.discord_endpoints)
        self.tell(f"The token is right: the bot is {bot.name}.")
        self.tell(CAN_READ if bot.reads else CANNOT_READ)
        self.tell(f"Invite it to a server that you manage, with this link:\n  {bot.invitation}")
        self.tell(f"It asks for no more than: {', '.join(PERMISSIONS)}.")
        self.tell("Then start it with `chatbot run`, and type /heist in a channel of that server.")

    async def key(self, authority: TwitchAuthority, ring: KeyRing, purposes: frozenset[Purpose]) -> Key:
        """Have an account sign in; again if it is connected for another purpose, which needs more scopes.

        Raises:
            Failure: two different accounts signed in.
        """
        key = await self._signed_in(authority, purposes)
        previous_key = ring.get(key.user_id)
        combined = purposes | (previous_key.purposes if previous_key else frozenset())
        if set(scopes_for(combined)) <= set(key.scopes):
            return replace(key, purposes=combined)
        self.tell(
            f"{key.login} is connected as {_roles(combined - purposes)} too, and one key must do for both."
        )
        self.tell(
            "If you meant another account, stop with Ctrl-C, sign in as that one in the browser, "
            "and run it again."
        )
        await _revoke(authority, key)
        again = await self._signed_in(authority, combined)
        if again.user_id != key.user_id:
            await _revoke(authority, again)
            raise Failure(
                f"First {key.login} signed in, and then {again.login}; run it again. Nothing was changed."
            )
        return again

    async def _signed_in(self, authority: TwitchAuthority, purposes: frozenset[Purpose]) -> Key:
        device = await authority.begin_device(scopes_for(purposes))
        if self.show is not None:
            self.show(device)
            return await _identified(authority, await _wait_for_grant(authority, device), purposes)
        self.tell(
            f"Open {device.address} in a browser in which you are signed in as {_roles(purposes)}, "
            f"and enter {device.user_code} if it asks for a code."
        )
        minutes = round(device.seconds / 60)
        self.tell(f"Waiting for that, for {minutes} minutes at most. Ctrl-C stops it, and changes nothing.")
        return await _identified(authority, await _wait_for_grant(authority, device), purposes)

    def _tell_next_step(self, ring: KeyRing, key: Key, purposes: frozenset[Purpose]) -> None:
        self.tell(f"{key.login} is connected as {_roles(key.purposes)}. The key is kept in {ring.path}.")
        if ring.bot is None:
            self.tell("Next: `chatbot connect twitch --bot`, signed in as the bot's own account.")
        elif not ring.broadcasters:
            self.tell(
                "Next: `chatbot connect twitch --broadcaster`, signed in as the streamer of the channel. "
                "(Private windows of a browser keep two accounts apart.)"
            )
        elif features := purposes & NEXT_STEPS.keys():
            for each in sorted(features):
                self.tell(NEXT_STEPS[each])
        else:
            chats = ", ".join(each.login for each in ring.broadcasters)
            self.tell(
                f"Start it with `chatbot run` if it does not run, and type !heist in the chat of {chats}."
            )


async def _wait_for_grant(authority: TwitchAuthority, device: DeviceCode) -> Grant:
    """Poll until the code is confirmed, also after failures of the connection.

    Raises:
        CodeRefused: it was not confirmed in time.
    """
    interval, clock = device.interval, asyncio.get_running_loop().time
    end = clock() + device.seconds
    while clock() < end:
        await asyncio.sleep(interval)
        try:
            grant = await authority.poll(device)
        except SlowDown:
            interval += SLOW_DOWN_SECONDS
        except Unreachable:
            continue
        else:
            if grant is not None:
                return grant
    raise CodeRefused("Nobody entered the code in time; run the command again. Nothing was changed.")


async def _identified(authority: TwitchAuthority, grant: Grant, purposes: frozenset[Purpose]) -> Key:
    """Return the key of the account that signed in, which only Twitch knows.

    Raises:
        Failure: the key is not valid, or lacks scopes.
    """
    owner = await authority.validate(grant.access)
    if owner is None or not owner.user_id or owner.client_id != authority.client_id:
        raise Failure("Twitch does not stand by the key that it gave; run it again. Nothing was changed.")
    key = grant.key(owner, purposes)
    missing_scopes = lacking(purposes, owner.scopes)
    if missing_scopes:
        await _revoke(authority, key)
        raise Failure(f"{key.login} did not allow {missing_scopes}; run it again. Nothing was changed.")
    return key


async def _revoke(authority: TwitchAuthority, key: Key) -> None:
    with suppress(Unreachable):  # it expires by itself after some hours
        await authority.revoke(key.access)


@contextmanager
def connection_failures(platform: str) -> Iterator[None]:
    try:
        yield
    except Unreachable as trouble:
        raise Failure(
            f"{platform} cannot be asked: {trouble}; look at the connection, and try again. "
            "Nothing was changed."
        ) from None


def _roles(purposes: frozenset[Purpose]) -> str:
    return " and ".join(_ROLES[each] for each in sorted(purposes))
