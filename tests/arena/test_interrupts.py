"""What must be done whole is not interrupted, and the interruption is not lost."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from arena.engine.match import BoundedErrors, DeferredSignals, MatchRun
from arena.engine.workers import interrupts_blocked
from tests.arena.contests import Counting, plan

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Have Ctrl-C interrupt, also where a shell's & has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_until_it_is_done() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), DeferredSignals():  # noqa: PT012  (the last line must be reached)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        done.append("whole")
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_ctrl_c_nothing_happens_and_it_can_be_used_again() -> None:
    whole = DeferredSignals()
    for _ in range(3):
        with whole:
            pass
    with pytest.raises(KeyboardInterrupt), whole:
        signal.raise_signal(signal.SIGINT)


def test_in_a_thread_there_is_nothing_to_hold_back() -> None:
    entered = []

    def enter() -> None:
        with DeferredSignals():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert entered == [signal.default_int_handler]


@pytest.mark.skipif(sys.platform == "win32", reason="no signal masks")
def test_ctrl_c_reaches_the_arena_again_after_processes_could_not_be_started() -> None:
    with pytest.raises(OSError, match="no more processes"), interrupts_blocked():  # noqa: PT012
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        raise OSError("no more processes")
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_game_is_counted_and_written_down_or_neither() -> None:
    """An interruption comes while the third game is written: it is whole, and nothing follows it."""
    contest, lines = Counting(1), list[str]()

    def write(text: str) -> None:
        if text.startswith("game 2"):
            signal.raise_signal(signal.SIGINT)
        lines.append(text)

    (match,) = contest.matches(1, 9, "s")
    with (
        MatchRun(plan(contest, "high"), match, write, BoundedErrors()) as run,
        pytest.raises(KeyboardInterrupt),
    ):
        for _ in run:
            pass
    assert run.result().games == 3
    assert lines == ["game 0: [5]\n", "game 1: [10]\n", "game 2: [15]\n"]


def test_what_a_game_wrote_before_it_was_broken_off_is_left_out() -> None:
    contest, lines = Counting(1, fails_at=0), list[str]()
    (match,) = contest.matches(1, 9, "s")
    with (
        MatchRun(plan(contest, "high"), match, lines.append, BoundedErrors()) as run,
        pytest.raises(KeyboardInterrupt),
    ):
        for _ in run:
            pass
    assert run.result().games == len(lines) == 2
