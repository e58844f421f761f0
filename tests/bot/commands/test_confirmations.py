"""What resets credits waits for `!confirm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

BO, CY = "bo(broadcaster)", "cy(broadcaster)"
NOTHING = "There is nothing to confirm, or not any more."


async def season(stage: Stage) -> str:
    return (await stage.say("ann", "!season heist"))[0]


async def test_what_is_asked_about_is_done_when_it_is_confirmed(stage: Stage) -> None:
    (asked,) = await stage.say(BO, "!season end heist")
    assert asked.endswith("Say !confirm within 60 seconds.")
    assert "season 1" in await season(stage)
    (done,) = await stage.say(BO, "!confirm")
    assert done.startswith("Bank Heist: season 1 is over!")
    assert "season 2" in await season(stage)


async def test_it_is_done_once(stage: Stage) -> None:
    await stage.say(BO, "!season end heist")
    await stage.say(BO, "!confirm", line="same")
    assert await stage.say(BO, "!confirm", line="same") == []
    assert await stage.say(BO, "!confirm") == [f"> bo: {NOTHING}"]
    assert "season 2" in await season(stage)


async def test_nobody_confirms_for_another(stage: Stage) -> None:
    await stage.say(BO, "!season end heist")
    assert await stage.say(CY, "!confirm") == [f"> cy: {NOTHING}"]
    assert "season 1" in await season(stage)


async def test_after_a_minute_it_is_too_late(stage: Stage) -> None:
    await stage.say(BO, "!season end heist")
    await stage.turn(61)
    assert await stage.say(BO, "!confirm") == [f"> bo: {NOTHING}"]
    assert "season 1" in await season(stage)


async def test_the_last_question_counts(stage: Stage) -> None:
    await stage.say(BO, "!season end heist")
    await stage.turn(40)
    await stage.say(BO, "!season end heist")
    await stage.turn(40)
    await stage.say(BO, "!confirm")
    assert "season 2" in await season(stage)


async def test_who_has_lost_the_role_meanwhile_does_nothing(stage: Stage) -> None:
    await stage.say(BO, "!season end heist")
    (refused,) = await stage.say("bo(moderator)", "!confirm")
    assert "broadcaster" in refused
    assert "season 1" in await season(stage)


async def test_rooms_do_not_confirm_for_each_other(stage: Stage) -> None:
    other = stage.new_room("other")
    await stage.bot.open(other)
    await stage.say(BO, "!season end heist")
    await stage.bot.converse(stage.line(BO, "!confirm", room="other"))
    await stage.turn(0)  # the other room has its answer
    assert "season 1" in await season(stage)


@pytest.mark.slow
async def test_a_restart_forgets_what_was_asked(store: Store) -> None:
    await (await Stage(store).open()).say(BO, "!season end heist")
    stage = await Stage(store, run="b").open()
    assert await stage.say(BO, "!confirm") == [f"> bo: {NOTHING}"]


@pytest.mark.parametrize("line", ["!confirm yes", "!confirm season end"])
async def test_confirm_stands_alone(stage: Stage, line: str) -> None:
    (refused,) = await stage.say(BO, line)
    assert "!confirm" in refused
