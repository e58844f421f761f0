"""Seats hold hands of rooms that other processes run, follow them, and are shown nothing of anybody else."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.ledger.people import Account
from chatbot.web import seat_session
from tests.cluster.processes import PLATFORM, eventually, home_of
from tests.cluster.sites import sites
from tests.cluster.test_shared_overlays import moved_room
from tests.web.seat.sockets import OpenSeat, opened_seat

if TYPE_CHECKING:
    from tests.cluster.sites import SharedSite
    from tests.web.desk.site import Browser

pytestmark = pytest.mark.postgres


async def reopened(browser: Browser, room: str = "") -> OpenSeat:
    """Open a seat as its page does that was disconnected, however often that takes."""
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    headers = {**browser.headers, "Origin": browser.origin, "Cookie": cookie}
    statuses = list[int]()
    async with asyncio.timeout(20.0):
        while True:
            address = f"{browser.address}/seat/socket" + (f"?room={room}" if room else "")
            try:
                wire = await browser.session.ws_connect(address, headers=headers)
            except aiohttp.WSServerHandshakeError as error:
                statuses.append(error.status)
            else:
                seat = OpenSeat(wire)
                frame = await wire.receive()
                if frame.type is aiohttp.WSMsgType.TEXT:
                    seat._take(str(frame.data))
                    assert {*statuses} <= {503}
                    return seat
            await asyncio.sleep(0.2)


async def closing_code(seat: OpenSeat) -> int | None:
    async with asyncio.timeout(20.0):
        while (await seat.wire.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
    return seat.wire.close_code


def shown(seat: OpenSeat, table: str) -> list[str]:
    """Whose cards a seat sees at a table."""
    return [hand["owner"] for hand in seat.own["hands"].get(table, ()) if hand["cards"]]


async def duel(first: SharedSite, second: SharedSite) -> str:
    """Let ann challenge bob in a room that the second process runs, and return that."""
    room = home_of(second.process)
    await first.process.open(room)
    await first.process.say(room, "bob", "!credits")
    await first.process.say(room, "ann", "!credits")
    await first.process.say(room, "ann", "!sixcard 20 @bob")
    assert second.process.runs(room)
    return room


async def test_a_seat_plays_its_hand_where_another_process_runs_the_room(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await duel(first, second)
        async with (
            opened_seat(await first.sitter("bob")) as bob,
            opened_seat(await second.sitter("ann")) as ann,
        ):
            assert bob.hello["room"] == ann.hello["room"] == room
            assert bob.hello["name"] == "bob"
            (table,) = bob.tables
            _, refused = await bob.say("!sixcard accept", table)
            assert not refused
            await bob.until(lambda seat: seat.own["hands"].get(table))
            await ann.until(lambda seat: seat.own["hands"].get(table))
            assert (shown(bob, table), shown(ann, table)) == (["bob"], ["ann"])
            text, refused = await bob.say("!give @ann 10")
            assert refused
            assert "type everything else in the chat" in text


async def test_what_a_seat_is_sent_is_the_same_at_every_process(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        await duel(first, second)
        async with AsyncExitStack() as stack:
            away, near = [
                await stack.enter_async_context(opened_seat(await each.sitter("bob")))
                for each in (first, second)
            ]
            ann = await stack.enter_async_context(opened_seat(await first.sitter("ann")))
            (table,) = away.tables
            await near.say("!sixcard accept", table)
            for seat in (away, near, ann):
                await seat.until(lambda each: each.own["hands"].get(table))
            for _ in range(3):  # of each the last frames are the same, whatever was sent in between
                await asyncio.sleep(0.3)
                for seat in (away, near, ann):
                    while seat.wire._reader._buffer:
                        seat._take(str((await seat.wire.receive()).data))
            assert away.own == near.own
            assert {name: _timeless(each) for name, each in away.tables.items()} == {
                name: _timeless(each) for name, each in near.tables.items()
            }
            assert {**away.hello} == {**near.hello}
            own = [json.loads(frame)["own"] for frame in away.frames if '"type": "own"' in frame]
            hands = [hand for each in own for hand in each["hands"].get(table, ())]
            assert {hand["owner"] for hand in hands} == {"ann", "bob"}
            assert not any(hand["cards"] for hand in hands if hand["owner"] == "ann")
            assert not any(note in frame for note in ann.own["notes"].values() for frame in away.frames)


def _timeless(row: dict[str, object]) -> dict[str, object]:
    """A table without how long its clock still runs, which is another time with each look."""
    return {name: each for name, each in row.items() if name != "left"}


async def test_who_is_nobody_or_somebody_else_is_shown_no_seat(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await duel(first, second)
        address, headers = f"{first.elsewhere().address}/seat/socket", first.elsewhere().headers
        bob = await first.sitter("bob")
        cookie = "; ".join(f"{name}={value}" for name, value in bob.cookies.items())
        for given, status in (
            ({**headers, "Origin": bob.origin}, 401),
            ({**headers, "Origin": "https://evil.example", "Cookie": cookie}, 403),
            ({**headers, "Origin": bob.origin, "Cookie": cookie[:-1]}, 401),
        ):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await bob.session.ws_connect(address, headers=given)
            assert refused.value.status == status
        # Somebody who was never in a room is shown nothing of it, even if they name it.
        stranger = await reopened(await first.sitter("eve"), room)
        assert (stranger.hello["room"], stranger.hello["rooms"]) == (None, [])
        await stranger.wire.close()


async def test_a_seat_shows_the_rooms_of_all_processes_and_goes_from_one_to_another(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_session, "LOOK_FOR_ROOM", 0.5)
    async with sites(own_url, 2) as (first, second):
        here, there = home_of(first.process), home_of(second.process)
        for room in (here, there):
            await first.process.open(room)
            await first.process.say(room, "bob", "!credits")
            await asyncio.sleep(1.5)  # each process tells how long ago it was, when it is asked
        bob = await first.sitter("bob")
        async with opened_seat(bob) as seat:
            assert seat.hello["room"] == there  # where they spoke last
            assert [each["id"] for each in seat.hello["rooms"]] == [there, here]
            assert [each["title"] for each in seat.hello["rooms"]] == [f"#{there}", f"#{here}"]
            await seat.wire.send_json({"type": "room", "room": here})
            frames = [frame async for frame in seat.wire]
            assert seat.wire.close_code == 4300, frames
        again = await reopened(bob, here)
        assert again.hello["room"] == here
        await again.wire.send_json({"type": "room", "room": there})
        assert await closing_code(again) == 4300
        back = await reopened(bob, there)
        assert back.hello["room"] == there
        # Who connects again is told of the rooms of all processes a little later.
        while (message := json.loads((await back.wire.receive()).data))["type"] != "rooms":
            pass
        assert {each["id"] for each in message["rooms"]} == {here, there}
        await back.wire.close()


async def test_seats_that_end_are_closed_at_every_process(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        await duel(first, second)
        async with (
            opened_seat(await first.sitter("bob")) as away,
            opened_seat(await second.sitter("bob")) as near,
        ):
            entrance = first.bot.parts.entrance
            assert entrance.end_seats is not None
            assert await entrance.end_seats(Account(PLATFORM, "bob"))
            for seat in (away, near):
                await seat.until(lambda each: each.ended)
                await closing_code(seat)


async def test_an_open_seat_follows_its_room_to_another_process(own_url: str) -> None:
    async with sites(own_url, 3) as (first, second, third):
        room = await duel(first, second)
        bob, ann = await third.sitter("bob"), await first.sitter("ann")
        async with opened_seat(bob) as seat:
            (table,) = seat.tables
            await seat.say("!sixcard accept", table)
            await seat.until(lambda each: each.own["hands"].get(table))
            cards = seat.faces(table)
            leaving = asyncio.ensure_future(second.leave())
            assert await closing_code(seat) == 1012
            again = await reopened(bob, room)
            await again.until(lambda each: each.own)
            assert again.hello["room"] == room
            assert again.faces(table) == cards
            await leaving
            other = await reopened(ann, room)
            await other.until(lambda each: each.own)
            assert (shown(again, table), shown(other, table)) == (["bob"], ["ann"])
            await again.wire.close()
            await other.wire.close()


async def test_an_open_seat_follows_its_room_when_its_process_is_killed(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await moved_room(first, second)
        ann = await first.sitter("ann")
        loop = asyncio.get_running_loop()
        async with opened_seat(ann) as seat:
            (table,) = seat.tables
            began = loop.time()
            await second.die()
            assert await closing_code(seat) == 1012
            assert loop.time() - began < 8.0
        again = await reopened(ann, room)
        await again.until(lambda each: each.own)
        assert loop.time() - began < 16.0
        assert again.hello["room"] == room
        assert [*again.tables] == [table]
        assert first.process.runs(room)
        await again.wire.close()


async def test_a_raid_of_a_hundred_seats_shows_a_room_of_another_process(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = home_of(second.process)
        await first.process.open(room)
        names = [f"member{number}" for number in range(100)]
        for name in names:
            await first.process.say(room, name, "!heist 50")
        async with AsyncExitStack() as stack:
            seats = [await stack.enter_async_context(opened_seat(await first.sitter(name))) for name in names]
            assert first.process.cluster.streams.opened == 100
            assert second.process.cluster.streams.accepted == 100
            await first.process.say(room, "late", "!heist 50")
            (table,) = seats[0].tables
            for seat in seats:
                await seat.until(lambda each: each.tables[table]["count"] >= 101)
                assert json.loads(seat.frames[0])["room"] == room
        await eventually(lambda: first.process.cluster.streams.opened == 0)
        await eventually(lambda: second.process.cluster.streams.accepted == 0)


async def test_a_seat_without_a_room_shows_one_as_soon_as_there_is_any(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_session, "LOOK_FOR_ROOM", 0.2)
    async with sites(own_url, 2) as (first, second):
        bob = await first.sitter("bob")
        async with opened_seat(bob) as seat:
            assert (seat.hello["room"], len(seat.frames)) == (None, 1)
            await asyncio.sleep(0.5)
            room = home_of(second.process)
            await second.process.open(room)
            await second.process.say(room, "bob", "!credits")
            assert await closing_code(seat) == 4300
        again = await reopened(bob, room)
        assert again.hello["room"] == room
        await again.wire.close()
