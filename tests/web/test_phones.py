"""The card Phones: it opens a way to public pages alone, says why it cannot, and keeps what was chosen."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.kernel.game import Failure
from chatbot.web import phones, tunnels
from chatbot.web.tunnels import PROGRAMS, Tunnel
from tests.web.axe import findings, needs_axe
from tests.web.chromium import CHROMIUM
from tests.web.test_page import browser
from tests.web.test_setup import operator, started, store
from tests.web.test_setup_page import arrived

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser

    from chatbot.ledger.store.store import Store
    from tests.web.test_setup import Operator

__all__ = ["browser", "operator", "store"]

QUICK = "https://four-random-words-here.trycloudflare.com"
FUNNEL = "https://desktop.tail1234.ts.net"

# As the programs print it, by their documentation: cloudflared on standard error, in a box.
CLOUDFLARED = f"""
err("INF Requesting new quick Tunnel on trycloudflare.com...")
err("INF POST https://api.trycloudflare.com/tunnel")
err("INF +-----------------------------------------------------+")
err("INF |  {QUICK}  |")
err("INF +-----------------------------------------------------+")
wait()
"""
TAILSCALE = f"""
out("Available on the internet:")
out("")
out("{FUNNEL}/")
out("|-- proxy " + arguments[-1])
wait()
"""
OFFLINE = """
err("ERR failed to request quick Tunnel: dial tcp: lookup api.trycloudflare.com: no such host")
raise SystemExit(1)
"""
ENDS = f"""
if len(open(path).readlines()) > 1:
    err("INF |  {QUICK.replace("four", "fourteen")}  |")
    wait()
err("INF |  {QUICK}  |")
"""
PROGRAM = """#!{python}
import os, signal, sys
arguments = sys.argv[1:]
def err(text): print(text, file=sys.stderr, flush=True)
def out(text): print(text, flush=True)
def wait():
    signal.pause()
path = {notes!r}
with open(path, "a") as notes:
    print(os.getpid(), *arguments, *(each for each in os.environ if each.startswith("CHATBOT_")), file=notes)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs here are scripts with a first line")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    monkeypatch.setattr(phones, "USUAL_PORT", 0)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CHATBOT_DISCORD_TOKEN", "secret")
    return Programs(tmp_path / "bin", tmp_path / "notes.txt")


class Programs:
    """Stand-ins for the programs, which note how they were started."""

    def __init__(self, folder: Path, notes: Path) -> None:
        self._folder, self._notes = folder, notes

    def put(self, name: str, script: str) -> None:
        self._folder.mkdir(exist_ok=True)
        path = self._folder / name
        path.write_text(PROGRAM.format(python=sys.executable, notes=str(self._notes)) + script)
        path.chmod(0o755)

    @property
    def starts(self) -> list[list[str]]:
        return [each.split() for each in self._notes.read_text().splitlines()]

    @property
    def begun(self) -> bool:
        return self._notes.exists()

    def running(self) -> list[int]:
        return [int(pid) for pid, *_ in self.starts if _is_running(int(pid))]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "script", "address", "arguments"),
    [
        ("cloudflared", CLOUDFLARED, QUICK, ["tunnel", "--no-autoupdate", "--url", "http://127.0.0.1:4321"]),
        ("tailscale", TAILSCALE, FUNNEL, ["funnel", "--yes", "http://127.0.0.1:4321"]),
    ],
)
async def test_a_tunnel_tells_its_address_and_is_told_no_secret(
    installed: Programs, name: str, script: str, address: str, arguments: list[str]
) -> None:
    installed.put(name, script)
    tunnel = Tunnel(PROGRAMS[name], ended=lambda: None)
    assert await tunnel.open(4321) == address
    assert [each[1:] for each in installed.starts] == [arguments]  # and no setting of ours beside them
    assert installed.running() != []
    await tunnel.close()
    assert installed.running() == []


async def test_a_tunnel_that_fails_says_why_and_leaves_nothing(installed: Programs) -> None:
    installed.put("cloudflared", OFFLINE)
    with pytest.raises(Failure, match=r"cloudflared has told no address; it says: ERR .* no such host$"):
        await Tunnel(PROGRAMS["cloudflared"], ended=lambda: None).open(1)
    installed.put("cloudflared", "wait()\n")
    with pytest.raises(Failure, match=r"cloudflared has told no address\.$"):
        await Tunnel(PROGRAMS["cloudflared"], ended=lambda: None).open(1, timeout=0.5)
    assert installed.running() == []


