"""The page serves this machine only, tells secrets to nobody else, and answers nonsense with a sentence."""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

import aiohttp
import pytest
import structlog
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from chatbot.kernel.game import Failure, Seat
from chatbot.web import session, showing
from chatbot.web.listener import PageListener
from chatbot.web.server import Server
from chatbot.web.session import MAX_VIEWERS
from tests.web.conftest import PATIENCE, Page, Site

if TYPE_CHECKING:
    from aiohttp import ClientSession

TOO_FAST = "That came too fast and was not heard; please wait a few seconds."


async def status(client: ClientSession, url: str, **headers: str) -> int:
    async with client.get(url, headers=headers) as answer:
        return answer.status


async def test_the_page_and_its_files_are_served_with_a_policy_that_forbids_foreign_scripts(
    site: Site, client: ClientSession
) -> None:
    missing = "/static/missing.js", "/missing"
    for path in ("/", "/static/app.js", "/static/base.css", "/static/logo.svg", *missing):
        async with client.get(site.address + path) as answer:
            assert answer.status == (404 if "missing" in path else 200)
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.test:80", ""])
async def test_a_foreign_name_for_this_machine_is_refused(
    site: Site, client: ClientSession, host: str
) -> None:
    for path in ("/", "/static/app.js", "/socket"):
        assert await status(client, site.address + path, Host=host) == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.test", "null", "", "https://127.0.0.1", "http://127.0.0.1:1"]
)
async def test_a_socket_from_a_foreign_page_is_refused(
    site: Site, client: ClientSession, origin: str
) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await client.ws_connect(f"{site.address}/socket", headers={"Origin": origin})
    assert refused.value.status == 403


async def test_a_socket_without_an_origin_is_refused(site: Site, client: ClientSession) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await client.ws_connect(f"{site.address}/socket")


