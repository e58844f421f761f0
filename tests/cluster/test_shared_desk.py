"""The desk and the interface of a room work at every process, whichever of them runs the room."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import TYPE_CHECKING, NoReturn

import aiohttp
import pytest

from chatbot.cluster.carrier import Away
from chatbot.kernel.game import Role
from chatbot.web.carrying import bridge
from tests.cluster.processes import eventually, home_of
from tests.cluster.sites import sites

if TYPE_CHECKING:
    from chatbot.cluster.page_streams import PageStream
    from tests.cluster.sites import SharedSite

pytestmark = pytest.mark.postgres


async def room_of(site: SharedSite, skip: int = 0) -> str:
    """Open a room that a process runs and hears, and let somebody play there."""
    room = home_of(site.process, skip)
    await site.process.open(room)
    await site.process.say(room, "ann", "!heist 50")
    assert site.process.runs(room)
    return room


async def test_the_desk_of_a_room_works_where_another_process_runs_it(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await room_of(second)
        assert room not in first.bot.rooms
        browser = await first.operator()
        me = await browser.look()
        assert [(each["id"], each["title"]) for each in me["rooms"]] == [(room, f"#{room}")]
        status, tables = await browser.get(f"/api/1/rooms/{room}/desk/tables")
        assert status == 200
        assert [(each["game"], [p["name"] for p in each["players"]]) for each in tables] == [
            ("heist", ["ann"])
        ]
        status, done = await browser.use(room, "set", "heist lobby 90")
        assert (status, done["done"]) == (200, True)
        assert second.bot.rooms[room].settings("heist")["lobby"] == "90"
        _, audit = await browser.get(f"/api/1/rooms/{room}/audit")
        assert "lobby" in audit[0]["text"]
        (table,) = tables
        status, preview = await browser.get(f"/api/1/rooms/{room}/desk/tables/{table['id']}/cancel")
        assert [(each["name"], each["credits"]) for each in preview["refunds"]] == [("ann", 50)]
        assert (await browser.get("/api/1/rooms/nowhere/settings"))[0] == 404
        assert room not in first.bot.rooms


async def test_who_may_do_what_is_decided_where_the_room_runs(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room, other = await room_of(second), await room_of(second, 1)
        tables = f"/api/1/rooms/{room}/desk/tables"
        assert (await first.elsewhere().get(tables))[0] == 401
        strange = await first.moderator("eve", {other: Role.MODERATOR})
        assert (await strange.get(tables))[0] == 404
        assert [each["id"] for each in (await strange.look())["rooms"]] == [other]
        moderator = await first.moderator("mod", {room: Role.MODERATOR})
        assert (await moderator.get(tables))[0] == 200
        assert (await moderator.get(f"/api/1/rooms/{room}/webhooks"))[0] == 403
        csrf, moderator.csrf = moderator.csrf, "guessed"
        assert (await moderator.use(room, "set", "heist lobby 90"))[0] == 403
        moderator.csrf, moderator.origin = csrf, "https://evil.example"
        assert (await moderator.use(room, "set", "heist lobby 90"))[0] == 403
        assert second.bot.rooms[room].settings("heist") == {}
        # The session of the operator counts on their machine alone, wherever the room runs.
        operator = await first.operator()
        assert (await operator.get(tables))[0] == 200
        (cookie,) = operator.cookies.values()
        assert (await first.elsewhere({"__Host-rabble": cookie}).get(tables))[0] == 401
        # A program has its scopes, and one that is revoked is none.
        program = await first.program(moderator, room, "read")
        assert (await program.get("/tables"))[0] == 200
        assert (await program.use("set", "heist lobby 90"))[1]["answers"][0]["refused"]
        assert (await first.program(moderator, other, "read")).token != program.token


async def test_a_moderator_is_known_where_another_process_hears_the_channel(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = home_of(second.process)
        await first.process.open(room)
        await first.process.say(room, "ann", "!heist 50")
        assert second.process.runs(room)
        for each in (first, second):
            moderator = await each.moderator("mod", {room: Role.MODERATOR})
            assert [(row["title"], row["role"]) for row in (await moderator.look())["rooms"]] == [
                (f"#{room}", "moderator")
            ]
            assert (await moderator.get(f"/api/1/rooms/{room}/desk/tables"))[0] == 200


async def test_a_change_with_a_key_is_done_once_at_whichever_process_it_arrives(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await room_of(second)
        moderator = await first.moderator("mod", {room: Role.BROADCASTER})
        here = await first.program(moderator, room, "moderate", "play", "read")
        there = await second.program(moderator, room, "moderate", "play", "read")
        there.token = here.token
        answer = await here.use("set", "heist lobby 90", key="once")
        assert answer[0] == 200
        assert await there.use("set", "heist lobby 90", key="once") == answer
        _, rows = await moderator.get(f"/api/1/rooms/{room}/audit")
        assert sum("lobby" in each["text"] for each in rows) == 1


async def test_an_import_larger_than_a_message_arrives(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await room_of(second)
        browser = await first.operator()
        rows = "\n".join(f"viewer{number},{number}" for number in range(100_000))
        content = b64encode(f"name,credits\n{rows}\n".encode()).decode()
        assert len(content) > 1_500_000
        wanted = {"act": "look", "file": "points.csv", "content": content, "platform": "twitch"}
        status, progress = await browser.post(f"/api/1/rooms/{room}/imports", wanted)
        assert (status, progress["state"]) == (200, "running")
        while progress["state"] == "running":
            await asyncio.sleep(0.05)
            _, progress = await browser.get(f"/api/1/rooms/{room}/imports/job")
        assert progress["rows"] == 100_000
        too_large = {**wanted, "content": "A" * 15_000_000}
        assert (await browser.post(f"/api/1/rooms/{room}/imports", too_large))[0] in {400, 413}


async def test_the_desk_follows_its_room_to_another_process(own_url: str) -> None:
    async with sites(own_url, 3) as (first, second, third):
        room = await room_of(second)
        browser = await first.operator()
        path = f"/api/1/rooms/{room}/desk"
        _, news = await browser.get(f"{path}/news")
        waiting = asyncio.ensure_future(browser.get(f"{path}/news?mark={news['mark']}"))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        await third.process.open(room)
        await eventually(lambda: not second.process.bot.rooms.hears(room))
        await second.leave()
        status, after = await asyncio.wait_for(waiting, 10.0)
        assert status == 200
        assert after["mark"] != news["mark"]
        status, tables = await browser.get(f"{path}/tables")
        assert [[p["name"] for p in each["players"]] for each in tables] == [["ann"]]


async def test_the_desk_follows_its_room_when_its_process_is_killed(own_url: str) -> None:
    async with sites(own_url, 3) as (first, second, third):
        room = await room_of(second)
        await third.process.open(room)
        await eventually(lambda: not second.process.bot.rooms.hears(room))
        browser = await first.operator()
        path = f"/api/1/rooms/{room}/desk/tables"
        assert (await browser.get(path))[0] == 200
        await second.die()
        loop = asyncio.get_running_loop()
        began = loop.time()
        while (await browser.get(path))[0] != 200:
            assert loop.time() - began < 15.0
        _, tables = await browser.get(path)
        assert [[p["name"] for p in each["players"]] for each in tables] == [["ann"]]


async def test_what_nobody_answers_is_told_in_one_sentence(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "PATIENCE", 0.5)
    async with sites(own_url, 2) as (first, second):
        room = await room_of(second)
        browser = await first.operator()
        tables = f"/api/1/rooms/{room}/tables"
        # The process that runs the room takes nothing, and says so: nothing was done.
        accept, second.process.cluster.streams.accept = second.process.cluster.streams.accept, None
        assert await browser.get(tables) == (503, {"error": bridge.UNHEARD})
        assert await browser.use(room, "set", "heist lobby 90") == (503, {"error": bridge.UNHEARD})

        async def lose(_: PageStream) -> None:
            """Answer nothing: what was to be changed may have been."""

        second.process.cluster.streams.accept = lose
        assert await browser.get(tables) == (503, {"error": bridge.UNHEARD})
        assert await browser.use(room, "set", "heist lobby 90") == (503, {"error": bridge.UNKNOWN})
        second.process.cluster.streams.accept = accept
        assert (await browser.get(tables))[0] == 200

        def away(*_: object) -> NoReturn:
            raise Away("NATS is not connected")

        # Nothing can be carried, and so nothing was done.
        monkeypatch.setattr(first.process.cluster.streams, "open", away)
        assert await browser.get(tables) == (503, {"error": bridge.UNHEARD})
        assert await browser.use(room, "set", "heist lobby 90") == (503, {"error": bridge.UNHEARD})
        async with browser.session.get(
            browser.address + tables, cookies=browser.cookies, headers={"Origin": browser.origin}
        ) as answer:
            assert answer.headers["Retry-After"] == "2"
        assert second.bot.rooms[room].settings("heist") == {}
        # Rooms of this process go on, and the board of the other one is shown without what is played.
        own = await room_of(first)
        assert (await browser.get(f"/api/1/rooms/{own}/tables"))[0] == 200


async def test_the_board_of_a_room_shows_what_is_played_at_another_process(own_url: str) -> None:
    async with sites(own_url, 2) as (first, second):
        room = await room_of(second)
        browser = await first.operator()
        data = f"/board/{room}/data"
        assert (await first.elsewhere().get(data))[0] == 404
        assert (await browser.use(room, "set", "room board on"))[0] == 200
        _, board = await first.elsewhere().get(data)
        assert [(each["game"], each["players"]) for each in board["playing"]] == [("heist", 1)]
        assert (await second.elsewhere().get(data))[1]["playing"] == board["playing"]
        assert board["commitments"]
        async with browser.session.head(browser.address + data) as answer:
            assert answer.status == 200


async def test_who_listens_already_does_not_listen_again(own_url: str) -> None:
    async with sites(own_url, 1) as (only,):
        # As it is tried again where the database has not answered what the operator is told then.
        assert await only.server.listen() == only.address
        assert (await only.here().get("/reached"))[0] == 200
        await only.close()
        with pytest.raises(aiohttp.ClientConnectionError):
            await only.here().get("/reached")
