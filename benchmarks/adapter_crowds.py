"""Send commands from many members of a fake platform, and measure the time until the bot answers each."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

CHANNELS = tuple(f"channel{number}" for number in range(10))
EVERYWHERE = range(len(CHANNELS))
MEMBERS = 1000  # so many that none of them reaches the flood limit
OUTSTANDING = 200  # commands that wait for an answer at a time, at full load
ANSWER_TIMEOUT = 10.0  # seconds after which a command counts as unanswered
LONGEST_FLOOD = 50.0  # seconds more for the answers to many commands at once, where messages are limited
GUILDS = 300  # servers of Discord that ask at once; the channel of each is numbered after `CHANNELS`
_NAME = re.compile(r"member\d{4}")

AnswerHandler: TypeAlias = Callable[[int, str], None]
"""Receives the number of a channel and each text of the bot there, as soon as it arrives."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Member:
    """A member whose name occurs in no other text, and who writes in one channel only."""

    name: str
    channel: int


class FakePlatform(Protocol):
    """A platform with all of `CHANNELS`."""

    async def open(self, folder: Path) -> str:
        """Start, put files that the bot needs into a folder, and return the address for the bot."""

    posts: Counter[int]
    """The messages of the bot in each channel, by number of the channel."""

    async def speak(self, member: Member, text: str) -> None:
        """Send a line of a member to the bot, or a slash command where it begins with a slash."""

    def forget(self) -> None:
        """Discard all messages, because keeping many costs time."""

    async def stop(self) -> None:
        """Stop the server."""


@dataclass(frozen=True, slots=True)
class FullLoad:
    """The result of commands that were sent as fast as answers came."""

    answered: int
    lost: int  # commands without an answer
    seconds: float


P = TypeVar("P", bound=FakePlatform)


class Crowd(Generic[P]):
    """The members of a fake platform; each waits for its answer, so that a name in an answer identifies it.

    An answer without a name is that to the oldest command of its channel, where bots answer in order.
    """

    def __init__(self, start: Callable[[AnswerHandler], P]) -> None:
        self.platform = start(self._answered)
        self.members = [Member(f"member{number:04}", number % len(CHANNELS)) for number in range(MEMBERS)]
        self._turns: dict[Sequence[int], Iterator[Member]] = {}  # by channels
        self._waiting: defaultdict[int, dict[str, asyncio.Future[float]]] = defaultdict(dict)

    async def ask(self, member: Member, text: str) -> float:
        """Send a command, and return the seconds until the answer."""
        answer: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting[member.channel][member.name], began = answer, time.perf_counter()
        await self.platform.speak(member, text)
        return await answer - began

    async def ask_in_turn(self, members: Sequence[Member], text: str) -> list[float]:
        """Send one command of each member, `OUTSTANDING` of them at a time; return as `ask_at_once` does."""
        waits = list[float]()

        async def one_by_one(some: Sequence[Member]) -> None:
            for member in some:
                waits.append(await self.ask(member, text))

        tasks = [
            asyncio.create_task(one_by_one(members[each::OUTSTANDING]))
            for each in range(min(OUTSTANDING, len(members)))
        ]
        await _finish(tasks, 3 * ANSWER_TIMEOUT)
        self.platform.forget()
        return waits + [float("inf")] * (len(members) - len(waits))

    async def warm_up(self, text: str) -> None:
        """Send one command of each member, so that the bot knows and has welcomed them all."""

        async def one_by_one(members: Sequence[Member]) -> None:
            for member in members:
                await self.ask(member, text)

        tasks = [asyncio.create_task(one_by_one(self._share(each))) for each in range(OUTSTANDING)]
        unanswered = await _finish(tasks, 3 * ANSWER_TIMEOUT)
        assert not unanswered, f"{unanswered} members got no answer to their first command"
        self.platform.forget()

    async def ask_at_rate(
        self, texts: Sequence[str], rate: float, seconds: float, channels: Sequence[int] = EVERYWHERE
    ) -> dict[str, list[float]]:
        """Send commands at a constant rate per second, the texts in turn.

        The members of these channels have turns, also over several calls: whoever repeats a command within
        its cooldown is refused, and not told so once the cooldown is over. Return the seconds until each
        answer, by text; infinite for a command without an answer.
        """
        began, asking = time.perf_counter(), []
        here = [each for each in self.members if each.channel in channels]
        # Of one channel the last come first: those of several, whom others ask for, begin with the first.
        members = self._turns.setdefault(channels, cycle(here[::-1] if len(channels) == 1 else here))
        for number, member in zip(range(round(rate * seconds)), members, strict=False):
            await asyncio.sleep(began + number / rate - time.perf_counter())
            text = texts[number // len(channels) % len(texts)]
            asking.append((text, asyncio.create_task(self.ask(member, text))))
        await _finish([task for _, task in asking])
        waits = defaultdict(list)
        for text, task in asking:
            waits[text].append(float("inf") if task.cancelled() else task.result())
        self.platform.forget()
        return waits

    async def ask_at_once(
        self, members: Sequence[Member], text: str, within: float, patience: float = LONGEST_FLOOD
    ) -> list[float]:
        """Send one command of each member, evenly in `within` seconds, and wait `patience` s for the last.

        Return the seconds until each answer; infinite for a command without an answer.
        """
        began, asking = time.perf_counter(), list[asyncio.Task[float]]()
        for number, member in enumerate(members):
            await asyncio.sleep(began + within * number / len(members) - time.perf_counter())
            asking.append(asyncio.create_task(self.ask(member, text)))
        await _finish(asking, patience)
        self.platform.forget()
        return [float("inf") if each.cancelled() else each.result() for each in asking]

    async def saturate(self, text: str, seconds: float) -> FullLoad:
        """Send commands as fast as the answers come, with `OUTSTANDING` of them waiting."""
        answers: list[float] = []
        began = time.perf_counter()

        async def repeat(members: Sequence[Member]) -> None:
            for member in cycle(members):
                await self.ask(member, text)
                answers.append(time.perf_counter())
                if answers[-1] > began + seconds:
                    return

        tasks = [asyncio.create_task(repeat(self._share(each))) for each in range(OUTSTANDING)]
        unanswered = await _finish(tasks, seconds)
        self.platform.forget()
        assert answers, "no command got an answer"
        return FullLoad(len(answers), unanswered, max(answers) - began)

    def _share(self, number: int) -> list[Member]:
        """Return the members whose commands one task sends, all of one channel."""
        return self.members[number::OUTSTANDING]

    def _answered(self, channel: int, text: str) -> None:
        now, waiting = time.perf_counter(), self._waiting[channel]
        for name in _NAME.findall(text) or list(waiting)[:1]:
            answer = waiting.pop(name, None)
            if answer is not None and not answer.done():
                answer.set_result(now)


async def _finish(tasks: Sequence[asyncio.Task[_T]], seconds: float = 0.0) -> int:
    """Wait for tasks for `seconds` and the timeout, cancel those still running, and return their number."""
    _, late = await asyncio.wait(tasks, timeout=seconds + ANSWER_TIMEOUT)
    for task in late:
        task.cancel()
    if late:
        await asyncio.wait(late)
    return len(late)
