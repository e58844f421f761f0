"""Two processes on one database: what one hears for a room of the other is answered once, whoever ends."""

from __future__ import annotations

import asyncio
import shutil
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.cluster.forwarding import MOMENT
from chatbot.cluster.services import Service
from chatbot.kernel.game import Failure, Role
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Message
from chatbot.ledger.store.leases import LEASE
from chatbot.ledger.store.store import Store, StoreError
from chatbot.rooms.channel import Channel
from chatbot.rooms.room import Room
from chatbot.speech.safe import plain
from tests.cluster.processes import (
    MANNER,
    Process,
    eventually,
    home_of,
    processes,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from chatbot.cluster.carrier import Carried
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.postgres

JOINED = "You are in with 20 credits."


def people(table: Table) -> int:
    """Count who plays, without players of the house."""
    return sum(not of_house(each) for each in table.seated)


async def test_what_is_heard_for_a_room_of_another_process_is_answered_here(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        assert not first.runs(room)
        assert await first.say(room, "ann", "!credits") == ["ann has 240 credits."]
        opening = await first.say(room, "ann", "!heist 50")
        assert "stakes 50 credits" in opening[0]
        assert JOINED in await first.say(room, "bob", "!heist 20")
        assert second.runs(room)
        assert len(second.bot.rooms[room].tables) == 1
        assert first.bot.rooms[room].tables == {}
        # What the room says by itself is said by who hears it.
        await eventually(lambda: any("New to Bank Heist?" in each for each in first.notebook.texts))
        assert second.notebook.texts == []


@pytest.mark.parametrize("ghost", ["before", "after"])
async def test_of_two_that_have_carried_a_line_whoever_waits_gets_the_answer(
    own_url: str, monkeypatch: pytest.MonkeyPatch, ghost: str
) -> None:
    """The copy of one that has ended may come after that of the one that waits, or before."""
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        assert await first.say(room, "bob", "!credits") == ["bob has 240 credits."]
        bring, owning = second.cluster.owning._bring_line, second.cluster.owning
        ended, brought = 4711, list[str]()

        async def bring_two(carried: Carried, value: Mapping[str, Any]) -> None:
            brought.append(value["line"].id)
            values = [value, {**value, "from": ended}]
            for each in values if ghost == "after" else reversed(values):
                await bring(carried, each)

        monkeypatch.setattr(owning, "_bring_line", bring_two)
        async with asyncio.timeout(10):
            assert await first.say(room, "ann", "!credits") == ["ann has 240 credits."]
        assert len(brought) == 1
        await eventually(lambda: not owning._working)


async def test_a_line_that_two_processes_hear_counts_once(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        line = first.line(room, "bob", "!heist 20")
        first_replies, again = await asyncio.gather(first.bot.hear(line), first.bot.hear(line))
        assert [first_replies.taken, again.taken] == [True, False]
        assert await second.bot.parts.deduplication.known(line.id)
        assert "bob has 220 credits." in await first.say(room, "bob", "!credits")


async def test_whoever_ends_in_order_is_followed_at_once_and_its_tables_go_on(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        loop = asyncio.get_running_loop()
        began = loop.time()
        await second.leave()
        await eventually(lambda: first.runs(room), 2.0)
        assert loop.time() - began < 2.0
        assert JOINED in await first.say(room, "bob", "!heist 20")
        assert len(first.bot.rooms[room].tables) == 1


async def test_lines_that_come_during_a_handover_are_answered_by_the_successor(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        rooms = [home_of(second, skip) for skip in range(4)]
        for room in rooms:
            await first.open(room)
            await first.say(room, "ann", "!heist 50")
        speaking = [
            asyncio.create_task(first.say(room, f"bob{number}", "!heist 20"))
            for number in range(10)
            for room in rooms
        ]
        await asyncio.sleep(0.02)
        await second.leave()
        answers = await asyncio.gather(*speaking)
        assert all(JOINED in answer for answer in answers)
        await eventually(lambda: all(map(first.runs, rooms)))
        for room in rooms:
            (table,) = first.bot.rooms[room].tables.values()
            assert people(table) == 11


async def test_a_process_that_hears_for_itself_hands_over_what_waits(own_url: str) -> None:
    """Its own lines, which no stream has, are carried to the successor, whose answers come back."""
    async with processes(own_url, 2) as (first, second):
        room = home_of(first)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        speaking = [asyncio.create_task(first.say(room, f"bob{number}", "!heist 20")) for number in range(20)]
        await asyncio.sleep(0)
        await first.cluster.leave()
        assert all(await asyncio.gather(*speaking))
        await eventually(lambda: room in second.bot.rooms and second.runs(room))
        (table,) = second.bot.rooms[room].tables.values()
        assert people(table) == 21


async def test_a_killed_process_is_followed_within_its_lease_and_nothing_counts_twice(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        await second.die()
        loop = asyncio.get_running_loop()
        began = loop.time()
        speaking = asyncio.create_task(first.say(room, "bob", "!heist 20"))
        await eventually(lambda: first.runs(room), LEASE + 2.0)
        assert loop.time() - began < LEASE + 2.0
        assert JOINED in await speaking
        assert "bob has 220 credits." in await first.say(room, "bob", "!credits")


async def test_a_setting_is_known_to_all_processes(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        line = replace(first.line(room, "mod", "!set room language ko"), role=Role.MODERATOR)
        await first.bot.hear(line)
        assert second.bot.rooms[room].settings("room") == {"language": "ko"}
        await eventually(lambda: first.bot.rooms[room].settings("room") == {"language": "ko"})


async def test_who_can_take_homes_gets_a_fair_part_of_those_that_are_played_in(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        rooms = [f"room-{number}" for number in range(12)]
        for room in rooms:
            await first.open(room)
            await first.say(room, "ann", "!heist 50")
        third = await Process.start(own_url)
        try:
            await eventually(lambda: len(third.cluster.duties.held) >= 15)
            bots = [each.bot.rooms for each in (first, second, third)]

            def runners(room: str) -> int:
                return sum(room in each and not each[room].elsewhere for each in bots)

            await eventually(lambda: all(runners(room) == 1 for room in rooms))
            for room in rooms:
                assert JOINED in await first.say(room, "bob", "!heist 20")
        finally:
            await third.leave()


async def test_while_nats_is_away_own_rooms_go_on_and_others_take_a_moment(
    own_url: str, tmp_path: Path
) -> None:
    async with own_server(tmp_path) as server, processes(own_url, 2, server.url) as (first, second):
        own, others = home_of(first), home_of(second)
        for room in (own, others):
            await first.open(room)
            await first.say(room, "ann", "!heist 50")
        await server.kill()
        await eventually(lambda: not first.cluster.carrier.connected)
        assert JOINED in await first.say(own, "bob", "!heist 20")
        speaking = [
            asyncio.create_task(first.say(others, f"bob{number}", "!heist 20")) for number in range(3)
        ]
        moment = first.bot.outbox.text(Message(MOMENT), plain, first.bot.rooms[others])
        await eventually(lambda: moment in first.notebook.texts)
        await server.start()
        for answer in await asyncio.gather(*speaking):
            assert JOINED in answer
        assert first.notebook.texts.count(moment) == 1
        (table,) = second.bot.rooms[others].tables.values()
        assert people(table) == 4


async def test_lines_that_wait_outlive_the_server_of_nats(own_url: str, tmp_path: Path) -> None:
    """What was kept before the server was killed is answered once it is back, by whoever runs the room."""
    async with own_server(tmp_path) as server, processes(own_url, 2, server.url) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        await second.die()
        speaking = asyncio.create_task(first.say(room, "bob", "!heist 20"))
        await eventually(lambda: first.cluster.forwarding.carried == 2)
        await server.kill()
        await server.start()
        assert JOINED in await speaking


async def test_a_platform_is_heard_by_the_successor_before_who_ends_leaves_it(
    own_url: str,
) -> None:
    """So no line is lost that a socket of either receives; what both receive has one id."""
    events, ready = list[str](), set[str]()

    def service(name: str) -> Service:
        async def begin() -> None:
            await asyncio.sleep(0.3)  # a platform takes its time to connect
            events.append(f"{name} hears")
            ready.add(name)

        async def end() -> None:
            events.append(f"{name} leaves")
            ready.discard(name)

        return Service(begin, end, lambda: name in ready)

    first = await Process.start(own_url, services={"hear-chat": service("first")})
    await eventually(lambda: "first" in ready)
    second = await Process.start(own_url, services={"hear-chat": service("second")})
    try:
        await first.open(room := "room-1")
        await first.say(room, "ann", "!heist 50")
        await first.leave()
        assert events[-2:] == ["second hears", "first leaves"]
    finally:
        await second.leave()


async def test_who_hears_a_channel_goes_on_though_others_tell_late_that_they_do(own_url: str) -> None:
    """Else nobody would answer who seeks the channel, and whoever runs its room could not open it."""

    async def nothing() -> None:
        """The platform is connected."""

    async with processes(own_url, 2) as (first, second):
        await first.cluster.serve("hear-chat", Service(nothing, nothing))
        await eventually(lambda: first.cluster.does("hear-chat"))
        room = home_of(second)
        await first.open(room)
        # What the process before has told: as it came while the room was opened, and after that.
        channel = Channel(room, "chat", first.cluster._remote(7), MANNER, heard=False)
        await first.bot.open(Room(room, room, (channel,)))
        await first.cluster._announced(
            {"heard": (room, room, room, "chat"), "manner": MANNER, "from": second.store.leases.process}
        )
        assert first.bot.rooms.hears(room)
        assert "stakes 20 credits" in " ".join(await first.say(room, "ann", "!heist 20"))


async def test_a_second_process_without_nats_is_told_what_is_missing(own_url: str) -> None:
    store, second = await Store.open(own_url), await Store.open(own_url)
    try:
        await store.leases.take("room")
        taking = asyncio.create_task(second.leases.take("room"))
        while not taking.done():
            await store.leases.renew()
        with pytest.raises(StoreError, match="CHATBOT_NATS_URL"):
            await taking
    finally:
        await store.close()
        await second.close()


async def test_an_address_at_which_no_nats_answers_is_told(own_url: str) -> None:
    with pytest.raises(Failure, match=r"CHATBOT_NATS_URL.*nats-server -js"):
        await Process.start(own_url, "nats://127.0.0.1:9")


class NatsServer:
    """A NATS server of a test, which may kill it and start it again at the same address."""

    def __init__(self, binary: str, port: int, folder: Path) -> None:
        self.port, self.url = port, f"nats://127.0.0.1:{port}"
        self._command = (binary, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", str(folder))
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, *arguments: str) -> None:
        null = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            *self._command, *arguments, stdout=null, stderr=null
        )
        async with asyncio.timeout(5):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    return
                await asyncio.sleep(0.05)

    async def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def own_server(folder: Path) -> AsyncIterator[NatsServer]:
    """Lend a server that stores in a folder."""
    binary = shutil.which("nats-server")
    if binary is None:
        pytest.skip("there is no nats-server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = NatsServer(binary, port, folder)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()