async def test_the_card_opens_public_pages_and_nothing_else(operator: Operator, installed: Programs) -> None:
    installed.put("cloudflared", CLOUDFLARED)
    await operator.log_in()
    assert operator.cards["phones"]["programs"] == ["cloudflared"]
    assert await operator.press("phones", "open", way="cloudflared") == ""
    assert operator.cards["phones"] == {
        "address": f"{QUICK}/seat",
        "secure": True,
        "fixed": False,
        "choice": "cloudflared",
        "programs": ["cloudflared"],
        "trouble": "",
    }
    assert operator.server.public is not None
    way_in = f"http://127.0.0.1:{operator.server.public.port}"
    from_outside = {"Host": QUICK.removeprefix("https://"), "CF-Connecting-IP": "203.0.113.7"}
    for path, status in (("/desk", 200), ("/", 404), ("/setup", 404), ("/socket", 404)):
        async with operator.browser.get(way_in + path, headers=from_outside) as answer:
            assert (path, answer.status) == (path, status)
    async with operator.browser.get(f"{operator.address}/setup/phones.svg") as image:
        assert image.content_type == "image/svg+xml"
        assert b"<svg" in await image.read()
    assert operator.server.chat.bot.parts.entrance.address == QUICK

    assert await operator.press("phones", "close") == ""
    assert operator.cards["phones"]["address"] == ""
    assert installed.running() == []
    assert operator.server.public is None
    assert operator.server.chat.bot.parts.entrance.address == operator.address


async def test_what_was_chosen_is_there_after_the_next_start(
    operator: Operator, store: Store, installed: Programs
) -> None:
    installed.put("tailscale", TAILSCALE)
    await operator.log_in()
    assert await operator.press("phones", "open", way="tailscale") == ""
    assert operator.settings.entered.load() == {"phones": "tailscale"}
    await operator.server.stop()
    assert installed.running() == []
    async with started(store, operator.settings, operator.twitch) as later:
        await later.log_in()
        await later.until("phones", "address", f"{FUNNEL}/seat")
    assert installed.running() == []


async def test_a_stop_does_not_wait_for_an_address(operator: Operator, installed: Programs) -> None:
    installed.put("cloudflared", "wait()\n")
    await operator.log_in()
    pressing = asyncio.create_task(operator.post("/setup/phones/open", way="cloudflared"))
    async with asyncio.timeout(10):
        while not installed.begun:  # noqa: ASYNC110  (another process says so)
            await asyncio.sleep(0.02)
        await operator.server.stop()
    pressing.cancel()
    assert installed.running() == []


async def test_a_tunnel_that_ends_is_opened_again(
    operator: Operator, installed: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phones, "FIRST_PAUSE", 0.1)
    installed.put("cloudflared", ENDS)
    await operator.log_in()
    assert await operator.press("phones", "open", way="cloudflared") == ""
    await operator.until("phones", "address", f"{QUICK.replace('four', 'fourteen')}/seat")
    assert operator.cards["phones"]["trouble"] == ""
    assert len(installed.running()) == 1


async def test_without_a_program_phones_of_the_network_find_the_pages(
    operator: Operator, installed: Programs
) -> None:
    await operator.log_in()
    assert operator.cards["phones"]["programs"] == []
    assert (await operator.press("phones", "open", way="cloudflared")) == (
        "cloudflared is not installed on this machine."
    )
    assert operator.server.public is None
    assert operator.settings.entered.load() == {}
    assert await operator.press("phones", "open", way="network") == ""
    card = operator.cards["phones"]
    assert card["address"].startswith("http://")
    assert not card["secure"]


async def test_an_address_in_the_settings_is_not_changed_from_a_page(
    operator: Operator, installed: Programs
) -> None:
    installed.put("cloudflared", CLOUDFLARED)
    await operator.log_in()
    assert (await operator.post("/setup/phones/open", way="elsewhere")).status == 404
    assert (await operator.post("/setup/phones/dance")).status == 404
    assert operator.server._phones is not None
    operator.server._phones._url = "https://games.example"
    assert (await operator.press("phones", "open", way="cloudflared")).startswith("CHATBOT_PUBLIC_URL is set")
    assert operator.cards["phones"]["fixed"]
    assert not (tunnels.PROGRAMS["tailscale"].installed_at())


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
@needs_axe
@pytest.mark.parametrize(("scheme", "size"), [("dark", (1440, 900)), ("light", (390, 844))])
async def test_a_press_shows_the_code_to_scan(
    browser: Browser, operator: Operator, installed: Programs, scheme: str, size: tuple[int, int]
) -> None:
    installed.put("cloudflared", CLOUDFLARED)
    page = await arrived(browser, operator, scheme, size)
    await page.keyboard.press("Enter")
    card = page.locator("#card-phones")
    await expect(card).to_contain_text("and to nothing else on it")
    await card.get_by_role("button", name="Open with cloudflared").click()
    await expect(card.locator("code")).to_have_text(f"{QUICK}/seat")
    await expect(card.locator(".setup-qr")).to_be_visible()
    code = card.locator(".setup-qr")
    assert await code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    if folder := os.environ.get("SETUP_PICTURES"):
        await page.screenshot(path=f"{folder}/phones-{scheme}.png", full_page=True)
    assert await findings(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await card.get_by_role("button", name="Close").click()
    await expect(card.get_by_role("button", name="Open with cloudflared")).to_be_visible()
