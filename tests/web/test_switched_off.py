"""A game that moderators have switched off is not offered on the page, and nobody of the crowd opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.web import showing
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from tests.web.conftest import Site


def off(site: Site) -> list[str]:
    return [each["name"] for each in showing.pauses(site.chat.bot, site.chat.room) if each["off"]]


async def test_a_game_that_is_switched_off_is_not_offered(site: Site) -> None:
    mo = viewer_of("Mo", "moderator")
    assert off(site) == []
    await site.chat.say(mo, "!set games heist no", private=False)
    assert off(site) == ["heist"]
    assert "heist" not in [kit.name for kit in site.crowd._idle()[0]]
    await site.chat.say(mo, "!set games heist yes", private=False)
    assert off(site) == []


async def test_the_crowd_opens_nothing_while_games_are_paused(site: Site) -> None:
    assert site.crowd._idle() != ([], [])
    await site.chat.say(viewer_of("Mo", "moderator"), "!set room paused yes", private=False)
    assert site.crowd._idle() == ([], [])
