"""Modules of page and overlay by themselves: what they compute, and when they connect again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.chromium import CHROMIUM
from tests.web.test_page import browser, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.conftest import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

FINISHES = """async ([table, seats]) => {
  const { finishOf } = await import("/static/finish.js");
  const label = (id, values) => [id, values];
  return seats.map((seat) => finishOf(table, seat, label, "240 credits"));
}"""

WAITS = """async () => {
  const waits = [], sockets = [];
  class Fake extends EventTarget { constructor() { super(); sockets.push(this); } }
  const real = [window.WebSocket, window.setTimeout];
  window.WebSocket = Fake;
  // It may first ask whether its page is still there.
  const lose = () => new Promise((tried) => {
    window.setTimeout = (open, wait) => { waits.push(wait); open(); tried(); };
    sockets.at(-1).dispatchEvent(new Event("close"));
  });
  try {
    const { openFeed } = await import("/static/overlay/connection.js");
    openFeed("/socket/events", () => {});
    for (let loss = 0; loss < 4; loss += 1) await lose();
    sockets.at(-1).dispatchEvent(new Event("open"));  // a server that is starting closes it at once
    await lose();
    sockets.at(-1).dispatchEvent(new MessageEvent("message", { data: "{}" }));
    await lose();
  } finally {
    [window.WebSocket, window.setTimeout] = real;
  }
  return waits;
}"""


def outcome(seat: str, fate: str, received: int, act: str = "rob") -> dict[str, Any]:
    return {"seat": seat, "fate": fate, "received": received, "cost": 69, "put_by": 0, "act": act}


async def test_a_heist_ends_for_each_player_with_what_became_of_them(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    outcomes = [
        outcome("ann", "escaped", 100),
        outcome("bob", "caught", 0),
        outcome("cat", "returned", 69),
        outcome("dan", "escaped", 50),
    ]
    seats = [{"seat": each["seat"]} for each in outcomes]
    table = {"game": "heist", "seats": seats, "view": {"outcomes": outcomes}}
    found = await person.page.evaluate(FINISHES, [table, ["ann", "bob", "cat", "dan", "eve"]])
    assert found == [
        {"kind": "won", "text": ["overlay-you-won", {"amount": "31"}]},  # 100 - 69
        {"kind": "lost", "text": ["overlay-you-caught", {"amount": "69", "credits": "240 credits"}]},
        {"kind": "drawn", "text": ["overlay-you-even", {"credits": "240 credits"}]},
        {
            "kind": "drawn",
            "text": ["overlay-you-away", {"credits": "240 credits"}],
        },  # not caught
        None,  # who did not play
    ]


async def test_after_each_loss_an_overlay_waits_longer_until_it_is_told_something(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    assert await person.page.evaluate(WAITS) == [0, 250, 500, 750, 750, 0]
