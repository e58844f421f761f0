"""Hundreds join within a second, while the end of the lobby is near: who came before it is in."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from tests.bot.hosting import LOBBY
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

LAST = 1.0  # seconds before the end in which all of them write
STAKE, START = 40, 240  # credits


@pytest.mark.parametrize("seed", range(4))
async def test_who_floods_a_lobby_before_its_end_is_in_and_nobody_else(store: Store, seed: int) -> None:
    rng, stage = Random(seed), await Stage(store).open()
    await stage.say("ann", "!heist 69")
    await stage.watch.turn(LOBBY - LAST)
    crowd = {f"v{number}": rng.uniform(0, 2 * LAST) for number in range(rng.randint(200, 400))}
    hearing = list[asyncio.Task[bool]]()
    for who, at in sorted(crowd.items(), key=lambda each: each[1]):
        await stage.watch.turn(max(at - (stage.watch.now() - LOBBY + LAST), 0.0))
        hearing.append(asyncio.create_task(stage.bot.converse(stage.line(who, f"!heist {STAKE}"))))
        for _ in range(rng.randint(3, 6)):  # it has come, and perhaps is being written
            await asyncio.sleep(0)
    await asyncio.gather(*hearing)
    await stage.watch.turn()
    early = {who for who, at in crowd.items() if at < LAST}
    assert {each.seat.partition(":")[2] for each in stage.table.view(None).crew} == {"ann", *early}
    assert await stage.pot() == 69 + STAKE * len(early)
    for who in rng.sample(sorted(crowd), 20):
        assert await stage.credits(who) == START - STAKE * (who in early), who
    assert await breaches(store) == []
