"""Shards of Discord's gateway are dealt to processes: each is heard once, by whoever is there."""

from __future__ import annotations

import asyncio
import signal
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store.leases import LEASE
from tests.cluster.sharded import SHARDS, cluster
from tests.fakes.discord_gateway import SESSION_GAP

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.cluster.sharded import Cluster

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[Cluster]:
    async with cluster(tmp_path, "discord") as made:
        yield made


async def test_processes_share_the_shards_and_a_line_in_each_is_answered_once(discord: Cluster) -> None:
    ann = discord.discord.world.join("ann")
    await discord.start()
    await discord.until(discord.heard)
    await discord.ask_everywhere(ann)
    for number in (2, 3):
        await discord.start()
        await discord.until_even("discord", SHARDS)
        await discord.until(discord.heard)
        await discord.ask_everywhere(ann)
        counts = sorted(map(len, (await discord.shares("discord")).values()))
        assert counts == ([2, 2] if number == 2 else [1, 1, 2])
    gateway = discord.discord.gateway
    assert gateway.too_fast == 0
    assert discord.discord.late == 0, "no interaction or answer was given twice"


async def test_the_shards_of_a_killed_process_are_heard_by_others(discord: Cluster) -> None:
    ann = discord.discord.world.join("ann")
    first, second = await discord.start(), await discord.start()
    await discord.until(discord.heard)
    await discord.until_even("discord", SHARDS)
    await discord.until(discord.heard)
    await discord.ask_everywhere(ann)
    await first.end(signal.SIGKILL)
    assert await discord.until(discord.heard) < LEASE + 5.0
    await discord.ask_everywhere(ann)
    assert sorted(await discord.shares("discord")) == [second.name]


async def test_whoever_ends_listens_until_the_successor_of_each_shard_does(discord: Cluster) -> None:
    world, gateway = discord.discord.world, discord.discord.gateway
    gateway.concurrency = 1  # the second shard has to wait until the session of the first one is 5 s old
    first, _ = await discord.start(), await discord.start()
    await discord.until(discord.heard)
    await discord.until_even("discord", SHARDS)
    await discord.until(discord.heard)
    mine = [int(each.rpartition("-")[2]) for each in (await discord.shares("discord"))[first.name]]
    assert len(mine) == 2
    least, said = dict.fromkeys(mine, SHARDS), dict[int, int]()
    ending, began = asyncio.ensure_future(first.end()), asyncio.get_running_loop().time()
    while not ending.done():
        for each in mine:
            hearing = sum(session.open for session in gateway.hearing(discord.guilds[each]))
            least[each] = min(least[each], hearing)
        # As slowly as Discord takes answers in one channel: who ends does not wait until all are out.
        if len(said) * 0.5 < asyncio.get_running_loop().time() - began:
            user, town = world.join(f"fan{len(said)}"), discord.towns[mine[len(said) % 2]]
            said[user.id] = town
            await discord.discord.people.say(user, town, "!credits")
        await asyncio.sleep(0.05)
    await ending
    assert first.process.returncode == 0
    assert least == dict.fromkeys(mine, 1), "a shard was heard by nobody"
    assert gateway.too_fast == 0
    answers = {f"fan{number} has 240 credits": town for number, town in enumerate(said.values())}
    await asyncio.sleep(3.0)
    assert [text for text, town in answers.items() if world.texts(town).count(text) != 1] == []


async def test_sessions_of_all_processes_are_spaced_out(discord: Cluster) -> None:
    gateway = discord.discord.gateway
    gateway.concurrency = 1
    await asyncio.gather(*(discord.start() for _ in range(3)))
    await discord.until(discord.heard)
    times = sorted(at for at, _ in gateway.begun)
    assert len(times) >= SHARDS
    assert all(later - earlier >= SESSION_GAP for earlier, later in pairwise(times))
    assert gateway.too_fast == 0


async def test_no_more_sessions_are_begun_than_discord_allows_in_a_day(discord: Cluster) -> None:
    gateway = discord.discord.gateway
    gateway.remaining = 12  # of which ten are kept back
    first = await discord.start()
    second = await discord.start()
    await discord.until(
        lambda: "shard" in first.said + second.said and "waits for" in first.said + second.said
    )
    await asyncio.sleep(2.0)
    assert len(gateway.begun) == 2
    assert gateway.remaining == 10
    assert not gateway.refuses_token


async def test_another_number_of_shards_is_taken_over_by_all(discord: Cluster) -> None:
    ann = discord.discord.world.join("ann")
    first = await discord.start(CHATBOT_DISCORD_SHARDS="2")
    await discord.until(discord.heard)
    await discord.ask_everywhere(ann)
    second = await discord.start(CHATBOT_DISCORD_SHARDS="3")
    await discord.until_even("discord", 3)
    gateway = discord.discord.gateway
    await discord.until(lambda: {each.shard[1] for each in gateway.all if each.open} == {3})
    await discord.until(discord.heard)
    await discord.ask_everywhere(ann)
    assert sorted(await discord.shares("discord")) == [first.name, second.name]


async def test_messages_to_the_bot_alone_are_answered_wherever_their_writer_plays(discord: Cluster) -> None:
    """They come by the first shard, and belong to a table of whichever process runs it."""
    people, world = discord.discord.people, discord.discord.world
    await discord.start()
    await discord.start()
    await discord.until(discord.heard)
    await discord.until_even("discord", SHARDS)
    await discord.until(discord.heard)
    for number, town in enumerate(discord.towns):
        user = world.join(f"kim{number}")
        await people.say(user, town, "!heist 50")
        await discord.until(lambda: "stakes 50 credits" in world.texts(town))  # noqa: B023
        await people.whisper(user, "!credits")
        await discord.until(lambda: "190" in world.texts(world.dm(user.id)))  # noqa: B023
