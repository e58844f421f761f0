"""What Twitch delivers again is heard once, whatever brings it: EventSub promises "at least once".

https://dev.twitch.tv/docs/eventsub/#handling-duplicate-events
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from tests.adapters.twitch.chatting import START, purse
from tests.adapters.twitch.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from chatbot.ledger.store.store import Store
    from chatbot.runtime.clock import HandWatch
    from tests.fakes.twitch_eventsub import Json
    from tests.fakes.twitch_server import Twitch

STAKE = 50


async def bring(stage: Stage, frame: Json) -> None:
    """Deliver a frame by each connection that there is now, and wait until the bot has read it."""
    eventsub = stage.fake.eventsub
    for session in list(eventsub.sessions):
        await eventsub.repeat((session, frame))
    await stage.say("bob", "ada", "hello")  # what a connection brings is read in its order
    await stage.bot.settle()


@pytest.mark.parametrize("conduit", [False, True])
async def test_a_line_is_acted_on_once_by_two_connections_after_reconnecting_and_after_a_restart(
    stage: Stage, fake: Twitch, store: Store, tmp_path: Path, watch: HandWatch, conduit: bool
) -> None:
    await stage.open(conduit=conduit)
    assert len(await stage.say("ann", "ada", f"!heist {STAKE}")) >= 1
    _, frame = stage.chat_frame()
    await bring(stage, frame)
    await stage.run_again()
    await bring(stage, frame)
    assert await purse(stage, "ann") == START - STAKE
    await stage.close()
    after = Stage(fake, store, tmp_path, watch, run="b")
    after.connect_bot()
    after.connect_streamer()
    await after.open(conduit=not conduit)  # which knows nothing of what the former process has heard
    before = len(fake.sent("ada"))
    await bring(after, frame)
    assert await purse(after, "ann") == START - STAKE
    assert not any("stakes" in each or "You are in" in each for each in fake.sent("ada")[before:])
    await after.close()


async def test_a_message_of_two_subscriptions_is_one_line(stage: Stage) -> None:
    """Each notification has its own id then, and the message in both the same."""
    await stage.open()
    await stage.say("ann", "ada", "hello")
    await stage.fake.chat("ann", "ada", f"!heist {STAKE}")
    session, frame = stage.chat_frame()
    other = deepcopy(frame)
    other["metadata"]["message_id"] = "another-notification"
    await asyncio.gather(*(stage.fake.eventsub.repeat((session, other)) for _ in range(3)))
    await bring(stage, other)
    assert await purse(stage, "ann") == START - STAKE


@pytest.mark.parametrize("conduit", [False, True])
async def test_a_command_that_changes_nothing_is_answered_once_too(stage: Stage, conduit: bool) -> None:
    """The database does not know its id: memory alone does."""
    await stage.open(conduit=conduit)
    answers = await stage.say("ann", "ada", "!credits")
    _, frame = stage.chat_frame()
    await bring(stage, frame)
    await stage.run_again()
    await bring(stage, frame)
    assert len(answers) == 1
    assert stage.fake.sent("ada") == answers, "nor is it refused as a command that comes too soon"
