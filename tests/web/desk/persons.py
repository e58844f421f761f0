"""Somebody at the desk whose clicks and keys are counted, and how long people take for as many.

The times are those of the keystroke-level model (Card, Moran and Newell, 1980,
https://doi.org/10.1145/358886.358895) for somebody who types well: 0.2 s a key, 1.1 s to point and 0.2 s to
click, 0.4 s to move a hand between keyboard and mouse. Thinking is left out, here and in the chat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.async_api import Page

if TYPE_CHECKING:
    from playwright.async_api import Locator

KEY, POINT, CLICK, REACH = 0.2, 1.1, 0.2, 0.4  # seconds
MOST_TABS = 60  # to what somebody looks for


@dataclass
class Person:
    """Somebody with a keyboard and a mouse, of which `hand` is on one."""

    page: Page
    clicks: int = 0
    keys: int = 0
    reaches: int = 0
    hand: str = ""

    @property
    def seconds(self) -> float:
        """How long it takes people."""
        return self.keys * KEY + self.clicks * (POINT + CLICK) + self.reaches * REACH

    def begin(self) -> None:
        """Count from nought."""
        self.clicks = self.keys = self.reaches = 0
        self.hand = ""

    async def click(self, what: Locator) -> None:
        self._reach("mouse")
        self.clicks += 1
        await what.click()

    async def choose(self, what: Locator, value: str) -> None:
        """Choose from a list by the mouse: a click opens it, and another takes a value."""
        self._reach("mouse")
        self.clicks += 2
        await what.select_option(value)

    async def type(self, text: str) -> None:
        self._reach("keyboard")
        self.keys += len(text)
        await self.page.keyboard.type(text)

    async def press(self, keys: str) -> None:
        """Press keys, such as `Tab` or `Control+Enter`."""
        self._reach("keyboard")
        self.keys += len(keys.split("+"))
        await self.page.keyboard.press(keys)

    async def tab_to(self, selector: str) -> None:
        """Press Tab until what a selector names has the focus."""
        for _ in range(MOST_TABS):
            if await self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                return
            await self.press("Tab")
        raise AssertionError(f"{selector} is not reached by {MOST_TABS} times Tab")

    def _reach(self, hand: str) -> None:
        if self.hand and self.hand != hand:
            self.reaches += 1
        self.hand = hand
