"""Notices that accounts were connected again while the bot runs, with other rights than before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chatbot.keys.ring import Key, KeyRing
    from chatbot.rooms.clock import Alarm, Watch

EVERY = 2.0  # seconds between two looks at the file of keys, which is read only if it was written

log = structlog.get_logger(__name__)


class KeyChanges:
    """Calls `changed` with each key of a known account whose scopes are others than before."""

    def __init__(self, ring: KeyRing, watch: Watch, changed: Callable[[Key], None]) -> None:
        self._ring, self._watch, self._changed = ring, watch, changed
        self._scopes: dict[str, frozenset[str]] = {}  # by account
        self._stamp: object = None
        self._alarm: Alarm | None = None
        self._stopped = False

    def start(self, keys: Iterable[Key]) -> None:
        """Look from now on for changes of these keys, which are in use."""
        self._scopes = {each.user_id: frozenset(each.scopes) for each in keys}
        self._wind()

    def stop(self) -> None:
        """Look no more."""
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()

    def _wind(self) -> None:
        if not self._stopped:
            self._alarm = self._watch.ring(EVERY, self._look)

    async def _look(self) -> None:
        try:
            stamp = await asyncio.to_thread(lambda: self._ring.stamp)
            if stamp != self._stamp:
                self._stamp = stamp  # a damaged file is told of once
                self._compare(await asyncio.to_thread(self._ring.load))
        except Failure as failure:  # the keys in use stay in use
            log.warning(str(failure))
        finally:
            self._wind()

    def _compare(self, keys: Iterable[Key]) -> None:
        for key in keys:
            scopes = frozenset(key.scopes)
            if not self._stopped and self._scopes.get(key.user_id, scopes) != scopes:
                self._scopes[key.user_id] = scopes
                self._changed(key)
