"""A game rests after each of its tables, and that the rest is over is told once, when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.bot.pauses import Pauses
from chatbot.runtime.clock import HandWatch

if TYPE_CHECKING:
    from chatbot.runtime.clock import Alarm, Callback
    from tests.bot.stage import Stage

OVER = "The heat is off: Bank Heist can be played again with !heist."


class Hasty(HandWatch):
    """Rings a hundredth of a second early, as a loop with a coarse clock may."""

    def ring(self, seconds: float, callback: Callback) -> Alarm:
        return super().ring(max(seconds - 0.01, 0.0), callback)


async def test_the_alarm_of_a_rest_that_was_cut_short_does_not_end_the_next_one(stage: Stage) -> None:
    pauses, heist = stage.bot.parts.pauses, stage.bot.kits["heist"]
    pauses.begin(stage.room, heist, 100)
    await stage.turn(50)
    await pauses.wake(stage.room, "heist")
    pauses.begin(stage.room, heist, 100)  # until 150, and the first alarm rings at 100
    await stage.turn(0)
    assert await stage.turn(50) == []
    assert pauses.left(stage.room, "heist") == 50
    assert await stage.turn(50) == [OVER]


async def test_a_rest_whose_alarm_rings_a_little_early_is_told_to_be_over(stage: Stage) -> None:
    watch, feed = Hasty(), stage.bot.events.follow("room:chat")
    assert (await anext(feed)).kind == "picture"
    pauses = Pauses(stage.bot.kits, stage.bot.outbox, watch, stage.bot.parts.publisher)
    pauses.begin(stage.room, stage.bot.kits["heist"], 100)
    await watch.turn(100)
    assert await stage.turn(0) == [OVER]
    assert [(await anext(feed)).kind for _ in range(2)] == ["told", "rested"]
    assert pauses.left(stage.room, "heist") == 0
