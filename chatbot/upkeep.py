"""Maintenance while the program runs: audits of the ledger, backups, and archiving of old tables.

A start and every hour read what is new since the last audit, and every balance. Everything is read, in
slices, when a start has settled, and then every week. A ledger in doubt is read completely once a day, for
it may have been repaired.

The time of an audit of everything is proportional to the size of the ledger: 20,000 tables would add 3 s of
processor time to each start. The first start on a database reads everything all the same. A start waits for
its audit only `START_TIMEOUT`: chat and page go on then, but no game is played before it has succeeded.

Of several processes each audits at its start, and the one to which upkeep is dealt does everything after
that; what it finds is announced to all. A process that takes upkeep over reads everything anew, as it cannot
know when that was done last. What two do at once, such as when one was stopped and continued, is done once:
what is archived is written where it is still whole, and an audit only reads.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.bot.bot import Bot
from chatbot.ledger.archive.archive import Archive, ArchivePosition
from chatbot.ledger.audit.checkpoints import Checkpoints
from chatbot.ledger.audit.checks import Slices
from chatbot.ledger.store import backup, engines
from chatbot.ledger.store.store import Store, StoreError
from chatbot.runtime.clock import Watch
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from chatbot.ledger.audit.checks import AuditReport

CHECK_INTERVAL = 3600.0  # seconds between two audits of what is new
DAY = 86_400.0  # seconds between two complete audits of a ledger in doubt
WEEK = 7 * DAY  # seconds between two complete audits of a sound one
START_TIMEOUT = 0.5  # seconds for which a start waits for the audit
SETTLED = 60.0  # seconds after a start until everything is audited, when platforms are connected and read
PAUSE = 0.5  # seconds between two writes of the archive, or two slices of an audit
FINAL_BACKUP_TIMEOUT = 1.5  # seconds that the backup at the end may take
FINAL_BACKUP_BYTES = 100 * 10**6  # of the largest database that is backed up at the end
SHOWN = 10  # breaches that are shown to the operator; `chatbot audit` lists all

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Backups:
    """Makes and limits the backups of an SQLite file; those of a server are made by its own tools."""

    file: Path | None  # None: the database is on a server
    most_bytes: int | None = None  # of all backups together, except the newest; None: no limit

    @classmethod
    def of(cls, url: str, megabytes: int | None = None) -> Backups:
        """Return the backups of the database at a URL."""
        return cls(engines.file_of(url), None if megabytes is None else megabytes * 10**6)

    def make(
        self, watch: Watch, leave: Callable[[], bool] = backup.never_cancelled, *, sound: bool = True
    ) -> list[Path]:
        """Make a backup, and return the older ones that were removed for the limit.

        `leave` returns whether to abort. None is removed if the ledger is not `sound`.

        Raises:
            backup.BackupCancelled: it was aborted.
            StoreError: it cannot be made.
        """
        if self.file is None:
            return []
        folder, now = backup.beside(self.file), watch.date()
        backup.back_up(self.file, folder, now, leave, rotates=sound)
        if self.most_bytes is None or not sound:
            return []
        return backup.fit(folder, self.file.stem, now, self.most_bytes)

    @property
    def large(self) -> bool:
        """Whether the database is too large for a backup at the end of the program."""
        try:
            return self.file is not None and self.file.stat().st_size > FINAL_BACKUP_BYTES
        except OSError:
            return False

    def due(self, watch: Watch) -> bool:
        """Return whether it is time for a backup; also if the folder cannot be read, to say why not."""
        try:
            return self.file is not None and backup.due(self.file, backup.beside(self.file), watch.date())
        except OSError:
            return True


@dataclass(eq=False)
class Upkeep:
    """Schedules audits, backups and archiving; `tell` shows a sentence to the operator."""

    store: Store
    bot: Bot
    watch: Watch
    backups: Backups
    tell: Callable[[str], None]
    archive_days: int = 0  # after which finished tables are archived; 0: never
    # Whether this process does what one of several does for all: later audits, backups and the archive.
    is_ours: Callable[[], bool] = lambda: True
    announce: Callable[[frozenset[str], bool], object] = lambda _, __: None
    """Is told of the communities in doubt when these are others than before, and whether all games stop."""
    checkpoints: Checkpoints = field(init=False)
    _backed_up: int = 0  # the transactions at the last backup, or at the start
    _first_audit: asyncio.Task[None] | None = None
    _deadline: float = math.inf  # of `time.monotonic`, at which long operations are aborted
    _archiving: bool = False  # whether more is to be archived after a pause
    _last_complete: float = -math.inf  # time of the last complete audit, on the watch

    def __post_init__(self) -> None:
        self.checkpoints = Checkpoints(self.store)
        self._backed_up = self._written

    @property
    def _written(self) -> int:
        """The number of transactions, without those that only store a checkpoint of an audit."""
        return self.store.written - self.checkpoints.saved

    async def start(self, longest_wait: float | None = None) -> None:
        """Audit the ledger before any game is played, then every hour.

        Return when the first audit has ended, or after `longest_wait` seconds; None: no limit. Games are
        held until it has ended. What it raises within that time is raised.
        """
        self.bot.control.hold()
        self._first_audit = asyncio.create_task(self._begin())
        ended_tasks, _ = await asyncio.wait([self._first_audit], timeout=longest_wait)
        if ended_tasks:
            self._first_audit.result()
        else:
            self._first_audit.add_done_callback(_log_failure)

    def leave(self) -> None:
        """Abort all long operations, because the program is about to end."""
        self._deadline = 0.0
        if self._first_audit is not None and self.bot.control.held:
            self._first_audit.cancel()
        self.store.interrupt()

    async def stop(self, patience: float = FINAL_BACKUP_TIMEOUT) -> None:
        """Make a last backup if anything was written since the one before, and there are so many seconds.

        A large database has no such backup: it is backed up daily while the program runs.
        """
        self.leave()
        if self._first_audit is not None:
            await asyncio.wait([self._first_audit])
        if self._written > self._backed_up and not self.backups.large:
            self._deadline = time.monotonic() + min(patience, FINAL_BACKUP_TIMEOUT)
            await self._back_up()

    async def _begin(self) -> None:
        await self._audit()
        await self.bot.control.release()
        await self._back_up_if_due()
        Periodic(self.watch, CHECK_INTERVAL, self._check).start()
        self._schedule_slices(SETTLED)
        self._schedule_archiving()

    async def _check(self) -> None:
        if not self.is_ours():
            return
        await self._audit()
        await self._back_up_if_due()
        self._schedule_slices()
        self._schedule_archiving()

    def _schedule_archiving(self) -> None:
        if self.archive_days and not self._archiving:
            self._archiving = True
            self.watch.ring(PAUSE, self._archive)

    async def _archive(self, after: ArchivePosition | None = None) -> None:
        """Archive a few tables, and go on after a pause if there are more, unless the ledger is in doubt."""
        self._archiving = False
        if not self.is_ours():
            return
        if self.bot.control.halted or self.bot.control.held or self.bot.control.doubted:
            return
        before = self.watch.date() - timedelta(days=self.archive_days)
        try:
            portion = await Archive(self.store).portion(before, after)
        except (SQLAlchemyError, OSError):
            log.exception("old tables could not be archived")
            return
        if portion.faults:
            log.warning("tables are not archived", reasons=portion.faults)
        if portion.last is not None:
            self._archiving = True
            self.watch.ring(PAUSE, partial(self._archive, portion.last))

    async def _back_up_if_due(self) -> None:
        if await asyncio.to_thread(self.backups.due, self.watch):
            await self._back_up()

    async def _audit(self, *, complete: bool = False) -> None:
        """Stop games whose credits do not add up; nothing is stopped if the database cannot be read now.

        Without `complete`, only what is new is read, and every balance.
        """
        if await asyncio.to_thread(self._is_gone):
            await self._stop_games([f"The database {self.backups.file} is gone."])
            return
        doubted = self.bot.control.doubted
        complete = complete or (bool(doubted) and self._is_complete_due(DAY))
        try:
            report = await self.checkpoints.check(self.watch.date(), everything=complete, doubted=doubted)
        except (SQLAlchemyError, OSError):
            if not self._is_late():  # otherwise it was interrupted
                log.exception("the books could not be checked")
            return
        if report.complete:
            self._last_complete = self.watch.now()
        if report.complete or not doubted:  # otherwise it is unknown whether former breaches are repaired
            await self._apply(report)

    def _is_complete_due(self, seconds: float) -> bool:
        """Return whether the last complete audit was at least `seconds` ago."""
        return self.watch.now() >= self._last_complete + seconds

    def _schedule_slices(self, after: float = PAUSE) -> None:
        """Schedule the audit of everything in slices if it is due; on a breach, one in one go follows."""
        if not self.bot.control.doubted and not self.bot.control.halted and self._is_complete_due(WEEK):
            self._last_complete = self.watch.now()
            self.watch.ring(after, partial(self._audit_slice, Slices(self.store)))

    async def _audit_slice(self, slices: Slices) -> None:
        if not self.is_ours():
            self._last_complete = -math.inf  # so that it is due if this process comes to do it
        if self.bot.control.halted or self._is_late() or not self.is_ours():
            return
        try:
            more, has_faults = await slices.go_on(), bool(slices.breaches)
        except (SQLAlchemyError, OSError):  # the complete audit reports what is wrong
            more, has_faults = False, True
        if more:
            self.watch.ring(PAUSE, partial(self._audit_slice, slices))
        elif has_faults:
            await self._audit(complete=True)

    async def _apply(self, report: AuditReport) -> None:
        """Stop the games of communities with a breach, and resume those that are sound again."""
        sentences, previously_doubted = [each.sentence for each in report.breaches], self.bot.control.doubted
        if report.whole:
            await self._stop_games(sentences)
            return
        await self.bot.control.doubt(report.doubted)
        if previously_doubted != report.doubted:
            self.announce(report.doubted, False)
        if previously_doubted - report.doubted:
            log.warning("the books add up again", communities=sorted(previously_doubted - report.doubted))
        if not report.doubted:
            return
        doubted = sorted(report.doubted)
        log.critical(
            "no games are played", communities=doubted, reasons=sentences[:SHOWN], count=len(sentences)
        )
        if report.doubted - previously_doubted:
            self._explain(f"No games are played in {', '.join(doubted)} until somebody has looked", sentences)

    async def _stop_games(self, sentences: list[str]) -> None:
        was_halted = self.bot.control.halted
        await self.bot.control.halt()
        self.announce(self.bot.control.doubted, True)
        log.critical("no games are played", reasons=sentences[:SHOWN], count=len(sentences))
        if not was_halted:
            self._explain("No games are played until somebody has looked", sentences)

    def _explain(self, consequence: str, sentences: list[str]) -> None:
        self.tell(f"{consequence}; `chatbot audit` lists what is wrong:")
        for sentence in sentences[:SHOWN]:
            self.tell(f"  {sentence}")

    async def _back_up(self) -> None:
        """Make a backup of a database that was audited, unless all of it is in doubt.

        If some communities are in doubt, a backup is made for the others, which play on; but no older one is
        removed, for that may be sound.
        """
        if self.bot.control.halted or self.bot.control.held:
            return
        self._backed_up, doubted = self._written, sorted(self.bot.control.doubted)
        if doubted:
            log.warning(
                "a backup holds books that are in doubt; no older one is removed", communities=doubted
            )
        try:
            make = partial(self.backups.make, self.watch, self._is_late, sound=not doubted)
            for each in await asyncio.to_thread(make):
                self.tell(backup.removed(each))
        except backup.BackupCancelled:
            log.info("a backup was given up at the end; the next start or day makes one")
        except StoreError as error:
            self.tell(f"No backup could be made. {error}")
            log.error("no backup could be made", why=str(error))  # noqa: TRY400  (the traceback adds nothing)

    def _is_late(self) -> bool:
        return time.monotonic() >= self._deadline

    def _is_gone(self) -> bool:
        return self.backups.file is not None and not self.backups.file.exists()


def _log_failure(audit: asyncio.Task[None]) -> None:
    """Log the failure of the first audit, for which nothing waits after the timeout; games stay held."""
    if not audit.cancelled() and audit.exception() is not None:
        log.critical("the books were not checked", exc_info=audit.exception())
