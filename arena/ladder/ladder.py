"""Plays a ladder: lets programs in, plays rounds until all ratings are known, and writes down each duel.

What is played next follows from the journal alone, and each duel from its seed alone. So a ladder that was
stopped at any moment goes on to the same journal, and to the same site, as one that was never stopped, also
with another number of processes.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.engine.match import DeferredSignals, play
from arena.engine.workers import cluster, interrupts_blocked, processes, work
from arena.ladder.book import LadderBook
from arena.ladder.entrants import LadderEntry, LadderFolder
from arena.ladder.journal import LadderJournal, LadderRoster, LadderRound, LadderTerms
from arena.ladder.live import write_live
from arena.ladder.rules import DuelRules, compressed_log, duel_seed, trial_failure, with_result
from arena.ladder.schedule import next_round
from arena.ladder.site import log_path, write_site
from arena.programs import sandbox
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from arena.engine.match import MatchPlan, MatchResult
    from arena.engine.workers import WorkerPool
    from arena.ladder.journal import LadderDuel, LadderRecord
    from chatbot.kernel.contest import Match


_INTERVAL = 0.5  # seconds between two writings of what is going on


@dataclass(frozen=True, slots=True)
class LadderOrder:
    """What is to be played, and where it is written."""

    rules: DuelRules
    folder: LadderFolder
    house: Sequence[LadderEntry]
    site: Path
    seed: str | None  # None: that of the ladder, or a fresh one
    error: float  # points: the standard error that is wanted of every rating
    most: int  # duels of one player, after which its rating stays as it is
    jobs: int = 1
    scheduler: str | None = None


def climb(order: LadderOrder, fresh_seed: Callable[[], str], tell: Callable[[str], object]) -> LadderBook:
    """Play a ladder until its ratings are known, and return its book; `tell` is told of each round.

    Raises:
        Failure: it cannot be played or written, or fewer than two can play.
    """
    if len(order.folder.entries) + len(order.house) < 2:
        raise _too_few(order.folder.left_out)
    with LadderJournal(order.site) as journal, ExitStack() as stack:
        ladder = _Ladder(order, journal, stack)
        ladder.enter(fresh_seed, tell)
        try:
            ladder.play(tell)
        finally:
            with DeferredSignals():
                write_site(order.site, ladder.book)
                write_live(order.site, ladder.book, over=True)
        return ladder.book


def _too_few(left_out: Mapping[str, str]) -> Failure:
    reasons = [f"{name} is left out: {why}" for name, why in sorted(left_out.items())]
    return Failure(" ".join(["A ladder takes two players at least; --house adds built-in ones.", *reasons]))


class _Ladder:
    """A ladder that is being played: its journal, and the book of it."""

    def __init__(self, order: LadderOrder, journal: LadderJournal, stack: ExitStack) -> None:
        self._order, self._journal, self._stack = order, journal, stack
        self._entries = {each.entrant.key: each for each in (*order.folder.entries, *order.house)}
        self._pool: WorkerPool | None = None
        self._shown_at = -_INTERVAL  # when it was last written what is going on
        try:
            self.book = LadderBook(journal.records)
        except (KeyError, ValueError, IndexError):
            raise Failure(f"The journal in {str(order.site)!r} contradicts itself.") from None

    def enter(self, fresh_seed: Callable[[], str], tell: Callable[[str], object]) -> None:
        """Let in who can play, and leave out who cannot with a sentence.

        Raises:
            Failure: fewer than two can play, or the ladder has other terms.
        """
        self._check_terms()
        left_out = {**self._order.folder.left_out, **self._failed_in_trial()}
        if len(self._entries) < 2:
            raise _too_few(left_out)
        for name, why in sorted(left_out.items()):
            tell(f"{name} is left out: {why}")
        if self.book.terms is None:
            rules = self._order.rules
            self._add(
                LadderTerms(
                    rules.game, rules.games, fresh_seed() if self._order.seed is None else self._order.seed
                )
            )
        self._enter_all(tuple(sorted(left_out.items())))

    def _check_terms(self) -> None:
        rules, terms = self._order.rules, self.book.terms
        if terms is None:
            return
        seed = self._order.seed if self._order.seed is not None else terms.seed
        if (rules.game, rules.games, seed) != (terms.game, terms.games, terms.seed):
            raise Failure(
                f"The ladder in {str(self._order.site)!r} is one of {terms.game} with {terms.games} games a"
                f" duel and the seed {terms.seed!r}; give the same, or another folder by --to."
            )

    def _enter_all(self, left_out: tuple[tuple[str, str], ...]) -> None:
        for key, entry in self._entries.items():
            if self.book.entrants.get(key) != entry.entrant:
                self._add(entry.entrant)
        contained = sandbox.containment(sandbox=self._order.rules.limits.sandbox)
        roster = LadderRoster(tuple(sorted(self._entries)), left_out, contained)
        if roster != self.book.roster:
            self._add(roster)

    def play(self, tell: Callable[[str], object]) -> None:
        """Play rounds until every rating is known well enough; the site follows after each."""
        while duels := self.book.pending() or self._next_round():
            tell(f"Round {self.book.rounds}: duels {duels[0].number:,} to {duels[-1].number:,}")
            write_live(self._order.site, self.book)
            for duel, result in zip(duels, self._results(map(self._match_of, duels)), strict=True):
                with DeferredSignals():
                    # The log before the journal: a duel that counts has its log, and a log without its duel
                    # is written again.
                    _write_log(self._order.site / log_path(duel.number), compressed_log(result))
                    players = [self._entries[key].competitor for key in duel.players]
                    self._add(with_result(duel, result, players))
                self._show()
            write_site(self._order.site, self.book)

    def _show(self) -> None:
        """Write what is going on, unless that was done a moment ago: ratings take longer than short duels."""
        now = time.monotonic()
        if now >= self._shown_at + _INTERVAL:
            write_live(self._order.site, self.book)
            self._shown_at = now

    def _next_round(self) -> Sequence[LadderDuel]:
        pairs = next_round(self.book, self._order.error, self._order.most)
        if pairs:
            self._add(LadderRound(tuple(pairs)))
        return self.book.pending()

    def _failed_in_trial(self) -> Mapping[str, str]:
        """Try the programs that are new, and drop those that fail; return why, by their names."""
        entrants = self.book.entrants
        new = [each for key, each in self._entries.items() if key not in entrants and not each.entrant.house]
        failed = {}
        trials = (self._order.rules.trial(each.competitor) for each in new)
        for entry, result in zip(new, self._results(trials), strict=True):
            failure = trial_failure(result, entry.competitor)
            if failure is not None:
                del self._entries[entry.entrant.key]
                failed[entry.entrant.name] = str(failure)
        return failed

    def _match_of(self, duel: LadderDuel) -> tuple[MatchPlan, Match]:
        rules, terms = self._order.rules, self.book.terms
        assert terms is not None  # noqa: S101  (the first record)
        players = [self._entries[key].competitor for key in duel.players]
        return rules.plan(players), rules.match(duel_seed(terms.seed, duel))

    def _add(self, record: LadderRecord) -> None:
        # On the disk before it counts, since what is played next follows from it.
        self._journal.append(record)
        self.book.take(record)

    # Matches are played here, or by workers, and come back in their order.

    def _results(self, matches: Iterable[tuple[MatchPlan, Match]]) -> Iterator[MatchResult]:
        if self._order.scheduler is None and self._order.jobs == 1:
            yield from (play(plan, match) for plan, match in matches)
            return
        pool = self._workers()
        futures: deque[Future[MatchResult]] = deque()
        remaining = iter(matches)
        try:
            while _fill(pool, futures, remaining):
                yield futures.popleft().result()
        except pool.loss_errors:
            raise Failure("A worker was lost, so the ladder was stopped; what is written stands.") from None

    def _workers(self) -> WorkerPool:
        """Return the workers, which start with the first match."""
        if self._pool is None:
            scheduler = self._order.scheduler
            pool = cluster(scheduler) if scheduler is not None else processes(self._order.jobs)
            self._pool = self._stack.enter_context(pool)
        return self._pool


def _fill(
    pool: WorkerPool, futures: deque[Future[MatchResult]], remaining: Iterator[tuple[MatchPlan, Match]]
) -> bool:
    """Submit matches up to the capacity; return whether any is waited for."""
    with interrupts_blocked():
        while len(futures) < pool.capacity and (following := next(remaining, None)) is not None:
            futures.append(pool.executor.submit(work, *following))
    return bool(futures)


def _write_log(file: Path, content: bytes) -> None:
    """Write a file whole or not at all, and have it on the disk.

    Raises:
        Failure: it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(exist_ok=True)
        with part.open("wb") as output:
            output.write(content)
            output.flush()
            os.fsync(output.fileno())
        part.replace(file)
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}.") from None
