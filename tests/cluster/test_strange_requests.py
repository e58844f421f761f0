"""Whatever bytes somebody sends for a room of another process, it is answered, and disturbs nobody else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from structlog.testing import CapturingLogger

from tests.cluster.processes import eventually
from tests.cluster.sites import sites
from tests.cluster.test_shared_overlays import moved_room, overlay

if TYPE_CHECKING:
    from tests.web.desk.site import Browser

pytestmark = pytest.mark.postgres


async def answer_to(browser: Browser, target: bytes, *headers: bytes) -> bytes:
    """Send a request as it is, and return the first line of the answer."""
    parts = urlsplit(browser.address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    cookies = "; ".join(f"{name}={each}" for name, each in browser.cookies.items())
    lines = [b"GET " + target + b" HTTP/1.1", b"Host: " + parts.netloc.encode(), b"Connection: close"]
    writer.write(b"\r\n".join([*lines, b"Cookie: " + cookies.encode(), *headers, b"", b""]))
    line = await asyncio.wait_for(reader.readline(), 20.0)
    writer.close()
    return line.strip()


async def test_no_bytes_of_a_request_disturb_what_others_follow(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        operator, at_owner = await first.operator(), await second.operator()
        tables = f"/api/1/rooms/{room}/tables".encode()
        requests = [
            (tables, b"If-None-Match: \xff\xfe"),
            (tables, b"If-None-Match: \xed\xa0\x80\xc3\xa9"),
            (tables, b"Origin: http://\xff"),
            (tables, b"Content-Type: a\tb"),
            (tables + b"?a=" + b"x" * (8150 - len(tables)),),
            (tables + b"?a=%00%ff%0d%0aX-A:%20b",),
        ]
        async with overlay(first, room) as shown:
            await eventually(lambda: bool(shown.events))
            for target, *headers in requests:
                there = await answer_to(at_owner, target, *headers)
                assert await answer_to(operator, target, *headers) == there, (target[:80], headers)
            await first.process.say(room, "bob", "!heist 50")
            await eventually(lambda: sum(shown.players) >= 2)
            assert shown.codes == []
        await eventually(lambda: not first.process.cluster.streams.opened)
        await eventually(lambda: not second.process.cluster.streams.accepted)


async def test_no_log_has_the_key_of_an_overlay_that_could_not_be_shown(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        key = await first.bot.parts.overlay_keys.of(room)

        async def fail(*_: object) -> None:
            raise RuntimeError("a defect")

        second.server._overlays._serve = fail  # type: ignore[method-assign,assignment]
        log = CapturingLogger()
        monkeypatch.setattr("chatbot.web.carrying.carried_pages.log", log)
        async with overlay(first, room) as shown:
            await eventually(lambda: shown.codes == [500])
        (told,) = log.calls
        assert told.kwargs["path"] == "/overlay/{key}/events"
        assert key not in str(told)
