"""Results are announced where the room wants it and the bot may; else they are said, and never both."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cogs.twitch.authority import ANNOUNCEMENTS_SCOPES, BOT_SCOPES
from cogs.twitch.key_changes import EVERY
from cogs.twitch.muted import ANNOUNCEMENTS, RefusedChats
from cogs.twitch.sender import ANNOUNCEMENT_GAP, UNANNOUNCED
from tests.adapters.twitch.chatting import everything
from tests.adapters.twitch.stage import BOT, Stage

if TYPE_CHECKING:
    from collections.abc import MutableMapping

HEIST = 60 + 30 + 6  # seconds of a whole one


@pytest.fixture
async def announcing(stage: Stage) -> Stage:
    """Let the bot make announcements, too, as a moderator of ada's chat."""
    stage.connect(BOT, (*BOT_SCOPES, *ANNOUNCEMENTS_SCOPES), "bot", "announcements")
    stage.fake.world.user("ada")
    stage.fake.world.moderate("ada", BOT)
    return stage


async def ask(stage: Stage, colour: str = "primary") -> None:
    await stage.open()
    await stage.say("ada", "ada", f"!set room announcements {colour}", ["broadcaster"])


async def play(stage: Stage) -> None:
    """Play a heist to its end, and give the chat the time to tell of it."""
    await stage.say("ann", "ada", "!heist 69")
    await stage.watch.turn(HEIST + 10)
    assert stage.table("ada").over


def announced(stage: Stage) -> list[str]:
    return [each.text for each in stage.fake.world.announced]


def results_said(stage: Stage) -> int:
    """Count the lines that say how a heist came out, after the one of the storming."""
    lines = stage.fake.sent("ada")
    stormed = next(place for place, each in enumerate(lines) if "storms into" in each)
    return sum("Ann" in each for each in lines[stormed + 1 :])


@pytest.mark.parametrize("colour", ["primary", "orange"])
async def test_the_end_of_a_heist_is_announced_in_the_colour_of_the_room(
    announcing: Stage, colour: str
) -> None:
    await ask(announcing, colour)
    await play(announcing)
    [result] = announcing.fake.world.announced
    assert result.colour == colour
    assert "Ann" in result.text
    assert result.text not in everything(announcing)
    assert "storms into" in everything(announcing)


async def test_it_is_off_until_the_room_wants_it(announcing: Stage) -> None:
    await announcing.open()
    await play(announcing)
    assert announced(announcing) == []


async def test_a_right_that_is_given_while_the_bot_runs_is_taken_up(stage: Stage) -> None:
    stage.fake.world.user("ada")
    stage.fake.world.moderate("ada", BOT)
    await stage.open()
    stage.connect(BOT, (*BOT_SCOPES, *ANNOUNCEMENTS_SCOPES), "bot", "announcements")
    await stage.watch.turn(EVERY)
    chats = stage.adapter.chats if stage.adapter is not None else {}
    await stage.until(lambda: any(each.channel.manner.announces for each in chats.values()))
    said = " ".join(await stage.say("ada", "ada", "!set room announcements blue", ["broadcaster"]))
    assert "chatbot connect" not in said
    await play(stage)
    [result] = stage.fake.world.announced
    assert (result.colour, "Ann" in result.text) == ("blue", True)


async def test_without_the_permission_it_is_said_and_the_keeper_is_told(stage: Stage) -> None:
    await stage.open()
    said = " ".join(await stage.say("ada", "ada", "!set room announcements blue", ["broadcaster"]))
    assert "chatbot connect twitch --bot --announcements" in said
    await play(stage)
    assert not any(each.endswith("announcements") for each in stage.fake.world.requests)
    assert not stage.fake.eventsub.of("channel.chat.notification")


