"""A platform that fails is tried again or told of, and the others go on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog
from structlog.testing import capture_logs

from chatbot import supervisor
from chatbot.kernel.game import Failure
from chatbot.keys.asking import Declined, Unreachable
from chatbot.rooms.channel import Delivery, Manner
from chatbot.runtime.clock import HandWatch
from chatbot.supervisor import Supervisor

if TYPE_CHECKING:
    import pytest


@dataclass
class Line:
    """A platform whose connection ends as told: by an error, or not at all."""

    name: str
    ends: list[Exception | None] = field(default_factory=list)
    runs: int = 0
    stops: int = 0
    deaf: bool = False  # does not come to an end when asked to stop
    manner: Manner = field(default_factory=Manner)
    connected: bool = True

    async def run(self) -> None:
        self.runs += 1
        end = self.ends.pop(0) if self.ends else None
        if end is not None:
            raise end
        await asyncio.Event().wait()

    async def stop(self) -> None:
        self.stops += 1
        if self.deaf:
            await asyncio.Event().wait()

    async def send(self, delivery: Delivery) -> None: ...


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_platform_failing_leaves_the_others_running() -> None:
    broken, sound = Line("Discord", [Failure("The token is refused.")]), Line("Twitch")
    told: list[str] = []
    watch = HandWatch()
    adapter = Supervisor([broken, sound], watch, told.append)
    adapter.open()
    await settle()
    assert told == ["Discord: The token is refused."]
    await watch.turn(10_000)
    await settle()
    assert (broken.runs, sound.runs) == (1, 1)
    assert sound.stops == 0
    await adapter.close()
    assert sound.stops == 1


class Obedient(Line):
    """Comes to an end when it is asked to, and takes a cancellation for that."""

    async def run(self) -> None:
        with suppress(asyncio.CancelledError):
            await super().run()


async def test_a_platform_that_leaves_because_the_program_does_is_not_tried_again() -> None:
    line, told = Obedient("Twitch"), list[str]()
    adapter = Supervisor([line], HandWatch(), told.append)
    adapter.open()
    await settle()
    await adapter.close()
    assert told == []
    assert (line.runs, line.stops) == (1, 1)


async def test_a_platform_that_refuses_is_tried_again_after_longer_and_longer_pauses() -> None:
    line = Line("Twitch", [Declined()] * 8)
    told: list[str] = []
    watch = HandWatch()
    adapter = Supervisor([line], watch, told.append)
    adapter.open()
    await settle()
    for wait in (5, 10, 20, 40, 80, 160, 300):
        runs = line.runs
        await watch.turn(wait - 1)
        await settle()
        assert line.runs == runs
        await watch.turn(1)
        await settle()
        assert line.runs == runs + 1
    assert told[0] == "Twitch is not connected; trying again in 5 s."
    assert told[-1] == "Twitch is not connected; trying again in 300 s."
    await adapter.close()


async def test_a_platform_that_cannot_be_reached_is_tried_every_five_seconds_and_told_of_once() -> None:
    line, told = Line("Twitch", [ConnectionError("it is away"), Unreachable("it is away")] * 30), list[str]()
    watch = HandWatch()
    adapter = Supervisor([line], watch, told.append)
    adapter.open()
    await settle()
    for _ in range(60):
        await watch.turn(5)
        await settle()
    assert line.runs == 61
    assert told == ["Twitch is not connected (it is away); trying again every 5 s."]
    await adapter.close()


async def test_what_may_pass_is_told_with_its_reason_and_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    line, told = Line("Twitch", [Unreachable("id.twitch.tv does not answer")]), list[str]()
    adapter = Supervisor([line], HandWatch(), told.append)
    adapter.open()
    await settle()
    assert told == ["Twitch is not connected (id.twitch.tv does not answer); trying again every 5 s."]
    assert caplog.text == ""
    await adapter.close()


async def test_what_nobody_foresaw_is_logged_and_tried_again() -> None:
    line, told = Line("Twitch", [RuntimeError("broken")]), list[str]()
    adapter = Supervisor([line], HandWatch(), told.append)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    adapter.open()
    with capture_logs() as entries:
        await settle()
    assert told == ["Twitch is not connected, for a reason that is in the log; trying again in 5 s."]
    assert [each["event"] for each in entries] == ["a platform was lost"]
    await adapter.close()


async def test_a_platform_that_returns_by_itself_is_opened_again() -> None:
    class Quitter(Line):
        async def run(self) -> None:
            self.runs += 1

    watch, line = HandWatch(), Quitter("Discord")
    adapter = Supervisor([line], watch, lambda _: None)
    adapter.open()
    await settle()
    await watch.turn(5)
    await settle()
    assert line.runs == 2
    await adapter.close()


async def test_a_platform_that_never_says_goodbye_does_not_hold_up_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = Line("Discord", deaf=True)
    monkeypatch.setattr(supervisor, "STOP_TIMEOUT", 0.05)
    adapter = Supervisor([line], HandWatch(), lambda _: None)
    adapter.open()
    await settle()
    await asyncio.wait_for(adapter.close(), 2)
    assert line.stops == 1
