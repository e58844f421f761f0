"""The fake of Twitch's id server on a free port, and what asks it."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest
from aiohttp import web

from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import Key, KeyRing
from cogs.twitch.authority import BOT_SCOPES, TwitchAuthority
from cogs.twitch.endpoints import TwitchEndpoints
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET, Authority

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@asynccontextmanager
async def listening(routes: list[web.RouteDef]) -> AsyncIterator[str]:
    """Serve routes on a free port, and give the address with a slash at its end."""
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@pytest.fixture
def twitch() -> Authority:
    return Authority()


@pytest.fixture
async def id_base(twitch: Authority) -> AsyncIterator[str]:
    async with listening(twitch.routes) as address:
        yield address


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
def discretion() -> Discretion:
    return Discretion()


@pytest.fixture
def ring(tmp_path: Path, discretion: Discretion) -> KeyRing:
    return KeyRing(tmp_path / "data" / "keys.json", discretion)


@pytest.fixture
def authority(
    session: aiohttp.ClientSession, ring: KeyRing, discretion: Discretion, id_base: str
) -> TwitchAuthority:
    return TwitchAuthority(
        CLIENT_ID, CLIENT_SECRET, session, ring, discretion, TwitchEndpoints(id=f"{id_base}oauth2")
    )


def connected(twitch: Authority, ring: KeyRing) -> Key:
    """Give the ring the bot's key, as `chatbot connect` does."""
    token = twitch.issue("1", BOT_SCOPES)
    key = Key("1", "rabblebot", token.access, token.refresh, BOT_SCOPES, token.ends, frozenset({"bot"}))
    ring.put(key)
    return key


@contextmanager
def unwritable(ring: KeyRing) -> Iterator[None]:
    """Take the lock's place, which stops root too."""
    lock = Path(f"{ring.path}-lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    yield
    lock.rmdir()
