"""Six Card Poker against the house by the adapter: by buttons, by typing, each at a board of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cogs.discord.tables import PACE
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.sixcard import ARRANGEMENT, answered, labels, paid, setting, table
from tests.adapters.discord.stage import left_to_do

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage


async def test_a_game_against_the_house_is_played_by_buttons(stage: Stage) -> None:
    ann = stage.world.join("ann")
    opening = await stage.people.slash(ann, stage.town, "sixcard", stake="50")
    await stage.shown("ann plays the house at Six Card Poker, for 50 credits")
    assert not opening.private
    assert "SHA-256" not in stage.world.texts(stage.town)
    board = await stage.board("Set the cards")
    menu = table(stage, ann).menu(seat_of(ann.id), 0)
    hands = [each.hands for each in menu[1:]]
    more = ["My moves"] if len(hands) > 9 else []
    assert labels(board) == ["Set by hand…", "Auto (best play)", *hands[:9], *more]
    await answered(stage, await stage.people.press(ann, board, menu[1].hands))
    await stage.shown("ann against Nash ")
    assert str(table(stage, ann).view(None).revealed.first.arrangement) == menu[1].hands
    await stage.turn(5)
    await stage.shown("Review for ann")
    await stage.turn(PACE)
    await stage.world.until(lambda: not left_to_do(stage.boards[-1]))
    await paid(stage, ann, ann)


@pytest.mark.parametrize("way", ["form", "slash", "set", "arrange"])
async def test_any_setting_can_be_written(stage: Stage, way: str) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "sixcard")
    board = await stage.board("Set the cards")
    text = setting(stage, ann, ann)
    if way == "form":
        await stage.people.fill(ann, await stage.people.press(ann, board, "Set by hand"), hands=text)
    elif way == "slash":
        await stage.people.slash(ann, stage.town, "arrange", hands=text)
    else:
        await stage.people.say(ann, stage.town, f"!{way} {text}")
    await stage.shown("ann against Nash ")
    assert str(table(stage, ann).view(None).revealed.first.arrangement) == text


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        ("114 23", "High takes three cards, Middle two and Low one"),
        ("five of them", "Set your cards as three, two and one of the cards 1 to 4"),
        ("111 11 1", "Those are not your six cards"),
    ],
)
async def test_what_is_no_setting_is_told_to_its_author_alone_and_the_clock_runs_on(
    stage: Stage, hands: str, reason: str
) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "sixcard", stake="50")
    await stage.board("Set the cards")
    before, deadline = table(stage, ann).state, table(stage, ann).deadline
    await stage.people.slash(ann, stage.town, "arrange", hands=hands)
    await stage.told(ann, reason)
    assert table(stage, ann).state is before
    assert table(stage, ann).deadline == deadline
    await stage.turn(ARRANGEMENT)
    await stage.shown("Time is up: best play has set the cards of ann")
    await paid(stage, ann, ann)


async def test_two_play_the_house_at_once_each_at_a_board_of_their_own(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    for number, user in enumerate((ann, bob), 1):
        await stage.people.slash(user, stage.town, "sixcard", stake="10")
        await stage.world.until(lambda number=number: len(stage.boards) == number)  # type: ignore[misc]
    first, second = stage.boards
    await answered(stage, await stage.people.press(bob, first, "Auto"))
    await stage.told(bob, "Others are playing at this table")
    assert not table(stage, ann).over
    await answered(stage, await stage.people.press(bob, second, "Auto"))
    assert (table(stage, ann).over, table(stage, bob).over) == (False, True)
