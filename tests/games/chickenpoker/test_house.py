"""Players of the house at a table in a room: they come where somebody would play alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chatbot.kernel.house_seats import of_house
from tests.bot.stage import Stage
from tests.checked import store

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

__all__ = ["store"]

LOBBY, START = 60, 240


def players(stage: Stage) -> list[Any]:
    return list(stage.room.tables["chickenpoker"].view(None).players)


@pytest.mark.parametrize("stake", [0, 20, 240, 500])
async def test_nobody_plays_alone_whatever_the_stake(store: Store, stake: int) -> None:
    stage = await Stage(store).open()
    await stage.endow("ann", max(stake, START))
    await stage.say("ann", f"!chicken 3 {stake}")
    await stage.turn(LOBBY)
    assert sorted(map(of_house, players(stage))) == [False, True]
    for _ in range(2):
        await stage.turn(30)
    assert stage.room.tables["chickenpoker"].over
    assert await stage.credits("ann") in {max(stake, START) + won for won in (-stake, 0, stake)}


async def test_among_people_nobody_of_the_house_comes_unless_it_is_set(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!chicken 3")
    await stage.say("bob", "!chicken")
    await stage.turn(LOBBY)
    assert not any(map(of_house, players(stage)))


async def test_as_many_come_as_are_set_each_by_its_own_plan(store: Store) -> None:
    stage = await Stage(store).open()
    for setting in ("stakes off", "house_players 3", "house_strategies linear/random"):
        await stage.say("mo(moderator)", f"!set chickenpoker {setting}")
    await stage.say("ann", "!chicken 5")
    await stage.turn(LOBBY)
    names = sorted(each for each in players(stage) if of_house(each))
    assert len(names) == 3
    assert {each.removeprefix("house:").partition("-")[0] for each in names} == {"linear", "random"}
    for _ in range(4):
        await stage.turn(30)
    shown = stage.room.tables["chickenpoker"].view(None).history
    for seat in names:
        cards = [each.card for event in shown for each in event.shown if each.seat == seat]
        assert sorted(cards) == [1, 2, 3, 4, 5]


async def test_a_game_goes_on_after_a_restart_with_the_cards_that_were_fixed(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!chicken 4 20")
    await stage.turn(LOBBY)
    await stage.say("ann", "!play 4", private=True)
    before = stage.room.tables["chickenpoker"].state
    again = Stage(store, run="b")
    again.watch.set_calendar(stage.watch.now())
    await again.open()
    assert again.room.tables["chickenpoker"].state == before
    for card in (1, 2):
        await again.say("ann", f"!play {card}")
    assert again.room.tables["chickenpoker"].over
