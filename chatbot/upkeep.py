"""What the service does by itself: it checks the books every hour, keeps backups, and archives old tables.

Every hour it reads what is new; once a week everything, a check at a time. Books in doubt are read as a whole
once a day, for they may have been mended.

To check books takes as long as they are old. So a start waits for that only so long: chat and page go on
then, but nothing is played before the books are known to be sound.
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

from chatbot.bot.house import House
from chatbot.ledger.archive.archive import Archive, Place
from chatbot.ledger.audit.checkpoints import Checkpoints
from chatbot.ledger.audit.checks import Slices
from chatbot.ledger.store import backup
from chatbot.ledger.store.store import Store, StoreError
from chatbot.rooms.clock import Watch

if TYPE_CHECKING:
    from chatbot.ledger.audit.checks import AuditReport

EVERY = 3600.0  # seconds
DAY = 86_400.0  # seconds between two whole looks at books in doubt
WEEK = 7 * DAY  # seconds between two at sound ones
PATIENCE = 0.5  # seconds for which a start waits for the books
PAUSE = 0.5  # seconds between two writes of the archive, or two slices of an audit
ENDING = 1.5  # seconds that the backup at the end may take
ENDING_BYTES = 100 * 10**6  # of a database that is copied at the end at all
SHOWN = 10  # breaches that the operator is told; `chatbot audit` lists them all

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Copies:
    """Where backups of a database go; a server's database is its own tools' business.

    All together have at most so many bytes, but for the newest.
    """

    file: Path | None
    most: int | None = None

    @classmethod
    def of(cls, url: str, megabytes: int | None = None) -> Copies:
        return cls(backup.file_of(url), None if megabytes is None else megabytes * 10**6)

    def make(
        self, watch: Watch, leave: Callable[[], bool] = backup.never, *, sound: bool = True
    ) -> list[Path]:
        """Make one; give those that were removed because they had no room; none are where it is not `sound`.

        Raises:
            copies.Left: it was time to leave.
            StoreError: it cannot be made.
        """
        if self.file is None:
            return []
        folder, now = backup.beside(self.file), watch.date()
        backup.back_up(self.file, folder, now, leave, rotates=sound)
        if self.most is None or not sound:
            return []
        return backup.fit(folder, self.file.stem, now, self.most)

    @property
    def large(self) -> bool:
        """Whether a copy would hold up the end of the program, if only on its way to the disk."""
        try:
            return self.file is not None and self.file.stat().st_size > ENDING_BYTES
        except OSError:
            return False

    def due(self, watch: Watch) -> bool:
        return self.file is not None and backup.due(self.file, backup.beside(self.file), watch.date())


@dataclass(eq=False)
class Upkeep:
    """`tell` reaches the operator. Tables go into the archive after so many days; 0: they never do."""

    store: Store
    house: House
    watch: Watch
    copies: Copies
    tell: Callable[[str], None]
    archive_days: int = 0
    copied: int = 0  # what the store had written at the last backup, or when we started
    checkpoints: Checkpoints = field(init=False)
    _first: asyncio.Task[None] | None = None  # the look with which it starts
    _leaving: float = math.inf  # when whatever takes long is given up
    _archiving: bool = False  # more is to be archived in a moment
    _whole: float = -math.inf  # when everything was looked at last, on the watch

    def __post_init__(self) -> None:
        self.checkpoints = Checkpoints(self.store)
        self.copied = self._written

    @property
    def _written(self) -> int:
        """How many transactions there were, but for those that only note that the books were sound."""
        return self.store.written - self.checkpoints.saved

    async def start(self, patience: float | None = None) -> None:
        """Check the books before anything is played; then look again every hour.

        It returns after so many seconds of `patience` at the latest; games are held until the end.
        """
        self.house.hold()
        self._first = asyncio.create_task(self._begin())
        done, _ = await asyncio.wait([self._first], timeout=patience)
        if done:
            self._first.result()
        else:
            self._first.add_done_callback(_note_failure)

    def leave(self) -> None:
        """Give up at once whatever takes long: the program is about to end."""
        self._leaving = 0.0
        if self._first is not None and self.house.held:
            self._first.cancel()
        self.store.interrupt()

    async def stop(self) -> None:
        """Make the last backup, if anything has been written since the one before and nobody waits for long.

        A large database has none of its end: a backup of each day is made while the program runs.
        """
        self.leave()
        if self._first is not None:
            await asyncio.wait([self._first])
        if self._written > self.copied and not self.copies.large:
            self._leaving = time.monotonic() + ENDING
            await self._back_up()

    async def _begin(self) -> None:
        await self._check_books(everything=True)
        await self.house.release()
        await self._back_up_if_due()
        self.watch.ring(EVERY, self._ring)
        self._begin_to_archive()

    async def _ring(self) -> None:
        self.watch.ring(EVERY, self._ring)
        await self._check_books()
        await self._back_up_if_due()
        self._begin_to_look()
        self._begin_to_archive()

    def _begin_to_archive(self) -> None:
        if self.archive_days and not self._archiving:
            self._archiving = True
            self.watch.ring(PAUSE, self._archive)

    async def _archive(self, after: Place | None = None) -> None:
        """Archive a few tables, and go on in a moment if there are more; books in doubt stay as they are."""
        self._archiving = False
        if self.house.halted or self.house.held or self.house.doubted:
            return
        before = self.watch.date() - timedelta(days=self.archive_days)
        try:
            done = await Archive(self.store).portion(before, after)
        except (SQLAlchemyError, OSError):
            log.exception("old tables could not be archived")
            return
        if done.faults:
            log.warning("tables are not archived", reasons=done.faults)
        if done.last is not None:
            self._archiving = True
            self.watch.ring(PAUSE, partial(self._archive, done.last))

    async def _back_up_if_due(self) -> None:
        if await asyncio.to_thread(self.copies.due, self.watch):
            await self._back_up()

    async def _check_books(self, *, everything: bool = False) -> None:
        """Stop the games if the books do not add up; a database that cannot be read now says nothing.

        Every hour only what is new is looked at, and each balance.
        """
        if await asyncio.to_thread(self._is_gone):
            await self._stop_games([f"The database {self.copies.file} is gone."])
            return
        doubted = self.house.doubted
        everything = everything or (bool(doubted) and self._looked_before(DAY))
        try:
            report = await self.checkpoints.check(self.watch.date(), everything=everything, doubted=doubted)
        except (SQLAlchemyError, OSError):
            if not self._is_late():  # else it was interrupted
                log.exception("the books could not be checked")
            return
        everything = everything or report.whole or not report.doubted <= doubted
        if everything:
            self._whole = self.watch.now()
        if everything or not doubted:  # else nobody has looked whether what was wrong is mended
            await self._judge(report)

    def _looked_before(self, seconds: float) -> bool:
        """Whether everything was last looked at so long ago."""
        return self.watch.now() >= self._whole + seconds

    def _begin_to_look(self) -> None:
        """Look at everything once a week, a slice at a time; what that finds is looked at as a whole."""
        if not self.house.doubted and not self.house.halted and self._looked_before(WEEK):
            self._whole = self.watch.now()
            self.watch.ring(PAUSE, partial(self._look, Slices(self.store)))

    async def _look(self, slices: Slices) -> None:
        if self.house.halted or self._is_late():
            return
        try:
            more, wrong = await slices.go_on(), bool(slices.found)
        except (SQLAlchemyError, OSError):  # the whole look tells what is in the way
            more, wrong = False, True
        if more:
            self.watch.ring(PAUSE, partial(self._look, slices))
        elif wrong:
            await self._check_books(everything=True)

    async def _judge(self, report: AuditReport) -> None:
        """Stop the games of whom a breach touches, and let those go on that are sound again."""
        sentences, former = [each.sentence for each in report.breaches], self.house.doubted
        if report.whole:
            await self._stop_games(sentences)
            return
        await self.house.doubt(report.doubted)
        if former - report.doubted:
            log.warning("the books add up again", communities=sorted(former - report.doubted))
        if not report.doubted:
            return
        doubted = sorted(report.doubted)
        log.critical(
            "no games are played", communities=doubted, reasons=sentences[:SHOWN], count=len(sentences)
        )
        if report.doubted - former:
            self._explain(f"No games are played in {', '.join(doubted)} until somebody has looked", sentences)

    async def _stop_games(self, sentences: list[str]) -> None:
        told = self.house.halted
        await self.house.halt()
        log.critical("no games are played", reasons=sentences[:SHOWN], count=len(sentences))
        if not told:
            self._explain("No games are played until somebody has looked", sentences)

    def _explain(self, consequence: str, sentences: list[str]) -> None:
        self.tell(f"{consequence}; `chatbot audit` lists what is wrong:")
        for sentence in sentences[:SHOWN]:
            self.tell(f"  {sentence}")

    async def _back_up(self) -> None:
        """Make a backup of a database that has been checked and is not in doubt as a whole.

        Of one in which some communities are in doubt there is one too, for the others play on; but it
        pushes out no older one, which may be sound.
        """
        if self.house.halted or self.house.held:
            return
        self.copied, doubted = self._written, sorted(self.house.doubted)
        if doubted:
            log.warning(
                "a backup holds books that are in doubt; no older one is removed", communities=doubted
            )
        try:
            make = partial(self.copies.make, self.watch, self._is_late, sound=not doubted)
            for each in await asyncio.to_thread(make):
                self.tell(backup.removed(each))
        except backup.Left:
            log.info("a backup was given up at the end; the next start or day makes one")
        except StoreError as error:
            self.tell(f"No backup could be made. {error}")
            log.error("no backup could be made", why=str(error))  # noqa: TRY400  (it says all there is to say)

    def _is_late(self) -> bool:
        return time.monotonic() >= self._leaving

    def _is_gone(self) -> bool:
        return self.copies.file is not None and not self.copies.file.exists()


def _note_failure(first: asyncio.Task[None]) -> None:
    """Log what nobody waits for any more; the games stay held."""
    if not first.cancelled() and first.exception() is not None:
        log.critical("the books were not checked", exc_info=first.exception())
