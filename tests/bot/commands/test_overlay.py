"""The broadcaster is told the address of the overlay where nobody else reads it, and nobody else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.channel import Manner, Privacy
from tests.bot.platforms import DISCORD, TWITCH
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.platforms import Platforms

SERVER = "http://127.0.0.1:8765"
STREAMER, MODERATOR = "ada(broadcaster)", "mo(moderator)"


async def test_the_broadcaster_is_whispered_the_address(stage: Stage) -> None:
    stage.bot.parts.overlay_keys.server = SERVER
    (told,) = await stage.say(STREAMER, "!overlay")
    key = await stage.bot.parts.overlay_keys.of("room")
    assert told == (
        f"> ada: Put this into OBS as a browser source of 1920 × 1080: {SERVER}/overlay/{key} "
        "– show it to nobody."
    )
    assert len(told) <= 300
    assert stage.adapter.deliveries[-1].to is not None
    assert await stage.bot.parts.overlay_keys.room(key) == "room"


async def test_it_is_told_in_korean_too(stage: Stage) -> None:
    stage.bot.parts.overlay_keys.server = SERVER
    await stage.say(MODERATOR, "!set room language ko")
    (told,) = await stage.say(STREAMER, "!overlay")
    assert told.startswith("> ada: OBS에 1920 × 1080 브라우저 소스로 이 주소를 넣으세요: http://127.0.0.1")


async def test_nobody_else_is_told(stage: Stage) -> None:
    stage.bot.parts.overlay_keys.server = SERVER
    assert await stage.say(MODERATOR, "!overlay") == ["> mo: That is for broadcasters."]
    assert await stage.say("ann", "!overlay") == ["> ann: That is for broadcasters."]


@pytest.mark.parametrize("privacy", [Privacy.NONE, Privacy.SECRETS])
@pytest.mark.parametrize("private", [False, True])
async def test_where_all_read_it_the_command_line_is_named_and_no_address(
    store: Store, privacy: Privacy, private: bool
) -> None:
    stage = await Stage(store, manner=Manner(private=privacy)).open()
    stage.bot.parts.overlay_keys.server = SERVER
    said = await stage.say(STREAMER, "!overlay", private=private)
    key = await stage.bot.parts.overlay_keys.of("room")
    assert not any(SERVER in each.text or key in each.text for each in stage.adapter.deliveries)
    assert private or "Run chatbot overlay on the computer of the bot." in said[0]


async def test_in_a_room_on_two_platforms_it_is_told_on_the_one_that_whispers(both: Platforms) -> None:
    both.bot.parts.overlay_keys.server = SERVER
    (told,) = await both.say("discord:ada(broadcaster)", "!bridge", DISCORD)
    await both.say("twitch:ada(broadcaster)", told.partition("!bridge ")[2].split()[0], TWITCH)
    (public,) = await both.say("twitch:ada(broadcaster)", "!overlay", TWITCH)
    assert "chatbot overlay" in public
    assert SERVER not in public
    (private,) = await both.say("discord:ada(broadcaster)", "!overlay", DISCORD)
    assert SERVER in private
    assert both.adapter.deliveries[-1].to is not None


async def test_where_nothing_is_served_it_is_said_so(stage: Stage) -> None:
    assert await stage.say(STREAMER, "!overlay") == [
        "> ada: Nothing is shown to streams here: start the bot by chatbot run."
    ]
    assert await stage.say(STREAMER, "!overlay please") == ["> ada: Write it like this: !overlay [new]"]


async def test_a_new_address_makes_the_former_a_dead_one_and_is_audited(stage: Stage) -> None:
    stage.bot.parts.overlay_keys.server = SERVER
    keys = stage.bot.parts.overlay_keys
    former = await keys.of("room")
    (told,) = await stage.say(STREAMER, "!overlay new -- it was on stream")
    present = await keys.of("room")
    assert told.startswith("> ada: The former address of the overlay is dead.")
    assert f"{SERVER}/overlay/{present}" in told
    assert present != former
    assert await keys.room(former) is None
    assert "it was on stream" in (await stage.say(MODERATOR, "!audit 1"))[0]
    assert await stage.say(MODERATOR, "!overlay new") == ["> mo: That is for broadcasters."]
    (refused,) = await stage.say(STREAMER, "!overlay again")
    assert "!overlay [new]" in refused
    assert await keys.of("room") == present
