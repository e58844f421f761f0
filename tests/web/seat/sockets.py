"""Open seats without a browser: what a page of somebody is sent, and what it sends."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.web.desk.site import Browser

PATIENCE = 30.0  # seconds until a test fails that waits for a page


@dataclass
class OpenSeat:
    """The page of a seat: `tables` and `own` are as it would show them, `frames` all that it was sent."""

    wire: aiohttp.ClientWebSocketResponse
    hello: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, Any] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)
    answers: list[tuple[str, bool]] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    ended: bool = False

    async def until(self, shows: Callable[[OpenSeat], object]) -> None:
        """Wait until the page shows something."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not shows(self):
                    self._take(str((await self.wire.receive()).data))
        except TimeoutError:
            pytest.fail(f"the page shows {self.own} and was told {self.answers}")

    async def say(self, text: str, table: str | None = None) -> tuple[str, bool]:
        """Say a line, and return the first answer, and whether it is a refusal."""
        self.answers.clear()
        await self.wire.send_json({"type": "say", "text": text, **({"table": table} if table else {})})
        await self.until(lambda seat: seat.answers)
        return self.answers[0]

    async def move(self, line: str) -> None:
        """Make a move that is offered, at its table."""
        (button,) = [each for each in self.own["buttons"] if each["line"] == line]
        await self.wire.send_json({"type": "say", "text": line, "table": button["table"]})

    @property
    def lines(self) -> list[str]:
        """The moves that are offered."""
        return [each["line"] for each in self.own.get("buttons", [])]

    def faces(self, table: str) -> list[str]:
        """The cards of the hand that the seat sees at a table."""
        return [card["face"] for hand in self.own["hands"].get(table, []) for card in hand["cards"]]

    def _take(self, frame: str) -> None:
        self.frames.append(frame)
        message = json.loads(frame)
        match message["type"]:
            case "hello":
                self.hello, self.tables, self.own = message, {}, {}
            case "table":
                self.tables[message["table"]["id"]] = message["table"]
            case "gone":
                self.tables.pop(message["table"], None)
            case "own":
                self.own = message["own"]
            case "answer":
                self.answers.append((message["text"], message["refused"]))
            case "ended":
                self.ended = True


@asynccontextmanager
async def opened_seat(browser: Browser) -> AsyncIterator[OpenSeat]:
    """Open the seat of a browser, once it is shown its room."""
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    headers = {**browser.headers, "Origin": browser.origin, "Cookie": cookie}
    async with browser.session.ws_connect(f"{browser.address}/seat/socket", headers=headers) as wire:
        seat = OpenSeat(wire)
        await seat.until(lambda each: each.hello and (each.hello["room"] is None or each.own))
        yield seat
