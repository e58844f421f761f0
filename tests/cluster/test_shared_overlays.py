"""Overlays, and programs that follow events, show a room at every process, whichever of them runs it."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from chatbot.kernel.game import Role
from tests.cluster.processes import eventually, home_of
from tests.cluster.sites import sites

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.cluster.sites import SharedSite
    from tests.web.desk.site import Program

pytestmark = pytest.mark.postgres


class Shown:
    """What an overlay shows, which connects again whenever its connection ends."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        self._connect = connect
        self.events: list[dict[str, Any]] = []
        self.codes: list[int | None] = []  # with which connections ended
        self.tables: dict[str, Any] = {}

    async def run(self) -> None:
        while True:
            try:
                async with self._connect() as wire:
                    async for frame in wire:
                        self._take(json.loads(frame.data))
                    self.codes.append(wire.close_code)
            except aiohttp.WSServerHandshakeError as error:
                self.codes.append(error.status)
            await asyncio.sleep(0.1)

    def _take(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        if event["kind"] == "picture":
            self.tables = {each["id"]: each for each in event["tables"]}
        elif event["kind"] in {"opened", "changed"}:
            self.tables[event["table"]["id"]] = event["table"]

    @property
    def players(self) -> list[int]:
        """How many players each table has that is shown."""
        return [len(each["seats"]) for each in self.tables.values()]


@asynccontextmanager
async def overlay(site: SharedSite, room: str) -> AsyncIterator[Shown]:
    """Open the overlay of a room at the public pages of a process."""
    key = await site.bot.parts.overlay_keys.of(room)
    browser = site.elsewhere()
    shown = Shown(
        lambda: browser.session.ws_connect(f"{browser.address}/overlay/{key}/events", headers=browser.headers)
    )
    running = asyncio.ensure_future(shown.run())
    try:
        yield shown
    finally:
        running.cancel()
        await asyncio.wait([running])


async def moved_room(first: SharedSite, second: SharedSite) -> str:
    """Open a room that the second process runs and the first one hears, with a table."""
    room = home_of(second.process)
    await first.process.open(room)
    await first.process.say(room, "ann", "!heist 50")
    await eventually(lambda: room in second.bot.rooms and second.process.runs(room))
    return room


async def test_an_overlay_shows_a_room_that_another_process_runs(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        async with overlay(first, room) as away, overlay(second, room) as local:
            await eventually(lambda: bool(away.events and local.events))
            assert away.events[0]["kind"] == "picture"
            await first.process.say(room, "bob", "!heist 50")
            await first.process.say(room, "eve", "!heist 50")
            await eventually(lambda: away.tables == local.tables and local.events[-1] == away.events[-1])
            assert sum(away.players) >= 3
            assert away.codes == local.codes == []


async def test_an_overlay_follows_its_room_and_shows_it_at_the_next_owner(own_url: str) -> None:
    async with sites(own_url, 3) as (first, second, third):
        room = await moved_room(first, second)
        async with overlay(first, room) as shown, overlay(third, room) as other:
            await eventually(lambda: bool(shown.tables and other.tables))
            (table,) = shown.tables
            events = len(shown.events)
            await second.leave()
            # To the process of the one overlay, or of the other: it is shown by both in any case.
            await eventually(lambda: len(shown.events) > events and True, 10.0)
            await eventually(lambda: first.process.runs(room) or third.process.runs(room))
            await first.process.say(room, "bob", "!heist 50")
            owner = first if first.process.runs(room) else third
            (standing,) = owner.bot.rooms[room].tables.values()
            assert standing.id == table
            await eventually(lambda: shown.tables == other.tables and sum(shown.players) >= 2, 10.0)
            assert {*shown.codes} <= {1012, 503}


async def test_an_overlay_shows_its_room_again_when_its_process_is_killed(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        async with overlay(first, room) as shown:
            await eventually(lambda: bool(shown.tables))
            events = len(shown.events)
            loop = asyncio.get_running_loop()
            began = loop.time()
            await second.die()
            await eventually(lambda: first.process.runs(room) and len(shown.events) > events, 20.0)
            assert loop.time() - began < 15.0
            await first.process.say(room, "bob", "!heist 50")
            await eventually(lambda: sum(shown.players) >= 2)


async def test_a_key_that_is_replaced_closes_an_overlay_at_every_process(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        async with overlay(first, room) as shown:
            await eventually(lambda: bool(shown.events))
            await first.bot.hear(first.process.line(room, "boss", "!overlay new", role=Role.BROADCASTER))
            await first.bot.hear(first.process.line(room, "boss", "!yes", role=Role.BROADCASTER))
            await eventually(lambda: 4001 in shown.codes)
            await eventually(lambda: 404 in shown.codes)


async def test_programs_follow_a_room_that_another_process_runs(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        moderator = await first.moderator("mod", {room: Role.BROADCASTER})
        program = await first.program(moderator, room, "events")
        async with following(program) as wire:
            assert json.loads((await wire.receive()).data)["kind"] == "picture"
            await first.process.say(room, "bob", "!heist 50")
            assert json.loads((await wire.receive()).data)["kind"] == "changed"
            (token,) = (await moderator.get(f"/api/1/rooms/{room}/tokens"))[1]
            csrf = {"X-Rabble-Csrf": moderator.csrf}
            status, _ = await moderator._ask(
                "DELETE",
                f"/api/1/rooms/{room}/tokens/{token['id']}",
                {},
                {"Origin": moderator.origin, **csrf},
            )
            assert status == 200
            while (frame := await wire.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
            assert wire.close_code == 4001, frame
        reader = await first.program(moderator, room, "read")
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with following(reader):
                pass
        assert refused.value.status == 403
        reader.token = reader.token[:-1]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with following(reader):
                pass
        assert refused.value.status == 401


def following(program: Program) -> Any:
    headers = {"Authorization": f"Bearer {program.token}", "Host": "games.example"}
    address = f"{program.address}/api/1/rooms/{program.room}/events"
    return program.session.ws_connect(address, headers=headers)


async def test_the_local_page_is_that_of_the_process_to_which_it_is_dealt(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        for each in (first, second):
            await each.serve_page()
        await eventually(lambda: any("local" in each.bot.rooms for each in (first, second)))
        owner, other = (first, second) if "local" in first.bot.rooms else (second, first)
        browser = other.here()
        headers = {"Origin": browser.origin}
        async with browser.session.ws_connect(f"{browser.address}/socket", headers=headers) as wire:
            assert (await wire.receive_json())["type"] == "hello"
            await wire.send_json({"type": "enter", "name": "Ann", "role": "broadcaster"})
            while (message := await wire.receive_json())["type"] != "entered":
                pass
            assert message["name"] == "Ann"
            await wire.send_json({"type": "say", "seat": message["seat"], "text": "!heist 50"})
            await eventually(lambda: bool(owner.bot.rooms["local"].tables))
        # A stranger who comes by the network is let in nowhere, wherever the chat runs.
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with browser.session.ws_connect(
                f"{browser.address}/socket", headers={**headers, "X-Forwarded-For": "203.0.113.7"}
            ):
                pass
        assert refused.value.status == 401
