"""What the adapter takes from twitchio besides what it documents, and that it is all still there.

Each of these may change with any version of the library (`twitchio>=3.3,<4`); a test here fails then. Nothing
of the library's WebSockets, conduits or token store is used: see `cogs/twitch/eventsub.py` and `api.py`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING

import pytest
import twitchio
from twitchio import http
from twitchio.authentication.oauth import OAuth
from twitchio.authentication.tokens import ManagedHTTPClient
from twitchio.client import Client
from twitchio.eventsub import SubscriptionType
from twitchio.eventsub.subscriptions import _SUB_MAPPING
from twitchio.ext import commands
from twitchio.models.eventsub_ import create_event_instance

from cogs.twitch import bot
from cogs.twitch.api import Api
from cogs.twitch.bot import EVENTS, WebsocketBot
from cogs.twitch.conduit import ConduitBot

if TYPE_CHECKING:
    from types import ModuleType

OVERRIDDEN = {"close", "process_commands", "save_tokens", "request"}
"""Documented, or public by name."""
PUT_IN_PLACE = {"_http", "_should_close"}
"""Private, and set on purpose: each has a test here."""


def test_events_have_the_names_that_the_library_gives_them() -> None:
    for kind, name in EVENTS.items():
        assert _SUB_MAPPING.get(kind, kind.removeprefix("channel.")).replace(".", "_") == name
        assert SubscriptionType(kind).value == kind


def test_an_event_is_made_of_a_whole_frame() -> None:
    assert list(inspect.signature(create_event_instance).parameters)[:2] == ["event_type", "raw_data"]
    assert "http" in inspect.signature(create_event_instance).parameters
    assert list(inspect.signature(Client.dispatch).parameters) == ["self", "event", "payload"]


def test_a_client_asks_by_the_http_client_that_is_put_in_its_place() -> None:
    assert "self._http = ManagedHTTPClient(" in inspect.getsource(Client.__init__)
    assert "await self._http.close()" in inspect.getsource(Client.close)


def test_requests_pass_by_what_would_renew_keys_in_another_way() -> None:
    assert ManagedHTTPClient.__mro__[1:] == (OAuth, http.HTTPClient, object)
    assert "request" not in vars(OAuth)
    assert "_should_close" in inspect.getsource(http.HTTPClient)
    assert list(inspect.signature(http.HTTPClient.request).parameters) == ["self", "route"]
    assert http.Route("GET", "users", token_for=None).token_for == str(None)


def test_signing_in_without_keys_reads_and_keeps_none() -> None:
    assert {"token", "load_tokens", "save_tokens"} <= set(inspect.signature(Client.login).parameters)


@pytest.mark.parametrize("kind", [WebsocketBot, ConduitBot, Api])
def test_nothing_private_of_the_library_is_overridden(kind: type) -> None:
    own = [each for each in kind.__mro__ if each.__module__.startswith("cogs.")]
    theirs = {name for each in kind.__mro__ if each.__module__.startswith("twitchio") for name in vars(each)}
    overridden = {name for each in own for name in vars(each)} & theirs
    assert {each for each in overridden if not each.startswith("__")} <= OVERRIDDEN


@pytest.mark.parametrize("kind", [WebsocketBot, ConduitBot, Api])
def test_nothing_private_of_the_library_is_overwritten_in_an_object(kind: type) -> None:
    """A version that keeps something under a name that is ours would find there what is not its own."""
    ours, theirs = (set_by(kind, package) for package in ("cogs.", "twitchio"))
    methods = {name for each in kind.__mro__ if each.__module__.startswith("cogs.") for name in vars(each)}
    assert (ours | methods) & theirs <= PUT_IN_PLACE
    assert PUT_IN_PLACE & ours & theirs, "they are still there"


def set_by(kind: type, package: str) -> set[str]:
    """List what the classes of a package set in their objects."""
    classes = [each for each in kind.__mro__ if each.__module__.startswith(package)]
    nodes = [
        node
        for each in classes
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(each))))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    return {each.attr for each in nodes if isinstance(each.value, ast.Name) and each.value.id == "self"}


def test_the_adapter_opens_no_socket_of_the_library() -> None:
    module: ModuleType = bot
    assert "websockets" not in inspect.getsource(module)
    assert not issubclass(ConduitBot, commands.AutoBot)
    assert twitchio.__version__.startswith("3.")
