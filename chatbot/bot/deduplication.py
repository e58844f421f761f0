"""Deduplication of lines and events: each is acted on once, however often a platform delivers it.

Memory is of one process. What another one has acted on is in the database, and is refused there.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.deduplication import HeardLines
    from chatbot.runtime.clock import Watch

# Ids in memory. What platforms deliver twice, by two connections or after one was lost, comes within minutes.
MOST_REMEMBERED = 20_000
REMEMBERED_FOR = 3600.0  # seconds
RETENTION = timedelta(days=30)  # of ids in the database, even if the posting of a line is archived
SWEEP_INTERVAL = 3600.0  # seconds between two deletions of expired ids
LOG_INTERVAL = 60.0  # seconds between two warnings about messages that are too old

log = structlog.get_logger(__name__)


class Deduplication:
    """Ensures that each line and event is acted on once, however often a platform delivers it.

    No adapter remembers ids: what came by a socket and again by another one, by a conduit or after
    reconnecting, has the same id, and is asked for here, once. What is older than memory, such as before a
    restart, is known to the database if it changed anything: a unit of work writes the id under a unique key.
    """

    def __init__(self, heard_lines: HeardLines, watch: Watch) -> None:
        self._heard_lines, self._watch = heard_lines, watch
        self._recent: OrderedDict[str, float] = OrderedDict()  # when each came, on the watch; oldest first
        self._swept_at: float | None = None
        self._logged_at = -LOG_INTERVAL

    def fresh(self, line: str, sent_at: datetime | None = None) -> bool:
        """Whether this process receives the line of this id for the first time, and it was sent lately.

        Of one that was sent before ids are kept, nobody could say whether it was acted on.
        """
        if sent_at is not None and sent_at < self._watch.date() - RETENTION:
            self._tell_late(line, sent_at)
            return False
        now = self._watch.now()
        while self._recent and next(iter(self._recent.values())) < now - REMEMBERED_FOR:
            self._recent.popitem(last=False)
        if line in self._recent:
            return False
        remember(self._recent, line, now, MOST_REMEMBERED)
        return True

    def knows(self, line: str) -> bool:
        """Whether this process has received the line of this id lately."""
        return line in self._recent

    async def known(self, line: str) -> bool:
        """Whether the line of this id was received lately, or was acted on by any process."""
        return self.knows(line) or await self._heard_lines.known(line)

    def forget(self, line: str) -> None:
        """Let a line be received again that was not acted on."""
        self._recent.pop(line, None)

    def _tell_late(self, line: str, sent_at: datetime) -> None:
        """Tell the operator of a message that is too old; the clock of this machine may be why."""
        now = self._watch.now()
        if now >= self._logged_at + LOG_INTERVAL:
            self._logged_at = now
            log.warning(
                "a message that was sent too long ago was not heard; is the clock of this machine right?",
                line=line,
                sent=sent_at.isoformat(),
                here=self._watch.date().isoformat(),
            )

    async def sweep(self) -> None:
        """Delete expired ids now and then."""
        if self._swept_at is not None and self._watch.now() < self._swept_at + SWEEP_INTERVAL:
            return
        self._swept_at = self._watch.now()
        try:
            await self._heard_lines.forget(self._watch.date() - RETENTION)
        except (SQLAlchemyError, OSError):
            log.exception("old lines could not be forgotten")
