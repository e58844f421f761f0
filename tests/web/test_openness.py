"""Who opens the local page from elsewhere needs an invitation, and a start says that others can reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.app import _page
from chatbot.environment import Settings
from chatbot.keys.discretion import Discretion
from chatbot.runtime.clock import LoopWatch
from chatbot.setting_up import PlatformSetUp
from chatbot.supervisor import Supervisor
from chatbot.web import server

if TYPE_CHECKING:
    from tests.web.conftest import Site

WARNING = (
    "Warning, this page is not yours alone: other machines can reach it, for CHATBOT_HOST is {host}: who has "
    "the invitation plays as a viewer, and nothing is encrypted on the way; set CHATBOT_HOST to 127.0.0.1 "
    "unless everybody on that network may read along."
)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "0.0.0.0"])
async def test_a_start_warns_of_a_page_that_other_machines_can_open(site: Site, host: str) -> None:
    told: list[str] = []
    settings = Settings(host=host, port=0)
    async with (
        aiohttp.ClientSession() as session,
        PlatformSetUp(
            settings,
            Discretion(),
            site.chat.bot,
            session,
            told.append,
            Supervisor([], LoopWatch(), told.append),
        ) as set_up,
        _page(settings, site.chat, set_up, told.append, b"k" * 32),
    ):
        pass
    assert told[0].startswith("Rabble is listening: open ")
    assert any(each.startswith("Set up Twitch, Discord and the overlay at http://") for each in told)
    assert [each for each in told if each.startswith("Warning")] == (
        [WARNING.format(host=host)] if host == "0.0.0.0" else []
    )


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("127.0.0.1", False), ("127.255.0.9", False), ("::1", False), ("::ffff:127.0.0.1", False),
        ("0.0.0.0", True), ("::", True), ("192.168.1.5", True), ("fe80::1", True), ("::ffff:10.0.0.1", True),
    ],
)  # fmt: skip
async def test_an_address_beyond_this_machine_is_known_for_one(address: str, is_open: bool) -> None:
    assert server.any_reachable([address]) is is_open
    assert server.any_reachable(["127.0.0.1", address]) is is_open
    assert await server.is_open(address) is is_open


async def test_a_name_that_leads_nowhere_opens_nothing() -> None:
    for name in ("no.such.host.invalid", "a" * 64):
        assert not await server.is_open(name)
