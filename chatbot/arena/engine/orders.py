"""A run as it was ordered, and what came of it, also when it was broken off."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chatbot.arena.engine.bout import MatchPlan
from chatbot.arena.engine.competition import Competition
from chatbot.arena.engine.players import Competitor
from chatbot.arena.engine.tally import Tally
from chatbot.arena.engine.workers import cluster, processes
from chatbot.arena.programs.program import Limits
from chatbot.arena.report.papers import Papers, probe
from chatbot.kernel.contest import Contest
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.kernel.contest import Series


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
