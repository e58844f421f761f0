"""A run of a contest: what was ordered, its matches played and added up in order, and what came of it."""

from __future__ import annotations

import time
import zlib
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chatbot.arena.engine.bout import Bout, Capped, MatchPlan, Whole
from chatbot.arena.engine.players import Competitor
from chatbot.arena.engine.tally import Tally
from chatbot.arena.engine.workers import cluster, processes, undisturbed, work
from chatbot.arena.programs.program import Limits
from chatbot.arena.report.papers import Papers, probe
from chatbot.kernel.contest import Contest
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from types import TracebackType

    from rich.console import Console
    from rich.progress import TaskID

    from chatbot.arena.engine.bout import MatchResult
    from chatbot.arena.engine.workers import Crew
    from chatbot.kernel.contest import Match, Series

_SOON = 0.7  # seconds after which work counts as long
_OFTEN = 0.1  # seconds between two looks


class Bar:
    """Appears when the work turns out to be long, and is gone when it is done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stack = ExitStack()
        self._progress: Progress | None = None
        self._games = self._done = 0
        self._task: TaskID | None = None
        self._next = time.monotonic() + _SOON

    def begin(self, games: int) -> Bar:
        self._games = games
        return self

    def __call__(self, games: int) -> None:
        """Count games that have been played."""
        self._done += games
        now = time.monotonic()
        if now >= self._next and self._console.is_terminal:
            self._next = now + _OFTEN
            self._show()

    def _show(self) -> None:
        if self._progress is None:
            columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"))
            shown = Progress(*columns, TimeRemainingColumn(), console=self._console, transient=True)
            self._progress = self._stack.enter_context(shown)
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
    """A run of matches. What it has come to is in `tally` at any time, also when it is broken off."""

    def __init__(
        self,
        plan: MatchPlan,
        matches: Series,
        tally: Tally,
        papers: Papers,
        advance: Callable[[int], object],
    ) -> None:
        """Take `advance` to be told how many games more have been played."""
        self._plan, self._matches, self._advance = plan, matches, advance
        self._papers, self.tally = papers, tally

    def play_here(self) -> None:
        """Play in this process, one match after the other.

        The games of a match that is broken off count only where no match was finished before.
        """
        for match in self._matches:
            self._papers.begin(match, len(self._matches))
            self._play(match)

    def play_with(self, crew: Crew) -> None:
        """Hand matches to an executor, never many more than it can play at once; count them in their order.

        Broken off, it counts those as well that were ready out of turn.

        Raises:
            Failure: a worker was lost.
        """
        waiting: deque[Future[MatchResult]] = deque()
        left = iter(self._matches)
        try:
            while self._fill(crew, waiting, left):
                waiting[0].result()
                self._take(waiting.popleft())
        except KeyboardInterrupt:
            self._take_ready(waiting)
            raise
        except crew.lost:
            self._take_ready(waiting)
            raise Failure("A worker was lost, so the run was stopped; what was finished stands.") from None

    def _play(self, match: Match) -> None:
        errors = Capped()
        log = self._papers.log if self._plan.logged else None
        with Bout(self._plan, match, log, errors) as bout:
            try:
                games = 0
                for standing in bout:
                    self._advance(standing.games - games)
                    games = standing.games
            except KeyboardInterrupt:
                if not self.tally.matches:
                    self.tally.add_part(bout.result())
                raise
            finally:
                self._papers.errors(errors.text)
        with Whole():
            self.tally.add(bout.result())

    def _fill(self, crew: Crew, waiting: deque[Future[MatchResult]], left: Iterator[Match]) -> bool:
        with undisturbed():
            while len(waiting) < crew.ahead and (match := next(left, None)) is not None:
                waiting.append(crew.executor.submit(work, self._plan, match))
        return bool(waiting)

    def _take_ready(self, waiting: Iterable[Future[MatchResult]]) -> None:
        for each in waiting:
            if each.done() and not each.cancelled() and each.exception() is None:
                self._take(each)

    def _take(self, future: Future[MatchResult]) -> None:
        result = future.result()
        with Whole():
            self._papers.begin(result.match, len(self._matches))
            if result.log:
                self._papers.log(zlib.decompress(result.log).decode())
            self._papers.errors(result.errors)
            self.tally.add(result)
        self._advance(result.games)


@dataclass(frozen=True, slots=True)
class Order:
    """Everything that decides what is played, by whom, and what is written."""

    game: str
    contest: Contest
    players: tuple[Competitor, ...]
    games: int  # of a match, or whatever the contest makes of it
    seed: str
    jobs: int = 1
    scheduler: str | None = None
    limits: Limits = field(default_factory=Limits)
    log: Path | None = None
    errors: Path | None = None
    plot: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What came of it."""

    order: Order
    tally: Tally
    matches: int  # that were ordered
    games: int  # that were ordered
    seconds: float
    interrupted: bool = False
    failure: Failure | None = None  # what stopped it, if it was not somebody


def carry_out(order: Order, screen: Callable[[int], Callable[[int], object]]) -> RunOutcome:
    """Play what is ordered; `screen` is told how many games there are, and gives what to tell of each.

    Raises:
        Failure: it cannot be played, or a file cannot be written; nothing has been played.
    """
    matches = order.contest.matches(len(order.players), order.games, order.seed)
    probe(order.plot)
    games = sum(match.games for match in matches)
    tally = Tally([(each.name, each.plays) for each in order.players])
    plan = MatchPlan(order.game, order.contest, order.players, order.limits, order.log is not None)
    started = time.monotonic()
    interrupted, failure = False, None
    with Papers(order.log, order.errors) as papers:
        try:
            _play(order, Competition(plan, matches, tally, papers, screen(games)), matches)
            papers.flush()
        except KeyboardInterrupt:
            interrupted = True
        except Failure as stop:
            failure = stop
    if failure is not None and not tally.games:
        raise failure
    seconds = time.monotonic() - started
    return RunOutcome(order, tally, len(matches), games, seconds, interrupted, failure)


def illustrate(outcome: RunOutcome) -> None:
    """Draw the picture that was ordered, if there is anything to show.

    Raises:
        Failure: the file cannot be written.
    """
    if outcome.order.plot is not None and outcome.tally.games:
        from chatbot.arena.report.plot import draw  # noqa: PLC0415  (it loads Matplotlib, which takes its time)

        draw(outcome, outcome.order.plot)


def _play(order: Order, competition: Competition, matches: Series) -> None:
    jobs = min(order.jobs, len(matches))
    if order.scheduler is not None:
        with cluster(order.scheduler) as crew:
            competition.play_with(crew)
    elif jobs > 1:
        with processes(jobs) as crew:
            competition.play_with(crew)
    else:
        competition.play_here()
