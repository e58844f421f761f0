"""Notices that accounts are connected while the bot runs: for the first time, or again with other rights."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Failure
from chatbot.runtime.periodic import Periodic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from chatbot.keys.ring import Key, KeyRing, Purpose
    from chatbot.runtime.clock import Watch

EVERY = 2.0  # seconds between two looks at the file of keys, which is read only if it was written

Rights: TypeAlias = "tuple[frozenset[str], frozenset[Purpose]]"

log = structlog.get_logger(__name__)


class KeyChanges:
    """Calls `changed` with each key whose account is new, or has other scopes or purposes than before.

    What `changed` could not do for the moment is done at the next look; one key is dealt with at a time.
    """

    def __init__(self, ring: KeyRing, watch: Watch, on_change: Callable[[Key], Awaitable[None]]) -> None:
        self._ring, self._on_change = ring, on_change
        self._rights: dict[str, Rights] = {}  # by account
        self._stamp: object = None
        self._looks = Periodic(watch, EVERY, self._look)
        self._work: asyncio.Task[None] | None = None
        self._last_trouble = ""

    def start(self, keys: Iterable[Key]) -> None:
        """Look from now on for changes of these keys, which are in use, and for others."""
        self._rights = {each.user_id: _rights(each) for each in keys}
        self._looks.start()

    async def stop(self) -> None:
        """Look no more, and give up what is under way."""
        self._looks.stop()
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _look(self) -> None:
        self._work = asyncio.create_task(self._compare())  # which `stop` can cancel
        await asyncio.wait([self._work])
        if not self._work.cancelled():
            self._work.result()

    async def _compare(self) -> None:
        """Deal with what has changed, if the file was written since the last look."""
        stamp = await asyncio.to_thread(lambda: self._ring.stamp)
        if stamp == self._stamp:
            return
        self._stamp = stamp  # a damaged file is told of once
        try:
            keys = await asyncio.to_thread(self._ring.load)
        except Failure as failure:  # the keys in use stay in use
            log.warning(str(failure))
            return
        for key in keys:
            if self._rights.get(key.user_id) != _rights(key):
                await self._take(key)

    async def _take(self, key: Key) -> None:
        try:
            await self._on_change(key)
        except (Failure, SQLAlchemyError, OSError) as error:
            self._stamp = None  # tried again at the next look
            if self._last_trouble != str(error):
                log.warning("a new key is not taken up yet", account=key.login, reason=str(error))
            self._last_trouble = str(error)
        else:
            self._rights[key.user_id] = _rights(key)
            self._last_trouble = ""


def _rights(key: Key) -> Rights:
    return frozenset(key.scopes), key.purposes
