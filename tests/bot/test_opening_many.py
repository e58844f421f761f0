"""Many rooms that open together, or are taken over together, are read together, and cost no lease."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from chatbot.bot import room_control
from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.rooms.channel import Channel, Manner
from chatbot.rooms.room import Room
from chatbot.runtime.clock import LoopWatch
from chatbot.tables.fairness import Sources
from tests.bot.stage import Notebook, english
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chatbot.bot.elsewhere import Elsewhere

ROOMS = 50


class AllHere:
    """The other processes of a cluster that run no room."""

    def is_here(self, community: str) -> bool:
        return True


@pytest.mark.parametrize("together", [ROOMS, 7])
async def test_rooms_that_open_one_by_one_are_taken_up_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr(room_control, "TAKEN_UP_TOGETHER", together)
    store = await store_at(tmp_path / "rabble.db")
    bot = Bot(kits(), store, english(), LoopWatch(), Sources(bytes(32)))
    bot.share(cast("Elsewhere", AllHere()))
    batches, take_up_some = list[int](), bot.control._take_up_some

    async def watched(rooms: Sequence[Room]) -> list[Room]:
        batches.append(len(rooms))
        return await take_up_some(rooms)

    monkeypatch.setattr(bot.control, "_take_up_some", watched)
    names = [f"room-{each}" for each in range(ROOMS)]
    rooms = [Room(each, each, (Channel(each, "chat", Notebook(), Manner()),)) for each in names]
    await asyncio.gather(*map(bot.open, rooms))
    assert sum(batches) == ROOMS
    assert max(batches) <= together
    assert len(batches) <= ROOMS // together + 2
    assert not any(each.elsewhere for each in rooms)
    assert {*names} <= {*store.leases.held}
    await bot.close()
    await store.close()