async def test_where_the_bot_is_no_moderator_it_is_said_and_remembered_until_it_is_one(
    announcing: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    announcing.fake.world.moderate("ada", BOT, on=False)
    await ask(announcing)
    await play(announcing)
    assert announced(announcing) == []
    assert results_said(announcing) == 1
    refused = RefusedChats(announcing.ring.path, ANNOUNCEMENTS)
    [(login, reason)] = refused.load().values()
    assert (login, "/mod" in reason) == ("ada", True)
    assert len([each for each in told if "without being announced" in each["event"]]) == 1
    asked = announcing.fake.world.requests.count("POST chat/announcements")
    assert asked == 2, "with the program's key, and with the bot's"
    announcing.fake.world.moderate("ada", BOT)
    await announcing.watch.turn(UNANNOUNCED)
    await play(announcing)
    assert len(announced(announcing)) == 1
    assert refused.load() == {}


async def test_once_the_bot_is_a_moderator_the_next_result_is_announced(announcing: Stage) -> None:
    announcing.fake.world.moderate("ada", BOT, on=False)
    await ask(announcing)
    await play(announcing)
    assert announced(announcing) == []
    announcing.fake.world.moderate("ada", BOT)
    await announcing.say("ann", "ada", "!credits")
    await announcing.until(lambda: announcing.chat("ada").moderator)  # its answer has the badge
    await announcing.watch.turn(UNANNOUNCED / 2)  # until there may be another heist
    await play(announcing)
    assert len(announced(announcing)) == 1


async def test_a_lost_answer_is_no_reason_to_say_it_again(announcing: Stage) -> None:
    await ask(announcing)
    announcing.fake.world.lost_announcements = 1
    await play(announcing)
    [result] = announced(announcing)
    assert result not in everything(announcing)


async def test_what_was_not_announced_by_a_fault_is_said(
    announcing: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.twitch.sender.SHOWN_WITHIN", 0.05)
    await ask(announcing)
    announcing.fake.world.disturb("chat/announcements", 500, method="POST")
    await play(announcing)
    assert announced(announcing) == []
    assert results_said(announcing) == 1


async def test_a_result_is_announced_in_no_chat_that_is_shared_with_the_channels(announcing: Stage) -> None:
    await ask(announcing)
    await play(announcing)
    assert [each.by_app for each in announcing.fake.world.announced] == [True]


async def test_without_leave_for_the_program_the_bots_own_key_announces(announcing: Stage) -> None:
    await ask(announcing)
    chat = announcing.chat("ada")
    assert announcing.adapter is not None
    sender = announcing.adapter.router.sender
    announcing.fake.world.disturb("chat/announcements", 401, method="POST")
    assert await sender.announce(chat, "one", "primary")
    await announcing.watch.turn(ANNOUNCEMENT_GAP)
    assert await sender.announce(chat, "two", "primary")
    assert [each.by_app for each in announcing.fake.world.announced] == [False, False]
    assert announcing.fake.world.requests.count("POST chat/announcements") == 3, "it was refused once"
    announcing.connect_streamer("ada", ["channel:bot"])  # who may not have given leave before
    await announcing.watch.turn(EVERY)
    await announcing.until(lambda: chat.announces_by_app)
    assert await sender.announce(chat, "three", "primary")
    assert announcing.fake.world.announced[-1].by_app


async def test_there_is_one_announcement_in_two_seconds(announcing: Stage) -> None:
    await ask(announcing)
    assert announcing.adapter is not None
    chat, sender = announcing.chat("ada"), announcing.adapter.router.sender
    assert await sender.announce(chat, "one", "primary")
    assert not await sender.announce(chat, "two", "primary")
    await announcing.watch.turn(ANNOUNCEMENT_GAP)
    assert await sender.announce(chat, "three", "primary")
    assert announced(announcing) == ["one", "three"]


async def test_one_announcement_that_is_under_way_keeps_no_equal_one_from_its_answer(
    announcing: Stage,
) -> None:
    await ask(announcing)
    assert announcing.adapter is not None
    chat, sender = announcing.chat("ada"), announcing.adapter.router.sender
    slow = asyncio.Event()
    announcing.fake.world.disturb("chat/announcements", 400, method="POST", until=slow)
    first = asyncio.create_task(sender.announce(chat, "over", "primary"))
    await announcing.until(lambda: "POST chat/announcements" in announcing.fake.world.requests)
    await announcing.watch.turn(ANNOUNCEMENT_GAP)
    assert await sender.announce(chat, "over", "primary")
    slow.set()
    assert not await first
    assert announced(announcing) == ["over"]
