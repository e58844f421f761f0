"""Rooms of a home have a queue each, and two of its units may be in flight: credits move as if one by one."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.write_queue import WriteQueue
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

ROOMS = "room", "garden"
CROWD = [f"fan{number}" for number in range(60)]


@pytest.fixture
async def home(store: Store) -> Stage:
    """Two rooms of one community, with a heist open in each."""
    stage = await Stage(store).open()
    await stage.bot.open(stage.new_room("garden"))
    for who, room in zip(("cid", "dan"), ROOMS, strict=True):
        await at_once(stage, (who, "!heist 20", room))
    return stage


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many units shared each transaction."""
    numbers: list[int] = []
    transact = WriteQueue._transact

    async def note(self: WriteQueue, jobs: Any) -> Any:
        numbers.append(len(jobs))
        return await transact(self, jobs)

    monkeypatch.setattr(WriteQueue, "_transact", note)
    return numbers


async def at_once(stage: Stage, *lines: tuple[str, str, str]) -> list[str]:
    """Let people say something in rooms at the same moment; give all that is said then."""
    before = len(stage.adapter.deliveries)
    said = [stage.line(who, text, room=room) for who, text, room in lines]
    await asyncio.gather(*map(stage.bot.converse, said))
    await stage.watch.turn()
    return stage.said(before)


async def in_both(stage: Stage, who: str, text: str) -> list[str]:
    return await at_once(stage, *((who, text, room) for room in ROOMS))


async def pots(stage: Stage) -> list[int]:
    tables = [table for room in stage.bot.rooms.values() for table in room.tables.values() if not table.over]
    return [await stage.bot.ledger.balance(each.pot) for each in tables]


@pytest.mark.parametrize("remembered", [False, True])
async def test_who_stakes_in_both_at_once_stakes_what_they_have_once(home: Stage, remembered: bool) -> None:
    await home.say("ann", "hello")
    if remembered:
        await home.say("ann", "!credits")
    told = await in_both(home, "ann", "!heist 200")
    assert (await home.credits("ann"), sorted(await pots(home))) == (40, [20, 220])
    assert sum("You are in" in each for each in told) == 1, told
    assert await breaches(home.store) == []


async def test_who_gives_in_both_at_once_gives_what_they_have_once(home: Stage) -> None:
    for each in ("ann", "bob"):
        await home.endow(each, 600)  # of which the first 240 cannot be given
    await in_both(home, "ann", "!give @bob 300")
    assert [await home.credits(each) for each in ("ann", "bob")] == [300, 900]
    assert await breaches(home.store) == []


async def test_who_is_new_in_both_at_once_is_welcomed_once(home: Stage) -> None:
    await in_both(home, "zed", "!heist 20")
    assert (await home.credits("zed"), await pots(home)) == (200, [40, 40])
    assert await breaches(home.store) == []


async def test_who_claims_in_both_at_once_is_paid_once(home: Stage) -> None:
    await home.say("mo(moderator)", "!set earning claim 50")
    await home.say("ann", "!credits")
    await in_both(home, "ann", "!claim")
    assert await home.credits("ann") == 290
    assert await breaches(home.store) == []


async def test_crowds_in_both_share_transactions_and_nobody_must_try_again(
    home: Stage, together: list[int]
) -> None:
    """All of them change the balances of the same mint and house, from which no unit is decided."""
    lines = [(who, "!heist 20", ROOMS[number % 2]) for number, who in enumerate(CROWD)]
    told = await at_once(home, *lines)
    assert await pots(home) == [620, 620]
    assert not any("try again" in each for each in told)
    assert max(together) > 1, "two units of one home were never in flight"
    assert await breaches(home.store) == []


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_said_in_both_no_credit_is_lost_or_made(
    home: Stage, together: list[int], seed: int
) -> None:
    people = ("ann", "bob", "cid", "dan", "eve")
    for each in people:
        await home.endow(each, 500)
    whole = 500 * len(people) + sum(await pots(home))
    rng = Random(seed)
    texts = "!heist 30", "!heist 300", "!give @ann 50", "!give @bob 300", "!heist leave", "!credits", "hello"
    for _ in range(8):
        lines = [(rng.choice(people), rng.choice(texts), rng.choice(ROOMS)) for _ in range(12)]
        await at_once(home, *lines)
        held = sum([await home.credits(each) for each in people])
        assert held + sum(await pots(home)) == whole
        assert await breaches(home.store) == []
    assert max(together) > 1, "two units of one home were never in flight"
