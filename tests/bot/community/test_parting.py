"""When two chats part, everybody has again what they brought along, and nobody what others did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.bot.platforms import DISCORD, START, TWITCH
from tests.ledger import importing

if TYPE_CHECKING:
    from tests.bot.platforms import Platforms

pytestmark = pytest.mark.slow

TWITCH_OWNER = "twitch:owner(broadcaster)"


async def test_each_of_many_gets_back_their_own(both: Platforms) -> None:
    held = {f"twitch:fan{number}": 1000 + number for number in range(12)}
    for who, credits_ in held.items():
        await both.endow(who, credits_)
    await both.bridge()
    await both.say(TWITCH_OWNER, "!bridge end")
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert {who: await both.credits(who) for who in held} == held
    assert await both.sound()


async def bring(both: Platforms, community: str, amount: int) -> None:
    at = both.watch.date()
    await importing.bring(both.store, {"bobby": amount}, community, name=f"import:{community}", at=at)


async def appear(both: Platforms, who: str) -> None:
    """Let somebody speak under a name for which credits wait."""
    await both.turn(61)
    await both.bot.converse(replace(both.line(who, "hello"), login="bobby"))
    await both.watch.turn()


async def test_what_came_for_a_name_later_does_not_go_with_what_was_brought_for_it(both: Platforms) -> None:
    await bring(both, "channel", 500)
    await both.bridge()
    await appear(both, "twitch:bob")  # who has the 500 that came along
    await bring(both, "guild", 70)
    await appear(both, "twitch:rob")  # who has taken the name over, and has the 70
    await both.say(TWITCH_OWNER, "!bridge end")
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert await both.credits("twitch:bob") == 500
    assert await both.credits("twitch:rob") == 0
    assert await both.credits("twitch:rob", "guild") == START + 70
    assert await both.sound()
