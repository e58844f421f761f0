"""The carrier goes on by itself after a server that forgets or refuses, and after the errors of others."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.cluster.carrier import Away, Carrier, is_open_to_strangers
from chatbot.kernel.game import Failure
from chatbot.rooms.line import Happening, Occasion
from tests.cluster.processes import (
    PLATFORM,
    eventually,
    home_of,
    processes,
)
from tests.cluster.test_cluster import own_server, people

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from chatbot.cluster.carrier import Carried
    from tests.cluster.test_cluster import NatsServer

_processes = count(1)


class Taker:
    """Takes what is carried, and writes it down."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    async def bring(self, carried: Carried) -> None:
        self.values.append(carried.value)
        await carried.done()


async def _asked(_: object) -> object:
    return None


async def _announced(_: object) -> None:
    pass


@asynccontextmanager
async def carrier(url: str) -> AsyncIterator[Carrier]:
    carrier = Carrier(url, "test", next(_processes))
    await carrier.open(_asked, _announced)
    try:
        yield carrier
    finally:
        await carrier.close()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    pytest.importorskip("nats")
    async with own_server(tmp_path) as server:
        yield server


async def _stream(carrier: Carrier) -> Any:
    assert carrier._js is not None
    return await carrier._js.stream_info("RABBLE-test")


async def test_a_partition_that_another_process_took_by_mistake_is_taken_again(server: NatsServer) -> None:
    """Such as by one that was stopped, and goes on before it learns that the partition is not its own."""
    taker, mistaken = Taker(), Taker()
    async with carrier(server.url) as owner, carrier(server.url) as stopped:
        await owner.take("home-1", taker.bring)
        await owner.take("home-2", taker.bring)
        await owner.verify()
        assert owner.takes("home-1")
        await stopped.take("home-1", mistaken.bring)
        await stopped.leave("home-1")
        await owner.carry("home-1", "a", "to nobody")
        await owner.verify()
        assert not owner.takes("home-1")
        assert owner.takes("home-2")
        await owner.take("home-1", taker.bring)
        await eventually(lambda: taker.values == ["to nobody"])


async def test_a_stream_that_the_server_has_lost_is_made_again(server: NatsServer) -> None:
    taker = Taker()
    async with carrier(server.url) as owner:
        await owner.take("home-1", taker.bring)
        assert owner._js is not None
        await owner._js.delete_stream("RABBLE-test")
        with pytest.raises(Away):
            await owner.carry("home-1", "a", "lost")
        await owner.verify()
        assert not owner.takes("home-1")
        await owner.take("home-1", taker.bring)
        await owner.carry("home-1", "b", "kept")
        await eventually(lambda: taker.values == ["kept"])


async def test_a_stream_that_another_version_has_made_is_gone_on_with(server: NatsServer) -> None:
    async with carrier(server.url) as former:
        assert former._js is not None
        settings = (await _stream(former)).config
        await former._js.update_stream(settings.evolve(max_age=300, discard="old"))
        await former.carry("home-1", "a", "kept")
        taker = Taker()
        async with carrier(server.url) as present:
            assert (await _stream(present)).config.discard == "new"
            await present.take("home-1", taker.bring)
            await eventually(lambda: taker.values == ["kept"])


async def _is_kept(carrier: Carrier, number: int) -> bool:
    try:
        return await carrier.carry("home-1", f"line-{number}", number)
    except Away:
        return False


async def test_a_full_stream_refuses_what_is_new_and_keeps_what_it_has(
    server: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.cluster.carrier.MOST_BYTES", 2000)
    taker = Taker()
    async with carrier(server.url) as owner:
        kept = [number for number in range(20) if await _is_kept(owner, number)]
        assert 0 < len(kept) < 20
        await owner.take("home-1", taker.bring)
        await eventually(lambda: taker.values == kept)


async def test_a_connection_that_the_server_ends_with_an_error_is_opened_again(server: NatsServer) -> None:
    """The client of the library gives up for good at most errors that a server sends."""
    taker = Taker()
    async with carrier(server.url) as owner:
        await owner.take("home-1", taker.bring)
        await owner.carry("home-1", "a", "before")
        client = owner._client
        assert client is not None
        await client._process_err("'Maximum Connections Exceeded'")
        await eventually(lambda: client.is_closed)
        await eventually(lambda: owner.connected)
        assert not owner.takes("home-1")
        await owner.take("home-1", taker.bring)
        await owner.carry("home-1", "b", "after")
        await eventually(lambda: taker.values == ["before", "after"])


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("nats://nats:4222", True),
        ("nats://10.0.0.1", True),
        ("nats://token@nats:4222", False),
        ("tls://rabble:secret@nats", False),
        ("nats://127.0.0.1:4222", False),
        ("nats://localhost", False),
    ],
)
def test_a_server_that_asks_nobody_who_they_are_is_known_by_its_address(url: str, is_open: bool) -> None:
    assert is_open_to_strangers(url) == is_open


