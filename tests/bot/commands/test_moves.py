"""`!moves` lists what its sender can do, and nothing that is nobody else's to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.games.heist.rules.moves import Act
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store


async def test_the_ten_moves_of_a_getaway_are_listed_for_who_asks(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 20")
    (said,) = (each for each in await stage.turn(60) if "seconds for one move" in each)
    assert "!moves lists them" in said
    assert not any(f"!{act.value}" in said for act in Act)
    (told,) = await stage.say("ann", "!moves")
    assert told.startswith("> ann: You can: !guncheck (Check gun), !backout (Back out), ")
    assert all(f"!{act.value} (" in told for act in Act)


async def test_whoever_has_nothing_to_decide_is_told_so(store: Store) -> None:
    stage = await Stage(store).open()
    told = "There is nothing for you to decide just now; !help lists the games."
    assert await stage.say("ann", "!moves") == [f"> ann: {told}"]
    await stage.say("ann", "!heist 20")
    await stage.turn(60)
    assert await stage.say("bob", "!moves") == [f"> bob: {told}"]


async def test_of_many_moves_some_are_counted(store: Store) -> None:
    stage = await Stage(store).open()
    for who in ("ann", "bob"):
        await stage.say(who, "!market")
    await stage.turn(60)
    told = " ".join([*await stage.say("ann", "!moves"), *await stage.say("bob", "!moves")])
    assert "You can: !pass (Pass), !swap " in told
    assert "and 14 more" in told  # 26 moves: a pass, and 5 × 5 swaps
