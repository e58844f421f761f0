"""The program is killed in each phase of each game; two seconds after a start its overlay is right again."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from playwright.async_api import async_playwright

from tests.slow.program import Program, errors
from tests.web.chromium import CHROMIUM, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PATIENCE = 20.0  # seconds until the program has answered
SOON = 2.0  # seconds from when the program listens
NEXT = "+"  # ends a phase, as the button of the page does

GAMES: dict[str, list[tuple[str, list[str]]]] = {
    "heist": [
        ("lobby", ["ann: !heist 50", "bob: !heist 20"]),
        ("play", [NEXT]),
        ("reveal", [NEXT]),
        ("finish", [NEXT]),
    ],
    "highshow": [
        ("play", ["ann: !highshow 6 2 linear=1 50"]),
        ("reveal", ["ann: !another"]),
        ("finish", ["ann: !cashout", "ann: !cashout", "ann: !guess 5 20"]),
    ],
    "chickenpoker": [
        ("lobby", ["ann: !chicken 3 10", "bob: !chicken"]),
        ("play", [NEXT]),
        ("reveal", ["ann: !play 3", "bob: !play 2"]),
        ("finish", ["ann: !play 2", "bob: !play 3", "ann: !play 1", "bob: !play 1"]),
    ],
    "sixcardpoker": [
        ("lobby", ["ann: !sixcard 50 @bob"]),
        ("play", ["bob: !sixcard accept"]),
        ("reveal", ["ann: !set auto"]),
        ("finish", ["bob: !set auto"]),
    ],
    "pokermarket": [
        ("lobby", ["ann: !market 2 10", "bob: !market"]),
        ("play", [NEXT]),
        ("reveal", ["ann: !pass", "bob: !pass"]),
        ("finish", ["ann: !pass", "bob: !pass"] * 3),
    ],
}


class Play:
    """Ann and bob at the page of a program, and what an overlay of theirs was sent last."""

    def __init__(self, page: aiohttp.ClientWebSocketResponse, feed: aiohttp.ClientWebSocketResponse) -> None:
        self._page, self._feed = page, feed
        self.seats: dict[str, str] = {}
        self.tables: dict[str, dict[str, Any]] = {}  # of the overlay
        self.shown: list[dict[str, Any]] = []  # on the page
        self.key = ""

    async def enter(self) -> None:
        for name in ("ann", "bob"):
            await self._page.send_json({"type": "enter", "name": name, "role": "broadcaster"})
            while name not in self.seats:
                await self._hear()

    async def overlay(self) -> str:
        """Return the path of the overlay."""
        await self._page.send_json({"type": "say", "seat": self.seats["ann"], "text": "!overlay"})
        while not self.key:
            await self._hear()
        return self.key

    async def do(self, line: str) -> None:
        """Say a line, or end a phase, and wait until that is done: a page's messages are heeded in order."""
        if line == NEXT:
            await self._hurry()
        else:
            name, _, text = line.partition(": ")
            await self._page.send_json({"type": "say", "seat": self.seats[name], "text": text})
        self.seats.pop("ann")
        await self._page.send_json({"type": "enter", "name": "ann", "role": "broadcaster"})
        while "ann" not in self.seats:
            await self._hear()

    async def _hurry(self) -> None:
        await self.catch_up()
        (table,) = [each["id"] for each in self.tables.values() if not each["over"]]
        await self._page.send_json({"type": "hurry", "table": table})

    async def picture(self) -> None:
        """Take the first picture of the overlay."""
        await self._follow()

    async def until(self, wanted: dict[str, Any]) -> None:
        """Read events until the overlay shows one table as it is wanted; `{}` wants none that goes on."""
        while [told(each) for each in self.tables.values() if not each["over"]] != [wanted] * bool(wanted):
            await self._follow()

    async def catch_up(self) -> None:
        """Read all that was sent so far: a picture that is asked for comes after it."""
        await self._feed.send_json({"picture": True})
        while (await self._follow())["kind"] != "picture":
            pass

    async def _hear(self) -> None:
        message = await self._page.receive_json(timeout=PATIENCE)
        if message["type"] == "entered":
            self.seats[message["name"]] = message["seat"]
        elif message["type"] == "tables":
            self.shown = message["tables"]
        elif found := re.search(r"(/overlay/\w+)", str(message.get("text"))):
            self.key = found[1]

    async def _follow(self) -> dict[str, Any]:
        event: dict[str, Any] = await self._feed.receive_json(timeout=PATIENCE)
        if event["kind"] == "picture":
            self.tables = {each["id"]: each for each in event["tables"]}
        elif event["kind"] in {"opened", "changed"}:
            self.tables[event["table"]["id"]] = event["table"]
        elif event["kind"] == "cleared":
            self.tables.pop(event["table"], None)
        return event


