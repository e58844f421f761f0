"""One match, played where this runs: strategies are made, asked and put away, and its result is kept."""

from __future__ import annotations

import signal
import threading
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from chatbot.arena.engine.players import Competitor
from chatbot.arena.programs.program import Limits, Program
from chatbot.kernel.contest import Contest, Entrant, Learner, Match, Measure, Score, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType

    from chatbot.kernel.contest import Log

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

POINTS = 200  # of a curve, at most
MOST_ERRORS = 1 << 20  # characters kept of what a match's programs wrote to standard error


class Whole:
    """A context in which nothing interrupts; what came meanwhile is answered behind it.

    Only the main thread is ever interrupted, so elsewhere it does nothing. It costs some microseconds.
    """

    def __init__(self) -> None:
        self._meanwhile: list[int] = []
        self._before: list[Callable[[int, FrameType | None], Any] | int] = []
        self._held = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = [signal.getsignal(each) or signal.SIG_DFL for each in _SIGNALS]
            self._held = True
            for each in _SIGNALS:
                signal.signal(each, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._held:
            return
        self._held = False
        for each, before in zip(_SIGNALS, self._before, strict=True):
            signal.signal(each, before)
        for number in self._meanwhile[:1]:
            self._meanwhile.clear()
            signal.raise_signal(number)

    def _note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (a signal's shape)
        self._meanwhile.append(number)


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What all matches of a run have in common."""

    game: str
    contest: Contest
    players: tuple[Competitor, ...]
    limits: Limits
    logged: bool = False


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match came to, or has come to so far: small, whatever was played."""

    match: Match
    games: int  # played
    scores: Sequence[Score]  # seat by seat
    failures: Sequence[Mapping[str, int]]  # seat by seat, how often by kind
    curve: Sequence[Standing]  # up to `POINTS`
    log: bytes = b""  # compressed
    errors: str = ""
    measures: Sequence[Measure] = ()
    squares: Sequence[Score] = ()  # as those of a standing
    ahead: Sequence[Sequence[int]] = ()
    draws: int = 0
    ended: str = ""  # why, if that was before its last game


def play(plan: MatchPlan, match: Match) -> MatchResult:
    """Play a match to its end; all that it needs is in its arguments, so any worker can."""
    log, errors = Packed(), Capped()
    with Bout(plan, match, log if plan.logged else None, errors) as bout:
        for _ in bout:
            pass
    return bout.result(log.close(), errors.text)


class Bout:
    """A match while it is played. Iterating plays it; leaving the context puts its programs away."""

    def __init__(
        self, plan: MatchPlan, match: Match, log: Log | None, errors: Callable[[str], object]
    ) -> None:
        self._plan, self._match, self._log, self._errors = plan, match, log, errors
        self._programs: dict[int, Program] = {}  # by player
        self._last = Standing(0, [0] * len(match.seats))
        self._curve: list[Standing] = []
        self._whole = Whole()
        self._over = False  # and not broken off

    def __enter__(self) -> Self:
        return self

    def __iter__(self) -> Iterator[Standing]:
        games, drawn = self._match.games, 0
        entrants = [self._entrant(number) for number in range(len(self._plan.players))]
        told: list[str] = []
        log = told.append if self._log is not None else None
        for standing in self._plan.contest.play(self._match, entrants, log):
            self._count(standing, told)
            if standing.games * POINTS >= (drawn + 1) * games:
                drawn = standing.games * POINTS // games
                self._curve.append(Standing(standing.games, list(standing.scores)))
            yield standing
        self._over = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        programs = list(self._programs.values())
        if programs:  # one that does not end by itself is given time, and the others need not wait for it
            with ThreadPoolExecutor(len(programs)) as pool:
                list(pool.map(Program.close, programs))

    def result(self, log: bytes = b"", errors: str = "") -> MatchResult:
        """Say what has been played so far."""
        failures = [self._failures(seat) for seat in self._match.seats]
        last = self._last
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
            last.ended if self._over and last.games < self._match.games else "",
        )

    def _count(self, standing: Standing, told: list[str]) -> None:
        """Count a game and write it down; broken off, it is either both or neither."""
        if self._log is None:
            self._last = standing
            return
        with self._whole:
            self._last = standing
            self._log("".join(told))
            told.clear()

    def _failures(self, player: int) -> Mapping[str, int]:
        program = self._programs.get(player)
        return dict(program.failures) if program else {}

    def _entrant(self, number: int) -> Entrant:
        player = self._plan.players[number]
        if player.command is None:
            strategy = self._plan.contest.strategies[player.plays]
            return Entrant(player.name, strategy.make() if isinstance(strategy, Learner) else strategy)
        if number not in self._match.seats:
            return Entrant(player.name, _absent)
        plan = self._plan
        program = Program(
            player.name, player.command, plan.contest.tongue, plan.game, plan.limits, self._errors
        )
        self._programs[number] = program
        return Entrant(player.name, program)


class Packed:
    """Takes a log, and keeps it small."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(1)
        self._parts: list[bytes] = []

    def __call__(self, text: str) -> None:
        if part := self._packer.compress(text.encode()):
            self._parts.append(part)

    def close(self) -> bytes:
        return b"".join((*self._parts, self._packer.flush()))


class Capped:
    """Takes errors up to a limit, and then says that there were more."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._room = MOST_ERRORS
        self._lost = 0

    def __call__(self, text: str) -> None:
        line = text if text.endswith("\n") else f"{text}\n"
        if len(line) <= self._room:
            self._parts.append(line)
            self._room -= len(line)
        else:
            self._lost += line.count("\n")

    @property
    def text(self) -> str:
        more = [f"(and {self._lost} more lines of this match)\n"] if self._lost else []
        return "".join([*self._parts, *more])


def _absent(view: Any, menu: Sequence[Any], rng: Any) -> Any:  # noqa: ARG001
    return None
