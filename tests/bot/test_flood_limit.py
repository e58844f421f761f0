"""A flood ends at the gate: the log tells how much of it was not heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from structlog.testing import capture_logs

from chatbot.bot.flood_limit import BURST, LOG_INTERVAL, RATE, FloodLimit
from chatbot.runtime.clock import HandWatch
from tests.bot.stage import account

if TYPE_CHECKING:
    from tests.bot.stage import Stage


async def test_a_line_that_was_not_heard_is_counted_once_in_the_log(stage: Stage) -> None:
    watch = HandWatch()
    gate = FloodLimit(watch)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    assert RATE * LOG_INTERVAL >= BURST  # a minute gives a member all of it back
    with capture_logs() as logs:
        flood(gate, stage, int(BURST) + 3)
        await watch.turn(LOG_INTERVAL)
        flood(gate, stage, int(BURST) + 1)
    # The first of three is told at once; the two others with the one of a minute later.
    assert [each["lines"] for each in logs] == [1, 3]


def flood(gate: FloodLimit, stage: Stage, lines: int) -> None:
    for _ in range(lines):
        gate.admits(stage.room.id, account("ann"))
