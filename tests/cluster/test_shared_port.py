"""Of several programs on one machine one listens, and the next follows when that has ended."""

from __future__ import annotations

import asyncio
import signal
import socket
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from tests.cluster.sharded import cluster

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

SPOKEN = "Another process of this bot serves the page on this machine"


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


async def reached(session: aiohttp.ClientSession, port: int) -> bool:
    try:
        async with session.get(f"http://127.0.0.1:{port}/reached") as answer:
            return bool((await answer.json())["program"] == "rabble")
    except aiohttp.ClientConnectionError:
        return False


async def greeted(session: aiohttp.ClientSession, port: int) -> dict[str, Any]:
    """Open the local page until it is shown a room, and return what it is told first."""
    while True:
        try:
            headers = {"Origin": f"http://127.0.0.1:{port}"}
            async with session.ws_connect(f"http://127.0.0.1:{port}/socket", headers=headers) as wire:
                hello: dict[str, Any] = await wire.receive_json(timeout=5.0)
                return hello
        except (aiohttp.ClientError, TypeError, TimeoutError):
            await asyncio.sleep(0.1)


async def test_another_program_takes_the_port_of_one_that_was_killed(tmp_path: Path) -> None:
    port = free_port()
    async with cluster(tmp_path) as made, aiohttp.ClientSession() as session:
        settings = {"CHATBOT_PAGE": "yes", "CHATBOT_PORT": str(port)}
        first = await made.start(**settings)
        await made.until(lambda: "Rabble is listening" in first.said)
        second = await made.start(**settings)
        await made.until(lambda: SPOKEN in second.said)
        assert "Rabble is listening" not in second.said
        assert (await asyncio.wait_for(greeted(session, port), 20.0))["type"] == "hello"
        await first.end(signal.SIGKILL)
        seconds = await made.until(lambda: "Rabble is listening" in second.said)
        assert seconds < 5.0
        assert await reached(session, port)
        # The local chat follows, too, which is dealt to one of them.
        assert (await asyncio.wait_for(greeted(session, port), 20.0))["type"] == "hello"
        third = await made.start(**settings)
        await made.until(lambda: SPOKEN in third.said)
        await second.end()
        await made.until(lambda: "Rabble is listening" in third.said, 10.0)
        assert third.said.count(SPOKEN) == 1
        assert await reached(session, port)