def told(table: dict[str, Any]) -> dict[str, Any]:
    """Return what an overlay shows of a table, but for the end of its phase, which a restart may put off."""
    phase = (table["phase"] or {}).get("name")
    return {key: table[key] for key in ("id", "game", "pot", "seats", "view", "over")} | {"phase": phase}


@asynccontextmanager
async def playing(address: str) -> AsyncIterator[Play]:
    """Follow a program; the feed is opened first, so that nothing is waited for before it."""
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(f"{address}/events?room=local", max_msg_size=0) as feed,
        client.ws_connect(f"{address}/socket", headers={"Origin": address}, max_msg_size=0) as page,
    ):
        yield Play(page, feed)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
async def test_after_a_kill_in_any_phase_the_overlay_shows_what_it_had_shown(
    tmp_path: Path, unused_tcp_port: int, game: str
) -> None:
    database = tmp_path / "rabble.db"
    program = await Program.spawn(database, port=unused_tcp_port)
    try:
        for phase, lines in GAMES[game]:
            async with playing(await program.listening()) as play:
                await play.picture()
                await play.enter()
                for line in lines:
                    await play.do(line)
                await play.catch_up()
                standing = [told(each) for each in play.tables.values() if not each["over"]]
                assert len(standing) == (phase != "finish"), (phase, play.tables)
                await program.kill()
            program = await Program.spawn(database, port=unused_tcp_port)
            address = await program.listening()
            began = time.monotonic()
            async with playing(address) as after:
                await after.until(standing[0] if standing else {})
                assert time.monotonic() - began < SOON, phase
                await after.enter()
                while len([each for each in after.shown if not each["over"]]) != len(standing):
                    await after._hear()
            await program.kill()
            program = await Program.spawn(database, port=unused_tcp_port)
    finally:
        await program.kill()
    assert errors(database) == []


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_an_overlay_that_was_open_draws_what_a_new_one_draws(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    database = tmp_path / "rabble.db"
    program = await Program.spawn(database, port=unused_tcp_port)
    address = await program.listening()
    with running() as chromium:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(chromium)
            kept = await browser.new_page()
            try:
                for phase, lines in GAMES["heist"][:3]:
                    async with playing(address) as play:
                        await play.enter()
                        path = await play.overlay()
                        if phase == "lobby":
                            await kept.goto(address + path)
                        for line in lines:
                            await play.do(line)
                        await program.kill()
                    program = await Program.spawn(database, port=unused_tcp_port)
                    await program.listening()
                    began = time.monotonic()
                    fresh = await browser.new_page()
                    await fresh.goto(address + path)
                    await fresh.wait_for_selector(".plate .in-crowd, .plate .storming")
                    while await fresh.evaluate(_DRAWN) != await kept.evaluate(_DRAWN):
                        await asyncio.sleep(0.02)
                        assert time.monotonic() - began < SOON, phase
                    await fresh.close()
            finally:
                await browser.close()
                await program.kill()
    assert errors(database) == []


_DRAWN = """JSON.stringify([
  document.querySelector(".plate")?.dataset,
  [...document.querySelectorAll(".tag, .title, .verdict, .large-count, .figure-value")]
    .map((each) => each.textContent),
])"""
