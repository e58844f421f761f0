"""A gateway that could not be reached is tried again soon, and sooner after it was there for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.discord.reconnecting import ReconnectPauses

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage


def test_a_gateway_that_is_away_is_tried_every_five_seconds_and_sooner_the_next_time() -> None:
    now = 0.0
    pauses = ReconnectPauses(lambda: now)
    for longest in (1, 2, 4, 5, 5, 5, 5):
        pause = pauses.delay()
        assert longest / 2 <= pause <= longest
        now += pause
    now += 20  # it was there for a while
    assert pauses.delay() <= 1


async def test_each_shard_of_the_library_takes_its_pauses_from_us(stage: Stage) -> None:
    """It fails with a version of the library that takes them from elsewhere."""
    assert stage.adapter.client is not None
    for shard in stage.adapter.client.shards.values():
        assert isinstance(shard._parent._backoff, ReconnectPauses)
