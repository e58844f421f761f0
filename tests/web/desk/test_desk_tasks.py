"""Five tasks of a moderator take at the desk what its page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.documentation import page
from tests.web.chromium import CHROMIUM
from tests.web.desk.tasks import measured, table
from tests.web.test_page import browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.desk.site import Site

__all__ = ["browser"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


async def test_clicks_and_keys_are_those_of_the_page(browser: Browser, site: Site) -> None:
    rows = await measured(site, browser)
    assert "\n".join(table(rows)) in page("moderate/desk")
    for task, mouse, keyboard in rows:
        assert keyboard.clicks == 0, task.title
        assert max(mouse.seconds, keyboard.seconds) < 30, task.title
