"""A run of a contest: its order, the playing and counting of its matches, and its outcome."""

from __future__ import annotations

import time
import zlib
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.engine.match import BoundedErrors, DeferredSignals, MatchPlan, MatchRun
from arena.engine.players import Competitor
from arena.engine.preparation import Preparing, begin
from arena.engine.tally import Tally
from arena.engine.workers import cluster, interrupts_blocked, processes, work
from arena.programs.program import Limits
from arena.report.run_files import RunFiles, check_writable
from chatbot.kernel.contest import Contest, Prepared
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from types import TracebackType

    from rich.console import Console
    from rich.progress import TaskID

    from arena.engine.match import MatchResult
    from arena.engine.workers import WorkerPool
    from chatbot.kernel.contest import Match, Series

_DELAY = 0.7  # seconds before the progress bar appears
_INTERVAL = 0.1  # seconds between two updates of it


class ProgressBar:
    """A bar on a terminal that appears if the games take long, and disappears at their end."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stack = ExitStack()
        self._progress: Progress | None = None
        self._games = self._done = 0
        self._task: TaskID | None = None
        self._next_update = time.monotonic() + _DELAY

    def begin(self, games: int) -> ProgressBar:
        """Set the number of all games; return itself, to be called with the games that are played."""
        self._games = games
        return self

    def __call__(self, games: int) -> None:
        """Count games that have been played."""
        self._done += games
        now = time.monotonic()
        if now >= self._next_update and self._console.is_terminal:
            self._next_update = now + _INTERVAL
            self._show()

    def _show(self) -> None:
        if self._progress is None:
            columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"))
            bar = Progress(*columns, TimeRemainingColumn(), console=self._console, transient=True)
            self._progress = self._stack.enter_context(bar)
            self._task = self._progress.add_task("playing", total=self._games)
        if self._task is not None:
            self._progress.update(self._task, completed=self._done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


class Competition:
    """The matches of a run. `tally` has their results so far at any time, also after an interruption."""

    def __init__(
        self,
        plan: MatchPlan,
        matches: Series,
        tally: Tally,
        files: RunFiles,
        advance: Callable[[int], object],
    ) -> None:
        """Call `advance` with the number of further games that have been played."""
        self._plan, self._matches, self._advance = plan, matches, advance
        self._files, self.tally = files, tally

    def play_here(self) -> None:
        """Play in this process, one match after the other.

        The games of a match that is interrupted count only if no match was finished before.
        """
        for match in self._matches:
            self._files.begin(match, len(self._matches))
            self._play(match)

    def play_with(self, pool: WorkerPool) -> None:
        """Submit matches to an executor, at most `capacity` ahead; count them in their order.

        After an interruption, matches that are finished out of order count as well.

        Raises:
            Failure: a worker was lost.
        """
        futures: deque[Future[MatchResult]] = deque()
        remaining = iter(self._matches)
        try:
            while self._fill(pool, futures, remaining):
                # Taken out only when it is there: after an interruption `_take_ready` finds it among the
                # others.
                futures[0].result()
                self._take(futures.popleft())
        except KeyboardInterrupt:
            self._take_ready(futures)
            raise
        except pool.loss_errors:
            self._take_ready(futures)
            raise Failure("A worker was lost, so the run was stopped; what was finished stands.") from None

    def _play(self, match: Match) -> None:
        errors = BoundedErrors()
        log = self._files.log if self._plan.logged else None
        with MatchRun(self._plan, match, log, errors) as run:
            try:
                games = 0
                for standing in run:
                    self._advance(standing.games - games)
                    games = standing.games
            except KeyboardInterrupt:
                if not self.tally.matches:
                    self.tally.add_part(run.result())
                raise
            finally:
                self._files.errors(errors.text)
        with DeferredSignals():
            self.tally.add(run.result())

    def _fill(
        self, pool: WorkerPool, futures: deque[Future[MatchResult]], remaining: Iterator[Match]
    ) -> bool:
        """Submit matches up to the capacity; return whether any is waited for."""
        with interrupts_blocked():
            while len(futures) < pool.capacity and (match := next(remaining, None)) is not None:
                futures.append(pool.executor.submit(work, self._plan, match))
        return bool(futures)

    def _take_ready(self, futures: Iterable[Future[MatchResult]]) -> None:
        for each in futures:
            if each.done() and not each.cancelled() and each.exception() is None:
                self._take(each)

    def _take(self, future: Future[MatchResult]) -> None:
        result = future.result()
        # A match is in the log and in the tally, or in neither.
        with DeferredSignals():
            self._files.begin(result.match, len(self._matches))
            if result.log:
                self._files.log(zlib.decompress(result.log).decode())
            self._files.errors(result.errors)
            self.tally.add(result)
        self._advance(result.games)


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a run: what is played, by whom, on what, and which files are written."""

    game: str
    contest: Contest
    players: tuple[Competitor, ...]
    games: int  # as the contest counts them, such as those of a match
    seed: str
    jobs: int = 1
    scheduler: str | None = None
    limits: Limits = field(default_factory=Limits)
    log: Path | None = None
    errors: Path | None = None
    plot: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of a run."""

    order: Order
    tally: Tally
    matches: int  # that were ordered
    games: int  # that were ordered
    seconds: float
    interrupted: bool = False
    failure: Failure | None = None  # what stopped it, unless it was a signal


def carry_out(
    order: Order, progress: Callable[[int], Callable[[int], object]], tell: Callable[[str], object]
) -> RunOutcome:
    """Play a run.

    `progress` is called with the number of all games, and returns a function that is called with the number
    of further games that have been played. `tell` is told a line if something takes long before.

    Raises:
        Failure: it cannot be played, or a file cannot be written; no game has been counted.
    """
    matches = order.contest.matches(len(order.players), order.games, order.seed)
    check_writable(order.plot)
    games = sum(match.games for match in matches)
    tally = Tally([(each.name, each.plays) for each in order.players])
    plan = MatchPlan(order.game, order.contest, order.players, order.limits, order.log is not None)
    start = time.monotonic()
    interrupted, failure = False, None
    preparing: Preparing | None = None
    with RunFiles(order.log, order.errors) as files:
        try:
            if isinstance(order.contest, Prepared) and order.scheduler is None:
                preparing = begin(order.contest, games, tell)
            _play(order, Competition(plan, matches, tally, files, progress(games)), matches, tell)
            files.flush()
        except KeyboardInterrupt:
            interrupted = True
            if preparing is not None:
                preparing.stop()
        except Failure as error:
            failure = error
    if failure is not None and not tally.games:
        raise failure
    seconds = time.monotonic() - start
    return RunOutcome(order, tally, len(matches), games, seconds, interrupted, failure)


def _play(order: Order, competition: Competition, matches: Series, tell: Callable[[str], object]) -> None:
    jobs = min(order.jobs, len(matches))
    if order.scheduler is not None:
        with cluster(order.scheduler) as pool:
            if isinstance(order.contest, Prepared) and pool.prepare is not None:
                for line, count in pool.prepare(order.contest, sum(each.games for each in matches)).items():
                    tell(f"On {count} {'worker' if count == 1 else 'workers'}: {line}")
            competition.play_with(pool)
    elif jobs > 1:
        with processes(jobs) as pool:
            competition.play_with(pool)
    else:
        competition.play_here()
