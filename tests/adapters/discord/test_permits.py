"""Who may use a command is asked below the adapter: a button, a menu and a form are no way around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.discord.highshow import begun, pressed, table
from tests.adapters.discord.seats import seat_of

if TYPE_CHECKING:
    from tests.adapters.discord.stage import Stage

REFUSED = "That is for VIPs or above"


async def restrict(stage: Stage, word: str) -> None:
    await stage.people.say(stage.world.owner, stage.town, f"!permit {word} vip")
    await stage.shown(f"!{word} is for VIPs or above")


async def test_a_button_lets_in_nobody_whom_the_command_keeps_out(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    board = await stage.board("ann")
    await restrict(stage, "heist")
    await stage.people.press(bob, board, "Join with 69")
    await stage.told(bob, REFUSED)
    assert not stage.sits(bob)


async def test_a_button_of_ones_own_menu_lets_in_nobody_either(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    await stage.people.press(bob, await stage.board("ann"), "My moves")
    await stage.world.until(lambda: stage.world.ephemeral(bob))
    menu = stage.world.ephemeral(bob)[-1]
    await restrict(stage, "heist")
    await stage.people.press(bob, menu, "Join with 69")
    await stage.told(bob, REFUSED)
    assert not stage.sits(bob)


async def test_a_form_that_was_open_before_lets_in_nobody_either(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await begun(stage, ann)
    for _ in range(2):
        await pressed(stage, ann, board, "Cash out")
    asked = await pressed(stage, ann, board, "Guess…")
    await restrict(stage, "guess")
    before = table(stage, ann).state
    await stage.people.fill(ann, asked, k="7", profit="1")
    await stage.told(ann, REFUSED)
    assert table(stage, ann).state is before


async def test_a_join_by_button_is_a_use_of_the_command(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.lobby(ann)
    await stage.people.say(stage.world.owner, stage.town, "!cooldown heist 0/60")
    await stage.shown("!heist rests for 1 min")
    await stage.people.press(bob, await stage.board("ann"), "Join with 69")
    await stage.until(lambda: stage.sits(bob))
    await stage.people.slash(bob, stage.town, "heist", stake="70")
    await stage.told(bob, "You have just used !heist; you can use it again in 1 min.")
    assert await stage.credits(bob) == 240 - 69
    assert seat_of(bob.id) in stage.table.seated
