"""What can be won elsewhere counts as before or after the sums of a limit are read, whichever is more."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import pytest

from chatbot.community.receipts import ReceiptLimits
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import Money
from chatbot.ledger.receipts import Receipts
from chatbot.rooms.room import Room
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.rooms.table_protocol import Table

MAIN = seat("main")
MOST, STAKE = 1000, 600  # credits: what one may get of others on a day, and more than half of it


def winnable(game: None, state: Mapping[Seat, int], other: Mapping[Seat, int] | None = None) -> Any:
    return {each: won for each, won in state.items() if other is None or other.get(each) != won}


@dataclass(frozen=True)
class Kit:
    """A game whose state is what each player can win."""

    money: Money[Any] = field(default_factory=partial(Money, winnable=winnable))


@dataclass(eq=False)
class Place:
    """As much of a table as its limits see."""

    room: Room
    state: Mapping[Seat, int] = field(default_factory=dict)
    kit: Kit = field(default_factory=Kit)
    game: None = None
    over: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass
class Two:
    """Two tables in a room, and what their players may receive."""

    stage: Stage
    one: Place
    other: Place
    limits: ReceiptLimits

    async def step(self, place: Place, most: int) -> None:
        """Take the step after which MAIN can win so much at a table."""
        await self.limits.require(cast("Table", place), MAIN, {MAIN: most})


@pytest.fixture
async def two(stage: Stage) -> Two:
    room, bot = stage.room, stage.bot
    one, other = Place(room), Place(room)
    room.tables.update(one=cast("Table", one), other=cast("Table", other))
    return Two(stage, one, other, ReceiptLimits({}, stage.store, bot.people, bot.rooms, stage.watch))


def while_reading(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Let something happen after what was received is read, and before it is compared."""
    between = Receipts.between

    async def read(*given: Any) -> list[int]:
        found = await between(*given)
        happens()
        return found

    monkeypatch.setattr(Receipts, "between", read)


async def test_within_the_limit_a_step_is_let_through(two: Two) -> None:
    two.other.state = {MAIN: MOST - STAKE}
    await two.step(two.one, STAKE)


async def test_what_can_be_won_elsewhere_only_since_the_sums_were_read_counts(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    while_reading(monkeypatch, lambda: setattr(two.other, "state", {MAIN: STAKE}))
    with pytest.raises(Refusal):
        await two.step(two.one, STAKE)


async def test_what_was_won_elsewhere_since_the_sums_were_read_counts(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sums do not have the winnings, and the table that has ended does not promise them any more."""
    two.other.state = {MAIN: STAKE}
    while_reading(monkeypatch, lambda: setattr(two.other, "over", True))
    with pytest.raises(Refusal):
        await two.step(two.one, STAKE)


async def test_a_step_that_is_being_written_counts_at_other_tables_until_it_is(two: Two) -> None:
    async with two.other.lock:
        await two.step(two.other, STAKE)
        with pytest.raises(Refusal):
            await two.step(two.one, STAKE)
    await two.step(two.one, STAKE)  # it was not written


async def test_a_step_by_which_less_can_be_won_counts_as_before_until_it_is_written(two: Two) -> None:
    two.other.state = {MAIN: STAKE}
    async with two.other.lock:
        await two.step(two.other, 0)
        two.other.state = {MAIN: 0}  # as a batch does before its commit
        with pytest.raises(Refusal):
            await two.step(two.one, STAKE)
    await two.step(two.one, STAKE)


async def test_a_table_that_ends_by_a_step_counts_until_that_is_written(two: Two) -> None:
    two.other.state = {MAIN: STAKE}
    async with two.other.lock:
        await two.limits.require(cast("Table", two.other), MAIN, {})
        two.other.over = True
        with pytest.raises(Refusal):
            await two.step(two.one, STAKE)
    await two.step(two.one, STAKE)


async def test_what_another_account_of_the_same_person_can_win_counts(two: Two) -> None:
    other = seat("another")
    two.stage.tie(other, MAIN, linked=True)
    two.other.state = {other: STAKE}
    with pytest.raises(Refusal):
        await two.step(two.one, STAKE)
