"""Looks through a page with axe-core, which is installed for the checks of JavaScript (`.ci/js`).

What it finds is described in https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Page

AXE = Path(__file__).parents[2] / ".ci" / "js" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("minor", "moderate", "serious", "critical")
"""Impacts of findings that are not accepted: all that there are."""

PATIENCE = 20.0  # seconds that one look may take

needs_axe = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is not installed: `npm install --prefix .ci/js --no-package-lock`"
)

# The clock of a page can stand still (`overlay_server.py`), and axe ends with a timer: it is given one that
# does not ask that clock. Its longer timers are limits of its own, instead of which there is `PATIENCE`.
_LOAD = """(() => {
  const setTimeout = (what, milliseconds) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), what());
    if (milliseconds <= 1) port2.postMessage(null);
  };
  %s
  // A text of one letter, such as that of a card, has to be read as well.
  const id = "color-contrast";
  axe.configure({ checks: [{ id, options: { ...axe._audit.checks[id].options, ignoreLength: true } }] });
})()"""
# What goes round for ever, or stands still, does not end. A shadow tree has animations of its own.
_REST = """() => {
  const shadows = (root) => [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  const all = (root) => [...root.getAnimations(), ...shadows(root).flatMap(all)];
  const ends = ({ effect }) => Number.isFinite(effect.getComputedTiming().endTime);
  const moving = all(document).filter((each) => each.playState === "running" && ends(each));
  return Promise.allSettled(moving.map((each) => each.finished)).then(() => null);
}"""
_FAST = 1000  # times as fast as it is
_LOOK = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
  return violations.flatMap(({ id, impact, nodes }) => nodes.map((node) => (
    { id, impact, where: node.target.flat().join(" "), what: node.failureSummary }
  )));
}"""


async def findings(page: Page) -> list[str]:
    """List what is wrong with a page as it stands, once all that moves has come to rest.

    Raises TimeoutError if that takes longer than `PATIENCE`.
    """
    async with asyncio.timeout(PATIENCE):
        if not await page.evaluate("'axe' in window"):
            await _prepare(page)
        await page.evaluate(_REST)
        found: list[dict[str, Any]] = await page.evaluate(_LOOK)
    return [f"{each['id']}: {each['where']}: {each['what']}" for each in found if each["impact"] in GRAVE]


async def _prepare(page: Page) -> None:
    await page.evaluate(_LOAD.replace("%s", AXE.read_text(encoding="utf-8")))
    # A reveal goes on while axe looks, and what is half faded in cannot be read yet.
    # https://chromedevtools.github.io/devtools-protocol/tot/Animation/#method-setPlaybackRate
    browser = await page.context.new_cdp_session(page)
    await browser.send("Animation.enable")
    await browser.send("Animation.setPlaybackRate", {"playbackRate": _FAST})
