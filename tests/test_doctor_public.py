"""`chatbot doctor` asks at the public address as a browser would, and says what a proxy does wrong."""

from __future__ import annotations

import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp
import pytest
from aiohttp import web

from chatbot.cli import doctor_public
from chatbot.environment import Settings
from chatbot.web.listener import PageListener
from chatbot.web.reached import serve_reached

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

KEPT = {"X-Forwarded-For": "203.0.113.7"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def serving(handler: web.RequestHandler | object) -> AsyncIterator[str]:
    """Let something answer every request, and give its address."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handler)  # type: ignore[arg-type]
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert runner.addresses
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@asynccontextmanager
async def proxied(target: int, added: Mapping[str, str], host: str | None = None) -> AsyncIterator[str]:
    """A proxy that passes requests on to a port here, with headers of its own; `host` replaces theirs."""
    async with aiohttp.ClientSession() as session:

        async def pass_on(request: web.Request) -> web.Response:
            headers = {"Host": host or request.headers["Host"], **added}
            async with session.get(f"http://127.0.0.1:{target}{request.path}", headers=headers) as answer:
                return web.Response(status=answer.status, body=await answer.read())

        async with serving(pass_on) as address:
            yield address


async def found(port: int, url: str) -> list[tuple[str, str]]:
    settings = Settings(public_port=port, public_url=url)
    async with aiohttp.ClientSession() as session:
        return [(each.verdict, each.sentence) for each in await doctor_public.examine(settings, session)]


async def test_without_public_pages_nothing_is_to_do() -> None:
    assert await found(0, "") == [("ok", "none (optional); CHATBOT_PUBLIC_PORT serves them.")]
    ((verdict, sentence),) = await found(0, "https://games.example")
    assert verdict == "wrong"
    assert "set CHATBOT_PUBLIC_PORT, too" in sentence


async def test_a_proxy_that_keeps_the_host_and_tells_who_asks_is_right() -> None:
    port = free_port()
    async with proxied(port, KEPT) as url:
        here, way = await found(port, url)
    assert here == ("ok", f"127.0.0.1:{port} is free.")
    assert way == ("ok", f"{url} reaches the bot by its own name; headers of a proxy: x-forwarded-for.")


async def test_it_asks_the_bot_itself_while_that_runs() -> None:
    port = free_port()
    async with proxied(port, KEPT) as url:
        bot = PageListener("127.0.0.1", port, doctor_public.NAMES, public=True, url=url)
        await serve_reached(bot)
        here, way = await found(port, url)
        await bot.stop()
    assert here[0] == "look"
    assert here[1].startswith("either the bot is running, or: The page cannot listen at ")
    assert way[0] == "ok"


async def test_a_proxy_that_replaces_the_host_is_named() -> None:
    port = free_port()
    async with proxied(port, KEPT, host="elsewhere.example") as url:
        _, way = await found(port, url)
    assert way == (
        "wrong",
        f"the proxy at {url} replaces the header Host; let it pass on the one that it is asked by.",
    )


async def test_a_proxy_with_tls_that_does_not_tell_who_asks_is_worth_a_look() -> None:
    content = {"program": "rabble", "public": True, "secure": True, "tells_visitor": False, "forwarded": []}
    finding = doctor_public._judged("https://games.example", "http://127.0.0.1:1", content)
    assert finding.verdict == "look"
    assert "let it send X-Forwarded-For." in finding.sentence
    plain = doctor_public._judged("http://192.168.1.5:1", "http://127.0.0.1:1", content)
    assert plain.verdict == "ok"


async def test_a_way_that_leads_to_the_local_page_is_wrong() -> None:
    port, local_port = free_port(), free_port()
    local = PageListener("127.0.0.1", local_port, ("CHATBOT_PORT", "CHATBOT_HOST"))
    await serve_reached(local)
    async with proxied(local_port, KEPT, host=f"127.0.0.1:{local_port}") as url:
        _, way = await found(port, url)
    await local.stop()
    assert way[0] == "wrong"
    assert "leads to the local page, which is for this machine alone" in way[1]


async def test_somebody_else_who_answers_there_is_told_apart() -> None:
    async def greet(_: web.Request) -> web.Response:
        return web.Response(text="<h1>Welcome</h1>")

    async def redirect(_: web.Request) -> web.Response:
        raise web.HTTPMovedPermanently("https://other.example/")

    async with serving(greet) as url:
        _, way = await found(free_port(), url)
        assert way[0] == "wrong"
        assert way[1].startswith(f"somebody else answers at {url} (status 200)")
    async with serving(redirect) as url:
        _, way = await found(free_port(), url)
        assert way == (
            "wrong",
            f"{url} sends on to https://other.example/; set CHATBOT_PUBLIC_URL to what people end up at.",
        )


async def test_nobody_who_answers_there_is_said_with_what_to_start() -> None:
    port, nobody = free_port(), free_port()
    _, way = await found(port, f"http://127.0.0.1:{nobody}")
    assert way[0] == "wrong"
    assert f"start the proxy or tunnel, and lead it to http://127.0.0.1:{port}." in way[1]


@pytest.mark.parametrize(
    ("url", "told"),
    [("https://games.example", "go around the proxy"), ("http://192.168.1.5", "nothing is encrypted")],
)
async def test_an_address_that_other_machines_reach_is_worth_a_look(url: str, told: str) -> None:
    settings = Settings(public_port=1, public_url=url, public_host="0.0.0.0")
    (finding,) = await doctor_public._exposure(settings)
    assert finding.verdict == "look"
    assert told in finding.sentence


async def test_without_an_address_for_people_it_says_what_lacks() -> None:
    port = free_port()
    assert [verdict for verdict, _ in await found(port, "")] == ["ok", "look"]