@pytest.mark.parametrize(
    "path",
    [
        "../server.py",
        "..%2fserver.py",
        "%2e%2e/server.py",
        "%2e%2e%2f%2e%2e%2fsettings.py",
        "//etc/passwd",
        "%00",
    ],
)
async def test_nothing_outside_of_the_folder_is_served(site: Site, client: ClientSession, path: str) -> None:
    from yarl import URL  # noqa: PLC0415

    async with client.get(URL(f"{site.address}/static/{path}", encoded=True)) as answer:
        assert answer.status in {400, 403, 404}
        assert "import" not in await answer.text()


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What the server logs, which other tests have made quiet."""
    caplog.set_level(logging.INFO, "aiohttp.server.page")
    return caplog


@pytest.mark.parametrize(
    "path", ["static/" + "a" * 300, "static/" + "%ED%95%9C" * 90, "overlay/" + "a" * 4000]
)
async def test_a_name_that_no_file_can_have_is_not_found(
    site: Site, client: ClientSession, path: str, logged: pytest.LogCaptureFixture
) -> None:
    assert await status(client, f"{site.address}/{path}") == 404
    assert logged.records == []


@pytest.mark.parametrize(
    "request_text",
    [
        "\0\1\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: " + "a" * 9000 + "\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n",
        "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n",
    ],
)
async def test_malformed_requests_are_refused_and_fill_no_log(
    site: Site, request_text: str, logged: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.server.port)
    writer.write(request_text.replace("{host}", site.host).encode())
    assert b" 400 " in await asyncio.wait_for(reader.readline(), PATIENCE)
    writer.transport.abort()
    assert logged.records == []


async def test_an_error_of_the_program_itself_is_logged(
    site: Site, client: ClientSession, logged: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PageListener, "is_here", None)
    assert await status(client, f"{site.address}/") == 500
    assert "'NoneType' object is not callable" in logged.text


async def test_a_heist_from_the_page(page: Page) -> None:
    hello = await page.until(lambda m: m["type"] == "hello")
    told = [(each["name"], each["title"], each["line"], each["apart"]) for each in hello["games"]]
    assert told == [
        ("heist", "Bank Heist", "!heist", False),
        ("chickenpoker", "Chicken Poker", "!chicken", False),
        ("highshow", "High Show", "!highshow", True),
        ("pokermarket", "Poker Market", "!market", False),
        ("sixcardpoker", "Six Card Poker", "!sixcard", True),
    ]
    assert hello["games"][0]["about"] == "Rob a bank together: more people, bigger bank."
    assert all(20 < len(each["about"]) <= 50 for each in hello["games"])
    ann = await page.enter("Ann")
    assert ann == "local:ann"
    await page.say(ann, "!heist 69")
    assert "Ann is planning" in (await page.hear("planning"))["text"]
    shown = await page.until(lambda m: m["type"] == "tables" and bool(m["tables"]))
    table = shown["tables"][0]
    assert (table["title"], table["phase"], table["seconds"], table["over"]) == (
        "Bank Heist",
        "Lobby",
        15,  # the first that somebody opens here
        False,
    )
    assert 0 < table["left"] <= 15
    assert [(each["name"], each["detail"]) for each in table["places"]] == [("Ann", "69 credits")]
    assert shown["own"]["local:ann"]["credits"] == "171 credits"
    await page.tell(type="hurry", table=table["id"])
    await page.hear("The target is")
    shown = await page.until(lambda m: m["type"] == "tables" and m["tables"][0]["phase"] == "Getaway")
    buttons = shown["own"]["local:ann"]["buttons"]
    assert len(buttons) == 10
    deposit = next(each for each in buttons if each["line"] == "!deposit")
    assert (deposit["label"], deposit["secret"]) == ("Deposit", True)
    assert deposit["help"].startswith("if you succeed")
    await page.tell(type="hurry", table=table["id"])
    await page.until(lambda m: m["type"] == "tables" and m["tables"][0]["phase"] != "Getaway")
    await page.tell(type="hurry", table=table["id"])
    await page.hear("Results")
    shown = await page.until(lambda m: m["type"] == "tables" and m["tables"][0]["over"])
    assert shown["own"]["local:ann"]["buttons"] == []


async def test_whispers_reach_their_viewer_and_no_other_page(
    site: Site, page: Page, client: ClientSession
) -> None:
    ann = await page.enter("ann")
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        bob = await other.enter("bob")
        await page.say(ann, "!credits", whisper=True)
        private = await page.hear("240 credits")
        assert private["to"] == ann
        await other.say(bob, "I am last")
        heard: list[dict[str, Any]] = []

        def last(message: dict[str, Any]) -> bool:
            heard.append(message)
            return bool(message.get("text") == "I am last")

        await other.until(last)
        assert not any(m.get("to") == ann or m.get("text") == "!credits" for m in heard)
    assert not any(m["to"] for m in site.chat.history)


async def test_nobody_speaks_for_a_viewer_of_another_page(
    site: Site, page: Page, client: ClientSession
) -> None:
    await page.enter("ann")
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        await other.say("local:ann", "!give @bob 240")
        refused = await other.until(lambda m: m["type"] == "refused")
        assert refused["text"] == "That viewer has not entered the chat."


@pytest.mark.parametrize(
    "frame",
    [
        "", "x", "[]", "{}", "1", '"say"', '{"type":"nothing"}', '{"type":["say"]}', '{"type":"say"}',
        '{"type":"say","seat":1,"text":"x"}', '{"type":"enter","name":"ann"}',
        '{"type":"enter","name":1,"role":"viewer"}',
        '{"type":"enter","name":"ann","role":"king"}', '{"type":"enter","name":"\\u200b","role":"viewer"}',
        '{"type":"crowd","count":-1}', '{"type":"crowd","count":201}', '{"type":"crowd","count":true}',
        '{"type":"crowd","count":"5"}', '{"type":"hurry"}', "[" * 5000,
        '{"type":"say","seat":"local:ann","text":"x"}',
        '{"type":"say","seat":"local:ann","text":"x","table":1}',
    ],
)  # fmt: skip
async def test_a_frame_that_makes_no_sense_gets_one_sentence_and_does_nothing(
    site: Site, page: Page, frame: str
) -> None:
    await page.socket.send_str(frame)
    assert (await page.until(lambda m: m["type"] == "refused"))["text"]
    assert site.crowd.viewers == ()
    await page.enter("still here")


async def test_a_frame_that_is_too_large_ends_the_visit_and_nothing_else(site: Site, page: Page) -> None:
    await page.socket.send_str('{"type":"say","text":"' + "x" * 10_000 + '"}')
    while not page.socket.closed:
        await page.socket.receive(timeout=10)
    assert site.chat.room.tables == {}


async def test_of_a_page_that_was_left_nothing_is_kept(site: Site, client: ClientSession) -> None:
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        await Page(socket).enter("ann")
        assert len(site.server._sockets or ()) == 1
    async with asyncio.timeout(PATIENCE):
        while site.server._sockets or site.chat.pages:  # noqa: ASYNC110  (what happens sets no event)
            await asyncio.sleep(0)
    assert site.chat.pages == set()


async def test_a_page_that_falls_too_far_behind_is_disconnected_and_others_are_not(
    site: Site, page: Page, client: ClientSession
) -> None:
    await page.enter("ann")
    (slow,) = site.chat.pages
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        bob = await other.enter("bob")
        for _ in range(session.BACKLOG + 1):
            slow.tell({"type": "line", "text": ""})
        assert slow not in site.chat.pages
        async with asyncio.timeout(1):
            while not page.socket.closed:
                await page.socket.receive()
        await other.say(bob, "!credits")
        await other.hear("240 credits")


async def test_a_line_that_is_too_long_is_refused(page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "x" * 501)
    refused = await page.until(lambda m: m["type"] == "refused")
    assert refused["text"] == "That is too long: 500 characters are the limit."


async def test_whose_commands_the_flood_limit_drops_is_told_so_once(
    site: Site, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await page.enter("ann")
    refused: list[str] = []

    def note(message: dict[str, Any]) -> bool:
        if message["type"] == "refused":
            refused.append(message["text"])
        return message.get("text") == "the end"

    with monkeypatch.context() as patch:
        patch.setattr(site.chat.bot._flood_limit, "admits", lambda *_, **__: False)
        for line in ("!credits", "!credits", "the end"):
            await page.say(ann, line)
        await page.until(note)
    assert refused == [TOO_FAST]
    await page.say(ann, "!credits")
    await page.hear("240 credits")
    with monkeypatch.context() as patch:
        patch.setattr(site.chat.bot._flood_limit, "admits", lambda *_, **__: False)
        await page.say(ann, "!credits")
        assert (await page.until(lambda m: m["type"] == "refused"))["text"] == TOO_FAST


async def test_a_flood_is_slowed_down_and_the_page_lives_on(page: Page) -> None:
    ann = await page.enter("ann")
    for _ in range(100):
        await page.say(ann, "spam")
    refused = await page.until(lambda m: m["type"] == "refused")
    assert refused["text"] == TOO_FAST
    await asyncio.sleep(0.2)
    await page.say(ann, "!credits")
    await page.hear("240 credits")


async def test_whoever_gives_more_commands_than_are_heard_is_told_so(page: Page) -> None:
    ann = await page.enter("ann")
    for _ in range(35):  # fewer than the messages that a page may send at once
        await page.say(ann, "!credits")
    refused = await page.until(lambda m: m["type"] == "refused")
    assert refused["text"] == TOO_FAST


async def test_a_page_holds_only_so_many_viewers(page: Page) -> None:
    for number in range(MAX_VIEWERS):
        await page.enter(f"viewer {number}")
    await page.tell(type="enter", name="one more", role="viewer")
    assert "20 viewers" in (await page.until(lambda m: m["type"] == "refused"))["text"]
    await page.tell(type="enter", name="viewer 0", role="moderator")  # who is in takes no further place
    assert (await page.until(lambda m: m["type"] in {"entered", "refused"}))["type"] == "entered"


async def test_a_page_outlives_a_database_that_does_not_answer(
    site: Site, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, reads = await page.enter("ann"), count()
    seat, own = site.chat.bot.seat, showing.own

    async def unanswered(*_: object) -> NoReturn:
        raise OperationalError("SELECT 1", None, Exception("the server is away"))

    async def answered_at_the_fourth_time(*args: Any) -> dict[Seat, Any]:
        return await own(*args) if next(reads) > 2 else await unanswered()

    monkeypatch.setattr(session, "READ_AGAIN", 0.01)
    monkeypatch.setattr(showing, "own", answered_at_the_fourth_time)
    monkeypatch.setattr(site.chat.bot, "seat", unanswered)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with capture_logs() as logged:
        await page.tell(type="enter", name="bob", role="viewer")
        refused = await page.until(lambda m: m["type"] == "refused")
        await page.say(ann, "hello")
        await page.until(lambda m: m["type"] == "tables" and ann in m["own"])
    assert refused["text"] == "That did not work just now and nothing has changed; please try again."
    assert [each["event"] for each in logged].count("wallets cannot be shown") == 1
    monkeypatch.setattr(site.chat.bot, "seat", seat)
    assert await page.enter("bob")


async def test_a_role_is_what_the_viewer_entered_with(page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!set heist lobby 10")
    await page.hear("That is for moderators or above.")
    await page.enter("ann", "moderator")
    await page.say(ann, "!set heist lobby 10")
    await page.hear("lobby was 60 and is now 10")


async def test_a_crowd_joins_what_somebody_opens_and_is_marked(site: Site, page: Page) -> None:
    ann = await page.enter("ann")
    await page.tell(type="crowd", count=8)
    assert (await page.until(lambda m: m["type"] == "crowd"))["count"] == 8
    await page.say(ann, "!heist 20")
    said = await page.until(lambda m: m["type"] == "line" and m["simulated"])
    assert said["text"].startswith("!heist ")
    shown = await page.until(lambda m: m["type"] == "tables" and len(m["tables"][0]["places"]) > 1)
    assert any(each["simulated"] for each in shown["tables"][0]["places"])
    await page.tell(type="crowd", count=0)
    await page.until(lambda m: m["type"] == "crowd" and m["count"] == 0)
    assert site.crowd.viewers == ()


async def test_every_page_is_told_how_large_the_crowd_is_up_to_the_most_that_may_be(
    site: Site, page: Page, client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.web.session.MAX_CROWD", 2)
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        await other.until(lambda m: m["type"] == "hello")
        await page.tell(type="crowd", count=2)
        assert (await other.until(lambda m: m["type"] == "crowd"))["count"] == 2


async def test_a_taken_port_is_named_with_what_to_do(site: Site) -> None:
    port = int(site.address.rpartition(":")[2])
    with pytest.raises(Failure, match=f"cannot listen at 127.0.0.1:{port} .*CHATBOT_PORT"):
        await Server(site.chat, site.crowd, "127.0.0.1", port).start()


async def test_a_server_that_cannot_listen_leaves_nothing_behind(site: Site) -> None:
    second = Server(site.chat, site.crowd, "127.0.0.1", int(site.address.rpartition(":")[2]))
    with pytest.raises(Failure):
        await second.start()
    assert second._local is not None
    assert second._local._runner is not None
    assert second._local._runner.server is None  # as after `stop`


async def test_a_page_that_has_stopped_reading_does_not_hold_up_the_end(
    site: Site, client: ClientSession
) -> None:
    socket = await client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address})
    for page in list(site.chat.pages):
        for _ in range(5000):
            page.tell({"type": "line", "text": "x" * 5000})
    await asyncio.sleep(0.1)
    await asyncio.wait_for(site.server.stop(), 5)
    await socket.close()


@pytest.mark.parametrize(
    ("host", "port", "authority", "served"),
    [
        ("127.0.0.1", 80, "127.0.0.1", True),  # browsers leave the usual port out
        ("127.0.0.1", 80, "localhost:80", True),
        ("127.0.0.1", 80, "evil.test", False),
        ("127.0.0.1", 8765, "127.0.0.1", False),
        ("0.0.0.0", 8765, "192.168.1.5:8765", True),
        ("0.0.0.0", 8765, "evil.test:8765", False),
        ("127.0.0.1", 8765, "192.168.1.5:8765", False),
        ("::1", 8765, "[::1]:8765", True),
    ],
)
def test_only_names_of_this_machine_are_served(host: str, port: int, authority: str, served: bool) -> None:
    assert PageListener(host, port, ("CHATBOT_PORT", "CHATBOT_HOST")).serves(authority) == served


async def test_a_host_that_is_no_name_is_answered_with_a_sentence(site: Site) -> None:
    with pytest.raises(Failure, match="CHATBOT_HOST"):
        await Server(site.chat, site.crowd, "a..b", 0).start()


async def test_a_word_that_is_no_command_is_answered_to_its_speaker_alone(page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!nonsense")
    told = await page.hear("There is no command “nonsense”; !help lists them all.")
    assert told["to"] == ann
