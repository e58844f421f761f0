"""A program hears what happens with a key, misses nothing when it is cut off, and holds nobody up."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from chatbot.kernel.game import Role
from chatbot.web.api import event_stream
from chatbot.web.api.endpoints import PREFIX
from tests.web.desk.test_matrix import logged_in
from tests.web.desk.test_once import revoke_all

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.web.desk.site import Program, Site


@pytest.fixture
async def program(site: Site) -> Program:
    await site.both.chat("bob", "!credits")
    return await site.program(await site.operator(), site.twitch_room, "events")


@asynccontextmanager
async def following(program: Program, **query: object) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    given = {name: str(each) for name, each in query.items()}
    address = f"{program.address}{PREFIX}/rooms/{program.room}/events"
    headers = {"Authorization": f"Bearer {program.token}", "Host": "games.example"}
    async with program.session.ws_connect(address, headers=headers, params=given) as socket:
        yield socket


async def until(socket: aiohttp.ClientWebSocketResponse, kind: str) -> list[Any]:
    """Receive events until one of a kind."""
    events = [await received(socket)]
    while events[-1]["kind"] != kind:
        events.append(await received(socket))
    return events


async def received(socket: aiohttp.ClientWebSocketResponse) -> Any:
    return await asyncio.wait_for(socket.receive_json(), 20)


async def test_a_program_hears_what_happens_from_a_picture_on(site: Site, program: Program) -> None:
    async with following(program) as socket:
        (picture,) = await until(socket, "picture")
        assert (picture["room"], picture["tables"]) == (site.twitch_room, [])
        await site.both.chat("bob", "!heist 50")
        events = await until(socket, "opened")
        assert [each["name"] for each in events[-1]["table"]["seats"]] == ["Bob"]
        assert events[0]["number"] == picture["number"] + 1


async def test_who_was_cut_off_resumes_after_the_last_event_and_misses_none(
    site: Site, program: Program
) -> None:
    async with following(program) as socket:
        await until(socket, "picture")
        await site.both.chat("bob", "!heist 50")
        last = (await until(socket, "opened"))[-1]
    await site.both.chat("carol", "!heist 50")
    async with following(program, after=last["number"], at=last["at"]) as socket:
        event = await received(socket)
        assert event["kind"] != "picture"
        numbers = [event["number"]]
        await site.both.chat("dora", "!heist 50")
        while "Dora" not in str(event):
            event = await received(socket)
            numbers.append(event["number"])
    assert numbers == [*range(last["number"] + 1, last["number"] + 1 + len(numbers))]


async def test_who_names_an_event_of_another_start_begins_with_a_picture(
    site: Site, program: Program
) -> None:
    async with following(program) as socket:
        await until(socket, "picture")
        await site.both.chat("bob", "!heist 50")
        last = (await until(socket, "opened"))[-1]
    for after, at in ((last["number"], "2025-01-01T00:00:00Z"), (last["number"] + 999, last["at"])):
        async with following(program, after=after, at=at) as socket:
            assert (await received(socket))["kind"] == "picture"


async def test_events_are_kept_for_a_while_after_the_last_program_has_left_and_not_for_ever(
    site: Site, program: Program
) -> None:
    async with following(program) as socket:
        await until(socket, "picture")
    assert site.twitch_room in site.bot.events._recorded
    await site.both.discord.until(lambda: not streams(site)._sessions)
    await site.both.discord.turn(event_stream.KEPT + 1)
    assert site.twitch_room not in site.bot.events._recorded


async def test_a_program_that_falls_behind_is_told_so_and_disconnected(
    site: Site, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "BACKLOG", 3)
    async with following(program) as socket:
        await until(socket, "picture")
        (session,) = streams(site)._sessions
        held = asyncio.Event()
        send = session.socket.send_str

        async def slowly(text: str, compress: int | None = None) -> None:
            await held.wait()
            await send(text)

        monkeypatch.setattr(session.socket, "send_str", slowly)
        for each in ("bob", "carol", "dora", "ed"):
            await site.both.chat(each, "!heist 50")
        held.set()
        while (frame := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert (frame.data, frame.extra) == (4008, "too slow: more than 3 events waited")


async def test_a_socket_whose_token_was_revoked_is_closed(site: Site, program: Program) -> None:
    async with following(program) as socket:
        await until(socket, "picture")
        await revoke_all(site)
        await site.both.discord.turn(event_stream.LOOK_INTERVAL)
        frame = await socket.receive()
        assert (frame.type, socket.close_code) == (aiohttp.WSMsgType.CLOSE, event_stream.REVOKED)


async def test_a_socket_is_closed_when_its_maker_is_not_known_in_the_room_any_more(site: Site) -> None:
    await site.both.chat("bob", "!credits")
    mona = await logged_in(site, Role.MODERATOR)
    program = await site.program(mona, site.twitch_room, "events")
    async with following(program) as socket:
        await until(socket, "picture")
        for each in list(site.server.roles._relied_on):
            await site.server.roles._accounts.put_roles(each, {})
        await site.both.discord.turn(event_stream.LOOK_INTERVAL)
        frame = await asyncio.wait_for(socket.receive(), 10)
        assert (frame.type, socket.close_code) == (aiohttp.WSMsgType.CLOSE, event_stream.REVOKED)


async def test_without_the_scope_or_the_room_nothing_is_heard(site: Site, program: Program) -> None:
    reader = await site.program(await site.operator(), site.twitch_room, "read", "own")
    for each, room in ((reader, site.twitch_room), (program, "local")):
        each.room = room
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with following(each):
                pass
        assert refused.value.status in {403, 404}
    browser = await site.operator()
    assert (await browser.get(f"{PREFIX}/rooms/{site.twitch_room}/events"))[0] == 403


async def test_a_token_has_a_bounded_number_of_connections(site: Site, program: Program) -> None:
    async with (
        following(program),
        following(program),
        following(program),
        following(program),
    ):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with following(program):
                pass
        assert refused.value.status == 429
    await site.both.discord.until(lambda: not streams(site)._sessions)
    async with following(program) as socket:
        await until(socket, "picture")


async def test_what_is_no_websocket_or_no_query_is_refused_in_a_sentence(
    site: Site, program: Program
) -> None:
    status, answer = await program.get("/events")
    assert (status, answer["error"]) == (426, "This address is for WebSockets.")
    assert (await program.get("/events", after="x"))[0] == 400


def streams(site: Site) -> event_stream.EventStreams:
    (streams,) = [each for each in site.server.pages if isinstance(each, event_stream.EventStreams)]
    return streams
