"""What a round with a program that keeps running costs, beside the same lines through bare pipes.

Both sides have the same program and send it the same lines; each line is one write, and each answer one read.
Where the lines are JSON, both sides write and read JSON.
Processor time is that of this process and that of all processes it started, as the system counts it when they
have ended (`getrusage`), so the supervising process counts as well.
"""

from __future__ import annotations

import json
import resource
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.rows import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TARGET = 3.0  # times the cost of bare pipes


@dataclass(slots=True)
class RoundCost:
    """The cost of some rounds, in seconds."""

    rounds: int = 0
    wall: float = 0.0
    own: float = 0.0  # processor time of this process
    others: float = 0.0  # processor time of the processes that it started

    @property
    def milliseconds(self) -> float:
        """The processor time of a round, of all processes together."""
        return 1000 * (self.own + self.others) / self.rounds

    @property
    def cells(self) -> tuple[str, ...]:
        """Microseconds a round: by the clock, and of processor time here, elsewhere and together."""
        each = (self.wall, self.own, self.others, self.own + self.others)
        return tuple(f"{1e6 * seconds / self.rounds:.1f}" for seconds in each)


def measure(kind: str) -> Measure:
    """Return the measure of rounds of a kind."""
    return Measure(f"{kind}: ms of processor time a round", "the same through bare pipes")


def side_lines(kind: str, ours: RoundCost, theirs: RoundCost) -> Iterator[str]:
    """Yield both sides in lines, and their ratio."""
    for side, cost in (("ours", ours), ("bare pipes", theirs)):
        wall, own, others, both = cost.cells
        yield f"{kind}, {side}: {wall} µs a round; processors: {own} here + {others} elsewhere = {both} µs"
    yield f"ratio: {ours.milliseconds / theirs.milliseconds:.2f} (wanted: at most {TARGET:g})"


@contextmanager
def counting(cost: RoundCost, rounds: int) -> Iterator[None]:
    """Add what happens within to a cost; processes started there must have ended by then."""
    wall, own, others = time.perf_counter(), time.process_time(), _of_children()
    yield
    cost.rounds += rounds
    cost.wall += time.perf_counter() - wall
    cost.own += time.process_time() - own
    cost.others += _of_children() - others


def bare(words: Sequence[str], messages: Sequence[object]) -> None:
    """Send messages to a program, each after the answer to the one before."""
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin as stdin:
            for message in messages:
                line = message if isinstance(message, bytes) else f"{json.dumps(message)}\n".encode()
                stdin.write(line)
                stdin.flush()
                answer = process.stdout.readline()
                if not answer or (line is not message and not json.loads(answer)):
                    raise SystemExit("the program ended")


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
