"""Where thinking is done that takes a while: in a thread, one thought at a time, beside all that goes on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.kernel.kit import Kit, Thought
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Room
    from chatbot.live.watch import Watch

T = TypeVar("T")

log = structlog.get_logger(__name__)


class Study:
    def __init__(self, outbox: Outbox, watch: Watch) -> None:
        self._outbox, self._watch = outbox, watch
        self._desk = asyncio.Lock()

    async def think(self, work: Callable[[], T]) -> T:
        """Do what takes a while; whatever it raises is raised here."""
        async with self._desk:
            return await asyncio.to_thread(work)

    def ponder(self, room: Room, kit: Kit, event: Any, line: str) -> None:
        """Say more of an event later, where the game has more to say of it; `line` asked for it, if any."""
        thought = kit.ponders.get(type(event))
        if thought is not None:
            self._watch.ring(0.0, partial(self._ponder, room, kit, thought, event, line))

    async def _ponder(self, room: Room, kit: Kit, thought: Thought, event: Any, line: str) -> None:
        try:
            told = await self.think(lambda: list(thought(event)))
        except Exception:
            log.exception("a thought came to nothing", room=room.id, game=kit.name)
            return
        self._outbox.say(room, [replace(say, game=kit.name, answers=line) for say in told])
