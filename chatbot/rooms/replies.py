"""What is answered to one line: collected while it is dealt with, and given to whoever has brought it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from chatbot.rooms.room import Delivery

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.kernel.say import Say
    from chatbot.rooms.room import Channel, Line

    Later: TypeAlias = Callable[[Delivery], object]


@dataclass(frozen=True, slots=True)
class Replies:
    """What is said to a line where it came from, in order; all of it is committed.

    Unless it was `taken` in, it came again, or in a flood, or is for another process. `more` says that
    something is still being thought about, which follows later.
    """

    deliveries: tuple[Delivery, ...] = ()
    taken: bool = True
    more: bool = False


class Exchange:
    """A line and its answers: those that come before `close` are its replies, all others go to `later`.

    Unless it is `apart` its answers go the way of all that is said in its channel, in that order.
    """

    def __init__(self, later: Later, *, apart: bool = True) -> None:
        self.line: Line | None = None  # as it was heard at last: with who speaks
        self._apart = apart
        self._later, self._said = later, list["Delivery"]()
        self._closed = False
        self._thoughts = 0
        self._ended = asyncio.Event()

    def answered(self, say: Say) -> bool:
        """Whether a line is for who spoke alone, or is no news of a table, and so an answer to them."""
        return say.game is None if say.to is None else self.line is not None and say.to == self.line.seat

    def came_from(self, channel: Channel) -> bool:
        return self.line is not None and self.line.channel == channel.id

    def covers(self, channel: Channel, say: Say) -> bool:
        """Whether what is said in a channel is said to this line: also what everybody reads of it there."""
        return self._apart and self.came_from(channel) and (say.to is None or self.answered(say))

    def say(self, delivery: Delivery) -> None:
        """Answer something."""
        if self._closed:
            self._later(delivery)
        else:
            self._said.append(delivery)

    def think(self) -> None:
        """Say that there will be more, which takes a while."""
        self._thoughts += 1

    def thought(self) -> None:
        """Say that something of it has come to an end."""
        self._thoughts -= 1

    def end(self) -> None:
        """Say that the line has its answer; what hangs on it besides is nothing to wait for."""
        self._ended.set()

    async def ended(self) -> None:
        await self._ended.wait()

    def close(self) -> Replies:
        """Give what was said."""
        self._closed = True
        return Replies(tuple(self._said), more=self._thoughts > 0)

    def leave(self) -> None:
        """Let everything be said later, for nobody waits for it any more."""
        for delivery in self.close().deliveries:
            self._later(delivery)
