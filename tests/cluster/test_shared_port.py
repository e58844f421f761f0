"""Of several programs on one machine one listens, and the next follows when that has ended."""

from __future__ import annotations

import asyncio
import signal
import socket
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from chatbot.cli.status import read_status
from tests.cluster.sharded import cluster

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.sharded import Cluster, Program

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


async def owner_of_the_local_chat(made: Cluster) -> Program:
    async with asyncio.timeout(30.0):
        while True:
            labels = [each.label for each in (await read_status(made.url)).processes if "page" in each.duties]
            for each in made.programs:
                if any(label.startswith(f"process {each.process.pid} ") for label in labels):
                    return each
            await asyncio.sleep(0.2)


async def test_a_page_shows_nothing_of_a_program_that_stands_still(tmp_path: Path) -> None:
    async with cluster(tmp_path) as made, aiohttp.ClientSession() as session:
        ports = [free_port(), free_port()]
        for port in ports:
            await made.start(CHATBOT_PAGE="yes", CHATBOT_PORT=str(port))
        await made.until(lambda: all("Rabble is listening" in each.said for each in made.programs))
        owner = await owner_of_the_local_chat(made)
        port = ports[1 - made.programs.index(owner)]  # that of the other one
        await asyncio.wait_for(greeted(session, port), 20.0)
        address, headers = f"http://127.0.0.1:{port}", {"Origin": f"http://127.0.0.1:{port}"}
        async with session.ws_connect(f"{address}/socket/events", headers=headers) as wire:
            assert (await wire.receive_json(timeout=5.0))["kind"] == "picture"
            owner.process.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(12.0):
                while (await wire.receive()).type is aiohttp.WSMsgType.TEXT:
                    pass
            assert wire.close_code == 1012
        # The other one runs it by now, whatever who stood still believes when it goes on.
        assert (await asyncio.wait_for(greeted(session, port), 30.0))["type"] == "hello"
        owner.process.send_signal(signal.SIGCONT)
        await asyncio.sleep(2.0)
        assert await owner_of_the_local_chat(made) is not owner
        async with session.ws_connect(f"{address}/socket/events", headers=headers) as wire:
            assert (await wire.receive_json(timeout=5.0))["kind"] == "picture"
