"""What somebody would try: each attack on desk and interface once, and what it comes to."""

from __future__ import annotations

import asyncio
import string
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from aiohttp import web

from chatbot.kernel.game import Role
from chatbot.web.account_login import CALLBACK
from chatbot.web.api.endpoints import PREFIX
from tests.web.desk.test_logins import confirmed, linked
from tests.web.desk.test_matrix import logged_in, seat_of
from tests.web.desk.test_once import grants
from tests.web.desk.test_reads import lower, moderating

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.web.desk.site import Browser, Site

PAGES = ["/desk", "/enter/anything", f"{PREFIX}/me", f"{PREFIX}/openapi.json", "/login", "/nowhere"]
HOSTS = "evil.example", "127.0.0.1.evil.example", "games.example.evil", "localhost.evil.example:80"


async def headers_of(browser: Browser, method: str, path: str, **headers: str) -> tuple[int, Any]:
    given = {**browser.headers, **headers}
    address = browser.address + path
    async with browser.session.request(method, address, headers=given, allow_redirects=False) as answer:
        return answer.status, answer.headers


# Other sites


async def test_csrf_a_form_of_another_site_changes_nothing(site: Site) -> None:
    """A form sends the cookie of browsers that know no SameSite, as text that happens to be JSON."""
    browser = site.elsewhere()
    await browser.enter(await linked(site))
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    path = f"{browser.address}{PREFIX}/rooms/{site.discord_room}/commands/set"
    for origin in ("https://evil.example", "null"):
        headers = {**browser.headers, "Cookie": cookie, "Origin": origin, "Content-Type": "text/plain"}
        async with browser.session.post(
            path, data='{"arguments": "heist lobby 45"}', headers=headers
        ) as answer:
            assert answer.status == 403
    assert site.bot.rooms[site.discord_room].settings("heist") == {}


async def test_csrf_no_answer_can_be_read_by_another_site(site: Site) -> None:
    for path in PAGES:
        _, headers = await headers_of(site.elsewhere(), "GET", path, Origin="https://evil.example")
        assert "Access-Control-Allow-Origin" not in headers
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    status, _ = await headers_of(site.elsewhere(), "OPTIONS", f"{PREFIX}/me", Origin="https://evil.example")
    assert status in {404, 405}


@pytest.mark.parametrize("path", PAGES)
async def test_clickjacking_no_page_can_be_framed(site: Site, path: str) -> None:
    for browser in (site.here(), site.elsewhere()):
        _, headers = await headers_of(browser, "GET", path)
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize(
    "more",
    [
        "next=https://evil.example",
        "redirect_uri=https://evil.example",
        "return=//evil.example",
        "state=/desk",
    ],
)
async def test_open_redirect_nobody_is_sent_to_another_site(site: Site, more: str) -> None:
    browser = site.elsewhere()
    _, address = await browser.get(f"/login/twitch/redirect?{more}")
    assert "evil" not in address
    assert "redirect_uri=https%3A%2F%2Fgames.example%2F" in address
    for path in (f"{CALLBACK}?code=x&{more}", f"/enter/x?{more}", f"/desk?{more}", "//evil.example/desk"):
        status, headers = await headers_of(browser, "GET", path)
        assert status not in {301, 302, 303, 307, 308}
        assert "evil" not in headers.get("Location", "")
    status, answer = await browser.post(
        "/enter", {"link": (await linked(site))[7:], "next": "//evil.example"}
    )
    assert (status, answer) == (200, {"next": "/desk"})


async def test_dns_rebinding_a_name_that_leads_here_is_served_nothing(site: Site) -> None:
    for browser in (site.here(), site.elsewhere()):
        for host in (*HOSTS, f"evil.example:{site.public.port}", f"evil.example:{site.server.port}"):
            for path in ("/", "/desk", f"{PREFIX}/me", f"{PREFIX}/rooms/local/events"):
                status, _ = await headers_of(browser, "GET", path, Host=host)
                assert status == 421, (host, path)


# Logins


