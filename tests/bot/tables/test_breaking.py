"""Rules, databases and pages break in the middle of a game: stakes come back, or the game goes on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from chatbot.games import kits
from chatbot.tables.phase_timer import MOST_RETRIES
from tests.bot.hosting import LOBBY
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.kernel.game import Step
    from chatbot.ledger.store.store import Store


def broken_heist() -> dict[str, Any]:
    kit = kits()["heist"]
    heist: Any = kit.rules.game

    def apply(self: Any, state: Any, action: Any, moment: Any) -> Step[Any]:
        if type(action).__name__ == "Answer":
            raise ZeroDivisionError
        step: Step[Any] = heist.apply(self, state, action, moment)
        return step

    game = type("BrokenHeist", (heist,), {"apply": apply})
    return {"heist": replace(kit, rules=replace(kit.rules, game=game))}


def break_ledger(stage: Stage, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let whatever is posted fail."""

    async def fail(*_: object) -> bool:
        raise error

    monkeypatch.setattr(stage.store, "commit", fail)


def slow_store(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Let what is written wait for the second event; the first tells that it waits."""
    commit, writing, going_on = stage.store.commit, asyncio.Event(), asyncio.Event()

    async def slow(*given: Any) -> None:
        writing.set()
        await going_on.wait()
        await commit(*given)

    monkeypatch.setattr(stage.store, "commit", slow)
    return writing, going_on


async def test_a_broken_game_gives_every_stake_back(store: Store) -> None:
    stage = await Stage(store, broken_heist()).open()
    await stage.say("ann", "!heist 100")
    await stage.say("bob", "!heist 50")
    await stage.turn(LOBBY)
    told = await stage.say("ann", "!guncheck")
    assert told == ["Bank Heist was called off; every stake has been returned."]
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)
    assert stage.table.over


async def test_a_table_that_breaks_as_it_opens_is_not_opened_again_under_its_id(store: Store) -> None:
    kit, broken = kits()["heist"], [True]
    heist: Any = kit.rules.game

    def apply(self: Any, state: Any, action: Any, moment: Any) -> Step[Any]:
        if type(action).__name__ == "Join" and broken:
            broken.pop()
            raise ZeroDivisionError
        step: Step[Any] = heist.apply(self, state, action, moment)
        return step

    game = type("HeistBrokenOnce", (heist,), {"apply": apply})
    stage = await Stage(store, {"heist": replace(kit, rules=replace(kit.rules, game=game))}).open()
    assert await stage.say("ann", "!heist 100") == [
        "> ann: That did not work just now and nothing has changed; please try again."
    ]
    await stage.say("ann", "!heist 100")
    assert (stage.table.id, await stage.credits("ann")) == ("a-table-2", 140)


async def test_a_database_that_fails_costs_nothing_and_asks_to_try_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "hello")
    break_ledger(stage, monkeypatch, OSError("database is locked"))
    told = await stage.say("ann", "!heist 69")
    assert told == ["> ann: That did not work just now and nothing has changed; please try again."]
    monkeypatch.undo()
    assert await stage.credits("ann") == 240
    assert "!heist and an amount" in (await stage.say("ann", "!heist 69"))[0]


async def test_a_phase_that_could_not_be_written_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "!heist 69")
    break_ledger(stage, monkeypatch, OSError("database is locked"))
    assert await stage.turn(LOBBY) == []
    monkeypatch.undo()
    assert "The target is" in (await stage.turn(5))[0]


async def test_a_phase_that_can_never_be_written_gives_every_stake_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "!heist 69")
    commit, failures = stage.store.commit, count(1)

    async def fail(*given: Any) -> None:
        if next(failures) <= MOST_RETRIES:
            raise ValueError("on purpose")
        await commit(*given)

    monkeypatch.setattr(stage.store, "commit", fail)
    told = await stage.turn(LOBBY + 300)
    assert told == ["Bank Heist was called off; every stake has been returned."]
    monkeypatch.undo()
    assert await stage.credits("ann") == 240
    assert stage.table.over


@pytest.mark.parametrize("joining", [False, True])
async def test_a_page_that_closes_in_mid_step_leaves_no_half_step(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, joining: bool
) -> None:
    """Whoever sent the line is gone while it is written: it is written and kept, and the game goes on."""
    if joining:
        await stage.say("ann", "!heist 10")
    await stage.say("bob", "hello")
    writing, going_on = slow_store(stage, monkeypatch)
    hearing = asyncio.create_task(stage.bot.converse(stage.line("bob", "!heist 20")))
    await writing.wait()
    hearing.cancel()
    going_on.set()
    with pytest.raises(asyncio.CancelledError):
        await hearing
    await stage.bot.settle()
    monkeypatch.undo()
    assert await stage.credits("bob") == 220
    assert await stage.pot() == 20 + 10 * joining
    assert "The target is" in (await stage.turn(LOBBY))[-1]


async def test_a_clock_that_ran_out_while_the_last_answer_was_written_ends_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer was first, and has begun the next round: that one has all its time, and no error is told."""
    choice = 30.0  # seconds, the default
    await stage.say("ann", "!chicken 3")
    await stage.turn(LOBBY)  # a player of the house sits down, and round 1 begins
    table = stage.room.tables["chickenpoker"]
    writing, going_on = slow_store(stage, monkeypatch)
    hearing = asyncio.create_task(stage.bot.converse(stage.line("ann", "!play 3")))
    await writing.wait()
    turning = asyncio.create_task(stage.watch.turn(choice))  # round 1 is up, and waits for the answer
    for _ in range(5):
        await asyncio.sleep(0)
    going_on.set()
    await asyncio.gather(hearing, turning)
    monkeypatch.undo()
    assert table.clock is not None
    assert table.clock.phase == "round 2"
    assert table.deadline == stage.watch.now() + choice
    with capture_logs() as logged:
        await stage.turn(choice - 1)
        assert len(table.view(None).history) == 1
        await stage.turn(1)
    assert len(table.view(None).history) == 3, "nobody chose in round 2, and in round 3 there is no choice"
    assert logged == []


async def test_a_table_that_another_hand_closed_is_over_and_the_next_can_be_opened_at_once(
    stage: Stage,
) -> None:
    await stage.say("ann", "!heist 69")
    await stage.bot.ledger.void(stage.table.id, stage.watch.date())
    called_off, opened = (await stage.say("bob", "!heist 5"))[:2]
    assert called_off == "Bank Heist was called off; every stake has been returned."
    assert "!heist and an amount" in opened
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 235)


@pytest.mark.parametrize("method", ["needs", "clock", "apply"])
async def test_rules_that_break_anywhere_give_every_stake_back_at_once(
    store: Store, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 100")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(stage.table.game), method, broken)
    told = await stage.turn(LOBBY)
    assert told == ["Bank Heist was called off; every stake has been returned."]
    assert await stage.credits("ann") == 240
