"""Plays all the matches of a contest, and adds them up in their order, whoever plays them."""

from __future__ import annotations

import zlib
from collections import deque
from typing import TYPE_CHECKING

from chatbot.arena.engine.bout import Bout, Capped
from chatbot.arena.engine.interrupts import Whole
from chatbot.arena.engine.workers import undisturbed, work
from chatbot.kernel.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from chatbot.arena.engine.bout import MatchPlan, MatchResult
    from chatbot.arena.engine.tally import Tally
    from chatbot.arena.engine.workers import Crew
    from chatbot.arena.report.papers import Papers
    from chatbot.kernel.contest import Match, Series


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
