"""A room of two chats keeps to what both of them can take, and knows of a stream what either knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.line import Happening, Occasion
from tests.bot.platforms import DISCORD, TWITCH

if TYPE_CHECKING:
    from tests.bot.platforms import Platforms

pytestmark = pytest.mark.slow

ANN, BOB, DAN = "twitch:ann", "twitch:bob", "discord:dan"
TWITCH_OWNER = "twitch:owner(broadcaster)"


def hints(both: Platforms) -> list[str]:
    told = [each for each in both.adapter.deliveries if each.says[0].event == "Hint"]
    return [f"{each.channel}: {each.text.split()[0]}" for each in told]


async def test_hints_are_as_seldom_as_in_the_chat_in_which_all_hear_them(both: Platforms) -> None:
    await both.bridge()
    await both.say(ANN, "!heist 5")
    await both.say(BOB, "!heist 5")
    await both.turn(1)
    assert hints(both) == [f"{TWITCH}: @ann-t:"]


async def test_a_history_is_as_short_as_the_chat_of_the_shortest_messages_needs(both: Platforms) -> None:
    await both.bridge()
    short = next(each for each in both.room(DISCORD).channels if each.id == TWITCH)
    short.manner = replace(short.manner, length=500)
    for amount in range(1000, 1020):
        await both.endow(DAN, amount)
        await both.turn(60)
    (told,) = await both.say(DAN, "!history 20")
    assert told.startswith(f"{DISCORD} > {DAN}: ")
    assert len(told) <= 500
    assert "more" in told


async def test_a_stream_that_is_on_is_on_in_the_room_that_its_chat_joins_and_goes_home_with_it(
    both: Platforms,
) -> None:
    await both.bot.notice(Occasion("on", TWITCH, Happening.ONLINE))
    await both.bridge()
    assert both.room(DISCORD).live is True
    await both.say(TWITCH_OWNER, "!bridge end")
    assert both.room(TWITCH).live is True
    assert both.room(DISCORD).live is None


async def test_a_code_joins_two_chats_once(both: Platforms) -> None:
    code = await both.code("discord:owner(broadcaster)", "!bridge")
    await both.say(TWITCH_OWNER, f"!bridge {code}")
    await both.say(TWITCH_OWNER, "!bridge end")
    (told,) = await both.say(TWITCH_OWNER, f"!bridge {code}")
    assert "code" in told
    assert both.room(TWITCH) is not both.room(DISCORD)
