"""No visitor of the web server takes all connections, keeps one without a request, or occupies the loop."""

from __future__ import annotations

import asyncio
import time
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from aiohttp import WSCloseCode, WSMsgType

from chatbot.web import connections
from chatbot.web.connections import visitor
from chatbot.web.overlay import MOST_ASKED
from chatbot.web.session import BURST, MOST_EXCESS
from tests.web.conftest import PATIENCE, Page, Site

if TYPE_CHECKING:
    from aiohttp import ClientSession

SLOW = b"GET / HTTP/1.1\r\nHost: "  # headers that never end


class Visitor:
    """One connection, from an address of this machine that stands for another machine or for itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def of(cls, site: Site, address: str = "127.0.0.1", sends: bytes = SLOW) -> Visitor:
        found = await asyncio.open_connection("127.0.0.1", site.server.port, local_addr=(address, 0))
        self = cls(*found)
        self.writer.write(sends)
        return self

    async def answer(self) -> bytes:
        """Return all that comes until the server closes the connection."""
        try:
            return await asyncio.wait_for(self.reader.read(), PATIENCE)
        except ConnectionResetError:
            return b""

    async def status(self, site: Site) -> bytes:
        """Ask for a file, and return the first line of the answer."""
        self.writer.write(f"GET /static/logo.svg HTTP/1.1\r\nHost: {site.host}\r\n\r\n".encode())
        return await asyncio.wait_for(self.reader.readline(), PATIENCE)

    def close(self) -> None:
        self.writer.transport.abort()


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only 127.0.0.1 be this machine, and 127.0.0.2 and on others."""
    monkeypatch.setattr(connections, "is_loopback", lambda address: address == "127.0.0.1")


def _connections(site: Site) -> connections.Connections:
    assert site.server._local is not None
    assert site.server._local._connections is not None
    return site.server._local._connections


async def emptied(site: Site) -> None:
    """Wait until the server knows of no connection."""
    async with asyncio.timeout(PATIENCE):
        while len(_connections(site)):  # noqa: ASYNC110  (what happens sets no event)
            await asyncio.sleep(0)
    assert not _connections(site)._of  # nothing is kept of visitors who have left


@pytest.mark.parametrize("sends", [b"", b"GET", SLOW, SLOW + b"x\r\nA: " + b"b" * 8000])
async def test_a_connection_whose_headers_do_not_end_is_closed(
    site: Site, monkeypatch: pytest.MonkeyPatch, sends: bytes
) -> None:
    monkeypatch.setattr(connections, "HEADERS_TIMEOUT", 0.2)
    slow = await Visitor.of(site, sends=sends)
    assert await slow.answer() == b""
    await emptied(site)
    slow.close()


async def test_bytes_that_trickle_in_buy_no_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_TIMEOUT", 0.3)
    slow = await Visitor.of(site)
    began = time.monotonic()
    while (
        not slow.reader.at_eof() and slow.reader.exception() is None and time.monotonic() < began + PATIENCE
    ):
        slow.writer.write(b"x")
        await asyncio.sleep(0.02)
    assert 0.2 < time.monotonic() - began < PATIENCE
    slow.close()


