"""Makes the adapters of platforms, and connects more of them while the bot runs, as Set up asks for it.

What is entered is checked with the platform, kept in a file of its own, and used at once. What the
environment or `.env` says counts more, and is not changed from a page.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

import structlog
from pydantic import SecretStr

from chatbot.connecting import Guide, connection_failures
from chatbot.environment import with_entered
from chatbot.invocation import with_invocations
from chatbot.kernel.game import Failure
from chatbot.keys.barred_chats import BarredChats
from chatbot.keys.ring import KeyRing
from cogs.discord import endpoints as discord
from cogs.discord.token import TokenRefused, look_up
from cogs.twitch import endpoints as twitch
from cogs.twitch.authority import ClientRefused, TwitchAuthority, scopes_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import aiohttp

    from chatbot.bot.bot import Bot
    from chatbot.environment import Settings
    from chatbot.keys.discretion import Discretion
    from chatbot.keys.ring import Purpose
    from cogs.discord.adapter import DiscordAdapter
    from cogs.discord.token import DiscordBot
    from cogs.platform import ChannelDirectory, Platform, Reported, RoleSource
    from cogs.twitch.adapter import TwitchAdapter
    from cogs.twitch.authority import DeviceCode
    from cogs.twitch.logins import TwitchLogins

PURPOSES: Mapping[str, frozenset[Purpose]] = {
    "both": frozenset({"bot", "broadcaster"}),
    "bot": frozenset({"bot"}),
    "broadcaster": frozenset({"broadcaster"}),
    "points": frozenset({"broadcaster", "points"}),
    "predictions": frozenset({"broadcaster", "predictions"}),
    "announcements": frozenset({"bot", "announcements"}),
}
"""What an account can be connected for, by the words of buttons."""

_PASTED = re.compile(r"[!-~]+", re.ASCII)
_LONGEST = 500  # characters of what is pasted; what platforms give out has at most some seventy

log = structlog.get_logger(__name__)


class PlatformKeeper(Protocol):
    """Keeps platforms connected."""

    async def put(self, platform: Platform) -> None:
        """Keep a platform connected from now on, in the place of one of the same name."""

    def trouble(self, name: str) -> str:
        """Return why a platform is not connected; empty: it is, or nothing is known."""


class PlatformSetUp:
    """The platforms of a running bot, which the supervisor keeps connected."""

    def __init__(
        self,
        settings: Settings,
        discretion: Discretion,
        bot: Bot,
        session: aiohttp.ClientSession,
        tell: Callable[[str], None],
        supervisor: PlatformKeeper,
        reported: Reported = lambda *_: None,
    ) -> None:
        """`reported` is told what becomes of the messages that the adapters send."""
        self._reported = reported
        self._settings, self._discretion, self._bot = settings, discretion, bot
        self._session, self._tell, self._supervisor = session, tell, supervisor
        entered_settings, token = settings.entered.load(), settings.discord_token
        token_text = None if token is None else token.get_secret_value()
        # What the operator has written elsewhere counts more, and a page does not change it.
        self._fixed = {
            "discord": token_text not in {None, entered_settings.get("discord_token")},
            "twitch": settings.twitch_client_id not in {None, entered_settings.get("twitch_client_id")},
        }
        self._acting = asyncio.Lock()  # one press after the other
        self._platforms: dict[str, DiscordAdapter | TwitchAdapter] = {}
        self._local: ChannelDirectory | None = None
        self._logins: tuple[tuple[str, str | None], TwitchLogins] | None = None  # of an application
        self._discord_bot: DiscordBot | None = None
        self._code: DeviceCode | None = None  # that somebody is to confirm
        self._trouble = ""  # why the last account was not connected
        self._connecting: asyncio.Task[None] | None = None

    def add_local(self, platform: ChannelDirectory) -> None:
        """Know the local page, whose room has a name like those of others."""
        self._local = platform

    def platforms(self) -> Iterator[Platform]:
        """Make the adapters of what is connected at the start."""
        for each in (self._discord(), self._twitch()):
            if each is not None:
                self._platforms[each.name] = each
                yield each

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Wait for no code any more."""
        await self._cancel()

    # What pages ask of platforms

    def role_source(self, platform: str) -> RoleSource | None:
        """Return what is asked for the roles of accounts; None: the platform is not connected."""
        adapter = self._platforms.get(platform.capitalize())
        if platform == "discord":
            return cast("DiscordAdapter | None", adapter)
        return self.twitch_logins() if platform == "twitch" else None

    def community(self, channel: str) -> str | None:
        """Return the community of a channel by its platform alone; None: it is not known there."""
        adapter = self._adapter_of(channel)
        return None if adapter is None else adapter.community(channel)

    def title(self, channel: str) -> str:
        """Return what people call a channel."""
        adapter = self._adapter_of(channel)
        return channel if adapter is None else adapter.title(channel)

    def twitch_logins(self) -> TwitchLogins | None:
        """Return what logs accounts of Twitch in; None: no application is known."""
        application = self._settings.twitch_application
        if application is None:
            return None
        if self._logins is None or self._logins[0] != application:
            from cogs.twitch.logins import TwitchLogins  # noqa: PLC0415  (slow, and needed only to log in)

            self._logins = application, TwitchLogins(self._authority(application), self._session)
        return self._logins[1]

    def _adapter_of(self, channel: str) -> ChannelDirectory | None:
        platform = channel.partition(":")[0]
        return self._local if platform == "local" else self._platforms.get(platform.capitalize())

    # What the page shows

    def state(self) -> Mapping[str, Any]:
        """Return what the cards of both platforms show."""
        return {"discord": self._discord_card(), "twitch": self._twitch_card()}

    def _discord_card(self) -> dict[str, Any]:
        bot, platform = self._discord_bot, self._platforms.get("Discord")
        return {
            "entered": self._settings.discord_token is not None,
            "fixed": self._fixed["discord"],
            "connected": platform is not None and platform.connected,
            "trouble": with_invocations(self._supervisor.trouble("Discord")),
            "bot": None
            if bot is None
            else {"name": bot.name, "reads": bot.reads, "invitation": bot.invitation},
        }

    def _twitch_card(self) -> dict[str, Any]:
        application, platform = self._settings.twitch_application, self._platforms.get("Twitch")
        ring, code = KeyRing(self._settings.twitch_tokens, self._discretion), self._code
        trouble = self._trouble or self._supervisor.trouble("Twitch")
        try:
            bot, broadcasters = ring.bot, ring.broadcasters
        except Failure as failure:
            bot, broadcasters, trouble = None, (), str(failure)
        return {
            "application": application is not None,
            "public": application is not None and application[1] is None,
            "fixed": self._fixed["twitch"],
            "connected": platform is not None and platform.connected,
            "bot": None if bot is None else bot.login,
            "broadcasters": [each.login for each in broadcasters],
            "code": None if code is None else {"code": code.user_code, "address": code.address},
            "trouble": with_invocations(trouble),
        }

    # What its buttons do

    async def act(self, card: str, action: str, fields: Mapping[str, str]) -> bool:
        """Do what a button says; return whether there is such a button."""
        async with self._acting:
            return await self._act(card, action, fields)

    async def _act(self, card: str, action: str, fields: Mapping[str, str]) -> bool:
        match card, action:
            case "discord", "connect":
                await self._connect_discord(_pasted(fields.get("token", ""), "The token"))
            case "twitch", "application":
                secret = fields.get("client_secret", "")
                await self._use_application(
                    _pasted(fields.get("client_id", ""), "The client id"),
                    _pasted(secret, "The secret") if secret else None,
                )
            case "twitch", "connect" if fields.get("purpose") in PURPOSES:
                await self._begin(PURPOSES[fields["purpose"]])
            case "twitch", "cancel":
                await self._cancel()
            case _:
                return False
        return True

    async def _connect_discord(self, token: str) -> None:
        self._require_free("discord", "CHATBOT_DISCORD_TOKEN")
        self._discretion.add(token, lasting=True)
        endpoints = discord.DiscordEndpoints(
            self._settings.discord_api_url, self._settings.discord_gateway_url
        )
        with connection_failures("Discord"):
            try:
                bot = await look_up(token, self._session, endpoints)
            except TokenRefused:
                raise Failure(
                    "Discord does not know this token. Copy it again (Bot, Reset Token, Copy), the whole "
                    "of it, and neither the application id nor the public key."
                ) from None
        await asyncio.to_thread(self._settings.entered.put, {"discord_token": token})
        self._settings = self._settings.model_copy(update={"discord_token": SecretStr(token)})
        self._discord_bot = bot
        await self._start(self._discord())

    async def _use_application(self, client_id: str, secret: str | None) -> None:
        self._require_free("twitch", "CHATBOT_TWITCH_CLIENT_ID")
        if secret is None and self._settings.twitch_conduit:  # with which the next start would fail
            raise Failure(
                "A conduit needs an application with a secret: enter it, or set CHATBOT_TWITCH_CONDUIT=no."
            )
        await self._cancel()  # a code of the former application
        authority = self._authority((client_id, secret))
        with connection_failures("Twitch"):
            try:
                await authority.begin_device(scopes_for({"bot"}))
                if secret is not None:
                    await authority.app_token()
            except ClientRefused:
                what = "this client id" if secret is None else "this client id, or it is another one's secret"
                raise Failure(
                    f"Twitch does not know {what}. Copy it again: Manage at your application, Client ID."
                ) from None
        values = {"twitch_client_id": client_id, "twitch_client_secret": secret}
        await asyncio.to_thread(self._settings.entered.put, values)
        cleared = {"twitch_client_id": None, "twitch_client_secret": None}
        self._settings = with_entered(self._settings.model_copy(update=cleared))
        self._trouble = ""
        if "Twitch" in self._platforms:
            await self._start(self._twitch())

    async def _begin(self, purposes: frozenset[Purpose]) -> None:
        application = self._settings.twitch_application
        if application is None:
            raise Failure("First tell which application the bot is at Twitch.")
        await self._cancel()
        self._trouble, code_shown = "", asyncio.Event()

        def show(code: DeviceCode) -> None:
            self._code = code
            code_shown.set()

        guide = Guide(self._discretion, lambda _: None, show, twitch_endpoints=self._twitch_endpoints)
        self._connecting = asyncio.create_task(self._connect(guide, self._authority(application), purposes))
        showing = asyncio.create_task(code_shown.wait())
        await asyncio.wait({self._connecting, showing}, return_when=asyncio.FIRST_COMPLETED)
        showing.cancel()
        if self._trouble:
            raise Failure(self._trouble)

    async def _connect(self, guide: Guide, authority: TwitchAuthority, purposes: frozenset[Purpose]) -> None:
        ring = KeyRing(self._settings.twitch_tokens, self._discretion)
        try:
            with connection_failures("Twitch"):
                key = await guide.key(authority, ring, purposes)
            await asyncio.to_thread(ring.put, key)
            self._code = None
            if "Twitch" not in self._platforms:  # else it takes the key up by itself
                await self._start(self._twitch())
        except Failure as failure:
            self._trouble = str(failure)
        except Exception:
            log.exception("an account of Twitch could not be connected")
            self._trouble = "That went wrong, for a reason that is in the log."
        finally:
            self._code = None

    async def _cancel(self) -> None:
        task, self._connecting = self._connecting, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    def _require_free(self, platform: str, setting: str) -> None:
        if self._fixed[platform]:
            raise Failure(
                f"{setting} is set in the environment or in .env, which counts more: change it there."
            )

    async def _start(self, platform: DiscordAdapter | TwitchAdapter | None) -> None:
        if platform is not None:
            self._platforms[platform.name] = platform
            await self._supervisor.put(platform)

    # Adapters

    @property
    def _twitch_endpoints(self) -> twitch.TwitchEndpoints:
        settings = self._settings
        return twitch.TwitchEndpoints(
            settings.twitch_api_url, settings.twitch_id_url, settings.twitch_eventsub_url
        )

    def _authority(self, application: tuple[str, str | None]) -> TwitchAuthority:
        ring = KeyRing(self._settings.twitch_tokens, self._discretion)
        return TwitchAuthority(*application, self._session, ring, self._discretion, self._twitch_endpoints)

    def _discord(self) -> DiscordAdapter | None:
        settings = self._settings
        if settings.discord_token is None:
            return None
        from cogs.discord.adapter import DiscordAdapter  # noqa: PLC0415  (slow, and needed only with a token)

        return DiscordAdapter(
            self._bot,
            settings.discord_token.get_secret_value(),
            tell=self._tell,
            endpoints=discord.DiscordEndpoints(settings.discord_api_url, settings.discord_gateway_url),
            barred=BarredChats(settings.discord_barred),
            threadless=BarredChats(settings.discord_threadless),
            reported=self._reported,
            shards=settings.discord_shards,
        )

    def _twitch(self) -> TwitchAdapter | None:
        settings, application = self._settings, self._settings.twitch_application
        if application is None:
            return None
        from cogs.twitch.adapter import TwitchAdapter  # noqa: PLC0415  (as above)

        return TwitchAdapter(
            self._bot,
            KeyRing(settings.twitch_tokens, self._discretion),
            self._authority(application),
            settings.channels,
            conduit=settings.twitch_conduit,
            tell=self._tell,
            reported=self._reported,
        )


def _pasted(text: str, what: str) -> str:
    """Return what was pasted without what is easily copied with it.

    Raises:
        Failure: it cannot be what it should be.
    """
    pasted_text = text.strip()
    if "=" in pasted_text and pasted_text.upper().startswith("CHATBOT_"):
        pasted_text = pasted_text.partition("=")[2].strip()
    pasted_text = pasted_text.strip("\"'")
    if not _PASTED.fullmatch(pasted_text):
        problem = "is missing" if not pasted_text else "has blanks or letters in it that no such text has"
        raise Failure(f"{what} {problem}; copy it again.")
    if len(pasted_text) > _LONGEST:
        raise Failure(f"{what} is not that long; copy it again.")
    return pasted_text
