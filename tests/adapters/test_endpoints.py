"""Where the platforms are is told to the client libraries in one place each, and nothing goes elsewhere."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest
from discord import webhook
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient
from discord.http import Route as DiscordRoute
from twitchio.http import Route as TwitchRoute

from cogs.discord import client as discord_client
from cogs.discord import endpoints as discord
from cogs.twitch import bot as twitch_bot
from cogs.twitch import endpoints as twitch
from tests.adapters.discord.conftest import server
from tests.adapters.discord.stage import Stage
from tests.checked import store

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer

__all__ = ["server", "store"]  # fixtures

DISCORD = discord.DiscordEndpoints("https://discord.example/api", "wss://discord.example/gateway")
TWITCH = twitch.TwitchEndpoints(
    "https://twitch.example/api", "https://id.example", "wss://twitch.example/events"
)


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DiscordRoute, "BASE", DiscordRoute.BASE)
    monkeypatch.setattr(TwitchRoute, "BASE", TwitchRoute.BASE)


def test_the_platforms_own_endpoints_are_those_that_the_libraries_know() -> None:
    """What another version of a library changes is seen here: an address, or where it keeps it."""
    discord_client.point_library(discord.OWN)
    twitch_bot.prepare_library(twitch.OWN)
    assert f"BASE: ClassVar[str] = '{discord.OWN.api}'" in inspect.getsource(DiscordRoute)
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == f"{discord.OWN.gateway}/"
    assert f'BASE: ClassVar[str] = "{twitch.OWN.api}/"' in inspect.getsource(TwitchRoute)
    assert TwitchRoute("GET", "users").url == "https://api.twitch.tv/helix/users"


def test_the_libraries_ask_where_they_are_pointed_at() -> None:
    discord_client.point_library(DISCORD)
    twitch_bot.prepare_library(TWITCH)
    assert DiscordRoute("GET", "/users/@me").url == "https://discord.example/api/users/@me"
    assert TwitchRoute("GET", "users").url == "https://twitch.example/api/users"


def test_the_libraries_have_no_other_way() -> None:
    assert "Route(" in inspect.getsource(webhook.async_)  # answers to interactions go the same way
    assert "https://" not in inspect.getsource(webhook.async_.AsyncWebhookAdapter)
    connecting = inspect.getsource(DiscordWebSocket.from_client)
    assert "client.http.ws_connect(str(url))" in connecting
    assert list(inspect.signature(HTTPClient.ws_connect).parameters) == ["self", "url", "compress"]


async def test_a_gateway_that_is_set_is_used_whatever_discord_says(
    server: DiscordServer, store: Store
) -> None:
    server.gateway.address = "ws://127.0.0.1:1/nowhere"  # which is told by the API, and for resuming
    async with Stage(server, store) as stage:
        assert server.gateway.sessions
        await server.gateway.drop()
        await stage.until(lambda: server.gateway.resumed)
