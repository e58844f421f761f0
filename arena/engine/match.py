"""One match, played in this process: its players, its games, its programs and its result."""

from __future__ import annotations

import signal
import threading
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from arena.engine.players import Competitor
from arena.programs.program import Limits, Program
from arena.programs.reproduction import ProgramFailure
from chatbot.kernel.contest import (
    Contest,
    Entrant,
    Learner,
    Match,
    MatchScore,
    Measure,
    Standing,
    next_point,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType

    from chatbot.kernel.contest import Log

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

MAX_ERRORS = 1 << 20  # characters of the errors of one match that are kept


class DeferredSignals:
    """A context that defers SIGINT and SIGTERM: the first one received is raised again at its end.

    Only the main thread handles signals, so in others it does nothing. It costs some microseconds.
    """

    def __init__(self) -> None:
        self._received: list[int] = []
        self._handlers: list[Callable[[int, FrameType | None], object] | int] = []
        self._active = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._handlers = [signal.getsignal(each) or signal.SIG_DFL for each in _SIGNALS]
            self._active = True
            for each in _SIGNALS:
                signal.signal(each, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._active:
            return
        self._active = False
        for each, handler in zip(_SIGNALS, self._handlers, strict=True):
            signal.signal(each, handler)
        for number in self._received[:1]:
            self._received.clear()
            signal.raise_signal(number)

    def _note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (a signal handler)
        self._received.append(number)


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What all matches of a run have in common; it can be pickled for workers."""

    game: str
    contest: Contest
    players: tuple[Competitor, ...]
    limits: Limits
    logged: bool = False


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, or of its games so far; only the log grows with the games."""

    match: Match
    games: int  # played
    scores: Sequence[MatchScore]  # seat by seat
    failures: Sequence[Mapping[str, int]]  # seat by seat, counts by kind
    curve: Sequence[Standing]  # at most one a `next_point`
    log: bytes = b""  # compressed by zlib
    errors: str = ""
    measures: Sequence[Measure] = ()
    squares: Sequence[MatchScore] = ()  # this and the two below: as in `Standing`
    ahead: Sequence[Sequence[int]] = ()
    draws: int = 0
    ended: str = ""  # the reason, if it ended before its last game
    first_failures: Sequence[ProgramFailure | None] = ()  # seat by seat


def play(plan: MatchPlan, match: Match) -> MatchResult:
    """Play a match to its end; it depends on its arguments only, so that any worker can play it."""
    log, errors = CompressedLog(), BoundedErrors()
    with MatchRun(plan, match, log if plan.logged else None, errors) as run:
        for _ in run:
            pass
    return run.result(log.close(), errors.text)


class MatchRun:
    """A match that is being played: iterating plays it, and leaving the context closes its programs."""

    def __init__(
        self, plan: MatchPlan, match: Match, log: Log | None, errors: Callable[[str], object]
    ) -> None:
        self._plan, self._match, self._log, self._errors = plan, match, log, errors
        self._programs: dict[int, Program] = {}  # by player
        self._standing = Standing(0, [0] * len(match.seats))
        self._curve: list[Standing] = []
        self._deferred = DeferredSignals()
        self._finished = False  # not interrupted

    def __enter__(self) -> Self:
        return self

    def __iter__(self) -> Iterator[Standing]:
        games = self._match.games
        point = next_point(0, games)
        entrants = [self._entrant(number) for number in range(len(self._plan.players))]
        lines: list[str] = []
        log = lines.append if self._log is not None else None
        for standing in self._plan.contest.play(self._match, entrants, log):
            self._count(standing, lines)
            if standing.games >= point:
                point = next_point(standing.games, games)
                self._curve.append(Standing(standing.games, list(standing.scores)))
            yield standing
        self._finished = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        programs = list(self._programs.values())
        if programs:  # at once: each may take the time that it is given to end
            with ThreadPoolExecutor(len(programs)) as pool:
                list(pool.map(Program.close, programs))

    def result(self, log: bytes = b"", errors: str = "") -> MatchResult:
        """Return the result of the games so far."""
        failures = [self._failures(seat) for seat in self._match.seats]
        last = self._standing
        measures = [
            replace(each, values=list(each.values), squares=list(each.squares)) for each in last.measures
        ]
        return MatchResult(
            self._match,
            last.games,
            list(last.scores),
            failures,
            self._curve,
            log,
            errors,
            measures,
            list(last.squares),
            [list(each) for each in last.ahead],
            last.draws,
            last.ended if self._finished and last.games < self._match.games else "",
            [self._first_failure(seat) for seat in self._match.seats],
        )

    def _count(self, standing: Standing, lines: list[str]) -> None:
        """Count a game and log it; an interruption leaves both done or neither."""
        if self._log is None:
            self._standing = standing
            return
        with self._deferred:
            self._standing = standing
            self._log("".join(lines))
            lines.clear()

    def _failures(self, player: int) -> Mapping[str, int]:
        program = self._programs.get(player)
        return dict(program.failures) if program else {}

    def _first_failure(self, player: int) -> ProgramFailure | None:
        program = self._programs.get(player)
        return program.first_failure if program else None

    def _entrant(self, number: int) -> Entrant:
        player = self._plan.players[number]
        if player.command is None:
            strategy = self._plan.contest.strategies[player.plays]
            return Entrant(player.name, strategy.make() if isinstance(strategy, Learner) else strategy)
        if number not in self._match.seats:
            return Entrant(player.name, _no_action)
        plan = self._plan
        program = Program(
            player.name, player.command, plan.contest.wire_format, plan.game, plan.limits, self._errors
        )
        self._programs[number] = program
        return Entrant(player.name, program)


class CompressedLog:
    """Collects a log, compressed."""

    def __init__(self) -> None:
        # The fastest level: a log repeats itself so much that the others save little, and games wait for it.
        self._compressor = zlib.compressobj(1)
        self._parts: list[bytes] = []

    def __call__(self, text: str) -> None:
        if part := self._compressor.compress(text.encode()):
            self._parts.append(part)

    def close(self) -> bytes:
        """Return all of the log, compressed by zlib; nothing can be added after it."""
        return b"".join((*self._parts, self._compressor.flush()))


class BoundedErrors:
    """Collects lines of errors up to `MAX_ERRORS` characters, and counts the lines beyond."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._remaining = MAX_ERRORS
        self._lost = 0

    def __call__(self, text: str) -> None:
        line = text if text.endswith("\n") else f"{text}\n"
        if len(line) <= self._remaining:
            self._parts.append(line)
            self._remaining -= len(line)
        else:
            self._lost += line.count("\n")

    @property
    def text(self) -> str:
        """The lines that are kept, and a last line with the number of the others."""
        more = [f"(and {self._lost} more lines of this match)\n"] if self._lost else []
        return "".join([*self._parts, *more])


def _no_action(view: object, menu: Sequence[object], rng: object) -> None:  # noqa: ARG001
    return None
