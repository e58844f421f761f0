"""An overlay is shown to whoever has its key, programs here follow rooms, and neither can do more."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import aiohttp
import pytest
from aiohttp import WSMessage, WSMsgType
from sqlalchemy.exc import OperationalError

from chatbot.kernel.game import Role
from chatbot.ledger.changes import ChangeSet
from chatbot.runtime.clock import HandWatch, LoopWatch
from chatbot.tables.events.feeds import EventKind, News
from chatbot.tables.events.models import EVENTS, Opened, Rested
from chatbot.web import listener, overlay
from tests.documentation import page
from tests.slow.program import Program, errors
from tests.web.conftest import PATIENCE, Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from aiohttp import ClientSession, ClientWebSocketResponse

    from cogs.local.adapter import Viewer

FOREIGN = "http://evil.test", "null", "", "https://127.0.0.1", "http://127.0.0.1:1"


async def key_of(site: Site) -> str:
    return await site.chat.bot.parts.overlay_keys.of("local")


async def replace_key(site: Site, name: str = "change-set:1") -> str:
    change_set = ChangeSet(name, "local", "local", datetime.now(UTC), "operator", "operator", ())
    return await site.chat.bot.parts.overlay_keys.replace(change_set)


async def opened(
    site: Site, client: ClientSession, key: str | None = None, **headers: str
) -> ClientWebSocketResponse:
    path = f"/overlay/{key or await key_of(site)}/events"
    return await client.ws_connect(site.address + path, headers=headers)


async def read(socket: ClientWebSocketResponse) -> dict[str, Any]:
    """Read an event, which must fit the format."""
    text = await socket.receive_str(timeout=PATIENCE)
    EVENTS.validate_json(text)
    event: dict[str, Any] = json.loads(text)
    return event


async def until(socket: ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    while (event := await read(socket))["kind"] != kind:
        pass
    return event


async def viewer(site: Site, name: str, role: str = "viewer") -> Viewer:
    from cogs.local.adapter import entering  # noqa: PLC0415

    entered = await site.chat.viewer(*entering(name, role))
    await site.chat.enter(entered)
    return entered


async def say(site: Site, name: str, text: str, *, private: bool = False, role: str = "viewer") -> None:
    await site.chat.say(await viewer(site, name, role), text, private=private)


async def refused(client: ClientSession, url: str, **headers: str) -> int:
    with pytest.raises(aiohttp.WSServerHandshakeError) as error:
        await client.ws_connect(url, headers=headers)
    return error.value.status


# The page


async def test_the_page_is_served_to_who_has_the_key_under_the_same_strict_policy(
    site: Site, client: ClientSession
) -> None:
    key = await key_of(site)
    async with client.get(f"{site.address}/overlay/{key}?theme=space&scale=2") as answer:
        assert answer.status == 200
        assert answer.content_type == "text/html"
        text = await answer.text()
        assert key not in text
        assert "/static/overlay" in text
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'self'" in policy  # Set up shows it
        assert "unsafe" not in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("key", ["x", "0" * 64, "..%2f..", "%00", "local"])
async def test_a_wrong_key_opens_nothing(site: Site, client: ClientSession, key: str) -> None:
    from yarl import URL  # noqa: PLC0415

    for path in (f"/overlay/{key}", f"/overlay/{key}/events"):
        async with client.get(URL(site.address + path, encoded=True)) as answer:
            assert answer.status == 404
    assert await refused(client, f"{site.address}/overlay/{'0' * 64}/events") == 404


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1.evil.test:80", "127.0.0.1:1", ""])
async def test_a_foreign_name_for_this_machine_is_refused(
    site: Site, client: ClientSession, host: str
) -> None:
    key = await key_of(site)
    for path in (f"/overlay/{key}", f"/overlay/{key}/events", "/events?room=local"):
        async with client.get(site.address + path, headers={"Host": host}) as answer:
            assert answer.status == 421


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_page_of_another_server_opens_no_socket(
    site: Site, client: ClientSession, origin: str
) -> None:
    key = await key_of(site)
    for path in (f"/overlay/{key}/events", "/events?room=local"):
        assert await refused(client, site.address + path, Origin=origin) == 403


async def test_an_origin_is_an_address_of_the_server_and_not_its_name_alone(
    site: Site, client: ClientSession
) -> None:
    for origin in (site.host, f"https://{site.host}", f"ws://{site.host}"):
        assert await refused(client, f"{site.address}/events?room=local", Origin=origin) == 403, origin


# Events


async def test_a_picture_comes_first_and_then_each_change_without_a_gap(
    site: Site, client: ClientSession
) -> None:
    await say(site, "ann", "!heist 69")
    async with await opened(site, client, Origin=site.address) as socket:
        picture = await read(socket)
        assert (picture["kind"], picture["room"]) == ("picture", "local")
        assert [(each["game"], each["pot"]) for each in picture["tables"]] == [("heist", 69)]
        await say(site, "bob", "!heist 20")
        seats, number = ["ann"], picture["number"]
        while seats != ["ann", "bob"]:
            event = await read(socket)
            number += 1
            assert event["number"] == number
            if event["kind"] == "changed":
                seats = [each["name"] for each in event["table"]["seats"]]


async def test_programs_on_this_machine_follow_a_room_or_a_channel_without_a_key(
    site: Site, client: ClientSession
) -> None:
    for room in ("local", "local:page"):
        async with client.ws_connect(f"{site.address}/events?room={room}") as socket:
            assert (await read(socket))["kind"] == "picture"
    for room in ("", "?room=", "?room=nowhere", "?room=%00"):
        async with client.get(f"{site.address}/events{room}", headers=_upgrade()) as answer:
            assert answer.status == 404
            assert (await answer.text()).endswith("there are: local.\n")


async def test_who_is_not_on_this_machine_needs_a_key(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(listener, "is_loopback", lambda address: address != "127.0.0.1")
        assert await refused(client, f"{site.address}/events?room=local") == 403
        async with await opened(site, client) as socket:
            assert (await read(socket))["kind"] == "picture"
    monkeypatch.setattr(site.server._local, "host", "0.0.0.0")
    host = f"192.168.1.5:{site.server.port}"
    assert await refused(client, f"{site.address}/events?room=local", Host=host) == 403
    async with await opened(site, client, Host=host) as socket:
        assert (await read(socket))["kind"] == "picture"


async def test_a_room_that_is_not_open_yet_is_shown_when_it_opens(site: Site, client: ClientSession) -> None:
    from chatbot.rooms.channel import Channel  # noqa: PLC0415
    from chatbot.rooms.room import Room  # noqa: PLC0415

    bot = site.chat.bot
    room = Room("twitch:7", "town", (Channel("twitch:7", "twitch", site.chat),))
    await bot.open(room)
    key = await bot.parts.overlay_keys.of("twitch:7")
    bot.rooms.close(room)
    async with await opened(site, client, key) as socket:
        with pytest.raises(asyncio.TimeoutError):
            await socket.receive_str(timeout=0.1)
        bot.rooms.open(room)
        assert (await read(socket))["room"] == "twitch:7"


async def test_a_client_can_ask_for_a_picture_and_for_nothing_else(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlay, "PICTURE_INTERVAL", 0.3)
    async with await opened(site, client) as socket:
        number, said = (await read(socket))["number"], list(site.chat.history)
        nonsense = (
            "",
            "x",
            "[",
            "1",
            "[]",
            '{"picture": 1}',
            '{"picture": false}',
            '{"type": "say"}',
            "[" * 999,
        )
        for frame in nonsense:
            await socket.send_str(frame)
        await socket.send_bytes(b'{"picture": true}')
        await socket.send_json({"type": "enter", "name": "eve", "role": "broadcaster"})
        began = time.monotonic()
        for _ in range(20):
            await socket.send_json({"picture": True})
        pictures = [await read(socket) for _ in range(2)]
        assert 0.2 < time.monotonic() - began < PATIENCE
        assert [(each["kind"], each["number"]) for each in pictures] == [("picture", number)] * 2
        with pytest.raises(asyncio.TimeoutError):  # twenty questions at once are two pictures
            await socket.receive_str(timeout=0.5)
    assert site.chat.room.tables == {}
    assert list(site.chat.history) == said


async def test_however_often_a_client_asks_one_picture_at_most_is_on_its_way() -> None:
    watch, lost = HandWatch(), list[float]()

    async def asked() -> AsyncIterator[WSMessage]:
        for _ in range(20):
            yield WSMessage(WSMsgType.TEXT, '{"picture": true}', None)

    socket, writer = cast("Any", asked()), cast("Any", None)
    feed = cast("Any", SimpleNamespace(lose=lambda: lost.append(watch.now())))
    session = overlay.EventSession(socket, feed, writer, watch, "")
    await session._receive()
    assert lost == [0]
    await watch.turn(overlay.PICTURE_INTERVAL)
    assert lost == [0, overlay.PICTURE_INTERVAL]


async def test_a_frame_that_is_too_large_ends_the_connection_and_nothing_else(
    site: Site, client: ClientSession
) -> None:
    async with await opened(site, client) as socket, await opened(site, client) as other:
        await read(socket)
        await read(other)
        await socket.send_str("x" * 10_000)
        assert (await socket.receive(timeout=PATIENCE)).type is WSMsgType.CLOSE
        await say(site, "ann", "!heist 20")
        assert (await until(other, "opened"))["table"]["pot"] == 20


async def test_one_room_takes_so_many_sockets_and_a_place_is_free_again_at_once(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlay, "MOST_SOCKETS", 3)
    url = f"{site.address}/overlay/{await key_of(site)}/events"
    sockets = [await opened(site, client) for _ in range(3)]
    assert await refused(client, url) == 429
    async with client.ws_connect(f"{site.address}/events?room=local") as socket:  # these are counted apart
        await read(socket)
    await sockets.pop().close()
    async with asyncio.timeout(PATIENCE):
        while len(site.server._overlays.sockets) > 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    sockets.append(await opened(site, client))
    for each in sockets:
        assert (await read(each))["kind"] == "picture"
        await each.close()


async def test_an_event_is_written_once_for_all_sockets(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    genuine = Opened.model_dump_json

    def counted(event: Opened) -> str:
        written.append(event.table.id)
        return genuine(event)

    monkeypatch.setattr(Opened, "model_dump_json", counted)
    sockets = [await opened(site, client) for _ in range(10)]
    for each in sockets:
        await read(each)
    await say(site, "ann", "!heist 20")
    seen = {(await until(each, "opened"))["table"]["id"] for each in sockets}
    assert seen == set(written)
    assert len(written) == 1
    for each in sockets:
        await each.close()


async def test_who_reads_slowly_gets_a_picture_and_holds_up_nobody(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlay, "BACKLOG", 8)
    slow, quick = await opened(site, client), await opened(site, client)
    await read(slow)
    await read(quick)
    (session,) = [each for each in site.server._overlays._sessions if _is_peer(each, slow)]
    free = asyncio.Event()
    genuine = session.socket.send_str

    async def held_up(text: str, compress: int | None = None) -> None:
        await free.wait()
        await genuine(text, compress)

    monkeypatch.setattr(session.socket, "send_str", held_up)
    for number in range(20):
        began = time.monotonic()
        await say(site, f"fan {number}", "!heist 20")
        assert time.monotonic() - began < 5
    seats = 0
    while seats < 20:
        seats = max((len(each["seats"]) for each in _tables(await read(quick))), default=seats)
    free.set()
    events = [await read(slow), await until(slow, "picture")]
    assert events[0]["number"] < events[1]["number"]
    assert len(events[1]["tables"][0]["seats"]) == 20
    await slow.close()
    await quick.close()


async def test_a_crowd_that_comes_at_once_is_one_picture_and_not_hundreds_of_events(
    site: Site, client: ClientSession
) -> None:
    async with await opened(site, client) as socket:
        number = (await read(socket))["number"]
        for _ in range(overlay.BACKLOG + 1):
            site.chat.bot.parts.publisher.rested(site.chat.room, "heist")
        picture = await read(socket)
        assert (picture["kind"], picture["number"]) == ("picture", number + overlay.BACKLOG + 1)
        site.chat.bot.parts.publisher.rested(site.chat.room, "heist")
        assert (await read(socket))["number"] == picture["number"] + 1


def news_of(number: int, kind: EventKind, *, seconds: float = 0, room: str = "room") -> News:
    """Make an event that takes some time to be written."""

    def write() -> Rested:
        time.sleep(seconds)
        return Rested(room=room, number=number, at=datetime.now(UTC), game="heist")

    return News(room, number, kind, datetime(2026, 1, 1, tzinfo=UTC), write)


async def test_after_a_large_event_there_is_time_for_others_and_it_is_written_once() -> None:
    writer, began = overlay.EventWriter(LoopWatch()), time.monotonic()
    for each in [news_of(number, "changed", seconds=0.02) for number in range(3)]:
        assert len(set(await asyncio.gather(*(writer.write(each) for _ in range(50))))) == 1
    assert time.monotonic() - began >= 3 * 0.02 + 2 * 0.06  # no pause after the last one
    told, elsewhere = news_of(4, "told"), news_of(1, "changed", room="other room")
    assert await asyncio.wait_for(writer.write(told), 0.05) is not None
    assert await asyncio.wait_for(writer.write(elsewhere), 0.05) is not None


async def test_pictures_that_show_the_same_are_written_once_within_a_moment() -> None:
    writer = overlay.EventWriter(LoopWatch())
    first, same, other = (news_of(number, "picture") for number in (1, 1, 2))
    assert await writer.write(first) == await writer.write(same)
    assert not same.is_written
    assert await writer.write(other) == other.json
    again = news_of(2, "picture")
    await asyncio.sleep(overlay.SHARED)
    assert await writer.write(again) == again.json


async def test_texts_that_change_twice_in_a_moment_are_sent_as_they_are_in_the_end(
    site: Site, client: ClientSession
) -> None:
    async with await opened(site, client) as socket:
        await read(socket)
        for language in ("ko", "en"):
            await say(site, "mo", f"!set room language {language}", role="moderator")
            assert (await until(socket, "picture"))["language"] == language


async def test_an_event_that_cannot_be_written_is_left_out_and_the_next_one_comes(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await opened(site, client) as socket:
        number = (await read(socket))["number"]

        def fail(_: Opened) -> str:
            raise ValueError

        monkeypatch.setattr(Opened, "model_dump_json", fail)
        await say(site, "ann", "!heist 20")
        assert (await read(socket))["number"] == number + 2
        await say(site, "bob", "!heist 20")
        await socket.send_json({"picture": True})
        assert len((await until(socket, "picture"))["tables"][0]["seats"]) == 2


# Keys that are replaced


def look_often(site: Site) -> overlay.Overlays:
    """Look every 20 ms whether keys were replaced, and return the overlays."""
    overlays = site.server._overlays
    assert overlays is not None
    overlays._key_checks.period = 0.02
    return overlays


async def test_a_replaced_key_is_dead_at_once_and_its_open_sockets_are_closed(
    site: Site, client: ClientSession
) -> None:
    look_often(site)
    former = await key_of(site)
    local = await client.ws_connect(f"{site.address}/events?room=local")
    async with await opened(site, client) as socket:
        await read(socket)
        fresh = await replace_key(site)
        for path in (f"/overlay/{former}", f"/overlay/{former}/events"):
            async with client.get(site.address + path) as answer:
                assert answer.status == 404
        async with await opened(site, client, fresh) as other:
            closing = await socket.receive(timeout=PATIENCE)
            assert (closing.type, closing.data) == (WSMsgType.CLOSE, overlay.REPLACED)
            await read(other)
            await read(local)
            await say(site, "ann", "!heist 20")
            assert (await until(other, "opened"))["table"]["pot"] == 20
            assert (await until(local, "opened"))["table"]["pot"] == 20
    await local.close()
    overlays = site.server._overlays
    assert overlays is not None
    assert overlays._closing == set()  # nothing is kept of what is closed


async def test_nothing_is_looked_up_while_no_overlay_is_open(site: Site, client: ClientSession) -> None:
    overlays = look_often(site)
    async with await opened(site, client) as socket:
        await read(socket)
        assert overlays._key_checks.started
    async with asyncio.timeout(PATIENCE):
        while overlays._key_checks.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert overlays._keys == {}


async def test_however_many_overlays_are_open_keys_are_looked_up_once_and_not_after_the_end(
    site: Site, client: ClientSession
) -> None:
    overlays = site.server._overlays
    assert overlays is not None
    async with await opened(site, client) as first:
        await read(first)
        alarm = overlays._key_checks._alarm
        async with await opened(site, client) as second:
            await read(second)
            assert overlays._key_checks._alarm is alarm
        await site.server.stop()
    assert isinstance(alarm, asyncio.TimerHandle)
    assert alarm.cancelled()


async def test_a_database_that_fails_opens_nothing_and_closes_nothing(
    site: Site, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_often(site)
    url = f"{site.address}/overlay/{await key_of(site)}"
    async with await opened(site, client) as socket:
        await read(socket)

        async def fail() -> dict[str, int]:
            raise OperationalError("SELECT", None, Exception("disk I/O error"))

        with monkeypatch.context() as patch:
            patch.setattr(site.chat.bot.parts.overlay_keys._generations, "replaced", fail)
            assert await refused(client, f"{url}/events") == 503
            async with client.get(url) as answer:
                assert answer.status == 503
            await asyncio.sleep(0.1)
        await say(site, "ann", "!heist 20")
        assert (await until(socket, "opened"))["table"]["pot"] == 20


# What people are told


async def test_the_broadcaster_of_the_page_is_told_an_address_that_opens(
    site: Site, client: ClientSession
) -> None:
    seen: list[dict[str, Any]] = []
    streamer = await viewer(site, "ada", Role.BROADCASTER.value)

    class Ear:
        def holds(self, seat: str) -> bool:
            return seat == streamer.seat

        def tell(self, message: dict[str, Any]) -> None:
            seen.append(message)

        def stale(self) -> None:
            pass

    site.chat.pages.add(Ear())
    await site.chat.say(streamer, "!overlay", private=False)
    async with asyncio.timeout(10):
        while not any(each["kind"] == "bot" for each in seen):  # noqa: ASYNC110  (there is no event for it)
            await asyncio.sleep(0.01)
    (told,) = [each for each in seen if each["kind"] == "bot"]
    assert told["to"] == streamer.seat
    assert not any("/overlay/" in each["text"] for each in site.chat.history)
    (address,) = re.findall(r"http://\S+", told["text"])
    async with client.get(address) as answer:
        assert answer.status == 200


async def test_the_client_of_the_documentation_runs(site: Site) -> None:
    source = page("program/events").partition("```python\n")[2].partition("```")[0]
    assert sum(map(bool, source.splitlines())) <= 20
    source = source.replace("http://127.0.0.1:8765", site.address)
    await say(site, "ann", "!heist 69")
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-u", "-c", source, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert program.stdout is not None
    try:
        first = (await asyncio.wait_for(program.stdout.readline(), PATIENCE)).decode()
        assert first == "Bank Heist ['ann']\n"
        await say(site, "bob", "!heist 20")
        while (line := await asyncio.wait_for(program.stdout.readline(), PATIENCE)) == first.encode():
            pass
        assert line.decode() == "Bank Heist ['ann', 'bob']\n"
        await say(site, "cat", "!highshow 5 2 none")
        site.chat.bot.parts.publisher.cleared(
            next(each for each in site.chat.room.tables.values() if not each.kit.seating.shared)
        )
        await say(site, "dan", "!highshow 5 2 none")
        read = [(await asyncio.wait_for(program.stdout.readline(), PATIENCE)).decode()]
        while read.count("High Show ['dan']\n") < 2:
            read.append((await asyncio.wait_for(program.stdout.readline(), PATIENCE)).decode())
        assert "High Show ['cat']\n" in read
        assert (
            "High Show ['cat']\n" not in read[read.index("High Show ['dan']\n") :]
        )  # it is not shown any more
    finally:
        program.kill()
        await program.communicate()


# After a crash


async def test_after_a_crash_in_a_heist_the_same_address_shows_it_within_two_seconds(
    tmp_path: Path, client: ClientSession, unused_tcp_port: int
) -> None:
    database = tmp_path / "rabble.db"
    program = await Program.spawn(database, port=unused_tcp_port)
    address = await program.listening()
    async with client.ws_connect(f"{address}/socket", headers={"Origin": address}) as socket:
        await socket.send_json({"type": "enter", "name": "ann", "role": "broadcaster"})
        seat = (await _until_page(socket, lambda m: m["type"] == "entered"))["seat"]
        await socket.send_json({"type": "say", "seat": seat, "text": "!overlay"})
        told = await _until_page(socket, lambda m: "/overlay/" in str(m.get("text")))
        (url,) = re.findall(r"http://\S+", told["text"])
        async with client.ws_connect(f"{url}/events") as before:
            await read(before)
            await socket.send_json({"type": "say", "seat": seat, "text": "!heist 69"})
            table = (await until(before, "opened"))["table"]
            await program.kill()
    program = await Program.spawn(database, port=unused_tcp_port)
    try:
        assert await program.listening() == address
        began = time.monotonic()
        async with client.ws_connect(f"{url}/events") as after:
            picture = await read(after)
            while not picture["tables"]:  # the books are checked first
                picture = await until(after, "picture")
        assert time.monotonic() - began < 2
        (shown,) = picture["tables"]
        assert (shown["id"], shown["pot"], shown["seats"]) == (table["id"], 69, table["seats"])
    finally:
        await program.kill()
    assert errors(database) == []


async def _until_page(socket: ClientWebSocketResponse, wanted: Any) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = await socket.receive_json(timeout=PATIENCE)
        if wanted(message):
            return message


def _tables(event: dict[str, Any]) -> list[dict[str, Any]]:
    """List the tables that an event shows."""
    shown: list[dict[str, Any]] = event.get("tables", [])
    return [event["table"]] if event["kind"] in {"opened", "changed"} else shown


def _is_peer(session: overlay.EventSession, socket: ClientWebSocketResponse) -> bool:
    request = session.socket._req
    assert request is not None
    assert request.transport is not None
    return bool(request.transport.get_extra_info("peername") == socket.get_extra_info("sockname"))


def _upgrade() -> dict[str, str]:
    return {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