async def test_a_wrong_password_is_told_and_not_shown(
    server: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.cluster.carrier.CONNECT_TIMEOUT", 0.5)
    await server.kill()
    await server.start("--user", "rabble", "--pass", "right")
    url = server.url.replace("nats://", "nats://rabble:guessed@")
    with pytest.raises(Failure, match=r"(?i)authorization") as failure:
        await Carrier(url, "test", 1).open(_asked, _announced)
    assert "guessed" not in str(failure.value)
    assert not [each for each in asyncio.all_tasks() if "reconnect" in repr(each)]


class Brought:
    """A line that is brought again, such as after its former owner was lost."""

    parent, id, needs, again = "", "brought", 1, True

    def __init__(self, value: Mapping[str, object]) -> None:
        self.value, self.log = value, list[str]()

    async def done(self) -> None:
        self.log.append("done")

    async def later(self, _: float) -> None:
        self.log.append("later")

    async def working(self) -> None:
        self.log.append("working")


@pytest.mark.postgres
async def test_a_line_that_is_brought_while_nothing_can_be_read_is_answered_later(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_: str) -> bool:
        raise OSError("the database is away")

    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        duty = second.cluster._partition(room)
        line = first.line(room, "bob", "!heist 20")
        value = {
            "line": line,
            "room": (room, room, room, PLATFORM),
            "apart": False,
            "gathers": False,
            "from": first.store.leases.process,
        }
        brought: Any = Brought(value)
        with monkeypatch.context() as patch:
            patch.setattr(second.bot.parts.deduplication, "known", refuse)
            await second.cluster.owning.bring(duty, brought)
        assert brought.log == ["later"]
        assert "the database is away" in str(second.cluster.troubles())
        await second.cluster.owning.bring(duty, brought)
        await eventually(lambda: brought.log == ["later", "done"])
        (table,) = second.bot.rooms[room].tables.values()
        assert people(table) == 2


@pytest.mark.postgres
async def test_a_process_to_which_nothing_is_carried_is_not_ready(own_url: str) -> None:
    async with processes(own_url, 2) as (first, _):
        await eventually(lambda: not first.cluster.troubles())
        await first.cluster.carrier.leave(next(iter(first.cluster.duties.held)))
        assert first.cluster.troubles() == ["what is carried for 1 of its duties does not arrive"]
        await eventually(lambda: not first.cluster.troubles())


@pytest.mark.postgres
async def test_an_event_is_acknowledged_once_it_is_committed(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it is brought again while it is decided, and if the database is away meanwhile."""
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await first.open(room)
        await first.say(room, "ann", "!heist 50")
        duty, begun, end = second.cluster._partition(room), asyncio.Event(), asyncio.Event()

        async def redeem(_: object) -> None:
            begun.set()
            await end.wait()

        async def refuse(_: object, __: object) -> None:
            raise OSError("the database is away")

        address = {"room": (room, room, room, PLATFORM), "from": first.store.leases.process}
        brought: Any = Brought({"redeem": first.line(room, "bob", "!heist 20"), **address})
        with monkeypatch.context() as patch:
            patch.setattr(second.bot.redemptions, "redeem", redeem)
            await second.cluster.owning.bring(duty, brought)
            await begun.wait()
            await second.cluster.owning.bring(duty, brought)
            assert brought.log == ["working"]
            end.set()
            await eventually(lambda: brought.log == ["working", "done"])
        raid: Any = Brought({"occasion": Occasion("raid-1", room, Happening.RAID, None, "", 5), **address})
        with monkeypatch.context() as patch:
            patch.setattr("chatbot.bot.channel_events.carry_out", refuse)
            await second.cluster.owning.bring(duty, raid)
            await eventually(lambda: raid.log == ["later"])
        await second.cluster.owning.bring(duty, raid)
        await eventually(lambda: raid.log == ["later", "done"])
