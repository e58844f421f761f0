"""The replies to one line, collected while it is handled and returned to the platform that delivered it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from chatbot.rooms.channel import Delivery

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.kernel.say import Say
    from chatbot.rooms.channel import Channel
    from chatbot.rooms.line import Line

    Later: TypeAlias = Callable[[Delivery], object]
    Shows: TypeAlias = Callable[[Say], bool]
    """Whether a platform shows a reply; one that it does not show need not be worded."""


@dataclass(frozen=True, slots=True)
class Replies:
    """The answers to a line in the channel that it came from, in order; what they report is committed.

    `taken` is False if the line was not accepted: it is a duplicate, exceeds the flood limit, belongs to
    another process, or came when the bot was stopping. `more` says that an answer is still being computed
    and follows later.
    """

    deliveries: tuple[Delivery, ...] = ()
    taken: bool = True
    more: bool = False


class Exchange:
    """A line and its answers: those before `close` are its replies, later ones are passed to `later`.

    If `apart` is False, its answers are queued with all other messages of its channel, in that order. If it
    `gathers`, the line was said on a page, which words the answers itself: none of them is sent to the chat.
    `on_end` is called when the line has its answer, for who does not wait for that.
    """

    # A line of a crowd waits with its exchange: without slots that would take 200 bytes more, and with an
    # `asyncio.Event` for each end 800, also where nobody waits for it.
    __slots__ = (
        "_apart",
        "_closed",
        "_ended",
        "_expected",
        "_finished",
        "_later",
        "_on_end",
        "_said",
        "_shows",
        "_waiter",
        "error",
        "gathered",
        "gathers",
        "line",
        "taken",
    )

    def __init__(
        self,
        later: Later,
        *,
        apart: bool = True,
        gathers: bool = False,
        shows: Shows | None = None,
        on_end: Callable[[Exchange], object] | None = None,
    ) -> None:
        self.line: Line | None = None  # with its speaker, once that is known
        self._apart, self._shows, self._on_end = apart, shows, on_end
        self._later, self._said = later, list["Delivery"]()
        self.gathers = gathers
        self.gathered: list[Say] = []
        self._closed = False
        self._expected = 0  # answers that are still being computed
        self._ended = self._finished = False
        self._waiter: asyncio.Future[None] | None = None  # for whichever of the two is waited for
        self.taken = True
        self.error: Exception | None = None  # of the program, that has left the line without an answer

    def call_at_end(self, work: Callable[[Exchange], object]) -> None:
        """Call this, too, when the line has its answer."""
        before = self._on_end

        def both(exchange: Exchange) -> None:
            if before is not None:
                before(exchange)
            work(exchange)

        self._on_end = both

    @property
    def apart(self) -> bool:
        """Whether its answers are given to who brought the line, and not queued with other messages."""
        return self._apart

    def answered(self, say: Say) -> bool:
        """Whether a message is an answer to the speaker: for them alone, or neither of a game nor for all."""
        if say.to is None:
            return say.game is None and not say.everywhere
        return self.line is not None and say.to == self.line.seat

    def came_from(self, channel: Channel) -> bool:
        """Whether the line was said in this channel."""
        return self.line is not None and self.line.channel == channel.id

    def covers(self, channel: Channel, say: Say) -> bool:
        """Whether a message in a channel is a reply to this line; public messages there count as well."""
        return self._apart and self.came_from(channel) and (say.to is None or self.answered(say))

    def gather(self, say: Say) -> bool:
        """Keep a message for the page that `gathers` them; return whether it is for that page alone.

        What concerns every chat of the room is for both.
        """
        if not (self.answered(say) or say.everywhere):
            return False
        self.gathered.append(say)
        return not say.everywhere

    def shows(self, say: Say) -> bool:
        """Whether the platform shows a message that is a reply to this line."""
        return self._shows is None or self._shows(say)

    def say(self, delivery: Delivery) -> None:
        """Add an answer."""
        if self._closed:
            self._later(delivery)
        else:
            self._said.append(delivery)

    def expect_more(self) -> None:
        """Note that another answer is being computed."""
        self._expected += 1

    def expect_less(self) -> None:
        """Note that an answer that was being computed is there, or has failed."""
        self._expected -= 1
        if self._waiter is not None:
            self._wake(self._waiter)

    def end(self) -> None:
        """Note that the line has its answer; what else follows from it need not be waited for."""
        if not self._ended:
            self._ended = True
            if self._waiter is not None:
                self._wake(self._waiter)
            if self._on_end is not None:
                self._on_end(self)

    def finish(self, error: Exception | None = None) -> None:
        """Note that everything that follows from the line is done, or that it has failed."""
        self.error = self.error or error
        if not self._ended:
            self.end()
        self._finished = True
        if self._waiter is not None:
            self._wake(self._waiter)

    def refuse(self) -> None:
        """Note that the line gets no answer, as if it had not been accepted."""
        self.taken = False
        self.finish()

    async def ended(self) -> None:
        """Wait for `end`; only one caller may wait.

        Raises:
            Exception: the error by which the line has no answer.
        """
        while not self._ended:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self.error is not None:
            raise self.error

    async def finished(self) -> None:
        """Wait for `finish`; only one caller may wait.

        Raises:
            Exception: the error by which the line has no answer.
        """
        while not self._finished:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self.error is not None:
            raise self.error

    async def complete(self) -> None:
        """Wait for answers that are still being computed; only one caller may wait."""
        while self._expected > 0:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter

    def close(self) -> Replies:
        """Return the replies; answers that come after this are passed to `later`."""
        self._closed = True
        return Replies(tuple(self._said), taken=self.taken, more=self._expected > 0)

    def leave(self) -> None:
        """Pass all answers to `later`, because the caller no longer waits for them."""
        for delivery in self.close().deliveries:
            self._later(delivery)

    def _wake(self, waiter: asyncio.Future[None]) -> None:
        if not waiter.done():
            waiter.set_result(None)
