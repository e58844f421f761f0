"""A season ends with a heist: its leaderboard is kept, and begins afresh what the room wants."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.community.seasons import Calendar
from tests.bot.stage import Stage
from tests.generous import let_give

if TYPE_CHECKING:
    from chatbot.rooms.table_protocol import Table

pytestmark = pytest.mark.slow

MO = "mo(moderator)"
WHOLE = 60 + 30 + 6


async def heist(stage: Stage) -> list[str]:
    """Ann stakes 10, buys a guard, and it ends; nothing else moves."""
    await stage.say("ann", "!heist 10")
    await stage.turn(60)
    await stage.say("ann", "!guard")
    told = await stage.turn(WHOLE - 60)
    await stage.turn(300)
    return told


async def prepare(stage: Stage, key: str, value: str, resets: str) -> None:
    for setting in ("rabble 0", "payday no", f"{key} {value}", f"season_resets {resets}"):
        await stage.say(MO, f"!set heist {setting}")
    await stage.endow("bob", 1000)


@pytest.mark.parametrize(
    ("resets", "guards", "rich"), [("nothing", 2, 1000), ("careers", 0, 1000), ("everything", 0, 240)]
)
async def test_a_season_of_two_heists(stage: Stage, resets: str, guards: int, rich: int) -> None:
    await prepare(stage, "season_heists", "2", resets)
    assert not any("season" in line for line in await heist(stage))
    assert "season 1: 1 played; it ends after 2" in (await stage.say("cat", "!season"))[0]
    told = await heist(stage)
    assert told[-1].startswith("Bank Heist: season 1 is over! 1. bob 1,000 credits, 2. ")
    career = (await stage.say("ann", "!heist career"))[0]
    assert ("Municipal Bank: 54.92%" in career) == bool(guards)
    assert await stage.credits("bob") == rich
    assert (await stage.credits("ann") == 240) == (resets == "everything")
    now = await stage.say("cat", "!season heist")
    assert "season 2: 0 played" in now[0]
    assert now[1].startswith("Last season: 1. bob 1,000 credits")


async def test_a_season_says_when_it_ends(stage: Stage) -> None:
    told = {
        (0, 0): "; it has no end set.",
        (2, 0): "; it ends after 2 games.",
        (0, 1): "; it ends after 1 day.",
        (1, 30): "; it ends after 1 game; it ends after 30 days.",
    }
    for (heists, days), end in told.items():
        await stage.say(MO, f"!set heist season_heists {heists}")
        await stage.say(MO, f"!set heist season_days {days}")
        assert f"season 1: 0 played{end}" in (await stage.say("cat", "!season heist"))[0]


async def test_a_game_that_is_called_off_counts_for_no_season(stage: Stage) -> None:
    await prepare(stage, "season_heists", "1", "everything")
    await stage.say("ann", "!heist 10")
    told = await stage.say(MO, "!cancel heist")
    assert not any("season" in line for line in told)
    assert "0 played" in (await stage.say("cat", "!season"))[0]


async def test_a_season_of_an_unknown_game_is_refused(stage: Stage) -> None:
    assert await stage.say("ann", "!season chess") == [
        "> ann: No game here has seasons by that name: “chess”."
    ]


async def test_a_heist_that_too_few_joined_counts_for_no_season(stage: Stage) -> None:
    await prepare(stage, "season_heists", "1", "everything")
    await stage.say(MO, "!set heist min_crew 2")
    await stage.say("ann", "!heist 10")
    told = await stage.turn(60)
    assert told == ["The heist is off: only one person came, and it takes 2. Every stake has been returned."]
    assert await stage.credits("bob") == 1000


async def test_who_opens_while_a_season_ends_stakes_what_the_new_season_gave(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepare(stage, "season_heists", "1", "everything")
    await stage.say(MO, "!set heist cooldown 0")
    close, closing, going_on = stage.bot.parts.calendar._seasons.close, asyncio.Event(), asyncio.Event()

    async def slow(*args: Any, **rest: Any) -> Any:
        closing.set()
        await going_on.wait()
        return await close(*args, **rest)

    monkeypatch.setattr(stage.bot.parts.calendar._seasons, "close", slow)
    await stage.say("ann", "!heist 10")
    turning = asyncio.create_task(stage.turn(WHOLE))
    await closing.wait()
    opening = asyncio.create_task(stage.bot.converse(stage.line("bob", "!heist all")))
    await asyncio.sleep(0)
    going_on.set()
    await asyncio.gather(turning, opening)
    assert await stage.credits("bob") + await stage.pot() == 240


async def test_a_season_ends_however_rich_somebody_is(stage: Stage) -> None:
    await prepare(stage, "season_heists", "1", "everything")
    await stage.endow("bob", 10**15)
    let_give(stage.room)
    for _ in range(2):  # by two gifts of the largest size, bob holds more than one transfer can move
        await stage.endow("cat", 10**15)
        await stage.say("cat", "!give @bob 999999999999999")
    assert any("season 1 is over" in line for line in await heist(stage))
    assert await stage.credits("bob") == 240


async def test_a_season_whose_last_heist_ended_with_a_crash_ends_after_the_books_are_checked(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepare(stage, "season_heists", "1", "everything")

    async def crash(_: Calendar, table: Table) -> None:
        raise RuntimeError(table.id)

    with monkeypatch.context() as patch:
        patch.setattr(Calendar, "count", crash)
        await heist(stage)
    after = Stage(stage.store, run="b")
    after.bot.control.hold()
    await after.open()
    await after.bot.control.release()
    await after.turn(1)
    assert any(line.startswith("Bank Heist: season 1 is over!") for line in after.said())
    assert await after.credits("bob") == 240
