"""Which lines are taken in: each once, whatever a platform delivers, and so many of a member and a room."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal
from chatbot.rooms.limits import Allowances, remember

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chatbot.ledger.deduplication import HeardLines
    from chatbot.ledger.people import Account
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.inbox import Batch
    from chatbot.rooms.room import Room

REMEMBERED = 10_000  # lines in memory, by id
KEPT = timedelta(days=30)  # in the database, also where the posting that a message made is archived
SWEPT = 3600.0  # seconds between two looks for what is too old

log = structlog.get_logger(__name__)

BURST, RATE = 20.0, 2.0  # commands of a member: at once, and a second
WAITING = 20_000  # lines of a room that may wait to be answered: a raid is no flood
NOTED = 60.0  # seconds between two notes in the log


class Deduplication:
    def __init__(self, heard: HeardLines, watch: Watch) -> None:
        self._heard, self._watch = heard, watch
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._swept: float | None = None

    def fresh(self, line: str) -> bool:
        """Whether this process hears the line of this id for the first time."""
        if line in self._recent:
            return False
        remember(self._recent, line, None, REMEMBERED)
        return True

    async def knows(self, line: str) -> bool:
        """Whether anybody has acted on this message before, before a restart too."""
        return await self._heard.known(line)

    @asynccontextmanager
    async def noting(self, line: str) -> AsyncIterator[None]:
        """Have it written that a message is acted on, with the first thing that it changes or else by itself.

        It is not where acting on it failed, but for a refusal: then it is tried again when it comes again.

        Raises:
            Again: another process has acted on it meanwhile.
        """
        await self._sweep()
        refusal = None
        with self._heard.noting(line, self._watch.date()) as companion:
            try:
                yield
            except Refusal as error:
                refusal = error
        if not companion.written:
            await self._note(line, known=companion.doubtful)
        if refusal is not None:
            raise refusal

    async def _note(self, line: str, *, known: bool) -> None:
        """Write down a message by itself; what was done for it is done, where it may be `known` already."""
        try:
            await self._heard.first(line, self._watch.date())
        except (SQLAlchemyError, OSError) as error:
            if not known:
                raise
            log.warning("whether a message is noted is not known", line=line, error=str(error))

    async def first_with(self, batch: Batch, line: str) -> bool:
        """Tell the same, and have it written with what is committed together."""
        batch.then(self._sweep)
        return await batch.unit.first(line, self._watch.date())

    async def _sweep(self) -> None:
        now = self._watch.now()
        if self._swept is not None and now < self._swept + SWEPT:
            return
        self._swept = now
        try:
            await self._heard.forget(self._watch.date() - KEPT)
        except (SQLAlchemyError, OSError):
            log.exception("old lines could not be forgotten")


class FloodLimit:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._allowances = Allowances(watch, BURST, RATE)
        self._waiting: dict[str, int] = {}
        self._dropped, self._noted = 0, -NOTED

    def admits(self, room: Room, account: Account, *, command: bool) -> bool:
        """Whether a line may be taken in; if so, `leave` must be told when it has been answered."""
        waiting = self._waiting.get(room.id, 0)
        if waiting >= WAITING or (command and not self._allowances.take(account)):
            self._drop(room)
            return False
        self._waiting[room.id] = waiting + 1
        return True

    def leave(self, room: Room) -> None:
        self._waiting[room.id] -= 1
        if not self._waiting[room.id]:
            del self._waiting[room.id]

    def _drop(self, room: Room) -> None:
        self._dropped += 1
        if self._watch.now() >= self._noted + NOTED:
            log.warning("lines of a flood were not heard", room=room.id, lines=self._dropped)
            self._dropped, self._noted = 0, self._watch.now()