async def test_login_csrf_a_link_of_a_stranger_is_not_redeemed_by_another_site(site: Site) -> None:
    """Somebody who is logged in as the stranger would tell the stranger what they set."""
    link = (await linked(site)).rpartition("/")[2]
    browser = site.elsewhere()
    for origin in ("https://evil.example", "null", ""):
        assert (await browser.post("/enter", {"link": link}, Origin=origin))[0] == 403
    assert browser.cookies == {}
    assert (await browser.post("/enter", {"link": link}))[0] == 200  # it was not used up


async def test_fixation_a_cookie_that_was_given_beforehand_is_not_taken_over(site: Site) -> None:
    browser = site.elsewhere()
    browser.cookies = {"__Host-rabble": "chosen-by-a-stranger"}
    await browser.enter(await linked(site))
    assert browser.cookies["__Host-rabble"] != "chosen-by-a-stranger"
    stranger = site.elsewhere()
    stranger.cookies = {"__Host-rabble": "chosen-by-a-stranger"}
    assert (await stranger.get(f"{PREFIX}/me"))[0] == 401


async def test_previews_that_follow_links_use_none_up(site: Site) -> None:
    path = await linked(site)
    for method in ("GET", "HEAD", "GET", "OPTIONS"):
        _, headers = await headers_of(site.elsewhere(), method, path)
        assert "Set-Cookie" not in headers
    assert (await site.elsewhere().enter(path))[0] == 200


async def test_replay_a_link_works_once_also_where_two_use_it_at_once(site: Site) -> None:
    path = await linked(site)
    browsers = [site.elsewhere() for _ in range(5)]
    statuses = [each[0] for each in await asyncio.gather(*(each.enter(path) for each in browsers))]
    assert sorted(statuses) == [200, 410, 410, 410, 410]


async def test_a_phished_device_code_opens_nothing_without_a_word_in_the_chat(site: Site) -> None:
    """Ada confirms at Twitch the code of a stranger, whose browser is hers by name and keeps no room."""
    stranger = site.elsewhere()
    await confirmed(site, stranger, "ada")
    assert (await stranger.look())["rooms"] == []
    for path in ("settings", "audit", "tables", "tokens", "members"):
        assert (await stranger.get(f"{PREFIX}/rooms/{site.twitch_room}/{path}"))[0] in {403, 404}
    assert (
        await stranger.post(f"{PREFIX}/rooms/{site.twitch_room}/tokens", {"label": "x", "scopes": ["own"]})
    )[0] == 404


async def test_brute_force_of_desk_codes_opens_no_desk_of_others(site: Site) -> None:
    """Codes are bound to the account, so a moderator who types all there are opens their own alone."""
    browser = site.elsewhere()
    await confirmed(site, browser, "ada")
    _, code = await browser.post("/login/code")
    mona = await moderating(site, "mona")
    assert mona.cookies
    for letter in string.ascii_uppercase[:10]:
        await site.both.chat("mona", f"!desk {letter}{code['code'][1:]}", "moderator")
    await site.both.chat("mona", f"!desk {code['code']}", "moderator")
    assert (await browser.post("/login/code/poll"))[1] == {"waiting": True}
    codes = [(await browser.post("/login/code"))[0] for _ in range(20)]
    assert 429 in codes  # and nobody collects them by the thousand


# Sessions and tokens


async def test_a_role_that_is_lost_in_mid_session_is_lost_for_browser_and_program(site: Site) -> None:
    await site.both.chat("bob", "!credits")
    mona = await logged_in(site, Role.MODERATOR)
    program = await site.program(mona, site.twitch_room)
    assert (await mona.use(site.twitch_room, "grant", "bob 5"))[1]["done"]
    assert (await program.use("grant", "bob 5"))[1]["done"]
    await lower(site)
    assert not (await mona.use(site.twitch_room, "grant", "bob 5"))[1]["done"]
    assert not (await program.use("grant", "bob 5"))[1]["done"]
    assert (await program.get("/audit"))[0] == 403
    assert await grants(site) == 2
    assert seat_of(Role.MODERATOR) is not None


