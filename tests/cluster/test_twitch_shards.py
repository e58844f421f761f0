"""Shards of one conduit are dealt to processes; each hears all chats, and speaks where it runs the room."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store.leases import LEASE
from tests.cluster.sharded import cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.cluster.sharded import Cluster
    from tests.fakes.twitch_eventsub import Conduit

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

CHANNELS = [f"channel{number}" for number in range(6)]


@pytest.fixture
async def twitch(tmp_path: Path) -> AsyncIterator[Cluster]:
    async with cluster(tmp_path, "twitch") as made:
        made.connect_twitch(CHANNELS)
        yield made
        # Whoever runs a room next does not know when its predecessor spoke last.
        violations = [each for each in made.twitch.world.violations if not each.startswith("two messages in")]
        assert violations == []


def conduit_of(made: Cluster) -> Conduit:
    [conduit] = made.twitch.eventsub.conduits.values()
    return conduit


def is_heard(made: Cluster, shards: int) -> bool:
    """Whether there is one conduit, each shard of it is connected, and all chats are subscribed to."""
    eventsub = made.twitch.eventsub
    if len(eventsub.conduits) != 1:
        return False
    conduit = conduit_of(made)
    connected = [each for each in conduit.shards.values() if each in eventsub.sessions]
    chats = [
        each
        for each in eventsub.subscriptions.values()
        if each.type == "channel.chat.message" and each.status == "enabled"
    ]
    return conduit.count == shards == len(connected) and len(chats) == len(CHANNELS)


async def ask_everywhere(made: Cluster, who: str) -> None:
    """Ask for credits in each chat, and wait for one answer in each."""
    for each in CHANNELS:
        await made.twitch.chat(who, each, "!credits")
    answer = f"{who.capitalize()} has 240 credits"

    def answers(channel: str) -> int:
        return sum(answer in each for each in made.twitch.sent(channel))

    await made.until(lambda: all(map(answers, CHANNELS)))
    await asyncio.sleep(0.3)  # another answer would come now
    assert {each: answers(each) for each in CHANNELS} == dict.fromkeys(CHANNELS, 1)


async def test_processes_share_one_conduit_which_grows_and_each_line_is_answered_once(
    twitch: Cluster,
) -> None:
    await twitch.start()
    await twitch.until(lambda: is_heard(twitch, 2))
    await ask_everywhere(twitch, "ann")
    asked = twitch.twitch.world.requests.count("POST eventsub/subscriptions")
    for number, who in ((2, "bob"), (3, "kim")):
        await twitch.start()
        shards = max(2, number)
        await twitch.until_even("twitch", shards)
        await twitch.until(lambda: is_heard(twitch, shards))  # noqa: B023
        await ask_everywhere(twitch, who)
        counts = sorted(map(len, (await twitch.shares("twitch")).values()))
        assert counts == [1] * number
    assert twitch.twitch.world.requests.count("POST eventsub/conduits") == 1
    assert twitch.twitch.world.requests.count("POST eventsub/subscriptions") == asked


async def test_the_shard_of_a_killed_process_is_connected_by_another(twitch: Cluster) -> None:
    first, second = await twitch.start(), await twitch.start()
    await twitch.until_even("twitch", 2)
    await twitch.until(lambda: is_heard(twitch, 2))
    await ask_everywhere(twitch, "ann")
    await first.end(signal.SIGKILL)
    await twitch.until(lambda: not is_heard(twitch, 2), 5.0)
    assert await twitch.until(lambda: is_heard(twitch, 2)) < LEASE + 5.0
    await ask_everywhere(twitch, "bob")
    assert sorted(await twitch.shares("twitch")) == [second.name]


async def test_while_one_process_after_the_other_is_restarted_no_line_is_lost(twitch: Cluster) -> None:
    first = await twitch.start()
    await twitch.start()
    await twitch.until_even("twitch", 2)
    await twitch.until(lambda: is_heard(twitch, 2))
    await ask_everywhere(twitch, "ann")
    fewest, fans = 2, list[str]()
    ending = asyncio.ensure_future(first.end())
    while not ending.done():
        eventsub = twitch.twitch.eventsub
        connected = sum(each in eventsub.sessions for each in conduit_of(twitch).shards.values())
        fewest = min(fewest, connected)
        fans.append(f"fan{len(fans)}")
        for each in CHANNELS:
            await twitch.twitch.chat(fans[-1], each, "!credits")
        await asyncio.sleep(0.2)
    assert first.process.returncode == 0
    assert fewest == 2, "a shard was connected by nobody"

    def missing() -> list[tuple[str, str]]:
        said = {each: "\n".join(twitch.twitch.sent(each)) for each in CHANNELS}
        return [
            (fan, each)
            for fan in fans
            for each in CHANNELS
            if f"{fan.capitalize()} has 240 credits" not in said[each]
        ]

    await twitch.until(lambda: not missing())
