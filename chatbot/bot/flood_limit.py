"""The flood limit: how many commands of a member are heard.

It is of the process that hears the line, before anything is passed on, for it protects that process. Who
writes in channels that several processes hear has the limit in each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from chatbot.runtime.limits import Allowances

if TYPE_CHECKING:
    from chatbot.ledger.people import Account
    from chatbot.runtime.clock import Watch

BURST, RATE = 20.0, 2.0  # commands of a member: at once, and per second
LOG_INTERVAL = 60.0  # seconds between two warnings about a flood

log = structlog.get_logger(__name__)


class FloodLimit:
    """Limits the commands of a member; how many lines wait is bounded by their queue."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._allowances = Allowances(watch, BURST, RATE)
        self._dropped, self._logged_at = 0, -LOG_INTERVAL

    def admits(self, channel: str, account: Account) -> bool:
        """Whether a command may be accepted."""
        if self._allowances.take(account):
            return True
        self._drop(channel)
        return False

    def _drop(self, channel: str) -> None:
        self._dropped += 1
        if self._watch.now() >= self._logged_at + LOG_INTERVAL:
            log.warning("lines of a flood were not heard", channel=channel, lines=self._dropped)
            self._dropped, self._logged_at = 0, self._watch.now()
