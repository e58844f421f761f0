"""Deduplication of lines and events, and the flood limit of members and rooms."""

from __future__ import annotations

from collections import OrderedDict
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.runtime.limits import Allowances, remember

if TYPE_CHECKING:
    from datetime import datetime

    from chatbot.ledger.deduplication import HeardLines
    from chatbot.ledger.people import Account
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch

# Ids in memory. What platforms deliver twice, by two connections or after one was lost, comes within minutes.
MOST_REMEMBERED = 20_000
REMEMBERED_FOR = 3600.0  # seconds
RETENTION = timedelta(days=30)  # of ids in the database, even if the posting of a line is archived
SWEEP_INTERVAL = 3600.0  # seconds between two deletions of expired ids

BURST, RATE = 20.0, 2.0  # commands of a member: at once, and per second
MOST_WAITING = 5000  # lines of a room that may wait to be answered; a raid must fit
LOG_INTERVAL = 60.0  # seconds between two warnings about a flood

log = structlog.get_logger(__name__)


class Deduplication:
    """Ensures that each line and event is acted on once, however often a platform delivers it.

    No adapter remembers ids: what came by a socket and again by another one, by a conduit or after
    reconnecting, has the same id, and is asked for here, once. What is older than memory, such as before a
    restart, is known to the database if it changed anything: a unit of work writes the id under a unique key.
    """

    def __init__(self, heard: HeardLines, watch: Watch) -> None:
        self._heard, self._watch = heard, watch
        self._recent: OrderedDict[str, float] = OrderedDict()  # when each came, on the watch; oldest first
        self._swept: float | None = None
        self._logged_at = -LOG_INTERVAL

    def fresh(self, line: str, sent: datetime | None = None) -> bool:
        """Whether this process receives the line of this id for the first time, and it was sent lately.

        Of one that was `sent` before ids are kept, nobody could say whether it was acted on.
        """
        if sent is not None and sent < self._watch.date() - RETENTION:
            self._tell_late(line, sent)
            return False
        now = self._watch.now()
        while self._recent and next(iter(self._recent.values())) < now - REMEMBERED_FOR:
            self._recent.popitem(last=False)
        if line in self._recent:
            return False
        remember(self._recent, line, now, MOST_REMEMBERED)
        return True

    def _tell_late(self, line: str, sent: datetime) -> None:
        """Tell the operator of a message that is too old; the clock of this machine may be why."""
        now = self._watch.now()
        if now >= self._logged_at + LOG_INTERVAL:
            self._logged_at = now
            log.warning(
                "a message that was sent too long ago was not heard; is the clock of this machine right?",
                line=line,
                sent=sent.isoformat(),
                here=self._watch.date().isoformat(),
            )

    async def sweep(self) -> None:
        """Delete expired ids now and then."""
        if self._swept is not None and self._watch.now() < self._swept + SWEEP_INTERVAL:
            return
        self._swept = self._watch.now()
        try:
            await self._heard.forget(self._watch.date() - RETENTION)
        except (SQLAlchemyError, OSError):
            log.exception("old lines could not be forgotten")


class FloodLimit:
    """Limits the commands of a member, and the waiting lines of a room."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._allowances = Allowances(watch, BURST, RATE)
        self._waiting: dict[str, int] = {}
        self._dropped, self._logged_at = 0, -LOG_INTERVAL

    def admits(self, room: Room, account: Account, *, command: bool) -> bool:
        """Whether a line may be accepted; if so, `leave` must be called when it has been answered."""
        waiting = self._waiting.get(room.id, 0)
        if waiting >= MOST_WAITING or (command and not self._allowances.take(account)):
            self._drop(room)
            return False
        self._waiting[room.id] = waiting + 1
        return True

    def leave(self, room: Room) -> None:
        """Note that an accepted line has been answered."""
        self._waiting[room.id] -= 1
        if not self._waiting[room.id]:
            del self._waiting[room.id]

    def _drop(self, room: Room) -> None:
        self._dropped += 1
        if self._watch.now() >= self._logged_at + LOG_INTERVAL:
            log.warning("lines of a flood were not heard", room=room.id, lines=self._dropped)
            self._dropped, self._logged_at = 0, self._watch.now()
