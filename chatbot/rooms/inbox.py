"""The queue of a room: what comes for it waits here and nowhere else, in order and bounded.

A line that waits takes a kilobyte here. With a task of its own, or in the library of its platform with the
message, its author and what waits for its answer, it takes more than ten: 15,000 lines of a flood once were
230 MB. So whoever brings a line takes out of it what is needed, puts that here and lets the rest go. A full
queue gives up talk before commands: talk needs no answer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import structlog

from chatbot.runtime.shielded import ShieldedWork

# `Any`: a queue knows of its lines only what `QueuedLine` says; the room's handler knows them as they are.
Handle: TypeAlias = Callable[[Sequence[Any]], Awaitable[None]]
"""Answers several lines; an error is told to each of them."""
QueuedWork: TypeAlias = Callable[[], Awaitable[None]]

MOST_WAITING = 5000  # lines of a room; a raid of so many fits, though nobody of it is answered meanwhile
MOST_WAITING_IN_ALL = 6000  # lines of all rooms, beside the `SHARE` of each
SHARE = 100  # that may wait in a room however many wait in the others: no flood costs a quiet room anything
MOST_TOGETHER = 250  # lines of a room that are handled at once: the first of them waits for the last
MOST_HANDLED = 500  # lines of all rooms that are handled at once, beside the `FEW` of each
FEW = 25  # that are handled however many are of the others: a slow room holds up no other
GATHERING = 0.1  # seconds after a crowd was handled in which the next one gathers
REPORT_INTERVAL = 60.0  # seconds in which it is told at most once that a queue is full

log = structlog.get_logger(__name__)


class QueuedLine(Protocol):
    """A line that waits to be answered."""

    @property
    def is_talk(self) -> bool:
        """Whether it needs no answer."""

    def refuse(self) -> None:
        """Learn that it will not be answered, because others are, or because the bot is stopping."""

    def fail(self, error: Exception) -> None:
        """Learn that an error of the program has left it without an answer."""


@dataclass(eq=False, slots=True)
class Load:
    """What all rooms share: how many lines wait, how many are being handled, and the tasks that do that."""

    waiting: int = 0
    handled: int = 0
    tasks: ShieldedWork = field(default_factory=ShieldedWork)


@dataclass(eq=False, slots=True)
class _Alone:
    """Work that is done by itself. If nobody waits for it, it counts as a line, and may be given up."""

    work: QueuedWork
    done: asyncio.Future[None] | None = None
    is_talk: bool = False

    def refuse(self) -> None:
        if self.done is not None:
            self.done.cancel()

    def fail(self, error: Exception) -> None:
        if self.done is None:
            log.error("what waited in the queue of a room has failed", exc_info=error)
        elif not self.done.done():  # else its caller does not wait any more
            self.done.set_exception(error)


class Inbox:
    """A queue with one worker task, which runs while something waits.

    `handle` answers lines; whoever opens the room sets it. A queue that is `held` has no worker: what waits
    there is put into another one. Cancelling whoever waits does not cancel what they wait for.
    """

    def __init__(self, load: Load | None = None, *, held: bool = False) -> None:
        self.handle: Handle = _fail
        self.refused = 0  # lines since that was reported last
        self._load, self._held = load or Load(), held
        self._waiting: deque[QueuedLine] = deque()
        self._bounded = 0  # entries that count: all but those for which somebody waits with `alone`
        self._talk = 0  # how many of them are talk
        self._reported: float | None = None
        self._worker: asyncio.Task[None] | None = None
        self._gathers, self._resumes = False, 0.0  # when the next ones are handled, by the clock of the loop
        self._full = asyncio.Event()  # whether as many wait as are handled at once

    def __len__(self) -> int:
        return self._bounded

    def share(self, load: Load) -> None:
        """Count to this load from now on."""
        self._load.waiting -= self._bounded
        load.waiting += self._bounded
        self._load = load

    def put(self, line: QueuedLine) -> bool:
        """Add a line; a full queue refuses its oldest talk for it, or returns False and does not take it."""
        load = self._load
        self._waiting.append(line)
        self._bounded += 1
        self._talk += line.is_talk
        load.waiting += 1
        crowded = load.waiting > MOST_WAITING_IN_ALL and self._bounded > SHARE
        taken = True
        if len(self._waiting) >= MOST_TOGETHER:
            self._full.set()
        if crowded or self._bounded > MOST_WAITING:
            taken = self._refuse_one()
        if self._worker is None:
            self._start()
        return taken

    def enqueue(self, work: QueuedWork) -> bool:
        """Run work after everything that is in the queue; False: the queue is full, and it is never run."""
        return self.put(_Alone(work))

    async def alone(self, work: QueuedWork) -> None:
        """Run work after everything that is in the queue already, however full it is."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Alone(work, done))
        self._start()
        await done

    def gather(self) -> None:
        """Wait for `GATHERING` seconds before the next lines are handled, so that more of them share a call.

        Once `MOST_TOGETHER` wait there is nothing to wait for, as more cannot share one. PostgreSQL delays
        commits for the same reason (`commit_delay`).
        """
        self._gathers = True

    def move(self, other: Inbox) -> None:
        """Put everything that waits behind what waits in another queue."""
        entries = [*self._waiting]
        self._waiting.clear()
        self._forget(self._bounded, self._talk)
        for each in entries:
            if not other.put(each):
                each.refuse()

    def clear(self, keep: int = 0) -> list[QueuedLine]:
        """Give up what may be given up, but for the first entries, and return the lines of it.

        Nobody has told these lines yet.
        """
        entries, given_up = [*self._waiting], list[QueuedLine]()
        self._waiting.clear()
        for each in entries:
            if isinstance(each, _Alone) and each.done is not None:
                self._waiting.append(each)
            elif keep:
                keep -= 1
                self._waiting.append(each)
            else:
                given_up.append(each)
        self._forget(len(given_up), sum([each.is_talk for each in given_up]))
        return [each for each in given_up if not isinstance(each, _Alone)]

    def report(self, now: float) -> int:
        """Return how many lines were refused and not reported yet; 0 within `REPORT_INTERVAL` of a report."""
        if not self.refused or (self._reported is not None and now < self._reported + REPORT_INTERVAL):
            return 0
        lines, self.refused, self._reported = self.refused, 0, now
        return lines

    def _forget(self, count: int, talk: int) -> None:
        """Count entries no more that have left the queue, and how many of them are talk."""
        self._bounded -= count
        self._talk -= talk
        self._load.waiting -= count

    def _refuse_one(self) -> bool:
        """Give up one, and return whether it is another than the newest.

        There is no search where there is nothing to find: this is where a flood arrives.
        """
        self.refused += 1
        newest = self._waiting[-1]
        at = len(self._waiting) - 1
        if self._talk > newest.is_talk:
            at = next(at for at, each in enumerate(self._waiting) if each.is_talk)
        given_up = self._waiting[at]
        del self._waiting[at]
        self._forget(1, given_up.is_talk)
        if given_up is newest:
            return False
        given_up.refuse()
        return True

    def _start(self) -> None:
        if self._worker is None and self._waiting and not self._held:
            self._worker = self._load.tasks.start(self._work())

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                if (pause := self._resumes - loop.time()) > 0 and len(self._waiting) < MOST_TOGETHER:
                    self._full.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(pause):
                            await self._full.wait()
                if not self._waiting:  # it was given up meanwhile
                    break
                await self._handle_next()
                if self._gathers:
                    self._gathers, self._resumes = False, loop.time() + GATHERING
        finally:
            self._worker = None
            if self._waiting:  # the event loop is closing
                for each in (*self.clear(), *self._waiting):
                    each.refuse()
                self._waiting.clear()

    async def _handle_next(self) -> None:
        """Do the first work, or answer the first lines."""
        first = self._waiting[0]
        if isinstance(first, _Alone):
            self._waiting.popleft()
            self._forget(first.done is None, 0)
            await _run(first)
            return
        lines, load = self._take(), self._load  # the room may come to share another one meanwhile
        load.handled += len(lines)
        try:
            await self.handle(lines)
        except Exception as error:
            log.exception("lines could not be answered", lines=len(lines))
            for each in lines:
                each.fail(error)
        except BaseException:
            for each in lines:
                each.refuse()
            raise
        finally:
            load.handled -= len(lines)

    def _take(self) -> list[QueuedLine]:
        """Take the first lines out of the queue, up to where work stands."""
        lines = list[QueuedLine]()
        most = min(MOST_TOGETHER, max(FEW, MOST_HANDLED - self._load.handled))
        while self._waiting and len(lines) < most:
            if isinstance(self._waiting[0], _Alone):
                break
            lines.append(self._waiting.popleft())
        self._forget(len(lines), sum([each.is_talk for each in lines]))
        return lines


async def _fail(_: Sequence[Any]) -> None:
    raise RuntimeError("lines wait in a room that nobody has opened")


async def _run(alone: _Alone) -> None:
    """Do work, and let whoever waits for it know."""
    try:
        await alone.work()
    except Exception as error:  # noqa: BLE001  (it is raised to who waits, or logged)
        alone.fail(error)
    except BaseException:
        alone.refuse()
        raise
    else:
        if alone.done is not None and not alone.done.done():
            alone.done.set_result(None)
