"""What the adapter takes from discord.py besides what it documents, and that it is all still there.

Each of these may change with any version of the library; a test here fails then. What it does with heartbeats
is in `test_gateway.py`.
"""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import pkgutil
import textwrap
from typing import TYPE_CHECKING

import pytest
from discord import VoiceClient, gateway, shard
from discord.http import HTTPClient, Route

import cogs.discord
from cogs.discord.shards import SessionSocket

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.adapters.discord.stage import Stage

LIBRARY = "discord."
# The second: what `test_library_log.py` shows the library to do with it; the third: as its own `connect`.
MEANT = {"_abc_impl", "_last_send", "_reconnect"}


def kinds() -> Iterator[type]:
    """Give every class of the adapter that is derived from one of the library."""
    for module in pkgutil.iter_modules(cogs.discord.__path__, "cogs.discord."):
        for kind in vars(importlib.import_module(module.name)).values():
            own = isinstance(kind, type) and kind.__module__ == module.name
            if own and any(each.__module__.startswith(LIBRARY) for each in kind.__mro__):
                yield kind


def private(names: set[str]) -> set[str]:
    return {each for each in names if each.startswith("_") and not each.startswith("__")}


def set_by(kind: type, package: str) -> set[str]:
    """List what the classes of a package have, and set in their objects."""
    found = set[str]()
    for each in kind.__mro__:
        if each.__module__.startswith(package):
            nodes = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(each))))
            stored = [
                node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            ]
            found |= set(vars(each))
            found |= {
                node.attr for node in stored if isinstance(node.value, ast.Name) and node.value.id == "self"
            }
    return found


@pytest.mark.parametrize("kind", tuple(kinds()), ids=lambda kind: kind.__name__)
def test_nothing_private_of_the_library_is_overridden_or_overwritten(kind: type) -> None:
    """A version that keeps something under a name that is ours would find there what is not its own."""
    ours, theirs = (private(set_by(kind, package)) for package in ("cogs.", LIBRARY))
    assert ours & theirs - MEANT == set()


def test_all_kinds_of_the_adapter_are_looked_at() -> None:
    assert {"DiscordClient", "KeepAlive", "MessageCog", "Move", "Tree"} <= {each.__name__ for each in kinds()}


def test_heartbeats_are_sent_by_a_thread_that_is_made_as_ours_is() -> None:
    made = "KeepAliveHandler(ws=self, interval=interval, shard_id=self.shard_id)"
    assert made in inspect.getsource(gateway.DiscordWebSocket)


def test_every_connection_is_opened_by_what_leads_to_another_gateway() -> None:
    assert list(inspect.signature(HTTPClient.ws_connect).parameters) == ["self", "url", "compress"]
    assert "client.http.ws_connect(" in inspect.getsource(gateway.DiscordWebSocket.from_client)
    assert Route("GET", "/users/@me").url == f"{Route.BASE}/users/@me"


async def test_the_shards_of_a_client_and_what_happens_to_them_are_where_ours_looks(stage: Stage) -> None:
    client = stage.adapter.client
    assert client is not None
    assert list(client.__dict__["_AutoShardedClient__shards"]) == [0]
    assert isinstance(client.__dict__["_AutoShardedClient__queue"], asyncio.PriorityQueue)
    assert isinstance(client.shards[0]._parent.ws, SessionSocket)
    assert "DiscordWebSocket.from_client(" in inspect.getsource(shard.Shard.reidentify)
    assert "DiscordWebSocket.from_client(" in inspect.getsource(shard.Shard.reconnect)
    await stage.lobby(stage.world.join("ann"))
    assert client.guilds
    client.hold([])
    await stage.until(lambda: not stage.server.gateway.sockets)
    assert list(client.guilds) == [], "a process with no shard keeps no server of others"
    client.hold([0])
    await stage.until(lambda: client.guilds)


def test_what_voice_lacks_is_told_where_it_is_turned_off() -> None:
    assert isinstance(VoiceClient.warn_nacl, bool)
