"""The program is killed in each phase of each game; two seconds after a start every seat is right again."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from chatbot.ledger.people import Account
from chatbot.ledger.store.store import Store
from chatbot.ledger.web_sessions import SEAT, Login, WebSessions
from chatbot.web.login import SEAT_COOKIE
from tests.slow.program import Program, errors
from tests.slow.test_overlay_kills import GAMES, playing
from tests.web.seat.sockets import OpenSeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

SOON = 2.0  # seconds from when the program listens
QUIET = 0.5  # seconds without a frame after which a seat has been told everything
NAMES = ("ann", "bob")


async def _cookies(database: Path) -> dict[str, str]:
    """Make seats of both of the local page, where nobody can ask for one."""
    store = await Store.open(f"sqlite:///{database.as_posix()}", alone=True)
    sessions = WebSessions(store)
    now = datetime.now(UTC)
    cookies = {
        name: (await sessions.open(Login(SEAT, Account("local", name), name), now))[0] for name in NAMES
    }
    await store.close()
    return cookies


@asynccontextmanager
async def _seats(port: int, cookies: Mapping[str, str]) -> AsyncIterator[dict[str, OpenSeat]]:
    """Open the seats, as soon as they can be: pages try it again and again."""
    address = f"http://127.0.0.1:{port}"
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(aiohttp.ClientSession())
        seats = {}
        for name, cookie in cookies.items():
            headers = {"Cookie": f"{SEAT_COOKIE}-{port}={cookie}", "Origin": address}
            while name not in seats:
                with suppress(aiohttp.ClientConnectionError):
                    wire = await client.ws_connect(f"{address}/seat/socket", headers=headers, max_msg_size=0)
                    seats[name] = OpenSeat(await stack.enter_async_context(wire))
                    continue
                await asyncio.sleep(0.02)
        yield seats


async def _settle(seat: OpenSeat) -> None:
    """Take all that a seat is told until nothing more comes."""
    with suppress(TimeoutError):
        while True:
            seat._take(str((await seat.wire.receive(timeout=QUIET)).data))


def _shown(seat: OpenSeat) -> dict[str, Any]:
    """Return what a seat shows of tables that go on, but for clocks, which a restart may put off."""
    tables = {
        each["id"]: {key: value for key, value in each.items() if key not in {"seconds", "left"}}
        for each in seat.tables.values()
        if not each["over"]
    }
    own = {
        key: [each for each in value if each["table"] in tables]
        for key, value in seat.own.items()
        if isinstance(value, list)
    } | {
        key: {table: each for table, each in value.items() if table in tables}
        for key, value in seat.own.items()
        if isinstance(value, dict)
    }
    return {"tables": tables, "own": own, "credits": seat.own.get("credits")}


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
async def test_after_a_kill_in_any_phase_each_seat_shows_what_it_had_shown(
    tmp_path: Path, unused_tcp_port_factory: Any, game: str
) -> None:
    database, port, public = tmp_path / "rabble.db", unused_tcp_port_factory(), unused_tcp_port_factory()
    cookies = await _cookies(database)
    program = await Program.spawn(database, port=port, public=public)
    try:
        address = await program.listening()
        for phase, lines in GAMES[game]:
            async with playing(address) as play:
                await play.picture()
                await play.enter()
                async with _seats(public, cookies) as seats:
                    for line in lines:
                        await play.do(line)
                    await play.catch_up()
                    for seat in seats.values():
                        # Its room is not shown to somebody who has not played there.
                        await seat.wire.send_json({"type": "room", "room": "local"})
                        await _settle(seat)
                    standing = {name: _shown(seat) for name, seat in seats.items()}
                    await program.kill()
            here = [name for name in NAMES if standing[name]["tables"]]
            assert bool(here) == (phase != "finish"), (phase, standing)
            program = await Program.spawn(database, port=port, public=public)
            await program.listening()
            began = time.monotonic()
            async with _seats(public, {name: cookies[name] for name in here}) as seats:
                for name, seat in seats.items():
                    while _shown(seat) != standing[name]:
                        left = SOON - (time.monotonic() - began)
                        try:
                            seat._take(str((await seat.wire.receive(timeout=max(left, 0.01))).data))
                        except TimeoutError:
                            assert _shown(seat) == standing[name], phase
    finally:
        await program.kill()
    assert errors(database) == []
