"""Set up connects platforms from a browser: who may open it, wrong entries, and a heist that is played."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from chatbot.bot.bot import Bot
from chatbot.environment import Settings
from chatbot.games import kits
from chatbot.invocation import STARTED_AS
from chatbot.kernel.fair import Rng
from chatbot.keys.discretion import Discretion
from chatbot.keys.ring import KeyRing
from chatbot.ledger.store import file_modes
from chatbot.runtime.clock import LoopWatch
from chatbot.setting_up import PlatformSetUp
from chatbot.speech.words import Words
from chatbot.supervisor import Supervisor
from chatbot.tables.fairness import Sources
from chatbot.web.crowd import Crowd
from chatbot.web.hosts import is_own_host
from chatbot.web.login import COOKIE, CSRF_HEADER
from chatbot.web.server import Server
from cogs.local.adapter import LocalChat
from tests.adapters.twitch.stage import BOT, serve
from tests.fakes.twitch_authority import CLIENT_ID, CLIENT_SECRET, Authority
from tests.fakes.twitch_server import Twitch
from tests.keys.conftest import listening
from tests.keys.portal import TOKEN, Portal
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from cogs.platform import Platform

PATIENCE = 10.0  # seconds


@dataclass
class Operator:
    """Somebody at a browser of the machine on which the bot runs."""

    address: str
    server: Server
    settings: Settings
    twitch: Twitch
    browser: aiohttp.ClientSession
    connected: list[str] = field(default_factory=list)  # platforms that were to be kept connected
    csrf: str = ""
    cards: dict[str, Any] = field(default_factory=dict)

    async def log_in(self) -> None:
        answer = await self.post("/enter", link=await self.link())
        assert answer.status == 200
        await self.look()

    async def link(self) -> str:
        address = await self.server.invite()
        assert address is not None
        return address.rpartition("/")[2]

    async def look(self) -> dict[str, Any]:
        async with self.browser.get(f"{self.address}/setup/state") as answer:
            assert answer.status == 200
            content = await answer.json()
        self.csrf, self.cards = content["csrf"], content["cards"]
        return self.cards

    async def post(self, path: str, **given: str) -> aiohttp.ClientResponse:
        headers = {"Origin": self.address, CSRF_HEADER: self.csrf}
        return await self.browser.post(f"{self.address}{path}", json=given, headers=headers)

    async def press(self, card: str, action: str, **given: str) -> str:
        """Press a button, and return why nothing came of it."""
        answer = await self.post(f"/setup/{card}/{action}", **given)
        content = await answer.json()
        await self.look()
        return str(content.get("error", ""))

    async def until(self, card: str, key: str, wanted: object) -> None:
        async with asyncio.timeout(PATIENCE):
            while (await self.look())[card][key] != wanted:  # noqa: ASYNC110  (a page asks again, too)
                await asyncio.sleep(0.02)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await store_at(tmp_path / "rabble.db")
    yield store
    await store.close()


@pytest.fixture
async def operator(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Operator]:
    """A bot that knows no platform yet, and fakes of both."""
    twitch = await serve(monkeypatch, Twitch())
    twitch.authority.client_secret = None
    async with listening(Portal().routes) as portal:
        settings = Settings(
            fairness_key_file=tmp_path / "keys" / "fairness.key",
            twitch_tokens=tmp_path / "keys" / "twitch-tokens.json",
            twitch_api_url=twitch.endpoints.api,
            twitch_id_url=twitch.endpoints.id,
            twitch_eventsub_url=twitch.endpoints.eventsub,
            discord_api_url=portal.rstrip("/"),
            discord_gateway_url="ws://127.0.0.1:1",
        )
        async with started(store, settings, twitch) as operator:
            yield operator
    await twitch.stop()


@dataclass
class Keeper:
    """The supervisor, which connects no Discord here."""

    supervisor: Supervisor
    connected: list[str]

    async def put(self, platform: Platform) -> None:
        self.connected.append(platform.name)
        if platform.name == "Twitch":
            await self.supervisor.put(platform)

    def trouble(self, name: str) -> str:
        return self.supervisor.trouble(name)


class started:  # noqa: N801  (a context manager)
    """Run a bot with its page until the context ends."""

    def __init__(self, store: Store, settings: Settings, twitch: Twitch, language: str = "en") -> None:
        self._store, self._settings, self._fake = store, settings, twitch
        self._language = language

    async def __aenter__(self) -> Operator:
        self._watch = watch = LoopWatch()
        self._bot = bot = Bot(kits(), self._store, Words(self._language), watch, Sources())
        chat = LocalChat(bot, "run")
        await bot.open(chat.room)
        self._supervisor = supervisor = Supervisor([], watch, lambda _: None)
        self._session = aiohttp.ClientSession()
        connected: list[str] = []

        keeper = Keeper(supervisor, connected)
        set_up = PlatformSetUp(self._settings, Discretion(), bot, self._session, lambda _: None, keeper)
        set_up.add_local(chat)
        self._set_up = await set_up.__aenter__()
        for each in set_up.platforms():
            await keeper.put(each)
        self._server = server = Server(
            chat, Crowd(chat, Rng.of("x")), "127.0.0.1", 0, None, set_up, self._settings.entered
        )
        address = await server.start()
        # Cookies of an address without a name are only kept if that is asked for.
        self._browser = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        return Operator(address, server, self._settings, self._fake, self._browser, connected)

    async def __aexit__(self, *_: object) -> None:
        await self._browser.close()
        await self._set_up.__aexit__()
        await self._supervisor.close()
        await self._server.stop()
        await self._watch.stop(0.5)
        await self._bot.close()
        await self._session.close()


# Who may open it


async def test_without_a_session_nothing_is_told_and_nothing_done(operator: Operator) -> None:
    async with operator.browser.get(f"{operator.address}/setup") as page:
        assert page.status == 200  # it says how one logs in
    async with operator.browser.get(f"{operator.address}/setup/state") as answer:
        assert answer.status == 401
    answer = await operator.post("/setup/discord/connect", token=TOKEN)
    assert answer.status == 401
    assert operator.settings.entered.load() == {}


async def test_a_link_works_once_and_a_look_at_it_does_not_use_it_up(operator: Operator) -> None:
    link = await operator.link()
    for _ in range(3):  # previews of chats open what they see
        async with operator.browser.get(f"{operator.address}/enter/{link}") as page:
            assert page.status == 200
    assert (await operator.post("/enter", link=link)).status == 200
    assert (await operator.post("/enter", link=link)).status == 410
    assert (await operator.post("/enter", link="made-up")).status == 410


async def test_the_cookie_is_for_this_site_and_no_script(operator: Operator) -> None:
    cookies = (await operator.post("/enter", link=await operator.link())).cookies
    cookie = cookies[f"{COOKIE}-{operator.server.port}"]  # a cookie of a host is sent to each of its ports
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": ""},
        {CSRF_HEADER: "guessed"},
        {"X-Forwarded-For": "203.0.113.7"},
        {"Forwarded": "for=203.0.113.7"},
        {"CF-Connecting-IP": "203.0.113.7"},
        {"X-Forwarded-Proto": "https"},
        {"Tailscale-User-Login": "somebody"},
    ],
)
async def test_other_sites_and_tunnels_change_nothing(operator: Operator, headers: dict[str, str]) -> None:
    await operator.log_in()
    given = {"Origin": operator.address, CSRF_HEADER: operator.csrf, **headers}
    url = f"{operator.address}/setup/discord/connect"
    async with operator.browser.post(url, json={"token": TOKEN}, headers=given) as answer:
        assert answer.status == 403
    assert operator.settings.entered.load() == {}


async def test_a_link_that_came_through_a_tunnel_opens_nothing(operator: Operator) -> None:
    link = await operator.link()
    headers = {"Origin": operator.address, "X-Forwarded-For": "203.0.113.7"}
    async with operator.browser.post(
        f"{operator.address}/enter", json={"link": link}, headers=headers
    ) as answer:
        assert answer.status == 410
    assert (await operator.post("/enter", link=link)).status == 200  # it was not used up


@pytest.mark.parametrize("path", ["/setup", "/words/setup"])
async def test_elsewhere_not_even_the_page_is_shown(operator: Operator, path: str) -> None:
    headers = {"X-Forwarded-For": "203.0.113.7"}
    async with operator.browser.get(f"{operator.address}{path}", headers=headers) as answer:
        assert answer.status == 403
        assert await answer.text() == "Only the machine on which the bot runs may open this.\n"


async def test_the_page_names_the_command_as_the_bot_was_started(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STARTED_AS, "rabble.cmd")
    for page, word in (("setup", "setup-closed-hint"), ("enter", "enter-used")):
        async with operator.browser.get(f"{operator.address}/words/{page}") as answer:
            assert "`rabble.cmd desk`" in (await answer.json())["words"][word]


async def test_who_logs_out_is_out(operator: Operator) -> None:
    await operator.log_in()
    assert (await operator.post("/leave")).status == 200
    async with operator.browser.get(f"{operator.address}/setup/state") as answer:
        assert answer.status == 401


@pytest.mark.parametrize("body", ["", "[]", "nonsense", "[" * 3000, '{"token": ' + '"x' * 4000])
async def test_what_is_no_request_of_the_page_is_refused(operator: Operator, body: str) -> None:
    await operator.log_in()
    headers = {"Origin": operator.address, CSRF_HEADER: operator.csrf, "Content-Type": "application/json"}
    url = f"{operator.address}/setup/discord/connect"
    async with operator.browser.post(url, data=body, headers=headers) as answer:
        assert answer.status == 400


async def test_a_button_that_is_not_there_is_not_found(operator: Operator) -> None:
    await operator.log_in()
    for path in ("/setup/discord/dance", "/setup/icq/connect", "/setup/twitch/connect"):
        assert (await operator.post(path)).status == 404


# Discord


@pytest.mark.parametrize(
    ("pasted", "why"),
    [
        ("", "The token is missing; copy it again."),
        ("two words", "The token has blanks or letters in it that no such text has; copy it again."),
        ("x" * 501, "The token is not that long; copy it again."),
        ("토큰", "The token has blanks or letters in it that no such text has; copy it again."),
        ("MTA.of.another", "Discord does not know this token. Copy it again (Bot, Reset Token, Copy)"),
    ],
)
async def test_a_wrong_token_is_one_sentence_and_keeps_nothing(
    operator: Operator, pasted: str, why: str
) -> None:
    await operator.log_in()
    assert (await operator.press("discord", "connect", token=pasted)).startswith(why)
    assert operator.settings.entered.load() == {}
    assert operator.connected == []


@pytest.mark.parametrize(
    "pasted",
    [
        TOKEN,
        f"  {TOKEN}\n",
        f'"{TOKEN}"',
        f"CHATBOT_DISCORD_TOKEN={TOKEN}",
        f'CHATBOT_DISCORD_TOKEN="{TOKEN}"',
    ],
)
async def test_a_right_token_is_kept_for_the_owner_alone_and_used_at_once(
    operator: Operator, pasted: str
) -> None:
    await operator.log_in()
    assert await operator.press("discord", "connect", token=pasted) == ""
    card = operator.cards["discord"]
    assert card["bot"]["name"] == "Rabble"
    assert "client_id=4242" in card["bot"]["invitation"]
    assert operator.connected == ["Discord"]
    entered = operator.settings.entered
    assert entered.load() == {"discord_token": TOKEN}
    assert not file_modes.exposed(entered.path)


async def test_what_the_operator_wrote_elsewhere_is_not_changed_from_a_page(
    operator: Operator, store: Store
) -> None:
    fixed = operator.settings.model_copy(update={"twitch_client_id": "written"})
    async with started(store, fixed, operator.twitch) as other:
        await other.log_in()
        why = await other.press("twitch", "application", client_id=CLIENT_ID)
    assert why == (
        "CHATBOT_TWITCH_CLIENT_ID is set in the environment or in .env, which counts more: change it there."
    )


# Twitch


@pytest.mark.parametrize("given", [{"client_id": ""}, {"client_id": "x y"}, {"client_id": "another"}])
async def test_a_wrong_application_is_one_sentence_and_keeps_nothing(
    operator: Operator, given: dict[str, str]
) -> None:
    await operator.log_in()
    assert "opy it again" in await operator.press("twitch", "application", **given)
    assert operator.settings.entered.load() == {}


async def test_a_wrong_secret_is_told_before_anybody_goes_to_twitch(operator: Operator) -> None:
    operator.twitch.authority.client_secret = CLIENT_SECRET
    await operator.log_in()
    given = {"client_id": CLIENT_ID, "client_secret": "canary-of-another"}
    assert "another one's secret" in await operator.press("twitch", "application", **given)
    assert operator.settings.entered.load() == {}


def approving(authority: Authority, login: str) -> None:
    """Have somebody confirm the next code as an account."""
    user = next(number for number, known in authority.accounts.items() if known == login)
    authority.confirm = lambda device: authority.approve(device, user)


async def test_four_steps_lead_from_nothing_to_a_heist_in_the_chat(operator: Operator) -> None:
    """Log in, paste the id, press a button, confirm the code: no file is edited and nothing is restarted."""
    ada = operator.twitch.world.user("ada")
    operator.twitch.world.user("bea")
    operator.twitch.authority.accounts |= {ada.id: "ada"}
    await operator.log_in()
    assert await operator.press("twitch", "application", client_id=CLIENT_ID) == ""
    assert await operator.press("twitch", "connect", purpose="both") == ""
    assert operator.cards["twitch"]["code"]["code"].startswith("ABCD-")
    approving(operator.twitch.authority, "ada")
    await operator.until("twitch", "connected", wanted=True)
    card = operator.cards["twitch"]
    assert (card["bot"], card["broadcasters"], card["code"]) == ("ada", ["ada"], None)
    await operator.twitch.chat("bea", "ada", "!heist 69")
    async with asyncio.timeout(PATIENCE):
        while not any("planning a bank heist" in each for each in operator.twitch.sent("ada")):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert operator.twitch.authority.asked["client_credentials"] == 0
    assert not file_modes.exposed(operator.settings.twitch_tokens)


async def test_a_code_that_is_refused_or_given_up_changes_nothing(operator: Operator) -> None:
    await operator.log_in()
    await operator.press("twitch", "application", client_id=CLIENT_ID)
    await operator.press("twitch", "connect", purpose="bot")
    assert await operator.press("twitch", "cancel") == ""
    assert operator.cards["twitch"]["code"] is None

    def refuse(device: Any) -> None:
        device.state = "access_denied"

    operator.twitch.authority.confirm = refuse
    await operator.press("twitch", "connect", purpose="bot")
    await operator.until("twitch", "code", wanted=None)
    refused = "The code was refused in the browser; nothing was changed."
    assert operator.cards["twitch"]["trouble"] == refused
    assert KeyRing(operator.settings.twitch_tokens, Discretion()).load() == ()


async def test_no_answer_of_a_page_has_a_secret_in_it(operator: Operator) -> None:
    operator.twitch.authority.client_secret = CLIENT_SECRET
    await operator.log_in()
    await operator.press("discord", "connect", token=TOKEN)
    await operator.press("twitch", "application", client_id=CLIENT_ID, client_secret=CLIENT_SECRET)
    await operator.press("twitch", "connect", purpose="bot")
    async with operator.browser.get(f"{operator.address}/setup/state") as answer:
        assert "canary" not in await answer.text()
    assert operator.cards["twitch"]["public"] is False
    assert BOT not in operator.cards["twitch"]["broadcasters"]


async def test_codes_that_were_asked_for_at_once_and_given_up_connect_nobody(operator: Operator) -> None:
    ada = operator.twitch.world.user("ada")
    operator.twitch.authority.accounts |= {ada.id: "ada"}
    await operator.log_in()
    await operator.press("twitch", "application", client_id=CLIENT_ID)
    pressed = [operator.post("/setup/twitch/connect", purpose="both") for _ in range(3)]
    assert [each.status for each in await asyncio.gather(*pressed)] == [200] * 3
    await operator.press("twitch", "cancel")
    approving(operator.twitch.authority, "ada")
    await asyncio.sleep(0.2)
    assert KeyRing(operator.settings.twitch_tokens, Discretion()).load() == ()
    assert operator.cards["twitch"]["bot"] is None


async def test_with_a_conduit_an_application_without_a_secret_is_refused(
    operator: Operator, store: Store
) -> None:
    """The next start would end at once."""
    conduit = operator.settings.model_copy(update={"twitch_conduit": True})
    async with started(store, conduit, operator.twitch) as other:
        await other.log_in()
        why = await other.press("twitch", "application", client_id=CLIENT_ID)
    assert why.startswith("A conduit needs an application with a secret")
    assert conduit.entered.load() == {}


async def test_who_leaves_everywhere_leaves_no_link_behind(operator: Operator) -> None:
    await operator.log_in()
    link = await operator.link()
    headers = {"Origin": operator.address, CSRF_HEADER: operator.csrf}
    url = f"{operator.address}/leave"
    async with operator.browser.post(url, json={"everywhere": True}, headers=headers) as answer:
        assert answer.status == 200
    assert (await operator.post("/enter", link=link)).status == 410


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.0.0.2", True),
        ("localhost", True),
        ("0.0.0.0", True),
        ("::", True),
        ("::1", True),
        ("192.168.1.5", False),
        ("bot.example", False),
    ],
)
def test_an_address_is_printed_where_it_can_be_opened(host: str, is_own: bool) -> None:
    assert is_own_host(host) is is_own