async def test_after_an_answer_the_headers_of_the_next_request_have_their_time_too(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADERS_TIMEOUT", 30.0)
    monkeypatch.setattr(connections, "NEXT_TIMEOUT", 0.2)
    slow = await Visitor.of(site, sends=b"")
    assert await slow.status(site) == b"HTTP/1.1 200 OK\r\n"
    slow.writer.write(SLOW)
    await slow.answer()
    await emptied(site)
    slow.close()


async def test_an_open_page_stays_open_however_long_it_is_quiet(
    site: Site, page: Page, monkeypatch: pytest.MonkeyPatch, client: ClientSession
) -> None:
    monkeypatch.setattr(connections, "HEADERS_TIMEOUT", 0.1)
    monkeypatch.setattr(connections, "NEXT_TIMEOUT", 0.1)
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        await other.enter("ann")
        slow = await Visitor.of(site)  # opened later, and closed by the same timeout
        await slow.answer()
        await other.enter("bob")
    slow.close()


@pytest.mark.usefixtures("machines")
async def test_one_address_takes_so_many_connections_and_others_are_served(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ONE", 3)
    greedy = [await Visitor.of(site, "127.0.0.2") for _ in range(3)]
    refused = await Visitor.of(site, "127.0.0.2", sends=b"")
    assert (await refused.answer()).endswith(b"\r\n\r\nToo many connections are open; try later.\n")
    for address in ("127.0.0.3", "127.0.0.1"):
        other = await Visitor.of(site, address, sends=b"")
        assert await other.status(site) == b"HTTP/1.1 200 OK\r\n"
        other.close()
    for each in (*greedy, refused):
        each.close()
    await emptied(site)
    again = await Visitor.of(site, "127.0.0.2", sends=b"")
    assert await again.status(site) == b"HTTP/1.1 200 OK\r\n"
    again.close()


@pytest.mark.usefixtures("machines")
async def test_all_other_machines_together_leave_room_for_this_one(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_OTHERS", 4)
    others = [await Visitor.of(site, f"127.0.0.{number}") for number in range(2, 6)]
    refused = await Visitor.of(site, "127.0.0.6", sends=b"")
    assert b"503 Service Unavailable" in await refused.answer()
    own = await Visitor.of(site, sends=b"")
    assert await own.status(site) == b"HTTP/1.1 200 OK\r\n"
    for each in (*others, refused, own):
        each.close()


async def test_a_proxy_on_this_machine_is_not_limited_as_one_visitor(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ONE", 1)
    monkeypatch.setattr(connections, "MOST_OF_OTHERS", 1)
    many = [await Visitor.of(site, sends=b"") for _ in range(3)]
    assert [await each.status(site) for each in many] == [b"HTTP/1.1 200 OK\r\n"] * 3
    for each in many:
        each.close()


async def test_who_sends_no_request_keeps_nobody_out(
    site: Site, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.enter("ann")
    monkeypatch.setattr(connections, "MOST", 4)
    idle = [await Visitor.of(site) for _ in range(20)]
    own = await Visitor.of(site, sends=b"")
    assert await own.status(site) == b"HTTP/1.1 200 OK\r\n"
    assert await idle[0].answer() == b""  # the one that had waited longest made room
    assert len(_connections(site)) <= 4
    await page.enter("bob")  # whose connection has a request in progress
    for each in (*idle, own):
        each.close()


class Silent(asyncio.Transport):
    """A transport of this machine, which has not told yet that it was aborted."""

    aborted = 0

    def get_extra_info(self, name: str, default: object = None) -> object:
        return ("127.0.0.1", 1) if name == "peername" else default

    def abort(self) -> None:
        self.aborted += 1


async def test_of_many_that_come_at_once_each_takes_the_place_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "MOST", 2)
    known, transports = connections.Connections(asyncio.Protocol), [Silent() for _ in range(4)]
    protocols = [known() for _ in transports]
    for protocol, transport in zip(protocols, transports, strict=True):
        protocol.connection_made(transport)
    assert [each.aborted for each in transports] == [1, 1, 0, 0]
    assert len(known) == 2
    for protocol in protocols:
        protocol.connection_lost(None)
    assert len(known) == 0


async def test_open_pages_are_never_closed_for_others(
    site: Site, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.enter("ann")
    monkeypatch.setattr(connections, "MOST", 1)
    late = await Visitor.of(site, sends=b"")
    assert b"503 Service Unavailable" in await late.answer()
    await page.enter("bob")
    late.close()


async def test_a_body_that_becomes_gigabytes_is_not_unpacked(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked: list[int] = []

    class Counting:
        def __init__(self, *args: object, **kwargs: object) -> None:
            unpacked.append(1)

    monkeypatch.setattr("aiohttp.http_parser.ZLibDecompressor", Counting)
    bomb = zlib.compress(bytes(10_000_000))
    headers = {"Content-Encoding": "deflate"}
    async with client.post(f"{site.address}/", data=bomb, headers=headers) as answer:
        assert answer.status == 405
    assert unpacked == []


async def test_a_body_that_never_ends_is_not_waited_for(site: Site) -> None:
    head = f"POST / HTTP/1.1\r\nHost: {site.host}\r\nContent-Length: 999999999\r\n\r\nx"
    endless = await Visitor.of(site, sends=head.encode())
    assert (await endless.answer()).startswith(b"HTTP/1.1 405 ")
    await emptied(site)
    endless.close()


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),  # what a server that listens at :: sees of IPv4
        ("2001:db8:0:1::1", visitor("2001:db8:0:1:ffff::2")),  # one network is one visitor
        ("fe80::1%eth0", visitor("fe80::1")),
    ],
)
def test_a_visitor_is_an_address_or_a_network(address: str, counted: str) -> None:
    assert visitor(address) == counted


def test_two_networks_are_two_visitors() -> None:
    assert visitor("2001:db8:0:1::1") != visitor("2001:db8:0:2::1")


async def test_a_page_that_floods_is_disconnected_and_others_go_on(
    site: Site, page: Page, client: ClientSession
) -> None:
    ann = await page.enter("ann")
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as flood:
        for _ in range(int(BURST) + 20 * MOST_EXCESS):  # far more than are refilled meanwhile
            with suppress(ConnectionError):
                await flood.send_str("{}")
        async with asyncio.timeout(PATIENCE):
            async for _ in flood:
                pass  # what it is told until it is disconnected
        assert flood.close_code == WSCloseCode.POLICY_VIOLATION
    await page.say(ann, "!credits")
    await page.hear("240 credits")


async def test_a_program_that_floods_is_disconnected_and_others_follow_on(
    site: Site, page: Page, client: ClientSession
) -> None:
    events = f"{site.address}/events?room=local"
    async with client.ws_connect(events) as flood, client.ws_connect(events) as other:
        for _ in range(MOST_ASKED + 1):
            await flood.send_str("{}")
        async with asyncio.timeout(PATIENCE):
            kinds = [each.type async for each in flood]
        assert (set(kinds), flood.close_code) == ({WSMsgType.TEXT}, WSCloseCode.POLICY_VIOLATION)
        assert (await other.receive_json(timeout=PATIENCE))["kind"] == "picture"
        await page.say(await page.enter("ann"), "!heist 69")
        assert (await other.receive_json(timeout=PATIENCE))["kind"] == "opened"


def test_public_pages_have_room_for_hundreds_and_keep_some_for_this_machine() -> None:
    known = connections.Connections(asyncio.Protocol, most=connections.KEPT + 2)
    assert [known._has_room(visitor) for visitor in ("192.0.2.1", None)] == [True, True]
    known._of.update(f"198.51.100.{number}" for number in range(2))
    assert [known._has_room(visitor) for visitor in ("192.0.2.1", None)] == [False, True]


def test_a_process_may_have_as_many_connections_as_half_of_its_files() -> None:
    assert connections.MOST <= connections.public_capacity() <= connections.MOST_PUBLIC
