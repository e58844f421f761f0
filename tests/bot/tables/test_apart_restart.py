"""Tables that stand apart go on after a restart, each with its own clock, and are told of once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.bot.apart import ESTIMATES, TERMS, VOID, game, kept, opened
from tests.bot.stage import Stage
from tests.bot.tables.test_restart import restarted

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


async def test_a_restart_takes_every_table_up_with_its_own_clock(store: Store) -> None:
    before = await opened(store, "ann", "bob", stake=50)
    await before.turn(10)
    await before.say("kim", f"!highshow {TERMS} 10")
    await before.say("bob", "!another")
    states = {who: game(before, who).state for who in ("ann", "bob", "kim")}
    await before.turn(5)
    after = await restarted(before, asleep=5)
    # ann's card was shown 20 seconds ago, of 60; the others' cards 10 seconds ago.
    cards = {who: game(after, who).state.progress.shown for who in ("ann", "bob", "kim")}
    assert sorted(after.said()) == [
        f"@{who}: High Show goes on after a break: {left} seconds are left. "
        f"{cards[who]} is shown: !cashout keeps it, !another rejects it."
        for who, left in (("ann", 40), ("bob", 50), ("kim", 50))
    ]
    assert {who: game(after, who).state for who in ("ann", "bob", "kim")} == states
    await after.say("bob", "!cashout")
    assert kept(after, "bob") == 1
    await after.turn(40)
    assert [kept(after, who) for who in ("ann", "bob", "kim")] == [1, 1, 0]


async def test_a_game_that_is_cut_off_anywhere_ends_as_if_it_had_not_been(tmp_path: Any) -> None:
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    moves = ["!highshow 6 2 linear=1 50", "!another", "!cashout", "!another", "!cashout", "!guess 3 4"]

    async def ending(crash_at: int | None) -> tuple[list[str], int]:
        store = await Store.open(f"sqlite:///{tmp_path}/{crash_at}.db")
        stage = await Stage(store).open()
        for number, text in enumerate(moves):
            if number == crash_at:
                stage = await restarted(stage)
            await stage.say("ann", text, line=f"line {number}")
        told = [line for line in stage.said() if "K was" in line or "for a stake of" in line]
        credits_left = await stage.credits("ann")
        await store.close()
        return told, credits_left

    whole = await ending(None)
    assert len(whole[0]) == 1
    for crash_at in range(1, len(moves)):
        assert await ending(crash_at) == whole, crash_at


@pytest.mark.parametrize("end", ["settled", "void"])
async def test_an_end_that_was_written_just_before_a_crash_is_told_after_it(store: Store, end: str) -> None:
    before = await opened(store, "ann", "bob", stake=50)
    for word in ("!cashout", "!cashout"):
        await before.say("ann", word)
    before.adapter.deliveries.clear()

    async def crash(*_: object) -> None:
        raise asyncio.CancelledError

    table = game(before, "ann")
    table.on_step = table.on_void = crash
    with pytest.raises(asyncio.CancelledError):
        await (before.turn(ESTIMATES) if end == "settled" else table.void())
    assert before.said() == []
    after = await restarted(before)
    told = after.said()
    assert any("K was" in line for line in told) == (end == "settled")
    assert any(line.startswith("Review for ann") for line in told) == (end == "settled")
    assert (VOID in told) == (end == "void")
    assert after.room.playing("highshow") == [game(after, "bob")]
    again = await restarted(after, "c")
    assert not [line for line in again.said() if "ann" in line or line == VOID]