async def test_replay_of_a_captured_change_does_it_once(site: Site) -> None:
    await site.both.chat("bob", "!credits")
    program = await site.program(await site.operator(), site.twitch_room)
    for _ in range(3):
        assert (await program.use("grant", "bob 5", key="captured"))[1]["done"]
    assert await grants(site) == 1


async def test_a_token_counts_in_its_header_alone(site: Site) -> None:
    """In an address it would stand in logs, in a cookie other sites would send it."""
    program = await site.program(await site.operator(), site.twitch_room)
    stranger, path = site.elsewhere(), f"{PREFIX}/rooms/{site.twitch_room}/tables"
    for query in (f"?token={program.token}", f"?access_token={program.token}"):
        assert (await stranger.get(path + query))[0] == 401
    stranger.cookies = {"__Host-rabble": program.token, "token": program.token}
    assert (await stranger.get(path))[0] == 401
    for scheme in ("Basic", "bearer:", "Token"):
        status, _ = await headers_of(site.elsewhere(), "GET", path, Authorization=f"{scheme} {program.token}")
        assert status == 401


async def test_a_program_that_may_play_neither_gives_nor_grants_by_rain(site: Site) -> None:
    """The rain of a moderator is a grant: a token needs what `!grant` needs, and otherwise rains a gift."""
    for who in ("bob", "carol"):
        await site.both.chat(who, "!credits")
    operator = await site.operator()
    player = await site.program(operator, site.twitch_room, "play")
    (answer,) = (await player.use("rain", "100"))[1]["answers"]
    assert (answer["id"], "give" in answer["text"]) == ("token-lacks", True)
    giver = await site.program(operator, site.twitch_room, "give")
    answers = (await giver.use("rain", "100"))[1]["answers"]
    assert "crowd-granted" not in [each["id"] for each in answers]
    assert await grants(site) == 0
    moderator = await site.program(operator, site.twitch_room, "give", "moderate")
    assert (await moderator.use("rain", "100"))[1]["done"]


# Through a proxy


@asynccontextmanager
async def proxy(target: str, session: aiohttp.ClientSession, **added: str) -> AsyncIterator[str]:
    """A reverse proxy or tunnel on this machine, as somebody would start it."""

    async def pass_on(request: web.Request) -> web.Response:
        headers = {name: each for name, each in request.headers.items() if name.lower() != "connection"}
        async with session.request(
            request.method,
            f"{target}{request.path_qs}",
            headers={**headers, **added},
            data=await request.read(),
            allow_redirects=False,
        ) as answer:
            return web.Response(status=answer.status, body=await answer.read())

    application = web.Application()
    application.router.add_route("*", "/{any:.*}", pass_on)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_a_proxy_on_this_machine_in_front_of_the_public_port_opens_nothing_local(site: Site) -> None:
    """Even one that says nothing of whom it forwards, and even with the cookie of the operator."""
    operator = await site.operator()
    target = f"http://127.0.0.1:{site.public.port}"
    for added in ({"Host": "games.example"}, {"Host": f"127.0.0.1:{site.public.port}"}):
        async with proxy(target, operator.session, **added) as address:
            visitor = site.elsewhere()
            visitor.address, visitor.headers = address, {}
            visitor.cookies = {name.replace(str(site.server.port), str(site.public.port)): value
                               for name, value in operator.cookies.items()}  # fmt: skip
            for path in ("/", "/setup", "/setup/state", "/socket", "/events?room=local"):
                assert (await visitor.get(path))[0] in {401, 403, 404}, path
            assert (await visitor.get(f"{PREFIX}/me"))[0] == 401
            assert (await visitor.get("/desk"))[0] == 200


async def test_a_proxy_in_front_of_the_local_port_makes_nobody_the_operator(site: Site) -> None:
    operator = await site.operator()
    named = {"X-Forwarded-For": "203.0.113.7", "Host": site.address.removeprefix("http://")}
    async with proxy(site.address, operator.session, **named) as address:
        visitor = site.here()
        visitor.address, visitor.cookies = address, dict(operator.cookies)
        assert (await visitor.get("/"))[0] == 401
        assert (await visitor.get(f"{PREFIX}/me"))[0] == 401
