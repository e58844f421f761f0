"""The programs of the documentation run as printed, against stand-ins that speak the documented protocols.

obs-websocket 5.0: Hello (0), Identify (1), Identified (2), Request (6), RequestResponse (7), and the string
by which a client proves that it knows the password. Streamer.bot: `POST /DoAction`, answered by 204. Firebot:
its effect HTTP Request sends what its fields say.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import WSMsgType, web

from tests.documentation import page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.web.desk.site import Program, Site


def blocks(name: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page(name), re.DOTALL)


@asynccontextmanager
async def running(block: str, program: Program, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {
        **os.environ,
        "RABBLE": program.address,
        "RABBLE_ROOM": program.room,
        "RABBLE_TOKEN": program.token,
        **more,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", block, env=environment, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def proof(password: str, salt: str, challenge: str) -> str:
    """Return what obs-websocket expects of a client, written from its protocol.md."""
    secret = base64.b64encode(hashlib.sha256((password + salt).encode()).digest())
    return base64.b64encode(hashlib.sha256(secret + challenge.encode()).digest()).decode()


@dataclass
class StandIn:
    """OBS and Streamer.bot, as programs meet them."""

    password: str = "supersecretpassword"  # noqa: S105  (of the example in protocol.md)
    scenes: list[str] = field(default_factory=list)
    actions: list[Any] = field(default_factory=list)
    identified: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    async def obs(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        salt = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI="
        challenge = "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY="
        asked = {"challenge": challenge, "salt": salt}
        hello = {"obsWebSocketVersion": "5.0.0", "rpcVersion": 1, "authentication": asked}
        await socket.send_json({"op": 0, "d": hello})
        identity = await socket.receive_json()
        assert identity["op"] == 1
        if identity["d"].get("authentication") != proof(self.password, salt, challenge):
            await socket.close(code=4009, message=b"Authentication failed.")
            return socket
        await socket.send_json({"op": 2, "d": {"negotiatedRpcVersion": identity["d"]["rpcVersion"]}})
        self.identified.set()
        async for frame in socket:
            assert frame.type is WSMsgType.TEXT
            await socket.send_json(self._change(frame.json()))
        return socket

    def _change(self, asked: Any) -> Any:
        assert asked["op"] == 6
        wanted = asked["d"]
        assert wanted["requestType"] == "SetCurrentProgramScene"
        self.scenes.append(wanted["requestData"]["sceneName"])
        told = {"requestType": wanted["requestType"], "requestId": wanted["requestId"]}
        return {"op": 7, "d": {**told, "requestStatus": {"result": True, "code": 100}}}

    async def do_action(self, request: web.Request) -> web.StreamResponse:
        self.actions.append(await request.json())
        return web.Response(status=204)


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    stand_in, application = StandIn(), web.Application()
    application.router.add_get("/", stand_in.obs)
    application.router.add_post("/DoAction", stand_in.do_action)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    stand_in.port = runner.addresses[0][1]
    yield stand_in
    await runner.cleanup()


@pytest.fixture
async def program(site: Site) -> Program:
    await site.both.chat("bob", "!credits")
    owner = await site.operator()
    assert (await owner.use(site.twitch_room, "grant", "bob 5000 for many heists"))[1]["done"]
    return await site.program(owner, site.twitch_room, "events", "read", "play")


async def heist(site: Site) -> str:
    """Play a heist, and return how it ended for bob."""
    told = await site.both.chat("bob", "!heist 50")
    room = site.bot.rooms[site.twitch_room]
    assert "heist" in room.tables, told
    table = room.tables["heist"]
    while not table.over:
        await site.both.discord.turn(table.clock.seconds if table.clock else 1)
    await site.both.discord.turn(1000)  # until the next one may be opened
    return table.id


async def test_the_proof_is_that_of_the_example_of_obs_websocket() -> None:
    salt, challenge = (
        "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=",
        "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=",
    )
    expected = "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="
    assert proof("supersecretpassword", salt, challenge) == expected


async def test_a_won_heist_changes_the_scene_of_obs(site: Site, program: Program, stand_in: StandIn) -> None:
    more = {"OBS": f"ws://127.0.0.1:{stand_in.port}", "OBS_PASSWORD": stand_in.password, "OBS_SCENE": "Party"}
    async with running(blocks("program/recipes", "python")[0], program, **more):
        await asyncio.wait_for(stand_in.identified.wait(), 60)
        await site.both.discord.until(lambda: bool(site.bot.events.to(site.bot.rooms[site.twitch_room])))
        for _ in range(25):
            await heist(site)
            if stand_in.scenes:
                break
        await site.both.discord.until(lambda: bool(stand_in.scenes))
    assert set(stand_in.scenes) == {"Party"}


async def test_obs_lets_nobody_in_without_the_password(
    site: Site, program: Program, stand_in: StandIn
) -> None:
    more = {"OBS": f"ws://127.0.0.1:{stand_in.port}", "OBS_PASSWORD": "guess", "OBS_SCENE": "Party"}
    async with running(blocks("program/recipes", "python")[0], program, **more) as process:
        assert await asyncio.wait_for(process.wait(), 60) != 0
    assert not stand_in.identified.is_set()


async def test_a_settled_table_runs_an_action_of_streamer_bot(
    site: Site, program: Program, stand_in: StandIn
) -> None:
    room = site.bot.rooms[site.twitch_room]
    before = len(site.bot.events.to(room))
    more = {"STREAMER_BOT": f"http://127.0.0.1:{stand_in.port}", "ACTION": "Heist over"}
    async with running(blocks("program/recipes", "python")[1], program, **more):
        await site.both.discord.until(lambda: len(site.bot.events.to(room)) > before)
        await heist(site)
        await site.both.discord.until(lambda: bool(stand_in.actions))
    (action,) = stand_in.actions
    assert (action["action"], action["args"]["game"]) == ({"name": "Heist over"}, "heist")


async def test_a_command_of_firebot_opens_a_game_once(site: Site) -> None:
    """As its effect HTTP Request sends the fields of the recipe, with its variables replaced."""
    from chatbot.kernel.game import Role  # noqa: PLC0415
    from tests.web.desk.test_matrix import logged_in  # noqa: PLC0415  (which reads pages, too)

    program = await site.program(await logged_in(site, Role.BROADCASTER), site.twitch_room, "play")
    (recipe,) = blocks("program/recipes", "text")
    replaced = {"$username": "ann", "$unixTimestamp": "1764400000"}  # by Firebot; the others by hand
    by_hand = {"ROOM": program.room, "TOKEN": program.token, "http://127.0.0.1:8765": program.address}
    for name, value in (replaced | by_hand).items():
        recipe = recipe.replace(name, value)
    head, _, body = recipe.partition("\n\n")
    first, *lines = head.splitlines()
    method, address = first.split()
    headers = dict(line.split(": ", 1) for line in lines)
    for _ in range(2):  # the second time it is the same change
        async with program.session.request(method, address, headers=headers, data=body.strip()) as answer:
            assert answer.status == 200
            assert (await answer.json())["done"]
    assert [table.kit.name for table in site.bot.rooms[site.twitch_room].tables.values()] == ["heist"]


async def test_the_client_of_the_documentation_runs_as_printed(site: Site) -> None:
    from chatbot.kernel.game import Role  # noqa: PLC0415
    from tests.web.desk.test_matrix import logged_in  # noqa: PLC0415  (as above)

    await site.both.chat("bob", "!credits")
    program = await site.program(await logged_in(site, Role.BROADCASTER), site.twitch_room, "read", "play")
    (client,) = blocks("program/api", "python")
    assert len([line for line in client.splitlines() if line.strip()]) <= 20
    async with running(client, program) as process:
        out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0
    assert "Bob" in out.decode()
    assert [table.kit.name for table in site.bot.rooms[site.twitch_room].tables.values()] == ["heist"]
